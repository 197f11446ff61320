"""The rule bots: always legal, better than chance, and no mistake that a beginner would see."""

import numpy as np
import pytest

from card_envs import agents, arena
from card_envs.agents import Views
from card_envs.agents.bots import RuleBot
from card_envs.envs.vector import VecEnv
from card_envs.games.spades.presets import PLAYER_COUNTS
from card_envs.table import Table
from tests.spades.play import GAME, SUITS, bid, play, table

VARIANTS = [
    *({"preset": preset, "num_players": players} for preset, counts in PLAYER_COUNTS.items() for players in counts),
    {"preset": "standard", "blind_nil_deficit": 0, "blind_nil_pass": 4, "nil_pass": 4},
    {"preset": "standard", "blind_bid": "six_seven", "blind_nil_deficit": 0},
    {"preset": "standard", "nil": 0, "blind_nil": 0, "blind_nil_deficit": 0, "blind_nil_pass": 0},
    {"preset": "seed", "num_players": 6, "deck": "no_deuces", "nil_pass": 2},
    {"preset": "seed", "teams": "solo", "num_players": 2, "hand_size": 13},
    {"preset": "seed", "teams": "solo", "num_players": 3, "deck": "jokers"},
    {"preset": "seed", "suits": 1, "ranks": 8},
    {"preset": "seed", "suits": 2, "ranks": 8, "trump": "high_bidder"},
    {"preset": "seed", "teams": "solo", "num_players": 2, "suits": 1, "ranks": 2},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: " ".join(map(str, variant.values())))
@pytest.mark.parametrize("name", list(GAME.bots))
def test_bots_are_legal_under_every_option(variant, name):
    """Whole deals beside seats that play at random: the engine would raise on an illegal action."""
    rules = GAME.rules(**variant)
    bot = RuleBot(GAME, rules, name)
    vec = VecEnv(GAME, rules, 40, seed=11, observation="bits")
    view = vec.reset()
    for _ in range(130):
        chosen = bot.act_batch(Views(view.observation, view.legal))
        view = vec.step(np.where((view.seat + np.arange(40)) % 3 == 0, vec.random_actions(), chosen))


@pytest.mark.parametrize("preset", PLAYER_COUNTS)
def test_basic_beats_random(preset):
    rules = GAME.rules(preset)
    random, basic = (agents.load(name, GAME, rules, seed=1) for name in ("random", "basic"))
    assert arena.duplicate(GAME, rules, basic, random, deals=300, seed=1).winner == "a"


@pytest.mark.parametrize("preset", ["seed", "seed_balanced", "standard"])
def test_expert_beats_basic(preset):
    rules = GAME.rules(preset)
    basic, expert = (agents.load(name, GAME, rules, seed=1) for name in ("basic", "expert"))
    assert arena.duplicate(GAME, rules, expert, basic, deals=1000, seed=2).winner == "a"


def answer(at: Table, name: str = "basic") -> str:
    """What the bot would do for the seat to act."""
    view = Views(at.words(at.turn), np.array(at.record.legal))
    return at.action_names[RuleBot(GAME, at.rules, name).act(view)]


def speaking_first(own: str, **settings) -> Table:
    """Seat 0 holds `own` and speaks first; blind nil is out of reach."""
    left = [card for suit in SUITS for card in suit.split() if card not in own.split()]
    return table([own, *(" ".join(left[place::3]) for place in range(3))], preset="standard", **settings)


@pytest.mark.parametrize(
    "hand, expected",
    [
        ("4S 3S 2S 9H 7H 5H 2H 8D 6D 3D 9C 4C 2C", {"nil"}),
        ("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", {"bid 13", "bid 12"}),
        ("AS KS 4S AH KH 3H AD 7D 6D 2D AC 8C 3C", {"bid 6", "bid 7"}),
        ("QS JS 4S 3S KH 8H 5H 3H QD 9D 7D 6C 2C", {"bid 2", "bid 3"}),
    ],
)
def test_basic_bids_what_the_hand_is_worth(hand, expected):
    assert answer(speaking_first(hand)) in expected


def test_basic_covers_its_partners_nil():
    """Seat 0, nil, has led the 9H and is winning; the partner goes over it with the king."""
    at = bid(table(["9H 3C", "5H 4C", "KH 2H", "8H 6C"], preset="standard", blind_nil_pass=0), "N", "1", "1", "1")
    assert answer(play(at, "9H 5H")) == "KH"


def test_basic_ducks_with_a_nil():
    """The highest card that still loses."""
    at = bid(table(["TH 3C 4C", "9H 8H KH", "2H 5C 6C", "3H 7C 8C"], preset="standard"), "1", "N", "1", "1")
    assert answer(play(at, "TH")) == "9H"


