"""The auction, naming trump and pitching it."""

import pytest

from card_envs.table import IllegalAction
from tests.pitch.play import REFERENCE_HANDS, REFERENCE_PLAY, legal, play, points, table
from tests.rule_ids import rule_ids

EVERY_BID = ["bid 1", "bid 2", "bid 3", "bid 4", "pass"]


def auction(*calls: str, **options):
    """Four players, seat 3 deals, so seat 0 speaks first."""
    return play(table(REFERENCE_HANDS, 3, **options), *calls)


@rule_ids("T7", "TX02")
def test_the_player_left_of_the_dealer_speaks_first_and_the_dealer_last():
    bidding = auction()
    speakers = []
    for call in ("pass", "bid 1", "pass", "pass"):
        speakers.append(bidding.turn)
        play(bidding, call)
    assert speakers == [0, 1, 2, 3]
    assert bidding.turn == 1 and legal(bidding)[0].startswith("name")  # one turn each, then the bidder


@rule_ids("T8", "TX03", "T-A2")
def test_the_first_bidder_may_pass_or_bid_one_to_four():
    assert legal(auction()) == EVERY_BID


@rule_ids("T-A2")
def test_the_lowest_bid_is_an_option():
    assert legal(auction(min_bid=2)) == ["bid 2", "bid 3", "bid 4", "pass"]


@rule_ids("T8", "TX04", "T-A3")
def test_a_bid_must_be_higher_than_the_standing_one():
    assert legal(auction("bid 2")) == ["bid 3", "bid 4", "pass"]
    with pytest.raises(IllegalAction, match="bid 2"):
        play(auction("bid 2"), "bid 2")


@rule_ids("TX05", "T-A6")
def test_after_a_bid_of_four_the_others_can_only_pass():
    """Each of them still speaks."""
    bidding = auction("bid 4")
    for seat in (1, 2, 3):
        assert bidding.turn == seat and legal(bidding) == ["pass"]
        play(bidding, "pass")
    assert bidding.turn == 0


@rule_ids("TX06", "T-A4")
def test_the_dealer_must_go_higher_too():
    assert legal(auction("bid 3", "pass", "pass")) == ["bid 4", "pass"]


@rule_ids("TX06", "T-A4")
def test_a_dealer_who_may_steal_takes_the_contract_at_the_same_bid():
    bidding = auction("bid 3", "pass", "pass", dealer_steal="any")
    assert legal(bidding) == ["bid 3", "bid 4", "pass"]
    play(bidding, "bid 3")
    assert bidding.record.bidder == 3 and bidding.record.bid == 3
    assert bidding.turn == 3  # and names trump


@rule_ids("TX06", "T-A4")
def test_only_the_dealer_steals():
    assert legal(auction("bid 3", "pass", dealer_steal="any")) == ["bid 4", "pass"]


@rule_ids("TX07", "T-A4")
@pytest.mark.parametrize(
    "dealer_steal, standing, calls",
    [
        ("four_only", "bid 4", ["bid 4", "pass"]),
        ("four_only", "bid 3", ["bid 4", "pass"]),
        ("below_four", "bid 4", ["pass"]),
        ("below_four", "bid 3", ["bid 3", "bid 4", "pass"]),
        ("any", "bid 4", ["bid 4", "pass"]),
        ("none", "bid 4", ["pass"]),
    ],
)
def test_which_bids_the_dealer_may_steal(dealer_steal, standing, calls):
    assert legal(auction(standing, "pass", "pass", dealer_steal=dealer_steal)) == calls


@rule_ids("T-A4")
def test_stealing_needs_a_standing_bid():
    """With nothing to steal a dealer has the usual choice."""
    assert legal(auction("pass", "pass", "pass", dealer_steal="any")) == EVERY_BID


@rule_ids("TX09")
def test_partners_may_outbid_each_other():
    bidding = auction("bid 2", "pass")
    assert bidding.turn == 2 and legal(bidding) == ["bid 3", "bid 4", "pass"]
    play(bidding, "bid 3", "pass")
    assert bidding.record.bidder == 2


