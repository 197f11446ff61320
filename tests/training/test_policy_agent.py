"""The NumPy runner of a trained network."""

import types

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from card_envs.agents import Views, legal_flags
from card_envs.agents.policy import PolicyAgent, read_safetensors
from training.config import NetworkConfig
from training.policy import Policy

WIDTH, NUM_ACTIONS = 200, 64
LAYOUT = types.SimpleNamespace(spread=lambda words: words.astype(np.uint8))  # words are taken for the vector itself


@pytest.fixture
def policy():
    torch.manual_seed(3)
    policy = Policy(WIDTH, NUM_ACTIONS, NetworkConfig(hidden=64, blocks=2))
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=0.2)  # norms that differ from 1 and 0 too
    return policy


@pytest.fixture
def agent(policy, tmp_path):
    save_file(policy.state_dict(), tmp_path / "policy.safetensors")
    return PolicyAgent(read_safetensors(tmp_path / "policy.safetensors"), LAYOUT)


def random_views(rows: int):
    random = np.random.default_rng(0)
    legal = random.integers(1, 2**40, size=(rows, 1)) << random.integers(0, 24, size=(rows, 1))
    return Views(words=random.integers(0, 2, size=(rows, WIDTH)), legal=legal)


def test_it_agrees_with_the_network(policy, agent):
    views = random_views(500)
    mask = legal_flags(views.legal)[:, :NUM_ACTIONS]
    choice, value = policy(torch.from_numpy(views.words), torch.from_numpy(mask))
    assert np.abs(agent.forward(views.words)[1] - value.detach().numpy()).max() <= 1e-4
    assert np.abs(agent.probabilities(views.words, mask) - choice.probs.detach().numpy()).max() <= 1e-4
    assert (agent.act_batch(views) == choice.mode().numpy()).mean() > 0.99  # ties within rounding may fall either way


@pytest.mark.parametrize("greedy", [True, False])
def test_it_never_plays_an_illegal_action(agent, greedy):
    """S20."""
    agent.greedy = greedy
    views = random_views(5000)
    mask = legal_flags(views.legal)[:, :NUM_ACTIONS]
    assert mask[np.arange(5000), agent.act_batch(views)].all()


def test_the_same_views_twice_are_played_the_same(agent):
    """S25: nothing of training (drop-out, running statistics) is left in play."""
    views = random_views(100)
    assert (agent.act_batch(views) == agent.act_batch(views)).all()


def test_one_view_or_many(agent):
    views = random_views(3)
    assert agent.act(Views(views.words[2], views.legal[2])) == agent.act_batch(views)[2]


def test_an_empty_row_is_refused(agent):
    views = random_views(3)
    views.legal[1] = 0
    with pytest.raises(ValueError, match="row 1: no action is legal"):
        agent.act_batch(views)
