"""OpenSpiel: all games pass its own checks and conform; exact methods run on tiny decks; hidden cards are dealt anew fairly."""

from __future__ import annotations

import collections
import pickle

import numpy as np
import pyspiel
import pytest

import card_envs
from card_envs.adapters import openspiel
from card_envs.adapters.openspiel.tree import as_efg
from card_envs.conformance import check
from card_envs.game import OptionError
from card_envs.games import load
from card_envs.table import Table
from tests.adapters_of_faces import moment_of_one

TINY = {"num_players": 2, "suits": 2, "ranks": 2, "hand_size": 2, "dealer": 1}
PRESETS = [(name, preset) for name in card_envs.games() for preset in load(name).presets]


class OfOpenSpiel:
    """Driven as OpenSpiel's algorithms do; at chance nodes it deals the cards of the seed."""

    num_tables, others, illegal_count = 1, None, 0

    def __init__(self, game, preset="seed", episode="deal", reward="score", **options):
        self.game = openspiel.load_game(game, preset=preset, episode=episode, reward=reward, **options)
        self.cards = Table(load(game), load(game).rules(preset, **options), episode=episode, reward=reward)
        self.seats = range(self.game.num_players())
        self.width = self.cards.layout.width

    def reset(self, seed):
        self.cards.seed(seed)
        return self.begin()

    def begin(self):
        self.cards.reset()
        self.state = self.game.new_initial_state()
        self.deal()
        return self.moment(np.zeros(len(self.seats)))

    def deal(self):
        """The chance outcomes that are the deal at the table of cards."""
        record = self.cards.record
        hands = [[card for card in range(54) if int(hand) >> card & 1] for hand in record.hand[: len(self.seats)]]
        piles = {name: np.atleast_1d(record[name])[:size].tolist() for name, size in self.cards.deal_cards().items()}
        for pick in self.state.deal.picks_for(hands, piles, int(record.dealer)):
            self.state.apply_action(pick)

    def step(self, actions):
        if self.state.is_terminal():
            return self.begin()
        self.state.apply_action(int(actions[0]))
        self.cards.step(int(actions[0]))
        rewards = self.state.rewards()
        if self.state.is_chance_node():
            self.deal()
        return self.moment(rewards)

    def moment(self, rewards):
        over, cut = self.state.is_terminal(), self.state.truncated
        if over:
            return moment_of_one(0, np.zeros(1), None, rewards, not cut, cut, True)
        seat = self.state.current_player()
        mask = np.array(self.state.legal_actions_mask())
        seen = np.array(self.state.observation_tensor(seat), np.uint8)[-self.width :]
        return moment_of_one(seat, mask, seen, rewards, False, False, False)

    def close(self):
        """Nothing to release."""


@pytest.mark.parametrize("name", card_envs.games())
def test_it_conforms(name):
    report = check(OfOpenSpiel, name, deals=1000)
    assert report.terminated >= 1000 and report.truncated and report.out_of_turn


@pytest.mark.parametrize("name, preset", PRESETS)
def test_openspiels_own_simulations_pass(name, preset):
    """Clones, serialised states, tensors, strings, returns and rewards, at every step of a random deal."""
    pyspiel.random_sim_test(openspiel.load_game(name, preset=preset), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name, bound", [("pitch", "max_hands"), ("spades", "max_hands"), ("pit", "max_rounds")])
@pytest.mark.parametrize("reward", ["score", "win"])
def test_openspiels_own_simulations_of_matches_pass(name, bound, reward):
    game = openspiel.load_game(name, episode="match", reward=reward, **{bound: 2})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


# --- tiny decks ----------------------------------------------------------------------------------------------------------------


def all_states(state):
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from all_states(state.child(action))


@pytest.mark.parametrize(
    "name, options",
    [
        ("pitch", TINY),
        ("spades", {"num_players": 2, "teams": "solo", "suits": 2, "ranks": 2, "hand_size": 2, "dealer": 0}),
        ("pit", {"num_players": 3, "suits": 2, "ranks": 2, "hand_size": 1, "min_bid": 1, "max_bid": 1, "dealer": 0}),
    ],
)
def test_an_information_state_says_who_acts_and_what_is_legal(name, options):
    seen, states = {}, 0
    for state in all_states(openspiel.load_game(name, **options).new_initial_state()):
        states += 1
        assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1) if state.is_chance_node() else True
        if state.current_player() >= 0:
            key = state.information_state_string()
            tensor = tuple(state.information_state_tensor())
            assert seen.setdefault(key, (state.legal_actions(), tensor)) == (state.legal_actions(), tensor)
    assert states > 100
    assert len({tensor for _, tensor in seen.values()}) == len(seen), "tensors tell apart what strings do"


