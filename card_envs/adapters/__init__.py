"""Faces for frameworks, a module each. Importing one needs its framework; everything else in the package needs none of them."""

from __future__ import annotations

import importlib
import warnings
from importlib import metadata

import numpy as np

from card_envs.agents import Views, batch_of_one, legal_flags
from card_envs.game import Game


class AdapterWarning(UserWarning):
    """A framework in a version that the adapter was not tested with."""


def require(extra: str, package: str, module: str, low: str, below: str):
    """The imported module of a framework. Raises ImportError, naming the extra that brings it, where it is missing.

    Warns (AdapterWarning) where its version is not in low <= version < below, those that the adapter is tested with.
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(f"this adapter needs {package}: pip install 'card-envs[{extra}]'") from error
    version = metadata.version(package)
    if not _numbers(low) <= _numbers(version) < _numbers(below):
        tested = f"{package} {version} is not one that this adapter was tested with ({low} <= version < {below})"
        warnings.warn(tested, AdapterWarning, stacklevel=3)
    return found


def _numbers(version: str) -> list[int]:
    """The leading numbers of a version, for comparing."""
    numbers = []
    for part in version.split("."):
        digits = "".join(letter for letter in part if letter.isdigit())
        if not part[:1].isdigit():
            break
        numbers.append(int(digits))
    return numbers


class VectorAgent:
    """A framework's policy as an agent, for the arena and as `others`: subclasses choose from vectors and masks."""

    def __init__(self, policy, game: Game, rules):
        self.policy = policy
        self.action_names = game.action_names(rules)
        self._layout = game.layout(rules)

    def act(self, view: Views) -> int:
        return int(self.act_batch(batch_of_one(view))[0])

    def act_batch(self, views: Views) -> np.ndarray:
        return self.choose(self._layout.spread(views.words), legal_flags(views.legal)[:, : len(self.action_names)])

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int64 [B] of observations uint8 [B, O] and masks uint8 [B, A]."""
        raise NotImplementedError
