"""What is dealt is a function of seed, table and deal only; saved states go on as if nothing had happened."""

import copy
import json
import pickle
import random

import numpy as np
import pytest

from card_envs.table import Table
from tests.contract.cases import CASES, any_legal, every_case, everything, same

LARGE = 1027  # enough for two threads, in unequal parts


@every_case
def test_a_table_of_a_seed_is_the_same_in_every_face_batch_size_and_thread_count(case):
    """Three deals and more of table 3 under seed 11, everywhere; deals follow each other within a match."""
    settings = {"seed": 11, "observation": "bits", "episode": "match"}
    threaded, serial, small = (
        case.vec(size, threads=threads, **settings) for size, threads in ((LARGE, 2), (LARGE, 1), (5, 1))
    )
    alone = case.vec(1, **settings)
    table = case.table(seed=11, index=3, reward="win")
    views = [threaded.reset(), serial.reset(), small.reset(), alone.reset(seed=11, tables=[3])]
    for salt in range(90):
        assert same(everything(views[0]), everything(views[1]))
        assert same([part[:5] for part in everything(views[0])], everything(views[2]))
        assert same([part[3:4] for part in everything(views[0])], everything(views[3]))
        assert np.array_equal(table.words(table.turn), views[0].observation[3])
        assert table.turn == views[0].seat[3] and table.mask().tolist() == views[0].action_mask[3].tolist()
        actions = threaded.random_actions(salt)
        views = [vec.step(actions[rows]) for vec, rows in
                 ((threaded, slice(None)), (serial, slice(None)), (small, slice(5)), (alone, slice(3, 4)))]  # fmt: skip
        earned = table.step(int(actions[3]))
        assert earned.tolist() == views[0].rewards[3].tolist()
        if table.ended:
            table.reset()


@every_case
def test_the_same_seed_is_the_same_match_and_another_seed_another(case):
    def first_hands(seed: int) -> list:
        return case.vec(16, seed=seed, observation="bits").reset().observation.tolist()

    assert first_hands(5) == first_hands(5)
    assert all(one != other for one, other in zip(first_hands(5), first_hands(6)))


@every_case
def test_unseeded_environments_differ(case):
    """A hundred first deals, all different; global generators are neither read nor moved."""
    np.random.seed(1)
    random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()
    first = [case.vec(1, observation="bits").reset().observation.tobytes() for _ in range(100)]
    assert len(set(first)) == 100
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before


@every_case
def test_a_new_match_shows_nothing_of_the_last(case):
    """After any play `reset(seed)` is what a new environment's is, and goes on like it."""
    used, new = case.vec(8, seed=1), case.vec(8, seed=9)
    used.reset()
    for salt in range(47):
        used.step(used.random_actions(salt))
    first, second = used.reset(seed=9), new.reset()
    for salt in range(60):
        assert same(everything(first), everything(second))
        actions = new.random_actions(salt)
        first, second = used.step(actions), new.step(actions)


@every_case
def test_resets_without_a_seed_go_on_with_the_next_deals(case):
    vec = case.vec(4, seed=2, observation="bits", episode="deal")
    deals = [vec.reset().observation.tobytes() for _ in range(20)]
    assert len(set(deals)) == 20
    again = case.vec(4, seed=2, observation="bits", episode="deal")
    assert [again.reset().observation.tobytes() for _ in range(20)] == deals


@every_case
def test_a_saved_batch_goes_on_identically(case):
    """Also in another environment made in the same way, and over later deals, which continue and do not repeat."""
    settings = {"episode": "deal", "illegal": "random_legal"}
    vec, other = case.vec(8, seed=3, **settings), case.vec(8, seed=77, **settings)
    view = vec.reset()
    for salt in range(47):
        view = vec.step(vec.random_actions(salt) if salt else np.full(8, 127))
    kept = vec.get_state()
    onward = other.set_state(kept)
    assert same([*everything(view), view.final_scores], [*everything(onward), onward.final_scores])
    assert other.illegal_count == vec.illegal_count == 8
    for salt in range(80):
        actions = vec.random_actions(salt)
        view, onward = vec.step(actions), other.step(actions)
        assert same(everything(view), everything(onward))
    assert vec.get_state() == other.get_state() != kept


def copies(table: Table) -> dict[str, Table]:
    loaded = Table(table.game, table.rules)
    loaded.set_state(json.loads(json.dumps(table.state())))
    return {"copy": copy.deepcopy(table), "pickle": pickle.loads(pickle.dumps(table)), "json": loaded}


@every_case
def test_a_copied_table_goes_on_identically(case):
    """Twenty actions, then copy, pickle and JSON: forty equal actions and an equal next match."""
    choose = random.Random(str(case))
    table = case.table(seed=7)
    for _ in range(20):
        table.step(any_legal(table, choose))
    others = copies(table)
    for name, other in others.items():
        assert other.state() == table.state(), name
    for _ in range(40):
        action = any_legal(table, choose)
        earned = table.step(action)
        for name, other in others.items():
            assert other.step(action).tolist() == earned.tolist(), name
            assert other.state() == table.state(), name
        if table.ended:
            for each in (table, *others.values()):
                each.reset()
    for each in (table, *others.values()):
        each.reset()
    assert all(other.state() == table.state() for other in others.values())


@every_case
def test_stepping_back_restores_every_field(case):
    """States kept at every position of two deals: each is restored, and the same action leads on to the next."""
    choose = random.Random(str(case))
    table = case.table(seed=4)
    states, actions = [table.state()], []
    while int(table.record.match_deals) < 2 and not table.ended:
        actions.append(any_legal(table, choose))
        table.step(actions[-1])
        states.append(table.state())
    for place in reversed(range(len(actions))):
        table.set_state(states[place])
        assert table.state() == states[place]
        table.step(actions[place])
        assert table.state() == states[place + 1]


def test_a_state_of_something_else_is_refused():
    case = CASES[0]
    vec = case.vec(4, seed=1)
    vec.reset()
    with pytest.raises(ValueError, match="bytes"):
        case.vec(5, seed=1).set_state(vec.get_state())
    table = case.table(seed=1)
    with pytest.raises(ValueError, match="missing or unknown"):
        table.set_state({"phase": 1})
