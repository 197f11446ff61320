"""OpenSpiel's own Spades as an outside referee of preset `openspiel`: the same deals, legal actions and scores.

The full size, in about two minutes:

    CARD_ENVS_OPENSPIEL_DEALS=20000 python -m pytest tests/spades/test_openspiel.py

OpenSpiel plays one deal an episode; seat 0 bids and leads first unless it is told otherwise. Up to release 2.0.2 it is wrong in
five places. The comparison steps around just these, and the tests at the end fail as soon as one of them is mended:

- Spades are never broken: who leads from a hand with another suit may not lead one. The preset has break_rule='never' for it.
- Bags are the last digit of a side's score, as C++ divides: a score of -37 holds -7 of them, not 3 (`lost_penalty`).
- A match is won, and lost by mercy, with the points of the deal in place of the score (`bonus_of`).
- use_mercy_rule=False does nothing.
- A seat's tricks have 13 places in the observation, for 0 to 13. The fourth seat's 13th trick is written beyond its end, so
  random deals ask for no observation.
"""

import os
import random

import numpy as np
import pytest

from card_envs.cards import parse_cards
from card_envs.games.spades.rules import BID_0, SPADES
from card_envs.table import Table
from tests.spades.play import GAME, SUITS

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'card-envs[openspiel]'")

DEALS = int(os.environ.get("CARD_ENVS_OPENSPIEL_DEALS", 200))
CARDS = 52  # OpenSpiel's ids: our cards' as they are, then nil and the bids 1 to 13
WIN, BONUS, MERCY = 500, 200, -350  # OpenSpiel's defaults
PARAMETERS = [
    {},
    {"win_threshold": 50, "win_or_loss_bonus": 1000},
    {"mercy_threshold": -60},
    {"mercy_threshold": 0, "win_threshold": 120},
    {"use_mercy_rule": False, "mercy_threshold": -100, "win_threshold": 250},
]


# --- one deal at both tables -------------------------------------------------------------------------------------------------


def new_table(**options) -> Table:
    return Table(GAME, GAME.rules("openspiel", **options), episode="open")


