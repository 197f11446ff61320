"""The kitty, and the draw: cards change between naming trump and the first lead (3.4.12, 3.4.13).

What is put aside is seen by nobody else; how many cards a seat drew is seen by all.
"""

from __future__ import annotations

from card_envs.cards import count, lowest
from card_envs.games.pitch.rules import DISCARDING, DRAW_REST, NO_SEAT, PLAYING, TRUMP_ONLY
from card_envs.games.pitch.seen import see_drawn, see_kept
from card_envs.games.pitch.trumps import point_cards
from card_envs.kernels import rule
from card_envs.rng import draw_hand
from card_envs.tricks import left_of


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
    """Does the seat hold more cards than it may keep, and one that it may put aside?"""
    may_keep = rules.hand_size if rules.kitty > 0 else rules.draw_to
    return count(int(s.hand[seat])) > may_keep and may_bury(s, seat, rules) != 0


@rule
def exchange(s, rules):
    """Trump is named: the pitcher buries as many cards as the kitty had, or all throw and draw."""
    if rules.kitty == 0:
        draw_in_turn(s, first_to_draw(s, rules), rules)
    elif must_bury(s, int(s.pitcher), rules):
        s.phase = DISCARDING
    else:
        open_tricks(s, rules)


@rule
def draw_in_turn(s, seat, rules):
    """Seat after seat throws and draws, until one has to choose what to bury; after the last the pitcher leads."""
    while seat != NO_SEAT:
        throw_others(s, seat, rules)
        if must_bury(s, seat, rules):
            s.turn = seat
            s.phase = DISCARDING
            return
        draw(s, seat, max(0, rules.draw_to - count(int(s.hand[seat]))), rules)
        seat = next_to_draw(s, seat, rules)
    open_tricks(s, rules)


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
    last = int(s.pitcher) if rules.draw == DRAW_REST else NO_SEAT
    if seat == last:
        return NO_SEAT
    while seat != int(s.dealer):
        seat = left_of(seat, rules.num_players)
        if seat != last:
            return seat
    return last


@rule
def bury(s, card, rules):
    """One card put aside by choice; then the next one, the next seat, or the first lead."""
    seat = int(s.turn)
    put_aside(s, seat, 1 << card)
    if must_bury(s, seat, rules):
        return
    if rules.kitty > 0:
        open_tricks(s, rules)
    else:
        draw_in_turn(s, next_to_draw(s, seat, rules), rules)


@rule
def open_tricks(s, rules):
    """Everyone knows how many cards each has kept; the pitcher leads (T15)."""
    for seat in range(rules.num_players):
        see_kept(s, seat, count(int(s.hand[seat])), rules)
    s.turn = int(s.pitcher)
    s.phase = PLAYING
