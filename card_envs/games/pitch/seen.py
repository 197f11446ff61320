"""What everyone sees of a seat and of a side, as words of the observation that the rules bring up to date.

Little of a table changes with one action, and every seat sees the same of it: so `observe` only turns these words to its
viewer. `rules.at_<piece>` is where a piece lies in its word.
"""

from __future__ import annotations

from card_envs.cards import LOW_JOKER, NUM_RANKS, SUIT_CARDS, suit_of
from card_envs.games.pitch.rules import NUM_POINTS, NUM_SLOTS
from card_envs.kernels import inlined, rule
from card_envs.layout import unary

SCORE_BITS = 12
MAX_SHOWN_SCORE = (1 << (SCORE_BITS - 1)) - 1
PIPS_BITS = 8
NEEDS_LEVELS = 16
PIPS_LEVELS = 8
PIPS_A_LEVEL = 8
SUIT_FLAGS = 15
DREW_BITS = 7
KEPT_BITS = 5


@inlined
def see_call(s, seat, level, rules):
    s.seat_word[seat] = int(s.seat_word[seat]) | 1 << (rules.at_call + level)


@inlined
def see_card(s, seat, card, rules):
    """A card in the trick in progress."""
    suit = suit_of(card)
    shown = 1 << (rules.at_trick_rank + card - NUM_RANKS * suit) | 1 << (rules.at_trick_suit + suit)
    if card >= LOW_JOKER:
        shown = 1 << (rules.at_trick_joker + card - LOW_JOKER)
    s.seat_word[seat] = int(s.seat_word[seat]) | shown


@inlined
def see_void(s, seat, suit, is_shown, rules):
    """Has the seat shown (0 or 1) that it holds none of the suit?"""
    s.seat_word[seat] = int(s.seat_word[seat]) | is_shown << (rules.at_void + suit)


@inlined
def see_trick_taken(s, winner, rules):
    """The cards of the trick are gone; its winner has one trick more."""
    jokers = (1 << rules.jokers) - 1
    kept = ~(SUIT_CARDS << rules.at_trick_rank | SUIT_FLAGS << rules.at_trick_suit | jokers << rules.at_trick_joker)
    for seat in range(rules.num_players):
        s.seat_word[seat] = int(s.seat_word[seat]) & kept
    tricks = (1 << int(s.tricks_won[winner])) - 1
    s.seat_word[winner] = int(s.seat_word[winner]) | tricks << rules.at_tricks_won


@rule
def see_drawn(s, seat, rules):
    """How many cards the seat has drawn."""
    others = int(s.seat_word[seat]) & ~(((1 << DREW_BITS) - 1) << rules.at_drew)
    s.seat_word[seat] = others | int(s.drew[seat]) << rules.at_drew


@inlined
def see_kept(s, seat, cards, rules):
    """How many cards the seat holds at the first lead."""
    s.seat_word[seat] = int(s.seat_word[seat]) | cards << rules.at_kept


@rule
def see_sides(s, rules):
    """Scores, which a deal changes, and what the tricks have brought."""
    for side in range(rules.num_sides):
        score = int(s.score[side])
        shown = max(-MAX_SHOWN_SCORE, min(score, MAX_SHOWN_SCORE)) & ((1 << SCORE_BITS) - 1)
        s.side_word[side] = shown << rules.at_score | unary(rules.target - score, NEEDS_LEVELS) << rules.at_needs
    see_points(s, rules)


@rule
def see_points(s, rules):
    """What the tricks so far have brought: pips, and who is ahead for each point."""
    kept = ((1 << SCORE_BITS) - 1) << rules.at_score | ((1 << NEEDS_LEVELS) - 1) << rules.at_needs
    for side in range(rules.num_sides):
        pips = int(s.pips[side])
        ahead = 0
        for point in range(NUM_POINTS):
            ahead = ahead | int(int(s.point_side[point]) == side) << point
        if rules.more_points != 0:
            for slot in range(NUM_POINTS, NUM_SLOTS):
                ahead = ahead | int(int(s.point_side[slot]) == side) << slot
        levels = (1 << min(pips // PIPS_A_LEVEL, PIPS_LEVELS)) - 1
        word = pips << rules.at_pips | levels << rules.at_pips_level | ahead << rules.at_points
        s.side_word[side] = int(s.side_word[side]) & kept | word
