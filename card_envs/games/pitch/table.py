"""One table of Pitch: its state and the verbs of the rule book.

Every function is about one record `s` (fields below and those of `card_envs.game`) under the options `rules`. Ids in
docstrings are those of the numbered rules. Reads go through `int`: plain Python would otherwise compute in int8.
"""

from __future__ import annotations

from card_envs.cards import (
    ACE,
    HIGH_JOKER,
    JACK,
    KING,
    LOW_JOKER,
    NO_CARD,
    NO_SUIT,
    NUM_CARDS,
    QUEEN,
    TEN,
    rank_cards,
    suit_of,
)
from card_envs.game import SEATS
from card_envs.games.pitch.auction import legal_calls, legal_names, level_of
from card_envs.games.pitch.exchange import bury, deal_stock, draw, exchange, may_bury, open_exchange
from card_envs.games.pitch.rules import (
    BIDDING,
    BY_NAMING,
    BY_PITCHING,
    DISCARD_0,
    ELDEST_PITCHES,
    FOLLOW_OR_TRUMP,
    NAME_C,
    NAMING,
    NO_SEAT,
    NO_SIDE,
    NUM_SLOTS,
    PLAYING,
    STRICT,
    TRUMP_ONLY,
)
from card_envs.games.pitch.scoring import award_points, end_deal, score_deal
from card_envs.games.pitch.seen import see_call, see_card, see_points, see_sides, see_trick_taken, see_void
from card_envs.games.pitch.trumps import cards_of, suit_led, trump_cards, wins
from card_envs.kernels import inlined, rule
from card_envs.rng import below, draw_hand, stream
from card_envs.tricks import follow_or_trump, follow_suit, left_of, side_of

NO_CALL = -1
DEALER_STREAM = 1 << 40  # apart from the streams of deals 0, 1, 2 ...

FIELDS = [
    ("trick_cards", "i8"),  # cards of the trick in progress
    ("trumps", "i8"),  # every trump of the deck, none before the suit is fixed
    ("bid", "i1"),  # standing bid, 0 if none
    ("bidder", "i1"),  # seat that holds the standing bid
    ("pitcher", "i1"),  # seat that names or pitches trump: the bidder, or the eldest without a bid
    ("trump", "i1"),
    ("leader", "i1"),  # of the trick in progress
    ("best_card", "i1"),  # winning the trick in progress
    ("best_seat", "i1"),
    ("tricks_played", "i1"),
    ("trick", "i1", SEATS),  # card in the trick in progress, by seat
    ("tricks_won", "i1", SEATS),  # by seat
    ("high", "i1"),  # highest and lowest trump in the tricks so far, or NO_CARD
    ("low", "i1"),
    ("hand", "i8", SEATS),  # cards held, by seat
    ("played", "i8", SEATS),  # cards played in this deal, by seat
    ("seat_word", "i8", SEATS),  # what everyone sees of a seat, as words of the observation
    ("side_word", "i8", SEATS),  # the same of a side
    ("pips", "i2", SEATS),  # pips of the tricks won, by side
    ("call", "i1", SEATS),  # NO_CALL, 0 for a pass, or the level bid
    ("point_side", "i1", NUM_SLOTS),  # sides with High, Low, Jack, Game ... by the tricks so far; in the end, the points won
]
SELDOM_FIELDS = [  # of games with a kitty or a draw
    ("thrown", "i8", SEATS),  # cards put aside, by seat
    ("stock", "i1", NUM_CARDS),  # the cards that can be drawn, in order
    ("stock_at", "i1"),  # how many of them are drawn
    ("drew", "i1", SEATS),  # cards drawn, by seat
]


# --- dealing -----------------------------------------------------------------------------------------------------------------


def deal_cards(rules) -> dict[str, int]:
    """The kitty, or the pack to draw from."""
    return {"stock": rules.stock_size} if rules.stock_size else {}


@rule
def new_match(s, rules):
    """Scores to zero; the first dealer at random (T5b), which is what drawing for the highest card comes to (T5a)."""
    for side in range(rules.places):
        s.score[side] = 0
        s.change[side] = 0
    s.match_deals = 0
    s.match_over = 0
    s.truncated = 0
    s.winners = 0
    s.dealer = below(s.key, DEALER_STREAM + int(s.deals), rules.num_players)


