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
from training.processes import derive_seed
from training.train import main


def test_seeds_of_different_purposes_and_processes_differ():
    kinds = itertools.product(range(20), ("deals", "actions"), range(4))
    assert len({derive_seed(*kind) for kind in kinds}) == 20 * 2 * 4


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

TWO_PROCESSES = """
import dataclasses
import sys
from pathlib import Path
import torch
from training.checkpoint import RunDirectory
from training.config import load_config
from training.learner import Learner
from training.ppo import Coefficients, update
from training.processes import Processes
from training.rollout import collect, to_batch
from training.train import train

settings, place = sys.argv[1:]
config = dataclasses.replace(load_config(settings), run_dir=place)
with Processes() as processes:
    learner = Learner(config, processes.rank)
    with torch.inference_mode():
        collect(learner)
    update(learner, to_batch(learner.rollout, 1.0, 0.95), Coefficients(1e-3, 0.0, 0.0), processes)
    weights = processes.gather(learner.policy.state_dict())
    hands = processes.gather(learner.rollout.observation[0])
    if processes.rank == 0:
        assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
        assert not torch.equal(*hands)

    train(config, None, processes)
    processes.share("the first process has written its last checkpoint")
    train(dataclasses.replace(config, total_decisions=8192), RunDirectory(place), processes)

threads = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]  # none where there is no /proc
assert not any("gloo" in name for name in threads), threads
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def test_two_processes_train_one_policy_on_different_deals(tmp_path, small):
    """Two iterations of two processes on the engine, two more from their checkpoint; then the policy is an agent."""
    script, place = tmp_path / "two.py", tmp_path / "run"
    script.write_text(TWO_PROCESSES)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [*torchrun, str(script), str(small), str(place)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = RunDirectory(place).read_metrics()
    assert [line["decisions"] for line in lines] == [2048, 4096, 6144, 8192]
    assert all(margin["illegal"] == 0 for line in (lines[1], lines[3]) for margin in line["evaluation"].values())

    game = load_game("pitch")
    rules = game.rules("seed", num_players=4)
    agent = agents.load(place, game, rules)
    assert arena.duplicate(game, rules, agent, agent, 50, 1).mean == 0
    with pytest.raises(AgentError, match=r"trained for rules {'low_to': 'taker'}, and was asked to play .*'holder'"):
        agents.load(place, game, game.rules("seed", num_players=4, low_to="holder"))


def test_a_config_with_two_processes_starts_them_under_torchrun(small, monkeypatch):
    started = []
    monkeypatch.setattr(subprocess, "call", lambda command, env: started.append(command) or 0)
    assert main([str(small), "--seed", "3"]) == 0
    assert started[0][-6:] == ["2", "-m", "training.train", str(small), "--seed", "3"]


def test_a_wrong_opponent_is_refused_at_once(small, tmp_path, capsys):
    arguments = [str(small), "--processes", "1", "--evaluate.opponents", "['basics']", "--run_dir", str(tmp_path / "run")]
    assert main(arguments) == 2
    assert "no agent 'basics' (did you mean 'basic'?)" in capsys.readouterr().err
