"""Every option changes the game, and what makes no sense is refused with a reason."""

import dataclasses

import numpy as np
import pytest

import card_envs
from card_envs.game import OptionError, choices
from card_envs.table import StartError, Table
from tests.option_checks import check_matters, check_pairs
from tests.pit.play import GAME, HANDS, auction, bank, burdens, contract, legal, next_round, play, points, round_of, table
from tests.pit.test_play import follower

OPTIONS = {field.name: field for field in dataclasses.fields(GAME.options)}
BID_3 = "bid 3, pass, pass, pass"
BID_4 = "bid 3, bid 4, pass, pass, pass"  # seat 1 is the contractor
ALONE_4 = "pass, bid 3, bid 4 alone, pass, pass"  # seat 2
OUTBID = "bid 3 alone, bid 4, pass, pass, pass"  # seat 0 went alone, seat 1 is the contractor
ALL_PASS = "pass, pass, pass, pass"


def dealt(**options) -> Table:
    source = Table(GAME, GAME.rules(**options))
    source.seed(1)
    source.reset()
    return source


def tiny(**options) -> Table:
    return dealt(num_players=3, **{"hand_size": 3, "min_bid": 1, "max_bid": 3, **options})


# --- a case for each option --------------------------------------------------------------------------------------------------


def num_players(value):
    return len(dealt(num_players=value).scores())


def suits(value):
    """Suits of the cards dealt in thirty rounds."""
    source, found = tiny(suits=value), set()
    for _ in range(30):
        source.reset()
        hands = int(np.bitwise_or.reduce(source.record.hand))
        found |= {suit for suit in range(4) if hands >> 13 * suit & 0x1FFF}
    return found


def ranks(value):
    return bank(tiny(ranks=value))


def hand_size(value):
    return [int(hand).bit_count() for hand in dealt(hand_size=value).record.hand[:4]]


def hand_model(value):
    """After a set the contractor, seat 1, has a burden of 9."""
    return round_of([3, 2, 1, 1], BID_4, hand_model=value).hand_sizes()


def shed_unit(value):
    return burdens(round_of([3, 2, 1, 1], BID_3, shed_unit=value, start={"burdens": [20, 7, 7, 7]}))


def start_burden(value):
    return burdens(dealt(start_burden=value))


def pit_bank(value):
    """Seat 1 draws 4 of 6 cards, in the next round seat 2 owes 4."""
    at = round_of([4, 0, 2, 1], BID_4, pit_bank=value, start={"bank": 6})
    round_of([3, 3, 0, 1], BID_4, at=at, dealer=0)
    return burdens(at), GAME.public(at.record, at.rules)["bank"]


def trump(value):
    at = next_round(auction(trump=value), HANDS, 0, "9H")
    return "CDHS"[at.record.trump]


def min_bid(value):
    return legal(auction(min_bid=value))


def max_bid(value):
    """Is the auction over after a bid of 4?"""
    return contract(auction("bid 3, bid 4", max_bid=value))


def bid_jumps(value):
    return legal(auction(bid_jumps=value))


def pass_reentry(value):
    """Who speaks after seat 0 has passed, seats 1 and 2 have bid and seat 3 has passed."""
    return auction("pass, bid 3, bid 4, pass", pass_reentry=value).turn


def all_pass(value):
    return contract(auction(ALL_PASS, all_pass=value))


def void_rotates_deal(value):
    return int(auction(ALL_PASS, void_rotates_deal=value).record.dealer)


def alone(value):
    return legal(auction(alone=value))


def alone_set(value):
    return burdens(round_of([2, 1, 3, 1], ALONE_4, alone_set=value))


def alone_shed(value):
    return burdens(round_of([1, 0, 5, 1], ALONE_4, alone_shed=value, start={"burdens": [7, 7, 12, 7]}))


def alone_outbid(value):
    return burdens(round_of([1, 4, 2, 0], OUTBID, alone_outbid=value))


def set_basis(value):
    return burdens(round_of([3, 2, 1, 1], BID_4, set_basis=value))


def must_follow(value):
    """The TH is led; the hand is QH 3H AS 7D."""
    return legal(follower("TH", must_follow=value))


def stop(value):
    return burdens(round_of([5, 1, 1, 0], BID_3, stop=value))


