"""Stable-Baselines3: the batch conforms, carries what its algorithms read, and MaskablePPO learns on it without illegal actions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import card_envs
from card_envs.adapters.sb3 import SB3Agent, SB3VecEnv
from card_envs.agents import RandomAgent
from card_envs.arena import duplicate
from card_envs.conformance import Moment, check
from card_envs.games import load
from tests.adapters_of_faces import OfSeat

maskable = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: pip install 'card-envs[sb3]'")


class OfSB3:
    """Driven as SB3's algorithms do, masks from `env_method`."""

    num_tables, others = 3, "basic"

    def __init__(self, game, seat=1, **settings):
        self.env = SB3VecEnv(game, self.num_tables, seat=seat, others=self.others, **settings)
        self.seats = [seat]

    @property
    def illegal_count(self):
        return self.env.seats.illegal_count

    def reset(self, seed) -> Moment:
        # SB3 gives every table a seed of its own; the batch beneath deals row i as table i of one
        shown, _ = self.env.seats.reset(seed=seed)
        return self.moment(shown, np.zeros(self.num_tables), np.zeros(self.num_tables, bool), [{}] * self.num_tables)

    def step(self, actions) -> Moment:
        return self.moment(*self.env.step(actions))

    def moment(self, shown, earned, done, infos) -> Moment:
        rewards = np.zeros((self.num_tables, self.env.seats.rules.num_players))
        rewards[:, self.seats[0]] = earned
        cut = np.array([info.get("TimeLimit.truncated", False) for info in infos])
        nothing = np.zeros(self.num_tables, bool)
        masks = np.stack(self.env.env_method("action_masks"))
        return Moment(np.full(self.num_tables, self.seats[0]), masks, shown, rewards, done & ~cut, cut, nothing)

    def close(self):
        self.env.close()


@pytest.mark.parametrize("game", card_envs.games())
def test_the_batch_conforms(game):
    assert check(OfSB3, game, deals=1000).terminated >= 1000


def test_a_single_seat_in_sb3s_own_batch_is_the_same():
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    singles = DummyVecEnv([lambda: Monitor(OfSeat("pitch", episode="deal").env)] * 3)
    batch = SB3VecEnv("pitch", 3, seat=1, others="basic", episode="deal")
    for env in (singles, batch):
        env.seed(7)
    assert np.array_equal(singles.reset(), batch.reset())
    choose, ended = np.random.default_rng(1), 0
    for _ in range(40):
        masks = [np.stack(env.env_method("action_masks")) for env in (singles, batch)]
        assert np.array_equal(*masks)
        actions = (choose.random(masks[0].shape) * masks[0]).argmax(axis=1)
        (seen, rewards, done, infos), (ours, earned, over, notes) = singles.step(actions), batch.step(actions)
        assert np.array_equal(seen, ours) and np.array_equal(rewards, earned) and np.array_equal(done, over)
        for row in np.flatnonzero(done):
            ended += 1
            assert np.array_equal(infos[row]["terminal_observation"], notes[row]["terminal_observation"])
            assert infos[row]["TimeLimit.truncated"] == notes[row]["TimeLimit.truncated"]
            assert {key: infos[row]["episode"][key] for key in "rl"} == {key: notes[row]["episode"][key] for key in "rl"}
    assert ended > 5


def test_maskable_ppo_learns_without_an_illegal_action():
    """Illegal actions raise, in set-up too; episodes reach its log, and its weights move."""
    import torch

    env = SB3VecEnv("pitch", 16, others="random", episode="deal")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = maskable.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, seed=1, device="cpu")
        before = [parameter.clone() for parameter in model.policy.parameters()]
        model.learn(16 * 32 * 2)
    assert any(not torch.equal(one, other) for one, other in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_info_buffer) > 50
    assert env.seats.illegal_count == 0
    observation = env.reset()
    actions, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
    assert env.action_masks()[np.arange(16), actions].all()
    game = load("pitch")
    rules = game.rules()
    result = duplicate(game, rules, SB3Agent(model, game, rules), RandomAgent(), deals=50, seed=1)
    assert result.illegal == 0


def test_what_single_tables_do_not_have_is_refused():
    env = SB3VecEnv("pitch", 2, others="random")
    assert env.has_attr("action_masks") and not env.has_attr("sausages")
    with pytest.raises(AttributeError, match="there is action_masks"):
        env.env_method("sausages")
    with pytest.raises(AttributeError, match="share all their settings"):
        env.set_attr("seat", 1)
