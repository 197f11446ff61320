"""Who wins the match, when it is lost, and when it is cut off."""

import pytest

from card_envs.table import Table
from tests.rule_ids import rule_ids
from tests.spades.play import GAME, bid, dealt, finished, last_trick, outcome, table


def ended(
    scores: list[int], bids: str = "4/3", won: str = "4/3", others: str = "3/3", preset: str = "standard", **options
) -> Table:
    """A deal of the standard game from these scores: side 0 makes 7 (70), side 1 wins 6 by seat 1 alone (60)."""
    return finished(bids, won, others=others, preset=preset, scores=scores, **options)


def end(at: Table) -> tuple[list[int], bool]:
    """(winners, is the match over?)."""
    return at.winners(), bool(at.record.match_over)


@rule_ids("S26", "S1")
def test_the_target_is_five_hundred():
    assert end(ended([430, 0])) == ([0], True)
    assert end(ended([429, 0])) == ([], False)


@rule_ids("S26")
def test_the_running_total_counts_and_not_the_deal():
    """A known error elsewhere. In twelve deals of 70 the eighth reaches 560."""
    at = table(dealt(GAME.rules("standard")), preset="standard")
    for deal in range(8):
        if deal:
            at.open_deal([[*range(seat, 52, 4)] for seat in range(4)], int(at.record.dealer))
        made = ["4", "3", "3", "3"]
        first = (int(at.record.dealer) + 1) % 4
        bid(at, *(made[(first + place) % 4] for place in range(4)))
        assert end(at) == ([], False)
        last_trick(at, [4, 3, 3, 3])
    assert at.scores() == [560, 480] and end(at) == ([0], True)


@rule_ids("SX29", "S-A20")
def test_of_two_sides_at_the_target_the_higher_wins():
    """498 + 7 against 499 + 8, by the seed."""
    at = finished("4/3", "4/3", others="5/3", preset="seed", scores=[498, 499])
    assert at.scores() == [505, 499 + 5 - 3]
    at = finished("4/1", "4/1", others="8/N", preset="seed", scores=[498, 400])
    assert at.scores() == [503, 508] and end(at) == ([1], True)


@rule_ids("S-A20")
@pytest.mark.parametrize("end_tie, result", [("play_on", ([], False)), ("share", ([0, 1], True))])
def test_level_sides_at_the_target_play_on_or_share(end_tie, result):
    at = ended([490, 500], end_tie=end_tie)
    assert at.scores() == [560, 560] and end(at) == result


def test_level_sides_below_the_target_play_on():
    assert end(ended([0, 10], end_tie="share")) == ([], False)


@rule_ids("SX54", "S-A21")
def test_a_side_at_the_floor_loses_at_once():
    """-130 - 70 is -200 exactly; a point more, and the match goes on."""
    lost = {"bids": "4/3", "won": "3/3", "others": "4/3"}
    at = ended([-130, 0], **lost)
    assert at.scores() == [-200, 70] and end(at) == ([1], True)
    assert end(ended([-129, 0], **lost)) == ([], False)
    assert end(ended([-130, 0], **lost, floor=0)) == ([], False), "no floor"
    assert end(ended([-130, 0], **lost, floor=-300)) == ([], False)


def test_when_both_fall_the_higher_wins_and_level_sides_share():
    """Thirteen tricks, fourteen bid: both fail by 70."""
    fallen = {"bids": "4/3", "won": "6/0", "others": "4/4"}
    assert end(ended([-140, -141], **fallen)) == ([0], True)  # -210, -221
    both = ended([-140, -130], **fallen)
    assert both.scores() == [-210, -210] and end(both) == ([0, 1], True)


def test_the_floor_ends_a_match_of_players_for_all():
    at = bid(table(dealt(GAME.rules("cutthroat")), preset="cutthroat", scores=[-190, 100, 120, 0]), "2", "1", "1", "1")
    last_trick(at, [1, 1, 1, 10])
    assert int(at.record.score[0]) == -210 and end(at) == ([2], True)


@rule_ids("S-A21")
def test_without_a_floor_a_match_is_cut_off_after_two_hundred_deals():
    assert GAME.rules().floor == 0 and GAME.rules().max_hands == 200
    at = ended([0, 0], max_hands=1)
    assert at.record.truncated and at.winners() == [0] and not at.record.match_over
    level = ended([0, 10], max_hands=1)
    assert level.scores() == [70, 70] and level.winners() == [0, 1]


def test_cut_off_at_the_target_is_won():
    at = ended([430, 0], max_hands=1)
    assert end(at) == ([0], True) and not at.record.truncated


@pytest.mark.parametrize("won, winners", [("7/6", [0]), ("7/5", [])])
def test_a_moon_may_win_the_match(won, winners):
    """From far behind, and whatever the scores."""
    assert ended([-60, 400], "7/6", won, others="1/1", moon=200, moon_wins=True).winners() == winners
    assert ended([-60, 400], "7/6", won, others="1/1", moon=200).winners() == []


@rule_ids("SX65")
def test_a_score_changes_by_the_formula_only():
    """A score that was put on the table is kept, and the deal's change is added."""
    at = ended([123, -45])
    assert outcome(at) == (70, 0) and at.scores() == [193, 15]
