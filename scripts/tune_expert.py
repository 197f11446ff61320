"""What does each number in an expert's tables gain when it is changed alone?

    python scripts/tune_expert.py GAME [--preset NAME] [--players N] [--deals N] [--only BIDS] [--step SHARE]

Every number that these rules reach is moved up and down by a step; the changed expert plays the unchanged one, and both play
`basic`, on the same deals. Prints the gains in points a deal, largest first. The numbers in the tables were found by taking
such steps, as long as one gained on fresh deals.
"""

from __future__ import annotations

import argparse
import importlib

import numpy as np

from card_envs import agents, arena, games
from card_envs.agents import Views
from card_envs.game import kernel_args
from card_envs.kernels import compiled


def choose_by(words, legal, rule_args, offsets, actions, bids, plays):
    for i in range(len(words)):
        actions[i] = decide(words, i, offsets[0], rule_args[0], legal, bids, plays)


def row_by(rule_args):
    return kind_of(rule_args[0])


class Expert:
    """The expert under given tables."""

    def __init__(self, choose, game, rules, tables: dict):
        self.choose, self.tables = choose, tables
        self.rules, self.offsets = kernel_args(game, rules), game.layout(rules).at

    def act_batch(self, views: Views) -> np.ndarray:
        actions = np.zeros(len(views.words), np.int64)
        words, legal = np.ascontiguousarray(views.words), np.ascontiguousarray(views.legal)
        self.choose(words, legal, self.rules, self.offsets, actions, *self.tables.values())
        return actions


def changes(tables: dict, rows: dict, only: str | None, share: float):
    """(name, tables with one number moved) for every number in reach."""
    for table, values in tables.items():
        if only not in (None, table):
            continue
        for row in rows[table]:
            for column in values.dtype.names:
                for sign in (1, -1):
                    moved = values.copy()
                    step = max(2, round(share * abs(int(values[column][row]))))
                    moved[column][row] += sign * step
                    name = f"{table} {row} {column} {int(values[column][row])} -> {int(moved[column][row])}"
                    yield name, {**tables, table: moved}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--preset", default="seed")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--only", choices=("BIDS", "PLAYS"))
    parser.add_argument("--step", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.seed in arena.HELD_OUT_SEEDS:
        parser.error(f"--seed {asked.seed}: deals of this seed are held out for published results; take one below {2**32}")

    global decide, kind_of
    game = games.load(asked.game)
    source = importlib.import_module(f"card_envs.games.{asked.game}.expert")
    decide, kind_of = source.decide, source.kind_of
    rules = game.rules(asked.preset, **({"num_players": asked.players} if asked.players else {}))
    tables = {"BIDS": source.BIDS, "PLAYS": source.PLAYS}
    kind = compiled(row_by, f"{asked.game}-tuning")(kernel_args(game, rules))
    choose = compiled(choose_by, f"{asked.game}-tuning")
    basic = agents.load("basic", game, rules)
    current = Expert(choose, game, rules, tables)

    def margin(agent, opponent):
        return arena.duplicate(game, rules, agent, opponent, asked.deals, asked.seed)

    before = margin(current, basic)
    print(f"expert against basic {before.mean:+.3f} ({before.low:+.3f} .. {before.high:+.3f})", flush=True)
    found = []
    for name, changed in changes(tables, {"BIDS": [kind], "PLAYS": [2 * kind, 2 * kind + 1]}, asked.only, asked.step):
        agent = Expert(choose, game, rules, changed)
        found.append((margin(agent, current), margin(agent, basic).mean - before.mean, name))
    print(f"{'against itself':<32} {'against basic':>13}  change")
    for itself, gain, name in sorted(found, key=lambda line: -line[0].mean):
        print(f"{itself.mean:+.4f} ({itself.low:+.4f} .. {itself.high:+.4f}) {gain:>+16.4f}  {name}")


if __name__ == "__main__":
    main()
