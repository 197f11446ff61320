"""The expert: it bids on a counted hand, and weighs every card by what the trick is worth, by the chance that its side
takes it, and by what the card would be worth later.

Chances are per mille, values hundredths of a point. The numbers in the two tables were measured; scripts/tune_expert.py shows
what changing each of them would gain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from card_envs.cards import (
    ACE,
    JACK,
    KING,
    NO_CARD,
    NO_SUIT,
    NUM_RANKS,
    QUEEN,
    TEN,
    count,
    highest,
    lowest,
    rank_cards,
    suit_cards,
    suit_of,
)
from card_envs.games.pitch.rules import (
    BID_0,
    BIDDING,
    DEALER_FORCED,
    DISCARD_0,
    DISCARDING,
    HOLDER,
    MOON,
    NAME_C,
    NAMING,
    NO_SEAT,
    NUM_POINTS,
    PASS,
    STRICT,
)
from card_envs.games.pitch.scoring import pips
from card_envs.games.pitch.view import (
    RANK_FLAGS,
    best_card,
    hand_of,
    held_by,
    is_partner,
    is_void,
    needs_of,
    phase_of,
    pips_of,
    place_of,
    played_by,
    position_of,
    trick_card,
    trump_of,
)
from card_envs.kernels import JIT, rule
from card_envs.tricks import beats

SURE = 1000
NEARLY_OUT = 2  # points short of the target


def weights(columns: str, *rows: tuple[int, ...]) -> np.ndarray:
    """A table of named integers for kernels."""
    table = np.array(list(rows), [(name, "i8") for name in columns.split()])
    return table if JIT else table.view(np.recarray)


# First line: what each feature of a hand adds to the points that the bidder's side wins. Least squares over 20,000 deals a row
# in which one seat bids and all others pass. Second line: what it takes to bid each level, more above the lowest bid (jump),
# and what is added to the hand when a partner (taken off) or an opponent bid before, and for the last to speak; `forced` is
# taken off where the dealer must bid after passes, for then a pass sets a trap; `out` makes a bid cheaper that
# would win the match, `deny` adds for each other side that is nearly out (1.6% of matches to two players, nothing in pairs).
TWO, THREE, PAIRS, MANY = range(4)  # rows: two players, three, pairs, four or more each for himself
BIDS = weights(
    """base high low_taken low_held base_held jack guard tops ten length side_ace side_king side_ten
       one two three four moon partner opponent last forced jump out deny""",
    (42, 124, 17, 90, -30, 69, 11, 11, 15, 18, 24, 15, 9, 100, 113, 245, 350, 400, 0, -32, 20, 0, 46, 30, 15),
    (-15, 139, 16, 95, -10, 62, -3, 10, 13, 30, 29, 17, 4, 100, 161, 265, 410, 400, 0, 0, -32, 60, 30, 30, 15),
    (79, 111, 11, 65, 5, 61, -13, 8, 3, 23, 18, 7, 4, 170, 155, 235, 340, 400, 40, -36, -6, 0, 45, 30, 15),
    (-32, 129, 23, 100, 5, 70, -2, 20, 11, 31, 30, 11, 0, 100, 180, 270, 380, 400, 0, 0, -30, 80, 30, 30, 15),
)

# What tricks and cards are worth: for each row of BIDS one for the bidder's side and one for the others.
PLAYS = weights(
    """pip jack low rest lead draw catch ruff rescue
       trump_ace trump_king trump_queen trump_jack trump_ten trump_small ace king queen side_jack ten""",
    (4, 39, 50, 10, 20, 14, 50, 1000, 600, 45, 38, 20, 60, 46, 27, 25, 10, 5, 2, -5),
    (5, 100, 26, 2, 12, -10, 50, 800, 1000, 90, 74, 40, 40, 10, 3, 25, 10, 5, 2, 11),
    (2, 39, 100, 10, 4, 14, 50, 600, 600, 45, 38, 20, 60, 30, 19, 25, 2, -11, 2, -5),
    (5, 100, 50, 2, -4, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11),
    (4, 50, 100, 10, 20, 14, 50, 600, 600, 45, 38, 20, 67, 30, 19, 25, 2, 5, 2, -5),
    (5, 100, 50, 2, 12, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11),
    (2, 39, 100, 10, 4, 14, 50, 600, 600, 45, 38, 20, 60, 30, 19, 25, 2, -11, 2, -5),
    (5, 100, 50, 2, -4, -10, 50, 800, 1000, 60, 74, 40, 40, 10, 19, 25, 10, 5, 2, 11),
)


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
    if phase == DISCARDING:
        return DISCARD_0 + lowest(int(legal[i, 1]) >> (DISCARD_0 - 64))
    bidder = place_of(words, i, at.bidder, at, rules)
    attacks = bidder != NO_SEAT and is_partner(bidder, rules)
    row = 2 * kind_of(rules) + int(not attacks)
    return best_to_play(words, i, at, rules, cards, look(words, i, at, rules, trump), plays[row])


# --- counting ----------------------------------------------------------------------------------------------------------------


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


@rule
def under(card):
    """The cards of its suit below a card."""
    return suit_cards(suit_of(card)) & ((1 << card) - 1)


class Sight(NamedTuple):
    """What the expert has counted before it weighs its cards."""

    trump: int
    hand: int
    trick: int  # cards in the trick
    best: int  # the one that is winning, or NO_CARD
    ours: int  # 1: it is its own side's
    after: int  # seats still to act in this trick
    seen: int  # cards held or played
    unseen: int  # the rest of the deck
    hidden: int  # how many those are
    others: int  # how many of them are in hands
    swing: int  # chance, roughly, that pips can still decide Game


@rule
def look(words, i, at, rules, trump):
    hand = hand_of(words, i, at)
    seen, trick, others = hand, 0, 0
    for place in range(rules.num_players):
        seen = seen | played_by(words, i, at, place)
        card = trick_card(words, i, at, place)
        if card != NO_CARD:
            trick = trick | 1 << card
        if place > 0:
            others += held_by(words, i, at, rules, place)
    best, ours = NO_CARD, 0
    if trick != 0:
        best = best_card(words, i, at, rules)
        ours = int(is_partner(place_of(words, i, at.winning, at, rules), rules))
    unseen = rules.deck_cards & ~seen
    hidden = count(unseen)
    theirs = 0
    for side in range(1, rules.num_sides):
        theirs = max(theirs, pips_of(words, i, at, side))
    ahead = abs(pips_of(words, i, at, 0) - theirs)
    left = pips(hand) + pips(trick) + pips(unseen) * others // max(1, hidden)
    swing = SURE * max(0, left - ahead) // max(1, left)
    after = rules.num_players - 1 - position_of(words, i, at, rules)
    return Sight(trump, hand, trick, best, ours, after, seen, unseen, hidden, others, swing)


# --- bidding -----------------------------------------------------------------------------------------------------------------


@rule
def kind_of(rules):
    """The row of BIDS."""
    if rules.num_sides < rules.num_players:
        return PAIRS
    return TWO if rules.num_players == 2 else THREE if rules.num_players == 3 else MANY


@rule
def strength(hand, suit, rules, b):
    """Points that the bidder's side can expect with this suit as trump."""
    own = hand & suit_cards(suit)
    held = own >> (NUM_RANKS * suit) & RANK_FLAGS
    hidden = count(rules.deck_cards) - rules.hand_size
    others = (rules.num_players - 1) * rules.hand_size
    high = absent(count(rules.deck_cards & above(highest(own))), others, hidden)
    low = absent(count(rules.deck_cards & under(lowest(own))), others, hidden)
    jack, tops = held >> JACK & 1, count(held >> (JACK + 1))
    value = b.base + b.high * high // SURE + b.jack * jack + b.tops * tops + b.guard * tops * jack
    value += b.length * count(own) + b.ten * (held >> TEN & 1)
    if rules.low_to == HOLDER:
        value += b.base_held + b.low_held * low // SURE
    else:
        value += b.low_taken * low // SURE
    plain = hand & ~own
    value += b.side_ace * count(plain & rank_cards(ACE)) + b.side_king * count(plain & rank_cards(KING))
    return value + b.side_ten * count(plain & rank_cards(TEN))


