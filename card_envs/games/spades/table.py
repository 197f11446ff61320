"""One table of Spades: its state and the verbs of the rule book.

Every function is about one record `s` (fields below and those of `card_envs.game`) under the options `rules`. Ids in
docstrings are those of the numbered rules. Reads go through `int`: plain Python would otherwise compute in int8.
"""

from __future__ import annotations

from card_envs.cards import NO_CARD, NO_SUIT
from card_envs.game import MAX_LEGAL_WORDS, SEATS
from card_envs.games.spades.auction import (
    blind_nil_fits,
    blind_number_fits,
    give_card,
    legal_levels,
    legal_names,
    make_call,
    name_trump,
    open_auction,
)
from card_envs.games.spades.play import BIDDING, BLIND, GIVING, NAMING, NOT_OPENING, PLAYING, legal_cards, play_card
from card_envs.games.spades.rules import BID_0, BLIND_6, BLIND_NIL, GIVE_0, LOOK, NAME_C, SPADES, TRUMP_SPADES
from card_envs.games.spades.scoring import NO_BID, NO_SEAT
from card_envs.games.spades.seen import see_sides
from card_envs.kernels import inlined, rule
from card_envs.rng import below, draw_hand, stream

DEALER_STREAM = 1 << 40  # apart from the streams of deals 0, 1, 2 ...

FIELDS = [
    ("hand", "i8", SEATS),  # cards held, by seat
    ("played", "i8", SEATS),  # cards played in this deal, by seat
    ("gave", "i8", SEATS),  # cards given to the partner, by seat; they leave the hand with the last of them
    ("seat_word", "i8", SEATS),  # what everyone sees of a seat, as words of the observation
    ("side_word", "i8", SEATS),  # the same of a side
    ("trumps", "i8"),  # all trumps of the deck, none before they are settled
    ("led_cards", "i8"),  # all cards of the suit led, none before a lead
    ("trick_cards", "i8"),  # cards of the trick in progress
    ("trick", "i1", SEATS),  # card in the trick in progress, by seat
    ("bid", "i1", SEATS),  # by seat: NO_BID, 0 for a nil, or the number
    ("tricks_won", "i1", SEATS),  # by seat
    ("hidden", "i1"),  # bit a seat: it has not seen its hand, since it may still bid blind nil
    ("blind", "i1"),  # bit a seat: its bid was made blind
    ("high_bid", "i1"),  # highest number bid, 0 if none
    ("bidder", "i1"),  # first seat that bid it
    ("exchanged", "i1"),  # bit a side: its partners have exchanged cards
    ("gives_left", "i1"),  # cards that the seat to act still has to give
    ("trump", "i1"),
    ("broken", "i1"),  # a trump has been played
    ("opening", "i1"),  # rules of the first trick: NOT_OPENING, BY_2C, BY_LOWEST_CLUB
    ("led_suit", "i1"),
    ("leader", "i1"),  # of the trick in progress
    ("best_value", "i1"),  # of the card that is winning the trick in progress
    ("best_seat", "i1"),
    ("tricks_played", "i1"),
]
SELDOM_FIELDS = [
    ("bags", "i4", SEATS),  # by side
]


# --- dealing -----------------------------------------------------------------------------------------------------------------


@rule
def new_match(s, rules):
    """Scores and bags to zero; the first dealer at random (S-A24)."""
    for side in range(rules.places):
        s.score[side] = 0
        s.change[side] = 0
        s.bags[side] = 0
    s.match_deals = 0
    s.match_over = 0
    s.truncated = 0
    s.winners = 0
    s.dealer = below(s.key, DEALER_STREAM + int(s.deals), rules.num_players)


@rule
def deal(s, rules):
    """Thirteen cards each (S6) from the stream of this deal; what is left of a deck is out of play."""
    x = stream(s.key, int(s.deals))
    s.deals += 1
    left = rules.deck_cards
    last = rules.num_players - 1
    for seat in range(rules.num_players):
        hand = left
        if seat != last or rules.leaves_none_out == 0:  # the last hand of a whole deck needs no drawing
            hand, x = draw_hand(left, rules.cards_each, x)
        s.hand[seat] = hand
        left = left & ~hand
    open_deal(s, rules)


@rule
def open_deal(s, rules):
    """The hands lie; the player on the dealer's left calls first."""
    for seat in range(rules.places):
        s.played[seat] = 0
        s.gave[seat] = 0
        s.trick[seat] = NO_CARD
        s.bid[seat] = NO_BID
        s.seat_word[seat] = 0
        s.tricks_won[seat] = 0
        s.change[seat] = 0
        if seat >= rules.num_players:
            s.hand[seat] = 0
    s.trump = SPADES if rules.trump == TRUMP_SPADES else NO_SUIT
    s.trumps = rules.spade_cards if rules.trump == TRUMP_SPADES else 0
    s.led_cards = 0
    s.trick_cards = 0
    s.hidden = 0
    s.blind = 0
    s.high_bid = 0
    s.bidder = NO_SEAT
    s.exchanged = 0
    s.gives_left = 0
    s.broken = 0
    s.opening = NOT_OPENING
    s.led_suit = 0
    s.leader = NO_SEAT
    s.best_value = 0
    s.best_seat = NO_SEAT
    s.tricks_played = 0
    s.moves = 0
    s.deal_over = 0
    see_sides(s, rules)
    open_auction(s, rules)
    legal(s, rules)


# --- what is legal -----------------------------------------------------------------------------------------------------------


@inlined
def legal(s, rules):
    """Write the legal actions of the seat to act."""
    if int(s.phase) == PLAYING:
        s.legal[0] = legal_cards(s, rules)
        s.legal[1] = 0
        s.legal[2] = 0
    else:
        legal_calls(s, rules)


@rule
def legal_calls(s, rules):
    """Look or a blind bid; bids; suits to name; cards to give. (The top bit of a word is its sign.)"""
    phase = int(s.phase)
    for k in range(MAX_LEGAL_WORDS):
        s.legal[k] = 0
    if phase == BLIND:
        seat = int(s.turn)
        s.legal[0] = 1 << LOOK | int(rules.blind_nil > 0 and blind_nil_fits(s, seat, rules)) << BLIND_NIL
        s.legal[2] = int(blind_number_fits(s, seat, rules)) * (3 << (BLIND_6 - 128))
    elif phase == BIDDING:
        levels = legal_levels(s, rules)
        s.legal[0] = top_bits(levels, BID_0)
        s.legal[1] = levels >> (64 - BID_0)
    elif phase == NAMING:
        s.legal[1] = legal_names(rules) << (NAME_C - 64)
    elif phase == GIVING:
        seat = int(s.turn)
        cards = int(s.hand[seat]) & ~int(s.gave[seat])
        s.legal[1] = top_bits(cards, GIVE_0 - 64)
        s.legal[2] = cards >> (128 - GIVE_0)


@inlined
def top_bits(bits, shift):
    """The word in which the lowest of `bits` stand from bit `shift` on; those that do not fit are left out."""
    under_sign = 63 - shift
    return (bits & ((1 << under_sign) - 1)) << shift | -(bits >> under_sign & 1) << 63


# --- playing -----------------------------------------------------------------------------------------------------------------


@inlined
def apply(s, action, rules):
    """Play a legal action of the seat to act."""
    phase = int(s.phase)
    if phase == PLAYING:
        play_card(s, action, rules)
    elif phase == GIVING:
        give_card(s, action - GIVE_0, rules)
    elif phase == NAMING:
        name_trump(s, action, rules)
    else:
        make_call(s, action, rules)
    if int(s.deal_over) == 0:
        legal(s, rules)
