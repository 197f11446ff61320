"""Checkpoints: going on exactly, and refusing what does not fit."""

import dataclasses
import json
import shutil

import pytest
import torch
from safetensors.torch import load_file

from training.checkpoint import CheckpointError, RunDirectory, load_policy
from training.learner import Learner
from training.processes import Processes
from training.train import train


@pytest.fixture(scope="module")
def finished(toy, tmp_path_factory):
    """A run of six iterations with checkpoints after three and six."""
    config = toy(run_dir=str(tmp_path_factory.mktemp("runs") / "whole"))
    return config, train(config, None, Processes())


def killed_after_three(run, tmp_path) -> RunDirectory:
    """The run as a kill during its fifth iteration leaves it: metrics are ahead of the last checkpoint."""
    path = tmp_path / "killed"
    shutil.copytree(run.path, path)
    shutil.rmtree(path / "checkpoints" / "000006")
    lines = (path / "metrics.jsonl").read_text().splitlines()
    (path / "metrics.jsonl").write_text("\n".join(lines[:4]) + "\n")
    return RunDirectory(path)


def test_a_killed_run_goes_on_as_if_nothing_had_happened(finished, tmp_path):
    """S44: weights, optimiser, generators, tables and metrics of 3 + 3 iterations are those of 6, bit by bit."""
    config, whole = finished
    resumed = train(config, killed_after_three(whole, tmp_path), Processes())
    for one, other in ((whole, resumed), (resumed, whole)):
        weights, others = (load_file(run.latest() / "policy.safetensors") for run in (one, other))
        assert all(torch.equal(weights[name], others[name]) for name in weights)
    trainers = [torch.load(run.latest() / "trainer.pt", weights_only=True) for run in (whole, resumed)]
    adam, other_adam = (trainer["shared"]["optimizer"]["state"] for trainer in trainers)
    assert all(torch.equal(adam[key]["exp_avg_sq"], other_adam[key]["exp_avg_sq"]) for key in adam)
    assert torch.equal(*(trainer["own"][0]["generator"] for trainer in trainers))
    assert trainers[0]["own"][0]["vec"] == trainers[1]["own"][0]["vec"]
    assert curves(resumed) == curves(whole)
    assert [line["iteration"] for line in curves(resumed)] == [1, 2, 3, 4, 5, 6]


def curves(run) -> list[dict]:
    """The metrics without those that are times."""
    return [{name: value for name, value in line.items() if "second" not in name} for line in run.read_metrics()]


def test_another_seed_is_another_run(toy, tmp_path, finished):
    _, run = finished
    other = train(toy(run_dir=str(tmp_path / "other"), seed=2), None, Processes())
    weights, others = (load_file(one.latest() / "policy.safetensors") for one in (run, other))
    assert not torch.equal(weights["input.weight"], others["input.weight"])


def test_a_run_does_not_write_over_another(finished):
    config, _ = finished
    with pytest.raises(CheckpointError, match="already holds a run: --resume it"):
        train(config, None, Processes())


def test_resuming_with_another_number_of_processes_is_refused(finished):
    config, run = finished
    two = Processes()
    two.count = 2
    learner = Learner(config, rank=0)
    from training.train import restore

    with pytest.raises(CheckpointError, match="written by 1 processes, this run has 2"):
        restore(learner, run, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda learner: setattr(learner.vec.layout, "hash", "toy-2"), r"_schema 'toy-1', this run has 'toy-2'"),
        (lambda learner: setattr(learner.vec.game, "name", "marbles"), r"game 'toy', this run has 'marbles'"),
        (lambda learner: setattr(learner.policy, "num_inputs", 99), r"network {.*56.*}, this run has {.*99.*}"),
    ],
)
def test_weights_for_something_else_are_refused(finished, monkeypatch, change, message):
    config, run = finished
    learner = Learner(config, rank=0)
    for part in (learner.vec.layout, learner.vec.game):
        for name, value in vars(part).items():
            monkeypatch.setattr(part, name, value)  # the toy shares them: put back what `change` alters
    change(learner)
    with pytest.raises(CheckpointError, match=message):
        load_policy(run.latest(), learner)


def test_a_checkpoint_says_what_it_is(finished):
    config, run = finished
    stored = json.loads((run.latest() / "policy.json").read_text())
    assert stored["format"] == "card-envs-policy/2"
    assert stored["network"] == {"kind": "residual_mlp", "inputs": 56, "hidden": 32, "blocks": 1, "actions": 56}
    assert stored["decisions"] == config.total_decisions
    assert json.loads((run.path / "config.json").read_text()) == json.loads(json.dumps(dataclasses.asdict(config)))


def test_the_report_is_one_file(finished):
    _, run = finished
    page = (run.path / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 2
    assert "http://" not in page and "https://" not in page
