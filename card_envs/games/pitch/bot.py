"""Rule bots for Pitch, in the kernel language. They read the observation words of their seat and nothing else.

`basic` bids on what it holds, leads trump and wins as cheaply as it can. `expert` bids on a counted hand and weighs every card
by what the trick is worth, by the chance that its side takes it, and by what the card would be worth later.
"""

from __future__ import annotations

from typing import NamedTuple

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
    suit_cards,
    suit_of,
)
from card_envs.games.pitch.rules import BID_0, HOLDER, NAME_C, NUM_POINTS, PASS
from card_envs.games.pitch.table import BIDDING, NAMING, NO_SEAT, pips
from card_envs.games.pitch.view import (
    BIDDER,
    RANK_BITS,
    SURE,
    WINNING,
    best_card,
    hand_of,
    is_void,
    phase_of,
    place_of,
    played_by,
    position_of,
    trick_card,
    trump_of,
)
from card_envs.kernels import integers, rule
from card_envs.tricks import beats

# --- basic -------------------------------------------------------------------------------------------------------------------


@rule
def points_held(hand, suit):
    """Points that a holding promises with this suit as trump: ace, guarded jack, a low card, length."""
    held = hand >> (NUM_RANKS * suit) & RANK_BITS
    length = count(held)
    points = held >> ACE & 1
    if length >= 3:
        points += (held >> JACK & 1) + int(held & 3 != 0) + (held >> KING & 1)
    return points + int(length >= 5)


@rule
def basic_suit(hand):
    """The suit that promises most; the longer one among equals."""
    best, most = 0, -1
    for suit in range(4):
        value = 16 * points_held(hand, suit) + count(hand & suit_cards(suit))
        if value > most and hand & suit_cards(suit) != 0:
            best, most = suit, value
    return best


@rule
def call_upto(legal, level):
    """The lowest legal bid if it is not above `level`, else a pass; a forced bidder bids the lowest there is."""
    for bid in range(1, NUM_POINTS + 1):
        if legal >> (BID_0 + bid) & 1 == 1:
            if bid <= level or legal >> PASS & 1 == 0:
                return BID_0 + bid
            return PASS
    return PASS


@rule
def cheapest(cards, trump):
    """The lowest card, trumps last."""
    plain = cards & ~suit_cards(trump)
    chosen, lowest_rank = NO_CARD, NUM_RANKS
    rest = plain if plain != 0 else cards
    while rest != 0:
        card = lowest(rest)
        rest = rest & (rest - 1)
        rank = card % NUM_RANKS
        if rank < lowest_rank:
            chosen, lowest_rank = card, rank
    return chosen


@rule
def basic_card(words, i, at, rules, cards):
    """Lead the highest trump as bidder, else the highest card; win as cheaply as possible, else throw the lowest card."""
    trump = trump_of(words, i, at)
    best = best_card(words, i, at, rules)
    trumps = cards & suit_cards(trump)
    if best == NO_CARD:
        is_bidder = place_of(words, i, at, rules, BIDDER) == 0
        if trumps != 0 and (is_bidder or trumps == cards):
            return highest(trumps)
        plain, chosen = cards & ~trumps, NO_CARD
        while plain != 0:
            card = lowest(plain)
            plain = plain & (plain - 1)
            if chosen == NO_CARD or card % NUM_RANKS > chosen % NUM_RANKS:
                chosen = card
        return chosen
    winners, rest = 0, cards
    while rest != 0:
        card = lowest(rest)
        rest = rest & (rest - 1)
        if beats(card, best, trump):
            winners = winners | 1 << card
    winner_place = place_of(words, i, at, rules, WINNING)
    if winners != 0 and winner_place % rules.num_sides != 0:
        return cheapest(winners, trump)
    return cheapest(cards, trump)


@rule
def basic(words, i, at, rules, legal):
    """A beginner who knows the points."""
    allowed = int(legal[i, 0])
    hand = hand_of(words, i, at)
    phase = phase_of(words, i, at)
    suit = basic_suit(hand)
    if phase == BIDDING:
        return call_upto(allowed, points_held(hand, suit))
    if phase == NAMING:
        return NAME_C + suit
    if trump_of(words, i, at) == NO_SUIT:
        return highest(hand & suit_cards(suit))
    return basic_card(words, i, at, rules, allowed)


# --- expert: bidding -----------------------------------------------------------------------------------------------------------

# Hundredths of a point that a bidder's side can expect.
BID = integers({
    "floor": 30, "ace": 95, "king": 40, "queen": 20, "jack": 55, "ten": 15, "two": 55, "three": 35, "four": 15, "length": 20,
    "side_ace": 12, "side_king": 5, "side_ten": 5,
    "one": 100, "two_bid": 175, "three_bid": 255, "four_bid": 345, "partner": 40,
})


