"""One seat against agents: rewards are the seat's own, masks are obeyed, others play inside the step."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import card_envs  # registers the ids
from card_envs.game import OptionError


def make(**settings):
    return gymnasium.make("card_envs/Pitch-v1", **{"others": "random", "episode": "deal", **settings})


@pytest.mark.parametrize("seat", range(4))
def test_rewards_are_the_seats_own(seat):
    env = make(seat=seat)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[-1])
            _, reward, over, truncated, info = env.step(action)
            total += reward
            assert not truncated
        change = env.unwrapped.table.record.change
        own = seat % 2
        assert total == change[own] - change[1 - own]


def test_the_seat_is_always_to_act_and_both_masks_agree():
    env = make(seat=2)
    _, info = env.reset(seed=1)
    for _ in range(7):
        assert env.unwrapped.table.turn == 2
        assert np.array_equal(info["action_mask"].astype(bool), env.unwrapped.action_masks())
        assert info["action_mask"].any()
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if over:
            break
    assert not info["action_mask"].any()


def test_the_dict_layout_holds_observation_and_mask():
    env = make(layout="dict")
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert np.array_equal(seen["action_mask"], info["action_mask"])


def test_the_same_seed_is_the_same_episode():
    runs = []
    for _ in range(2):
        env = make()
        _, info = env.reset(seed=3)
        seen = []
        for _ in range(4):
            observation, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            seen.append(observation.tobytes())
            if over:
                break
        runs.append(seen)
    assert runs[0] == runs[1]


def test_wrong_settings_are_refused():
    with pytest.raises(OptionError, match=r"seats are 0\.\.3"):
        make(seat=4)
    with pytest.raises(OptionError, match="2 agents, 3 other seats"):
        make(others=["random", "random"])
    with pytest.raises(OptionError, match="did you mean 'low_to'"):
        make(low_too="holder")


def test_stepping_after_the_end_is_refused():
    env = make().unwrapped
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    with pytest.raises(RuntimeError, match="episode is over"):
        env.step(54)


def test_ids_are_registered_on_import():
    assert "card_envs/Pitch-v1" in gymnasium.registry
    assert card_envs.pitch_v1.__name__ == "card_envs.pitch_v1"
