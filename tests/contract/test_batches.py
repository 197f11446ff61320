"""Autoreset, forced moves and the arrays that a batch hands out."""

import itertools

import numpy as np
import pytest

from card_envs.table import IllegalAction
from tests.contract.cases import every_case, everything, same, shown


def decisions(vec, num_steps: int) -> list[list]:
    """By row the bytes of every decision that was acted on, and of what it earned and ended.

    Between episodes "next_step" takes one action that plays nothing; "disabled" rows are reset. Neither counts.
    """
    rows = [[] for _ in range(vec.num_envs)]
    view = vec.reset()
    for _ in range(num_steps):
        actions = vec.random_actions()  # the same at the same table, deal and move, whenever that comes
        waiting = view.done & (vec.autoreset == "next_step")
        before = [part.copy() for part in shown(view)]
        view = vec.step(actions)
        for row in np.flatnonzero(~waiting):
            final = view.final_scores[row].tolist() if view.done[row] else None
            rows[row].append(
                ([part[row].tobytes() for part in before], view.rewards[row].tolist(), bool(view.done[row]), final)
            )
        if vec.autoreset == "disabled" and view.done.any():
            view = after_reset(vec, view)
    return rows


def after_reset(vec, view):
    """Only the rows that ended start anew: the others stay as they are."""
    again = vec.reset(rows=view.done)
    going_on = ~view.done
    assert same([part[going_on] for part in shown(view)], [part[going_on] for part in shown(again)])
    return again


@every_case
@pytest.mark.parametrize("autoreset", ["next_step", "disabled"])
def test_autoreset_modes_play_the_same_episodes(case, autoreset):
    """No action is lost or played twice, and no reward or final score is missed."""
    by_mode = [
        decisions(case.vec(6, seed=5, observation="bits", episode="deal", autoreset=mode), 130)
        for mode in ("same_step", autoreset)
    ]  # fmt: skip
    for one, other in zip(*by_mode):
        shorter = min(len(one), len(other))
        assert shorter > 80
        assert one[:shorter] == other[:shorter]


@every_case
def test_the_final_view_is_that_of_the_seat_that_acted_last(case):
    """`final_words` and `final_scores` are what a single table shows at the same end."""
    vec, table = case.vec(1, seed=5, observation="bits", episode="deal"), case.table(seed=5, episode="deal")
    view = vec.reset()
    for _ in range(6):
        while not table.ended:
            mover, actions = table.turn, vec.random_actions()
            view = vec.step(actions)
            table.step(int(actions[0]))
        assert view.final_words[0].tolist() == table.words(mover).tolist()
        assert view.final_scores[0].tolist() == table.scores()
        table.reset()


@every_case
def test_a_match_that_is_cut_is_truncated_and_not_terminated(case):
    """After a single deal hardly any match is won: it is cut at its bound."""
    vec = case.vec(32, seed=5, observation="none", autoreset="disabled", **case.cut_after(1))
    view = vec.reset()
    while not view.done.all():
        view = vec.step(vec.random_actions())
    assert (view.truncated ^ view.terminated).all() and view.truncated.sum() > 16


@every_case
def test_rows_that_are_over_wait_under_disabled(case):
    """An ended row takes any action, earns nothing and stays ended with an empty mask until it is reset."""
    vec = case.vec(6, seed=5, episode="deal", autoreset="disabled")
    view = vec.reset()
    while not view.done.any():
        view = vec.step(vec.random_actions())
    over = view.done
    scores = view.final_scores[over].copy()
    actions = np.where(over, 10**6, vec.random_actions())
    view = vec.step(actions)
    assert view.done[over].all() and not view.rewards[over].any() and not view.action_mask[over].any()
    assert np.array_equal(view.final_scores[over], scores)


@every_case
def test_skipping_forced_moves_is_stepping_by_hand(case):
    """Every row is a real decision, and what the skipped moves earn is added to the move before them."""
    skipping = case.vec(6, seed=6, observation="bits", episode="deal", skip_forced=True)
    by_hand = [case.vec(1, observation="bits", episode="deal") for _ in range(6)]
    view = skipping.reset()
    singles = [vec.reset(seed=6, tables=[row]) for row, vec in enumerate(by_hand)]
    for salt in range(60):
        assert (view.action_mask.sum(axis=1) >= 2).all()
        rows = [[*itertools.chain(*(part[k].tolist() for part in map(shown, singles)))] for k in range(4)]
        assert same([part.tolist() for part in shown(view)], rows)
        actions = skipping.random_actions(salt)
        view = skipping.step(actions)
        for row, vec in enumerate(by_hand):
            single = vec.step(actions[row : row + 1])
            earned = single.rewards.copy()
            while not single.done[0] and single.action_mask.sum() == 1:
                single = vec.step(single.action_mask.argmax(axis=1))
                earned += single.rewards
            assert np.array_equal(earned[0], view.rewards[row])
            assert single.done[0] == view.done[row]
            if single.done[0]:
                assert np.array_equal(single.final_scores[0], view.final_scores[row])
                assert np.array_equal(single.final_words[0], view.final_words[row])
            singles[row] = single


@every_case
@pytest.mark.parametrize("observation", ["uint8", "float32", "bits"])
def test_returned_arrays_are_the_callers_own(case, observation):
    """What a step returned is the same five steps later, and what a caller writes into it changes nothing."""
    vec, twin = (case.vec(4, seed=7, observation=observation) for _ in range(2))
    view, expected = vec.reset(), twin.reset()
    for salt in range(40):
        kept = [part.copy() for part in everything(view)]
        for _ in range(5):
            actions = twin.random_actions(salt)
            later, expected = vec.step(actions), twin.step(actions)
        assert same(everything(view), kept)
        for part in [*everything(later), later.final_scores, later.final_words, actions]:
            part[...] = 1
        with pytest.raises(IllegalAction):
            vec.step(np.full(4, 127))
        view = vec.step(twin.random_actions(salt))
        expected = twin.step(twin.random_actions(salt))
        assert same(everything(view), everything(expected))


@every_case
def test_without_copies_the_arrays_are_the_engines_own(case):
    """copy=False says so: the next step overwrites them with the same values that copies hold."""
    vec, twin = case.vec(4, seed=7, copy=False), case.vec(4, seed=7)
    view, expected = vec.reset(), twin.reset()
    first = view.observation
    for salt in range(40):
        actions = twin.random_actions(salt)
        view, expected = vec.step(actions), twin.step(actions)
        assert same(everything(view), everything(expected))
    assert np.shares_memory(first, view.observation) and np.array_equal(first, view.observation)


@every_case
def test_forms_of_the_observation_hold_the_same_bits(case):
    made = {form: case.vec(4, seed=9, observation=form) for form in ("uint8", "float32", "bits")}
    views = {form: vec.reset() for form, vec in made.items()}
    for salt in range(60):
        assert views["uint8"].observation.dtype == np.uint8 and views["float32"].observation.dtype == np.float32
        assert np.array_equal(views["uint8"].observation, views["float32"].observation)
        assert np.array_equal(made["bits"].layout.spread(views["bits"].observation), views["uint8"].observation)
        actions = made["bits"].random_actions(salt)
        views = {form: vec.step(actions) for form, vec in made.items()}
