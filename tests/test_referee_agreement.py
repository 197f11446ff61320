"""The kernels against the referee: the same random deals, compared at every decision and after every deal.

A game plugs in by its adapter (`tests/referee/<game>_adapter.py`). The full size, on two processes, takes some minutes a game:

    CARD_ENVS_REFEREE_DEALS=20000 python -m pytest tests/test_referee_agreement.py -n 2 --dist worksteal
"""

import os
import random

import pytest

from card_envs.games import GAMES
from tests.referee import pit_adapter, pitch_adapter, spades_adapter
from tests.referee.agreement import play_matches, random_rules

DEALS = int(os.environ.get("CARD_ENVS_REFEREE_DEALS", 150))  # for each preset
PARTS = 2  # of a preset's deals, so that processes can share them
DEALS_A_MIX = 5  # for each random set of options
ADAPTERS = {adapter.GAME.name: adapter for adapter in (pitch_adapter, spades_adapter, pit_adapter)}
PRESETS = [(game, preset) for game, adapter in ADAPTERS.items() for preset in adapter.GAME.presets]


def test_every_game_has_a_referee():
    assert set(ADAPTERS) == set(GAMES)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game, preset", PRESETS)
def test_presets_agree(game, preset, part):
    adapter, choose = ADAPTERS[game], random.Random(f"{game} {preset} {part}")
    counts = adapter.GAME.player_counts[preset]
    for num_players in counts:
        rules = adapter.GAME.rules(preset, num_players=num_players)
        play_matches(adapter, rules, -(-DEALS // PARTS // len(counts)), choose)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", ADAPTERS)
def test_random_options_agree(game, part):
    adapter, choose = ADAPTERS[game], random.Random(f"{game} options {part}")
    for _ in range(-(-DEALS // PARTS // DEALS_A_MIX)):
        play_matches(adapter, random_rules(adapter, choose), DEALS_A_MIX, choose)
