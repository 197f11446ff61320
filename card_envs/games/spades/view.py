"""Reading a seat's observation words in the kernel language: what the rule bots see.

Places are counted from the viewer: 0 is the viewer, 1 the seat on the left.
"""

from __future__ import annotations

from card_envs.cards import NO_CARD, NO_SUIT, NUM_CARDS, NUM_RANKS, count, lowest, suit_cards, suit_of
from card_envs.games.spades.observe import BAGS_LEVELS, NUM_PLACES, PHASES
from card_envs.games.spades.play import card_value
from card_envs.games.spades.rules import MAX_BID, MAX_CARDS_EACH, MAX_PASS, SPADES
from card_envs.games.spades.scoring import NO_BID, NO_SEAT
from card_envs.kernels import inlined, rule

CARDS = (1 << NUM_CARDS) - 1
SUIT_FLAGS = 15
RANK_FLAGS = (1 << (NUM_RANKS + 2)) - 1  # with the jokers
BID_FLAGS = (1 << (MAX_BID + 1)) - 1
TRICK_FLAGS = (1 << MAX_CARDS_EACH) - 1
DEALER, LEADER, WINNING = range(3)  # bits of the piece `role`


# --- the table ---------------------------------------------------------------------------------------------------------------


@inlined
def phase_of(words, i, at):
    return lowest(int(words[i, at.table]) >> at.phase & ((1 << len(PHASES)) - 1)) + 1


@inlined
def position_of(words, i, at):
    """The viewer's place after the first to call or to lead."""
    return lowest(int(words[i, at.table]) >> at.position & ((1 << NUM_PLACES) - 1))


@inlined
def trump_of(words, i, at):
    """The trump suit, or NO_SUIT before it is settled."""
    trump = int(words[i, at.table]) >> at.trump & SUIT_FLAGS
    return NO_SUIT if trump == 0 else lowest(trump)


@inlined
def tricks_played(words, i, at):
    return count(int(words[i, at.table]) >> at.tricks_played & TRICK_FLAGS)


@inlined
def gives_left(words, i, at):
    """Cards that the seat to act still has to give."""
    return count(int(words[i, at.table]) >> at.gives_left & ((1 << MAX_PASS) - 1))


# --- cards -------------------------------------------------------------------------------------------------------------------


@inlined
def hand_of(words, i, at):
    """The viewer's hand; empty while it may still bid blind."""
    return int(words[i, at.hand]) >> at.own_hand & CARDS


@inlined
def given_by_viewer(words, i, at):
    return int(words[i, at.gave]) >> at.cards_given & CARDS


@inlined
def played_by(words, i, at, place):
    return int(words[i, at.cards + place]) >> at.played & CARDS


@inlined
def held_by(words, i, at, rules, place):
    """How many cards that seat holds."""
    return rules.cards_each - count(played_by(words, i, at, place))


@inlined
def trick_card(words, i, at, place):
    """The card of the seat `place` places on in the trick in progress, or NO_CARD."""
    word = int(words[i, at.seat + place])
    rank, suit = word >> at.trick_rank & RANK_FLAGS, word >> at.trick_suit & SUIT_FLAGS
    return NO_CARD if rank == 0 else lowest(rank) + NUM_RANKS * lowest(suit)


@inlined
def trumps_of(trump, rules):
    """All trumps, given the trump suit: with spades the jokers and high deuces too."""
    return rules.spade_cards if trump == SPADES else suit_cards(trump)


@inlined
def suit_of_lead(card, trumps):
    """All cards that follow the suit of a card that is led."""
    return trumps if trumps >> card & 1 else suit_cards(suit_of(card)) & ~trumps


@inlined
def value_of(card, trumps, rules):
    """A number that grows with the card's power, trumps above all others; within one suit it orders the cards."""
    return card_value(card, trumps >> card & 1, rules)


@inlined
def is_void(words, i, at, place, suit):
    """Has that seat shown that it holds none of the suit? (Jokers and high deuces are spades.)"""
    return int(words[i, at.seat + place]) >> (at.void + suit) & 1 == 1


# --- seats and sides ---------------------------------------------------------------------------------------------------------


@inlined
def bid_by(words, i, at, place):
    """That seat's bid: NO_BID, 0 for a nil, or the number."""
    bid = int(words[i, at.seat + place]) >> at.bid & BID_FLAGS
    return NO_BID if bid == 0 else lowest(bid)


@inlined
def bid_blind(words, i, at, place):
    """Did that seat bid without seeing its hand?"""
    return int(words[i, at.seat + place]) >> at.blind & 1 == 1


@inlined
def tricks_won(words, i, at, place):
    return count(int(words[i, at.seat + place]) >> at.tricks_won & TRICK_FLAGS)


@rule
def place_of(words, i, at, rules, role):
    """Places from the viewer to the seat with a role, or NO_SEAT."""
    for place in range(rules.num_players):
        if int(words[i, at.seat + place]) >> (at.role + role) & 1 == 1:
            return place
    return NO_SEAT


@inlined
def is_partner(place, rules):
    """Is the seat at that place on the viewer's side?"""
    return place % rules.num_sides == 0


@inlined
def partner_place(rules):
    """The partner's place, or 0 in play each for himself."""
    return rules.num_sides if rules.num_sides < rules.num_players else 0


@inlined
def score_of(words, i, at, side):
    """Score of the side `side` places on, held within the observation's range."""
    score = int(words[i, at.side + side]) >> at.score & 4095
    return score - 4096 if score >= 2048 else score


@inlined
def bags_of(words, i, at, side):
    """Bags of the side, at most BAGS_LEVELS."""
    return count(int(words[i, at.side + side]) >> at.bags & ((1 << BAGS_LEVELS) - 1))