def test_cfr_nears_an_equilibrium_and_the_compiled_tree_is_the_same_game():
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    game = openspiel.load_game("pitch", **TINY, max_bid=1)
    tree = as_efg(game)
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    assert pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree)) == pytest.approx(uniform)
    solver = cfr.CFRSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    found = exploitability.exploitability(game, solver.average_policy())
    assert found < uniform / 2
    quick = pyspiel.CFRSolver(tree)
    for _ in range(4):
        quick.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree, quick.average_policy()) == pytest.approx(found)
    for _ in range(500):
        quick.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree, quick.average_policy()) < 0.02


def test_a_tree_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("card_envs.adapters.openspiel.tree.MANY_NODES", 500)
    with pytest.raises(ValueError, match="more than 500 nodes: make the deck or the hands smaller"):
        as_efg(openspiel.load_game("pitch", **TINY))


# --- hidden cards --------------------------------------------------------------------------------------------------------------


class Sampler:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def __call__(self):
        return float(self.random.random())


def random_state(game, seed, upto):
    """A state after so many actions of players."""
    choose, state = np.random.default_rng(seed), game.new_initial_state()
    while not state.is_terminal() and (state.is_chance_node() or upto):
        upto -= not state.is_chance_node()
        state.apply_action(int(choose.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(
    "name, preset, options",
    [("pitch", "seed", {}), ("pitch", "partners_10pt", {}), ("spades", "standard", {"blind_nil_deficit": 0}), ("pit", "seed", {}),
     ("pitch", "seed", {"episode": "match", "max_hands": 3})],
)  # fmt: skip
def test_a_resampled_state_looks_the_same_to_its_seat_and_is_another(name, preset, options):
    game = openspiel.load_game(name, preset=preset, **options)
    different = 0
    for seed, upto in enumerate([0, 3, 6, 10, 14, 18, 22]):
        state = random_state(game, seed, upto)
        if state.is_terminal():
            continue
        seat = state.current_player()
        other = state.resample_from_infostate(seat, Sampler(seed))
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.legal_actions() == state.legal_actions() and other.current_player() == seat
        different += other.history() != state.history()
    assert different >= 3


def test_every_deal_that_fits_comes_up_as_often():
    """2 hands of 2 cards from 6, nothing played yet: the other hand is one of 6."""
    game = openspiel.load_game("pitch", num_players=2, suits=2, ranks=3, hand_size=2, dealer=1)
    state, sampler = random_state(game, 1, 0), Sampler(1)
    hands = collections.Counter(state.resample_from_infostate(0, sampler).history()[1] for _ in range(600))
    assert len(hands) == 6
    assert all(60 < times < 140 for times in hands.values())  # 100 expected, sd 9


def test_is_mcts_plays_a_full_deck_and_a_tiny_one():
    from open_spiel.python.algorithms import ismcts, mcts

    for options, upto in (({}, 12), (TINY, 1)):
        state = random_state(openspiel.load_game("pitch", **options), 3, upto)
        bot = ismcts.ISMCTSBot(
            game=state.get_game(), evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), uct_c=4.0,
            max_simulations=12, random_state=np.random.RandomState(2),
        )  # fmt: skip
        assert bot.step(state) in state.legal_actions()


# --- the faces of a game ---------------------------------------------------------------------------------------------------------


def test_a_clone_goes_its_own_way():
    state = random_state(openspiel.load_game("pitch"), 2, 5)
    before, other = state.serialize(), state.clone()
    other.apply_action(other.legal_actions()[0])
    assert state.serialize() == before and other.information_state_string(0) != state.information_state_string(0)


def test_a_game_and_a_state_can_be_pickled():
    game = openspiel.load_game("spades", preset="standard", target=250, double_nil=False)
    again = pickle.loads(pickle.dumps(game))
    assert again.setting == game.setting and again.setting.rules.target == 250 and not again.setting.rules.double_nil
    state = random_state(game, 1, 20)
    game, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert read.history() == state.history() and read.observation_string(2) == state.observation_string(2)


def test_texts_are_in_the_words_of_the_package():
    state = random_state(openspiel.load_game("pitch", **TINY), 2, 0)
    assert {state.action_to_string(action) for action in state.legal_actions()} == {"pass", "bid 1", "bid 2", "bid 3", "bid 4"}
    assert str(state).startswith("seat 1 deals: ")
    first = openspiel.load_game("pitch").new_initial_state()
    assert first.action_to_string(2) == "seat 2 deals"


def test_wrong_settings_are_refused():
    with pytest.raises(OptionError, match="did you mean 'low_to'"):
        openspiel.load_game("pitch", low_too="holder")
    with pytest.raises(OptionError, match="did you mean 'bicycle'"):
        openspiel.load_game("pitch", preset="bicicle")
    with pytest.raises(OptionError, match="redeal_poor_hand: such deals have no explicit chance"):
        openspiel.load_game("pitch", redeal_poor_hand=True)
    with pytest.raises(ValueError, match="dealer=7: must be a seat"):
        openspiel.load_game("pitch", dealer=7)
    with pytest.raises(ValueError, match="a seat's view is not divided"):
        openspiel.load_game("pitch").make_py_observer(pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
