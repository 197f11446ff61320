"""One table of Pit: its state and the verbs of the rule book.

Every function is about one record `s` (fields below and those of `card_envs.game`) under the options `rules`; `score` is the
burden. Ids in docstrings are those of the numbered rules. Reads go through `int`: plain Python would compute in int8.
"""

from __future__ import annotations

from card_envs.cards import NO_CARD, NO_SUIT, NUM_RANKS, count, lowest, suit_cards, suit_of
from card_envs.game import SEATS
from card_envs.games.pit.rules import (
    ALONE,
    BANK_ROUND,
    FORCED_NOW,
    GROW,
    LEVEL_BID,
    ONCE,
    PASS,
    PASSED,
    PLAY_DECIDED,
    TRICK_RANK,
    TRICK_SUIT,
    TRICKS_WON,
    VOID,
)
from card_envs.games.pit.scoring import NO_SEAT, end_round, score_round
from card_envs.games.pit.seen import see_deal
from card_envs.kernels import inlined, rule
from card_envs.rng import below, draw_hand, stream
from card_envs.tricks import follow_suit, left_of

BIDDING, PLAYING = 1, 2
DEALER_STREAM = 1 << 40  # apart from the streams of deals 0, 1, 2 ...

TRICK_CARD = (1 << VOID) - 1  # bits of `shown`: the card in the trick
LEVELS_BID = (1 << ALONE) - (1 << LEVEL_BID)

# By place of a call after PASS, four bits each: its level (0 for a pass); and one bit each: is it alone?
LEVELS = 0x210215435430
ALONE_CALLS = 0b110001110000

FIELDS = [
    ("hand", "i8", SEATS),  # cards held, by seat
    ("played", "i8", SEATS),  # cards played in this round, by seat
    ("shown", "i8", SEATS),  # by seat: card in the trick, voids shown, last level bid, whether alone, passed, tricks won
    ("tally", "i8", SEATS),  # its burden and points, as everyone sees them: a word of the observation
    ("deal_word", "i8"),  # what everyone sees of the deal
    ("led_cards", "i8"),  # the suit led, as cards; 0 between tricks
    ("trick", "i1", SEATS),  # card in the trick in progress, by seat
    ("tricks_won", "i1", SEATS),  # by seat
    ("forced", "?"),  # the first to speak may not pass: the round before was void
    ("upcard", "i1"),  # the top of the pit, turned
    ("trump", "i1"),
    ("match_trump", "i1"),  # trump of the first round of the match
    ("bid", "i1"),  # standing bid, 0 if none; then the contract
    ("bidder", "i1"),  # seat that holds the standing bid
    ("bid_alone", "i1"),  # 1: the standing bid is alone
    ("contractor", "i1"),  # seat that plays the contract, once the auction is over
    ("needed", "i1"),  # tricks that the contractor still needs
    ("leader", "i1"),  # of the trick in progress; in the auction the seat that speaks first
    ("best_key", "i2"),  # strength of the card that is winning the trick in progress
    ("best_seat", "i1"),  # who played it
    ("tricks_played", "i1"),
]
SELDOM_FIELDS = [
    ("points", "i4", SEATS),  # by seat, in this match
    ("drawn", "i4", SEATS),  # by seat, cards drawn from the pit at the end of this round
    ("bank", "i4"),  # cards in the pit that can be drawn
]


def gain(rules):
    """What a deal is played for: a burden shed, or points."""
    return ("points", 1) if rules.by_points else ("score", -1)


def hand_sizes(s, rules):
    """`cards_dealt` of every seat."""
    burdens = s.score.tolist()[: rules.num_players]
    return [max(rules.num_tricks, burden) if rules.hand_model == "grow" else rules.num_tricks for burden in burdens]


# --- dealing -----------------------------------------------------------------------------------------------------------------


@rule
def new_match(s, rules):
    """Burdens of a hand each (P-A3), a full pit (P-A4), no points; the first dealer at random (P-A24)."""
    for seat in range(rules.places):
        s.score[seat] = rules.first_burden if seat < rules.num_players else 0
        s.change[seat] = 0
        s.points[seat] = 0
    s.bank = rules.first_bank
    s.forced = False
    s.match_trump = NO_SUIT
    s.match_deals = 0
    s.match_over = 0
    s.truncated = 0
    s.winners = 0
    s.dealer = below(s.key, DEALER_STREAM + int(s.deals), rules.num_players)


