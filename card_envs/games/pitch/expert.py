"""The expert: it bids on a counted hand, and weighs every card by what the trick is worth, by the chance that its side
takes it, and by what the card would be worth later.

Chances are per mille, values hundredths of a point. The numbers in the two tables were measured; scripts/tune_expert.py shows
what changing each of them would gain.
"""

from __future__ import annotations

import numpy as np

from card_envs.cards import KING, LOW_JOKER, NO_CARD, NO_SUIT, NUM_RANKS, QUEEN, TEN, count, lowest, suit_cards, suit_of
from card_envs.games.pitch.counting import (
    SURE,
    held_after,
    higher,
    lacking,
    look,
    low_trump,
    lower,
    points_in,
)
from card_envs.games.pitch.expert_bid import best_suit, call
from card_envs.games.pitch.rules import (
    BIDDING,
    DISCARD_0,
    DISCARDING,
    DRAW_NONE,
    HOLDER,
    NAME_C,
    NAMING,
    NO_SEAT,
    STRICT,
    TEN_SET,
)
from card_envs.games.pitch.scoring import pips
from card_envs.games.pitch.trumps import strength, trump_cards, wins
from card_envs.games.pitch.view import hand_of, is_partner, phase_of, place_of, trump_of
from card_envs.kernels import JIT, rule


def weights(columns: str, *rows: tuple[int, ...]) -> np.ndarray:
    """A table of named integers for kernels."""
    table = np.array(list(rows), [(name, "i8") for name in columns.split()])
    return table if JIT else table.view(np.recarray)


# First two lines: what each feature of a hand adds to the points that the bidder's side wins. Least squares over 20,000 deals a
# row in which one seat bids and all others pass. Last line: what it takes to bid each level, more above the lowest bid (jump),
# and what is added to the hand when a partner (taken off) or an opponent bid before, and for the last to speak; `forced` is
# taken off where the dealer must bid after passes, for then a pass sets a trap; `out` makes a bid cheaper that
# would win the match, `deny` adds for each other side that is nearly out (1.6% of matches to two players, nothing in pairs,
# 2.6% where more trumps make bids higher).
# Rows: two players, three, pairs, four or more each for himself, pairs with more trumps, and ten points whoever plays. `card`
# is a card from the kitty or the draw, `away` each point that others may hold, `more` a level above four; `last_chance` is
# taken off a moon that wins the match, where the other side is about to.
TWO, THREE, PAIRS, MANY, MORE, TENS = range(6)
BIDS = weights(
    """start high low_taken low_held base_held jack guard tops ten length side_ace side_king side_ten
       off_jack joker card ace king queen trey deuce away
       one two three four more moon last_chance partner opponent last forced jump out deny""",
    (42, 124, 17, 90, -30, 69, 11, 11, 15, 18, 24, 15, 9, 65, 50, 10, 0, 0, 0, 0, 0, 0)
    + (100, 113, 245, 350, 75, 400, 0, 0, -32, 20, 0, 46, 30, 15),
    (-15, 139, 16, 95, -10, 62, -3, 10, 13, 30, 29, 17, 4, 65, 50, 10, 0, 0, 0, 0, 0, 0)
    + (100, 161, 265, 410, 75, 400, 0, 0, 0, -32, 60, 30, 30, 15),
    (79, 111, 11, 65, 5, 61, -13, 8, 3, 23, 18, 7, 4, 65, 50, 10, 0, 0, 0, 0, 0, 0)
    + (170, 155, 235, 340, 75, 400, 0, 40, -36, -6, 0, 45, 30, 15),
    (-32, 129, 23, 100, 5, 70, -2, 20, 11, 31, 30, 11, 0, 65, 50, 10, 0, 0, 0, 0, 0, 0)
    + (100, 180, 270, 380, 75, 400, 0, 0, 0, -30, 80, 30, 30, 15),
    (102, 93, 2, 65, 5, 64, 14, 50, 10, 25, 16, 10, 2, 67, 47, 10, 0, 0, 0, 0, 0, 0)
    + (170, 190, 290, 370, 75, 400, 0, 40, -28, 2, 0, 63, 30, 100),
    (-15, 0, 0, 0, 0, 107, 0, 0, 50, 25, 0, 0, 0, 73, 39, 0, 167, 78, 55, 129, 99, 40)
    + (195, 280, 365, 450, 85, 900, 220, 0, -8, 0, 8, 30, 30, 60),
)