@rule
def strength(hand, suit, b):
    """Hundredths of a point that the bidder's side can expect with this suit as trump."""
    held = hand >> (NUM_RANKS * suit) & RANK_BITS
    length = count(held)
    value = b.floor + b.length * (length - 2)
    value += b.ace * (held >> ACE & 1) + b.king * (held >> KING & 1) + b.queen * (held >> QUEEN & 1)
    value += b.jack * (held >> JACK & 1) + b.ten * (held >> TEN & 1)
    value += b.two * (held & 1) + b.three * (held >> 1 & 1) + b.four * (held >> 2 & 1)
    for other in range(4):
        if other != suit:
            plain = hand >> (NUM_RANKS * other) & RANK_BITS
            value += b.side_ace * (plain >> ACE & 1) + b.side_king * (plain >> KING & 1) + b.side_ten * (plain >> TEN & 1)
    return value


@rule
def expert_suit(hand, b):
    best, most = 0, -10000
    for suit in range(4):
        if hand & suit_cards(suit) != 0:
            value = strength(hand, suit, b)
            if value > most:
                best, most = suit, value
    return best


@rule
def expert_call(words, i, at, rules, legal, hand, b):
    value = strength(hand, expert_suit(hand, b), b)
    bidder = place_of(words, i, at, rules, BIDDER)
    if bidder != NO_SEAT and bidder % rules.num_sides == 0:
        value -= b.partner
    level = int(value >= b.one) + int(value >= b.two_bid) + int(value >= b.three_bid) + int(value >= b.four_bid)
    return call_upto(legal, level)


# --- expert: cards -------------------------------------------------------------------------------------------------------------

PLAY = integers({
    "pip": 5, "jack": 100, "low": 100, "rest": 10, "lead": 20, "draw": 30, "draw_defender": -10, "catch": 50,
    "ruff": 600, "rescue": 600,
    "trump_ace": 60, "trump_king": 50, "trump_queen": 40, "trump_jack": 40, "trump_ten": 10, "trump_small": 15,
    "ace": 25, "king": 10, "queen": 5, "jack_side": 2, "ten": -5,
})


@rule
def absent(cards, held, hidden):
    """Chance per mille that none of `cards` given cards is among `held` of `hidden` cards."""
    chance = SURE
    for drawn in range(cards):
        if hidden - drawn <= 0:
            return chance
        chance = chance * max(0, hidden - held - drawn) // (hidden - drawn)
    return chance


class Sight(NamedTuple):
    """What the expert counts before it weighs its cards."""

    trump: int
    best: int  # winning the trick so far, or NO_CARD
    ours: int  # 1: that card is its own side's
    trick: int  # cards in the trick
    unseen: int  # cards neither held nor seen
    num_unseen: int
    others: int  # cards in all other hands
    after: int  # seats still to act after it
    known: int  # cards held or seen


@rule
def held_by(words, i, at, rules, place):
    return rules.hand_size - count(played_by(words, i, at, place))


@rule
def look(words, i, at, rules, trump):
    """Count the cards."""
    hand = hand_of(words, i, at)
    known, trick, others = hand, 0, 0
    for place in range(rules.num_players):
        known = known | played_by(words, i, at, place)
        card = trick_card(words, i, at, place)
        if card != NO_CARD:
            trick = trick | 1 << card
        if place > 0:
            others += held_by(words, i, at, rules, place)
    unseen = rules.deck & ~known
    best, ours = NO_CARD, 0
    if trick != 0:
        best = best_card(words, i, at, rules)
        ours = int(place_of(words, i, at, rules, WINNING) % rules.num_sides == 0)
    after = rules.num_players - 1 - position_of(words, i, at, rules)
    return Sight(trump, best, ours, trick, unseen, count(unseen), others, after, known)


@rule
def held_after(words, i, at, rules, after, suit, partners):
    """Cards in the hands still to act, of foes or of partners, that have not shown void of the suit."""
    total = 0
    for place in range(1, after + 1):
        if (place % rules.num_sides == 0) == partners and not is_void(words, i, at, place, suit):
            total += held_by(words, i, at, rules, place)
    return total


@rule
def higher(card):
    """Cards of its suit above a card."""
    return suit_cards(suit_of(card)) & -(1 << (card + 1))


