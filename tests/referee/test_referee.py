"""The referee alone, against positions worked out by hand from the rule book."""

import random
from types import SimpleNamespace

import pytest

from .pitch import Deal
from .pitch_cards import deck_of, pips
from .pitch_positions import SEED, act, start

REFERENCE_HANDS = ["AS KS 7S TD 4C 2H", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]
REFERENCE_PLAY = "AS 3S JS 2S KS QS 5S 9S 7S 9C TC 3H TD AD KD QD JH AH TH 2H 6C JC 4C 8H"


def reference_deal(bid, **changes):
    referee = start(REFERENCE_HANDS, dealer=3, **{"teams": "pairs", **changes})
    return act(referee, f"bid {bid}", "pass", "pass", "pass", "name S", *REFERENCE_PLAY.split())


@pytest.mark.parametrize(
    "bid, low_to, change",
    [(4, "taker", [4, 0]), (4, "holder", [-4, 1]), (3, "holder", [3, 1])],  # TX23, TX24, TX25
)
def test_the_reference_deal_is_scored(bid, low_to, change):
    referee = reference_deal(bid, low_to=low_to)
    assert referee.deal_over and referee.deal_scores == [change] and referee.scores == change
    assert referee.next_dealer == 0 and referee.tricks_won == [3, 1, 1, 1]
    assert (referee.trump, referee.bidder, referee.bid, referee.to_act) == ("S", 0, bid, None)


def test_the_reference_deal_scored_individually():  # TX26
    referee = reference_deal(4, teams="none")
    assert referee.scores == [4, 0, 0, 0]
    # AS JS KS QS TC 4+1+3+2+10; AD KD TD QD 4+3+10+2; JH AH TH 1+4+10; JC 1
    assert [pips(cards) for cards in referee.deal.won_cards] == [20, 19, 15, 1]


@pytest.mark.parametrize(
    "trick, winner",
    [("5C 2S 9S AC", 2), ("QH 3H 2D KH", 3)],  # TX21, TX22
)
def test_who_takes_a_trick(trick, winner):
    referee = start(REFERENCE_HANDS, dealer=3)
    referee.deal.trump = "S"
    referee.deal.trick = list(enumerate(trick.split()))
    assert referee.deal.trick_winner() == winner


@pytest.mark.parametrize(
    "led, follow_rule, cards",
    [
        ("5H", "follow_or_trump", "4H 9S KH"),  # TX15
        ("5H", "strict", "4H KH"),  # TX16
        ("5S", "follow_or_trump", "9S"),  # TX17
        ("5D", "follow_or_trump", "2C 4H 9S KH"),  # TX18
        ("5C", "follow_or_trump", "2C 9S"),  # TX19
    ],
)
def test_following(led, follow_rule, cards):
    referee = start([f"{led} AS TC TD", "KH 4H 9S 2C"], dealer=1, follow_rule=follow_rule)
    referee.deal.trump, referee.deal.phase, referee.deal.to_act = "S", "play", 1
    referee.deal.trick = [(0, led)]
    assert referee.legal() == cards.split()


def test_the_auction():  # TX02 to TX07
    referee = start(REFERENCE_HANDS, dealer=3, dealer_steal="any")
    assert referee.to_act == 0 and referee.legal() == ["bid 1", "bid 2", "bid 3", "bid 4", "pass"]
    act(referee, "bid 2")
    assert referee.legal() == ["bid 3", "bid 4", "pass"] and referee.bidder is None
    act(referee, "bid 3", "pass")
    assert referee.to_act == 3 and referee.legal() == ["bid 3", "bid 4", "pass"]
    act(referee, "bid 3")
    assert (referee.bidder, referee.bid) == (3, 3) and referee.legal() == ["name C", "name D", "name H", "name S"]
    act(referee, "name D")
    assert referee.legal() == ["QD"]


