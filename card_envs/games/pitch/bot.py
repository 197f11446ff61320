"""Rule bots for Pitch, in the kernel language. They read the observation words of their seat and nothing else.

`basic` bids on ace, guarded jack and length, leads trump and wins as cheaply as it can. `expert` counts (see expert.py).
"""

from __future__ import annotations

from card_envs.cards import ACE, JACK, KING, NO_CARD, NO_SUIT, NUM_RANKS, count, highest, lowest, suit_cards
from card_envs.games.pitch.expert import BIDS, PLAYS, decide
from card_envs.games.pitch.rules import BIDDING, DISCARD_0, DISCARDING, NAME_C, NAMING, NUMBERED_BIDS, PASS
from card_envs.games.pitch.rules import bid_action as number_bid
from card_envs.games.pitch.view import (
    RANK_FLAGS,
    best_card,
    hand_of,
    phase_of,
    place_of,
    trump_of,
)
from card_envs.kernels import inlined, rule
from card_envs.tricks import beats

bid_action = inlined(number_bid)


@rule
def points_held(hand, suit):
    """Points that a holding promises with this suit as trump: ace, guarded jack, a low card, length."""
    held = hand >> (NUM_RANKS * suit) & RANK_FLAGS
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
def call_upto(legal, i, level):
    """The lowest legal bid if it is not above `level`, else a pass; a forced bidder bids the lowest there is."""
    must_bid = int(legal[i, 0]) >> PASS & 1 == 0
    for bid in range(1, NUMBERED_BIDS + 1):
        action = bid_action(bid)
        if int(legal[i, action >> 6]) >> (action & 63) & 1 == 1:
            return action if bid <= level or must_bid else PASS
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
        is_bidder = place_of(words, i, at.bidder, at, rules) == 0
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
    winner_place = place_of(words, i, at.winning, at, rules)
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
        return call_upto(legal, i, points_held(hand, suit))
    if phase == NAMING:
        return NAME_C + suit
    if phase == DISCARDING:
        return DISCARD_0 + lowest(int(legal[i, 1]) >> (DISCARD_0 - 64))
    if trump_of(words, i, at) == NO_SUIT:
        return highest(hand & suit_cards(suit))
    return basic_card(words, i, at, rules, allowed)


@rule
def expert(words, i, at, rules, legal):
    """A player who counts."""
    return decide(words, i, at, rules, legal, BIDS, PLAYS)
