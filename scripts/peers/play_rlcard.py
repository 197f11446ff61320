"""RLCard's trick-taking and shedding games: `env.step`, which makes the observation and a dict of legal actions."""

import random

import rlcard
from timing import arguments, measure, report


def play_game(env) -> int:
    state, _ = env.reset()
    decisions = 0
    while not env.is_over():
        legal = list(state["legal_actions"])
        state, _ = env.step(legal[int(random.random() * len(legal))])
        decisions += 1
    return decisions


def main() -> None:
    asked = arguments(__doc__)
    for name in ("bridge", "doudizhu"):
        env = rlcard.make(name, config={"seed": 1})
        report(name, "observation, legal actions", "raw_env()", measure(lambda env=env: play_game(env), asked), "rlcard")


if __name__ == "__main__":
    main()
