"""Is each rule bot better than the one below it? Every game, preset and player count, the same deals in every seating.

    python scripts/bot_ladder.py [GAME ...] [--deals N] [--seed N]

Prints a Markdown table of points a deal (what a deal changes, whatever the game counts) with 95% intervals, and leaves with
exit code 1 when an interval reaches zero or an illegal action was attempted.
"""

from __future__ import annotations

import argparse
import sys

from card_envs import agents, arena
from card_envs.games import GAMES, load

PAIRS = (("basic", "random"), ("expert", "basic"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(GAMES))
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print("| game | preset | players |", *(f"{better} against {worse} |" for better, worse in PAIRS))
    print("| --- | --- | --- |", *("--- |" for _ in PAIRS), flush=True)
    faults = 0
    for name in asked.games:
        game = load(name)
        for preset, counts in game.player_counts.items():
            for num_players in counts:
                rules = game.rules(preset, num_players=num_players)
                found = [compare(game, rules, pair, asked.deals, asked.seed) for pair in PAIRS]
                cells = (f"{result.mean:+.3f} ({result.low:+.3f} .. {result.high:+.3f}) |" for result in found)
                print(f"| {name} | `{preset}` | {num_players} |", *cells, flush=True)
                faults += sum(result.low <= 0 or result.illegal > 0 for result in found)
    print(f"{faults} intervals reach zero" if faults else "every interval lies above zero", file=sys.stderr)
    return 1 if faults else 0


def compare(game, rules, pair: tuple[str, str], deals: int, seed: int) -> arena.Result:
    first, second = (agents.load(name, game, rules, seed=seed) for name in pair)
    return arena.duplicate(game, rules, first, second, deals, seed, names=pair)


if __name__ == "__main__":
    sys.exit(main())
