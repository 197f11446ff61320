"""What the batch promises: the same deals everywhere, autoreset as named, nothing changed by a refused step."""

from __future__ import annotations

import numpy as np
import pytest

import card_envs
from card_envs.game import OptionError
from card_envs.games import load
from card_envs.table import IllegalAction, Table


def make(num_envs=8, **settings):
    return card_envs.make_vec("pitch", num_envs, **{"seed": 100, **settings})


def test_a_row_is_the_same_table_in_every_batch_size_and_in_a_single_table():
    small, large = make(8).reset(), make(16).reset()
    assert np.array_equal(small.observation, large.observation[:8])
    game = load("pitch")
    for row in range(8):
        table = Table(game, game.rules())
        table.seed(100, row)
        table.reset()
        assert np.array_equal(table.layout.spread(table.words(table.turn)), small.observation[row])


def test_rows_can_be_given_the_same_deals():
    view = make(4).reset(seed=5, tables=[3, 3, 0, 3])
    assert np.array_equal(view.observation[0], view.observation[1])
    assert np.array_equal(view.observation[0], view.observation[3])
    assert not np.array_equal(view.observation[0], view.observation[2])


@pytest.mark.parametrize("form", ["float32", "bits"])
def test_forms_hold_the_same_bits(form):
    plain, other = make(episode="deal"), make(episode="deal", observation=form)
    first, second = plain.reset(), other.reset()
    for _ in range(60):
        shown = second.observation if form == "float32" else other.layout.spread(second.observation)
        assert np.array_equal(first.observation, shown)
        actions = plain.random_actions()
        first, second = plain.step(actions), other.step(actions)


def test_a_refused_action_steps_no_row():
    vec = make()
    view = vec.reset()
    state = vec.get_state()
    actions = vec.random_actions()
    actions[3] = 0
    with pytest.raises(IllegalAction, match=r"in row 3 for seat \d; no row was stepped; legal: pass, bid 1"):
        vec.step(actions)
    assert vec.get_state() == state
    assert np.array_equal(view.observation, make().reset().observation)


def run_to_end(vec):
    view = vec.reset()
    while not view.done.any():
        view = vec.step(vec.random_actions())
    return view


def test_same_step_shows_the_next_episode_and_keeps_the_last_scores():
    vec = make(1, episode="deal")
    view = run_to_end(vec)
    margin = float(view.final_scores[0, 0] - view.final_scores[0, 1])
    assert view.rewards[0].tolist() == [margin, -margin, margin, -margin]
    assert view.action_mask.any()
    assert vec.layout.decode(view.observation[0])["tricks_played"] == 0
    final = vec.layout.decode(view.final_words[0])
    assert sorted(final["score"]) == sorted(view.final_scores[0].tolist())
    assert final["tricks_played"] in (0, 6)  # passed out, or played to the end


def test_next_step_shows_the_end_and_then_the_next_episode():
    vec = make(1, episode="deal", autoreset="next_step")
    view = run_to_end(vec)
    assert not view.action_mask.any()
    view = vec.step(np.zeros(1, np.int64))
    assert not view.done.any()
    assert view.rewards.sum() == 0
    assert view.action_mask.any()


def test_disabled_waits_for_a_reset_of_that_row():
    vec = make(4, episode="deal", autoreset="disabled")
    view = run_to_end(vec)
    done = view.done
    again = vec.step(np.where(done, 0, vec.random_actions()))
    assert again.done[done].all()
    assert again.rewards[done].sum() == 0
    fresh = vec.reset(rows=done)
    assert not fresh.done[done].any()
    assert fresh.action_mask.any(axis=1).all()


def test_skip_forced_shows_only_real_decisions_and_loses_no_reward():
    whole, skipping = make(64, episode="deal"), make(64, episode="deal", skip_forced=True)
    whole.reset()
    view = skipping.reset()
    assert (view.action_mask.sum(axis=1) > 1).all()
    for _ in range(100):
        view = skipping.step(skipping.random_actions())
        assert (view.action_mask.sum(axis=1) > 1).all()
        ended = view.done
        margin = (view.final_scores[:, 0] - view.final_scores[:, 1])[ended]
        assert np.array_equal(view.rewards[ended, 0], margin)


def test_views_are_the_callers_own_unless_asked_otherwise():
    vec = make()
    view = vec.reset()
    kept = view.observation.copy()
    for _ in range(5):
        vec.step(vec.random_actions())
    assert np.array_equal(view.observation, kept)
    shared = make(copy=False)
    first = shared.reset().observation
    assert np.shares_memory(first, shared.step(shared.random_actions()).observation)