@rule
def cards_dealt(s, seat, rules):
    """How many cards a seat is dealt (P4): with growing hands its burden, but always enough for every trick."""
    return max(rules.num_tricks, int(s.score[seat])) if rules.hand_model == GROW else rules.num_tricks


@rule
def deal(s, rules):
    """Hands from the stream of this round (P4); of the rest, the pit (P5), the top card is turned (P6)."""
    x = stream(s.key, int(s.deals))
    s.deals += 1
    left = rules.deck_cards
    for seat in range(rules.num_players):
        hand, x = draw_hand(left, cards_dealt(s, seat, rules), x)
        s.hand[seat] = hand
        left = left & ~hand
    turned, x = draw_hand(left, 1, x)
    s.upcard = lowest(turned)
    open_deal(s, rules)


@rule
def cards_undealt(s, rules):
    """How many cards lie in the pit."""
    undealt = count(rules.deck_cards)
    for seat in range(rules.num_players):
        undealt -= count(int(s.hand[seat]))
    return undealt


@rule
def open_deal(s, rules):
    """The hands and the upcard lie: its suit is trump (P6), and the player on the dealer's left speaks first (P7, P-A7)."""
    for seat in range(rules.places):
        s.played[seat] = 0
        s.shown[seat] = 0
        s.drawn[seat] = 0
        s.trick[seat] = NO_CARD
        s.tricks_won[seat] = 0
        s.change[seat] = 0
        if seat >= rules.num_players:
            s.hand[seat] = 0
    if rules.hand_model == GROW:
        s.bank = cards_undealt(s, rules) - 1  # the card turned for trump is not drawn
    elif rules.pit_bank == BANK_ROUND:
        s.bank = rules.first_bank
    s.trump = suit_of(int(s.upcard))
    if int(s.match_trump) == NO_SUIT:
        s.match_trump = s.trump
    if rules.trump == ONCE:
        s.trump = s.match_trump
    s.led_cards = 0
    s.bid = 0
    s.bidder = NO_SEAT
    s.bid_alone = 0
    s.contractor = NO_SEAT
    s.needed = 0
    s.best_key = 0
    s.best_seat = NO_SEAT
    s.tricks_played = 0
    s.moves = 0
    s.deal_over = 0
    s.phase = BIDDING
    s.leader = left_of(int(s.dealer), rules.num_players)
    s.turn = s.leader
    see_deal(s, rules)
    legal(s, rules)


# --- what is legal -----------------------------------------------------------------------------------------------------------


@inlined
def legal(s, rules):
    """Write the legal actions of the seat to act."""
    s.legal[1] = 0
    if int(s.phase) == PLAYING:
        s.legal[0] = follow_suit(int(s.hand[int(s.turn)]), int(s.led_cards) & -rules.must_follow)  # P13, P14, P31
    else:
        legal_calls(s, rules)


@rule
def legal_calls(s, rules):
    """A pass (P10a), unless it is the forced opening (P26, P-A13), or the next bid up (P9, P-A8), alone or not (P22, P-A17)."""
    lowest_bid = max(int(s.bid) + 1, rules.min_bid)
    highest_bid = rules.max_bid if rules.bid_jumps else lowest_bid
    levels = (1 << (highest_bid + 1)) - (1 << lowest_bid)
    plain = levels & ((int(s.shown[int(s.turn)]) >> ALONE & 1) - 1)  # who has gone alone stays alone
    alone = levels & -rules.alone
    passes = 1 - int(s.forced)  # only the first to speak can be forced, and then he opens
    s.legal[0] = passes << PASS | (plain >> 3) << PASS + 1 | (alone >> 3) << PASS + 4 | (plain >> 1 & 3) << PASS + 7
    s.legal[1] = alone >> 1 & 3


# --- the auction -------------------------------------------------------------------------------------------------------------


@inlined
def apply(s, action, rules):
    """Play a legal action of the seat to act."""
    if int(s.phase) == PLAYING:
        play_card(s, action, rules)
    else:
        make_call(s, action, rules)
    if int(s.deal_over) == 0:
        legal(s, rules)


