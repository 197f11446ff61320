"""The registry: one line a game, imported when it is asked for."""

from __future__ import annotations

import importlib

from card_envs.game import Game, OptionError, nearest

# Name (the folder) and version of the game's environments: a change of rules, actions or observation raises it.
GAMES = {
    "pitch": 1,
}


def load(name: str) -> Game:
    """The game of that name; raises OptionError naming the nearest one."""
    if name not in GAMES:
        raise OptionError(f"no game is called {name!r}{nearest(str(name), GAMES)}; there are {', '.join(sorted(GAMES))}")
    return importlib.import_module(f"card_envs.games.{name}").GAME
