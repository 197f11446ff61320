"""The auction: bids, passes, going alone, and what happens when nobody bids."""

import pytest

from card_envs.table import IllegalAction
from tests.pit.play import GAME, HANDS, auction, burdens, contract, legal, next_round, play, points, round_of, table
from tests.rule_ids import rule_ids

OPENING = ["bid 3", "bid 3 alone", "pass"]
EVERY_BID = ["bid 3", "bid 3 alone", "bid 4", "bid 4 alone", "bid 5", "bid 5 alone", "pass"]
ALL_PASS = "pass, pass, pass, pass"


@rule_ids("P7", "PX03", "P-A7")
def test_the_player_left_of_the_dealer_speaks_first_and_then_in_turn():
    bidding, speakers = auction(), []
    for call in ("bid 3", "pass", "bid 4"):
        speakers.append(bidding.turn)
        play(bidding, call)
    assert speakers == [0, 1, 2] and bidding.turn == 3


@rule_ids("P8", "P9", "P10a", "P22", "PX04")
def test_the_opening_is_three_or_a_pass():
    assert legal(auction()) == OPENING
    for call in ("bid 4", "bid 5 alone"):
        with pytest.raises(IllegalAction, match=call):
            play(auction(), call)


@rule_ids("PX05", "P-A8")
def test_where_bids_jump_any_level_opens():
    assert legal(auction(bid_jumps=True)) == EVERY_BID


@rule_ids("P9", "PX06")
def test_bids_go_up_by_one():
    assert legal(auction("bid 3")) == ["bid 4", "bid 4 alone", "pass"]


@rule_ids("PX07", "P-A8")
def test_a_jump_too_must_be_beaten():
    assert legal(auction("bid 4", bid_jumps=True)) == ["bid 5", "bid 5 alone", "pass"]


@rule_ids("PX08", "P-A10")
def test_a_bid_of_five_ends_the_auction():
    bidding = auction("bid 3, bid 4, bid 5")
    assert contract(bidding) == (2, 5, False) and bidding.turn == 2
    assert legal(bidding) == sorted(HANDS[2].split())


@rule_ids("PX10", "P11", "P-A10")
def test_when_all_others_have_passed_the_high_bidder_is_not_asked_again():
    assert contract(auction("bid 3, pass, pass, pass")) == (0, 3, False)


@rule_ids("P10b", "P11")
def test_who_is_in_keeps_bidding_until_he_passes():
    """Seats 0 and 1 bid against each other; the others, once they have passed, are not asked again."""
    bidding = auction("bid 3, bid 4, pass, pass")
    assert bidding.turn == 0 and legal(bidding) == ["bid 5", "bid 5 alone", "pass"]
    play(bidding, "pass")
    assert contract(bidding) == (1, 4, False)


@rule_ids("P10a", "P10b", "P-A9")
def test_a_pass_is_final():
    bidding = auction("pass, bid 3, pass, bid 4")
    assert bidding.turn == 1
    play(bidding, "pass")
    assert contract(bidding) == (3, 4, False)


@rule_ids("P-A9")
def test_a_pass_may_be_taken_back_by_an_option():
    """Seats 0 and 2 have passed: after the bid of 4 they are asked again, and seat 0 takes the contract."""
    bidding = auction("pass, bid 3, pass, bid 4", pass_reentry=True)
    assert bidding.turn == 0 and legal(bidding) == ["bid 5", "bid 5 alone", "pass"]
    play(bidding, "pass, pass, pass")
    assert contract(bidding) == (3, 4, False)
    assert contract(auction("pass, bid 3, pass, bid 4, bid 5", pass_reentry=True)) == (0, 5, False)


@rule_ids("P10b", "P-A9")
def test_but_not_by_who_has_bid():
    """Seat 0 was in and passed: over the bid of 3 only seat 2, which never bid, is asked again."""
    at = auction("bid 1, pass, pass, bid 2, pass, bid 3, pass", min_bid=1, pass_reentry=True)
    assert at.turn == 3
    play(at, "pass")
    assert contract(at) == (1, 3, False)


