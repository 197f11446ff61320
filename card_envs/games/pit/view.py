"""Reading a seat's observation words in the kernel language: what the rule bots see.

Places are counted from the viewer: 0 is the viewer, 1 the seat on the left.
"""

from __future__ import annotations

from card_envs.cards import NO_CARD, NUM_CARDS, NUM_RANKS, count, lowest
from card_envs.games.pit.observe import BANK_BITS, ROLES, TALLY_BITS
from card_envs.games.pit.rules import GROW, MAX_LEVEL
from card_envs.games.pit.scoring import NO_SEAT
from card_envs.kernels import inlined, rule

CARDS = (1 << NUM_CARDS) - 1
SUIT_FLAGS = 15
RANK_FLAGS = (1 << NUM_RANKS) - 1
LEVEL_FLAGS = (1 << MAX_LEVEL) - 1
DEALER, BIDDER, LEADER, WINNING = range(len(ROLES))  # bits of the piece `role`


@inlined
def phase_of(words, i, at):
    return lowest(int(words[i, at.table]) >> at.phase & 3) + 1


@inlined
def position_of(words, i, at, rules):
    """The viewer's place after the first to call or to lead."""
    return lowest(int(words[i, at.table]) >> at.position & ((1 << rules.num_players) - 1))


@inlined
def standing_bid(words, i, at):
    return count(int(words[i, at.table]) >> at.standing_bid & LEVEL_FLAGS)


@inlined
def tricks_left(words, i, at, rules):
    """Tricks of the round that are not over, the one in progress among them."""
    return rules.num_tricks - count(int(words[i, at.table]) >> at.tricks_played & ((1 << rules.num_tricks) - 1))


@inlined
def trump_of(words, i, at):
    return lowest(int(words[i, at.deal]) >> at.trump_suit & SUIT_FLAGS)


@inlined
def upcard_of(words, i, at):
    """The card turned: it is in nobody's hand."""
    word = int(words[i, at.deal])
    return lowest(word >> at.upcard_rank & RANK_FLAGS) + NUM_RANKS * lowest(word >> at.upcard_suit & SUIT_FLAGS)


@inlined
def bank_of(words, i, at):
    """Cards in the pit that can be drawn."""
    return int(words[i, at.deal]) >> at.bank & ((1 << BANK_BITS) - 1)


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


@inlined
def burden_of(words, i, at, place):
    """What that seat has to get rid of (never negative, so its top bit is no sign)."""
    return int(words[i, at.tally + place]) >> at.score & ((1 << TALLY_BITS) - 1)


@inlined
def held_by(words, i, at, rules, place):
    """How many cards that seat holds."""
    dealt = max(rules.num_tricks, burden_of(words, i, at, place)) if rules.hand_model == GROW else rules.num_tricks
    return dealt - count(played_by(words, i, at, place))


@rule
def place_of(words, i, at, rules, role):
    """Places from the viewer to the seat with a role, or NO_SEAT."""
    for place in range(rules.num_players):
        if int(words[i, at.seat + place]) >> (at.role + role) & 1 == 1:
            return place
    return NO_SEAT


@rule
def card_with(words, i, at, rules, role):
    """The card in the trick of the seat with a role, or NO_CARD."""
    place = place_of(words, i, at, rules, role)
    return NO_CARD if place == NO_SEAT else trick_card(words, i, at, place)
