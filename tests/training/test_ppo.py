"""Collecting and the update, on the toy game."""

import pytest
import torch

from training.learner import Learner
from training.policy import autocast
from training.ppo import Coefficients, clipped_loss, explained_variance, normalise_by_phase, update
from training.processes import Processes
from training.rollout import call_counts, collect, to_batch
from training.train import train


@pytest.fixture
def learner(toy):
    return Learner(toy(), rank=0)


def collected(learner):
    with torch.inference_mode():
        collect(learner)
    return to_batch(learner.rollout, gamma=1.0, gae_lambda=0.95)


def test_ratio_is_one_right_after_collecting(learner):
    """S21: the update masks as the rollout did, so before any step nothing has changed."""
    batch = collected(learner)
    choice, value = learner.policy(batch.observation, batch.action_mask)
    ratio = (choice.log_prob(batch.action) - batch.log_prob).exp()
    assert (ratio - 1).abs().max() < 1e-5
    assert torch.allclose(value, batch.value, atol=1e-5)


def test_rewards_stay_with_the_step_that_earned_them(learner):
    """S40: the toy's deals have eight turns, cards from the fifth on; rewards come with the eighth and sum to zero."""
    collected(learner)
    rollout = learner.rollout
    last_turn = torch.arange(20) % 8 == 7
    assert (rollout.done == last_turn[:, None]).all()
    assert (rollout.rewards[~last_turn] == 0).all()
    assert (rollout.rewards.sum(-1) == 0).all()
    cards = rollout.action[4:8]
    gain = torch.sign((cards % 13)[[0, 2]].sum(0) - (cards % 13)[[1, 3]].sum(0))
    assert (rollout.rewards[7, :, 0] == gain).all()


def test_every_trained_decision_was_taken(learner):
    """S40: 20 steps are two deals and the calls of a third, whose seats do not act again: 16 of 20 are trained on."""
    batch = collected(learner)
    assert len(batch) == 16 * learner.vec.num_envs
    assert (batch.action_mask.gather(1, batch.action[:, None]) == 1).all()
    assert batch.is_call.float().mean() == 0.5


def test_a_second_rollout_goes_on_where_the_first_stopped(learner):
    collected(learner)
    collected(learner)
    assert (learner.rollout.done == (torch.arange(20, 40) % 8 == 7)[:, None]).all()


def test_calls_are_counted_by_name(learner):
    collected(learner)
    counts = call_counts(learner.rollout, learner.vec.action_names)
    assert list(counts) == ["pass", "bid 1"]
    assert sum(counts.values()) == 12 * learner.vec.num_envs


def test_advantages_are_normalised_for_calls_and_cards_apart():
    is_call = torch.tensor([True, True, False, False, False])
    normalised = normalise_by_phase(torch.tensor([100.0, 300.0, 1.0, 2.0, 3.0]), is_call)
    # calls: mean 200, deviation 141.42 -> -+0.7071; cards: mean 2, deviation 1 -> -1, 0, 1
    assert normalised.tolist() == pytest.approx([-0.7071, 0.7071, -1, 0, 1], abs=1e-4)


def test_the_clipped_loss_takes_the_pessimistic_side():
    log_ratio = torch.tensor([1.5, 1.5, 0.5, 0.5]).log()
    advantage = torch.tensor([1.0, -1.0, 1.0, -1.0])
    # ratio 1.5: a good action counts 1.2 at most, a bad one in full
    # ratio 0.5: a good action counts in full, a bad one 0.8 at least
    assert clipped_loss(log_ratio, advantage, 0.2).tolist() == pytest.approx([-1.2, 1.5, -0.5, 0.8])


def test_explained_variance():
    target = torch.tensor([1.0, 2.0, 3.0])
    assert explained_variance(target, target) == 1
    assert explained_variance(torch.zeros(3), target) == 0


def test_schedules_go_from_start_to_end(learner):
    halfway = Coefficients.at(0.5, learner.config.ppo)
    assert (halfway.learning_rate, halfway.play_ent_coef) == pytest.approx((0.5e-3, 0.0275))


def test_an_update_stops_at_the_target_kl(toy):
    learner = Learner(toy(ppo={"num_minibatches": 4, "update_epochs": 5, "target_kl": 1e-6}), rank=0)
    batch = collected(learner)
    metrics = update(learner, batch, Coefficients(1e-2, 0.0, 0.0), Processes())
    # the first minibatch has KL 0 and makes a step, which the second one sees
    assert metrics["minibatches"] == 1


def test_bfloat16_collects_and_learns(toy):
    """Weights, log-probabilities and values stay float32; ratios start at 1 within what bfloat16 can tell apart."""
    learner = Learner(toy(precision="bfloat16"), rank=0)
    with torch.inference_mode(), autocast("bfloat16"):
        collect(learner)
    batch = to_batch(learner.rollout, 1.0, 0.95)
    with autocast("bfloat16"):
        choice, value = learner.policy(batch.observation, batch.action_mask)
    assert (choice.log_probs.dtype, value.dtype) == (torch.float32, torch.float32)
    assert ((choice.log_prob(batch.action) - batch.log_prob).exp() - 1).abs().max() < 1e-2
    before = learner.policy.input.weight.clone()
    update(learner, batch, Coefficients(1e-3, 0.0, 0.0), Processes())
    assert learner.policy.input.weight.dtype == torch.float32
    assert not torch.equal(learner.policy.input.weight, before)


def test_a_diverged_run_says_so(learner):
    batch = collected(learner)
    batch.advantage[3] = float("nan")
    with pytest.raises(FloatingPointError, match="diverged"):
        update(learner, batch, Coefficients(1e-3, 0.0, 0.0), Processes())


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
