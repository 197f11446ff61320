"""RLlib: the table conforms, masks hold in training, a league renews its past selves, and a lost node does not end a run."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest
import torch

import card_envs
from card_envs.conformance import Moment, check

pytest.importorskip("ray", reason="RLlib is not installed: pip install 'card-envs[rllib]'")

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from card_envs.adapters.rllib import CURRENT, MaskedPPOModule, RLlibAgent, RLlibEnv, Seating, self_play
from card_envs.agents import RandomAgent
from card_envs.arena import duplicate
from card_envs.game import OptionError
from card_envs.games import load
from tests.adapters_of_faces import moment_of_one

pytestmark = pytest.mark.filterwarnings("default")  # RLlib warns of its own deprecations

os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0")  # read as a cluster starts

ROOT = Path(__file__).parents[2]


class OfRLlib:
    """Driven as its runners do: whoever has an observation acts, rewards count for all who get one."""

    num_tables, others = 1, None

    def __init__(self, game, **settings):
        self.env = RLlibEnv({"game": game, **settings})
        self.seats = range(len(self.env.possible_agents))

    @property
    def illegal_count(self):
        return self.env.table.illegal_count

    def reset(self, seed=None) -> Moment:
        self.shown, _ = self.env.reset(seed=seed)
        return self.moment(np.zeros(len(self.seats)), False, False)

    def step(self, actions) -> Moment:
        if len(self.shown) > 1:
            return self.reset()
        self.shown, paid, terminated, truncated, _ = self.env.step({next(iter(self.shown)): int(actions[0])})
        rewards = np.array([paid.get(agent, 0.0) for agent in self.env.possible_agents])
        return self.moment(rewards, terminated["__all__"], truncated["__all__"])

    def moment(self, rewards, terminated, truncated) -> Moment:
        over = terminated or truncated
        assert over == (len(self.shown) == len(self.seats))
        agent, shown = next(iter(self.shown.items()))
        seat = int(agent.removeprefix("player_"))
        return moment_of_one(seat, shown["action_mask"], shown["observations"], rewards, terminated, truncated, over)

    def close(self):
        self.env.close()


def small(config, game="pitch", **settings):
    """A run of a few seconds."""
    config = self_play(config, game, hidden=[32], episode="deal", **settings)
    config = config.training(train_batch_size_per_learner=400, minibatch_size=200, num_epochs=1)
    return config.env_runners(num_env_runners=0).debugging(seed=1, log_level="ERROR")


@contextlib.contextmanager
def local_ray():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 * 2**20)
    try:
        yield
    finally:
        ray.shutdown()


@pytest.mark.parametrize("game", card_envs.games())
def test_it_conforms(game):
    report = check(OfRLlib, game, deals=1000)
    assert report.terminated >= 1000 and report.truncated and report.out_of_turn


def test_only_the_seat_to_act_may_act():
    env = RLlibEnv({"game": "pitch"})
    (agent,) = env.reset(seed=1)[0]
    others = {other: 0 for other in env.possible_agents if other != agent}
    with pytest.raises(ValueError, match=f"it is {agent}'s turn, alone"):
        env.step(others)
    with pytest.raises(OptionError, match="names no game"):
        RLlibEnv({"episode": "deal"})


def module_of(env, hidden=(16,)):
    agent = env.possible_agents[0]
    spaces = {"observation_space": env.get_observation_space(agent), "action_space": env.get_action_space(agent)}
    return MaskedPPOModule(**spaces, model_config={"fcnet_hiddens": list(hidden), "vf_share_layers": False})


def test_an_illegal_action_has_no_probability_and_a_batch_can_be_read_twice():
    env = RLlibEnv({"game": "pitch"})
    shown = next(iter(env.reset(seed=1)[0].values()))
    module, batch = module_of(env), {"obs": {name: torch.from_numpy(part[None]) for name, part in shown.items()}}
    legal = shown["action_mask"] == 1
    for forward in (module.forward_inference, module.forward_exploration, module.forward_train):
        chances = torch.softmax(forward(batch)["action_dist_inputs"], -1)[0].detach().numpy()
        assert (chances[legal] > 0).all() and not chances[~legal].any()
    assert np.isfinite(module.compute_values(batch).item())
    assert {*batch["obs"]} == {"observations", "action_mask"}
    with pytest.raises(ValueError, match="Dict of 'observations' and 'action_mask'"):
        MaskedPPOModule(observation_space=env.get_action_space("player_0"), action_space=env.get_action_space("player_0"))


def test_a_league_seats_the_learner_on_one_side_and_a_past_self_on_the_other():
    class Episode:
        def __init__(self, id_):
            self.id_ = id_

    seating = Seating("pitch", ["past_0", "past_1"], {"episode": "deal"})
    seen = set()
    for number in range(50):
        seats = [seating(f"player_{seat}", Episode(f"episode {number}")) for seat in range(4)]
        assert seats[0] == seats[2] and seats[1] == seats[3] and (seats[0] == CURRENT) != (seats[1] == CURRENT)
        seen.add(tuple(seats[:2]))
    assert seen == {(CURRENT, "past_0"), (CURRENT, "past_1"), ("past_0", CURRENT), ("past_1", CURRENT)}


def test_ppo_trains_without_an_illegal_action_and_its_module_plays_in_the_arena():
    """`illegal="raise"` is the default: one illegal action would end the run."""
    with local_ray():
        algorithm = small(PPOConfig()).build_algo()
        result = algorithm.train()
        assert result["env_runners"]["num_module_steps_sampled"][CURRENT] >= 400
        returns = result["env_runners"]["agent_episode_returns_mean"]
        assert returns["player_0"] == pytest.approx(-returns["player_1"], abs=1e-6)
        assert returns["player_0"] == pytest.approx(returns["player_2"], abs=1e-6)
        module = algorithm.get_module(CURRENT)
        game = load("pitch")
        rules = game.rules()
        played = duplicate(game, rules, RLlibAgent(module, game, rules), RandomAgent(1), 20, seed=1)
        assert np.isfinite(played.points.mean) and played.illegal == 0
        algorithm.stop()


def test_a_league_renews_one_past_self_an_iteration_and_trains_none():
    with local_ray():
        algorithm = small(PPOConfig(), past=2).build_algo()

        def weights(name):
            return algorithm.learner_group._learner.module[name].state_dict()

        def same(a, b):
            return all(torch.equal(a[key], b[key]) for key in a)

        before = {name: {key: value.clone() for key, value in weights(name).items()} for name in ("past_0", "past_1")}
        algorithm.train()
        renewed = [name for name in before if not same(before[name], weights(name))]
        assert len(renewed) == 1 and same(weights(renewed[0]), weights(CURRENT))
        played = algorithm.get_module(renewed[0]).state_dict()
        acting = [key for key in played if "critic" not in key and not key.startswith("vf")]  # runners need no values
        assert len(acting) > 2 and all(torch.equal(played[key], weights(CURRENT)[key]) for key in acting)
        algorithm.train()
        assert not same(weights(renewed[0]), weights(CURRENT))
        algorithm.stop()


def test_a_node_that_is_lost_does_not_end_a_run():
    from ray.cluster_utils import Cluster

    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    node = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "num_cpus": 2})
    try:
        second = cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
        settings = {"runtime_env": {"env_vars": {"PYTHONPATH": paths}}, "log_to_driver": False}
        ray.init(address=cluster.address, **settings)
        config = small(PPOConfig()).env_runners(num_env_runners=2, num_cpus_per_env_runner=1)
        algorithm = config.fault_tolerance(restart_failed_env_runners=True, ignore_env_runner_failures=True).build_algo()
        first = algorithm.train()
        cluster.remove_node(second)
        steps = [algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"] for _ in range(3)]
        assert steps == sorted(set(steps)) and steps[0] > first["env_runners"]["num_env_steps_sampled_lifetime"]
        algorithm.stop()
    finally:
        ray.shutdown()
        cluster.shutdown()
