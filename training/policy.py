"""The network and its masked choice of actions. Nothing here can be called without an action mask."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F

from training.config import NetworkConfig

ILLEGAL = torch.finfo(torch.float32).min  # finite: infinities turn into NaN in gradients


class MaskedCategorical:
    """Action probabilities over the legal actions only, [B, A].

    Logits are taken to float32 first. Illegal actions have probability exactly 0, are never drawn, and add nothing to
    the entropy.
    """

    def __init__(self, logits: torch.Tensor, action_mask: torch.Tensor, seat: torch.Tensor | None = None):
        self.illegal = action_mask == 0
        _refuse_empty_rows(self.illegal, seat)
        self._logits = logits.float().masked_fill(self.illegal, ILLEGAL)
        self.log_probs = torch.log_softmax(self._logits, dim=-1)

    @property
    def probs(self) -> torch.Tensor:
        return torch.softmax(self._logits, dim=-1)  # exp() of log-probabilities underflows, which takes ten times as long

    def log_prob(self, action: torch.Tensor) -> torch.Tensor:
        return self.log_probs.gather(-1, action.unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> torch.Tensor:
        """[B], in nats."""
        return -(self.probs * self.log_probs.masked_fill(self.illegal, 0.0)).sum(-1)

    def sample(self, generator: torch.Generator | None = None) -> torch.Tensor:
        """[B]. The first action up to which the probabilities add up to a number drawn from (0, their sum]: so never an illegal
        one, which adds nothing."""
        upto = self.probs.cumsum(-1)
        drawn = 1.0 - torch.rand(len(upto), 1, generator=generator)
        return torch.searchsorted(upto, drawn * upto[:, -1:]).squeeze(-1)

    def mode(self) -> torch.Tensor:
        return self.log_probs.masked_fill(self.illegal, -math.inf).argmax(-1)


def _refuse_empty_rows(illegal: torch.Tensor, seat: torch.Tensor | None) -> None:
    empty = illegal.all(-1)
    if empty.any():
        row = int(empty.nonzero()[0, 0])
        whose = "" if seat is None else f", seat {int(seat[row])}"
        raise ValueError(f"row {row}{whose}: the action mask allows nothing ({int(empty.sum())} such rows)")


class Block(nn.Module):
    """x + relu(norm(linear(x)))."""

    def __init__(self, hidden: int):
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + F.relu(self.norm(self.linear(x)))


class Policy(nn.Module):
    """One network for every seat: a residual trunk with a head for actions and a head for the acting seat's value."""

    def __init__(self, num_inputs: int, num_actions: int, network: NetworkConfig):
        super().__init__()
        self.num_inputs, self.num_actions, self.network = num_inputs, num_actions, network
        self.input = nn.Linear(num_inputs, network.hidden)
        self.blocks = nn.ModuleList(Block(network.hidden) for _ in range(network.blocks))
        self.action_head = nn.Linear(network.hidden, num_actions)
        self.value_head = nn.Linear(network.hidden, 1)
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, math.sqrt(2))
                nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.action_head.weight, 0.01)  # start close to uniform over the legal actions
        nn.init.orthogonal_(self.value_head.weight, 0.01)

    def forward(
        self, observation: torch.Tensor, action_mask: torch.Tensor, seat: torch.Tensor | None = None
    ) -> tuple[MaskedCategorical, torch.Tensor]:
        """The choice of actions [B, A] and values [B], for observations [B, O] of any dtype; messages name `seat`."""
        x = F.relu(self.input(observation.float()))
        for block in self.blocks:
            x = block(x)
        choice = MaskedCategorical(self.action_head(x), action_mask, seat)
        return choice, self.value_head(x).float().squeeze(-1)

    def describe(self) -> dict:
        """The network as plain data, stored beside its weights."""
        return {
            "kind": "residual_mlp",
            "inputs": self.num_inputs,
            "hidden": self.network.hidden,
            "blocks": self.network.blocks,
            "actions": self.num_actions,
        }


def autocast(precision: str) -> torch.autocast:
    """The context in which the network runs, for a precision "auto", "float32" or "bfloat16"."""
    if precision == "auto":
        precision = "bfloat16" if computes_bfloat16() else "float32"
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bfloat16")


def computes_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 itself; emulated it is slower than float32."""
    capabilities = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of torch cannot tell
    return capabilities.get("avx512_bf16", False) or capabilities.get("amx_bf16", False)
