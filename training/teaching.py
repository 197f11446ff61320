"""Lessons: the policy learns to choose as an agent does (behaviour cloning), and what a hand is worth when that agent plays it.

Where a search agent teaches, this is distillation. Some of the choices that are played are the policy's own, and the teacher
says what it would have done, as in DAgger (Ross et al. 2011).
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from card_envs.agents import Agent, Views, load
from card_envs.layout import WORD_BITS
from training.config import Config
from training.policy import autocast
from training.ppo import add_by_phase, explained_variance_by_phase, means, shuffled_minibatches
from training.processes import Processes, derive_seed
from training.rollout import Batch
from training.tables import Tables

if TYPE_CHECKING:
    from training.learner import Learner


def make_teacher(config: Config, vec: Tables, rank: int) -> Agent:
    (part,) = vec.parts
    return load(config.teacher.agent, part.game, part.rules, derive_seed(config.seed, "teacher", rank))


def teacher_views(vec: Tables, observation: np.ndarray, action_mask: np.ndarray) -> Views:
    """What agents see, of uint8 [B, O] and int8 [B, A]."""
    legal = np.pad(action_mask, ((0, 0), (0, -action_mask.shape[1] % WORD_BITS)))
    legal = np.packbits(legal.astype(np.bool_), axis=1, bitorder="little").view(np.int64)
    return Views(vec.layout.pack(observation), legal)


def collect_lessons(learner: Learner) -> float:
    """Fill the learner's rollout with what the teacher does; returns the seconds spent on its choices and the policy's."""
    rollout, view, inference_seconds = learner.rollout, learner.view, 0.0
    own_choices = learner.config.teacher.own_choices
    for t in range(learner.config.num_steps):
        rollout.observation[t] = torch.from_numpy(view.observation)
        rollout.action_mask[t] = torch.from_numpy(view.action_mask)
        rollout.seat[t] = torch.from_numpy(view.seat)

        start = time.perf_counter()
        choice, rollout.value[t] = learner.policy(rollout.observation[t], rollout.action_mask[t], rollout.seat[t])
        taught = learner.teacher.act_batch(teacher_views(learner.vec, view.observation, view.action_mask))
        rollout.action[t] = torch.from_numpy(np.asarray(taught, np.int64))
        own = torch.rand(learner.vec.num_envs, generator=learner.generator) < own_choices
        played = torch.where(own, choice.sample(learner.generator), rollout.action[t])
        inference_seconds += time.perf_counter() - start

        view = learner.vec.step(played.numpy())
        rollout.rewards[t] = torch.from_numpy(view.rewards) * learner.config.reward_scale
        rollout.done[t] = torch.from_numpy(view.done)
    learner.view = view
    return inference_seconds


def imitate(learner: Learner, batch: Batch, learning_rate: float, processes: Processes) -> dict[str, float]:
    """Make the taught actions more probable and the values those of the play; returns metrics, those of play and calls apart.

    agreement: the share of decisions in which the policy's most probable action was the teacher's.
    """
    ppo, gradients = learner.config.ppo, learner.gradients
    learner.optimizer.param_groups[0]["lr"] = learning_rate
    target = batch.value + batch.advantage
    sums, minibatches = defaultdict(float), 0
    for rows in shuffled_minibatches(len(batch), ppo, learner.generator):
        gradients.message.zero_()
        part = batch.rows(rows)
        with autocast(learner.config.precision):
            choice, value = learner.policy(part.observation, part.action_mask)
        surprise = -choice.log_prob(part.action)
        value_loss = F.smooth_l1_loss(value, target[rows])
        weight = torch.where(part.is_call, ppo.call_loss_weight, 1.0)
        loss = (weight * surprise).mean() + ppo.vf_coef * value_loss
        loss.backward()
        with torch.no_grad():
            processes.average(gradients.message)
            sums["grad_norm"] += gradients.clip(ppo.max_grad_norm)
            sums["policy_loss"] += float(surprise.mean())
            sums["value_loss"] += float(value_loss)
            agreement = (choice.mode() == part.action).float()
            add_by_phase(sums, part.is_call, entropy=choice.entropy(), agreement=agreement)
        minibatches += 1
        learner.optimizer.step()
    metrics = means(sums, minibatches) | {"minibatches": minibatches}
    return metrics | explained_variance_by_phase(batch, target)
