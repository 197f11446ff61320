"""Tricks: following suit and winning, once for every trick-taking game."""

from __future__ import annotations

from card_envs.cards import suit_of
from card_envs.kernels import inlined


@inlined
def left_of(seat, num_seats):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < num_seats else 0


@inlined
def places_after(seat, viewer, num_seats):
    """How many seats (or sides) after the viewer that one is: 0..num_seats-1, without a branch."""
    places = seat - viewer
    return places + (num_seats & (places >> 63))


@inlined
def side_of(seat, num_sides):
    """The side of a seat: its own, or that of the partner across. (A division would cost more than all the rest of a step.)"""
    return seat if seat < num_sides else seat - num_sides


# Whether a hand can follow and whether a card wins cannot be predicted, so these are sums of bits and not branches.


@inlined
def follow_suit(hand, led_cards):
    """Cards that may be played when the led suit must be followed: it if held, else anything."""
    void = -int(hand & led_cards == 0)  # every bit, or none
    return hand & (led_cards | void)


@inlined
def follow_or_trump(hand, led_cards, trumps):
    """Follow suit or trump at any time; anything when void of the led suit."""
    void = -int(hand & led_cards == 0)
    return hand & (led_cards | trumps | void)


@inlined
def beats(card, best, trump):
    """1 if `card`, played later, beats the card that is winning the trick: higher of its suit, or a trump on a plain suit."""
    suit, best_suit = suit_of(card), suit_of(best)
    return int(suit == best_suit) & int(card > best) | int(suit != best_suit) & int(suit == trump)
