"""Lessons before self-play: on the toy game, whose teacher plays its highest card, and on the engine."""

import dataclasses

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from card_envs.agents import legal_flags
from training.checkpoint import RunDirectory
from training.config import Config, ConfigError, build
from training.learner import Learner
from training.ppo import distance_to_magnet
from training.processes import Processes
from training.rollout import to_batch
from training.teaching import collect_lessons, imitate, teacher_views
from training.train import train

SMALL = {
    "game": "pitch",
    "num_players": 4,
    "num_envs": 64,
    "num_steps": 32,
    "total_decisions": 6 * 64 * 32,
    "checkpoint_every": 2,
    "precision": "float32",  # of all processors alike
    "network": {"hidden": 32, "blocks": 1},
    "ppo": {"num_minibatches": 4, "update_epochs": 1, "magnet_coef": [0.2, 0.0]},
    "teacher": {"agent": "expert", "decisions": 4 * 64 * 32},
    "evaluate": {"opponents": ["random"], "deals": 50, "final_deals": 50},
}


def config(**settings) -> Config:
    return build(Config, SMALL | settings)


@pytest.fixture(scope="module")
def learner():
    ppo = {"num_minibatches": 16, "update_epochs": 1}
    return Learner(config(num_envs=256, num_steps=64, ppo=ppo), rank=0)


def lesson(learner):
    with torch.inference_mode():
        collect_lessons(learner)
    return to_batch(learner.rollout, 1.0, 1.0)


def test_the_teacher_is_asked_with_what_its_seat_sees(learner):
    """Bits and legal actions are those that agents get: the vector and the mask, packed."""
    view = learner.view
    views = teacher_views(learner.vec, view.observation, view.action_mask)
    assert (learner.vec.layout.spread(views.words) == view.observation).all()
    assert (legal_flags(views.legal)[:, : learner.vec.num_actions] == view.action_mask).all()


def test_lessons_hold_the_teachers_choices_though_some_others_are_played(learner):
    lesson(learner)
    rollout = learner.rollout
    for t in (0, 40):
        views = teacher_views(learner.vec, rollout.observation[t].numpy(), rollout.action_mask[t].numpy())
        assert (learner.teacher.act_batch(views) == rollout.action[t].numpy()).all()


def test_a_policy_comes_to_choose_as_its_teacher(learner):
    shares = [imitate(learner, lesson(learner), 3e-3, Processes())["play/agreement"] for _ in range(12)]
    assert shares[0] < 0.6
    assert shares[-1] > 0.68


def test_the_magnet_is_the_policy_as_it_was_taught(learner):
    batch = lesson(learner)
    learner.finish_lessons()
    choice, _ = learner.policy(batch.observation, batch.action_mask)
    assert distance_to_magnet(choice, learner, batch).item() == pytest.approx(0, abs=1e-5)
    with torch.no_grad():
        learner.policy.action_head.bias += torch.linspace(-1, 1, learner.vec.num_actions)
    choice, _ = learner.policy(batch.observation, batch.action_mask)
    distance = distance_to_magnet(choice, learner, batch).item()
    assert distance > 0.001
    expected = np.mean([kl(*pair) for pair in zip(choice.probs.tolist(), magnet_probs(learner, batch), strict=True)])
    assert distance == pytest.approx(expected, rel=1e-3)


def magnet_probs(learner, batch) -> list:
    with torch.no_grad():
        return learner.magnet(batch.observation, batch.action_mask)[0].probs.tolist()


def kl(own: list[float], other: list[float]) -> float:
    return sum(p * (np.log(p) - np.log(q)) for p, q in zip(own, other, strict=True) if p > 0)


def test_a_run_with_lessons_goes_on_exactly(tmp_path):
    """Killed after a lesson and after self-play began: the same weights in the end, the magnet's too."""
    whole = train(config(run_dir=str(tmp_path / "whole")), None, Processes())
    lines = whole.read_metrics()
    assert ["play/agreement" in line for line in lines] == [True] * 4 + [False] * 2
    assert [line["magnet_coef"] for line in lines[4:]] == pytest.approx([0.2, 0.1])
    for stopped in (2, 4):
        part = train(config(run_dir=str(tmp_path / f"part{stopped}")), None, Processes())
        for checkpoint in part.checkpoints.iterdir():
            if int(checkpoint.name) > stopped:
                (checkpoint / "policy.json").unlink()
                checkpoint.rename(checkpoint.with_suffix(".gone"))
        resumed = train(dataclasses.replace(config(), run_dir=str(part.path)), RunDirectory(part.path), Processes())
        weights, others = (load_file(run.latest() / "policy.safetensors") for run in (whole, resumed))
        assert all(torch.equal(weights[name], others[name]) for name in weights)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"teacher": {"agent": "expert"}}, "teacher.agent and teacher.decisions: either both are set, or neither"),
        ({"teacher": {"decisions": 5}}, "teacher.agent and teacher.decisions"),
        ({"env": {"pad_seats": 4}}, "agents read plain observations"),
        ({"teacher": {}}, "ppo.magnet_coef: the magnet is the policy as it was taught"),
    ],
)
def test_lessons_that_cannot_be_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        config(**settings)
