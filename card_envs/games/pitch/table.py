"""One table of Pitch: its state and the verbs of the rule book.

Every function is about one record `s` (fields below and `card_envs.game.COMMON_FIELDS`) under the options `rules`. Ids in
docstrings are those of the numbered rules. Reads go through `int`: plain Python would otherwise compute in int8.
"""

from __future__ import annotations

from card_envs.cards import ACE, JACK, KING, NO_CARD, NO_SUIT, QUEEN, TEN, rank_cards, suit_cards, suit_of
from card_envs.game import MAX_SEATS
from card_envs.games.pitch.rules import (
    BID_0,
    BY_NAMING,
    BY_PITCHING,
    DEALER_FORCED,
    ELDEST_PITCHES,
    FOLLOW_OR_TRUMP,
    MOON,
    NAME_C,
    NUM_POINTS,
    PASS,
    STEAL_ANY,
    STEAL_BELOW_FOUR,
    STEAL_FOUR_ONLY,
    STRICT,
    TRUMP_ONLY,
)
from card_envs.games.pitch.scoring import NO_SEAT, NO_SIDE, award_points, end_deal, pips, score_deal
from card_envs.kernels import inlined, rule
from card_envs.rng import below, draw_hand, stream
from card_envs.tricks import beats, follow_or_trump, follow_suit, left_of, shows_void, side_of

BIDDING, NAMING, PLAYING = 1, 2, 3
NO_CALL = -1
DEALER_STREAM = 1 << 40  # apart from the streams of deals 0, 1, 2 ...

FIELDS = [
    ("hand", "i8", MAX_SEATS),  # cards held, by seat
    ("played", "i8", MAX_SEATS),  # cards played in this deal, by seat
    ("won", "i8", MAX_SEATS),  # cards in the tricks won, by side
    ("pips", "i2", MAX_SEATS),  # pips of the tricks won, by side
    ("trick_cards", "i8"),  # cards of the trick in progress
    ("trick", "i1", MAX_SEATS),  # card in the trick in progress, by seat
    ("call", "i1", MAX_SEATS),  # NO_CALL, 0 for a pass, or the level bid
    ("void", "i1", MAX_SEATS),  # bit a suit: this seat has shown that it holds none
    ("tricks_won", "i1", MAX_SEATS),  # by seat
    ("point_side", "i1", NUM_POINTS),  # sides with High, Low, Jack, Game by the tricks so far; in the end, the points won
    ("bid", "i1"),  # standing bid, 0 if none
    ("bidder", "i1"),  # seat that holds the standing bid
    ("pitcher", "i1"),  # seat that names or pitches trump: the bidder, or the eldest without a bid
    ("trump", "i1"),
    ("leader", "i1"),  # of the trick in progress
    ("best_card", "i1"),  # winning the trick in progress
    ("best_seat", "i1"),
    ("tricks_played", "i1"),
]


# --- dealing -----------------------------------------------------------------------------------------------------------------


@rule
def new_match(s, rules):
    """Scores to zero; the first dealer at random (T5b), which is what drawing for the highest card comes to (T5a)."""
    for side in range(MAX_SEATS):
        s.score[side] = 0
        s.change[side] = 0
    s.match_deals = 0
    s.match_over = 0
    s.truncated = 0
    s.winners = 0
    s.dealer = below(s.key, DEALER_STREAM + int(s.deals), rules.num_players)


@rule
def is_poor(hand):
    """Nothing above a nine, so no card that scores (option redeal_poor_hand)."""
    return hand & (rank_cards(TEN) | rank_cards(JACK) | rank_cards(QUEEN) | rank_cards(KING) | rank_cards(ACE)) == 0


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
    open_deal(s, rules)


@rule
def open_deal(s, rules):
    """The hands lie; the player on the dealer's left bids first (T7)."""
    for seat in range(MAX_SEATS):
        s.played[seat] = 0
        s.won[seat] = 0
        s.pips[seat] = 0
        s.trick[seat] = NO_CARD
        s.call[seat] = NO_CALL
        s.void[seat] = 0
        s.tricks_won[seat] = 0
        s.change[seat] = 0
        if seat >= rules.num_players:
            s.hand[seat] = 0
    for point in range(NUM_POINTS):
        s.point_side[point] = NO_SIDE
    s.trick_cards = 0
    s.bid = 0
    s.bidder = NO_SEAT
    s.pitcher = NO_SEAT
    s.trump = NO_SUIT
    s.leader = NO_SEAT
    s.best_card = NO_CARD
    s.best_seat = NO_SEAT
    s.tricks_played = 0
    s.moves = 0
    s.deal_over = 0
    s.phase = BIDDING
    s.turn = left_of(int(s.dealer), rules.num_players)
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
    else:
        s.legal[0] = legal_names(int(s.hand[int(s.turn)]))


@rule
def legal_calls(s, rules):
    """Pass, or a bid above the standing one (T8, T-A3); the dealer's privileges and duties come with the options."""
    standing = int(s.bid)
    is_dealer = int(s.turn) == int(s.dealer)
    lowest_bid = max(standing + 1, rules.min_bid)
    calls = 1 << PASS
    if is_dealer and standing > 0 and may_steal(standing, rules):
        lowest_bid = standing
    if is_dealer and standing == 0 and rules.all_pass == DEALER_FORCED:
        calls = 0
    for level in range(lowest_bid, rules.max_bid + 1):
        calls = calls | 1 << (BID_0 + level)
    s.legal[0] = calls
    if lowest_bid <= rules.moon_level:
        s.legal[1] = 1 << (MOON - 64)