def objective(value):
    """Seat 0 sheds all, seat 1 has more points."""
    return round_of([3, 2, 1, 1], BID_3, objective=value, start={"burdens": [3, 7, 7, 7]}).winners()


def points_mode(value):
    return points(round_of([0, 5, 1, 1], BID_4, points_mode=value))


def points_target(value):
    return round_of([3, 2, 1, 1], BID_3, points_target=value, start={"points": [0, 19, 0, 0]}).winners()


def max_rounds(value):
    return bool(play(table(HANDS, 3, max_rounds=value), ALL_PASS).record.truncated)


OPENING = ["bid 3", "bid 3 alone", "pass"]
EVERY_BID = ["bid 3", "bid 3 alone", "bid 4", "bid 4 alone", "bid 5", "bid 5 alone", "pass"]
MATTERS = {
    num_players: {3: 3, 4: 4, 6: 6},
    suits: {1: {0}, 2: {0, 1}, 4: {0, 1, 2, 3}},
    ranks: {5: 11, 13: 43},
    hand_size: {0: [7] * 4, 5: [5] * 4, 12: [12] * 4},
    hand_model: {"redeal": [7, 7, 7, 7], "grow": [7, 9, 7, 7]},
    shed_unit: {"trick": [17, 7, 7, 7], "card": [8, 7, 7, 7], "first_contract": [0, 7, 7, 7]},
    start_burden: {0: [7] * 4, 15: [15] * 4},
    pit_bank: {
        "game": ([7, 11, 9, 7], 0),
        "round": ([7, 11, 11, 7], 20),
        "unlimited": ([7, 11, 11, 7], None),
    },
    trump: {"each_round": "H", "once": "S"},
    min_bid: {3: OPENING, 1: ["bid 1", "bid 1 alone", "pass"]},
    max_bid: {5: None, 4: (1, 4, False)},
    bid_jumps: {False: OPENING, True: EVERY_BID},
    pass_reentry: {False: 1, True: 0},
    all_pass: {"forced_next": None, "forced_now": (0, 3, False)},
    void_rotates_deal: {False: 3, True: 0},
    alone: {True: OPENING, False: ["bid 3", "pass"]},
    alone_set: {"all_lost": [7, 7, 11, 7], "shortfall": [7, 7, 8, 7]},
    alone_shed: {1: [7, 7, 7, 7], 2: [7, 7, 2, 7]},
    alone_outbid: {"void": [7, 3, 7, 7], "penalised": [13, 3, 7, 7]},
    set_basis: {"shortfall": [7, 9, 7, 7], "all_lost": [7, 12, 7, 7]},
    must_follow: {True: ["3H", "QH"], False: ["3H", "7D", "AS", "QH"]},
    stop: {"all": [2, 7, 7, 7], "decided": [4, 7, 7, 7]},
    objective: {"shed": [0], "points": [1]},
    points_mode: {"seed": [0, 0, 1, 1], "round_win": [0, 4, 1, 1], "discards": [0, 5, 1, 1]},
    points_target: {0: [], 21: [1]},
    max_rounds: {2: False, 1: True},
}
CASES = {case.__name__: (case, outcomes) for case, outcomes in MATTERS.items()}


@pytest.mark.parametrize("name", CASES)
def test_the_option_changes_the_game(name):
    check_matters(*CASES[name])


def test_no_option_is_without_a_case():
    assert set(CASES) == set(OPTIONS)


@pytest.mark.parametrize("name", [name for name in OPTIONS if choices(GAME.options, name)])
def test_every_value_is_in_the_case(name):
    assert set(CASES[name][1]) == set(choices(GAME.options, name))


