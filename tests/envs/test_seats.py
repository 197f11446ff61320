"""One seat of many tables: the same, value for value, as Gymnasium's own vector environment of single ones."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import card_envs
from card_envs.game import OptionError
from card_envs.table import IllegalAction

NUM_ENVS = 5
SEEDS = [11, 4, 4, 9, 2]
MODES = list(AutoresetMode)


def make(game="pitch", mode=AutoresetMode.SAME_STEP, num_envs=NUM_ENVS, **settings):
    settings = {"others": "basic", "episode": "deal", **settings}
    return gymnasium.make_vec(f"card_envs/{game.capitalize()}-v1", num_envs, autoreset_mode=mode, **settings)


def make_sync(game="pitch", mode=AutoresetMode.SAME_STEP, **settings):
    """Gymnasium's own batch of single environments."""
    settings = {"others": "basic", "episode": "deal", **settings}
    name = f"card_envs/{game.capitalize()}-v1"
    return gymnasium.make_vec(name, NUM_ENVS, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **settings)


def same(one, other, where=""):
    """Equal in every value, dtype and key."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            same(one[key], other[key], f"{where}/{key}")
    elif isinstance(one, tuple) or (isinstance(one, np.ndarray) and one.dtype == object):
        for first, second in zip(one, other, strict=True):
            same(first, second, where)
    else:
        assert type(one) is type(other) and getattr(one, "dtype", None) == getattr(other, "dtype", None), where
        assert np.array_equal(one, other), where


def any_legal(mask, choose):
    """A random legal action where there is one."""
    return np.where(mask.any(axis=1), (choose.random(mask.shape) * mask).argmax(axis=1), 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "game, settings",
    [
        ("pitch", {}),
        ("pitch", {"layout": "dict", "observation": "float32", "seat": 3, "others": "expert"}),
        ("pitch", {"pad_seats": 6, "relabel_trump": True, "others": ["basic", "expert", "basic"]}),
        ("pitch", {"episode": "match", "max_hands": 2, "reward": "score"}),
        ("spades", {"preset": "standard", "seat": 2}),
        ("pit", {"episode": "match", "max_rounds": 2}),
    ],
    ids=str,
)
def test_it_is_gymnasiums_vector_environment_of_single_ones(game, settings, mode):
    ours, theirs = make(game, mode, **settings), make_sync(game, mode, **settings)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space and ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
    choose = np.random.default_rng(1)
    first, second = ours.reset(seed=SEEDS), theirs.reset(seed=SEEDS)
    same(first, second)
    ended = 0
    for _ in range(60):
        actions = any_legal(first[-1]["action_mask"], choose)
        first, second = ours.step(actions), theirs.step(actions)
        same(first, second)
        done = first[2] | first[3]
        ended += done.sum()
        assert ours.observation_space.contains(first[0])
        if mode == AutoresetMode.DISABLED and done.any():
            first = ours.reset(options={"reset_mask": done})
            kept = theirs.reset(options={"reset_mask": done})
            same(first[0], kept[0])
            assert np.array_equal(first[1]["action_mask"][done], kept[1]["action_mask"][done])
    assert ended > NUM_ENVS


def test_an_int_seed_deals_row_i_as_table_i():
    env, vec = make(seat=[0, 1, 2, 3, 0]), card_envs.make_vec("pitch", NUM_ENVS, episode="deal")
    shown, _ = env.reset(seed=7)
    view = vec.reset(seed=7)
    first = np.flatnonzero(view.seat == [0, 1, 2, 3, 0])
    assert len(first)
    assert np.array_equal(shown[first].view(np.uint8), view.observation[first])


def test_every_row_may_have_a_seat_of_its_own():
    seats = [0, 1, 2, 3, 1]
    env = make(seat=seats)
    _, info = env.reset(seed=SEEDS)
    for row, seat in enumerate(seats):
        single = gymnasium.make("card_envs/Pitch-v1", seat=seat, others="basic", episode="deal")
        assert np.array_equal(single.reset(seed=SEEDS[row])[1]["action_mask"], info["action_mask"][row])


def test_masks_are_never_empty_under_same_step_and_are_the_sb3_ones_too():
    env = make(mode=AutoresetMode.SAME_STEP)
    choose = np.random.default_rng(2)
    _, info = env.reset(seed=3)
    for _ in range(100):
        assert info["action_mask"].any(axis=1).all()
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"] != 0)
        *_, info = env.step(any_legal(info["action_mask"], choose))


def test_a_seed_reproduces_also_what_random_others_do():
    runs = []
    for _ in range(2):
        env, choose = make(others="random"), np.random.default_rng(1)
        shown, info = env.reset(seed=5)
        seen = [shown]
        for _ in range(30):
            shown, *_, info = env.step(any_legal(info["action_mask"], choose))
            seen.append(shown)
        runs.append(np.stack(seen))
    assert np.array_equal(*runs)


def test_returned_arrays_are_the_callers_own():
    env = make()
    shown, info = env.reset(seed=1)
    kept, mask = shown.copy(), info["action_mask"].copy()
    for _ in range(5):
        later = env.step(any_legal(env.unwrapped.action_masks(), np.random.default_rng(0)))
        later[0][:], later[-1]["action_mask"][:] = 9, 1
    assert np.array_equal(shown, kept) and np.array_equal(info["action_mask"], mask)
    assert not env.unwrapped.action_masks().all()


def test_an_illegal_action_names_its_row_and_changes_nothing():
    env = make()
    _, info = env.reset(seed=1)
    actions = any_legal(info["action_mask"], np.random.default_rng(0))
    wrong = actions.copy()
    wrong[3] = 0
    with pytest.raises(IllegalAction, match="in row 3 for seat 0"):
        env.step(wrong)
    same(env.step(actions)[0], (lambda other: (other.reset(seed=1), other.step(actions))[1])(make())[0])


def test_illegal_actions_are_counted_where_they_are_tolerated():
    env = make(illegal="random_legal")
    env.reset(seed=1)
    env.step(np.zeros(NUM_ENVS, np.int64))
    assert env.unwrapped.illegal_count == NUM_ENVS


def test_misuse_is_refused():
    with pytest.raises(RuntimeError, match=r"reset\(\) before step"):
        make().step(np.zeros(NUM_ENVS, np.int64))
    with pytest.raises(OptionError, match=r"seat=4: must be one of 0\.\.3"):
        make(seat=4)
    with pytest.raises(OptionError, match="2 agents, 3 other seats"):
        make(others=["basic", "basic"])
    with pytest.raises(OptionError, match="a batch is not drawn"):
        make(render_mode="ansi")
    with pytest.raises(OptionError, match="no reset option deal"):
        make().reset(options={"deal": {}})
    with pytest.raises(OptionError, match="did you mean 'low_to'"):
        make(low_too="holder")
    env, choose = make(mode=AutoresetMode.DISABLED), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    done = np.zeros(NUM_ENVS, bool)
    while not done.any():
        _, _, done, _, info = env.step(any_legal(info["action_mask"], choose))
    with pytest.raises(RuntimeError, match=r"rows \[.*\] are over: call reset\(options="):
        env.step(np.zeros(NUM_ENVS, np.int64))