def test_a_saved_state_goes_on_identically():
    vec = make(32)
    vec.reset()
    for _ in range(50):
        vec.step(vec.random_actions())
    state = vec.get_state()
    other = make(32, seed=1)
    other.set_state(state)
    for _ in range(100):
        actions = vec.random_actions()
        first, second = vec.step(actions), other.step(actions)
        assert np.array_equal(first.observation, second.observation)
        assert np.array_equal(first.rewards, second.rewards)


@pytest.mark.parametrize("actions", [[0.0] * 8, [54] * 7, [[54] * 8], [True] * 8])
def test_actions_of_another_shape_or_type_are_refused(actions):
    vec = make()
    vec.reset()
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(8,\)"):
        vec.step(np.array(actions))


def test_step_before_reset_and_wrong_settings_are_refused():
    with pytest.raises(RuntimeError, match="reset"):
        make().step(np.full(8, 54))
    with pytest.raises(OptionError, match="did you mean 'same_step'"):
        make(autoreset="samestep")
    with pytest.raises(OptionError, match="did you mean 'skip_forced'"):
        make(skip_force=True)


def test_win_rewards_are_zero_sum_for_any_number_of_sides():
    for players in (2, 3, 4, 6):
        vec = make(64, num_players=players, target=1)
        vec.reset()
        for _ in range(200):
            view = vec.step(vec.random_actions())
            assert np.allclose(view.rewards.sum(axis=1), 0, atol=1e-6)
            assert (np.abs(view.rewards) <= 1).all()


def test_some_rows_can_be_stepped_alone():
    vec, other = make(episode="deal"), make(episode="deal")
    vec.reset()
    before = other.reset()
    rows = np.arange(8) % 3 == 0
    actions = vec.random_actions()
    view = vec.step(np.where(rows, actions, -5), rows=rows)
    whole = other.step(actions)
    for name in ("observation", "action_mask", "seat"):
        expected = np.where(
            rows.reshape(-1, *[1] * (getattr(whole, name).ndim - 1)), getattr(whole, name), getattr(before, name)
        )
        assert np.array_equal(getattr(view, name), expected)
    assert not view.done.any() and not view.rewards.any()
    after = vec.step(np.where(rows, -5, actions), rows=~rows)
    assert np.array_equal(after.observation, whole.observation)
    with pytest.raises(ValueError, match="bool of shape"):
        vec.step(actions, rows=np.arange(8))
    with pytest.raises(ValueError, match="rows= needs autoreset"):
        make(autoreset="next_step").step(actions, rows=rows)


def test_a_refused_step_of_some_rows_changes_nothing():
    vec = make()
    vec.reset()
    state = vec.get_state()
    with pytest.raises(IllegalAction, match="in row 3"):
        vec.step(np.zeros(8, np.int64), rows=np.arange(8) == 3)
    assert vec.get_state() == state


def test_each_row_can_have_a_seed_of_its_own():
    view = make(3).reset(seed=[5, 6, 5])
    for row, seed in enumerate([5, 6, 5]):
        assert np.array_equal(view.observation[row], make(1).reset(seed=seed).observation[0])
    with pytest.raises(ValueError, match="seed must name one for each of the 3 rows"):
        make(3).reset(seed=[1, 2])


def test_a_reset_of_some_rows_with_a_seed_leaves_the_others_deals():
    vec, other = make(4), make(4)
    vec.reset()
    other.reset()
    vec.reset(seed=1, rows=np.arange(4) == 0)
    seen, expected = vec.reset().observation, other.reset().observation  # every row's next deal
    assert np.array_equal(seen[1:], expected[1:]) and not np.array_equal(seen[0], expected[0])


def test_what_any_seat_sees_can_be_asked_for():
    vec = make(observation="bits")
    view = vec.reset()
    assert np.array_equal(vec.words(view.seat), view.observation)
    game = load("pitch")
    table = Table(game, game.rules())
    table.seed(100, 2)
    table.reset()
    assert np.array_equal(vec.words([3], rows=[2])[0], table.words(3))
    with pytest.raises(ValueError, match=r"8 seats 0\.\.3"):
        vec.words(np.full(8, 4))


def test_a_history_that_is_not_kept_is_refused():
    vec = card_envs.make_vec("pitch", 2, seed=1)
    vec.reset()
    with pytest.raises(RuntimeError, match="keep_history=True"):
        vec.history()
