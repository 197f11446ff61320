"""Who wins the match, and when."""

import numpy as np
import pytest

import card_envs
from tests.pit.play import HANDS, burdens, play, points, round_of, table
from tests.rule_ids import rule_ids

BID_3 = "bid 3, pass, pass, pass"
ALL_PASS = "pass, pass, pass, pass"


@rule_ids("P20", "P21", "P30", "PX32")
def test_the_first_to_discard_all_cards_wins():
    at = round_of([3, 2, 1, 1], BID_3, start={"burdens": [3, 7, 7, 7]})
    assert burdens(at) == [0, 7, 7, 7] and at.winners() == [0] and at.record.match_over and not at.record.truncated


@rule_ids("P21", "PX33", "P-A23")
def test_a_burden_does_not_fall_below_nothing():
    at = round_of([5, 1, 1, 0], BID_3, start={"burdens": [3, 7, 7, 7]})
    assert burdens(at) == [0, 7, 7, 7] and at.winners() == [0]


@rule_ids("P20")
def test_rounds_go_on_until_then():
    at = round_of([3, 2, 1, 1], BID_3)
    assert burdens(at) == [4, 7, 7, 7] and at.winners() == [] and not at.ended
    round_of([1, 4, 1, 1], BID_3, at=at, dealer=0)  # seat 1 makes 4: 7 to 3
    assert burdens(at) == [4, 3, 7, 7] and not at.ended
    round_of([1, 1, 3, 2], BID_3, at=at, dealer=1)  # seat 2: 7 to 4
    round_of([1, 2, 2, 2], "pass, bid 3, pass, pass", at=at, dealer=2)  # seat 0 is two short: 4 to 6
    assert burdens(at) == [6, 3, 4, 7] and not at.ended
    round_of([1, 3, 1, 2], "pass, bid 3, pass, pass", at=at, dealer=3)
    assert burdens(at) == [6, 0, 4, 7] and at.winners() == [1]


@rule_ids("PX43", "P-A22")
def test_who_does_not_bid_never_wins():
    """A defender takes every trick of three rounds: points, but the burden stays. Without tricks it stays as well."""
    at = round_of([0, 7, 0, 0], BID_3)
    for dealer, calls in ((0, "pass, bid 3, pass, pass"), (1, BID_3)):
        round_of([0, 7, 0, 0], calls, at=at, dealer=dealer)
    assert burdens(at)[1] == burdens(at)[3] == 7 and points(at) == [0, 21, 0, 0] and not at.ended


@rule_ids("PX44", "P-A22")
def test_only_the_contractor_changes_his_burden():
    """Seats 0 and 1 are at 1; seat 2 goes from 3 to nothing."""
    at = round_of([2, 1, 3, 1], "pass, pass, bid 3, pass", start={"burdens": [1, 1, 3, 7]})
    assert burdens(at) == [1, 1, 0, 7] and at.winners() == [2]


@rule_ids("PX48", "P-A21")
@pytest.mark.parametrize(
    ("start", "winners"),
    [
        ({"burdens": [7, 5, 6, 9], "points": [9, 0, 0, 0]}, [1]),  # the lowest burden
        ({"burdens": [7, 5, 5, 9], "points": [9, 2, 3, 0]}, [2]),  # then points
        ({"burdens": [7, 5, 5, 9], "points": [9, 3, 3, 0]}, [1, 2]),  # else they share
    ],
)
def test_a_match_that_is_cut_goes_to_the_lowest_burden(start, winners):
    at = play(table(HANDS, 3, start=start, max_rounds=1), ALL_PASS)
    assert at.record.truncated and not at.record.match_over and at.ended and at.winners() == winners


@rule_ids("PX48", "P26")
def test_void_rounds_count_among_the_rounds_of_a_match():
    at = play(table(HANDS, 3, max_rounds=2), ALL_PASS)
    assert not at.ended
    round_of([3, 2, 1, 1], BID_3, at=at, dealer=3)
    assert at.record.truncated and at.winners() == [0]


@rule_ids("PX48")
def test_who_wins_in_the_last_round_has_won():
    at = round_of([3, 2, 1, 1], BID_3, start={"burdens": [3, 7, 7, 7]}, max_rounds=1)
    assert at.record.match_over and not at.record.truncated and at.winners() == [0]


@rule_ids("P-A21")
def test_points_may_be_what_the_match_is_for():
    """Seat 0 ends it, but seat 1 has most points; among equals the lower burden wins."""
    at = round_of([3, 2, 1, 1], BID_3, preset="points", start={"burdens": [3, 7, 7, 7], "points": [5, 4, 0, 0]})
    assert burdens(at) == [0, 7, 7, 7] and points(at) == [5, 6, 1, 1] and at.winners() == [1] and at.record.match_over
    level = round_of([3, 2, 1, 1], BID_3, preset="points", start={"burdens": [3, 7, 7, 7], "points": [6, 4, 0, 0]})
    assert points(level) == [6, 6, 1, 1] and level.winners() == [0]
    shared = round_of(
        [3, 2, 1, 1], BID_3, preset="points", max_rounds=1, start={"burdens": [8, 5, 5, 7], "points": [0, 4, 5, 0]}
    )
    assert points(shared) == [0, 6, 6, 1] and shared.winners() == [1, 2] and shared.record.truncated


@rule_ids("P32")
def test_points_may_have_a_target():
    """At 21 points the match ends, and most points win it."""
    for before, winners in ((18, []), (19, [1]), (20, [1])):
        at = round_of([3, 2, 1, 1], BID_3, points_target=21, start={"points": [0, before, 0, 0]})
        assert points(at) == [0, before + 2, 1, 1] and at.winners() == winners and at.ended == bool(winners)


@rule_ids("P32")
def test_with_a_target_of_points_the_match_still_ends_when_all_cards_are_shed():
    """And goes to the most points then."""
    at = round_of([3, 2, 1, 1], BID_3, points_target=21, start={"burdens": [3, 7, 7, 7], "points": [5, 4, 0, 0]})
    assert at.record.match_over and at.winners() == [1]


@rule_ids("P21", "P30")
@pytest.mark.parametrize(("num_players", "winners", "paid"), [(4, 1, [1, -1 / 3]), (5, 2, [3 / 8, -1 / 4]), (3, 3, [0, 0])])
def test_what_winners_and_losers_are_paid(num_players, winners, paid):
    """Each of k winners among n: (n - k) / (k (n - 1)), everybody else -1 / (n - 1); nothing when all win."""
    burdens_at_cut = [5] * winners + [6] * (num_players - winners)
    env = card_envs.make("pit", num_players=num_players, max_rounds=1)
    env.reset(seed=1, options={"start": {"burdens": burdens_at_cut}})
    for _ in range(num_players):
        env.step(54)
    table_ = env.unwrapped.table
    assert table_.winners() == list(range(winners))
    earned = [env.unwrapped._cumulative_rewards[f"player_{seat}"] for seat in range(num_players)]
    assert np.allclose(earned, [paid[0]] * winners + [paid[1]] * (num_players - winners))
