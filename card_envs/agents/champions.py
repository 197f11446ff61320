"""The trained agents that come with the package: `champion` finds the one for a game's rules."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from card_envs import games
from card_envs.agents import AgentError
from card_envs.game import Game


def place(game: Game) -> Path:
    """The folder of a game's champions, one folder each."""
    return Path(games.__path__[0]) / game.name / "champions"


def cards(game: Game) -> dict[Path, dict]:
    """The description of every champion of a game, by its folder."""
    found = sorted(place(game).glob("*/policy.json"))
    return {path.parent: json.loads(path.read_text(encoding="utf-8")) for path in found}


def find(game: Game, rules) -> Path:
    """The folder of the champion for these rules; raises AgentError naming those that there are."""
    wanted = dataclasses.asdict(rules)
    known = cards(game)
    for folder, card in known.items():
        if wanted in card["rules"]:
            return folder
    names = ", ".join(path.name for path in known) or "none"
    raise AgentError(
        f"no champion was trained for these rules of {game.name}; by preset and number of players there are: {names}"
    )


def markdown(game: Game) -> str:
    """A table of a game's champions: what each gains a deal over the agents below it, on the held-out deals."""
    known = cards(game)
    opponents = list(dict.fromkeys(name for card in known.values() for name in card["arena"]))
    head = ["champion", "learned from", *(f"over `{name}`" for name in opponents)]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for path, card in known.items():
        results = [card["arena"].get(name) for name in opponents]
        margins = [f"{one['mean']:+.2f} ({one['low']:+.2f}..{one['high']:+.2f})" if one else "" for one in results]
        lines.append([f"`{path.name}`", f"{card['decisions'] / 1e6:.0f} M decisions", *margins])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
