"""Who wins the match, and when."""

import pytest

from tests.pitch.play import (
    REFERENCE_HANDS,
    REFERENCE_PLAY,
    TWO_OVER_HANDS,
    next_deal,
    play,
    reference_deal,
    table,
    three_players,
    two_over,
)
from tests.rule_ids import rule_ids


@rule_ids("T23", "T-A22")
@pytest.mark.parametrize("before, winners", [(6, []), (7, [0]), (9, [0])])
def test_the_match_ends_at_eleven_or_more(before, winners):
    """The reference deal adds four: 10 is not enough, 11 and 13 are."""
    deal = reference_deal(bid=4, scores=[before, 0])
    assert deal.winners() == winners and deal.ended == bool(winners)


@rule_ids("T-A22")
def test_the_target_is_an_option():
    assert reference_deal(bid=4, scores=[7, 0], target=12).winners() == []
    assert reference_deal(bid=4, target=4).winners() == [0]


@rule_ids("T24", "TX37")
def test_the_bidder_wins_a_tie():
    """10, 9, 2 become 11, 11, 2: seat 1, the bidder, wins."""
    deal = three_players(bid=2, scores=[10, 9, 2])
    assert deal.scores() == [11, 11, 2] and deal.winners() == [1] and deal.ended


@rule_ids("T24", "TX38", "T-A19")
def test_the_bidder_wins_even_with_the_lower_score():
    """Both have reached 11: how far beyond does not matter."""
    assert two_over(bidder=1).winners() == [1]


@rule_ids("T25", "TX39", "T-A20")
def test_another_deal_when_the_bidder_is_not_among_those_at_the_target():
    deal = two_over(bidder=2)
    assert deal.winners() == [] and not deal.ended
    next_deal(deal, TWO_OVER_HANDS, 1)
    # Everybody plays it. Seat 0 bids 2, leads KS to seat 1's AS (High), and wins Low and Game with the 3S: 12 + 2.
    play(deal, "pass", "bid 2", "pass", "name S", "KS AS 4S", "2H TH 3S")
    assert deal.scores() == [14, 12, 5] and deal.winners() == [0]


@rule_ids("T25", "T-A20")
def test_in_the_extra_deal_a_side_may_fall_below_the_target():
    """Seat 1 bids 2, wins only High and drops to 9: seat 0, alone above 11, wins."""
    deal = next_deal(two_over(bidder=2), TWO_OVER_HANDS, 1)
    play(deal, "pass", "pass", "bid 2", "name S", "AS 4S KS", "2H TH 3S")
    assert deal.scores() == [14, 9, 5] and deal.winners() == [0]


@rule_ids("T25", "T-A20")
def test_an_extra_deal_that_is_passed_out_decides_nothing():
    deal = next_deal(two_over(bidder=2), TWO_OVER_HANDS, 1)
    play(deal, "pass", "pass", "pass")
    assert deal.winners() == [] and not deal.ended


@rule_ids("TX40", "T-A19")
def test_the_highest_score_may_win():
    assert two_over(bidder=2, tie_rule="highest").winners() == [0]
    assert two_over(bidder=1, tie_rule="highest").winners() == [0]


@rule_ids("T-A19")
def test_equal_highest_scores_play_on():
    """11 : 11 after 10, 9, 2."""
    deal = three_players(bid=2, scores=[10, 9, 2], tie_rule="highest")
    assert deal.scores() == [11, 11, 2] and deal.winners() == [] and not deal.ended


@rule_ids("T-A19")
def test_points_may_be_counted_out_in_order():
    """Bidder seat 2 is not there. High makes seat 1 11 before Low makes seat 0 11."""
    assert two_over(bidder=2, tie_rule="count_order").winners() == [1]
    assert two_over(bidder=1, tie_rule="count_order").winners() == [1]  # the bidder comes first in any case


@rule_ids("TX42")
def test_an_opponent_wins_while_the_bidder_is_set():
    """10 : 10, a bid of 4 with Low to its holder: bidders -4, the others +1."""
    deal = reference_deal(bid=4, scores=[10, 10], low_to="holder")
    assert deal.scores() == [6, 11] and deal.winners() == [1]


@rule_ids("T24", "TX43")
def test_pairs_both_over_the_target():
    """10 : 10; the bidders bid 2 and win High and Low, the others win Jack and Game: 12 : 12 for the bidders.

    KS over the 2S is High and Low, 3 pips; the JS trumps 3H and TH: Jack and, with 11 pips, Game.
    """
    hands = ["KS 3H", "2S JS", "4S 5H", "5S TH"]
    deal = play(table(hands, 3, [10, 10]), "bid 2", "pass", "pass", "pass", "name S", "KS 2S 4S 5S", "3H JS 5H TH")
    assert deal.scores() == [12, 12] and deal.winners() == [0]


@rule_ids("TX45", "T-A21")
def test_the_match_does_not_end_within_a_deal():
    """At 10 the first trick's High would be enough, yet the deal is played out and all of it counts: 10 + 4."""
    opened = table(REFERENCE_HANDS, 3, [10, 0])
    first_trick, rest = REFERENCE_PLAY.split()[:4], REFERENCE_PLAY.split()[4:]
    deal = play(opened, "bid 1", "pass", "pass", "pass", "name S", *first_trick)
    assert deal.scores() == [10, 0] and not deal.ended
    play(deal, *rest)
    assert deal.scores() == [14, 0] and deal.winners() == [0]


@rule_ids("TX47")
def test_bicycle_the_bidder_goes_out_first():
    """To 7: the bidder at 5 bids 2 and wins 2, the other at 6 wins 1. Low goes to its holder, so the bidder was dealt the 3S.

    AS 4S: High to seat 0. 2H TH: Game to seat 1, 10 pips to 4. 3S 5H: Low.
    """
    opened = table(["AS 2H 3S", "4S TH 5H"], 1, [5, 6], preset="bicycle")
    deal = play(opened, "bid 2", "pass", "AS 4S", "2H TH", "5H 3S")
    assert deal.scores() == [7, 7] and deal.winners() == [0]


@rule_ids("TX48")
def test_where_one_must_bid_to_win_a_non_bidder_cannot():
    """The bidder's side is at 3 of 21, the others at 21 + 1."""
    deal = reference_deal(bid=3, scores=[0, 21], low_to="holder", target=21, must_bid_to_win=True)
    assert deal.scores() == [3, 22] and deal.winners() == [] and not deal.ended


@rule_ids("TX48")
def test_where_one_must_bid_to_win_the_bidder_can():
    deal = reference_deal(bid=4, scores=[18, 22], target=21, must_bid_to_win=True)
    assert deal.scores() == [22, 22] and deal.winners() == [0]


@rule_ids("TX49")
@pytest.mark.parametrize("score", [-9, 0, 6])
def test_smudge_four_points_win_at_once(score):
    """A defender takes all four with any score: she leads nothing, wins the 2S with the AS and leads the JS back."""
    opened = table(["2S 3S", "AS JS"], 1, [5, score], preset="smudge")
    deal = play(opened, "bid 2", "pass", "2S AS", "JS 3S")
    assert deal.scores() == [3, score + 4] and deal.winners() == [1] and deal.ended


@rule_ids("TX49")
def test_smudge_three_points_do_not():
    """Without the jack there is no smudge."""
    opened = table(["2S 3S", "AS QS"], 1, [5, 0], preset="smudge")
    deal = play(opened, "bid 2", "pass", "2S AS", "QS 3S")
    assert deal.scores() == [3, 3] and deal.winners() == []
