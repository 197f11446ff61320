"""RLCard: the environment conforms, its own agents play and learn in it, ours sit beside them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import card_envs
from card_envs.conformance import check
from card_envs.games import load
from tests.adapters_of_faces import moment_of_one

pytest.importorskip("rlcard", reason="RLCard is not installed: pip install 'card-envs[rlcard]'")

import torch
from rlcard.agents import DQNAgent, NFSPAgent, RandomAgent
from rlcard.utils import reorganize, set_seed, tournament

from card_envs.adapters.rlcard import RLCardAgent, RLCardEnv, Seated
from card_envs.arena import duplicate


class OfRLCard:
    """Driven as `Env.run` does, which reads the payoffs of the whole episode when it is over; here they are read all along."""

    num_tables, others = 1, None

    def __init__(self, game, **settings):
        self.env = RLCardEnv(game, **settings)
        self.seats = range(self.env.num_players)

    @property
    def illegal_count(self):
        return self.env.table.illegal_count

    def reset(self, seed=None):
        if seed is not None:
            self.env.seed(seed)
        self.known = np.zeros(len(self.seats))
        return self.moment(*self.env.reset())

    def step(self, actions):
        return self.reset() if self.env.is_over() else self.moment(*self.env.step(int(actions[0])))

    def moment(self, state, seat):
        over, cut, mask = self.env.is_over(), self.env.table.truncated, np.zeros(self.env.num_actions, np.int8)
        mask[list(state["legal_actions"])] = 1
        rewards, self.known = self.env.get_payoffs() - self.known, self.env.get_payoffs()
        return moment_of_one(seat, mask, state["obs"], rewards, over and not cut, over and cut, over)

    def close(self):
        pass


@pytest.fixture(autouse=True)
def seeded():
    """RLCard's agents draw from global generators."""
    set_seed(1)


@pytest.mark.parametrize("game", card_envs.games())
def test_it_conforms(game):
    assert check(OfRLCard, game, deals=1000).terminated >= 1000


@pytest.mark.parametrize("game", card_envs.games())
def test_payoffs_are_all_that_the_episode_earned(game):
    env, table = RLCardEnv(game, seed=3), RLCardEnv(game, seed=3).table
    env.set_agents([RandomAgent(env.num_actions)] * env.num_players)
    for _ in range(20):
        trajectories, payoffs = env.run()
        table.reset()
        paid = sum(table.step(action) for _, action in env.action_recorder)
        assert table.ended and payoffs.tolist() == paid.tolist()
        for seat, transitions in enumerate(reorganize(trajectories, payoffs)):
            earned = [reward for _, _, reward, _, _ in transitions]
            assert earned == [0] * (len(earned) - 1) + [payoffs[seat]]
            for state, action, _, after, done in transitions:
                assert action in state["legal_actions"] and bool(after["legal_actions"]) != done


def test_a_state_is_about_one_seat():
    """The seats that do not act have no legal actions, and see their own cards only."""
    env = RLCardEnv("pitch", seed=1)
    state, turn = env.reset()
    for seat in range(env.num_players):
        shown = env.get_state(seat)
        assert shown["obs"].tolist() == env.table.layout.spread(env.table.words(seat)).tolist()
        assert bool(shown["legal_actions"]) == bool(shown["raw_legal_actions"]) == (seat == turn)
    assert state["raw_legal_actions"] == env.table.legal_names()
    assert list(state["legal_actions"]) == env.table.legal_actions()


def test_a_step_back_undoes_an_action():
    env = RLCardEnv("spades", seed=1, allow_step_back=True)
    state, turn = env.reset()
    assert env.step_back() is False
    while not env.is_over():
        env.step(env.table.legal_actions()[-1])
    while env.action_recorder:
        back, player = env.step_back()
    assert player == turn and not env.get_payoffs().any()
    assert back["obs"].tolist() == state["obs"].tolist() and back["legal_actions"] == state["legal_actions"]
    with pytest.raises(Exception, match="Step back is off"):
        RLCardEnv("spades").step_back()


def test_a_seed_names_the_episodes():
    first, second, other = RLCardEnv("pit", seed=5), RLCardEnv("pit"), RLCardEnv("pit", seed=6)
    second.seed(5)
    starts = [env.reset()[0]["obs"].tolist() for env in (first, second, other)]
    assert starts[0] == starts[1] != starts[2]
    assert pickle.loads(pickle.dumps(first)).reset()[0]["obs"].tolist() == first.reset()[0]["obs"].tolist()


@pytest.mark.parametrize("learner", [DQNAgent, NFSPAgent])
def test_its_agents_learn_and_make_no_illegal_action(learner, capsys):
    env = RLCardEnv("pitch", seed=1)
    layers = {"mlp_layers": [32]} if learner is DQNAgent else {"hidden_layers_sizes": [32], "q_mlp_layers": [32]}
    agent = learner(num_actions=env.num_actions, state_shape=env.state_shape[0], device=torch.device("cpu"), **layers)
    env.set_agents([agent, Seated("basic", env), agent, Seated("expert", env)])
    for _ in range(60):
        if learner is NFSPAgent:
            agent.sample_episode_policy()
        for transition in reorganize(*env.run(is_training=True))[0]:
            agent.feed(transition)
    assert agent.total_t > 300 and env.table.illegal_count == 0
    capsys.readouterr()
    assert len(tournament(env, 5)) == 4
    game = load("pitch")
    rules = game.rules()
    assert duplicate(game, rules, RLCardAgent(agent, game, rules), RLCardAgent(agent, game, rules), 20, seed=1).illegal == 0


def test_our_agents_play_in_it_as_in_the_arena():
    """The rule bot over random play, by RLCard's own tournament."""
    env = RLCardEnv("pitch", seed=1)
    env.set_agents([Seated("basic", env), RandomAgent(env.num_actions)] * 2)
    payoffs = tournament(env, 300)
    assert payoffs[0] == payoffs[2] > 1 > 0 > payoffs[1]
