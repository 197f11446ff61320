"""How the expert bids: the points that its side can expect as bidder, and what each level takes.

Hundredths of a point; `b` is a row of the expert's table BIDS.
"""

from __future__ import annotations

from card_envs.cards import (
    ACE,
    JACK,
    KING,
    NO_SUIT,
    NUM_RANKS,
    NUM_SUITS,
    QUEEN,
    TEN,
    count,
    highest,
    lowest,
    rank_cards,
    suit_cards,
)
from card_envs.games.pitch.counting import SURE, absent, higher, low_trump, lower, top_trump
from card_envs.games.pitch.rules import (
    DEALER_FORCED,
    DRAW_ALL,
    DRAW_NONE,
    DRAW_REST,
    HOLDER,
    MOON,
    NO_SEAT,
    NUM_POINTS,
    PASS,
    TEN_SET,
    THREE_WORTH,
    WHOLE_GAME,
)
from card_envs.games.pitch.rules import bid_action as number_bid
from card_envs.games.pitch.seen import NEEDS_LEVELS
from card_envs.games.pitch.trumps import point_cards, trump_cards
from card_envs.games.pitch.view import RANK_FLAGS, is_below_zero, is_partner, needs_of, place_of, position_of
from card_envs.kernels import inlined, rule

NEARLY_OUT = 2  # points short of the target, of each four in a deal

bid_action = inlined(number_bid)


