"""Tricks: following suit and winning, once for every trick-taking game."""

from __future__ import annotations

from card_envs.cards import suit_of
from card_envs.kernels import inlined


@inlined
def left_of(seat, num_seats):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < num_seats else 0


@inlined
def side_of(seat, num_sides):
    """The side of a seat: its own, or that of the partner across. (A division would cost more than all the rest of a step.)"""
    return seat if seat < num_sides else seat - num_sides


@inlined
def follow_suit(hand, led_cards):
    """Cards that may be played when the led suit must be followed: it if held, else anything."""
    held = hand & led_cards
    return held if held != 0 else hand


@inlined
def follow_or_trump(hand, led_cards, trumps):
    """Follow suit or trump at any time; anything when void of the led suit."""
    held = hand & led_cards
    return held | (hand & trumps) if held != 0 else hand


@inlined
def beats(card, best, trump):
    """Does `card`, played later, beat the card that is winning the trick? Higher of its suit, or a trump on a plain suit."""
    suit = suit_of(card)
    if suit == suit_of(best):
        return card > best
    return suit == trump


@inlined
def shows_void(card, led_suit, trump, may_trump_anytime):
    """Does playing `card` on `led_suit` show that the player has none of it?"""
    suit = suit_of(card)
    return suit != led_suit and (suit != trump or not may_trump_anytime)
