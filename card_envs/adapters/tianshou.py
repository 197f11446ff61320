"""Tianshou: one seat of a table with its observations of `obs` and `mask`, and networks that read them.

    from card_envs.adapters.tianshou import MaskedActor, ObservedCritic, TianshouEnv
    from tianshou.env import DummyVectorEnv

    envs = DummyVectorEnv([lambda: TianshouEnv("<game>", episode="deal", others="basic")] * 16)

Tianshou's own discrete actor cannot read such observations, and of its algorithms only those of the DQN family look at a mask
by themselves: PPO and its like need `MaskedActor`.
"""

from __future__ import annotations

import importlib
import itertools
import warnings

import gymnasium
import numpy as np
import torch
from torch import nn

from card_envs.adapters import AdapterWarning, VectorAgent, require
from card_envs.envs.aec import env as table_env
from card_envs.envs.single import make_seat
from card_envs.game import OptionError

common = require("tianshou", "tianshou", "tianshou.utils.net.common", "2.0", "2.1")
spaces = gymnasium.spaces


class TianshouEnv(gymnasium.ObservationWrapper):
    """One seat; settings are those of `card_envs.envs.single.SeatEnv`, of `card_envs.make`, `preset` and the game's options.

    Observation: {"obs": int8 or float32 [O], "mask": bool [A]}; the mask is all True where the episode is over, so that no
    value is taken over no action.
    """

    def __init__(self, game: str, **settings):
        if "layout" in settings:
            raise OptionError("layout is what Tianshou needs: 'obs' and 'mask'")
        super().__init__(make_seat(game, layout="dict", **settings))
        inner = self.env.observation_space
        mask = spaces.MultiBinary(inner["action_mask"].shape[0])
        self.observation_space = spaces.Dict({"obs": inner["observation"], "mask": mask})

    def observation(self, observation: dict) -> dict:
        mask = observation["action_mask"].astype(np.bool_)
        return {"obs": observation["observation"], "mask": mask if mask.any() else ~mask}


def multi_agent(game: str, **settings):
    """Tianshou's own `PettingZooEnv` of a table. Warns: its multi-agent managers do not credit seats with all they are paid."""
    text = (
        "Tianshou's multi-agent managers drop rewards that come while another seat acts (thu-ml/tianshou #399): at card tables most "
        "of them; train one seat with TianshouEnv"
    )
    warnings.warn(text, AdapterWarning, stacklevel=2)
    return importlib.import_module("tianshou.env").PettingZooEnv(table_env(game, **settings))


def layers(width: int, hidden: list[int], out: int) -> nn.Sequential:
    """A network of linear layers with ReLU between them."""
    sizes, made = [width, *hidden], []
    for before, after in itertools.pairwise(sizes):
        made += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*made, nn.Linear(sizes[-1], out))


class MaskedActor(common.AbstractDiscreteActor):
    """Logits of a Tianshou batch of `TianshouEnv`'s observations; illegal actions have no probability.

    For `DiscreteActorPolicy` with PPO, A2C or REINFORCE.
    """

    def __init__(self, env: TianshouEnv, hidden: list[int]):
        num_actions = int(env.action_space.n)
        super().__init__(num_actions)
        self.net = layers(env.observation_space["obs"].shape[0], hidden, num_actions)

    def get_preprocess_net(self):
        """Nothing lies before the network."""
        return common.ModuleWithVectorOutput.from_module(nn.Identity(), self.net[0].in_features)

    def forward(self, obs, state=None, info=None):
        logits = self.net(torch.as_tensor(obs.obs, dtype=torch.float32))
        legal = torch.as_tensor(obs.mask, dtype=torch.bool)
        return logits.masked_fill(~legal, torch.finfo(logits.dtype).min), state


class ObservedCritic(nn.Module):
    """float32 [B, 1]: the value of each observation of a Tianshou batch."""

    def __init__(self, env: TianshouEnv, hidden: list[int]):
        super().__init__()
        self.net = layers(env.observation_space["obs"].shape[0], hidden, 1)

    def forward(self, obs, state=None, info=None):
        return self.net(torch.as_tensor(obs.obs, dtype=torch.float32))


class TianshouAgent(VectorAgent):
    """A `MaskedActor`: plays its most probable legal action."""

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            logits = self.policy.net(torch.from_numpy(seen).float())
        return np.where(masks, logits.numpy(), -np.inf).argmax(-1)
