"""Collecting decisions of self-play: every seat of every table plays the current policy."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import torch

from card_envs.cards import NUM_CARDS
from training.advantages import per_seat_advantages

if TYPE_CHECKING:
    from training.learner import Learner


@dataclass
class Rollout:
    """The decisions of T steps at B tables. The engine plays forced moves itself, so each of them had a choice."""

    observation: torch.Tensor  # uint8 [T, B, O], of the seat to act
    action_mask: torch.Tensor  # int8 [T, B, A]
    action: torch.Tensor  # int64 [T, B]
    log_prob: torch.Tensor  # float32 [T, B], of the action when it was chosen
    value: torch.Tensor  # float32 [T, B], of the seat to act
    seat: torch.Tensor  # int64 [T, B]
    rewards: torch.Tensor  # float32 [T, B, P], earned by the step, scaled
    done: torch.Tensor  # bool [T, B], the step ended the episode

    @classmethod
    def allocate(cls, vec, num_steps: int) -> Rollout:
        def steps(*shape, dtype):
            return torch.zeros(num_steps, vec.num_envs, *shape, dtype=dtype)

        return cls(
            observation=steps(vec.observation_width, dtype=torch.uint8),
            action_mask=steps(vec.num_actions, dtype=torch.int8),
            action=steps(dtype=torch.int64),
            log_prob=steps(dtype=torch.float32),
            value=steps(dtype=torch.float32),
            seat=steps(dtype=torch.int64),
            rewards=steps(vec.num_players, dtype=torch.float32),
            done=steps(dtype=torch.bool),
        )


@dataclass
class Batch:
    """The N decisions of a rollout whose outcome is known, as the update wants them."""

    observation: torch.Tensor  # uint8 [N, O]
    action_mask: torch.Tensor  # int8 [N, A]
    action: torch.Tensor  # int64 [N]
    log_prob: torch.Tensor  # float32 [N]
    value: torch.Tensor  # float32 [N]
    advantage: torch.Tensor  # float32 [N], not normalised
    is_call: torch.Tensor  # bool [N]: an action of the auction, not a card

    def __len__(self) -> int:
        return len(self.action)

    def rows(self, rows: torch.Tensor) -> Batch:
        """Those rows, int64 [n], in that order."""
        pieces = (getattr(self, field.name) for field in fields(self))
        return Batch(*(piece.index_select(0, rows) for piece in pieces))  # indexing takes ten times as long


def collect(learner: Learner) -> float:
    """Fill the learner's rollout, going on from its view; returns the seconds spent in inference."""
    rollout, view, inference_seconds = learner.rollout, learner.view, 0.0
    for t in range(learner.config.num_steps):
        rollout.observation[t] = torch.from_numpy(view.observation)
        rollout.action_mask[t] = torch.from_numpy(view.action_mask)
        rollout.seat[t] = torch.from_numpy(view.seat)

        start = time.perf_counter()
        choice, rollout.value[t] = learner.policy(rollout.observation[t], rollout.action_mask[t], rollout.seat[t])
        rollout.action[t] = choice.sample(learner.generator)
        rollout.log_prob[t] = choice.log_prob(rollout.action[t])
        inference_seconds += time.perf_counter() - start

        view = learner.vec.step(rollout.action[t].numpy())
        rollout.rewards[t] = torch.from_numpy(view.rewards) * learner.config.reward_scale
        rollout.done[t] = torch.from_numpy(view.done)
    learner.view = view
    return inference_seconds


def to_batch(rollout: Rollout, gamma: float, gae_lambda: float) -> Batch:
    """Advantages, and only the decisions whose outcome lies within the rollout."""
    arrays = (rollout.rewards, rollout.value, rollout.seat, rollout.done)
    advantage, known = per_seat_advantages(*(array.numpy() for array in arrays), gamma, gae_lambda)
    rows = torch.from_numpy(np.flatnonzero(known))

    def known_rows(array: torch.Tensor) -> torch.Tensor:
        return array.flatten(0, 1).index_select(0, rows)

    action = known_rows(rollout.action)
    return Batch(
        observation=known_rows(rollout.observation),
        action_mask=known_rows(rollout.action_mask),
        action=action,
        log_prob=known_rows(rollout.log_prob),
        value=known_rows(rollout.value),
        advantage=known_rows(torch.from_numpy(advantage)),
        is_call=action >= NUM_CARDS,
    )


def call_counts(rollout: Rollout, action_names: list[str | None]) -> dict[str, int]:
    """How often each call of the auction was made."""
    counts = torch.bincount(rollout.action.flatten(), minlength=len(action_names)).tolist()
    return {name: count for name, count in list(zip(action_names, counts, strict=True))[NUM_CARDS:] if name is not None}
