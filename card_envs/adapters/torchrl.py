"""TorchRL: many tables of self-play as one batched `EnvBase` over the batch engine.

    from card_envs.adapters.torchrl import CardEnv

    env = CardEnv("<game>", 64, episode="deal")
    env.rollout(100, policy, break_when_any_done=False)     # policy: reads "observation" and "action_mask", writes "action"

A single PettingZoo table needs no adapter: `PettingZooWrapper(card_envs.make(...), use_mask=True,
group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)`.
"""

from __future__ import annotations

import importlib

import numpy as np
import torch

from card_envs.adapters import require
from card_envs.envs.vector import VecEnv
from card_envs.game import split_settings
from card_envs.games import load

envs = require("torchrl", "torchrl", "torchrl.envs", "0.14", "0.15")
data = importlib.import_module("torchrl.data")
TensorDict = importlib.import_module("tensordict").TensorDict


class CardEnv(envs.EnvBase):
    """N = num_envs tables; all keys are about the seat to act, and all seats are the policy's.

    observation: uint8 [N, O]. action_mask: bool [N, A], all True where an episode is over, so that no distribution made of a
    stored batch is empty. seat: int64 [N], who acts; turns do not go round. reward: float32 [N, P], what the step earned every
    seat. done, terminated, truncated: bool [N, 1].

    settings: those of `card_envs.make_vec`. Random policies of TorchRL obey the masks: they are kept in the action's spec.
    """

    batch_locked = True

    def __init__(self, game: str, num_envs: int, *, preset: str = "seed", **settings):
        super().__init__(device="cpu", batch_size=torch.Size([num_envs]))
        for name in ("autoreset", "observation", "copy"):
            if name in settings:
                raise ValueError(f"{name} is what TorchRL needs: 'disabled', 'uint8' and True")
        found = load(game)
        options, own = split_settings(found, VecEnv, settings)
        self.vec = VecEnv(found, found.rules(preset, **options), num_envs, autoreset="disabled", **own)
        vec, tables = self.vec, (num_envs,)
        self.observation_spec = data.Composite(
            observation=data.Binary(vec.observation_width, shape=(*tables, vec.observation_width), dtype=torch.uint8),
            action_mask=data.Binary(vec.num_actions, shape=(*tables, vec.num_actions), dtype=torch.bool),
            seat=data.Categorical(vec.num_players, shape=tables, dtype=torch.int64),
            shape=tables,
        )
        self.action_spec = data.Categorical(vec.num_actions, shape=tables, dtype=torch.int64)
        self.reward_spec = data.Unbounded(shape=(*tables, vec.num_players), dtype=torch.float32)
        flag = {"n": 2, "shape": (*tables, 1), "dtype": torch.bool}
        names = ("done", "terminated", "truncated")
        self.done_spec = data.Composite({name: data.Categorical(**flag) for name in names}, shape=tables)
        self._started, self._seed_next = False, None

    def _set_seed(self, seed: int | None) -> None:
        """The next reset of all tables deals from this seed: row i as table i."""
        self._seed_next = seed

    def _reset(self, tensordict=None, **kwargs) -> TensorDict:
        asked = None if tensordict is None else tensordict.get("_reset", None)
        rows = None if asked is None else asked.reshape(self.batch_size).numpy()
        if rows is None or rows.all() or not self._started:
            view, self._started, self._seed_next = self.vec.reset(self._seed_next), True, None
        else:
            view = self.vec.reset(rows=rows)
        shown = self._shown(view, view.done)
        return shown.update(self._ends(view))

    def _step(self, tensordict) -> TensorDict:
        view = self.vec.step(tensordict["action"].numpy())
        shown = self._shown(view, view.done)
        return shown.update(self._ends(view)).set("reward", torch.from_numpy(view.rewards))

    def _shown(self, view, over: np.ndarray) -> TensorDict:
        mask = view.action_mask.astype(np.bool_)
        mask[over] = True
        mask = torch.from_numpy(mask)
        self.action_spec.update_mask(mask.clone())
        shown = {"observation": torch.from_numpy(view.observation), "action_mask": mask, "seat": torch.from_numpy(view.seat)}
        return TensorDict(shown, batch_size=self.batch_size)

    def _ends(self, view) -> dict[str, torch.Tensor]:
        ends = {"done": view.done, "terminated": view.terminated, "truncated": view.truncated}
        return {name: torch.from_numpy(flags)[:, None] for name, flags in ends.items()}
