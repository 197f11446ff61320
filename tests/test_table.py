"""One table driven from Python: what its snapshots promise."""

import random

import pytest

from tests.contract.cases import CASES, any_legal, every_case


@every_case
def test_a_table_goes_on_from_a_snapshot_identically(case):
    """At another table, and after that table has shown another position."""
    choose = random.Random(str(case))
    table, other = case.table(seed=3), case.table(seed=4)
    for _ in range(40):
        other.restore(table.snapshot())
        assert other.legal_actions() == table.legal_actions() and other.history() == table.history()
        assert other.words(table.turn).tolist() == table.words(table.turn).tolist()
        action = any_legal(table, choose)
        assert other.step(action).tolist() == table.step(action).tolist()
        assert other.snapshot() == table.snapshot()
        if table.ended:
            table.reset()


def test_a_snapshot_does_not_change_with_the_table():
    table = CASES[0].table(seed=1)
    kept = table.snapshot()
    before, legal = table.words(table.turn).tobytes(), table.legal_actions()
    table.step(legal[0])
    table.restore(kept)
    assert table.words(table.turn).tobytes() == before and table.legal_actions() == legal


def test_a_viewer_that_is_no_seat_is_refused():
    table = CASES[0].table(seed=3)
    for viewer in (-1, table.rules.num_players):
        with pytest.raises(ValueError, match="seats are 0"):
            table.words(viewer)


@pytest.mark.parametrize(("field", "value"), [("turn", 9), ("dealer", -1), ("moves", 5000), ("bid", 1000), ("history", "x")])
def test_a_state_that_cannot_be_is_refused(field, value):
    table = CASES[0].table(seed=3)
    before = table.state()
    with pytest.raises(ValueError, match="not a state of"):
        table.set_state(before | {field: value})
    assert table.state() == before