@pytest.mark.parametrize(
    "steal, standing, calls",
    [
        ("four_only", "bid 4", ["bid 4", "moon", "pass"]),
        ("below_four", "bid 4", ["moon", "pass"]),
        ("below_four", "bid 3", ["bid 3", "bid 4", "moon", "pass"]),
        ("below_four", "moon", ["pass"]),
        ("any", "moon", ["moon", "pass"]),
    ],
)
def test_what_the_dealer_may_steal(steal, standing, calls):
    referee = start(REFERENCE_HANDS, dealer=3, dealer_steal=steal, moon="bid")
    assert act(referee, standing, "pass", "pass").legal() == calls


def test_all_pass():  # TX10, TX11
    passes = ["pass", "pass", "pass"]
    redeal = act(start(REFERENCE_HANDS, dealer=3), *passes, "pass")
    assert redeal.deal_over and redeal.deal_scores == [[0, 0, 0, 0]] and redeal.next_dealer == 0
    assert act(start(REFERENCE_HANDS, dealer=3, all_pass="redeal_same"), *passes, "pass").next_dealer == 3
    forced = act(start(REFERENCE_HANDS, dealer=3, all_pass="dealer_forced", min_bid=2), *passes)
    assert forced.legal() == ["bid 2", "bid 3", "bid 4"]
    eldest = act(start(REFERENCE_HANDS, dealer=3, all_pass="eldest_pitches", teams="pairs"), *passes, "pass")
    act(eldest, "name S", *REFERENCE_PLAY.split())
    assert eldest.scores == [4, 0] and eldest.bidder is None and eldest.bid is None


def test_pitching_fixes_trump():  # TX14
    referee = start(REFERENCE_HANDS, dealer=3, trump_method="pitch")
    act(referee, "bid 1", "pass", "pass", "pass")
    assert len(referee.legal()) == 6 and referee.trump is None
    assert act(referee, "4C").trump == "C" and referee.trick == ["4C"] and referee.legal() == ["9C"]


def test_a_failed_bid_costs_the_bid():  # TX34: KS is high and game; the 2S is low to its holder
    referee = start(["KS", "2S", "3H"], dealer=2, low_to="holder")
    assert act(referee, "bid 3", "pass", "pass", "name S", "KS", "2S", "3H").scores == [-3, 1, 0]


def two_over_the_target(bidder, **changes):
    """Seat 0 wins high and game, seat 1 holds low: 12, 11, 5; a bid of 1 is made by seat 1 and not by seat 2."""
    before = [10, 10, 5] if bidder == 1 else [10, 10, 6]
    hands = ["KS", "3S", "2H" if bidder == 1 else "4S"]
    referee = start(hands, dealer=0, scores=before, low_to="holder", **changes)
    calls = ["bid 1", "pass"] if bidder == 1 else ["pass", "bid 1"]
    play = ["3S", "2H", "KS"] if bidder == 1 else ["4S", "KS", "3S"]
    act(referee, *calls, "pass", "name S", *play)
    assert referee.scores == [12, 11, 5]
    return referee


@pytest.mark.parametrize(
    "bidder, tie_rule, must_bid_to_win, winners",
    [
        (1, "bidder", False, [1]),  # TX38
        (2, "bidder", False, []),  # TX39
        (2, "highest", False, [0]),  # TX40
        (2, "count_order", False, [0]),  # High 11 for seat 0, before Low 11 for seat 1
        (1, "highest", True, [1]),
        (2, "highest", True, []),  # TX48
    ],
)
def test_two_sides_over_the_target(bidder, tie_rule, must_bid_to_win, winners):
    referee = two_over_the_target(bidder, tie_rule=tie_rule, must_bid_to_win=must_bid_to_win)
    assert referee.winners == winners and referee.match_over == bool(winners)