@rule_ids("PX11", "P-A10")
def test_the_last_to_speak_may_still_bid_or_pass():
    assert legal(auction("pass, pass, pass")) == OPENING
    assert contract(auction("pass, pass, pass, bid 3")) == (3, 3, False)


# --- nobody bids -------------------------------------------------------------------------------------------------------------


@rule_ids("P26", "PX12", "P-A11")
def test_when_all_pass_the_round_is_void_and_the_next_opening_forced():
    """Nothing is played or scored; the same dealer deals, and seat 0 may not pass."""
    at = auction(ALL_PASS)
    assert at.record.deal_over and not at.ended and contract(at) is None
    assert burdens(at) == [7, 7, 7, 7] and points(at) == [0, 0, 0, 0] and at.record.change.tolist()[:4] == [0, 0, 0, 0]
    assert at.record.dealer == 3 and GAME.public(at.record, at.rules)["forced"]
    next_round(at, HANDS, 3)
    assert at.turn == 0 and legal(at) == ["bid 3", "bid 3 alone"]


@rule_ids("P26", "P-A13")
def test_a_forced_opening_may_be_any_that_is_legal():
    jumping = next_round(auction(ALL_PASS, bid_jumps=True), HANDS, 3)
    assert legal(jumping) == EVERY_BID[:-1]


@rule_ids("PX13", "P-A13")
def test_who_was_forced_may_pass_later():
    at = play(next_round(auction(ALL_PASS), HANDS, 3), "bid 3, bid 4, pass, pass")
    assert at.turn == 0 and "pass" in legal(at)
    assert not at.record.forced


@rule_ids("P-A13")
def test_only_the_first_to_speak_is_forced():
    at = play(next_round(auction(ALL_PASS), HANDS, 3), "bid 3")
    assert legal(at) == ["bid 4", "bid 4 alone", "pass"]


@rule_ids("PX14", "P-A13")
def test_after_the_forced_round_nobody_is_forced():
    at = auction(ALL_PASS)
    round_of([2, 3, 1, 1], "bid 3, bid 4, pass, pass, pass", at=at, dealer=3)
    assert not at.record.forced
    next_round(at, HANDS, 0)
    assert legal(at) == OPENING


@rule_ids("PX15")
def test_two_void_rounds_cannot_follow_each_other():
    """The forced opening is a bid, so there is a contract even if all others pass."""
    at = play(next_round(auction(ALL_PASS), HANDS, 3), "bid 3, pass, pass, pass")
    assert contract(at) == (0, 3, False)


@rule_ids("P-A11")
def test_the_first_to_speak_may_be_stuck_with_the_lowest_contract_at_once():
    at = auction(ALL_PASS, all_pass="forced_now")
    assert contract(at) == (0, 3, False) and at.turn == 0
    assert legal(at) == sorted(HANDS[0].split())


@rule_ids("P-A12")
def test_the_deal_may_move_on_after_a_void_round():
    """Then the player left of the new dealer, who speaks first, must open."""
    at = auction(ALL_PASS, void_rotates_deal=True)
    assert at.record.dealer == 0
    next_round(at, HANDS, 0)
    assert at.turn == 1 and legal(at) == ["bid 3", "bid 3 alone"]


# --- going alone -------------------------------------------------------------------------------------------------------------


@rule_ids("P22", "PX17", "P-A17")
def test_who_has_gone_alone_bids_only_alone():
    assert legal(auction("bid 3 alone, bid 4, pass, pass")) == ["bid 5 alone", "pass"]
    with pytest.raises(IllegalAction, match="bid 5"):
        play(auction("bid 3 alone, bid 4, pass, pass"), "bid 5")


@rule_ids("P22", "P-A17")
def test_a_later_bid_may_be_alone_though_the_first_was_not():
    at = auction("bid 3, bid 4, pass, pass, bid 5 alone")
    assert contract(at) == (0, 5, True)


@rule_ids("PX18", "P-A17")
def test_an_alone_bid_does_not_outrank_its_level():
    """Nor can it be had for the same number without going alone."""
    assert legal(auction("bid 3 alone")) == ["bid 4", "bid 4 alone", "pass"]
    assert legal(auction("bid 3")) == ["bid 4", "bid 4 alone", "pass"]