@rule
def is_poor(hand):
    """Nothing above a nine, so no card that scores (option redeal_poor_hand). A joker does score."""
    jokers = 1 << LOW_JOKER | 1 << HIGH_JOKER
    high = rank_cards(TEN) | rank_cards(JACK) | rank_cards(QUEEN) | rank_cards(KING) | rank_cards(ACE)
    return hand & (high | jokers) == 0


@rule
def deal(s, rules):
    """Six cards each (T4) from the stream of this deal, then the auction."""
    x = stream(s.key, int(s.deals))
    s.deals += 1
    redeal = True
    while redeal:
        redeal = False
        left = rules.deck_cards
        for seat in range(rules.num_players):
            hand, x = draw_hand(left, rules.hand_size, x)
            s.hand[seat] = hand
            left = left & ~hand
            redeal = redeal or (rules.redeal_poor_hand != 0 and is_poor(hand))
    if rules.stock_size > 0:
        deal_stock(s, left, x, rules)
    open_deal(s, rules)


@rule
def open_deal(s, rules):
    """The hands lie; the player on the dealer's left bids first (T7)."""
    for seat in range(rules.places):
        s.played[seat] = 0
        s.pips[seat] = 0
        s.trick[seat] = NO_CARD
        s.call[seat] = NO_CALL
        s.tricks_won[seat] = 0
        s.seat_word[seat] = 0
        s.change[seat] = 0
        if seat >= rules.num_players:
            s.hand[seat] = 0
    for slot in range(NUM_SLOTS):
        s.point_side[slot] = NO_SIDE
    s.trick_cards = 0
    s.trumps = 0
    s.bid = 0
    s.bidder = NO_SEAT
    s.pitcher = NO_SEAT
    s.trump = NO_SUIT
    s.leader = NO_SEAT
    s.best_card = NO_CARD
    s.best_seat = NO_SEAT
    s.tricks_played = 0
    s.high = NO_CARD
    s.low = NO_CARD
    s.moves = 0
    s.deal_over = 0
    s.phase = BIDDING
    s.turn = left_of(int(s.dealer), rules.num_players)
    if rules.stock_size > 0:
        open_exchange(s, rules)
    see_sides(s, rules)
    legal(s, rules)


# --- what is legal -----------------------------------------------------------------------------------------------------------


@inlined
def legal(s, rules):
    """Write the legal actions of the seat to act."""
    phase = int(s.phase)
    s.legal[1] = 0
    if phase == PLAYING:
        s.legal[0] = legal_cards(s, rules)
    elif phase == BIDDING:
        legal_calls(s, rules)
    elif phase == NAMING:
        s.legal[0] = legal_names(int(s.hand[int(s.turn)]), rules)
    else:
        s.legal[0] = 0
        s.legal[1] = may_bury(s, int(s.turn), rules) << (DISCARD_0 - 64)


@inlined
def legal_cards(s, rules):
    """What the seat to act may play (T15, T16, T17a, T17b)."""
    hand, trump, trumps = int(s.hand[int(s.turn)]), int(s.trump), int(s.trumps)
    if trump == NO_SUIT:
        return hand & ~rules.joker_cards  # the pitch itself: any card of a suit, which becomes trump
    if int(s.trick_cards) == 0:
        if int(s.tricks_played) == 0:
            return opening_leads(hand & trumps, rules)
        return hand & trumps if rules.follow_rule == TRUMP_ONLY else hand
    led_cards = cards_of(suit_led(int(s.trick[int(s.leader)]), trumps, trump), trumps, trump)
    if rules.follow_rule == FOLLOW_OR_TRUMP:
        return follow_or_trump(hand, led_cards, trumps)
    if rules.follow_rule == STRICT:
        return follow_suit(hand, led_cards)
    return hand & trumps


@inlined
def opening_leads(trumps, rules):
    """A trump (T15), and no joker while there is another, unless the rules let jokers open (3.4.10)."""
    natural = trumps & ~rules.joker_cards
    return trumps if rules.joker_opens != 0 or natural == 0 else natural


# --- playing -----------------------------------------------------------------------------------------------------------------


@inlined
def apply(s, action, rules):
    """Play a legal action of the seat to act."""
    phase = int(s.phase)
    if phase == PLAYING:
        play_card(s, action, rules)
    elif phase == BIDDING:
        make_call(s, action, rules)
    elif phase == NAMING:
        name_trump(s, action - NAME_C, rules)
    else:
        bury(s, action - DISCARD_0, rules)
    if int(s.deal_over) == 0:
        legal(s, rules)


