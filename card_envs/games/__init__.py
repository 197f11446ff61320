"""The registry: one line a game, imported when it is asked for."""

from __future__ import annotations

import importlib
import sys
import types

from card_envs.game import Game, OptionError, nearest

# Name (the folder) and version of the game's environments: a change of rules, actions or observation raises it.
GAMES = {
    "pitch": 1,
    "spades": 1,
}


def load(name: str) -> Game:
    """The game of that name; raises OptionError naming the nearest one."""
    if name not in GAMES:
        raise OptionError(f"no game is called {name!r}{nearest(str(name), GAMES)}; there are {', '.join(sorted(GAMES))}")
    return importlib.import_module(f"card_envs.games.{name}").GAME


class _Registry(types.ModuleType):
    """This package can be called: `card_envs.games()` lists the names, `card_envs.games.load` finds one."""

    def __call__(self) -> list[str]:
        return sorted(GAMES)


sys.modules[__name__].__class__ = _Registry
