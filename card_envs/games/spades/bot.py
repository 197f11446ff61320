"""Rule bots for Spades, in the kernel language. They read the observation words of their seat and nothing else.

`basic` bids the tricks that its honours and long trumps promise, nil on a hand of low cards, and plays to make what it bid.
`expert` weighs chances (see expert.py).
"""

from __future__ import annotations

from card_envs.cards import ACE, KING, NO_CARD, NUM_RANKS, QUEEN, count, lowest, suit_cards
from card_envs.games.spades.play import BIDDING, BLIND, GIVING, NAMING
from card_envs.games.spades.rules import BID_0, GIVE_0, LOOK, MAX_BID, NAME_C, SPADES, TRUMP_HIGH_BIDDER
from card_envs.games.spades.scoring import NIL, NO_SEAT
from card_envs.games.spades.view import (
    LEADER,
    WINNING,
    bid_by,
    given_by_viewer,
    hand_of,
    is_partner,
    partner_place,
    phase_of,
    place_of,
    suit_of_lead,
    trick_card,
    tricks_won,
    trump_of,
    trumps_of,
    value_of,
)
from card_envs.kernels import rule

TRICK = 100  # promises are counted in hundredths of a trick
ROUNDED_UP = 70  # since others bid carefully too
NIL_LIMITS = (5, 8, 10)  # ranks that a nil's lowest, second and third card of a suit do not exceed: 7, T, Q
NIL_TRUMPS = 3
NIL_CARDS = 13  # larger hands hardly ever get through
HIGHEST_NIL_TRUMP = 8  # a ten


# --- bidding -----------------------------------------------------------------------------------------------------------------


@rule
def promise_of_suit(cards, ranks):
    """Hundredths of a trick that a plain suit promises: ace, guarded king, queen twice guarded."""
    length = count(cards)
    promise = 90 * (ranks >> ACE & 1) if length <= 6 else 50 * (ranks >> ACE & 1)
    if 2 <= length <= 5:
        promise += (80 if ranks >> ACE & 1 else 60) * (ranks >> KING & 1)
    if 3 <= length <= 4:
        promise += 20 * (ranks >> QUEEN & 1)
    return promise


@rule
def promise_of_trumps(trumps, ranks, rules):
    """Hundredths of a trick: honours above the ace too, and every trump beyond a fair share of them."""
    length = count(trumps)
    share = count(rules.spade_cards & rules.deck_cards) // rules.num_players
    above = length - count(ranks)  # jokers and high deuces
    promise = TRICK * above + TRICK * (ranks >> ACE & 1)
    if length >= 2:
        promise += 90 * (ranks >> KING & 1)
    if length >= 3:
        promise += 60 * (ranks >> QUEEN & 1)
    long = max(length - share, 0)
    return promise + 80 * long + 20 * max(long - 3, 0)


@rule
def promise(hand, trump, rules):
    """Hundredths of a trick that the hand promises with this trump suit; short suits are worth ruffs to who has trumps."""
    trumps = hand & trumps_of(trump, rules)
    total = promise_of_trumps(trumps, (trumps & suit_cards(trump)) >> (NUM_RANKS * trump), rules)
    for suit in range(4):
        if suit != trump:
            cards = hand & suit_cards(suit) & ~trumps
            total += promise_of_suit(cards, cards >> (NUM_RANKS * suit))
            if count(cards) <= 1 and 1 <= count(trumps) <= 3:
                total += 50 * (2 - count(cards)) // 2
    return total


@rule
def best_trump(hand, rules):
    """The suit that promises most as trump; spades where they always are."""
    best, most = SPADES, promise(hand, SPADES, rules)
    if rules.trump == TRUMP_HIGH_BIDDER:
        for suit in range(SPADES):
            worth = promise(hand, suit, rules)
            if worth > most and hand & suit_cards(suit) != 0:
                best, most = suit, worth
    return best


@rule
def is_nil_hand(hand, rules):
    """Low cards in every suit, and few trumps, none of them high."""
    trumps = hand & rules.spade_cards
    high = trumps & ~(((1 << (HIGHEST_NIL_TRUMP + 1)) - 1) << (NUM_RANKS * SPADES))
    if count(hand) > NIL_CARDS or (rules.trump != TRUMP_HIGH_BIDDER and (count(trumps) > NIL_TRUMPS or high != 0)):
        return False
    for suit in range(4):
        cards = hand & suit_cards(suit) & ~trumps
        for limit in NIL_LIMITS:
            if cards != 0:
                if lowest(cards) - NUM_RANKS * suit > limit:
                    return False
                cards = cards & (cards - 1)
    return True


@rule
def nearest_bid(legal, i, wanted):
    """The legal bid nearest below `wanted`, else nearest above; nil only where nothing else is left."""
    for level in range(wanted, NIL, -1):
        if is_allowed(legal, i, BID_0 + level):
            return BID_0 + level
    for level in range(wanted + 1, MAX_BID + 1):
        if is_allowed(legal, i, BID_0 + level):
            return BID_0 + level
    return BID_0