@rule
def make_call(s, action, rules):
    """One bid each, the dealer last (T7)."""
    seat = int(s.turn)
    level = level_of(action, rules)
    s.call[seat] = level
    see_call(s, seat, level, rules)
    if level > 0:
        s.bid = level
        s.bidder = seat
    if seat != int(s.dealer):
        s.turn = left_of(seat, rules.num_players)
    elif int(s.bid) > 0:
        open_play(s, int(s.bidder), rules)
    elif rules.all_pass == ELDEST_PITCHES:
        open_play(s, left_of(seat, rules.num_players), rules)
    else:
        end_deal(s, rules)


@rule
def open_play(s, seat, rules):
    """The high bidder takes the kitty, names trump (T9) and leads to the first trick (T15). Jokers alone cannot be pitched."""
    s.pitcher = seat
    s.turn = seat
    if rules.kitty > 0:
        draw(s, seat, rules.kitty, rules)
    only_jokers = int(s.hand[seat]) & ~rules.joker_cards == 0
    s.phase = NAMING if rules.trump_method == BY_NAMING or only_jokers else PLAYING


@rule
def name_trump(s, suit, rules):
    s.trump = suit
    s.trumps = trump_cards(suit, rules)
    s.phase = PLAYING
    if rules.stock_size > 0:
        exchange(s, rules)


@inlined
def play_card(s, card, rules):
    """A card goes to the trick; the trick's winner so far is kept as it grows."""
    seat = int(s.turn)
    s.hand[seat] = int(s.hand[seat]) & ~(1 << card)
    s.played[seat] = int(s.played[seat]) | 1 << card
    if rules.trump_method == BY_PITCHING and int(s.trump) == NO_SUIT:
        s.trump = suit_of(card)
        s.trumps = trump_cards(int(s.trump), rules)
    trump, trumps = int(s.trump), int(s.trumps)
    if int(s.trick_cards) == 0:
        s.leader = seat
        s.best_card = card
        s.best_seat = seat
    else:
        led_suit = suit_led(int(s.trick[int(s.leader)]), trumps, trump)
        follows = cards_of(led_suit, trumps, trump) | trumps & -int(rules.follow_rule == FOLLOW_OR_TRUMP)
        see_void(s, seat, led_suit, 1 - (follows >> card & 1), rules)
        best_card, best_seat = int(s.best_card), int(s.best_seat)
        won = wins(card, best_card, trumps, trump, rules)
        s.best_card = best_card + won * (card - best_card)
        s.best_seat = best_seat + won * (seat - best_seat)
    s.trick_cards = int(s.trick_cards) | 1 << card
    s.trick[seat] = card
    see_card(s, seat, card, rules)
    s.turn = next_to_play(s, seat, rules)
    if int(s.turn) == int(s.leader):
        take_trick(s, rules)


@inlined
def can_play(s, seat, rules):
    """Has the seat a card that it may play? Where only trumps are played, a seat without one is out of the deal."""
    hand = int(s.hand[seat])
    return hand & int(s.trumps) != 0 if rules.follow_rule == TRUMP_ONLY else hand != 0


@inlined
def next_to_play(s, seat, rules):
    """The next seat of the trick in progress, or its leader when the trick is complete."""
    seat = left_of(seat, rules.num_players)
    if rules.follow_rule == TRUMP_ONLY:
        while seat != int(s.leader) and not can_play(s, seat, rules):
            see_void(s, seat, int(s.trump), 1, rules)
            seat = left_of(seat, rules.num_players)
    return seat


@rule
def take_trick(s, rules):
    """The highest trump wins, else the highest card of the suit led (T18a, T18b); the winner leads (T16)."""
    winner = int(s.best_seat)
    side = side_of(winner, rules.num_sides)
    s.tricks_won[winner] += 1
    s.tricks_played += 1
    award_points(s, side, rules)
    see_trick_taken(s, winner, rules)
    s.trick_cards = 0
    for seat in range(rules.num_players):
        s.trick[seat] = NO_CARD
    leader = winner
    for _ in range(rules.num_players):
        if can_play(s, leader, rules):
            s.turn = leader
            see_points(s, rules)
            return
        leader = left_of(leader, rules.num_players)
    score_deal(s, rules)
    end_deal(s, rules)