def test_basic_wins_cheaply_while_it_needs_tricks_and_not_from_its_partner():
    hands = ["TH 3C 4C", "JH KH 9S", "2H 5C 6C", "QH AH 8C"]
    at = bid(table(hands, preset="standard"), "1", "2", "1", "1")
    assert answer(play(at, "TH")) == "JH"
    assert answer(play(at, "KH 2H")) == "QH"


# --- the expert --------------------------------------------------------------------------------------------------------------

LOW = "4S 3S 2S 9H 7H 5H 2H 8D 6D 3D 9C 4C 2C"


@pytest.mark.parametrize(
    "hand, expected",
    [
        (LOW, {"nil"}),
        ("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", {"bid 13", "bid 12"}),
        ("AS KS 4S AH KH 3H AD 7D 6D 2D AC 8C 3C", {"bid 6", "bid 7"}),
        ("QS JS 4S 3S KH 8H 5H 3H QD 9D 7D 6C 2C", {"bid 2", "bid 3"}),
    ],
)
def test_expert_bids_what_the_hand_is_worth(hand, expected):
    assert answer(speaking_first(hand), "expert") in expected


@pytest.mark.parametrize("trumps", ["AS 3S 2S", "KS QS 2S"])
def test_expert_bids_no_nil_with_high_trumps(trumps):
    assert answer(speaking_first(LOW.replace("4S 3S 2S", trumps)), "expert") != "nil"


def test_expert_bids_blind_nil_only_where_its_failure_costs_little():
    """Under the literal seed a failed nil costs a point a trick; elsewhere as much as it would have earned."""
    assert answer(table(SUITS, preset="seed"), "expert") == "blind nil"
    assert answer(table(SUITS, preset="seed_balanced"), "expert") == "look"


def test_expert_takes_a_trick_over_its_partners_nil():
    """Seat 0, nil, has led the 9H and is winning; the partner goes over it with the king."""
    at = bid(table(["9H 3C", "5H 4C", "KH 2H", "8H 6C"], preset="standard", blind_nil_pass=0), "N", "1", "1", "1")
    assert answer(play(at, "9H 5H"), "expert") == "KH"


def test_expert_ducks_with_a_nil():
    """The highest card that still loses."""
    at = bid(table(["TH 3C 4C", "9H 8H KH", "2H 5C 6C", "3H 7C 8C"], preset="standard"), "1", "N", "1", "1")
    assert answer(play(at, "TH"), "expert") == "9H"


def test_expert_sheds_the_card_that_endangers_its_nil():
    """Void of the suit that was led, it throws the king."""
    at = bid(table(["TH 3C 4C", "KD 2D 2C", "2H 5C 6C", "3H 7C 8C"], preset="standard"), "1", "N", "1", "1")
    assert answer(play(at, "TH"), "expert") == "KD"


def test_expert_leaves_the_trick_to_an_opponent_who_bid_nil():
    """Seat 0, nil, is winning with the 9H: seat 3, last to play, goes under it."""
    at = bid(table(["9H 3C", "5H 4C", "6H 2D", "KH 2H"], preset="standard", blind_nil_pass=0), "N", "1", "1", "1")
    assert answer(play(at, "9H 5H 6H"), "expert") == "2H"


def test_expert_wins_as_cheaply_as_it_can_in_last_place():
    hands = ["TH 3C 4C", "2H 5C 6C", "9H 7C 8C", "QH JH AH"]
    at = bid(table(hands, preset="standard"), "1", "1", "1", "2")
    assert answer(play(at, "TH 2H 9H"), "expert") == "JH"


def test_expert_does_not_take_its_partners_trick():
    hands = ["2H 3C 4C", "AH 5C 6C", "9H 7C 8C", "KS 3D 2D"]
    at = bid(table(hands, preset="standard"), "1", "1", "1", "2")
    assert answer(play(at, "2H AH 9H"), "expert") in ("3D", "2D")


def test_expert_loses_tricks_that_it_does_not_need():
    """Its side has made its bid of 1, and an overtrick is a bag."""
    hands = ["AH 2H 3C", "3H TH 5C", "4H 6H 7C", "5H 9H 8C"]
    at = play(bid(table(hands, preset="standard"), "1", "1", "N", "1"), "AH 3H 4H 5H")
    assert answer(at, "expert") in ("2H", "3C")


def test_expert_takes_a_trick_that_sets_the_opponents():
    """The other side has bid all the tricks that are left: one for the viewer's side defeats it."""
    hands = ["TH 3C 4C", "2H 5C 6C", "9H 7C 8C", "QH 2D AD"]
    at = bid(table(hands, preset="standard"), "2", "1", "1", "1")
    assert answer(play(at, "TH 2H 9H"), "expert") == "QH"
