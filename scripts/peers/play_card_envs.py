"""card-envs under the conditions of its peers: random legal play, the choice inside the timed region.

A batch is 4,096 tables on one thread, its observation uint8.
"""

import random
import sys

import numpy as np
from timing import arguments, measure, report

import card_envs
from card_envs.games import load
from card_envs.table import Table

GAMES = {"spades": "standard", "pitch": "seed", "pit": "seed"}
TABLES = 4096
SPREADING_STEPS = 64
CALLS = 8


def batch(game: str, preset: str, observation: str):
    """Steps of a batch whose tables stand at different points of their deals."""
    vec = card_envs.make_vec(game, TABLES, preset=preset, seed=1, observation=observation, copy=False)
    vec.reset()
    for step in range(SPREADING_STEPS):
        vec.reset(rows=np.arange(TABLES) % SPREADING_STEPS == step)
        vec.step(vec.random_actions())

    def play() -> int:
        for _ in range(CALLS):
            vec.step(vec.random_actions())
        return CALLS * TABLES

    return play


def table(game: str, preset: str):
    """A deal on one table, with no face around it: nothing but the legal actions is looked at."""
    found = load(game)
    made = Table(found, found.rules(preset), episode="deal")

    def play() -> int:
        made.reset()
        decisions = 0
        while not made.ended:
            legal = made.legal_actions()
            made.step(legal[int(random.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def aec(env):
    """A deal to its end, its reset included: the loop of the script for PettingZoo."""

    def play() -> int:
        env.reset()
        decisions = 0
        while True:
            observation = env.last()[0]
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                return decisions
            actions = np.flatnonzero(observation["action_mask"])
            env.step(int(actions[int(random.random() * len(actions))]))
            decisions += 1

    return play


def main() -> None:
    asked = arguments(__doc__)
    for game, preset in GAMES.items():
        faces = sys.modules[f"card_envs.{game}_v1"]
        for mode, play in {
            "batch, mask": batch(game, preset, "none"),
            "batch, mask, observation": batch(game, preset, "uint8"),
            "table, legal actions only": table(game, preset),
            "env()": aec(faces.env(preset=preset, episode="deal")),
            "raw_env()": aec(faces.raw_env(preset=preset, episode="deal")),
        }.items():
            report(f"{game} {preset}", mode, mode, measure(play, asked), "card-envs", "numpy", "numba")


if __name__ == "__main__":
    main()
