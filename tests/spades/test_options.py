"""Every option changes the game, and what makes no sense is refused with a reason."""

import dataclasses

import pytest

from card_envs.game import OptionError, choices
from card_envs.games.spades.play import BLIND
from tests.option_checks import check_matters, check_pairs
from tests.spades.play import (
    GAME,
    SUITS,
    bid,
    bids,
    dealt,
    finished,
    legal,
    numbers,
    outcome,
    play,
    table,
)

OPTIONS = {field.name: field for field in dataclasses.fields(GAME.options)}
NIL_TO_13 = {"N", *numbers(1, 13)}


# --- a case for each option --------------------------------------------------------------------------------------------------


def num_players(value):
    return len(dealt(GAME.rules("cutthroat", num_players=value, hand_size=4)))


def teams(value):
    return GAME.rules(teams=value).num_sides


def deck(value):
    """Cards in it, and whether the 2C, 2D, 2H, 2S and the jokers are."""
    cards = GAME.rules(deck=value).deck_cards
    return cards.bit_count(), [cards >> card & 1 for card in (0, 13, 26, 39, 53)], GAME.rules(deck=value).deuces_high


def suits(value):
    return GAME.rules(suits=value, hand_size=2).deck_cards.bit_count()


def ranks(value):
    return GAME.rules(ranks=value, hand_size=2).deck_cards.bit_count()


def hand_size(value):
    return GAME.rules(hand_size=value).cards_each


def trump(value):
    """Who acts after bids of 1, 5, 2, 2."""
    return bid(table(SUITS, trump=value), "1", "5", "2", "2").turn


def target(value):
    return finished("4/3", "4/3", scores=[100, 0], target=value).winners()


def floor(value):
    return finished("4/3", "3/3", preset="standard", scores=[-190, 0], floor=value).winners()


def contract_scope(value):
    return outcome(finished("4/3", "6/1", contract_scope=value))


def trick_score(value):
    return outcome(finished("4/3", "4/3", trick_score=value))


def failed_bid(value):
    return outcome(finished("5/2", "3/2", failed_bid=value))


def overtrick_points(value):
    return outcome(finished("4/3", "6/4", overtrick_points=value))


def bag_source(value):
    """One trick short, one over."""
    return outcome(finished("4/3", "3/4", bag_source=value))


def bag_count(value):
    return outcome(finished("5/2", "3/2", bag_count=value))


def bag_scope(value):
    return outcome(finished("5/2", "4/2", bags=[10, 0], bag_scope=value))


def bag_over(value):
    return outcome(finished("5/2", "4/2", bags=[10, 0], bag_over=value))


def bag_limit(value):
    return outcome(finished("3/3", "4/5", preset="standard", bags=[4, 0], bag_limit=value))


def bag_penalty(value):
    return outcome(finished("3/3", "4/5", preset="standard", bags=[9, 0], bag_penalty=value))


def nil(value):
    """May it be bid, and what is it worth?"""
    if "N" not in bids(play(table(SUITS, nil=value), "look")):
        return None
    return outcome(finished("N/4", "0/4", nil=value))


def nil_fail(value):
    return outcome(finished("N/4", "2/4", nil_fail=value))


def blind_nil(value):
    if legal(table(SUITS, blind_nil=value)) != ["blind nil", "look"]:
        return None
    return outcome(finished("B/4", "0/4", blind_nil=value))


def blind_nil_deficit(value):
    return int(table(SUITS, scores=[0, 99], blind_nil_deficit=value).record.phase) == BLIND


def gives(at):
    """(who gives, how many)."""
    return (at.turn, int(at.record.gives_left)) if legal(at)[0].startswith("give") else None


def blind_nil_pass(value):
    return gives(bid(table(SUITS, blind_nil_pass=value), "1", "B", "1", "1"))


def nil_pass(value):
    return gives(bid(table(SUITS, nil_pass=value), "1", "N", "1", "1"))


