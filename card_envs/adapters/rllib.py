"""RLlib (its new API stack): a table as a `MultiAgentEnv`, PPO's module with masks, and a league of past selves.

    from card_envs.adapters.rllib import RLlibEnv, self_play

    algorithm = self_play(PPOConfig(), "<game>", hidden=[256, 256], episode="deal").build_algo()

Masks need `MaskedPPOModule`: RLlib's own modules know none. Its check of environments samples without a mask, so `self_play`
turns that off.
"""

from __future__ import annotations

import importlib
import zlib

import numpy as np
import torch

from card_envs.adapters import VectorAgent, require
from card_envs.envs.aec import raw_env
from card_envs.game import OptionError

multi_agent = require("rllib", "ray", "ray.rllib.env.multi_agent_env", "2.60", "2.61")
spaces = importlib.import_module("gymnasium.spaces")
Columns = importlib.import_module("ray.rllib.core.columns").Columns
RLlibCallback = importlib.import_module("ray.rllib.callbacks.callbacks").RLlibCallback
RLModuleSpec = importlib.import_module("ray.rllib.core.rl_module.rl_module").RLModuleSpec
MultiRLModuleSpec = importlib.import_module("ray.rllib.core.rl_module.multi_rl_module").MultiRLModuleSpec
DefaultModule = importlib.import_module("ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module").DefaultPPOTorchRLModule

COMPONENT_LEARNER, COMPONENT_RL_MODULE = "learner", "rl_module"  # what RLlib calls the parts of its states

CURRENT = "current"
"""The module that learns."""


class RLlibEnv(multi_agent.MultiAgentEnv):
    """One table. `env_config`: `game`, and what `card_envs.make` takes beside it.

    Observations of the one seat to act, of all seats where the episode is over: {"observations": int8 [O], "action_mask":
    int8 [A]}, with RLlib's names. A step's rewards are those of every seat that it pays, and of the one that acted.
    """

    def __init__(self, config: dict):
        super().__init__()
        settings = dict(config)
        if "game" not in settings:
            raise OptionError("env_config names no game: {'game': ..., 'episode': 'deal', ...}")
        self.table = raw_env(settings.pop("game"), **settings)
        self.possible_agents = list(self.table.possible_agents)
        self.agents = list(self.possible_agents)
        self.action_spaces = dict(self.table.action_spaces)
        self.observation_spaces = {agent: self._renamed(space) for agent, space in self.table.observation_spaces.items()}

    def get_observation_space(self, agent_id):
        return self.observation_spaces[agent_id]

    def get_action_space(self, agent_id):
        return self.action_spaces[agent_id]

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        self.table.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return {self.table.agent_selection: self._seen(self.table.agent_selection)}, {}

    def step(self, action_dict: dict[str, int]):
        """Raises ValueError unless exactly the seat to act acts."""
        acting = self.table.agent_selection
        if list(action_dict) != [acting]:
            raise ValueError(f"it is {acting}'s turn, alone; actions came for {', '.join(action_dict) or 'nobody'}")
        self.table.step(int(action_dict[acting]))
        paid = {agent: earned for agent, earned in self.table.rewards.items() if earned or agent == acting}
        over = any(self.table.terminations.values()), any(self.table.truncations.values())
        terminated, truncated = over[0], over[1] and not over[0]
        seen = {agent: self._seen(agent) for agent in self.agents if any(over) or agent == self.table.agent_selection}
        if any(over):
            paid = dict(self.table.rewards)
            self.agents = []
        return seen, paid, self._flags(seen, terminated), self._flags(seen, truncated), {}

    def close(self) -> None:
        self.table.close()

    def _seen(self, agent: str) -> dict[str, np.ndarray]:
        shown = self.table.observe(agent)
        return {"observations": shown["observation"], "action_mask": shown["action_mask"]}

    @staticmethod
    def _flags(seen: dict, flag: bool) -> dict[str, bool]:
        return {**dict.fromkeys(seen, flag), "__all__": flag}

    @staticmethod
    def _renamed(space):
        return spaces.Dict({"observations": space["observation"], "action_mask": space["action_mask"]})


