"""The expert: it bids when what a contract sheds is worth what losing it draws, and weighs every card by the chance that it
takes the trick, by whom that serves, and by what the card would be worth later.

Chances are per mille, values hundredths of a card or of a point. The numbers in the two tables were measured;
scripts/tune_expert.py shows what changing each of them would gain.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from card_envs.cards import (
    ACE,
    JACK,
    KING,
    NO_CARD,
    NUM_RANKS,
    QUEEN,
    count,
    lowest,
    rank_cards,
    suit_cards,
    suit_of,
)
from card_envs.games.pit.rules import (
    ALL_LOST,
    ALONE_ALL_LOST,
    BANK_UNLIMITED,
    BID,
    BID_ALONE,
    BY_CARD,
    FIRST_CONTRACT,
    GROW,
    MAX_LEVEL,
    MAX_PLAYERS,
    PASS,
    PLAY_DECIDED,
    POINTS_ALONE,
    POINTS_DISCARDS,
    POINTS_ROUND_WIN,
)
from card_envs.games.pit.table import BIDDING
from card_envs.games.pit.view import (
    BIDDER,
    LEADER,
    WINNING,
    bank_of,
    burden_of,
    card_with,
    hand_of,
    held_by,
    is_void,
    phase_of,
    place_of,
    played_by,
    position_of,
    standing_bid,
    tricks_left,
    trump_of,
    upcard_of,
)
from card_envs.kernels import JIT, rule
from card_envs.tricks import beats

SURE = 1000
CARD = 100  # a card or a point, in the hundredths of values
MIN_PLAYERS = 3
NUM_COUNTS = MAX_PLAYERS - MIN_PLAYERS + 1


def weights(columns: str, *rows: tuple[int, ...]) -> np.ndarray:
    """A table of named integers for kernels."""
    table = np.array(list(rows), [(name, "i8") for name in columns.split()])
    return table if JIT else table.view(np.recarray)


# Chance, per mille, that something normally distributed lies below its mean plus so many tenths of its deviation (-40 .. 40).
TENTHS = 40
BELOW = np.array(
    [round(SURE * (1 + math.erf(tenth / 10 / math.sqrt(2))) / 2) for tenth in range(-TENTHS, TENTHS + 1)], np.int64
)

# By number of players, 3 to 6, and again where nobody must follow suit. First what each feature of a hand adds to the tricks
# that it takes as contractor, then how far the tricks `spread` about that; `price`: what a bid must promise, `deny`: what a pass
# gives away where another bid stands (and again where he would be out), `out`: what winning the match is worth beside the cards,
# `stay`: points of a defender for each trick that he would expect as contractor.
BIDS = weights(
    """base ace king queen jack trump length side_ace side_king side_queen void single
       spread price deny out stay""",
    (48, 66, 46, 34, 22, 63, 5, 68, 34, 33, 25, 2, 100, 0, 10, 200, 60),
    (6, 78, 51, 35, 22, 51, 16, 63, 39, 21, 9, -2, 85, 0, 10, 200, 60),
    (-9, 85, 69, 51, 19, 48, 49, 44, 26, 15, 11, -8, 75, 0, 10, 200, 60),
    (-10, 92, 55, 36, 25, 41, 49, 39, 20, 9, 13, -6, 80, 0, 10, 200, 60),
    (4, 19, 17, 14, 13, 68, 18, 34, 20, 11, -4, -3, 95, 0, 10, 200, 60),
    (-8, 55, 52, 40, 27, 40, 23, 11, 5, 3, -4, -2, 70, 0, 10, 200, 60),
    (-1, 69, 50, 38, 27, 33, 28, 2, 2, 3, -6, -5, 65, 0, 10, 200, 60),
    (-3, 79, 52, 39, 31, 23, 29, 3, 2, 2, -3, -3, 65, 0, 10, 200, 60),
)

# For each row of BIDS one for the contractor and one for the others: what a trick is worth to the player (`own`), and to the
# others if the contractor does not get it (`stop`); how often a player behind him still beats his card (`rescue`); what masters
# (`top`) and small cards are worth later; what leading a trump (`draw`) or a lone card (`single`) adds; how often one who can
# beat a card does (`will`).
PLAYS = weights(
    "own stop rescue trump_top trump_small top rank draw single will",
    (160, 0, 0, 28, 21, 50, 1, 10, -64, 1000),
    (10, 100, 400, 70, 48, 20, 1, 2, 10, 1000),
    (160, 0, 0, 28, 21, 80, 1, 10, -12, 1000),
    (10, 100, 280, 80, 30, 20, 1, -10, 10, 1000),
    (160, 0, 0, 60, 21, 104, 1, 29, 0, 1000),
    (10, 100, 400, 70, 30, 20, 1, -10, 10, 1000),
    (136, 0, 0, 70, 30, 58, 1, 45, 0, 1000),
    (10, 100, 400, 70, 30, 42, 1, -10, 10, 1000),
    (160, 0, 0, 28, 21, 80, 1, 10, -12, 1000),
    (10, 100, 280, 80, 30, 20, 1, -10, 10, 1000),
    (160, 0, 0, 28, 21, 80, 1, 10, -12, 1000),
    (10, 100, 280, 80, 30, 20, 1, -10, 10, 1000),
    (160, 0, 0, 28, 21, 80, 1, 10, -12, 1000),
    (10, 100, 280, 80, 30, 20, 1, -10, 10, 1000),
    (160, 0, 0, 28, 21, 80, 1, 10, -12, 1000),
    (10, 100, 280, 80, 30, 20, 1, -10, 10, 1000),
)


@rule
def decide(words, i, at, rules, legal, bids, plays):
    """A legal action for row i, under given tables."""
    if phase_of(words, i, at) == BIDDING:
        return call(words, i, at, rules, legal, bids[kind_of(rules)])
    attacks = place_of(words, i, at, rules, BIDDER) == 0
    row = plays[2 * kind_of(rules) + int(not attacks)]
    return best_to_play(words, i, at, rules, int(legal[i, 0]), look(words, i, at, rules), row)


# --- counting ----------------------------------------------------------------------------------------------------------------


@rule
def kind_of(rules):
    """The row of BIDS."""
    return rules.num_players - MIN_PLAYERS + NUM_COUNTS * int(rules.must_follow == 0)


@rule
def absent(cards, held, hidden):
    """Chance that none of `cards` given cards is among `held` of `hidden` cards."""
    chance = SURE
    for drawn in range(min(cards, hidden)):
        chance = chance * max(0, hidden - held - drawn) // (hidden - drawn)
    return chance


@rule
def above(card):
    """The cards of its suit above a card."""
    return suit_cards(suit_of(card)) & -(1 << (card + 1))


class Sight(NamedTuple):
    """What the expert has counted before it weighs its cards."""

    trump: int
    hand: int
    best: int  # the card that is winning the trick, or NO_CARD
    led: int  # the suit led, or -1 on lead
    contractor: int  # places to the contractor, 0: the player itself
    contractor_wins: int  # 1: his card is winning the trick
    after: int  # seats still to act in this trick
    left: int  # tricks left, this one too
    unseen: int  # cards that the player cannot place
    hidden: int  # how many those are
    others: int  # how many of them are in hands


@rule
def look(words, i, at, rules):
    """Count what is held and what has been played."""
    hand = hand_of(words, i, at)
    seen, others = hand | 1 << upcard_of(words, i, at), 0
    for place in range(rules.num_players):
        seen = seen | played_by(words, i, at, place)
        if place > 0:
            others += held_by(words, i, at, rules, place)
    unseen = rules.deck_cards & ~seen
    first = card_with(words, i, at, rules, LEADER)
    led = -1 if first == NO_CARD else suit_of(first)
    contractor = place_of(words, i, at, rules, BIDDER)
    contractor_wins = int(place_of(words, i, at, rules, WINNING) == contractor)
    after = rules.num_players - 1 - position_of(words, i, at, rules)
    best = card_with(words, i, at, rules, WINNING)
    left = tricks_left(words, i, at, rules)
    return Sight(
        trump_of(words, i, at), hand, best, led, contractor, contractor_wins, after, left, unseen, count(unseen), others
    )  # fmt: skip


# --- bidding -----------------------------------------------------------------------------------------------------------------


@rule
def strength(hand, trump, b):
    """Tricks, in hundredths, that a contractor with this hand can expect."""
    trumps = hand & suit_cards(trump)
    plain = hand & ~trumps
    value = b.base + b.trump * count(trumps) + b.length * max(0, count(trumps) - 3)
    value += b.ace * count(trumps & rank_cards(ACE)) + b.king * count(trumps & rank_cards(KING))
    value += b.queen * count(trumps & rank_cards(QUEEN)) + b.jack * count(trumps & rank_cards(JACK))
    value += b.side_ace * count(plain & rank_cards(ACE)) + b.side_king * count(plain & rank_cards(KING))
    value += b.side_queen * count(plain & rank_cards(QUEEN))
    if trumps != 0:
        for suit in range(4):
            length = count(plain & suit_cards(suit))
            if suit != trump:
                value += b.void * int(length == 0) + b.single * int(length == 1)
    return value


@rule
def at_least(tricks, mean, b):
    """Chance that the contractor takes so many tricks."""
    tenths = (mean - CARD * tricks + CARD // 2) * 10 // b.spread
    return int(BELOW[TENTHS + max(-TENTHS, min(tenths, TENTHS))])


@rule
def made_worth(tricks, bid, alone, burden, rules, b):
    """What a contract made with so many tricks is worth."""
    unit = (rules.num_players if rules.shed_unit == BY_CARD else 1) * (rules.alone_shed if alone else 1)
    cards = min(burden, burden if rules.shed_unit == FIRST_CONTRACT else tricks * unit)
    if not rules.by_points:
        return CARD * cards + (b.out if cards == burden else 0)
    points = POINTS_ALONE * tricks * int(alone)
    if rules.points_mode == POINTS_ROUND_WIN:
        points += bid
    elif rules.points_mode == POINTS_DISCARDS:
        points += cards
    return CARD * points


@rule
def lost_cost(tricks, bid, alone, bank, rules):
    """What a contract lost with so many tricks costs: points are not lost."""
    if rules.by_points:
        return 0
    every_trick = rules.alone_set == ALONE_ALL_LOST if alone else rules.set_basis == ALL_LOST
    owed = rules.num_tricks - tricks if every_trick else bid - tricks
    endless = rules.pit_bank == BANK_UNLIMITED and rules.hand_model != GROW
    return CARD * (owed if endless else min(owed, bank))


@rule
def worth(bid, alone, mean, burden, bank, rules, b):
    """What playing a contract is worth on the average."""
    value = 0
    likely = SURE
    for tricks in range(rules.num_tricks + 1):
        more = at_least(tricks + 1, mean, b) if tricks < rules.num_tricks else 0
        chance = likely - more
        likely = more
        if tricks < bid:
            value -= chance * lost_cost(tricks, bid, alone, bank, rules)
        else:
            taken = bid if rules.stop == PLAY_DECIDED else tricks
            value += chance * made_worth(taken, bid, alone, burden, rules, b)
    return value // SURE


@rule
def given_away(words, i, at, rules, b):
    """What a pass gives away: another plays his contract, perhaps to win the match with it."""
    bidder = place_of(words, i, at, rules, BIDDER)
    if bidder <= 0:
        return 0
    out = burden_of(words, i, at, bidder) <= standing_bid(words, i, at)
    return b.deny * (2 if out else 1)


@rule
def call(words, i, at, rules, legal, b):
    """The lowest bid, alone or not, if it is worth more than a pass."""
    hand = hand_of(words, i, at)
    mean = strength(hand, trump_of(words, i, at), b)
    burden, bank = burden_of(words, i, at, 0), bank_of(words, i, at)
    chosen, most = PASS, 0
    passing = b.price - given_away(words, i, at, rules, b)
    if rules.by_points:
        passing += b.stay * mean // CARD
    if int(legal[i, 0]) >> PASS & 1 == 1:
        most = passing
    for level in range(1, MAX_LEVEL + 1):
        for alone in range(2):
            action = call_id(level, alone)
            if int(legal[i, action >> 6]) >> (action & 63) & 1 == 1:
                value = worth(level, alone, mean, burden, bank, rules, b)
                if (chosen == PASS and int(legal[i, 0]) >> PASS & 1 == 0) or value > most:
                    chosen, most = action, value
    return chosen


CALL_IDS = np.array([[0, 0]] + [[BID[level], BID_ALONE[level]] for level in range(1, MAX_LEVEL + 1)], np.int64)


@rule
def call_id(level, alone):
    """The action of a bid."""
    return int(CALL_IDS[level, alone])


# --- playing -----------------------------------------------------------------------------------------------------------------


@rule
def beaten_by(words, i, at, rules, sight, place, card, led):
    """Chance that the seat `place` places on, which has yet to act, holds what beats `card` and may play it."""
    held = held_by(words, i, at, rules, place)
    suit = suit_of(card)
    higher, trumps = count(above(card) & sight.unseen), count(suit_cards(sight.trump) & sight.unseen)
    if rules.must_follow == 0:
        return SURE - absent(higher + (trumps if suit != sight.trump else 0), held, sight.hidden)
    void = SURE
    if not is_void(words, i, at, place, led):
        void = absent(count(suit_cards(led) & sight.unseen), held, sight.hidden)
    follows = 0
    if suit == led and not is_void(words, i, at, place, led):
        follows = SURE - absent(higher, held, sight.hidden)
    if led == sight.trump or is_void(words, i, at, place, sight.trump):
        return follows
    ruffs = SURE - absent(higher if suit == sight.trump else trumps, held, sight.hidden)
    return min(SURE, follows + void * ruffs // SURE)


@rule
def kept(card, sight, rules, w):
    """What a card is worth later."""
    top = absent(count(above(card) & sight.unseen), sight.others, sight.hidden)
    rank = w.rank * (card % NUM_RANKS)
    if suit_of(card) == sight.trump:
        return rank + w.trump_small + w.trump_top * top // SURE
    return rank + w.top * top // SURE


@rule
def value_of(words, i, at, rules, sight, card, w):
    """What playing a card is worth: the trick, and who gets it, less what the card would be worth later."""
    led = sight.led if sight.led >= 0 else suit_of(card)
    mine = sight.best == NO_CARD or beats(card, sight.best, sight.trump)
    best = card if mine else sight.best
    stands, his = SURE, 0  # chances that the best card so far takes the trick, and that the contractor does
    for place in range(1, sight.after + 1):
        beaten = stands * (w.will * beaten_by(words, i, at, rules, sight, place, best, led) // SURE) // SURE
        if place == sight.contractor:
            his += beaten
        else:
            his -= his * w.rescue // SURE
        stands -= beaten
    if sight.contractor_wins == 1 and not mine:
        his += stands
    value = -w.stop * his // SURE
    if mine:
        scores = CARD if rules.by_points and sight.contractor != 0 else 0
        value += (w.own + scores) * stands // SURE
    if sight.left > 1:
        value -= kept(card, sight, rules, w) * (sight.left - 1) // max(1, rules.num_tricks - 1)
    if sight.best == NO_CARD:
        value += w.draw * int(led == sight.trump) + w.single * int(sight.hand & suit_cards(led) == 1 << card)
    return value


@rule
def best_to_play(words, i, at, rules, cards, sight, w):
    """The card of most value."""
    chosen, most = NO_CARD, 0
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        value = value_of(words, i, at, rules, sight, card, w)
        if chosen == NO_CARD or value > most:
            chosen, most = card, value
    return chosen
