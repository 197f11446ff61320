"""OpenSpiel's Spades from Python: one core, random legal play."""

import random

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.observation import make_observation
from timing import arguments, measure, report

GAME = pyspiel.load_game("spades")
LAYOUT = make_observation(GAME)
NUM_ACTIONS = GAME.num_distinct_actions()


def play_deal(see) -> int:
    """One deal, its 52 chance steps included; `see(state, legal)` makes what the seat to act is shown."""
    state, decisions = GAME.new_initial_state(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        if not state.is_chance_node():
            see(state, legal)
            decisions += 1
        state.apply_action(legal[int(random.random() * len(legal))])
    return decisions


def nothing(state, legal) -> None:
    pass


def as_arrays(state, legal) -> None:
    """Mask and observation as NumPy arrays, the fastest way that we found from Python."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[legal] = 1
    LAYOUT.set_from(state, state.current_player())


def as_lists(state, legal) -> None:
    state.legal_actions_mask()
    state.observation_tensor()


def environment_deal(environment) -> int:
    """One deal of `rl_environment`, which its learning agents use."""
    step, decisions = environment.reset(), 0
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = environment.step([legal[int(random.random() * len(legal))]])
        decisions += 1
    return decisions


def main() -> None:
    asked = arguments(__doc__)
    for mode, like, see in (
        ("legal actions only", "table, legal actions only", nothing),
        ("mask, observation", "raw_env()", as_arrays),
        ("mask, observation (lists)", "raw_env()", as_lists),
    ):
        report("spades", mode, like, measure(lambda see=see: play_deal(see), asked), "open_spiel")
    environment = rl_environment.Environment("spades", include_full_state=False)
    report("spades", "rl_environment", "env()", measure(lambda: environment_deal(environment), asked), "open_spiel")


if __name__ == "__main__":
    main()
