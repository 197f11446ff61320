"""The PPO update."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from training.config import PPOConfig, Schedule
from training.policy import MaskedCategorical, Policy, autocast
from training.processes import Processes
from training.rollout import Batch

if TYPE_CHECKING:
    from training.learner import Learner

PHASES = ("play", "call")


def between(schedule: Schedule, progress: float) -> float:
    """Linear from start (progress 0) to end (progress 1)."""
    return schedule[0] + progress * (schedule[1] - schedule[0])


@dataclass(frozen=True)
class Coefficients:
    """What the schedules say at this point of the run."""

    learning_rate: float
    play_ent_coef: float
    call_ent_coef: float
    magnet_coef: float = 0.0

    @classmethod
    def at(cls, progress: float, ppo: PPOConfig) -> Coefficients:
        schedules = (ppo.learning_rate, ppo.play_ent_coef, ppo.call_ent_coef, ppo.magnet_coef)
        return cls(*(between(schedule, progress) for schedule in schedules))


class Gradients:
    """Every parameter's gradient as a slice of one vector: one message averages it, one norm clips it."""

    def __init__(self, policy: Policy):
        parameters = list(policy.parameters())
        size = sum(parameter.numel() for parameter in parameters)
        self.message = torch.zeros(size + 1)  # the last number carries the KL, so that all processes stop together
        self.flat, self.kl = self.message[:size], self.message[size:]
        start = 0
        for parameter in parameters:
            parameter.grad = self.flat[start : start + parameter.numel()].view_as(parameter)
            start += parameter.numel()

    def clip(self, max_norm: float) -> float:
        norm = float(self.flat.norm())
        if not norm < float("inf"):
            raise FloatingPointError(f"gradient norm is {norm}: training has diverged, lower ppo.learning_rate")
        self.flat *= min(1.0, max_norm / (norm + 1e-6))
        return norm


def make_optimizer(policy: Policy) -> torch.optim.Adam:
    return torch.optim.Adam(policy.parameters(), eps=1e-5, fused=True)


def update(learner: Learner, batch: Batch, coefficients: Coefficients, processes: Processes) -> dict[str, float]:
    """Improve the policy on a batch of its own decisions; returns metrics, those of play and calls apart."""
    ppo, gradients = learner.config.ppo, learner.gradients
    learner.optimizer.param_groups[0]["lr"] = coefficients.learning_rate
    advantage = normalise_by_phase(batch.advantage, batch.is_call)
    target = batch.value + batch.advantage
    sums, minibatches, kl_too_large = defaultdict(float), 0, False

    for rows in shuffled_minibatches(len(batch), ppo, learner.generator):
        gradients.message.zero_()
        part = batch.rows(rows)
        with autocast(learner.config.precision):
            choice, value = learner.policy(part.observation, part.action_mask)
        is_call = part.is_call
        log_ratio = choice.log_prob(part.action) - part.log_prob
        entropy = choice.entropy()

        policy_loss = clipped_loss(log_ratio, advantage[rows], ppo.clip_coef)
        policy_loss = torch.where(is_call, ppo.call_loss_weight * policy_loss, policy_loss).mean()
        ent_coef = torch.where(is_call, coefficients.call_ent_coef, coefficients.play_ent_coef)
        value_loss = F.smooth_l1_loss(value, target[rows])
        loss = policy_loss - (ent_coef * entropy).mean() + ppo.vf_coef * value_loss
        if coefficients.magnet_coef:
            loss = loss + coefficients.magnet_coef * distance_to_magnet(choice, learner, part)
        loss.backward()

        with torch.no_grad():
            kl = log_ratio.expm1() - log_ratio  # never negative, and its mean estimates KL(old, new)
            gradients.kl.copy_(kl.mean())
            processes.average(gradients.message)
            sums["grad_norm"] += gradients.clip(ppo.max_grad_norm)
            sums["policy_loss"] += float(policy_loss)
            sums["value_loss"] += float(value_loss)
            clipped = (log_ratio.exp() - 1).abs() > ppo.clip_coef
            add_by_phase(sums, is_call, entropy=entropy, kl=kl, clip_fraction=clipped.float())
        minibatches += 1
        kl_too_large = float(gradients.kl) > ppo.target_kl
        if kl_too_large:
            break
        learner.optimizer.step()

    metrics = means(sums, minibatches)
    metrics["minibatches"] = minibatches - kl_too_large
    return metrics | explained_variance_by_phase(batch, target)


def shuffled_minibatches(num_rows: int, ppo: PPOConfig, generator: torch.Generator):
    """Every row once an epoch, in equally many minibatches in every process."""
    for _ in range(ppo.update_epochs):
        yield from torch.randperm(num_rows, generator=generator).tensor_split(ppo.num_minibatches)


def clipped_loss(log_ratio: torch.Tensor, advantage: torch.Tensor, clip_coef: float) -> torch.Tensor:
    """[N]: the pessimistic one of the plain and the clipped surrogate."""
    ratio = log_ratio.exp()
    return -torch.min(advantage * ratio, advantage * ratio.clamp(1 - clip_coef, 1 + clip_coef))


def distance_to_magnet(choice: MaskedCategorical, learner: Learner, part: Batch) -> torch.Tensor:
    """The mean of KL(policy, magnet) over decisions."""
    with torch.no_grad(), autocast(learner.config.precision):
        magnet, _ = learner.magnet(part.observation, part.action_mask)
    difference = (choice.log_probs - magnet.log_probs).masked_fill(choice.illegal, 0.0)
    return (choice.probs * difference).sum(-1).mean()


def normalise_by_phase(advantage: torch.Tensor, is_call: torch.Tensor) -> torch.Tensor:
    """Zero mean and unit spread, calls and cards apart: a call's advantage is many times noisier than a card's."""
    normalised = torch.zeros_like(advantage)
    for rows in (is_call, ~is_call):
        part = advantage[rows]
        if len(part) > 1:
            normalised[rows] = (part - part.mean()) / (part.std() + 1e-8)
    return normalised


def explained_variance(value: torch.Tensor, target: torch.Tensor) -> float:
    """1 - var(target - value) / var(target): 1 is a perfect prediction, 0 no better than the mean."""
    if len(target) < 2 or target.var() == 0:
        return 0.0
    return 1.0 - float((target - value).var() / target.var())


def explained_variance_by_phase(batch: Batch, target: torch.Tensor) -> dict[str, float]:
    phases = zip(PHASES, (~batch.is_call, batch.is_call), strict=True)
    return {f"{phase}/explained_variance": explained_variance(batch.value[rows], target[rows]) for phase, rows in phases}


def add_by_phase(sums: dict[str, float], is_call: torch.Tensor, **measures: torch.Tensor) -> None:
    calls = int(is_call.sum())
    sums["play/count"] += len(is_call) - calls
    sums["call/count"] += calls
    for name, measure in measures.items():
        of_calls = float(measure[is_call].sum())
        sums[f"call/{name}"] += of_calls
        sums[f"play/{name}"] += float(measure.sum()) - of_calls


def means(sums: dict[str, float], minibatches: int) -> dict[str, float]:
    counts = {phase: max(sums.pop(f"{phase}/count"), 1) for phase in PHASES}
    return {name: total / counts.get(name.split("/")[0], minibatches) for name, total in sums.items()}
