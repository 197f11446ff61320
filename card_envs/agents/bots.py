"""A game's rule bots as agents: one kernel over a batch around the bot's own function."""

from __future__ import annotations

import functools

import numpy as np

from card_envs.agents import Views
from card_envs.game import MAX_LEGAL_WORDS, Game, kernel_args
from card_envs.kernels import bind
from card_envs.pointers import fixed

bot = None  # put in by `bind`: (words, i, at, rules, legal) -> action


def choose(words, legal, rule_args, offsets, actions):
    """The bot's action in every row."""
    for i in range(len(words)):
        actions[i] = bot(words, i, fixed(offsets), fixed(rule_args), legal)


@functools.cache
def chooser(game: Game, name: str):
    """The kernel of one bot. Bots share its source, so each has a folder of its own in the cache of compiled code."""
    return bind(choose, {"bot": game.bots[name]}, f"{game.name}-{name}")


class RuleBot:
    """One of a game's rule bots: the same view, the same action."""

    def __init__(self, game: Game, rules, name: str):
        self.name = name
        self._choose = chooser(game, name)
        self._rules = kernel_args(game, rules)
        layout = game.layout(rules)
        self._offsets = layout.at
        self._one = Views(np.zeros((1, layout.num_words), np.int64), np.zeros((1, MAX_LEGAL_WORDS), np.int64))
        self._action = np.zeros(1, np.int64)

    def act(self, view: Views) -> int:
        words, legal = self._one  # kept: making a batch of one takes several times as long as the choice
        words[0], legal[0] = view
        self._choose(words, legal, self._rules, self._offsets, self._action)
        return int(self._action[0])

    def act_batch(self, views: Views) -> np.ndarray:
        words, legal = np.ascontiguousarray(views.words, np.int64), np.ascontiguousarray(views.legal, np.int64)
        actions = np.zeros(len(words), np.int64)
        self._choose(words, legal, self._rules, self._offsets, actions)
        return actions
