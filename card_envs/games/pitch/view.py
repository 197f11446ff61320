"""A seat's observation words read back into cards and facts, for the rule bots."""

from __future__ import annotations

from card_envs.cards import (
    NO_CARD,
    NO_SUIT,
    NUM_RANKS,
    count,
    lowest,
)
from card_envs.games.pitch.table import NO_SEAT
from card_envs.kernels import inlined, rule
from card_envs.tricks import beats

CARDS = (1 << 54) - 1
FLAGS = 15  # four bits, one a suit
RANK_BITS = (1 << NUM_RANKS) - 1
DEALER, BIDDER, PITCHER, LEADER, WINNING = range(5)  # bits of the piece `role`
SURE = 1000  # chances are per mille



@inlined
def phase_of(words, i, at):
    return lowest(int(words[i, at.table]) >> at.phase & 7) + 1


@inlined
def position_of(words, i, at, rules):
    """The viewer's place after the first to call or to lead."""
    return lowest(int(words[i, at.table]) >> at.position & ((1 << rules.num_players) - 1))


@inlined
def standing_bid(words, i, at, rules):
    return count(int(words[i, at.table]) >> at.standing_bid & ((1 << (rules.max_bid + 1)) - 1))


@inlined
def trump_of(words, i, at):
    trump = int(words[i, at.table]) >> at.trump & FLAGS
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
    rank, suit = word >> at.trick_rank & RANK_BITS, word >> at.trick_suit & FLAGS
    return NO_CARD if rank == 0 else lowest(rank) + NUM_RANKS * lowest(suit)


@inlined
def is_void(words, i, at, place, suit):
    """Has that seat shown that it holds none of the suit?"""
    return int(words[i, at.seat + place]) >> (at.void + suit) & 1 == 1


@rule
def place_of(words, i, at, rules, role):
    """Places from the viewer to the seat with a role, or NO_SEAT."""
    for place in range(rules.num_players):
        if int(words[i, at.seat + place]) >> (at.role + role) & 1 == 1:
            return place
    return NO_SEAT


@rule
def best_card(words, i, at, rules):
    """The card that is winning the trick in progress, or NO_CARD."""
    best = NO_CARD
    leader = place_of(words, i, at, rules, LEADER)
    trump = trump_of(words, i, at)
    for step in range(rules.num_players):
        place = (leader + step) % rules.num_players
        card = trick_card(words, i, at, place)
        if card != NO_CARD and (best == NO_CARD or beats(card, best, trump)):
            best = card
    return best
