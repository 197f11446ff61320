"""Rule bots for Pitch, in the kernel language. They read the observation words of their seat and nothing else.

`basic` bids on ace, guarded jack and length, leads trump and wins as cheaply as it can. `expert` counts (see expert.py).
"""

from __future__ import annotations

from card_envs.cards import ACE, JACK, KING, NO_CARD, NO_SUIT, NUM_RANKS, TEN, count, highest, lowest, rank_cards, suit_cards
from card_envs.games.pitch.counting import points_in, top_trump
from card_envs.games.pitch.expert import BIDS, PLAYS, decide
from card_envs.games.pitch.expert_bid import bid_action
from card_envs.games.pitch.rules import (
    BIDDING,
    DISCARD_0,
    DISCARDING,
    DRAW_REST,
    FOUR_SET,
    NAME_C,
    NAMING,
    NUMBERED_BIDS,
    PASS,
    TEN_SET,
)
from card_envs.games.pitch.trumps import point_cards, strength, trump_cards, wins
from card_envs.games.pitch.view import (
    RANK_FLAGS,
    best_card,
    hand_of,
    phase_of,
    place_of,
    trump_of,
)
from card_envs.kernels import rule


@rule
def points_held(hand, suit, rules):
    """Points that a holding promises with this suit as trump: ace, guarded jack, a low card, length; and the named cards."""
    held = hand >> (NUM_RANKS * suit) & RANK_FLAGS
    own = hand & trump_cards(suit, rules)
    if rules.points == TEN_SET:
        return ten_points_held(own, held, suit, rules)
    length = count(own)
    points = held >> ACE & 1
    if length >= 3:
        points += (held >> JACK & 1) + int(held & 3 != 0) + (held >> KING & 1)
        points += count(own & ~suit_cards(suit))
    return points + int(length >= 5)


@rule
def ten_points_held(own, held, suit, rules):
    """Of ten points those that it holds, the three only with length, and with a top card some of what others hold."""
    points = count(own & point_cards(suit, rules)) + 2 * (held >> 1 & int(count(own) >= 4))
    if held >> KING == 0:
        return points
    return points + (10 - points) // (3 if rules.draw == DRAW_REST else 8)


@rule
def basic_suit(hand, rules):
    """The suit that promises most; the longer one among equals."""
    best, most = 0, -1
    for suit in range(4):
        value = 16 * points_held(hand, suit, rules) + count(hand & trump_cards(suit, rules))
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
def cheapest(cards, trump, rules):
    """The lowest card, trumps last."""
    plain = cards & ~trump_cards(trump, rules)
    if plain == 0 and rules.more_points != 0:
        return cheapest_trump(cards, trump, rules)
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
def cheapest_trump(trumps, trump, rules):
    """The lowest trump that is no point, else the lowest of those that count least."""
    chosen, least = NO_CARD, 0
    while trumps != 0:
        card = lowest(trumps)
        trumps = trumps & (trumps - 1)
        value = 2 * NUM_RANKS * points_in(1 << card, trump, rules) + strength(card, trump, rules)
        if chosen == NO_CARD or value < least:
            chosen, least = card, value
    return chosen


@rule
def basic_card(words, i, at, rules, cards):
    """Lead the highest trump as bidder, else the highest card; win as cheaply as possible, else throw the lowest card."""
    trump = trump_of(words, i, at)
    all_trumps = trump_cards(trump, rules)
    best = best_card(words, i, at, rules, all_trumps, trump)
    trumps = cards & all_trumps
    if best == NO_CARD:
        is_bidder = place_of(words, i, at.bidder, at, rules) == 0
        if trumps != 0 and (is_bidder or trumps == cards):
            return highest(trumps) if rules.more_trumps == 0 else top_trump(trumps, trump, rules)
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
        if wins(card, best, all_trumps, trump, rules):
            winners = winners | 1 << card
    winner_place = place_of(words, i, at.winning, at, rules)
    if winners != 0 and winner_place % rules.num_sides != 0:
        return cheapest(winners, trump, rules)
    return cheapest(cards, trump, rules)


@rule
def basic_discard(cards, trump, rules):
    """The lowest card; aces and tens stay where Game counts."""
    worth = rank_cards(ACE) | rank_cards(TEN) if rules.points == FOUR_SET else 0
    others = cards & ~worth
    return cheapest(others if others != 0 else cards, trump, rules)


@rule
def basic(words, i, at, rules, legal):
    """A beginner who knows the points."""
    allowed = int(legal[i, 0])
    hand = hand_of(words, i, at)
    phase = phase_of(words, i, at)
    suit = basic_suit(hand, rules)
    if phase == BIDDING:
        return call_upto(legal, i, points_held(hand, suit, rules))
    if phase == NAMING:
        return NAME_C + suit
    if phase == DISCARDING:
        return DISCARD_0 + basic_discard(int(legal[i, 1]) >> (DISCARD_0 - 64), trump_of(words, i, at), rules)
    if trump_of(words, i, at) == NO_SUIT:
        return highest(hand & suit_cards(suit))
    return basic_card(words, i, at, rules, allowed)


@rule
def expert(words, i, at, rules, legal):
    """A player who counts."""
    return decide(words, i, at, rules, legal, BIDS, PLAYS)