# --- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"shed_unit": "cards"}, "shed_unit='cards'.*trick, card, first_contract.*did you mean 'card'"),
        ({"max_rounds": "200"}, "must be int, not str"),
        ({"bid_jumps": 1}, "must be bool, not int"),
        ({"pit_bnk": "game"}, "no option 'pit_bnk'.*did you mean 'pit_bank'"),
        ({"num_players": 4, "hand_size": 13}, "4 hands of 13 and the card turned for trump are 53 cards, the deck has 52"),
        ({"suits": 2}, "4 hands of 7 and the card turned for trump are 29 cards, the deck has 26"),
        ({"min_bid": 5, "max_bid": 4}, "min_bid=5 lies above max_bid=4"),
        ({"hand_size": 4}, "max_bid=5: only 4 tricks are played"),
        ({"hand_model": "grow", "start_burden": 13}, "4 hands of 13 leave no card for trump"),
        ({"hand_model": "grow", "pit_bank": "round"}, "pit_bank='round' has no effect without hand_model='redeal'"),
        ({"alone": False, "alone_shed": 2}, "alone_shed=2 has no effect without alone=True"),
        (
            {"all_pass": "forced_now", "void_rotates_deal": True},
            "void_rotates_deal=True has no effect without all_pass='forced_next'",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(options, reason):
    with pytest.raises(OptionError, match=reason):
        GAME.rules(**options)


@pytest.mark.parametrize("name", [name for name, field in OPTIONS.items() if field.metadata["low"] is not None])
def test_every_number_has_its_range(name):
    low, high = OPTIONS[name].metadata["low"], OPTIONS[name].metadata["high"]
    for value in (low - 1, high + 1):
        with pytest.raises(OptionError, match=rf"{name}={value}: must lie in {low}..{high}"):
            GAME.rules(**{name: value})


@pytest.mark.parametrize(
    ("start", "problem"),
    [
        ({"burden": [1, 2, 3, 4]}, "unknown key of 'start' 'burden'.*did you mean 'burdens'"),
        ({"burdens": [7, 7, 7]}, "'burdens' must be a list of 4 whole numbers from 1"),
        ({"burdens": [7, 7, 7, 0]}, "whole numbers from 1 up to"),
        ({"bank": -1}, "'bank' must be whole numbers from 0"),
        ({"forced": 1}, "'forced' must be true or false, not 1"),
    ],
)
def test_a_start_that_cannot_be_is_refused(start, problem):
    with pytest.raises(StartError, match=problem):
        table(HANDS, 3, start=start)


def test_a_start_with_more_cards_than_the_deck_is_refused():
    with pytest.raises(StartError, match="53 cards would be dealt, the deck has 52"):
        table(HANDS, 3, preset="grow", start={"burdens": [31, 7, 7, 7]})


# --- any two options together ------------------------------------------------------------------------------------------------

NUMBERS = {
    "num_players": (3, 6), "suits": (1, 2), "ranks": (3, 9), "hand_size": (1, 3, 10), "start_burden": (1, 30), "min_bid": (1, 5),
    "max_bid": (1, 4), "alone_shed": (1, 2), "points_target": (1, 200), "max_rounds": (1, 3),
}  # fmt: skip


def other_values(name: str) -> list:
    """Values of an option beside its default."""
    values = NUMBERS.get(name) or choices(GAME.options, name) or (False, True)
    return [value for value in values if value != OPTIONS[name].default]


@pytest.mark.parametrize("first", list(OPTIONS)[:-1])
def test_any_two_options_are_refused_with_a_reason_or_can_be_played(first):
    """Sixty random actions at eight tables: there is always a legal one."""
    check_pairs(GAME, first, list(OPTIONS), other_values, tables=8, steps=60)


@pytest.mark.parametrize("num_players", [3, 6])
@pytest.mark.parametrize("pass_reentry", [False, True])
@pytest.mark.parametrize(("min_bid", "max_bid"), [(1, 5), (3, 5), (3, 3), (4, 5)])
def test_the_bound_of_actions_is_reached_and_not_passed(num_players, pass_reentry, min_bid, max_bid):
    """By random calls where passes are final; where they need not be the bound is one of several."""
    rules = GAME.rules(num_players=num_players, pass_reentry=pass_reentry, min_bid=min_bid, max_bid=max_bid)
    vec = card_envs.make_vec("pit", 512, seed=3, observation="none", episode="deal", **dataclasses.asdict(rules))
    vec.reset()
    longest = 0
    for _ in range(150):
        vec.step(vec.random_actions())
        longest = max(longest, int(vec._tables["moves"].max()) + 1)
    assert longest <= rules.max_actions
    if not pass_reentry and num_players == 3:
        assert longest == rules.max_actions


@pytest.mark.parametrize("num_players", [3, 4, 5, 6])
def test_the_longest_deal_has_room_in_the_history(num_players):
    longest = min(13, 51 // num_players)
    assert GAME.rules(num_players=num_players, hand_size=longest, min_bid=1, pass_reentry=True).max_actions <= GAME.max_history
