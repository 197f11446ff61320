"""Whole runs."""

import itertools
import os
import subprocess
import sys

import pytest

from card_envs import agents, arena
from card_envs.agents import AgentError
from card_envs.games import load as load_game
from training.checkpoint import RunDirectory
from training.processes import Processes, derive_seed
from training.train import main, train


def test_training_finds_the_best_play_of_the_toy(toy, tmp_path):
    """The toy's best card is the highest of three; play that follows the cards blindly keeps ln 3 nats."""
    config = toy(
        num_envs=64,
        num_steps=32,
        total_decisions=64 * 32 * 30,
        checkpoint_every=100,
        run_dir=str(tmp_path / "run"),
        ppo={"num_minibatches": 4, "update_epochs": 2, "learning_rate": [3e-3, 0.0]},
    )
    lines = train(config, None, Processes()).read_metrics()
    assert lines[0]["play/entropy"] > 1.0
    assert lines[-1]["play/entropy"] < 0.5
    assert lines[-1]["play/explained_variance"] > 0.1


def test_seeds_of_different_purposes_and_processes_differ():
    kinds = itertools.product(range(20), ("deals", "actions"), range(4))
    assert len({derive_seed(*kind) for kind in kinds}) == 20 * 2 * 4


def test_gradients_of_two_processes_are_averaged(tmp_path):
    """Two processes exchange a vector; both get the mean, and the first one gets both items."""
    script = tmp_path / "exchange.py"
    script.write_text(
        "import torch\n"
        "from training.processes import Processes\n"
        "with Processes() as processes:\n"
        "    vector = torch.tensor([1.0, 4.0]) * (processes.rank + 1)\n"
        "    processes.average(vector)\n"
        "    assert vector.tolist() == [1.5, 6.0]\n"
        "    assert processes.gather(processes.rank) == ([0, 1] if processes.rank == 0 else None)\n"
        "    assert processes.share(processes.rank) == 0\n"
    )
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(script)]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr


SMALL = """
game = "pitch"
num_players = 4
num_envs = 32
num_steps = 32
total_decisions = 4096
processes = 2
[network]
hidden = 16
blocks = 1
[evaluate]
opponents = ["random", "basic"]
deals = 50
final_deals = 50
"""


def test_two_processes_train_evaluate_and_resume(tmp_path):
    """Two iterations of two processes on the engine; two more from the checkpoint; then the policy is an agent."""
    settings = tmp_path / "small.toml"
    settings.write_text(SMALL)
    run = tmp_path / "run"
    out = train_command(str(settings), "--run_dir", str(run))
    assert "learned decisions:" in out
    assert "basic" in out
    out = train_command("--resume", str(run), "--total_decisions", "8192")
    assert "4/4" in out
    lines = RunDirectory(run).read_metrics()
    assert [line["decisions"] for line in lines] == [2048, 4096, 6144, 8192]
    assert all(margin["illegal"] == 0 for line in (lines[1], lines[3]) for margin in line["evaluation"].values())

    rules = load_game("pitch").rules("seed", num_players=4)
    agent = agents.load(run, load_game("pitch"), rules)
    assert arena.duplicate(load_game("pitch"), rules, agent, agent, 50, 1).mean == 0
    other = load_game("pitch").rules("seed", num_players=4, low_to="holder")
    with pytest.raises(AgentError, match=r"trained for rules {'low_to': 'taker'}, and was asked to play .*'holder'"):
        agents.load(run, load_game("pitch"), other)


def train_command(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "training.train", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wrong_opponent_is_refused_at_once(tmp_path, capsys):
    settings = tmp_path / "small.toml"
    settings.write_text(SMALL.replace("basic", "basics").replace("processes = 2", ""))
    assert main([str(settings), "--run_dir", str(tmp_path / "run")]) == 2
    assert "no agent 'basics' (did you mean 'basic'?)" in capsys.readouterr().err
