"""A toy game behind the batch face: four seats call once, then play one of three cards. Its best play is known.

The side (seats 0+2 against 1+3) with the higher sum of ranks scores 1. Calls (54 pass, 55 bid 1) change nothing.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import card_envs
from training.config import Config, build

NUM_SEATS, NUM_ACTIONS, WIDTH = 4, 56, 56


@dataclass(frozen=True)
class ToyRules:
    num_players: int = 4


class ToyVec:
    """Steps like `card_envs.make_vec(..., autoreset="same_step", skip_forced=True)`."""

    num_players, num_actions, observation_width = NUM_SEATS, NUM_ACTIONS, WIDTH
    action_names = [None] * 54 + ["pass", "bid 1"]
    rules = ToyRules()
    game = SimpleNamespace(name="toy")
    layout = SimpleNamespace(hash="toy-1")
    form = None

    def __init__(self, num_envs: int, seed: int):
        self.num_envs, self.seed = num_envs, seed
        self.deals = np.zeros(num_envs, np.int64)

    def reset(self):
        self.hands = np.stack([self._hands(table) for table in range(self.num_envs)])  # [B, P, 3] cards
        self.turn = np.zeros(self.num_envs, np.int64)  # 0..3 calls, 4..7 cards
        self.sums = np.zeros((self.num_envs, 2), np.int64)
        return self._view(np.zeros((self.num_envs, NUM_SEATS), np.float32), np.zeros(self.num_envs, bool))

    def step(self, actions: np.ndarray):
        assert self._mask()[np.arange(self.num_envs), actions].all(), "an illegal action"
        seat, plays = self.turn % NUM_SEATS, self.turn >= NUM_SEATS
        self.sums[np.arange(self.num_envs), seat % 2] += np.where(plays, actions % 13, 0)
        self.turn += 1
        done = self.turn == 2 * NUM_SEATS
        gain = np.sign(self.sums[:, 0] - self.sums[:, 1]) * done
        rewards = np.stack([gain, -gain, gain, -gain], axis=1).astype(np.float32)
        self.deals += done
        self.turn[done], self.sums[done] = 0, 0
        for table in np.flatnonzero(done):
            self.hands[table] = self._hands(table)
        return self._view(rewards, done)

    def get_state(self) -> bytes:
        return pickle.dumps((self.deals, self.hands, self.turn, self.sums))

    def set_state(self, state: bytes):
        self.deals, self.hands, self.turn, self.sums = pickle.loads(state)
        return self._view(np.zeros((self.num_envs, NUM_SEATS), np.float32), np.zeros(self.num_envs, bool))

    def _hands(self, table: int) -> np.ndarray:
        deal = np.random.default_rng([self.seed, table, self.deals[table]])
        return deal.permutation(52)[: NUM_SEATS * 3].reshape(NUM_SEATS, 3)

    def _mask(self) -> np.ndarray:
        mask = np.zeros((self.num_envs, NUM_ACTIONS), np.int8)
        calls = self.turn < NUM_SEATS
        mask[calls, 54:] = 1
        own = self.hands[np.arange(self.num_envs), self.turn % NUM_SEATS]
        np.put_along_axis(mask, own, np.int8(~calls)[:, None], axis=1)
        return mask

    def _view(self, rewards: np.ndarray, done: np.ndarray):
        seat = self.turn % NUM_SEATS
        observation = np.zeros((self.num_envs, WIDTH), np.uint8)
        np.put_along_axis(observation, self.hands[np.arange(self.num_envs), seat], 1, axis=1)
        observation[:, 54] = self.turn >= NUM_SEATS
        return SimpleNamespace(
            observation=observation,
            action_mask=self._mask(),
            seat=seat,
            rewards=rewards,
            done=done,
        )


@pytest.fixture(scope="module")
def toy():
    """`card_envs.make_vec` deals the toy game; the fixture is a function that makes a config for it."""

    def config(**settings) -> Config:
        small = {
            "game": "toy",
            "num_players": 4,
            "num_envs": 16,
            "num_steps": 20,
            "total_decisions": 20 * 16 * 6,
            "checkpoint_every": 3,
            "network": {"hidden": 32, "blocks": 1},
            "ppo": {"num_minibatches": 2, "update_epochs": 2},
            "evaluate": {"opponents": []},
        }
        return build(Config, small | settings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_envs, "make_vec", lambda game, num_envs, seed, **_: ToyVec(num_envs, seed))
        yield config
