"""Tianshou: the seat conforms, PPO with the masked actor and DQN train without an illegal action, the multi-agent mode warns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import card_envs
from card_envs.adapters import AdapterWarning
from card_envs.conformance import check
from card_envs.game import OptionError

pytest.importorskip("tianshou", reason="Tianshou is not installed: pip install 'card-envs[tianshou]'")

from tianshou.algorithm import DQN, PPO
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net

from card_envs.adapters.tianshou import MaskedActor, ObservedCritic, TianshouAgent, TianshouEnv, multi_agent
from card_envs.agents import RandomAgent
from card_envs.arena import duplicate
from card_envs.games import load
from tests.adapters_of_faces import moment_of_one

pytestmark = pytest.mark.filterwarnings("default")  # Tianshou warns of NumPy's and its own deprecations


class OfTianshou:
    """Driven as its collectors do, which reset by themselves."""

    num_tables, others = 1, "basic"

    def __init__(self, game, seat=1, **settings):
        self.env = TianshouEnv(game, seat=seat, others=self.others, **settings)
        self.seats, self.num_players = [seat], self.env.unwrapped.table.rules.num_players

    @property
    def illegal_count(self):
        return self.env.unwrapped.illegal_count

    def reset(self, seed=None):
        return self.moment(self.env.reset(seed=seed)[0], 0.0, False, False)

    def step(self, actions):
        return self.reset() if self.over else self.moment(*self.env.step(int(actions[0]))[:4])

    def moment(self, shown, earned, terminated, truncated):
        assert shown["mask"].dtype == bool and shown["mask"].any() and shown in self.env.observation_space
        self.over = terminated or truncated
        rewards = np.zeros(self.num_players)
        rewards[self.seats[0]] = earned
        return moment_of_one(self.seats[0], shown["mask"], shown["obs"], rewards, terminated, truncated, self.over)

    def close(self):
        self.env.close()


@pytest.mark.parametrize("game", card_envs.games())
def test_it_conforms(game):
    assert check(OfTianshou, game, deals=1000).terminated >= 1000


def tables(number=4):
    """`illegal="raise"` is the default: one illegal action would end the run."""
    return DummyVectorEnv([lambda: TianshouEnv("pitch", episode="deal", others="random")] * number)


def test_an_illegal_action_has_no_probability():
    env = TianshouEnv("pitch", others="random")
    shown, _ = env.reset(seed=1)
    batch = Batch(obs=Batch(obs=shown["obs"][None], mask=shown["mask"][None]))
    chances = torch.softmax(MaskedActor(env, [16])(batch.obs)[0], -1)[0].detach().numpy()
    assert (chances[shown["mask"]] > 0).all() and not chances[~shown["mask"]].any()


def test_ppo_trains_without_an_illegal_action_and_its_actor_plays_in_the_arena():
    torch.manual_seed(1)
    env, envs = TianshouEnv("pitch"), tables()
    actor = MaskedActor(env, [32])
    policy = DiscreteActorPolicy(actor=actor, action_space=env.action_space, observation_space=env.observation_space)
    algorithm = PPO(policy=policy, critic=ObservedCritic(env, [32]), optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0)
    collector = Collector(algorithm, envs, VectorReplayBuffer(2000, len(envs)))
    before = [part.clone() for part in actor.parameters()]
    for _ in range(2):
        collector.collect(n_step=400, reset_before_collect=True)
        with torch.enable_grad():
            policy.is_within_training_step = True
            algorithm.update(buffer=collector.buffer, batch_size=64, repeat=2)
        collector.reset_buffer()
    assert any(not torch.equal(one, other) for one, other in zip(before, actor.parameters()))
    game = load("pitch")
    rules = game.rules()
    played = duplicate(game, rules, TianshouAgent(actor, game, rules), RandomAgent(1), 20, seed=1)
    assert np.isfinite(played.points.mean) and played.illegal == 0


def test_dqn_reads_the_mask_by_itself():
    torch.manual_seed(1)
    env, envs = TianshouEnv("pitch"), tables()

    net = Net(state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=env.observation_space, eps_training=0.5
    )
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
    collector = Collector(algorithm, envs, VectorReplayBuffer(2000, len(envs)), exploration_noise=True)
    stats = collector.collect(n_step=1000, reset_before_collect=True)
    assert stats.n_collected_episodes > 50


def test_the_multi_agent_mode_is_said_to_lose_rewards():
    with pytest.warns(AdapterWarning, match="drop rewards that come while another seat acts"):
        multi_agent("pitch", episode="deal")


def test_what_tianshou_needs_cannot_be_set():
    with pytest.raises(OptionError, match="layout is what Tianshou needs"):
        TianshouEnv("pitch", layout="flat")