@rule
def is_allowed(legal, i, action):
    return int(legal[i, action >> 6]) >> (action & 63) & 1 == 1


@rule
def basic_bid(hand, i, rules, legal):
    if is_nil_hand(hand, rules) and is_allowed(legal, i, BID_0):
        return BID_0
    worth = promise(hand, best_trump(hand, rules), rules) * (14 - rules.num_players) // 10  # the more players, the more ruffs
    tricks = (worth + ROUNDED_UP) // TRICK
    return nearest_bid(legal, i, max(1, min(tricks, rules.highest_bid)))


# --- cards -------------------------------------------------------------------------------------------------------------------


@rule
def strongest(cards, trumps, rules):
    """The most powerful card; of plain cards the highest rank."""
    return ranked(cards, trumps, rules, 1)


@rule
def weakest(cards, trumps, rules):
    """The least powerful card, trumps last."""
    return ranked(cards, trumps, rules, -1)


@rule
def ranked(cards, trumps, rules, sign):
    chosen, most = NO_CARD, -1000
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        is_trump = trumps >> card & 1
        power = value_of(card, trumps, rules) if is_trump else card % NUM_RANKS
        if sign * power > most:
            chosen, most = card, sign * power
    return chosen


@rule
def gift(words, i, at, rules, cards):
    """A nil bidder gives its highest cards; its partner gives low ones back."""
    trumps = trumps_of(trump_of(words, i, at), rules)
    return GIVE_0 + (strongest(cards, trumps, rules) if bid_by(words, i, at, 0) == NIL else weakest(cards, trumps, rules))


@rule
def winners_among(cards, words, i, at, rules):
    """Those of the viewer's cards that beat the trick so far; all of them when leading."""
    best_place = place_of(words, i, at, rules, WINNING)
    if trick_is_empty(words, i, at, rules):
        return cards
    leader = place_of(words, i, at, rules, LEADER)
    trumps = trumps_of(trump_of(words, i, at), rules)
    led = suit_of_lead(trick_card(words, i, at, leader), trumps)
    best = value_of(trick_card(words, i, at, best_place), trumps, rules)
    winners, rest = 0, cards & (led | trumps)
    while rest != 0:
        card = lowest(rest)
        rest = rest & (rest - 1)
        if value_of(card, trumps, rules) > best:
            winners = winners | 1 << card
    return winners


@rule
def tricks_short(words, i, at, rules):
    """Tricks that the viewer and its partner still lack to what they have bid."""
    partner = partner_place(rules)
    lacks = max(bid_by(words, i, at, 0), 0) - tricks_won(words, i, at, 0)
    if partner != 0 and bid_by(words, i, at, partner) != NIL:
        lacks += max(bid_by(words, i, at, partner), NIL) - tricks_won(words, i, at, partner)
    return lacks


@rule
def ducking_card(cards, winners, trumps, rules):
    """Lose the trick with as high a card as possible; where that cannot be, the lowest card."""
    losers = cards & ~winners
    return strongest(losers, trumps, rules) if losers != 0 else weakest(cards, trumps, rules)


@rule
def basic_card(words, i, at, rules, cards):
    """Nil bidders duck. Others win, cheaply and not from their partner, until the bid is made, and cover a partner's nil."""
    trumps = trumps_of(trump_of(words, i, at), rules)
    winners = winners_among(cards, words, i, at, rules)
    leads = trick_is_empty(words, i, at, rules)
    if bid_by(words, i, at, 0) == NIL and tricks_won(words, i, at, 0) == 0:
        return weakest(cards, trumps, rules) if leads else ducking_card(cards, winners, trumps, rules)
    wants = tricks_short(words, i, at, rules) > 0
    if leads:
        plain = cards & ~trumps
        return strongest(plain if plain != 0 else cards, trumps, rules) if wants else weakest(cards, trumps, rules)
    best_place = place_of(words, i, at, rules, WINNING)
    partner_wins = best_place > 0 and is_partner(best_place, rules)
    covers = partner_wins and bid_by(words, i, at, best_place) == NIL
    if winners != 0 and (covers or (wants and not partner_wins)):
        return weakest(winners, trumps, rules)
    return weakest(cards, trumps, rules) if wants else ducking_card(cards, winners, trumps, rules)


@rule
def trick_is_empty(words, i, at, rules):
    leader = place_of(words, i, at, rules, LEADER)
    return leader == NO_SEAT or trick_card(words, i, at, leader) == NO_CARD


@rule
def basic(words, i, at, rules, legal):
    """A beginner who counts his tricks."""
    phase = phase_of(words, i, at)
    hand = hand_of(words, i, at)
    if phase == BLIND:
        return LOOK
    if phase == BIDDING:
        return basic_bid(hand, i, rules, legal)
    if phase == NAMING:
        return NAME_C + best_trump(hand, rules)
    if phase == GIVING:
        return gift(words, i, at, rules, hand & ~given_by_viewer(words, i, at))
    return basic_card(words, i, at, rules, int(legal[i, 0]))