@rule_ids("P-A17")
def test_going_alone_can_be_ruled_out():
    assert legal(auction(alone=False)) == ["bid 3", "pass"]


@rule_ids("P22", "P-A17")
def test_alone_is_seen_once_the_auction_is_over():
    at = auction("bid 3 alone, pass, pass")
    assert GAME.public(at.record, at.rules)["alone"] is None
    play(at, "pass")
    shown = GAME.public(at.record, at.rules)
    assert (shown["contractor"], shown["alone"]) == (0, True)


@rule_ids("P-A14")
def test_an_alone_bid_that_is_outbid_lapses():
    """Seat 0 went alone and takes no trick: nothing is drawn."""
    at = round_of([0, 4, 2, 1], "bid 3 alone, bid 4, pass, pass, pass")
    assert burdens(at) == [7, 3, 7, 7] and points(at) == [0, 0, 2, 1]


@rule_ids("P24", "P-A14")
def test_an_alone_bid_that_is_outbid_may_be_penalised():
    """No points for its trick, and a card for each of the six others: 7 + 6; the pit falls from 24 to 18."""
    at = round_of([1, 4, 2, 0], "bid 3 alone, bid 4, pass, pass, pass", alone_outbid="penalised")
    assert burdens(at) == [13, 3, 7, 7] and points(at) == [0, 0, 2, 0] and at.record.bank == 18


@rule_ids("P-A14", "P-A15")
@pytest.mark.parametrize(("bank", "drawn"), [(24, [2, 1, 0, 0]), (2, [1, 1, 0, 0])])
def test_a_penalty_by_the_shortfall_counts_from_the_last_bid_and_comes_after_the_contractors(bank, drawn):
    """Seat 0's last bid was 3 alone, and it takes one trick: 2 cards. Seat 1 is one short of 4, and draws first."""
    calls = "bid 1 alone, bid 2, pass, pass, bid 3 alone, bid 4, pass"
    options = {"alone_outbid": "penalised", "alone_set": "shortfall", "min_bid": 1, "start": {"bank": bank}}
    at = round_of([1, 3, 2, 1], calls, **options)
    assert at.record.drawn.tolist()[:4] == drawn and at.record.bank == bank - sum(drawn)
    assert burdens(at) == [7 + cards for cards in drawn] and points(at) == [0, 0, 2, 1]


@rule_ids("P-A4", "P-A14")
def test_penalties_are_drawn_from_the_dealers_left_on():
    """Seats 1 and 0, outbid in that order, miss 5 and 6 tricks; the pit holds 3 cards. Seat 0 deals."""
    calls = "bid 1 alone, bid 2, pass, bid 3 alone, pass, bid 4, pass"
    at = round_of([1, 2, 4, 0], calls, dealer=0, alone_outbid="penalised", min_bid=1, start={"bank": 3})
    assert at.record.drawn.tolist()[:4] == [0, 3, 0, 0] and at.record.bank == 0


@rule_ids("P8", "P9")
@pytest.mark.parametrize(("min_bid", "max_bid", "bids"), [(1, 3, ["bid 1", "bid 1 alone"]), (4, 5, ["bid 4", "bid 4 alone"])])
def test_the_lowest_and_highest_bid_are_options(min_bid, max_bid, bids):
    opened = auction(min_bid=min_bid, max_bid=max_bid)
    assert legal(opened) == [*bids, "pass"]
    while contract(opened) is None:
        play(opened, next(text for text in legal(opened) if text != "pass"))
    assert opened.record.bid == max_bid


@rule_ids("P8")
def test_tiny_decks_bid_one_and_two():
    tiny = table(["AC KC", "AD KD", "AH KH"], 2)
    assert legal(tiny) == ["bid 1", "bid 1 alone", "pass"]
    play(tiny, "bid 1 alone")
    assert legal(tiny) == ["bid 2", "bid 2 alone", "pass"]
    assert contract(play(tiny, "bid 2 alone")) == (1, 2, True)