@rule
def make_call(s, action, rules):
    """A call in turn (P7); the highest bid gets the contract (P10b, P11, P-A10)."""
    seat = int(s.turn)
    level = LEVELS >> 4 * (action - PASS) & 15
    alone = ALONE_CALLS >> (action - PASS) & 1
    s.forced = False
    if level > 0:
        shown = int(s.shown[seat]) & ~(LEVELS_BID | 1 << PASSED)
        s.shown[seat] = shown | 1 << (LEVEL_BID + level - 1) | alone << ALONE
        s.bid = level
        s.bidder = seat
        s.bid_alone = alone
    else:
        s.shown[seat] = int(s.shown[seat]) | 1 << PASSED
    if int(s.bid) == 0 and seat == int(s.dealer):
        all_passed(s, rules)
        return
    seat = next_to_call(s, seat, rules)
    s.turn = seat
    if level == rules.max_bid or seat == int(s.bidder):
        open_play(s, rules)


@rule
def next_to_call(s, seat, rules):
    """The next who may speak: a pass is final, but where the rules let players in again, only that of a bidder (P10b, P-A9).

    When the turn comes to the high bidder, nobody else goes on.
    """
    seat = left_of(seat, rules.num_players)
    while is_out(int(s.shown[seat]), rules):
        seat = left_of(seat, rules.num_players)
    return seat


@inlined
def is_out(shown, rules):
    """Has this seat passed for good?"""
    return shown >> PASSED & 1 == 1 and (rules.pass_reentry == 0 or shown & LEVELS_BID != 0)


@rule
def all_passed(s, rules):
    """Nobody has bid: the round is void and the next opening forced (P26, P-A11), or the first seat must play at once."""
    if rules.all_pass == FORCED_NOW:
        s.bid = rules.min_bid
        s.bidder = s.leader
        open_play(s, rules)
    else:
        end_round(s, rules)


@rule
def open_play(s, rules):
    """The contractor leads to the first trick (P12)."""
    s.contractor = s.bidder
    s.needed = s.bid
    s.leader = s.bidder
    s.turn = s.bidder
    s.phase = PLAYING


# --- playing -----------------------------------------------------------------------------------------------------------------


@inlined
def play_card(s, card, rules):
    """A card goes to the trick; the highest trump, else the highest card of the suit led, is winning it (P15).

    A card's key orders the cards of a trick: id, trumps above all, then the suit led.
    """
    seat = int(s.turn)
    suit = suit_of(card)
    led_cards = int(s.led_cards)
    is_lead = int(led_cards == 0)
    led_cards = suit_cards(suit) if is_lead else led_cards
    follows = led_cards >> card & 1
    key = card + 64 * follows + 128 * int(suit == int(s.trump))
    best_key = int(s.best_key)
    s.best_seat = seat if key > best_key else int(s.best_seat)
    s.best_key = max(key, best_key)
    s.led_cards = led_cards
    s.hand[seat] = int(s.hand[seat]) & ~(1 << card)
    s.played[seat] = int(s.played[seat]) | 1 << card
    s.trick[seat] = card
    missing = led_suit_flag(led_cards) * (1 - follows) * rules.must_follow  # a void is only shown where one must follow
    shown = 1 << TRICK_RANK + card - NUM_RANKS * suit | 1 << TRICK_SUIT + suit | missing << VOID
    s.shown[seat] = int(s.shown[seat]) | shown
    seat = left_of(seat, rules.num_players)
    s.turn = seat
    if seat == int(s.leader):
        take_trick(s, rules)


@inlined
def led_suit_flag(led_cards):
    """A bit for the suit, of its thirteen cards."""
    lead = led_cards & -led_cards
    return lead & 1 | lead >> 12 & 2 | lead >> 24 & 4 | lead >> 36 & 8


@rule
def take_trick(s, rules):
    """The winner leads to the next trick (P16); after the last one the round is counted."""
    winner = int(s.best_seat)
    tricks = int(s.tricks_won[winner])
    s.tricks_won[winner] = tricks + 1
    s.tricks_played += 1
    s.needed -= int(winner == int(s.contractor))
    s.led_cards = 0
    s.best_key = 0
    s.best_seat = NO_SEAT
    for seat in range(rules.places):
        s.trick[seat] = NO_CARD
        s.shown[seat] = int(s.shown[seat]) & ~TRICK_CARD
    s.shown[winner] = int(s.shown[winner]) | 1 << TRICKS_WON + tricks
    s.leader = winner
    s.turn = winner
    left = rules.num_tricks - int(s.tricks_played)
    decided = int(s.needed) <= 0 or int(s.needed) > left
    if left == 0 or (decided and rules.stop == PLAY_DECIDED):  # P-A18
        score_round(s, rules)
        end_round(s, rules)


def deal_cards(rules) -> dict[str, int]:
    """The card that is turned for trump."""
    return {"upcard": 1}
