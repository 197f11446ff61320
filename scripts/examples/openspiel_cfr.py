"""How far CFR comes in a tiny game: exploitability of uniform play, and of CFR's average policy, by OpenSpiel's own algorithms.

    pip install 'card-envs[openspiel]'
    python scripts/examples/openspiel_cfr.py                         # Pitch for two, 2 suits x 3 ranks, 2 cards each
    python scripts/examples/openspiel_cfr.py --ranks 4               # five times as many positions

The tree is walked once in Python and handed to OpenSpiel's C++. It grows fast: with 2 suits x 5 ranks and 3 cards it has 4.5
million positions, too many for exact methods here.
"""

from __future__ import annotations

import argparse

import pyspiel

from card_envs.adapters import openspiel
from card_envs.adapters.openspiel.tree import as_efg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pitch")
    parser.add_argument("--suits", type=int, default=2)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--hand-size", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=500)
    args = parser.parse_args()

    deck = {"suits": args.suits, "ranks": args.ranks, "hand_size": args.hand_size}
    game = openspiel.load_game(args.game, num_players=2, dealer=1, **deck)
    tree = as_efg(game)
    print(game)
    print(f"uniform: exploitability {pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree)):.4f} points a deal")
    solver = pyspiel.CFRSolver(tree)
    for iteration in range(1, args.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration in (1, 10, 100, args.iterations):
            print(f"CFR {iteration:>4}: exploitability {pyspiel.exploitability(tree, solver.average_policy()):.4f}", flush=True)


if __name__ == "__main__":
    main()
