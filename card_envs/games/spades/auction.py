"""What comes before the first lead: looking or bidding blind, bids, naming trump, exchanging cards."""

from __future__ import annotations

from card_envs.cards import count, suit_cards
from card_envs.games.spades.play import BIDDING, BLIND, GIVING, NAMING, open_play
from card_envs.games.spades.rules import (
    BID_0,
    BLIND_NIL,
    FREE,
    LOOK,
    MIRROR,
    NAME_C,
    SPADES,
    SUICIDE,
    SUICIDE_MIN,
    TRUMP_HIGH_BIDDER,
)
from card_envs.games.spades.scoring import NIL, NO_BID, NO_SEAT, is_without_bids
from card_envs.kernels import inlined, rule
from card_envs.tricks import left_of, side_of

NO_NIL, PLAIN, IN_THE_DARK = range(3)


@inlined
def partner_of(seat, rules):
    """The seat across; in play each for himself the seat itself."""
    partner = seat + rules.num_sides
    return partner if partner < rules.num_players else partner - rules.num_players


# --- looking or bidding blind ------------------------------------------------------------------------------------------------


@rule
def is_far_enough_behind(s, side, rules):
    """Blind nil has no score condition (S-A16), or asks for points behind the best other side."""
    best = int(s.score[side])
    for other in range(rules.num_sides):
        best = max(best, int(s.score[other]))
    return best - int(s.score[side]) >= rules.blind_nil_deficit


@rule
def blind_nil_fits(s, seat, rules):
    """Do the bids made so far leave room for another nil?"""
    partners_bid = int(s.bid[partner_of(seat, rules)])
    if partners_bid == NIL and rules.double_nil == 0:
        return False
    if partners_bid != NO_BID and partners_bid < rules.team_bid_min:
        return False
    return not (is_forbidden_total(s, seat, rules) and total_bid(s, rules) == rules.forbidden_total)


@rule
def open_auction(s, rules):
    """One round from the dealer's left (S-A14). Who may come to bid blind nil does not see his hand before (S9, S-A16)."""
    s.turn = left_of(int(s.dealer), rules.num_players)
    if is_without_bids(s, rules):
        settle_trump(s, rules)
        return
    for seat in range(rules.num_players):
        if rules.blind_nil > 0 and is_far_enough_behind(s, side_of(seat, rules.num_sides), rules):
            s.hidden = int(s.hidden) | 1 << seat
    offer_call(s, rules)


@rule
def offer_call(s, rules):
    """Who may bid blind nil now chooses to look or to bid it; any other seat sees its hand and bids."""
    seat = int(s.turn)
    if int(s.hidden) >> seat & 1 and blind_nil_fits(s, seat, rules):
        s.phase = BLIND
    else:
        show_hand(s, seat)


@rule
def show_hand(s, seat):
    s.hidden = int(s.hidden) & ~(1 << seat)
    s.phase = BIDDING


# --- bids --------------------------------------------------------------------------------------------------------------------


@rule
def total_bid(s, rules):
    """Sum of all bids so far."""
    total = 0
    for seat in range(rules.num_players):
        total += max(int(s.bid[seat]), NIL)
    return total


@rule
def is_forbidden_total(s, seat, rules):
    """Is this the last bidder where he may not bring the bids to a certain sum (2.4.13)?"""
    return rules.forbidden_total > 0 and seat == int(s.dealer)


@rule
def restricted_levels(s, numbers, rules):
    """Suicide, whiz, mirror (2.4.14): which of the bids `numbers`, and nil."""
    seat = int(s.turn)
    if rules.bid_restriction == SUICIDE:
        partners_bid = int(s.bid[partner_of(seat, rules)])
        large = numbers & ~((1 << SUICIDE_MIN) - 1)
        if partners_bid == NO_BID:
            return large | 1 << NIL
        return large if partners_bid == NIL else 1 << NIL
    held = 1 << count(int(s.hand[seat]) & rules.spade_cards)
    return held if rules.bid_restriction == MIRROR else held | 1 << NIL


