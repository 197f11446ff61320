"""A trained network as an agent, in NumPy alone.

It is read from a checkpoint directory (`policy.safetensors` and `policy.json`), or from a run directory, which stands
for its best checkpoint or, without one, its latest.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np

from card_envs.agents import AgentError, Views, batch_of_one, legal_flags
from card_envs.forms import SharedForm, shared_form
from card_envs.layout import Layout

FORMAT = "card-envs-policy/2"
NORM_EPSILON = 1e-5
TINY = np.finfo(np.float32).tiny
DTYPES = {"F32": np.float32, "F16": np.float16}


class PolicyMismatchError(AgentError):
    """A policy that was trained for another game, other rules or another observation."""


class PolicyAgent:
    """Plays the most probable legal action, or with greedy=False draws one from the policy.

    It is shown plain views, as every agent; with a form its network sees them in that form, of which `layout` is.
    """

    def __init__(
        self,
        weights: dict[str, np.ndarray],
        layout: Layout,
        greedy: bool = True,
        seed: int = 0,
        form: SharedForm | None = None,
    ):
        self.weights, self.layout, self.greedy, self.form = weights, layout, greedy, form
        self.num_blocks = sum(name.endswith(".norm.weight") for name in weights)
        self.num_actions = len(weights["action_head.bias"])
        self.random = np.random.default_rng(seed)

    def act(self, view: Views) -> int:
        return int(self.act_batch(batch_of_one(view))[0])

    def act_batch(self, views: Views) -> np.ndarray:
        if self.form is None:
            return self._chosen(views)
        words, trumps = self.form.words(views.words)
        return self.form.given(self._chosen(Views(words, self.form.legal(views.legal, trumps))), trumps)

    def _chosen(self, views: Views) -> np.ndarray:
        action_mask = legal_flags(views.legal)[:, : self.num_actions]
        probabilities = self.probabilities(self.layout.spread(views.words), action_mask)
        if self.greedy:
            return probabilities.argmax(-1)
        # The legal action whose exponential clock, with its probability as rate, rings first; at rate 0 it never does.
        clock = self.random.exponential(size=probabilities.shape)
        return (probabilities / np.maximum(clock, TINY)).argmax(-1)

    def probabilities(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """float32 [B, A]: exactly 0 for illegal actions."""
        legal = action_mask != 0
        if not legal.any(-1).all():
            raise ValueError(f"row {int(np.flatnonzero(~legal.any(-1))[0])}: no action is legal")
        logits = np.where(legal, self.forward(observation)[0], -np.inf)
        odds = np.exp(logits - logits.max(-1, keepdims=True))
        return odds / odds.sum(-1, keepdims=True)

    def forward(self, observation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits [B, A] before masking, and values [B], of observations [B, O] of any dtype."""
        x = np.maximum(self._linear("input", observation.astype(np.float32)), 0.0)
        for block in range(self.num_blocks):
            inner = self._norm(f"blocks.{block}.norm", self._linear(f"blocks.{block}.linear", x))
            x = x + np.maximum(inner, 0.0)
        return self._linear("action_head", x), self._linear("value_head", x)[:, 0]

    def _linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, name: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(-1, keepdims=True) + NORM_EPSILON)
        return centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def load_policy(path: str | Path, game, rules, greedy: bool = True, seed: int = 0) -> PolicyAgent:
    """The agent stored at `path`; refuses one that was trained for something else, and says both."""
    checkpoint = find_checkpoint(Path(path))
    description = json.loads((checkpoint / "policy.json").read_text(encoding="utf-8"))

    def require(name: str, asked) -> None:
        """Refuse what is not among the things that the policy was trained for."""
        stored = description[name] if isinstance(description[name], list) else [description[name]]
        if asked not in stored:
            raise PolicyMismatchError(f"{checkpoint} was trained for {_difference(name, stored, asked)}")

    require("format", FORMAT)
    require("game", game.name)
    require("num_players", rules.num_players)
    require("rules", dataclasses.asdict(rules))
    form = shared_form(game, rules, **description["form"])
    layout = form.layout if form else game.layout(rules)
    require("observation_schema", layout.hash)
    return PolicyAgent(read_safetensors(checkpoint / "policy.safetensors"), layout, greedy, seed, form)


def find_checkpoint(path: Path) -> Path:
    """The checkpoint directory that `path` means: itself, or a run's best, or its latest."""
    if (path / "policy.json").exists():
        return path
    if (path / "best").exists():
        return path / "checkpoints" / (path / "best").read_text(encoding="utf-8").strip()
    found = sorted(path.glob("checkpoints/*/policy.json"))
    if not found:
        raise FileNotFoundError(f"{path} is neither a run directory nor a checkpoint: it has no policy.json")
    return found[-1].parent


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a safetensors file: a length, a JSON header that says where each tensor lies, and the bytes."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    tensors = {}
    for name, entry in json.loads(content[8:start]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            flat = np.frombuffer(content[start + first : start + last], DTYPES[entry["dtype"]])
            tensors[name] = flat.reshape(entry["shape"]).astype(np.float32)
    return tensors


def _difference(name: str, stored: list, asked) -> str:
    """`name` as stored and as asked for; of rules only those that differ from the nearest."""
    if isinstance(asked, dict):
        unlike = [sorted(key for key in one.keys() | asked.keys() if one.get(key) != asked.get(key)) for one in stored]
        names, nearest = min(zip(unlike, stored, strict=True), key=lambda pair: len(pair[0]))
        stored, asked = ([{key: rules.get(key) for key in names}] for rules in (nearest, asked))
        asked = asked[0]
    return f"{name} {' or '.join(map(repr, stored))}, and was asked to play {asked!r}"