def open_both(ours: Table, parameters: dict, hands: list[list[int]], scores: list[int], dealer: int = 3):
    """Deal the same cards at both tables, each side holding the bags that its score shows; returns OpenSpiel's."""
    ours.reset({"scores": scores, "bags": [score % 10 for score in scores]})
    ours.open_deal(hands, dealer)
    theirs = pyspiel.load_game("spades", parameters).new_initial_state()
    for place in range(CARDS):
        theirs.apply_action(hands[place % 4][place // 4])
    theirs.set_current_scores(scores)
    follow_dealer(ours, theirs)
    return theirs


def follow_dealer(ours: Table, theirs) -> None:
    """Tell OpenSpiel who bids first, and after the bids that seat 0 leads. With dealer 3 that is its own order."""
    dealer, bids = int(ours.record.dealer), int((ours.record.bid[:4] >= 0).sum())
    if dealer != 3 and bids in (0, 4):
        theirs.set_current_player(0 if bids == 4 else dealer + 1)


def act(ours: Table, theirs, action: int) -> None:
    bidding = action >= BID_0
    ours.step(action)
    theirs.apply_action(their_id(action))
    if bidding:
        follow_dealer(ours, theirs)


def their_id(action: int) -> int:
    return action if action < CARDS else CARDS + action - BID_0


def their_name(ours: Table, action: int) -> str:
    """OpenSpiel's text of one of our actions."""
    name = ours.action_names[action]
    return name[::-1] if action < CARDS else name.removeprefix("bid ").capitalize()


def play_out(ours: Table, theirs, choose: random.Random) -> None:
    """Random actions to the deal's end, the legal ones compared at every step."""
    while not theirs.is_terminal():
        legal = ours.legal_actions()
        assert ours.turn == theirs.current_player(), theirs
        assert [their_id(action) for action in legal] == theirs.legal_actions(), theirs
        act(ours, theirs, choose_action(ours, legal, choose))
    assert ours.record.deal_over


# --- random deals and play ---------------------------------------------------------------------------------------------------


def random_hands(choose: random.Random) -> list[list[int]]:
    cards = choose.sample(range(CARDS), CARDS)
    if choose.random() < 0.2:  # long suits and voids
        cards.sort(key=lambda card: card + choose.randint(0, 8))
    hands = [cards[13 * seat : 13 * seat + 13] for seat in range(4)]
    choose.shuffle(hands)
    return hands


def random_score(target: int, choose: random.Random) -> int:
    """Before the target; often below zero, or close to the target."""
    return choose.choice([0, choose.randint(-400, -1), choose.randint(1, target - 1), target - choose.randint(1, 40)])


def choose_action(ours: Table, legal: list[int], choose: random.Random) -> int:
    """Mostly low bids; a nil bidder often plays low. So bids and nils are made as well as lost."""
    if legal[0] >= BID_0:
        return choose.choice(legal[:5] if choose.random() < 0.7 else legal)
    if ours.record.bid[ours.turn] == 0 and choose.random() < 0.8:
        return min(legal, key=lambda card: (card // 13 == SPADES, card % 13))
    return choose.choice(legal)


# --- scores ------------------------------------------------------------------------------------------------------------------


def lost_penalty(score: int, overtricks: int) -> int:
    """A side below zero whose bags come to ten or more pays, at OpenSpiel's table, for ten of them less."""
    bags = score % 10
    return 100 if score < 0 and bags > 0 and bags + overtricks >= 10 else 0


def bonus_of(points: int, others: int, parameters: dict) -> int:
    """What OpenSpiel adds where the points of this deal, not the scores, win the match or lose it by mercy."""
    bonus, mercy = parameters.get("win_or_loss_bonus", BONUS), parameters.get("mercy_threshold", MERCY)
    if points >= parameters.get("win_threshold", WIN) and points > others:
        return bonus
    return -bonus if mercy and points <= mercy and points < others else 0


def compare_scores(ours: Table, theirs, parameters: dict, scores: list[int]) -> None:
    """OpenSpiel's points, scores and end of the match are ours but for its errors; ours go by the scores."""
    s = ours.record
    overtricks = [int(sum(s.tricks_won[side:4:2]) - sum(s.bid[side:4:2])) for side in (0, 1)]
    unpaid = [lost_penalty(scores[side], overtricks[side]) for side in (0, 1)]
    points = [int(s.change[side]) + unpaid[side] for side in (0, 1)]
    bonus = [bonus_of(points[side], points[1 - side], parameters) for side in (0, 1)]
    totals = [scores[side] + points[side] for side in (0, 1)]
    assert theirs.get_current_scores() == totals, theirs
    assert theirs.returns() == [points[seat % 2] + bonus[seat % 2] for seat in range(4)], theirs
    assert theirs.is_game_over() == any(bonus), theirs
    assert ours.scores() == [totals[side] - unpaid[side] for side in (0, 1)]
    highest = max(ours.scores())
    leaders = [side for side in (0, 1) if ours.scores()[side] == highest]
    won = highest >= ours.rules.target and len(leaders) == 1
    assert bool(s.match_over) == won and ours.winners() == leaders


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_random_deals_agree(parameters):
    choose = random.Random(str(parameters))
    ours = new_table(target=parameters.get("win_threshold", WIN))
    for _ in range(-(-DEALS // len(PARAMETERS))):
        scores = [random_score(ours.rules.target, choose) for _ in (0, 1)]
        theirs = open_both(ours, parameters, random_hands(choose), scores, choose.choice([3, 3, 3, 0, 1, 2]))
        play_out(ours, theirs, choose)
        compare_scores(ours, theirs, parameters, scores)


def test_actions_have_the_same_names():
    ours = new_table()
    theirs = open_both(ours, {}, random_hands(random.Random(1)), [0, 0])
    bids = ours.legal_actions()
    assert len(bids) == 14
    for action in [*range(CARDS), *bids]:
        assert theirs.action_to_string(0, their_id(action)) == their_name(ours, action)


# --- OpenSpiel's errors ------------------------------------------------------------------------------------------------------


def sweep(scores: list[int], parameters: dict | None = None, winner: int = 3, bids: tuple[int, ...] = (2, 1, 2, 4)):
    """A deal in which `winner` holds all spades and wins all tricks; returns both tables."""
    ours = new_table(target=(parameters or {}).get("win_threshold", WIN))
    hands = [parse_cards(SUITS[(3 + seat - winner) % 4]) for seat in range(4)]
    theirs = open_both(ours, parameters or {}, hands, scores)
    for bid in bids:
        act(ours, theirs, BID_0 + bid)
    play_out(ours, theirs, random.Random(1))
    assert ours.record.tricks_won[winner] == 13
    return ours, theirs


def test_openspiel_never_breaks_spades():
    """Beside it a table that breaks them by the usual rule: only such leads are missing, and all of them."""
    choose, refused = random.Random(2), 0
    never, standard = new_table(), new_table(break_rule="standard")
    for _ in range(20):
        hands, broken, played = random_hands(choose), False, 0
        theirs = open_both(never, {}, hands, [0, 0])
        open_both(standard, {}, hands, [0, 0])
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            missing = {their_id(action) for action in standard.legal_actions()} - set(legal)
            held = {card for card in range(CARDS) if int(standard.record.hand[standard.turn]) >> card & 1}
            spades = {card for card in held if card // 13 == SPADES}
            leads = legal[0] < CARDS and played % 4 == 0
            assert missing == (spades if leads and broken and spades != held else set()), theirs
            refused += bool(missing)
            action = choose_action(never, never.legal_actions(), choose)
            played += action < CARDS
            broken = broken or action // 13 == SPADES
            act(never, theirs, action)
            standard.step(action)
    assert refused > 20


@pytest.mark.parametrize("score, points, theirs_too", [(3, -42, True), (-37, -42, False), (-40, 58, True)])
def test_openspiel_forgets_the_bags_of_a_negative_score(score, points, theirs_too):
    """5 bid, 13 won. Three bags and eight make a penalty, from which one is left; a score of -40 holds none."""
    ours, theirs = sweep([0, score])
    assert ours.scores()[1] == score + points
    assert ours.record.bags[1] == (score % 10 + 8) % 10
    assert theirs.returns()[1] == points + (0 if theirs_too else 100)


def test_openspiel_wins_by_the_points_of_a_deal():
    """490 and 58 more are 548, without a winner; with a target of 50, the 58 win from -300 too."""
    ours, theirs = sweep([0, 490])
    assert ours.winners() == [1] and ours.record.match_over
    assert theirs.get_current_scores() == ours.scores() == [-40, 548]
    assert not theirs.is_game_over() and theirs.returns()[1] == 58
    ours, theirs = sweep([0, -300], {"win_threshold": 50})
    assert ours.scores() == [-40, -242] and not ours.record.match_over
    assert theirs.is_game_over() and theirs.returns()[1] == 58 + BONUS


@pytest.mark.parametrize("used", [True, False])
def test_openspiel_shows_mercy_by_the_points_of_a_deal_even_when_told_not_to(used):
    _, theirs = sweep([400, 0], {"use_mercy_rule": used, "mercy_threshold": -40})
    assert theirs.get_current_scores() == [360, 58]
    assert theirs.is_game_over() and theirs.returns()[0] == -40 - BONUS


@pytest.mark.parametrize("winner", range(3))
def test_openspiel_does_not_show_thirteen_tricks(winner):
    """A seat's 13 is written where the next one's 0 stands. The fourth seat's would damage memory, so it is left alone."""
    _, theirs = sweep([0, 0], winner=winner)
    shown = np.reshape(theirs.observation_tensor(0)[-52:], (4, 13))
    assert shown.sum(axis=1).tolist() == [float(seat != winner) for seat in range(4)]
