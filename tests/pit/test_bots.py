"""The rule bots: always legal, never worse than the one below, and positions in which a good player would see a mistake.

Every preset and player count, with matches, takes some twenty minutes:

    CARD_ENVS_PIT_DEALS=2000 python -m pytest tests/pit/test_bots.py -k beats
"""

import os

import numpy as np
import pytest

from card_envs import agents, arena
from card_envs.agents import Views
from card_envs.agents.bots import RuleBot
from card_envs.cards import CARD_NAMES
from card_envs.envs.vector import VecEnv
from card_envs.table import Table
from tests.pit.play import GAME, play, table
from tests.rule_ids import rule_ids

BOTS = ("basic", "expert")
DEALS = int(os.environ.get("CARD_ENVS_PIT_DEALS", 0))  # 0: a smaller run, one player count a preset

VARIANTS = [
    *({"preset": preset, "num_players": 3 + place % 4} for place, preset in enumerate(GAME.presets)),
    *({"preset": "seed", "num_players": players} for players in (3, 5, 6)),
    {"preset": "seed", "shed_unit": "first_contract"},
    {"preset": "seed", "pit_bank": "unlimited", "set_basis": "all_lost"},
    {"preset": "jumps", "min_bid": 1, "pass_reentry": True, "pit_bank": "round"},
    {"preset": "seed", "all_pass": "forced_now", "alone": False},
    {"preset": "seed", "void_rotates_deal": True, "trump": "once", "start_burden": 20},
    {"preset": "alone_matters", "alone_set": "shortfall", "alone_outbid": "penalised", "min_bid": 1},
    {"preset": "points", "stop": "decided", "points_mode": "round_win"},
    {"preset": "seed", "points_mode": "discards", "points_target": 21},
    {"preset": "grow", "start_burden": 12},
    {"preset": "free_play", "num_players": 6, "hand_size": 8},
    {"preset": "seed", "num_players": 3, "suits": 2, "ranks": 5, "hand_size": 3, "min_bid": 1, "max_bid": 3},
    {"preset": "seed", "num_players": 3, "suits": 1, "ranks": 4, "hand_size": 1, "min_bid": 1, "max_bid": 1},
    {"preset": "seed", "num_players": 3, "hand_size": 13, "max_bid": 5},
]


def name_of(variant: dict) -> str:
    return " ".join(map(str, variant.values()))


@pytest.mark.parametrize("variant", VARIANTS, ids=name_of)
def test_bots_are_legal_under_every_option(variant):
    """The engine would raise on an illegal action."""
    rules = GAME.rules(**variant)
    bots = [RuleBot(GAME, rules, name) for name in BOTS]
    vec = VecEnv(GAME, rules, 40, seed=11, observation="bits")
    view = vec.reset()
    for _ in range(120):
        views = Views(view.observation, view.legal)
        is_basic = (view.seat + np.arange(40)) % 2 == 0  # the two mixed, so that each meets positions of the other's making
        view = vec.step(np.where(is_basic, bots[0].act_batch(views), bots[1].act_batch(views)))


RANKED = [
    (preset, players)
    for place, (preset, counts) in enumerate(GAME.player_counts.items())
    for players in (counts if DEALS else counts[place % 4 : place % 4 + 1])
]


@pytest.mark.parametrize(("preset", "num_players"), RANKED)
def test_basic_beats_random_and_expert_beats_basic(preset, num_players):
    """By what a deal gains and, at full size, by matches won: the whole interval lies above what equals would have."""
    rules = GAME.rules(preset, num_players=num_players)
    random, basic, expert = (agents.load(name, GAME, rules, seed=1) for name in ("random", *BOTS))
    for better, worse, deals in ((basic, random, 300), (expert, basic, 3000)):
        found = arena.duplicate(GAME, rules, better, worse, deals=deals + DEALS, seed=1, matches=DEALS)
        assert found.winner == "a" and found.illegal == 0
        assert not DEALS or found.match_winner == "a"


# --- positions with acceptable answers ---------------------------------------------------------------------------------------


def answer(at: Table, name: str = "expert") -> str:
    """What the bot would do for the seat to act."""
    view = Views(at.words(at.turn), np.array(at.record.legal))
    return at.action_names[RuleBot(GAME, at.rules, name).act(view)]


def speaking_first(own: str, upcard: str = "2S", **options) -> Table:
    """Seat 0 holds `own` and speaks first; the others hold the lowest of the other cards."""
    left = [card for card in CARD_NAMES[:52] if card not in (*own.split(), upcard)]
    size = len(own.split())
    others = [" ".join(left[place : 3 * size : 3]) for place in range(3)]
    return table([own, *others], 3, upcard, **options)


