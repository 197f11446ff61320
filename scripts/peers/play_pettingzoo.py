"""PettingZoo's own turn-based games: `last()`, a random legal action, `step()`, a reset where a game ends."""

import importlib
import random
import warnings

import numpy as np
from timing import arguments, measure, report

GAMES = ("leduc_holdem_v4", "hanabi_v5", "connect_four_v3", "tictactoe_v3", "rps_v2")
NO_MASK = {"rps_v2": "next to no game: what the API alone costs"}


def play_game(env, choose) -> int:
    """One game to its end, its reset included."""
    env.reset()
    decisions = 0
    while True:
        observation = env.last()[0]
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return decisions
        env.step(choose(observation))
        decisions += 1


def legal(observation) -> int:
    actions = np.flatnonzero(observation["action_mask"])
    return int(actions[int(random.random() * len(actions))])


def any_hand(observation) -> int:
    return int(random.random() * 3)


def main() -> None:
    asked = arguments(__doc__)
    warnings.simplefilter("ignore")
    for name in GAMES:
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        for face in ("env", "raw_env"):
            env = getattr(module, face)()
            choose = any_hand if name in NO_MASK else legal
            windows = measure(lambda env=env, choose=choose: play_game(env, choose), asked)
            report(name, f"{face}()", f"{face}()", windows, "pettingzoo")


if __name__ == "__main__":
    main()
