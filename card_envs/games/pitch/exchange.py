"""The kitty, and the draw: cards change between naming trump and the first lead (3.4.12, 3.4.13).

What is put aside is seen by nobody else; how many cards a seat drew is seen by all.
"""

from __future__ import annotations

from card_envs.cards import count, lowest
from card_envs.games.pitch.rules import DRAW_REST, TRUMP_ONLY
from card_envs.games.pitch.scoring import NO_SEAT
from card_envs.games.pitch.seen import see_drawn
from card_envs.games.pitch.trumps import point_cards
from card_envs.kernels import rule
from card_envs.rng import draw_hand
from card_envs.tricks import left_of

PLAYING, DISCARDING = 3, 4


@rule
def deal_stock(s, left, x, rules):
    """The cards that can be drawn, in the order in which they lie."""
    for place in range(rules.stock_size):
        card, x = draw_hand(left, 1, x)
        s.stock[place] = lowest(card)
        left = left & ~card


@rule
def open_exchange(s, rules):
    """Nothing is drawn or put aside yet."""
    s.stock_at = 0
    for seat in range(rules.num_players):
        s.thrown[seat] = 0
        s.drew[seat] = 0


@rule
def draw(s, seat, cards, rules):
    """That many cards from the top of the stock, or what is left of it."""
    first = int(s.stock_at)
    last = min(first + cards, rules.stock_size)
    for place in range(first, last):
        s.hand[seat] = int(s.hand[seat]) | 1 << int(s.stock[place])
    s.stock_at = last
    s.drew[seat] = int(s.drew[seat]) + last - first
    see_drawn(s, seat, rules)


@rule
def put_aside(s, seat, cards):
    s.hand[seat] = int(s.hand[seat]) & ~cards
    s.thrown[seat] = int(s.thrown[seat]) | cards


@rule
def may_bury(s, seat, rules):
    """What may go: cards that are no trumps, then trumps that are no points; points only where other cards are played too."""
    hand = int(s.hand[seat])
    others = hand & ~int(s.trumps)
    if others != 0:
        return others
    idle = hand & ~point_cards(int(s.trump), rules)
    if idle != 0:
        return idle
    return 0 if rules.follow_rule == TRUMP_ONLY else hand


@rule
def must_bury(s, seat, rules):
    """Does the seat hold too many cards, and one that it may put aside?"""
    held = rules.hand_size if rules.kitty > 0 else rules.draw_to
    return count(int(s.hand[seat])) > held and may_bury(s, seat, rules) != 0


@rule
def exchange(s, rules):
    """Trump is named: all draw, or the pitcher buries as many cards as the kitty had."""
    exchange_from(s, int(s.pitcher) if rules.kitty > 0 else first_to_draw(s, rules), rules)


@rule
def exchange_from(s, seat, rules):
    """Seat after seat, until one has to choose what to bury; then the pitcher leads."""
    while seat != NO_SEAT:
        if rules.kitty == 0:
            throw_others(s, seat, rules)
        if must_bury(s, seat, rules):
            s.turn = seat
            s.phase = DISCARDING
            return
        if rules.kitty == 0:
            draw(s, seat, max(0, rules.draw_to - count(int(s.hand[seat]))), rules)
        seat = next_to_draw(s, seat, rules)
    s.turn = int(s.pitcher)
    s.phase = PLAYING


@rule
def throw_others(s, seat, rules):
    """All but the trumps goes. The bidder who may do so first takes the rest of the pack (3.4.12)."""
    if rules.draw == DRAW_REST and seat == int(s.pitcher):
        draw(s, seat, rules.stock_size, rules)
    put_aside(s, seat, int(s.hand[seat]) & ~int(s.trumps))


@rule
def first_to_draw(s, rules):
    """The seat on the dealer's left; who takes the rest comes last."""
    seat = left_of(int(s.dealer), rules.num_players)
    if rules.draw == DRAW_REST and seat == int(s.pitcher):
        return left_of(seat, rules.num_players)
    return seat


@rule
def next_to_draw(s, seat, rules):
    """Who draws after this seat, or NO_SEAT after the last."""
    pitcher = int(s.pitcher)
    if rules.kitty > 0 or (rules.draw == DRAW_REST and seat == pitcher):
        return NO_SEAT
    seat = left_of(seat, rules.num_players)
    if rules.draw == DRAW_REST and seat == pitcher:
        seat = left_of(seat, rules.num_players)
    if seat != first_to_draw(s, rules):
        return seat
    return pitcher if rules.draw == DRAW_REST else NO_SEAT


@rule
def bury(s, card, rules):
    """One card put aside by choice."""
    seat = int(s.turn)
    put_aside(s, seat, 1 << card)
    exchange_from(s, seat, rules)