@rule_ids("P36")
@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("own", ["9H 8H 6D 5C 7D 3D 4C", "JC 9C 8D 6D 4H 3H 5S"])
def test_a_poor_hand_is_not_afraid_to_pass(own, name):
    assert answer(speaking_first(own), name) == "pass"


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("own", ["AS KS QS JS AD KD AC", "AS KS TS 9S 8S AH 4C"])
def test_a_strong_hand_bids_and_does_not_go_alone_where_it_brings_nothing(own, name):
    assert answer(speaking_first(own), name) == "bid 3"


@rule_ids("P35")
def test_a_strong_hand_goes_alone_where_that_is_rewarded():
    """For points, or when it sheds twice as much; a hand that is just good enough does not run the risk."""
    strong = "AS KS QS JS AD KD AC"
    assert answer(speaking_first(strong, preset="points")) == "bid 3 alone"
    assert answer(speaking_first(strong, preset="alone_matters")) == "bid 3 alone"
    assert answer(speaking_first("AS QS 9S 8S AD 7D 3C", alone_shed=2)) in ("bid 3", "bid 3 alone")
    assert answer(speaking_first("9H 8H 6D 5C 7D 3D 4C", preset="points")) == "pass"


@pytest.mark.parametrize("name", BOTS)
def test_who_is_forced_bids_the_least(name):
    at = speaking_first("9H 8H 6D 5C 7D 3D 4C", start={"forced": True})
    assert answer(at, name) == "bid 3"


@pytest.mark.parametrize("name", BOTS)
def test_with_an_empty_pit_there_is_nothing_to_lose(name):
    at = speaking_first("JS 9S 8D 6D 4H 3H 5C", start={"bank": 0})
    assert answer(at, name) == "bid 3"


@rule_ids("P33")
def test_the_bids_of_others_are_heard():
    """What opens at 3 does not go to 4 or 5 over the bids of others."""
    hands = ["AS QS 9S AD 7D 4D 3C", "KS 5S 4S KD QD 6D 2C", "JS TS 8S AH KH QH AC", "7S 6S 3S 2H 3H 4H 4C"]
    assert answer(table(hands, 3)) == "bid 3"
    assert answer(play(table(hands, 3), "bid 3, bid 4, pass, pass")) == "pass"


def playing(hands: list[str], *actions: str, upcard: str = "2S", **options) -> Table:
    """Seat 3 deals; seat 0 bids 3 and leads."""
    return play(table(hands, 3, upcard, **options), "bid 3, pass, pass, pass", *actions)


HANDS = ["AC KC QC 7D 6D 5H 4S", "JC TC 9C AD KD 4H 3S", "8C 7C 6C QD JD AH KH", "5C 4C 3C TD 9D QH JH"]


@pytest.mark.parametrize("name", BOTS)
def test_a_trick_is_won_as_cheaply_as_possible(name):
    """The contractor's 7D is beaten by the last to play with the lowest card that is enough."""
    hands = ["7D AC KC QC 6D 5H 4H", "5D JC TC 9C AS KS 3S", "4D 8C 7C 6C JD AH KH", "TD KD 3D 5C 4C QH JH"]
    assert answer(playing(hands, "7D 5D 4D"), name) == "TD"


def test_a_fellow_defenders_winner_is_left_to_him():
    """Seat 1's AD has the trick from the contractor's 7D: seat 3 throws its lowest diamond."""
    assert answer(playing(HANDS, "7D AD JD")) == "9D"


@pytest.mark.parametrize("name", BOTS)
def test_the_contractor_is_beaten_if_that_can_be(name):
    assert answer(playing(HANDS, "7D"), name) in ("AD", "KD")


@rule_ids("P34")
def test_the_cards_played_are_watched():
    """AC and KC are gone: the QC is a master now, and takes the contractor's TC."""
    hands = ["AC TC 9C 7D 6D 5H 4H", "QC 4C 3C AD KD 4D 3D", "8C 7C 6C QD JD AH KH", "KC 5C 2C TD 9D QH JH"]
    assert answer(playing(hands, "AC 3C 6C KC", "TC")) == "QC"


def test_a_master_is_not_wasted_on_a_lost_trick():
    """Seat 1 is void of hearts and trumped: seat 2 keeps AH and KH."""
    hands = ["AC KC QC 7D 6D 5H 4H", "JC TC 9C AD KD 4S 3S", "8C 7C 6C QD AH KH 2H", "5C 4C 3C TD 9D QH JH"]
    assert answer(playing(hands, "5H 4S")) == "2H"


def test_basic_leads_its_highest_plain_card_and_else_throws_its_lowest():
    assert answer(playing(HANDS), "basic") == "AC"
    assert answer(playing(HANDS, "AC"), "basic") == "9C"