@rule
def best_suit(hand, rules, b):
    """The suit to name: the strongest of those held."""
    best, most = NO_SUIT, 0
    for suit in range(4):
        if hand & suit_cards(suit) != 0:
            value = strength(hand, suit, rules, b)
            if best == NO_SUIT or value > most:
                best, most = suit, value
    return best


@rule
def call(words, i, at, rules, legal, hand, b):
    """Bid what the hand is worth: the least that is allowed when last, else up to what others would have to beat."""
    suit = best_suit(hand, rules, b)
    value = strength(hand, suit, rules, b)
    bidder = place_of(words, i, at.bidder, at, rules)
    is_last = position_of(words, i, at, rules) == rules.num_players - 1
    if bidder != NO_SEAT:
        value += -b.partner if is_partner(bidder, rules) else b.opponent
    if rules.all_pass == DEALER_FORCED:
        value -= b.forced
    if is_last:
        value += b.last
    for side in range(1, rules.num_sides):
        if needs_of(words, i, at, side) <= NEARLY_OUT:
            value += b.deny
    has_jack = hand >> (JACK + NUM_RANKS * suit) & 1 == 1
    if has_jack and int(legal[i, 1]) & 1 == 1 and value >= b.moon:
        return MOON
    return call_worth(int(legal[i, 0]), value, has_jack, is_last, needs_of(words, i, at, 0), b)


