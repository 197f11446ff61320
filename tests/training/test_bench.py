"""What the trainer's benchmark counts, and that it measures what it says; no figure depends on a clock."""

import json

import pytest

from training import bench
from training.config import NetworkConfig
from training.policy import Policy

SMALL = """
game = "pitch"
num_players = 4
num_envs = 16
num_steps = 16
[network]
hidden = 8
blocks = 1
"""


@pytest.fixture
def config_path(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return str(path)


def test_operations_are_those_of_the_matrices():
    """10 inputs, one block of 4, 3 actions and a value; learned from in two epochs, forward and twice as much backward."""
    policy = Policy(10, 3, NetworkConfig(hidden=4, blocks=1))
    forward = 2 * (10 * 4 + 4 * 4 + 4 * 3 + 4 * 1)
    assert bench.forward_operations(policy) == forward
    assert bench.operations_per_decision(policy, 2) == forward * 7


def test_a_small_measurement(config_path, capsys):
    assert bench.main([config_path, "--rounds", "2", "--json", "--ppo.num_minibatches", "4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["rates"]) == set(found["rates_per_cpu_second"]) == {"matrix", "bare loop", "trainer"}
    assert found["minibatch"] == 64 and found["share_of_matrix_rate"] > 0
    assert found["trainer_to_bare_loop"]["lower_quartile"] <= found["trainer_to_bare_loop"]["median"]
    assert "trainer / bare loop" in bench.text(found)


def test_wrong_words_are_refused(config_path, capsys):
    assert bench.main([config_path, "5"]) == 2
    assert "unknown words 5" in capsys.readouterr().err
    assert bench.main([config_path, "--num_env", "5"]) == 2
    assert "did you mean 'num_envs'" in capsys.readouterr().err