# What tricks and cards are worth: for each row of BIDS one for the bidder's side and one for the others. `jack` is every point
# that lies in a card; `off_jack`, `joker` and `three` are those cards kept.
PLAYS = weights(
    """pip jack low rest lead draw catch ruff rescue
       trump_ace trump_king trump_queen trump_jack trump_ten trump_small ace king queen side_jack ten off_jack joker three""",
    (4, 39, 50, 10, 20, 14, 50, 1000, 600, 45, 38, 20, 60, 46, 27, 25, 10, 5, 2, -5, 64, 50, 0),
    (5, 100, 26, 2, 12, -10, 50, 800, 1000, 90, 74, 40, 40, 10, 3, 25, 10, 5, 2, 11, 40, 30, 0),
    (2, 39, 100, 10, 4, 14, 50, 600, 600, 45, 38, 20, 60, 30, 19, 25, 2, -11, 2, -5, 64, 50, 0),
    (5, 100, 50, 2, -4, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11, 40, 30, 0),
    (4, 50, 100, 10, 20, 14, 50, 600, 600, 45, 38, 20, 67, 30, 19, 25, 2, 5, 2, -5, 64, 50, 0),
    (5, 100, 50, 2, 12, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11, 40, 30, 0),
    (2, 39, 100, 10, 4, 14, 50, 600, 600, 45, 38, 20, 60, 30, 19, 25, 2, -11, 2, -5, 64, 50, 0),
    (5, 100, 50, 2, -4, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11, 40, 30, 0),
    (4, 30, 100, 4, 20, 14, 50, 600, 600, 45, 38, 32, 67, 30, 19, 25, 2, 5, 2, -5, 64, 50, 0),
    (5, 43, 50, 2, 12, -10, 50, 800, 1000, 60, 74, 46, 56, 10, 19, 25, 10, 5, 2, 11, 40, 30, 0),
    (0, 36, 100, 10, 20, 14, 30, 0, 360, 84, 54, 30, 114, 50, 19, 0, 0, 0, 0, 0, 70, 50, 115),
    (0, 52, 100, -14, 0, -10, 24, 0, 1339, 79, 114, 51, 78, 24, 13, 0, 0, 0, 0, 0, 72, 40, 38),
)


@rule
def kind_of(rules):
    """The row of BIDS."""
    if rules.points == TEN_SET:
        return TENS
    if rules.num_sides < rules.num_players:
        return MORE if rules.more_trumps != 0 else PAIRS
    return TWO if rules.num_players == 2 else THREE if rules.num_players == 3 else MANY


@rule
def decide(words, i, at, rules, legal, bids, plays):
    """A legal action for row i, under given tables."""
    phase = phase_of(words, i, at)
    hand = hand_of(words, i, at)
    if phase == BIDDING:
        return call(words, i, at, rules, legal, hand, bids[kind_of(rules)])
    trump = trump_of(words, i, at)
    cards = int(legal[i, 0])
    if trump == NO_SUIT:
        trump = best_suit(hand, rules, bids[kind_of(rules)])
        cards = hand & suit_cards(trump)
    if phase == NAMING:
        return NAME_C + trump
    bidder = place_of(words, i, at.bidder, at, rules)
    attacks = bidder != NO_SEAT and is_partner(bidder, rules)
    row = 2 * kind_of(rules) + int(not attacks)
    if phase == DISCARDING:
        return DISCARD_0 + least_kept(int(legal[i, 1]) >> (DISCARD_0 - 64), trump, rules, plays[row])
    return best_to_play(words, i, at, rules, cards, look(words, i, at, rules, trump), plays[row])


# --- playing -----------------------------------------------------------------------------------------------------------------