@rule
def legal_levels(s, rules):
    """Bits of the bids that may be made: nil is bit 0 (S8), whole numbers up to the hand's size (S7a, S7b).

    Everyone must bid (S-A14). A side's sum may have a lowest and a highest value (2.4.13, S-A15); without nil the first of two
    partners leaves the other at least one trick. The forbidden total gives way where nothing else is left.
    """
    seat = int(s.turn)
    partner = partner_of(seat, rules)
    partners_bid = int(s.bid[partner])
    numbers = (1 << (rules.highest_bid + 1)) - 2
    levels = numbers | int(rules.nil > 0)
    if rules.bid_restriction != FREE:
        levels = restricted_levels(s, numbers, rules)
    if partners_bid == NIL and rules.double_nil == 0:
        levels = levels & ~(1 << NIL)
    if partners_bid != NO_BID:
        levels = levels & ~((1 << max(rules.team_bid_min - partners_bid, 0)) - 1)
    if rules.team_bid_cap > 0:
        reserved = int(partners_bid == NO_BID and rules.nil == 0)
        levels = levels & ((1 << (rules.team_bid_cap - max(partners_bid, NIL) - reserved + 1)) - 1)
    missing = rules.forbidden_total - total_bid(s, rules)
    if is_forbidden_total(s, seat, rules) and missing >= 0 and levels & ~(1 << missing) != 0:
        levels = levels & ~(1 << missing)
    return levels


@rule
def make_call(s, action, rules):
    """Look, or a bid (S7a, S8, S9); the dealer speaks last."""
    seat = int(s.turn)
    show_hand(s, seat)
    if action == LOOK:
        return
    level = NIL if action == BLIND_NIL else action - BID_0
    s.bid[seat] = level
    s.blind = int(s.blind) | int(action == BLIND_NIL) << seat
    if level > int(s.high_bid):  # the earliest of equal bids; nil is lowest (S-A22)
        s.high_bid = level
        s.bidder = seat
    if seat != int(s.dealer):
        s.turn = left_of(seat, rules.num_players)
        offer_call(s, rules)
    else:
        settle_trump(s, rules)


# --- trump -------------------------------------------------------------------------------------------------------------------


@rule
def settle_trump(s, rules):
    """Spades are trump (S5), or the high bidder names it (S29, S-A22); spades again where all bid nil."""
    if rules.trump == TRUMP_HIGH_BIDDER and int(s.bidder) != NO_SEAT:
        s.phase = NAMING
        s.turn = int(s.bidder)
    else:
        s.trump = SPADES
        s.trumps = rules.spade_cards
        next_exchange(s, rules)


@rule
def legal_names(rules):
    """The suits of the deck."""
    names = 0
    for suit in range(4):
        if rules.deck_cards & suit_cards(suit) != 0:
            names = names | 1 << suit
    return names


@rule
def name_trump(s, action, rules):
    """The named suit replaces spades everywhere (S-A22)."""
    s.trump = action - NAME_C
    s.trumps = suit_cards(action - NAME_C)
    next_exchange(s, rules)


# --- exchanging cards --------------------------------------------------------------------------------------------------------


@rule
def nil_kind(s, seat):
    if int(s.bid[seat]) != NIL:
        return NO_NIL
    return IN_THE_DARK if int(s.blind) >> seat & 1 else PLAIN


@rule
def cards_to_pass(kind, rules):
    if kind == NO_NIL:
        return 0
    return rules.blind_nil_pass if kind == IN_THE_DARK else rules.nil_pass


@rule
def opens_exchange(s, seat, rules):
    """How many cards the seat, as a nil bidder, exchanges with its partner.

    None when both have bid the same nil; of a blind and a plain one the blind one does.
    """
    partner = partner_of(seat, rules)
    own, partners = nil_kind(s, seat), nil_kind(s, partner)
    return cards_to_pass(own, rules) if partner != seat and own > partners else 0


@rule
def next_exchange(s, rules):
    """Nil bidders in turn from the dealer's left exchange cards with their partners (2.4.4); then the play begins."""
    seat = left_of(int(s.dealer), rules.num_players)
    for _ in range(rules.num_players):
        done = int(s.exchanged) >> side_of(seat, rules.num_sides) & 1
        cards = 0 if done else opens_exchange(s, seat, rules)
        if cards > 0:
            s.phase = GIVING
            s.turn = seat
            s.gives_left = cards
            return
        seat = left_of(seat, rules.num_players)
    open_play(s, rules)


@rule
def give_card(s, card, rules):
    """One card after the other; the partner picks them up after the last, and then gives as many back, maybe the same ones."""
    seat = int(s.turn)
    partner = partner_of(seat, rules)
    s.gave[seat] = int(s.gave[seat]) | 1 << card
    s.gives_left -= 1
    if int(s.gives_left) > 0:
        return
    given = int(s.gave[seat])
    s.hand[seat] = int(s.hand[seat]) & ~given
    s.hand[partner] = int(s.hand[partner]) | given
    if int(s.gave[partner]) == 0:
        s.turn = partner
        s.gives_left = count(given)
    else:
        s.exchanged = int(s.exchanged) | 1 << side_of(seat, rules.num_sides)
        next_exchange(s, rules)
