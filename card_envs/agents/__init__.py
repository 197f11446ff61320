"""Agents: who decides at a table. `load` finds one by the name that every command line uses.

An agent is handed views and nothing else, so it cannot look at what its seat may not see.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from card_envs.game import Game, nearest
from card_envs.layout import WORD_BITS

CHAMPION = "champion"
ALL_BITS = (1 << WORD_BITS) - 1


class Views(NamedTuple):
    """What the seats to act see at B tables; a single view lacks the first axis."""

    words: np.ndarray  # int64 [B, K]: the observation in bits
    legal: np.ndarray  # int64 [B, W]: bit a % 64 of word a // 64 says that action a is legal


class Agent(Protocol):
    """Chooses a legal action from a view."""

    def act(self, view: Views) -> int: ...

    def act_batch(self, views: Views) -> np.ndarray:
        """int64 [B]."""
        ...


class AgentError(ValueError):
    """No such agent."""


class RandomAgent:
    """Uniform over the legal actions, from a generator of its own."""

    def __init__(self, seed: int = 0):
        self.random = np.random.default_rng(seed)

    def act(self, view: Views) -> int:
        """What `act_batch` would choose, with none of its arrays."""
        words = [word & ALL_BITS for word in view.legal.tolist()]
        chosen = int(self.random.random() * sum(word.bit_count() for word in words))
        for first, word in zip(range(0, WORD_BITS * len(words), WORD_BITS), words, strict=True):
            for _ in range(min(chosen, word.bit_count())):
                word &= word - 1  # the lowest one off
                chosen -= 1
            if word:
                return first + (word & -word).bit_length() - 1
        raise ValueError("nothing is legal")

    def act_batch(self, views: Views) -> np.ndarray:
        legal = legal_flags(views.legal)
        upto = legal.cumsum(axis=1, dtype=np.int64)
        chosen = (self.random.random(len(legal)) * upto[:, -1]).astype(np.int64)
        return (upto > chosen[:, None]).argmax(axis=1)


def legal_flags(legal: np.ndarray) -> np.ndarray:
    """uint8 [B, 64 * W]: the bits of int64 [B, W], one a column."""
    octets = np.ascontiguousarray(legal, "<i8").view(np.uint8).reshape(len(legal), -1)
    return np.unpackbits(octets, axis=1, bitorder="little")


def is_legal(actions: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """bool [B]: is the action of each row, int [B], among the legal ones?"""
    inside = (actions >= 0) & (actions < WORD_BITS * legal.shape[1])
    word, bit = np.divmod(np.where(inside, actions, 0), WORD_BITS)
    return inside & (legal[np.arange(len(legal)), word] >> bit & 1 == 1)


def batch_of_one(view: Views) -> Views:
    """A single view as a batch."""
    return Views(np.atleast_2d(view.words), np.atleast_2d(view.legal))


def load(name: str | Path, game: Game, rules, seed: int = 0) -> Agent:
    """The agent of that name: `random`, a rule bot of the game, `champion` (the trained policy that comes with the package), the
    path of another, or `module:factory`.

    A factory is called with (game, rules, seed). Raises AgentError naming the nearest known name.
    """
    text = str(name)
    if text == "random":
        return RandomAgent(seed)
    if text in game.bots:
        from card_envs.agents.bots import RuleBot

        return RuleBot(game, rules, text)
    if text == CHAMPION:
        from card_envs.agents import champions
        from card_envs.agents.policy import load_policy

        return load_policy(champions.find(game, rules), game, rules, seed=seed)
    if Path(name).exists():
        from card_envs.agents.policy import load_policy

        return load_policy(name, game, rules, seed=seed)
    module, colon, factory = text.partition(":")
    if colon and module and factory.isidentifier():
        return _made_by(module, factory)(game, rules, seed)
    known = ["random", *game.bots, CHAMPION]
    names = f"{', '.join(known)}, the path of a checkpoint or of a run, or module:factory"
    raise AgentError(f"no agent {text!r}{nearest(text, known)}: write {names}")


def _made_by(module: str, factory: str):
    try:
        return getattr(importlib.import_module(module), factory)
    except ModuleNotFoundError as error:
        raise AgentError(f"no agent '{module}:{factory}': {error}") from error
    except AttributeError:
        raise AgentError(f"no agent '{module}:{factory}': the module has no {factory}") from None