@rule_ids("TX10", "T-A5")
def test_when_all_pass_nobody_scores_and_the_next_dealer_deals():
    passed_out = auction("pass", "pass", "pass", "pass")
    assert passed_out.record.deal_over and not passed_out.ended
    assert passed_out.scores() == [0, 0] and passed_out.record.match_deals == 1
    assert passed_out.record.dealer == 0


@rule_ids("T-A5")
def test_when_all_pass_the_same_dealer_may_deal_again():
    assert auction("pass", "pass", "pass", "pass", all_pass="redeal_same").record.dealer == 3


@rule_ids("T6", "T-A5")
def test_after_a_played_deal_the_next_dealer_deals_in_any_case():
    played = auction("bid 1", "pass", "pass", "pass", "name S", REFERENCE_PLAY, all_pass="redeal_same")
    assert played.record.dealer == 0


@rule_ids("TX11", "T-A5")
def test_a_dealer_who_must_bid_cannot_pass():
    forced = auction("pass", "pass", "pass", all_pass="dealer_forced", min_bid=2)
    assert forced.turn == 3 and legal(forced) == ["bid 2", "bid 3", "bid 4"]


@rule_ids("T-A5")
def test_a_dealer_need_not_bid_over_a_bid():
    assert legal(auction("pass", "bid 2", "pass", all_pass="dealer_forced")) == ["bid 3", "bid 4", "pass"]


@rule_ids("T-A5")
def test_when_all_pass_the_eldest_may_pitch_without_a_bid():
    """Seat 0, left of the dealer, names trump and leads. All four points are hers, and no bid is at stake."""
    eldest = auction("pass", "pass", "pass", "pass", all_pass="eldest_pitches")
    assert eldest.turn == 0
    play(eldest, "name S", REFERENCE_PLAY)
    assert eldest.scores() == [4, 0] and eldest.record.bidder == -1


@rule_ids("T9")
def test_the_high_bidder_names_trump():
    bidding = auction("bid 1", "pass", "bid 3", "pass")
    assert bidding.turn == 2
    play(bidding, "name C")
    assert bidding.record.trump == 0 and bidding.turn == 2


@rule_ids("TX12", "T-A7")
def test_only_a_suit_that_the_bidder_holds_may_be_named():
    """Else he could not lead a trump."""
    bidding = table(["2C 3C 4C 5H 6H 7H", "AS KS QS JS TS 9S"], 1)
    assert legal(play(bidding, "bid 2", "pass")) == ["name C", "name H"]


@rule_ids("T15", "TX13")
def test_the_bidder_leads_a_trump_to_the_first_trick():
    bidding = table(["2C 3C 4C 5H 6H 7H", "AS KS QS JS TS 9S"], 1)
    assert legal(play(bidding, "bid 2", "pass", "name H")) == ["5H", "6H", "7H"]


@rule_ids("TX14", "T-A7")
def test_a_pitched_card_fixes_trump():
    """Any of the six cards may be led, and its suit is trump at once: the others must follow it."""
    bidding = auction("bid 2", "pass", "pass", "pass", trump_method="pitch")
    assert legal(bidding) == ["2H", "4C", "7S", "AS", "KS", "TD"]
    play(bidding, "4C")
    assert bidding.record.trump == 0
    assert legal(bidding) == ["9C"]  # of QS 3S AD 9C 8H JH


@rule_ids("T9", "T15", "T-A7")
def test_pitching_comes_to_the_same_as_naming():
    pitched = auction("bid 4", "pass", "pass", "pass", REFERENCE_PLAY, trump_method="pitch")
    named = auction("bid 4", "pass", "pass", "pass", "name S", REFERENCE_PLAY)
    assert pitched.scores() == named.scores() == [4, 0]
    assert points(pitched) == points(named)