@rule
def call_worth(legal, value, has_jack, is_last, needs, b):
    """The call for a hand of this value. All four points need the jack; a bid that would win the match may be bolder."""
    chosen, lowest_bid = PASS, 0
    for level in range(1, NUM_POINTS + 1):
        if legal >> (BID_0 + level) & 1 == 1:
            if lowest_bid == 0:
                lowest_bid = level
            price = b.one if level == 1 else b.two if level == 2 else b.three if level == 3 else b.four
            if level > lowest_bid:
                price += b.jump
            if needs <= level:
                price -= b.out
            if value >= price and (has_jack or level < NUM_POINTS) and not (is_last and level > lowest_bid):
                chosen = BID_0 + level
    if chosen == PASS and legal >> PASS & 1 == 0:
        return BID_0 + lowest_bid
    return chosen


# --- playing -----------------------------------------------------------------------------------------------------------------


@rule
def held_after(words, i, at, rules, sight, suit, partners):
    """Cards in the hands still to act, of partners or of foes, that have not shown void of the suit."""
    total = 0
    for place in range(1, sight.after + 1):
        if is_partner(place, rules) == partners and not is_void(words, i, at, place, suit):
            total += held_by(words, i, at, rules, place)
    return total


@rule
def beaten(words, i, at, rules, sight, card, partners, w):
    """Chance that a seat still to act beats `card`."""
    suit = suit_of(card)
    held = held_after(words, i, at, rules, sight, suit, partners)
    safe = absent(count(above(card) & sight.unseen), held, sight.hidden)
    if suit != sight.trump:
        held = held_after(words, i, at, rules, sight, sight.trump, partners)
        ruffed = SURE - absent(count(suit_cards(sight.trump) & sight.unseen), held, sight.hidden)
        if rules.follow_rule == STRICT:
            ruffed = ruffed // 2
        safe = safe * (SURE - ruffed * w.ruff // SURE) // SURE
    return SURE - safe


@rule
def taken(words, i, at, rules, sight, card, w):
    """Chance that our side takes the trick if we play this card."""
    wins = sight.best == NO_CARD or beats(card, sight.best, sight.trump)
    best = card if wins else sight.best
    foes = beaten(words, i, at, rules, sight, best, False, w)
    partner = 0
    if rules.num_sides < rules.num_players:
        partner = beaten(words, i, at, rules, sight, best, True, w) * w.rescue // SURE
    if wins or sight.ours == 1:
        return SURE - foes + foes * partner // (2 * SURE)
    return partner


@rule
def stakes(sight, cards, rules, w):
    """What hangs on who takes these cards."""
    value = pips(cards) * w.pip * sight.swing // SURE
    trumps = cards & suit_cards(sight.trump)
    if trumps != 0:
        value += w.jack * (cards >> (JACK + NUM_RANKS * sight.trump) & 1)
        less = under(lowest(trumps))
        if rules.low_to != HOLDER and less & sight.seen == 0:
            value += w.low * absent(count(less & sight.unseen), sight.others, sight.hidden) // SURE
    return value


@rule
def kept(card, trump, w):
    """What a card is worth later, at the first trick."""
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
def led(words, i, at, rules, sight, card, chance, w):
    """What leading a trump brings beside the trick: it draws trumps, and may catch the jack."""
    value = w.draw
    jack = 1 << (JACK + NUM_RANKS * sight.trump)
    if sight.unseen & jack != 0:
        held = held_after(words, i, at, rules, sight, sight.trump, False)
        value += w.catch * chance // SURE * (SURE - absent(1, held, sight.hidden)) // SURE
    return value


@rule
def best_to_play(words, i, at, rules, cards, sight, w):
    """The card of most value."""
    chosen, most = NO_CARD, 0
    left = count(sight.hand)
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        chance = taken(words, i, at, rules, sight, card, w)
        worth = stakes(sight, sight.trick | 1 << card, rules, w) + w.rest * sight.after
        value = (2 * chance - SURE) * worth // SURE
        if left > 1:
            value += chance * w.lead // SURE - kept(card, sight.trump, w) * (left - 1) // max(1, rules.hand_size - 1)
        if sight.best == NO_CARD and suit_of(card) == sight.trump:
            value += led(words, i, at, rules, sight, card, chance, w)
        if chosen == NO_CARD or value > most:
            chosen, most = card, value
    return chosen
