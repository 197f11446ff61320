"""Reading a seat's observation words in the kernel language: what the rule bots see.

Places are counted from the viewer: 0 is the viewer, 1 the seat on the left.
"""

from __future__ import annotations

from card_envs.cards import NO_CARD, NO_SUIT, NUM_CARDS, NUM_RANKS, count, lowest
from card_envs.games.pitch.rules import NO_SEAT
from card_envs.games.pitch.seen import NEEDS_LEVELS, PIPS_BITS, SUIT_FLAGS
from card_envs.kernels import inlined, rule
from card_envs.tricks import beats

CARDS = (1 << NUM_CARDS) - 1
RANK_FLAGS = (1 << NUM_RANKS) - 1


@inlined
def phase_of(words, i, at):
    return lowest(int(words[i, at.table]) >> at.phase & 7) + 1


@inlined
def place_of(words, i, role, at, rules):
    """Places from the viewer to the seat with a role (at.dealer, at.bidder ...), or NO_SEAT."""
    places = int(words[i, at.roles]) >> role & ((1 << rules.num_players) - 1)
    return lowest(places) if places != 0 else NO_SEAT


@inlined
def position_of(words, i, at, rules):
    """The viewer's place after the first to call or to lead."""
    first = place_of(words, i, at.first, at, rules)
    return rules.num_players - first if first > 0 else 0


@inlined
def standing_bid(words, i, at, rules):
    return count(int(words[i, at.table]) >> at.standing_bid & ((1 << (rules.max_bid + 1)) - 1))


@inlined
def trump_of(words, i, at):
    trump = int(words[i, at.table]) >> at.trump & SUIT_FLAGS
    return NO_SUIT if trump == 0 else lowest(trump)


@inlined
def hand_of(words, i, at):
    return int(words[i, at.hand]) >> at.own_hand & CARDS


@inlined
def played_by(words, i, at, place):
    return int(words[i, at.cards + place]) >> at.played & CARDS


@inlined
def trick_card(words, i, at, place):
    """The card of the seat `place` places on in the trick in progress, or NO_CARD."""
    word = int(words[i, at.seat + place])
    rank, suit = word >> at.trick_rank & RANK_FLAGS, word >> at.trick_suit & SUIT_FLAGS
    return NO_CARD if rank == 0 else lowest(rank) + NUM_RANKS * lowest(suit)


@inlined
def is_void(words, i, at, place, suit):
    """Has that seat shown that it holds none of the suit?"""
    return int(words[i, at.seat + place]) >> (at.void + suit) & 1 == 1


@rule
def best_card(words, i, at, rules):
    """The card that is winning the trick in progress, or NO_CARD."""
    best = NO_CARD
    leader = place_of(words, i, at.leader, at, rules)
    trump = trump_of(words, i, at)
    for step in range(rules.num_players):
        place = (leader + step) % rules.num_players
        card = trick_card(words, i, at, place)
        if card != NO_CARD and (best == NO_CARD or beats(card, best, trump)):
            best = card
    return best


@inlined
def held_by(words, i, at, rules, place):
    """How many cards that seat holds."""
    return rules.hand_size - count(played_by(words, i, at, place))


@inlined
def pips_of(words, i, at, side):
    """Pips in the tricks of the side `side` places on."""
    return int(words[i, at.side + side]) >> at.pips & ((1 << PIPS_BITS) - 1)


@inlined
def needs_of(words, i, at, side):
    """Points that the side lacks to the target, at most NEEDS_LEVELS."""
    return count(int(words[i, at.side + side]) >> at.needs & ((1 << NEEDS_LEVELS) - 1))


@inlined
def is_partner(place, rules):
    """Is the seat at that place on the viewer's side?"""
    return place % rules.num_sides == 0
