"""The first lead and the tricks."""

from __future__ import annotations

from card_envs.cards import NO_CARD, lowest, suit_cards, suit_of
from card_envs.games.spades.rules import (
    BREAK_NEVER,
    BREAK_STANDARD,
    CLUBS,
    LEAD_2C_CARD,
    LEAD_DEALER,
    LEAD_LEFT,
    LEAD_LOWEST_CLUB,
    LEAD_SEAT_0,
)
from card_envs.games.spades.scoring import end_deal, score_deal
from card_envs.games.spades.seen import see_card, see_trick_taken, see_void
from card_envs.kernels import inlined, rule
from card_envs.tricks import left_of

BLIND, BIDDING, NAMING, GIVING, PLAYING = 1, 2, 3, 4, 5
NOT_OPENING, BY_2C, BY_LOWEST_CLUB = range(3)  # rules of the first trick
TRUMP_VALUE = 64  # more than any plain card
TWO_OF_DIAMONDS, TWO_OF_SPADES, LOWEST_JOKER = 13, 39, 52


# --- the first lead ----------------------------------------------------------------------------------------------------------


@rule
def clubs_in_play(s, rules):
    clubs = 0
    for seat in range(rules.num_players):
        clubs = clubs | (int(s.hand[seat]) & suit_cards(CLUBS))
    return clubs


@rule
def open_play(s, rules):
    """Who holds the 2C leads first (S10), any card (S-A11); the lowest club in play takes the place of a missing 2C.

    Other first leads by option (2.4.6). Where no club is in play those that ask for one fall to the dealer's left.
    """
    s.phase = PLAYING
    clubs = clubs_in_play(s, rules)
    leader = left_of(int(s.dealer), rules.num_players)
    if rules.first_lead == LEAD_DEALER:
        leader = int(s.dealer)
    elif rules.first_lead == LEAD_SEAT_0:
        leader = 0
    elif rules.first_lead == LEAD_LOWEST_CLUB and clubs != 0:
        s.opening = BY_LOWEST_CLUB
        s.led_cards = suit_cards(CLUBS)
        s.led_suit = CLUBS
    elif rules.first_lead != LEAD_LEFT and clubs != 0:
        for seat in range(rules.num_players):
            if int(s.hand[seat]) >> lowest(clubs) & 1:
                leader = seat
        s.opening = BY_2C if rules.first_lead == LEAD_2C_CARD else NOT_OPENING
    s.turn = leader


@rule
def opening_cards(s, hand, rules):
    """The first trick by 2C rules: the 2C, or everybody's lowest club; no spade from who has another card (2.4.6)."""
    clubs = hand & suit_cards(CLUBS)
    plain = hand & ~int(s.trumps)
    must_play_lowest = int(s.opening) == BY_LOWEST_CLUB or int(s.trick_cards) == 0
    if clubs != 0:
        return clubs & -clubs if must_play_lowest else clubs
    return plain if plain != 0 else hand


# --- following ---------------------------------------------------------------------------------------------------------------


@inlined
def legal_cards(s, rules):
    """Follow suit (S11); void of it, any card (S12, S-A13). Spades are led at any time, or when they may (S-A12)."""
    hand = int(s.hand[int(s.turn)])
    if int(s.opening) != NOT_OPENING:
        return opening_cards(s, hand, rules)
    held = hand & int(s.led_cards)
    plain = hand & ~int(s.trumps)
    unbroken = rules.break_rule == BREAK_NEVER or (rules.break_rule == BREAK_STANDARD and int(s.broken) == 0)
    barred = int(s.trick_cards) == 0 and unbroken and plain != 0
    free = plain if barred else hand
    return held if held != 0 else free


@inlined
def card_value(card, is_trump, rules):
    """Rank within its suit (S4), trumps above all (S13b); jokers and, by option, the 2S and 2D above the ace (2.4.15)."""
    high = rules.deuces_high * (13 * int(card == TWO_OF_SPADES) + 40 * int(card == TWO_OF_DIAMONDS))
    return 1 + card + high + 2 * int(card >= LOWEST_JOKER) + TRUMP_VALUE * is_trump


@inlined
def play_card(s, card, rules):
    """A card goes to the trick; the trick's winner so far is kept as it grows (S13a, S13b)."""
    seat = int(s.turn)
    trumps = int(s.trumps)
    is_trump = trumps >> card & 1
    s.hand[seat] = int(s.hand[seat]) & ~(1 << card)
    s.played[seat] = int(s.played[seat]) | 1 << card
    s.broken = int(s.broken) | is_trump
    lowest_club = int(s.opening) == BY_LOWEST_CLUB
    if int(s.trick_cards) == 0:
        s.leader = seat
        s.best_seat = seat
        s.best_value = 0
        if not lowest_club:
            s.led_suit = int(s.trump) if is_trump else suit_of(card)
            s.led_cards = trumps if is_trump else suit_cards(suit_of(card)) & ~trumps
    led_cards = int(s.led_cards)
    follows = led_cards >> card & 1
    see_void(s, seat, int(s.led_suit), 1 - follows, rules)
    value = card_value(card, is_trump, rules)
    counts = follows | (0 if lowest_club else is_trump)  # in the first trick of clubs the highest club wins
    if counts * value > int(s.best_value):
        s.best_value = value
        s.best_seat = seat
    s.trick_cards = int(s.trick_cards) | 1 << card
    s.trick[seat] = card
    see_card(s, seat, card, rules)
    s.turn = left_of(seat, rules.num_players)
    if int(s.turn) == int(s.leader):
        take_trick(s, rules)


@rule
def take_trick(s, rules):
    """The winner leads to the next trick (S14); after the last the deal is scored (S15)."""
    winner = int(s.best_seat)
    s.tricks_won[winner] += 1
    s.tricks_played += 1
    see_trick_taken(s, winner, rules)
    s.trick_cards = 0
    s.led_cards = 0
    s.opening = NOT_OPENING
    for seat in range(rules.num_players):
        s.trick[seat] = NO_CARD
    s.turn = winner
    if int(s.tricks_played) == rules.cards_each:
        score_deal(s, rules)
        end_deal(s, rules)
