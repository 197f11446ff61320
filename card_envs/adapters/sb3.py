"""Stable-Baselines3: one seat of many tables as its `VecEnv`, with the masks that sb3-contrib's MaskablePPO asks for.

    from card_envs.adapters.sb3 import SB3VecEnv
    from sb3_contrib import MaskablePPO

    MaskablePPO("MlpPolicy", SB3VecEnv("<game>", 64, episode="deal", others="basic")).learn(100_000)

A single environment of `gymnasium.make` works too (it has `action_masks()`); this one steps all tables in the batch engine.
"""

from __future__ import annotations

import time

import numpy as np
from gymnasium.vector import AutoresetMode

from card_envs.adapters import VectorAgent, require
from card_envs.envs.seats import make_seats

vec_env = require("sb3", "stable-baselines3", "stable_baselines3.common.vec_env", "2.9", "2.10")


class SB3VecEnv(vec_env.VecEnv):
    """B = num_envs tables, one seat each against `others`; a table whose episode is over begins the next one in the same step.

    settings: those of `card_envs.envs.seats.SeatVectorEnv`, `preset`, and the game's options. Observations are float32 or int8
    [B, O]; infos hold `terminal_observation`, `TimeLimit.truncated` and `episode` (r, l, t) where an episode ended.
    `env_method("action_masks")` gives each table's mask, bool [A].
    """

    def __init__(self, game: str, num_envs: int, **settings):
        self.seats = make_seats(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
        super().__init__(num_envs, self.seats.single_observation_space, self.seats.single_action_space)
        self.metadata = self.seats.metadata
        self._start = time.time()
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)

    def action_masks(self) -> np.ndarray:
        """bool [B, A]: legal for each table's seat now."""
        return self.seats.action_masks()

    def reset(self):
        """New episodes everywhere, with the seeds that `seed()` was given: table i is dealt as one environment of its own."""
        seeds = None if self._seeds[0] is None else list(self._seeds)
        seen, self.reset_infos = self._split(*self.seats.reset(seed=seeds))
        self._reset_seeds()
        self._reset_options()
        self._returns[:], self._lengths[:] = 0, 0
        return seen

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self):
        seen, rewards, terminated, truncated, info = self.seats.step(self._actions)
        done = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        elapsed = round(time.time() - self._start, 6)
        for row in np.flatnonzero(done):
            infos[row] = {
                "terminal_observation": info["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": elapsed},
            }
        self._returns[done], self._lengths[done] = 0, 0
        return seen, rewards.astype(np.float32), done, infos

    def _split(self, seen, info):
        """The observations, and an info for each table."""
        return seen, [{"action_mask": mask} for mask in info["action_mask"]]

    def close(self) -> None:
        self.seats.close()

    # --- what SB3 asks of single tables ---------------------------------------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self.seats, attr_name)

    def get_attr(self, attr_name: str, indices=None) -> list:
        """What the batch has by that name, once a table: the tables share it."""
        return [getattr(self.seats, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value, indices=None) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the tables of a batch share all their settings")

    def env_method(self, method_name: str, *method_args, indices=None, **method_kwargs) -> list:
        if method_name != "action_masks":
            raise AttributeError(f"tables of a batch have no method {method_name!r}: there is action_masks")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class, indices=None) -> list[bool]:
        """Episodes are counted here, so `Monitor` is not needed; there are no other wrappers."""
        from stable_baselines3.common.monitor import Monitor

        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]


class SB3Agent(VectorAgent):
    """A model of sb3-contrib's MaskablePPO: plays its most probable legal action."""

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return self.policy.predict(seen.astype(self.policy.observation_space.dtype), action_masks=masks, deterministic=True)[0]
