"""What everyone sees of a seat and of a side, as words of the observation that the rules bring up to date.

Little of a table changes with one action, and every seat sees the same of it: so `observe` only turns these words to its
viewer. `rules.at_<piece>` is where a piece lies in its word.
"""

from __future__ import annotations

from card_envs.cards import NUM_RANKS
from card_envs.kernels import inlined, rule
from card_envs.layout import unary

SCORE_BITS = 12
MAX_SHOWN_SCORE = (1 << (SCORE_BITS - 1)) - 1
BAGS_LEVELS = 20
STEP = 5  # scores in steps of 2 ** STEP points
NEEDS_LEVELS = 16
FLOOR_LEVELS = 14
TRICK_RANKS = (1 << (NUM_RANKS + 2)) - 1  # jokers rank above the ace
SUIT_FLAGS = 15


@inlined
def see_bid(s, seat, level, blind, rules):
    """What a seat has bid, and whether without seeing its hand."""
    s.seat_word[seat] = int(s.seat_word[seat]) | 1 << (rules.at_bid + level) | blind << rules.at_blind


@inlined
def see_card(s, seat, card, rules):
    """A card in the trick in progress; jokers are spades."""
    suit = min(card // NUM_RANKS, 3)
    shown = 1 << (rules.at_trick_rank + card - NUM_RANKS * suit) | 1 << (rules.at_trick_suit + suit)
    s.seat_word[seat] = int(s.seat_word[seat]) | shown


@inlined
def see_void(s, seat, suit, is_shown, rules):
    """Has the seat shown (0 or 1) that it holds none of the suit?"""
    s.seat_word[seat] = int(s.seat_word[seat]) | is_shown << (rules.at_void + suit)


@inlined
def see_trick_taken(s, winner, rules):
    """The cards of the trick are gone; its winner has one trick more."""
    kept = ~(TRICK_RANKS << rules.at_trick_rank | SUIT_FLAGS << rules.at_trick_suit)
    for seat in range(rules.num_players):
        s.seat_word[seat] = int(s.seat_word[seat]) & kept
    tricks = (1 << int(s.tricks_won[winner])) - 1
    s.seat_word[winner] = int(s.seat_word[winner]) | tricks << rules.at_tricks_won


@rule
def see_sides(s, rules):
    """Scores and bags, which a deal changes."""
    for side in range(rules.num_sides):
        score = int(s.score[side])
        shown = max(-MAX_SHOWN_SCORE, min(score, MAX_SHOWN_SCORE)) & ((1 << SCORE_BITS) - 1)
        needs = unary((rules.target - score + (1 << STEP) - 1) >> STEP, NEEDS_LEVELS)
        above = unary((score - rules.floor + (1 << STEP) - 1) >> STEP, FLOOR_LEVELS) * int(rules.floor < 0)
        word = shown << rules.at_score | unary(int(s.bags[side]), BAGS_LEVELS) << rules.at_bags
        s.side_word[side] = word | needs << rules.at_needs | above << rules.at_above_floor
