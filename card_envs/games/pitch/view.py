"""Reading a seat's observation words in the kernel language: what the rule bots see.

Places are counted from the viewer: 0 is the viewer, 1 the seat on the left.
"""

from __future__ import annotations

from card_envs.cards import LOW_JOKER, NO_CARD, NO_SUIT, NUM_CARDS, NUM_RANKS, count, lowest
from card_envs.games.pitch.rules import DRAW_NONE, NO_SEAT
from card_envs.games.pitch.seen import DREW_BITS, KEPT_BITS, NEEDS_LEVELS, PIPS_BITS, SCORE_BITS, SUIT_FLAGS
from card_envs.games.pitch.trumps import wins
from card_envs.kernels import inlined, rule

CARDS = (1 << NUM_CARDS) - 1
RANK_FLAGS = (1 << NUM_RANKS) - 1
PHASE_FLAGS = 15  # one of the lowest is set


@inlined
def phase_of(words, i, at):
    return lowest(int(words[i, at.table]) >> at.phase & PHASE_FLAGS) + 1


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
def put_aside(words, i, at, rules):
    """What the viewer has thrown or buried."""
    return int(words[i, at.aside]) >> at.own_thrown & CARDS if rules.stock_size > 0 else 0


@inlined
def played_by(words, i, at, place):
    return int(words[i, at.cards + place]) >> at.played & CARDS


@inlined
def trick_card(words, i, at, rules, place):
    """The card of the seat `place` places on in the trick in progress, or NO_CARD."""
    word = int(words[i, at.seat + place])
    rank, suit = word >> at.trick_rank & RANK_FLAGS, word >> at.trick_suit & SUIT_FLAGS
    joker = word >> at.trick_joker & ((1 << rules.jokers) - 1)
    if joker != 0:
        return LOW_JOKER + lowest(joker)
    return NO_CARD if rank == 0 else lowest(rank) + NUM_RANKS * lowest(suit)


@inlined
def is_void(words, i, at, place, suit):
    """Has that seat shown that it holds none of the suit?"""
    return int(words[i, at.seat + place]) >> (at.void + suit) & 1 == 1


@rule
def best_card(words, i, at, rules, trumps, trump):
    """The card that is winning the trick in progress, or NO_CARD."""
    best = NO_CARD
    leader = place_of(words, i, at.leader, at, rules)
    for step in range(rules.num_players):
        place = (leader + step) % rules.num_players
        card = trick_card(words, i, at, rules, place)
        if card != NO_CARD and (best == NO_CARD or wins(card, best, trumps, trump, rules)):
            best = card
    return best


@inlined
def held_by(words, i, at, rules, place):
    """How many cards that seat holds; while cards are still exchanged, as many as it is going to keep."""
    had = rules.hand_size if rules.draw == DRAW_NONE else rules.draw_to
    if rules.stock_size > 0:
        kept = int(words[i, at.seat + place]) >> at.kept & ((1 << KEPT_BITS) - 1)
        had = kept if kept > 0 else had
    return had - count(played_by(words, i, at, place))


@inlined
def drawn_by(words, i, at, place):
    """How many cards that seat has drawn (in games with a draw)."""
    return int(words[i, at.seat + place]) >> at.drew & ((1 << DREW_BITS) - 1)


@inlined
def pips_of(words, i, at, side):
    """Pips in the tricks of the side `side` places on."""
    return int(words[i, at.side + side]) >> at.pips & ((1 << PIPS_BITS) - 1)


@inlined
def needs_of(words, i, at, side):
    """Points that the side lacks to the target, at most NEEDS_LEVELS."""
    return count(int(words[i, at.side + side]) >> at.needs & ((1 << NEEDS_LEVELS) - 1))


@inlined
def is_below_zero(words, i, at):
    """Is the score of the viewer's side negative?"""
    return int(words[i, at.side]) >> (at.score + SCORE_BITS - 1) & 1 == 1


@inlined
def is_partner(place, rules):
    """Is the seat at that place on the viewer's side?"""
    return place % rules.num_sides == 0