@rule
def in_play(rules):
    """How many of the cards that a bidder does not hold come into others' hands or his own."""
    hidden = count(rules.deck_cards) - rules.hand_size
    others = (rules.num_players - 1) * rules.hand_size
    if rules.draw == DRAW_REST:
        return hidden
    return min(hidden, others + (rules.num_players * rules.draw_to // 2 if rules.draw == DRAW_ALL else rules.kitty))


@rule
def promise(hand, suit, rules, b):
    """Points that the bidder's side can expect with this suit as trump."""
    if rules.points == TEN_SET:
        return promise_of_ten(hand, suit, rules, b)
    own = hand & suit_cards(suit)
    held = own >> (NUM_RANKS * suit) & RANK_FLAGS
    hidden = count(rules.deck_cards) - rules.hand_size
    if rules.more_trumps == 0:
        over = count(rules.deck_cards & suit_cards(suit) & -(1 << (highest(own) + 1)))
        under = count(rules.deck_cards & suit_cards(suit) & ((1 << lowest(own)) - 1))
    else:
        trumps = trump_cards(suit, rules) & rules.deck_cards
        own = hand & trumps
        over = count(higher(top_trump(own, suit, rules), trumps, trumps, suit, rules))
        under = count(lower(low_trump(own, suit, rules), trumps, suit, rules))
    others = in_play(rules)
    high, low = absent(over, others, hidden, 1), absent(under, others, hidden, 1)
    jack, tops = held >> JACK & 1, count(held >> (JACK + 1))
    value = b.start + b.high * high // SURE + b.jack * jack + b.tops * tops + b.guard * tops * jack
    value += b.length * count(own) + b.ten * (held >> TEN & 1)
    if rules.low_to == HOLDER:
        value += b.base_held + b.low_held * low // SURE
    else:
        value += b.low_taken * low // SURE
    if rules.more_trumps != 0:
        value += b.off_jack * count(own & off_jack(suit)) + b.joker * count(own & rules.joker_cards)
    if rules.stock_size > 0:
        value += b.card * (rules.kitty if rules.draw == DRAW_NONE else rules.draw_to - count(own))
    plain = hand & ~own
    value += b.side_ace * count(plain & rank_cards(ACE)) + b.side_king * count(plain & rank_cards(KING))
    return value + b.side_ten * count(plain & rank_cards(TEN))


@inlined
def off_jack(trump):
    """The jack of the other suit of trump's colour."""
    return 1 << (JACK + NUM_RANKS * (NUM_SUITS - 1 - trump))


@rule
def promise_of_ten(hand, suit, rules, b):
    """The same where ten points are played for: most of them must be won, so length and top cards bring in the others'."""
    trumps = trump_cards(suit, rules) & rules.deck_cards
    own = hand & trumps
    held = own >> (NUM_RANKS * suit) & RANK_FLAGS
    value = b.start + b.length * count(own) + b.ace * (held >> ACE & 1) + b.king * (held >> KING & 1)
    value += b.queen * (held >> QUEEN & 1) + b.jack * (held >> JACK & 1) + b.ten * (held >> TEN & 1)
    value += b.trey * (held >> 1 & 1) + b.deuce * (held & 1) + b.joker * count(own & rules.joker_cards)
    if rules.off_jack != 0:
        value += b.off_jack * count(own & off_jack(suit))
    hidden = count(rules.deck_cards) - rules.hand_size
    left = trumps & ~own & point_cards(suit, rules)
    away = count(left) + (THREE_WORTH - 1) * (left >> (1 + NUM_RANKS * suit) & 1)
    return value + b.away * away * in_play(rules) // hidden


@rule
def best_suit(hand, rules, b):
    """The suit to name: the strongest of those held, any with nothing but jokers."""
    best, most = NO_SUIT, 0
    for suit in range(NUM_SUITS):
        if hand & suit_cards(suit) != 0:
            value = promise(hand, suit, rules, b)
            if best == NO_SUIT or value > most:
                best, most = suit, value
    return max(best, 0)


@rule
def call(words, i, at, rules, legal, hand, b):
    """Bid what the hand is worth: the least that is allowed when last, else up to what others would have to beat."""
    suit = best_suit(hand, rules, b)
    value = promise(hand, suit, rules, b) if hand & suit_cards(suit) != 0 else 0
    bidder = place_of(words, i, at.bidder, at, rules)
    is_last = position_of(words, i, at, rules) == rules.num_players - 1
    if bidder != NO_SEAT:
        value += -b.partner if is_partner(bidder, rules) else b.opponent
    if rules.all_pass == DEALER_FORCED:
        value -= b.forced
    if is_last:
        value += b.last
    moon = b.moon
    for side in range(1, rules.num_sides):
        if needs_of(words, i, at, side) <= NEARLY_OUT * rules.num_points // NUM_POINTS:
            value += b.deny
            moon -= b.last_chance * int(needs_of(words, i, at, 0) == NEEDS_LEVELS)
    most = rules.num_points
    if rules.points != TEN_SET:
        most -= count(point_cards(suit, rules) & ~hand)
    helps = rules.moon_made != WHOLE_GAME or not is_below_zero(words, i, at)
    if int(legal[i, 1]) & 1 == 1 and value >= moon and most == rules.num_points and helps:
        return MOON
    return call_worth(legal, i, value, most, is_last, needs_of(words, i, at, 0), rules, b)


@inlined
def price_of(level, b):
    """What a hand must be worth for a bid."""
    if level < NUM_POINTS:
        return b.one if level == 1 else b.two if level == 2 else b.three
    return b.four + b.more * (level - NUM_POINTS)


@rule
def call_worth(legal, i, value, most, is_last, needs, rules, b):
    """The call for a hand of this value. No bid counts on cards that it lacks; one that would win the match is bolder."""
    chosen, lowest_bid = PASS, 0
    for level in range(1, rules.max_bid + 1):
        action = bid_action(level)
        if int(legal[i, action >> 6]) >> (action & 63) & 1 == 1:
            if lowest_bid == 0:
                lowest_bid = level
            price = price_of(level, b)
            if level > lowest_bid:
                price += b.jump
            if needs <= level:
                price -= b.out
            if value >= price and level <= most and not (is_last and level > lowest_bid):
                chosen = action
    if chosen == PASS and int(legal[i, 0]) >> PASS & 1 == 0:
        return bid_action(lowest_bid)
    return chosen
