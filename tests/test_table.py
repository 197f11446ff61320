"""One table driven from Python: what its snapshots promise."""

import random

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
