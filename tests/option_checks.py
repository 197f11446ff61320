"""What the option tests of every game check in the same way."""

import itertools

import numpy as np

import card_envs
from card_envs.game import OptionError


def check_matters(case, outcomes: dict) -> None:
    """Every value of the option leads to the outcome given for it, and no two values to the same."""
    assert {value: case(value) for value in outcomes} == outcomes
    different = [outcome for place, outcome in enumerate(outcomes.values()) if outcome not in list(outcomes.values())[:place]]
    assert len(different) == len(outcomes), "two values come to the same"


def check_pairs(game, first: str, options: list[str], other_values, *, tables: int, steps: int, preset: str = "seed") -> None:
    """The option beside every later one: refused with a reason, or played for some random steps, always with a legal action.

    other_values: option name -> its values to try beside the default.
    """
    for second in options[options.index(first) + 1 :]:
        for values in itertools.product(other_values(first), other_values(second)):
            pair = dict(zip((first, second), values))
            try:
                vec = card_envs.make_vec(game.name, tables, preset=preset, seed=1, observation="none", **pair)
            except OptionError as refused:
                assert len(str(refused)) > 20
                continue
            view = vec.reset()
            for salt in range(steps):
                assert view.action_mask.any(axis=1).all(), pair
                view = vec.step(vec.random_actions(salt))
            assert np.isfinite(view.rewards).all()
