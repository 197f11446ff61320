"""Makes a trained policy the champion for its rules: measures it on the held-out deals and puts it into the package.

python -m training.champion runs/<run> [--deals N] [--opponents basic,expert]
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from card_envs import arena
from card_envs.agents import AgentError, champions, load
from card_envs.agents.policy import find_checkpoint, load_policy
from card_envs.game import Game
from card_envs.games import load as load_game
from training.checkpoint import RunDirectory
from training.config import ConfigError


def crown(run: RunDirectory, opponents: list[str], deals: int, matches: int, say=print) -> Path:
    """Write the policy of a run's best checkpoint, in float16, with its card; returns their folder."""
    config = run.load_config({})
    game = load_game(config.game)
    rules = game.rules(config.preset, num_players=config.num_players, **config.options)
    checkpoint = find_checkpoint(run.path)
    folder = champions.place(game) / f"{config.preset}-{config.num_players}p"
    folder.mkdir(parents=True, exist_ok=True)
    weights = load_file(checkpoint / "policy.safetensors")
    save_file({name: tensor.to(torch.float16) for name, tensor in weights.items()}, folder / "policy.safetensors")
    card = json.loads((checkpoint / "policy.json").read_text(encoding="utf-8"))
    card.pop("evaluation")
    card["config"] = asdict(config)
    card["config"].pop("run_dir")  # a place on the machine that trained it
    write_card(folder, card | {"arena": {}})  # which is what makes it an agent
    results = {}
    for name in opponents:
        results[name] = measure(game, rules, folder, name, deals, matches)
        say(f"champion over {name}: {results[name]}")
    write_card(folder, card | {"arena": results})
    return folder


def measure(game: Game, rules, folder: Path, opponent: str, deals: int, matches: int) -> dict:
    """What `card-envs arena champion OPPONENT --seed N` prints of points and matches, with the first held-out seed."""
    seed = arena.HELD_OUT_SEEDS[0]
    agents = load_policy(folder, game, rules, seed=seed), load(opponent, game, rules, seed + 1)
    result = arena.duplicate(game, rules, *agents, deals, seed, matches=matches)
    found = {"mean": result.mean, "low": result.low, "high": result.high, "deals": deals, "illegal": result.illegal}
    if result.wins:
        found |= {"wins": result.wins.mean, "wins_low": result.wins.low, "wins_high": result.wins.high, "matches": matches}
        found |= {"opponent_alone_wins": result.wins_b, "fair": result.fair}
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in found.items()}


def write_card(folder: Path, card: dict) -> None:
    (folder / "policy.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m training.champion", description=__doc__.splitlines()[0])
    parser.add_argument("run", help="the directory of a finished run")
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--opponents", default="random,basic,expert", help="names of agents, with commas between")
    asked = parser.parse_args(arguments)
    try:
        folder = crown(RunDirectory(asked.run), asked.opponents.split(","), asked.deals, asked.matches)
    except (AgentError, ConfigError, FileNotFoundError) as error:
        print(f"champion: {error}", file=sys.stderr)
        return 2
    print(f"written: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