@pytest.mark.parametrize(
    "dealer, game_tie, changes",
    [(0, "none", [2, 0]), (0, "non_bidder", [2, 1]), (0, "dealer_side", [3, 0]), (1, "dealer_side", [2, 1])],
)
def test_a_tie_for_game(dealer, game_tie, changes):
    """Seat 0 bids, takes 5S KH (3 pips) and loses 2C KC (3 pips); the 5S is high and low."""
    referee = start(["5S 2C", "KH KC"], dealer=dealer, game_tie=game_tie)
    calls = ["bid 2", "pass"] if dealer == 1 else ["pass", "bid 2"]
    act(referee, *calls, "name S", "5S", "KH", "2C", "KC")
    assert referee.scores == changes


def moon(hands, play, scores, **changes):
    referee = start(hands, dealer=1, scores=scores, moon="bid", **changes)
    return act(referee, "moon", "pass", "name S", *play)


def test_a_moon_made():
    hands, play = ["AS JS", "2S 3H"], ["AS", "2S", "JS", "3H"]  # all four points and both tricks
    assert moon(hands, play, [1, 9], moon_made="five").scores == [6, 9]
    won = moon(hands, play, [1, 9], moon_made="game")
    assert won.scores == [11, 9] and won.winners == [0] and won.bid == 5
    lifted = moon(hands, play, [-6, 9], moon_made="game")
    assert lifted.scores == [0, 9] and not lifted.match_over


def test_a_moon_failed():
    hands, play = ["AS 2H", "2S 3H"], ["AS", "2S", "2H", "3H"]  # no jack, and a trick lost
    assert moon(hands, play, [1, 9]).scores == [-4, 9]
    lost = moon(hands, play, [1, -9], moon_failed="lose_game")
    assert lost.scores == [-4, -9] and lost.winners == [1] and not lost.truncated


def test_four_points_win_for_a_defender():  # TX49: 2S is led into AS, and JS is led back
    referee = start(["2S 3S", "AS JS"], dealer=1, scores=[5, -7], moon="four_points")
    act(referee, "bid 1", "pass", "name S", "2S", "AS", "JS", "3S")
    assert referee.scores == [4, -3] and referee.winners == [1]


def test_trump_only_skips_seats_without_trump():
    referee = start(["2S AH", "KS QH", "AC 3S"], dealer=2, follow_rule="trump_only")
    act(referee, "bid 1", "pass", "pass", "name S")
    assert act(referee, "2S").legal() == ["KS"]
    act(referee, "KS", "3S")
    assert referee.deal_over and referee.tricks_won == [0, 1, 0] and referee.scores == [-1, 3, 0]

    referee = start(["2S AH", "KH QH", "4S 3S"], dealer=2, follow_rule="trump_only")
    act(referee, "bid 1", "pass", "pass", "name S", "2S", "4S")  # seat 1 is skipped
    assert referee.to_act == 2 and referee.legal() == ["3S"]
    assert act(referee, "3S").tricks_won == [0, 0, 2]


def test_max_hands_truncates_and_equal_scores_share():
    referee = act(start(["2S", "KS"], dealer=0, max_hands=2), "pass", "pass")
    referee.start_deal(1, [["3S"], ["4S"]])
    act(referee, "pass", "pass")
    assert referee.truncated and referee.match_over and referee.winners == [0, 1]


def test_what_is_refused():
    referee = start(["2S", "KS"], dealer=0)
    with pytest.raises(ValueError, match="bid 5"):
        referee.act("bid 5")
    with pytest.raises(ValueError, match="KS"):
        start(["KS", "KS"], dealer=0)


def test_random_deals_keep_the_cards_together():  # TX58
    choose = random.Random(58)
    rules = SimpleNamespace(**SEED)
    for _ in range(30):
        cards = choose.sample(deck_of(rules), 24)
        deal = Deal(rules, 2, 3, [cards[seat::4] for seat in range(4)])
        while deal.phase != "over":
            deal.act(choose.choice(deal.legal()))
        if not deal.passed_out:
            assert sorted(deal.won_cards[0] + deal.won_cards[1]) == sorted(cards)
            assert sum(deal.tricks_won) == 6
