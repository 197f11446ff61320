"""Whole runs."""

import itertools
import os
import subprocess
import sys

from training.processes import Processes, derive_seed
from training.train import train


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