@rule
def beaten(words, i, at, rules, sight, card, partners, w):
    """Chance that a seat still to act beats `card`."""
    is_trump = sight.trumps >> card & 1 == 1
    suit = sight.trump if is_trump else suit_of(card)
    held = held_after(words, i, at, rules, sight, suit, partners)
    safe = lacking(count(higher(card, sight.unseen, sight.trumps, sight.trump, rules)), held, suit, sight)
    if not is_trump:
        held = held_after(words, i, at, rules, sight, sight.trump, partners)
        ruffed = SURE - lacking(count(sight.trumps & sight.unseen), held, sight.trump, sight)
        if rules.follow_rule == STRICT:
            ruffed = ruffed // 2
        safe = safe * (SURE - ruffed * w.ruff // SURE) // SURE
    return SURE - safe


@rule
def taken(words, i, at, rules, sight, card, w):
    """Chance that our side takes the trick if we play this card."""
    is_best = sight.best == NO_CARD or wins(card, sight.best, sight.trumps, sight.trump, rules)
    best = card if is_best else sight.best
    foes = beaten(words, i, at, rules, sight, best, False, w)
    partner = 0
    if rules.num_sides < rules.num_players:
        partner = beaten(words, i, at, rules, sight, best, True, w) * w.rescue // SURE
    if is_best or sight.ours == 1:
        return SURE - foes + foes * partner // (2 * SURE)
    return partner


@rule
def stakes(sight, cards, rules, w):
    """What hangs on who takes these cards."""
    trumps = cards & sight.trumps
    value = w.jack * points_in(trumps, sight.trump, rules)
    if rules.points == TEN_SET:
        return value
    value += pips(cards) * w.pip * sight.swing // SURE
    if trumps != 0 and rules.low_to != HOLDER:
        low = low_of(trumps, sight.trump, rules)
        less = 0 if low == NO_CARD else lower(low, sight.trumps, sight.trump, rules)
        if low != NO_CARD and less & sight.seen == 0:
            value += w.low * lacking(count(less & sight.unseen), sight.others, sight.trump, sight) // SURE
    return value


@rule
def low_of(trumps, trump, rules):
    """The lowest trump that can be Low, or NO_CARD."""
    return lowest(trumps) if rules.more_trumps == 0 else low_trump(trumps, trump, rules)


@rule
def kept(card, trump, rules, w):
    """What a card is worth later, at the first trick."""
    if rules.more_points != 0 and is_named(card, trump, rules):
        return w.joker if card >= LOW_JOKER else w.three if suit_of(card) == trump else w.off_jack
    rank = card % NUM_RANKS
    if suit_of(card) == trump:
        if rank < TEN:
            return w.trump_small
        if rank < QUEEN:
            return w.trump_ten if rank == TEN else w.trump_jack
        if rank == QUEEN:
            return w.trump_queen
        return w.trump_king if rank == KING else w.trump_ace
    if rank < TEN:
        return 0
    if rank < QUEEN:
        return w.ten if rank == TEN else w.side_jack
    if rank == QUEEN:
        return w.queen
    return w.king if rank == KING else w.ace


@rule
def is_named(card, trump, rules):
    """Is it an off-jack, a joker, or a three that counts?"""
    if suit_of(card) != trump:
        return trump_cards(trump, rules) >> card & 1 == 1
    return rules.points == TEN_SET and card == 1 + NUM_RANKS * trump


@rule
def least_kept(cards, trump, rules, w):
    """The card to put aside: no point if that can be, then the one of least worth, the lowest of several."""
    chosen, least = NO_CARD, 0
    trumps = trump_cards(trump, rules)
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        value = SURE * points_in(1 << card & trumps, trump, rules) + 20 * kept(card, trump, rules, w)
        value += strength(card, trump, rules) if trumps >> card & 1 == 1 else card % NUM_RANKS
        if chosen == NO_CARD or value < least:
            chosen, least = card, value
    return chosen


@rule
def led(words, i, at, rules, sight, chance, w):
    """What leading a trump brings beside the trick: it draws trumps, and may catch points."""
    value = w.draw
    points = points_in(sight.unseen & sight.trumps, sight.trump, rules)
    if points != 0:
        held = held_after(words, i, at, rules, sight, sight.trump, False)
        value += w.catch * points * chance // SURE * (SURE - lacking(1, held, sight.trump, sight)) // SURE
    return value


@rule
def best_to_play(words, i, at, rules, cards, sight, w):
    """The card of most value."""
    chosen, most = NO_CARD, 0
    left = count(sight.hand)
    first = rules.hand_size if rules.draw == DRAW_NONE else rules.draw_to
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        chance = taken(words, i, at, rules, sight, card, w)
        worth = stakes(sight, sight.trick | 1 << card, rules, w) + w.rest * sight.after
        value = (2 * chance - SURE) * worth // SURE
        if left > 1:
            value += chance * w.lead // SURE - kept(card, sight.trump, rules, w) * (left - 1) // max(1, first - 1)
        if sight.best == NO_CARD and sight.trumps >> card & 1 == 1:
            value += led(words, i, at, rules, sight, chance, w)
        if chosen == NO_CARD or value > most:
            chosen, most = card, value
    return chosen