class MaskedPPOModule(DefaultModule):
    """PPO's default module over `observations`, in which illegal actions have no probability.

    Batches are left as they are, so that the learner may read one twice.
    """

    def __init__(self, *, observation_space, **settings):
        if not isinstance(observation_space, spaces.Dict) or {*observation_space} != {"observations", "action_mask"}:
            raise ValueError(f"observations must be a Dict of 'observations' and 'action_mask', not {observation_space}")
        super().__init__(observation_space=observation_space["observations"], **settings)
        self.observation_space = observation_space  # the network is made for a part of it

    def _forward(self, batch, **kwargs):
        return self._masked(super()._forward(self._plain(batch), **kwargs), batch)

    def _forward_train(self, batch, **kwargs):
        return self._masked(super()._forward_train(self._plain(batch), **kwargs), batch)

    def compute_values(self, batch, embeddings=None):
        return super().compute_values(self._plain(batch), embeddings)

    @staticmethod
    def _plain(batch) -> dict:
        return {**batch, Columns.OBS: batch[Columns.OBS]["observations"].float()}

    @staticmethod
    def _masked(output: dict, batch) -> dict:
        illegal = batch[Columns.OBS]["action_mask"] == 0
        logits = output[Columns.ACTION_DIST_INPUTS]
        return {**output, Columns.ACTION_DIST_INPUTS: logits.masked_fill(illegal, torch.finfo(logits.dtype).min)}


def self_play(config, game: str, *, hidden: list[int], past: int = 0, **settings):
    """RLlib's `config`, set to learn `game` by self-play with one module for all seats.

    hidden: the widths of the network's layers. past: how many past selves are kept as opponents: the learning module then plays
    one side and a past self the others, each of them renewed in turn by `Renewal`. settings: those of `card_envs.make`.
    """
    opponents = [f"past_{number}" for number in range(past)]
    module = RLModuleSpec(module_class=MaskedPPOModule, model_config={"fcnet_hiddens": hidden, "vf_share_layers": False})
    config = (
        config.environment(RLlibEnv, env_config={"game": game, **settings}, disable_env_checking=True)
        .env_runners(batch_mode="complete_episodes")
        .multi_agent(
            policies={CURRENT, *opponents},
            policy_mapping_fn=Seating(game, opponents, settings) if past else everyone_current,
            policies_to_train=[CURRENT],
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys([CURRENT, *opponents], module)))
    )
    return config.callbacks(Renewal) if past else config


def everyone_current(agent_id: str, episode, **kwargs) -> str:
    """One module in all seats."""
    return CURRENT


class Seating:
    """Who plays a seat in a league: the learning module one side, a past self the others; drawn anew for every episode."""

    def __init__(self, game: str, opponents: list[str], settings: dict):
        table = raw_env(game, **settings)
        self.num_sides, self.opponents = table.rules.num_sides, opponents
        self.sides = {agent: seat % self.num_sides for seat, agent in enumerate(table.possible_agents)}

    def __call__(self, agent_id: str, episode, **kwargs) -> str:
        drawn = np.random.default_rng(zlib.crc32(str(episode.id_).encode()))  # the same in every process
        own = drawn.integers(self.num_sides)
        opponent = self.opponents[drawn.integers(len(self.opponents))]
        return CURRENT if self.sides[agent_id] == own else opponent


class Renewal(RLlibCallback):
    """After an iteration, one past self in turn becomes what the learning module is now."""

    def on_train_result(self, *, algorithm, result: dict, **kwargs) -> None:
        opponents = sorted(name for name in algorithm.config.policies if name != CURRENT)
        name = opponents[algorithm.iteration % len(opponents)]

        def renew(learner):
            learner.module[name].unwrapped().set_state(learner.module[CURRENT].unwrapped().get_state())

        algorithm.learner_group.foreach_learner(renew)
        # `sync_weights` would skip runners that have this iteration's weights of the learning module already
        part = f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}/{name}"
        state = algorithm.learner_group.get_state(components=part, inference_only=True)[COMPONENT_LEARNER]
        weights = {COMPONENT_RL_MODULE: state[COMPONENT_RL_MODULE]}
        algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state(weights))


class RLlibAgent(VectorAgent):
    """A `MaskedPPOModule`: plays its most probable legal action."""

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        shown = {"observations": torch.from_numpy(seen), "action_mask": torch.from_numpy(masks)}
        with torch.no_grad():
            out = self.policy.forward_inference({Columns.OBS: shown})
        return out[Columns.ACTION_DIST_INPUTS].argmax(-1).numpy()
