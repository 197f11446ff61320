"""Duplicate matches of the policy in training against the named agents."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from card_envs import agents, arena
from card_envs.agents.policy import PolicyAgent
from training.policy import Policy
from training.processes import derive_seed

# One stream of deals to choose checkpoints by, another for the result at the end; training never sees either.
VALIDATION = derive_seed(0, "validation deals")
FINAL = derive_seed(0, "final deals")


@dataclass(frozen=True)
class Margin:
    """The policy's gain a deal over an opponent, with the 95% interval."""

    mean: float
    low: float
    high: float
    deals: int
    illegal: int


def evaluate(policy: Policy, vec, opponents: tuple[str, ...], deals: int, seed: int) -> dict[str, dict]:
    """{opponent: margin as a dict}, both sides playing the same deals; with several numbers of players one for each."""
    margins = {}
    for num_players, part in vec.kinds.items():
        learner = as_agent(policy, part.layout, part.form)
        for name, opponent in load_opponents(opponents, part, seed).items():
            result = arena.duplicate(part.game, part.rules, learner, opponent, deals, seed)
            shown = name if len(vec.kinds) == 1 else f"{name}, {num_players} players"
            margins[shown] = dataclasses.asdict(Margin(result.mean, result.low, result.high, deals, result.illegal))
    return margins


def load_opponents(names: tuple[str, ...], vec, seed: int = 0) -> dict[str, agents.Agent]:
    """The named agents, for the game and rules of `vec`; raises AgentError naming the nearest known one."""
    return {name: agents.load(name, vec.game, vec.rules, seed) for name in names}


def as_agent(policy: Policy, layout, form=None) -> PolicyAgent:
    """The policy as the NumPy agent that players get, so that what is evaluated is what is shipped."""
    weights = {name: tensor.numpy().copy() for name, tensor in policy.state_dict().items()}
    return PolicyAgent(weights, layout, form=form)


def lower_bound(margins: dict[str, dict]) -> float | None:
    """What a checkpoint is chosen by: the low end of the interval against the opponent that is hardest for it."""
    return min((margin["low"] for margin in margins.values()), default=None)


def margin_table(margins: dict[str, dict]) -> str:
    lines = [f"{'opponent':<19} {'points a deal':>14} {'95% interval':>20} {'deals':>8} {'illegal':>8}"]
    for name, margin in margins.items():
        interval = f"{margin['low']:+.3f} .. {margin['high']:+.3f}"
        lines.append(f"{name:<19} {margin['mean']:>+14.3f} {interval:>20} {margin['deals']:>8} {margin['illegal']:>8}")
    return "\n".join(lines)