def failed_nil_tricks(value):
    return outcome(finished("N/5", "2/4", preset="standard", failed_nil_tricks=value))


def double_nil(value):
    return "N" in bids(play(bid(table(SUITS, double_nil=value, blind_nil=0), "N", "1")))


def double_nil_score(value):
    return outcome(finished("N/N", "0/2", preset="standard", double_nil_score=value))


def double_13(value):
    return outcome(finished("6/7", "6/7", double_13=value))


def fail_13_bags(value):
    return outcome(finished("13/1", "12/1", fail_13_bags=value))


def ten_for_200(value):
    return outcome(finished("6/4", "6/4", preset="standard", ten_for_200=value))


def moon(value):
    return outcome(finished("7/6", "7/6", preset="standard", moon=value))


def moon_wins(value):
    return finished("7/6", "7/6", preset="standard", moon=200, moon_wins=value).winners()


def moon_fail(value):
    return outcome(finished("7/6", "7/5", preset="standard", moon=200, moon_fail=value))


def team_bid_min(value):
    return bids(bid(table(SUITS, team_bid_min=value, blind_nil=0), "N", "4"))


def team_bid_cap(value):
    return bids(bid(table(SUITS, team_bid_cap=value, blind_nil=0), "9", "4"))


def forbidden_total(value):
    return bids(bid(table(SUITS, forbidden_total=value, blind_nil=0), "3", "3", "3"))


def first_hand_bids(value):
    return bids(table(SUITS, first_hand_bids=value, blind_nil=0)) == NIL_TO_13


def blind_bid(value):
    return legal(table(SUITS, preset="standard", scores=[0, 100], blind_bid=value))


def bid_restriction(value):
    """What seat 0 may bid with ten spades and three hearts."""
    hearts, spades = SUITS[2].split(), SUITS[3].split()
    own, partners = " ".join(spades[:10] + hearts[:3]), " ".join(spades[10:] + hearts[3:])
    return bids(table([own, SUITS[1], partners, SUITS[0]], bid_restriction=value, blind_nil=0))


LEADS = ["2S 3C AD", "4S JC TD", "5S 3H 6C", "KH 2C AS"]


def first_lead(value):
    """Seat 1 deals: who leads, and what."""
    at = bid(table(LEADS, 1, first_lead=value), "1", "1", "1", "1")
    return at.turn, legal(at)


def break_rule(value):
    """Seat 0 leads, and then seat 2, who has trumped."""
    at = bid(table(["2H 3S 4C", "KH 3D 4D", "QS 6S 9C", "AH 7D 8D"], break_rule=value, first_lead="left_of_dealer"), *"1111")
    return len(legal(at)), legal(play(at, "2H KH QS AH"))


def end_tie(value):
    return finished("4/3", "4/3", others="3/3", preset="standard", scores=[490, 500], end_tie=value).winners()


def max_hands(value):
    return bool(finished("4/3", "4/3", max_hands=value).record.truncated)


