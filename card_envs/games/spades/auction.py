"""What comes before the first lead: looking or bidding blind, bids, naming trump, exchanging cards."""

from __future__ import annotations

from card_envs.cards import count, suit_cards
from card_envs.games.spades.play import BIDDING, BLIND, GIVING, NAMING, open_play
from card_envs.games.spades.rules import (
    BID_0,
    BLIND_6,
    BLIND_NIL,
    BLIND_NUMBERS,
    FREE,
    LOOK,
    MIRROR,
    NAME_C,
    SIX_SEVEN,
    SPADES,
    SUICIDE,
    SUICIDE_MIN,
    TRUMP_HIGH_BIDDER,
)
from card_envs.games.spades.scoring import NIL, NO_BID, NO_SEAT, bids_blind_number, is_without_bids
from card_envs.games.spades.seen import see_bid
from card_envs.kernels import inlined, rule
from card_envs.tricks import left_of, side_of

NO_NIL, PLAIN, IN_THE_DARK = range(3)
FIRST_BLIND_NUMBER = BLIND_NUMBERS[0]


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
def blind_number_fits(s, seat, rules):
    """A blind 6 or 7 is the side's bid: for the first of its partners to speak (2.4.12)."""
    return rules.blind_bid == SIX_SEVEN and int(s.bid[partner_of(seat, rules)]) == NO_BID


@rule
def may_bid_blind(s, seat, rules):
    """May the seat, which has not seen its hand, bid blind at this moment?"""
    blind_nil = rules.blind_nil > 0 and blind_nil_fits(s, seat, rules)
    return int(s.hidden) >> seat & 1 and (blind_nil or blind_number_fits(s, seat, rules))


@rule
def open_auction(s, rules):
    """One round from the dealer's left (S-A14). Who may come to bid blind does not see his hand before (S9, S-A16)."""
    s.turn = left_of(int(s.dealer), rules.num_players)
    if is_without_bids(s, rules):
        settle_trump(s, rules)
        return
    for seat in range(rules.num_players):
        has_blind_bids = rules.blind_nil > 0 or rules.blind_bid == SIX_SEVEN
        if has_blind_bids and is_far_enough_behind(s, side_of(seat, rules.num_sides), rules):
            s.hidden = int(s.hidden) | 1 << seat
    offer_call(s, rules)


@rule
def offer_call(s, rules):
    """Who may bid blind now chooses to look or to do so; any other seat sees its hand and bids."""
    seat = int(s.turn)
    if may_bid_blind(s, seat, rules):
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
    blind = action == BLIND_NIL or action >= BLIND_6
    level = level_of(action)
    s.bid[seat] = level
    s.blind = int(s.blind) | int(blind) << seat
    see_bid(s, seat, level, int(blind), rules)
    if level > int(s.high_bid):  # the earliest of equal bids; nil is lowest (S-A22)
        s.high_bid = level
        s.bidder = seat
    while seat != int(s.dealer):
        seat = left_of(seat, rules.num_players)
        if not is_spoken_for(s, seat, rules):
            s.turn = seat
            offer_call(s, rules)
            return
    settle_trump(s, rules)


@rule
def level_of(action):
    """The number that a call bids; 0 for either nil."""
    if action == BLIND_NIL:
        return NIL
    return action - BLIND_6 + FIRST_BLIND_NUMBER if action >= BLIND_6 else action - BID_0


@rule
def is_spoken_for(s, seat, rules):
    """Has the partner bid a blind number for both?"""
    partner = partner_of(seat, rules)
    return partner != seat and bids_blind_number(s, partner)


# --- trump -------------------------------------------------------------------------------------------------------------------


@rule
def settle_trump(s, rules):
    """Spades are trump (S5), or the high bidder names it (S29, S-A22); spades again where all bid nil.

    Now everybody sees his hand, also one whose partner has bid blind for both.
    """
    s.hidden = 0
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
