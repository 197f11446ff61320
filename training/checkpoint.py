"""The run directory: settings, metrics, and checkpoints from which a run goes on exactly or a policy plays.

config.json                  every setting, resolved
metrics.jsonl                a line each iteration
checkpoints/000050/          after iteration 50
  policy.safetensors         the weights
  policy.json                what they are for: game, rules, observation, network; and how strong
  trainer.pt                 optimiser, generators, tables: what exact resuming needs
best                         name of the checkpoint with the best lower bound so far
result.json, report.html     margins on the final deals; the curves
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file, save_file

import card_envs
from card_envs.agents.policy import FORMAT
from training.config import Config, load_config
from training.policy import Policy

if TYPE_CHECKING:
    from training.learner import Learner


class CheckpointError(RuntimeError):
    """A checkpoint that is missing or was made for something else."""


class RunDirectory:
    """Reads and writes one run's files. Only the first process writes."""

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self.checkpoints = self.path / "checkpoints"
        self.metrics_file = self.path / "metrics.jsonl"

    def start(self, config: Config, resumed_at: int | None) -> None:
        """Prepare a new run, or a resumed one, which does the iterations after its checkpoint again."""
        if resumed_at is None:
            if self.checkpoints.exists():
                raise CheckpointError(f"{self.path} already holds a run: --resume it, or name another run_dir")
            self.checkpoints.mkdir(parents=True)
        kept = [line for line in self.read_metrics() if line["iteration"] <= (resumed_at or 0)]
        self.metrics_file.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
        (self.path / "config.json").write_text(config.to_json() + "\n", encoding="utf-8")

    def load_config(self, overrides: dict[str, str]) -> Config:
        return load_config(self.path / "config.json", overrides)

    def latest(self) -> Path:
        names = sorted(path.name for path in self.checkpoints.glob("*") if path.name.isdigit())
        if not names:
            raise CheckpointError(f"{self.path} has no checkpoint")
        return self.checkpoints / names[-1]

    def append_metrics(self, metrics: dict) -> None:
        with self.metrics_file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(metrics) + "\n")

    def read_metrics(self) -> list[dict]:
        if not self.metrics_file.exists():
            return []
        return [json.loads(line) for line in self.metrics_file.read_text(encoding="utf-8").splitlines()]

    def store_result(self, margins: dict[str, dict]) -> None:
        (self.path / "result.json").write_text(json.dumps(margins, indent=2) + "\n", encoding="utf-8")

    def read_result(self) -> dict[str, dict]:
        return json.loads((self.path / "result.json").read_text(encoding="utf-8"))

    def save(self, iteration: int, policy: Policy, description: dict, trainer: dict) -> Path:
        """Write a checkpoint; it appears whole or not at all."""
        place = self.checkpoints / f"{iteration:06d}"
        draft = place.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        save_file(policy.state_dict(), draft / "policy.safetensors")
        (draft / "policy.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
        torch.save(trainer, draft / "trainer.pt")
        shutil.rmtree(place, ignore_errors=True)
        os.replace(draft, place)
        return place

    def mark_best(self, checkpoint: Path) -> None:
        (self.path / "best").write_text(checkpoint.name + "\n", encoding="utf-8")


def purpose(learner: Learner) -> dict:
    """What a policy's weights are for."""
    vec, env = learner.vec, learner.config.env
    return {
        "format": FORMAT,
        "game": vec.game.name,
        "num_players": list(vec.kinds),
        "rules": [dataclasses.asdict(part.rules) for part in vec.kinds.values()],
        "form": {"pad_seats": env.pad_seats, "relabel_trump": env.relabel_trump},
        "observation_schema": vec.layout.hash,
        "network": learner.policy.describe(),
    }


def describe(learner: Learner, decisions: int, evaluation: dict) -> dict:
    """`policy.json`: what the weights are for and how they came about."""
    made = {"code_version": card_envs.__version__, "seed": learner.config.seed, "decisions": decisions}
    return purpose(learner) | made | {"evaluation": evaluation}


def load_policy(checkpoint: Path, learner: Learner) -> None:
    """Put a checkpoint's weights into the learner's policy; refuses weights for something else, and says both."""
    stored = json.loads((checkpoint / "policy.json").read_text(encoding="utf-8"))
    for name, wanted in purpose(learner).items():
        if stored[name] != wanted:
            raise CheckpointError(f"{checkpoint} was made for {name} {stored[name]!r}, this run has {wanted!r}")
    learner.policy.load_state_dict(load_file(checkpoint / "policy.safetensors"))


def load_trainer(checkpoint: Path) -> dict:
    return torch.load(checkpoint / "trainer.pt", weights_only=True)