MATTERS = {
    num_players: {2: 2, 3: 3, 6: 6},
    teams: {"pairs": 2, "solo": 4},
    deck: {
        "full": (52, [1, 1, 1, 1, 0], False),
        "no_2c": (51, [0, 1, 1, 1, 0], False),
        "no_2d": (51, [1, 0, 1, 1, 0], False),
        "no_2c_2d": (50, [0, 0, 1, 1, 0], False),
        "no_deuces": (48, [0, 0, 0, 0, 0], False),
        "jokers": (54, [1, 1, 1, 1, 1], False),
        "jokers_no_2c_2d": (52, [0, 0, 1, 1, 1], False),
        "jokers_no_2h_2d": (52, [1, 0, 0, 1, 1], False),
        "jjdd": (52, [0, 1, 0, 1, 1], True),
    },
    suits: {1: 13, 2: 26, 4: 52},
    ranks: {2: 8, 13: 52},
    hand_size: {0: 13, 3: 3},
    trump: {"spades": 0, "high_bidder": 1},
    target: {500: [], 107: [0]},
    floor: {0: [], -200: [1]},
    contract_scope: {"player": (3, 2), "team": (7, 0)},
    trick_score: {"per_trick": (7, 0), "ten_x_bid": (70, 0)},
    failed_bid: {"tricks": (3, 2), "zero": (0, 2), "minus_ten_x": (-50, 2)},
    overtrick_points: {-1: (4, 0), 0: (7, 0), 1: (10, 0)},
    bag_source: {"none": (6, 0), "undertricks": (5, 1), "overtricks": (6, 1)},
    bag_count: {"shortfall": (3, 2), "one": (4, 1), "bid": (0, 5)},
    bag_scope: {"game": (-4, 11), "hand": (5, 1)},
    bag_over: {"marginal": (-4, 11), "all": (-94, 11)},
    bag_limit: {10: (63, 7), 5: (-37, 2)},
    bag_penalty: {100: (-37, 2), 50: (13, 2)},
    nil: {0: None, 50: (54, 0), 100: (104, 0)},
    nil_fail: {"bags": (2, 2), "none": (4, 0), "minus": (-96, 0)},
    blind_nil: {0: None, 200: (204, 0), 100: (104, 0)},
    blind_nil_deficit: {0: True, 100: False},
    blind_nil_pass: {0: None, 2: (1, 2), 4: (1, 4)},
    nil_pass: {0: None, 1: (1, 1), 3: (1, 3)},
    failed_nil_tricks: {"bags": (-148, 2), "helps_bid": (-49, 1), "ignore": (-150, 0)},
    double_nil: {True: True, False: False},
    double_nil_score: {"each": (2, 2), "unit": (-200, 0)},
    double_13: {True: (26, 0), False: (13, 0)},
    fail_13_bags: {13: (-27, 13), 0: (12, 1), 20: (-97, 20)},
    ten_for_200: {False: (100, 0), True: (200, 0)},
    moon: {0: (130, 0), 200: (200, 0), 500: (500, 0)},
    moon_wins: {False: [], True: [0]},
    moon_fail: {"minus_130": (-130, 0), "same": (-200, 0)},
    team_bid_min: {0: NIL_TO_13, 4: numbers(4, 13)},
    team_bid_cap: {0: NIL_TO_13, 13: {"N", *numbers(1, 4)}, 10: {"N", "1"}},
    forbidden_total: {0: NIL_TO_13, 13: NIL_TO_13 - {"4"}},
    first_hand_bids: {False: True, True: False},
    blind_bid: {"off": ["blind nil", "look"], "six_seven": ["blind 6", "blind 7", "blind nil", "look"]},
    bid_restriction: {"free": NIL_TO_13, "suicide": {"N", *numbers(4, 13)}, "whiz": {"N", "10"}, "mirror": {"10"}},
    first_lead: {
        "2c_holder": (3, ["2C", "AS", "KH"]),
        "2c_card": (3, ["2C"]),
        "left_of_dealer": (2, ["3H", "5S", "6C"]),
        "dealer": (1, ["4S", "JC", "TD"]),
        "lowest_club": (2, ["6C"]),
        "seat_0": (0, ["2S", "3C", "AD"]),
    },
    break_rule: {"none": (3, ["6S", "9C"]), "standard": (2, ["6S", "9C"]), "never": (2, ["9C"])},
    end_tie: {"play_on": [], "share": [0, 1]},
    max_hands: {2: False, 1: True},
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
    "options, reason",
    [
        ({"nil_fail": "minsu"}, "nil_fail='minsu'.*bags, none, minus.*did you mean 'minus'"),
        ({"target": 0}, r"target=0.*1\.\.10000"),
        ({"target": True}, "target=True.*must be int, not bool"),
        ({"double_13": 1}, "double_13=1.*must be bool, not int"),
        ({"floor": 200}, r"floor=200.*-10000\.\.0"),
        ({"num_players": 3}, "pairs' needs 4 or 6 players, not 3"),
        ({"num_players": 2, "teams": "solo"}, "2 hands of 26: set hand_size, at most 18"),
        ({"num_players": 4, "hand_size": 14}, "4 hands of 14 are 56 cards, the deck has 52"),
        ({"suits": 1, "ranks": 3}, "4 players, but the deck has 3 cards"),
        ({"suits": 2, "deck": "no_2c"}, "not deck='no_2c'"),
        ({"deck": "jokers", "trump": "high_bidder"}, "jokers are spades"),
        ({"teams": "solo", "nil_pass": 1}, "nil_pass=1 needs partners"),
        ({"hand_size": 2, "blind_nil_pass": 3}, "blind_nil_pass=3: a hand has 2 cards"),
        ({"hand_size": 3, "team_bid_min": 4}, "team_bid_min=4: a hand has 3 cards"),
        ({"team_bid_min": 5, "team_bid_cap": 4}, "team_bid_min=5 lies above team_bid_cap=4"),
        ({"team_bid_cap": 1, "nil": 0}, "leaves one partner no bid"),
        ({"moon": 200}, "needs contract_scope='team'"),
        ({"ten_for_200": True}, "needs contract_scope='team'"),
        ({"failed_nil_tricks": "helps_bid"}, "needs partners with contract_scope='team'"),
        ({"bag_source": "overtricks", "bag_count": "one"}, "bag_count='one' has no effect without bag_source='undertricks'"),
        ({"blind_nil": 0, "blind_nil_deficit": 100}, "blind_nil_deficit=100 has no effect without blind_nil"),
        ({"nil": 0, "nil_pass": 1}, "nil_pass=1 has no effect without nil"),
        ({"double_nil": False, "double_nil_score": "unit"}, "has no effect without partners and double_nil"),
        ({"moon_wins": True}, "moon_wins=True has no effect without moon"),
        ({"blind_bid": "six_seven"}, "it needs contract_scope='team'"),
        ({"blind_bid": "six_seven", "contract_scope": "team", "hand_size": 6}, "blind_bid: a hand has 6 cards"),
        ({"blind_bid": "six_seven", "contract_scope": "team", "forbidden_total": 13}, "leaves no room for blind_bid"),
        ({"blind_bid": "six_seven", "teams": "solo", "moon": 200, "hand_size": 7}, "a bid of all tricks is no blind_bid"),
        ({"bid_restriction": "mirror"}, "mirror' leaves no room for blind_nil=200"),
        ({"bid_restriction": "whiz", "nil": 0}, "whiz' needs nil"),
        ({"bid_restriction": "whiz", "double_nil": False}, "leaves no room for double_nil=False"),
        ({"bid_restriction": "whiz", "trump": "high_bidder"}, "counts spades before trump is named"),
        ({"bid_restriction": "suicide", "blind_nil": 0, "teams": "solo"}, "needs partners"),
        ({"bid_restriction": "suicide", "blind_nil": 0, "hand_size": 3}, "a hand has 3 cards, less than the lowest bid"),
        ({"bid_restriction": "suicide", "blind_nil": 0, "team_bid_cap": 3}, "team_bid_cap=3 is below the lowest bid"),
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


def other_values(name: str) -> list:
    """Values of an option beside its default: all texts, or the ends of a number's range."""
    field = OPTIONS[name]
    values = choices(GAME.options, name) or (True, False)
    if field.metadata["low"] is not None:
        values = sorted({field.metadata["low"], min(field.metadata["low"] + 2, field.metadata["high"]), field.metadata["high"]})
    return [value for value in values if value != field.default][-2:]


@pytest.mark.parametrize("first", OPTIONS)
def test_any_two_options_play_together_or_are_refused(first):
    """With every later option: either the pair is refused with a reason, or deals go through with a legal action always."""
    check_pairs(GAME, first, list(OPTIONS), other_values, tables=4, steps=70, preset="standard")