@rule
def beaten_chance(words, i, at, rules, sight, card, partners, ruff):
    """Chance per mille that a seat still to act beats `card`."""
    suit = suit_of(card)
    held = held_after(words, i, at, rules, sight.after, suit, partners)
    safe = absent(count(higher(card) & sight.unseen), held, sight.num_unseen)
    if suit != sight.trump:
        held = held_after(words, i, at, rules, sight.after, sight.trump, partners)
        ruffed = SURE - absent(count(suit_cards(sight.trump) & sight.unseen), held, sight.num_unseen)
        safe = safe * (SURE - ruffed * ruff // SURE) // SURE
    return SURE - safe


@rule
def win_chance(words, i, at, rules, sight, card, w):
    """Chance per mille that our side takes the trick after this card."""
    wins = sight.best == NO_CARD or beats(card, sight.best, sight.trump)
    best = card if wins else sight.best
    foes = beaten_chance(words, i, at, rules, sight, best, False, w.ruff)
    partner = 0
    if rules.num_sides < rules.num_players:
        partner = beaten_chance(words, i, at, rules, sight, best, True, w.ruff) * w.rescue // SURE
    if wins or sight.ours == 1:
        return SURE - foes + foes * partner // (2 * SURE)
    return partner


@rule
def pip_weight(words, i, at, rules, sight, hand, w):
    """What a pip is worth: nothing once Game is out of reach for all but one side."""
    ours = int(words[i, at.side]) >> at.pips & 255
    theirs = 0
    for side in range(1, rules.num_sides):
        theirs = max(theirs, int(words[i, at.side + side]) >> at.pips & 255)
    hidden = pips(sight.unseen) * sight.others // max(1, sight.num_unseen)
    left = hidden + pips(hand) + pips(sight.trick)
    return w.pip if abs(ours - theirs) <= left else w.pip // 4


@rule
def stakes(words, i, at, rules, sight, cards, pip, w):
    """Hundredths of a point that hang on who takes these cards."""
    value = pips(cards) * pip
    trumps = cards & suit_cards(sight.trump)
    if trumps != 0:
        value += w.jack * (cards >> (JACK + NUM_RANKS * sight.trump) & 1)
        low = lowest(trumps)
        under = suit_cards(sight.trump) & ((1 << low) - 1)
        if rules.low_to != HOLDER and under & sight.known == 0:
            value += w.low * absent(count(under & sight.unseen), sight.others, sight.num_unseen) // SURE
    return value


@rule
def keep(card, trump, w):
    """What a card is worth later, in the first trick."""
    rank = card % NUM_RANKS
    if suit_of(card) == trump:
        if rank == ACE:
            return w.trump_ace
        if rank == KING:
            return w.trump_king
        if rank == QUEEN:
            return w.trump_queen
        if rank == JACK:
            return w.trump_jack
        return w.trump_ten if rank == TEN else w.trump_small
    if rank == ACE:
        return w.ace
    if rank == KING:
        return w.king
    if rank == QUEEN:
        return w.queen
    if rank == JACK:
        return w.jack_side
    return w.ten if rank == TEN else 0


@rule
def expert_card(words, i, at, rules, cards, trump, w):
    hand = hand_of(words, i, at)
    sight = look(words, i, at, rules, trump)
    pip = pip_weight(words, i, at, rules, sight, hand, w)
    bidder = place_of(words, i, at, rules, BIDDER)
    bidding = bidder != NO_SEAT and bidder % rules.num_sides == 0
    jack = 1 << (JACK + NUM_RANKS * trump)
    chosen, most = NO_CARD, 0
    left = count(hand)
    rest = cards
    while rest != 0:
        card = lowest(rest)
        rest = rest & (rest - 1)
        chance = win_chance(words, i, at, rules, sight, card, w)
        worth = stakes(words, i, at, rules, sight, sight.trick | 1 << card, pip, w) + w.rest * sight.after
        value = (2 * chance - SURE) * worth // SURE
        if left > 1:
            value += chance * w.lead // SURE - keep(card, trump, w) * (left - 1) // max(1, rules.hand_size - 1)
        if sight.best == NO_CARD and suit_of(card) == trump:
            value += w.draw if bidding else w.draw_defender
            if sight.unseen & jack != 0:
                held = held_after(words, i, at, rules, sight.after, trump, False)
                value += w.catch * chance // SURE * (SURE - absent(1, held, sight.num_unseen)) // SURE
        if chosen == NO_CARD or value > most:
            chosen, most = card, value
    return chosen


@rule
def decide(words, i, at, rules, legal, b, w):
    """The expert under given weights."""
    allowed = int(legal[i, 0])
    hand = hand_of(words, i, at)
    phase = phase_of(words, i, at)
    if phase == BIDDING:
        return expert_call(words, i, at, rules, allowed, hand, b)
    suit = expert_suit(hand, b)
    if phase == NAMING:
        return NAME_C + suit
    trump = trump_of(words, i, at)
    if trump == NO_SUIT:
        trump = suit
        allowed = hand & suit_cards(suit)
    return expert_card(words, i, at, rules, allowed, trump, w)


@rule
def expert(words, i, at, rules, legal):
    """A player who counts."""
    return decide(words, i, at, rules, legal, BID[0], PLAY[0])