@rule
def may_steal(standing, rules):
    """May the dealer take the contract at the standing bid (T-A4)?"""
    if standing == rules.moon_level:
        return rules.dealer_steal == STEAL_ANY
    if rules.dealer_steal == STEAL_FOUR_ONLY:
        return standing == NUM_POINTS
    if rules.dealer_steal == STEAL_BELOW_FOUR:
        return standing < NUM_POINTS
    return rules.dealer_steal == STEAL_ANY


@rule
def legal_names(hand):
    """Only suits that the pitcher holds: he must be able to lead one (T-A7)."""
    names = 0
    for suit in range(4):
        if hand & suit_cards(suit) != 0:
            names = names | 1 << (NAME_C + suit)
    return names


@inlined
def legal_cards(s, rules):
    """What the seat to act may play (T15, T16, T17a, T17b)."""
    hand = int(s.hand[int(s.turn)])
    trump = int(s.trump)
    if trump == NO_SUIT:
        return hand  # the pitch itself: any card, its suit becomes trump
    trumps = suit_cards(trump)
    if int(s.trick_cards) == 0:
        opening = int(s.tricks_played) == 0
        return hand & trumps if opening or rules.follow_rule == TRUMP_ONLY else hand
    led_cards = suit_cards(suit_of(int(s.trick[int(s.leader)])))
    if rules.follow_rule == FOLLOW_OR_TRUMP:
        return follow_or_trump(hand, led_cards, trumps)
    if rules.follow_rule == STRICT:
        return follow_suit(hand, led_cards)
    return hand & trumps


# --- playing -----------------------------------------------------------------------------------------------------------------


@inlined
def apply(s, action, rules):
    """Play a legal action of the seat to act."""
    phase = int(s.phase)
    if phase == PLAYING:
        play_card(s, action, rules)
    elif phase == BIDDING:
        make_call(s, action, rules)
    else:
        s.trump = action - NAME_C
        s.phase = PLAYING
    if int(s.deal_over) == 0:
        legal(s, rules)


@rule
def make_call(s, action, rules):
    """One bid each, the dealer last (T7)."""
    seat = int(s.turn)
    level = 0 if action == PASS else (rules.moon_level if action == MOON else action - BID_0)
    s.call[seat] = level
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
    """The high bidder names trump (T9) and leads to the first trick (T15)."""
    s.pitcher = seat
    s.turn = seat
    s.phase = NAMING if rules.trump_method == BY_NAMING else PLAYING


@inlined
def play_card(s, card, rules):
    """A card goes to the trick; the trick's winner so far is kept as it grows."""
    seat = int(s.turn)
    s.hand[seat] = int(s.hand[seat]) & ~(1 << card)
    s.played[seat] = int(s.played[seat]) | 1 << card
    if rules.trump_method == BY_PITCHING and int(s.trump) == NO_SUIT:
        s.trump = suit_of(card)
    trump = int(s.trump)
    if int(s.trick_cards) == 0:
        s.leader = seat
        s.best_card = card
        s.best_seat = seat
    else:
        led_suit = suit_of(int(s.trick[int(s.leader)]))
        if shows_void(card, led_suit, trump, rules.follow_rule == FOLLOW_OR_TRUMP):
            s.void[seat] = int(s.void[seat]) | 1 << led_suit
        if beats(card, int(s.best_card), trump):
            s.best_card = card
            s.best_seat = seat
    s.trick_cards = int(s.trick_cards) | 1 << card
    s.trick[seat] = card
    s.turn = next_to_play(s, seat, rules)
    if int(s.turn) == int(s.leader):
        take_trick(s, rules)


@inlined
def can_play(s, seat, rules):
    """Has the seat a card that it may play? Where only trumps are played, a seat without one is out of the deal."""
    hand = int(s.hand[seat])
    return hand & suit_cards(int(s.trump)) != 0 if rules.follow_rule == TRUMP_ONLY else hand != 0


@inlined
def next_to_play(s, seat, rules):
    """The next seat of the trick in progress, or its leader when the trick is complete."""
    seat = left_of(seat, rules.num_players)
    if rules.follow_rule == TRUMP_ONLY:
        while seat != int(s.leader) and not can_play(s, seat, rules):
            s.void[seat] = int(s.void[seat]) | 1 << int(s.trump)
            seat = left_of(seat, rules.num_players)
    return seat


@rule
def take_trick(s, rules):
    """The highest trump wins, else the highest card of the suit led (T18a, T18b); the winner leads (T16)."""
    winner = int(s.best_seat)
    side = side_of(winner, rules.num_sides)
    s.won[side] = int(s.won[side]) | int(s.trick_cards)
    s.pips[side] = int(s.pips[side]) + pips(int(s.trick_cards))
    s.tricks_won[winner] += 1
    s.tricks_played += 1
    s.trick_cards = 0
    for seat in range(rules.num_players):
        s.trick[seat] = NO_CARD
    award_points(s, rules)
    leader = winner
    for _ in range(rules.num_players):
        if can_play(s, leader, rules):
            s.turn = leader
            return
        leader = left_of(leader, rules.num_players)
    score_deal(s, rules)
    end_deal(s, rules)
