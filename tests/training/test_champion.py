"""Champions: a trained policy becomes one, is found by name, and plays as well as its card says."""

import json

import pytest

from card_envs import agents, arena
from card_envs.agents import AgentError, champions
from card_envs.games import GAMES
from card_envs.games import load as load_game
from training.champion import main, measure
from training.config import Config, build
from training.processes import Processes, derive_seed
from training.train import train

SHIPPED = [(name, folder, card) for name in GAMES for folder, card in champions.cards(load_game(name)).items()]
DEALS = 400


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    settings = {
        "game": "pitch",
        "num_players": 2,
        "num_envs": 64,
        "num_steps": 32,
        "total_decisions": 20 * 64 * 32,
        "network": {"hidden": 32, "blocks": 1},
        "evaluate": {"opponents": ["random"], "deals": 100, "final_deals": 100},
        "run_dir": str(tmp_path_factory.mktemp("runs") / "run"),
    }
    return train(build(Config, settings), None, Processes())


def test_a_run_becomes_the_champion_for_its_rules(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(champions, "place", lambda game: tmp_path / game.name)
    game = load_game("pitch")
    two, four = (game.rules("seed", num_players=count) for count in (2, 4))
    with pytest.raises(AgentError, match=r"no champion was trained .* there are: none"):
        agents.load("champion", game, two)
    assert main([str(run.path), "--deals", "300", "--matches", "20", "--opponents", "random,basic"]) == 0
    assert "over random" in capsys.readouterr().out
    card = json.loads((tmp_path / "pitch" / "seed-2p" / "policy.json").read_text())
    assert card["config"]["total_decisions"] == 20 * 64 * 32
    assert card["arena"]["random"]["low"] > 0

    seed = arena.HELD_OUT_SEEDS[0]
    again = arena.duplicate(game, two, agents.load("champion", game, two), agents.load("basic", game, two), 300, seed)
    assert round(again.mean, 4) == card["arena"]["basic"]["mean"]
    with pytest.raises(AgentError, match="by preset and number of players there are: seed-2p"):
        agents.load("champion", game, four)


def test_a_run_that_is_not_there_is_named(tmp_path, capsys):
    assert main([str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err


def test_training_cannot_draw_the_deals_that_are_held_out():
    """Its seeds are numbers of 32 bits, which the held-out ones are not."""
    seeds = {derive_seed(seed, "training deals", rank) for seed in range(300) for rank in range(4)}
    assert max(seeds) < arena.HELD_OUT_SEEDS.start


@pytest.mark.parametrize(("game", "folder", "card"), SHIPPED, ids=[f"{name}-{folder.name}" for name, folder, _ in SHIPPED])
def test_a_shipped_champion_is_as_strong_as_its_card_says(game, folder, card):
    """On some of the same deals: the intervals overlap, and nothing illegal is tried."""
    found = load_game(game)
    rules = type(found.rules("seed"))(**card["rules"][0])
    assert champions.find(found, rules) == folder
    for opponent in ("basic", "expert"):
        result, stored = measure(found, rules, folder, opponent, DEALS, 0), card["arena"][opponent]
        assert result["illegal"] == stored["illegal"] == 0
        assert result["low"] < stored["high"] and stored["low"] < result["high"]
