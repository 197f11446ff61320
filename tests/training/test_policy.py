"""The masked choice of actions and the network."""

import inspect
import math

import pytest
import torch

from training.config import NetworkConfig
from training.policy import MaskedCategorical, Policy

DTYPES = (torch.float32, torch.bfloat16)


def random_mask(rows: int, num_actions: int) -> torch.Tensor:
    mask = torch.rand(rows, num_actions) < 0.3
    mask[torch.arange(rows), torch.randint(num_actions, (rows,))] = True
    return mask


@pytest.mark.parametrize("dtype", DTYPES)
def test_masking_again_and_again_keeps_probabilities_exact(dtype):
    """S17: rounding must not add up to a distribution that some check refuses."""
    torch.manual_seed(0)
    for repeat in range(2000):
        spread = 10 ** (6 * torch.rand(()) - 3)
        choice = MaskedCategorical((torch.randn(1, 1000) * spread).to(dtype), random_mask(1, 1000))
        again = MaskedCategorical(choice.log_probs.to(dtype), ~choice.illegal)
        for probs, illegal in ((choice.probs, choice.illegal), (again.probs, choice.illegal)):
            assert probs.sum() == pytest.approx(1.0, abs=1e-5)
            assert (probs[illegal] == 0).all(), repeat


@pytest.mark.parametrize("dtype", DTYPES)
def test_illegal_actions_are_never_drawn(dtype):
    """S22: a million draws where every legal logit is far below the illegal ones."""
    torch.manual_seed(0)
    mask = random_mask(10_000, 16)
    logits = torch.where(mask, -1e9, 1e3).to(dtype)
    choice = MaskedCategorical(logits, mask)
    rows = torch.arange(10_000)
    for _ in range(100):
        assert mask[rows, choice.sample()].all()
    assert mask[rows, choice.mode()].all()


def test_entropy_counts_legal_actions_only():
    """S22: two equal legal actions of 64 have ln 2 nats, whatever the logits of the others."""
    mask = torch.zeros(1, 64)
    mask[0, [3, 60]] = 1
    logits = torch.full((1, 64), 50.0)
    logits[0, [3, 60]] = -50.0
    assert MaskedCategorical(logits, mask).entropy().item() == pytest.approx(math.log(2))


def test_a_lone_legal_action_is_certain():
    mask = torch.zeros(1, 64)
    mask[0, 7] = 1
    choice = MaskedCategorical(torch.randn(1, 64), mask)
    assert (choice.sample().item(), choice.log_prob(torch.tensor([7])).item(), choice.entropy().item()) == (7, 0.0, 0.0)


def test_gradients_stay_finite_at_extreme_logits():
    mask = random_mask(50, 64)
    logits = (torch.randn(50, 64) * 1e4).requires_grad_()
    choice = MaskedCategorical(logits, mask)
    (choice.entropy().sum() + choice.log_prob(choice.mode()).sum()).backward()
    assert logits.grad.isfinite().all()
    assert (logits.grad[~mask] == 0).all()


def test_sampling_follows_the_probabilities():
    """Logits 0, ln 2, ln 5 are odds 1 : 2 : 5; 40,000 draws lie within four standard errors, 4 * 0.0025."""
    mask = torch.tensor([[1, 1, 0, 1]]).expand(40_000, 4)
    logits = torch.tensor([[0.0, math.log(2), 9.0, math.log(5)]]).expand(40_000, 4)
    drawn = MaskedCategorical(logits, mask).sample(torch.Generator().manual_seed(1))
    shares = torch.bincount(drawn, minlength=4) / 40_000
    assert shares.tolist() == pytest.approx([1 / 8, 2 / 8, 0, 5 / 8], abs=0.01)


def test_an_empty_mask_row_is_named():
    """S19."""
    mask = random_mask(256, 64)
    mask[17] = False
    policy = Policy(10, 64, NetworkConfig(hidden=8, blocks=1))
    with pytest.raises(ValueError, match=r"row 17, seat 3: the action mask allows nothing"):
        policy(torch.zeros(256, 10, dtype=torch.uint8), mask, seat=torch.arange(256) % 4 + 2)


def test_no_choice_without_a_mask():
    """S20: the mask is a required argument of everything that yields actions."""
    for function in (Policy.forward, MaskedCategorical.__init__):
        assert inspect.signature(function).parameters["action_mask"].default is inspect.Parameter.empty


def test_a_new_policy_is_almost_uniform_over_legal_actions():
    torch.manual_seed(0)
    mask = random_mask(64, 64)
    choice, _ = Policy(100, 64, NetworkConfig())(torch.randint(0, 2, (64, 100), dtype=torch.uint8), mask)
    assert torch.allclose(choice.entropy(), mask.sum(-1).log(), atol=0.01)
