"""The checkers of PettingZoo, Gymnasium and Stable-Baselines3 pass for every preset and player count of every game."""

from __future__ import annotations

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

import card_envs
from card_envs.envs import aec
from card_envs.games import load

# Every dict observation raises these two (PettingZoo's own games with masks too): PettingZoo issue 1117 has the background.
DICT_OBSERVATION = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)


def tables():
    """(game, preset, players) for every count that a preset is meant for."""
    for name in card_envs.games():
        game = load(name)
        for preset in game.presets:
            for players in game.player_counts[preset]:
                yield pytest.param(name, preset, players, id=f"{name}-{preset}-{players}")


@pytest.fixture
def only_known_warnings():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    unknown = [str(warning.message) for warning in caught if not str(warning.message).startswith(DICT_OBSERVATION)]
    assert unknown == []


@pytest.mark.parametrize(("game", "preset", "players"), list(tables()))
def test_pettingzoo_checkers(game, preset, players, only_known_warnings, capsys):
    settings = {"preset": preset, "num_players": players}
    api_test(aec.env(game, **settings), num_cycles=15)
    seed_test(lambda: aec.env(game, **settings), num_cycles=15)
    render_test(lambda render_mode=None: aec.env(game, render_mode=render_mode, **settings))
    parallel_api_test(aec.parallel_env(game, **settings), num_cycles=30)


@pytest.mark.parametrize("game", card_envs.games())
def test_checkers_in_a_shared_form(game, only_known_warnings):
    form = {"pad_seats": 7, "relabel_trump": True}
    api_test(aec.env(game, **form), num_cycles=60)
    parallel_api_test(aec.parallel_env(game, **form), num_cycles=60)
    env = gymnasium.make(f"card_envs/{game.capitalize()}-v1", others="random", illegal="random_legal", episode="deal", **form)
    gymnasium_check(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize(("game", "preset", "players"), list(tables()))
def test_single_seat_checkers(game, preset, players, only_known_warnings):
    from stable_baselines3.common.env_checker import check_env as sb3_check

    settings = {"preset": preset, "num_players": players, "others": "random", "illegal": "random_legal", "episode": "deal"}
    env = gymnasium.make(f"card_envs/{game.capitalize()}-v1", **settings)
    gymnasium_check(env.unwrapped, skip_render_check=True)
    sb3_check(env, skip_render_check=True)
