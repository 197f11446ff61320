"""The expert: it bids nil by a counted risk and tricks by a counted hand, and weighs every card by who may win the trick with
it, by what that trick is worth to each seat, and by what the card would be worth later.

Chances are per mille, values tenths of a point. The numbers were measured on duplicate deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from card_envs.cards import NO_CARD, NUM_RANKS, count, lowest, suit_of
from card_envs.games.spades.bot import (
    best_trump,
    gift,
    is_allowed,
    trick_is_empty,
)
from card_envs.games.spades.expert_bid import SHARE, bid
from card_envs.games.spades.play import BIDDING, BLIND, GIVING, NAMING
from card_envs.games.spades.rules import (
    BLIND_NIL,
    BY_TEAM,
    FAIL_MINUS_TEN_X,
    LOOK,
    NAME_C,
    NIL_MINUS,
    NIL_TRICKS_HELP,
    OVERTRICKS,
    TEN_BID,
    TEN_POINTS,
    TEN_X_BID,
    UNDERTRICKS,
)
from card_envs.games.spades.scoring import NIL
from card_envs.games.spades.view import (
    LEADER,
    WINNING,
    bags_of,
    bid_blind,
    bid_by,
    given_by_viewer,
    hand_of,
    held_by,
    is_partner,
    is_void,
    partner_place,
    phase_of,
    place_of,
    played_by,
    suit_of_lead,
    trick_card,
    tricks_played,
    tricks_won,
    trump_of,
    trumps_of,
    value_of,
)
from card_envs.kernels import JIT, rule

SURE = 1000
POINT = 10


def weights(columns: str, *rows: tuple[int, ...]) -> np.ndarray:
    """A table of named integers for kernels."""
    table = np.array(list(rows), [(name, "i8") for name in columns.split()])
    return table if JIT else table.view(np.recarray)


# Bids: percent of the counted tricks, hundredths of a trick on top, for each trick that the bids so far leave over, and off for
# each player above four (crowd) and each spade above thirteen (extra); what the odds of a nil have to exceed.
# Worth: a trick that a bid lacks, in percent of the worth of the bid and in tenths of a point, and percent of a bag's share of
# the penalty. How readily others beat their partner, a nil, and else with their bid made or short of it. A card kept, by the
# cards above it; what a nil has to fear; percent of a partner's nil that makes high cards dearer. In single deals bags cost
# nothing, so that what they weigh was set by hand.
LITERAL, LITERAL_SOLO, TENS, TENS_SOLO = range(4)
WEIGHTS = weights(
    """bid_scale bid_add room need need_flat bag on_partner on_nil made short
       trump_top trump_step trump_least plain_top plain_step plain_length danger cover
       nil_bar crowd extra""",
    (100, 85, 0, 50, 0, 50, 150, 400, 600, 900, 600, 200, 100, 400, 300, 30, 25, 10, 0, 25, 25),
    (100, 70, 0, 50, 0, 50, 150, 600, 450, 900, 600, 200, 100, 600, 300, 30, 25, 10, 0, 25, 25),
    (100, 70, 0, 75, 0, 50, 250, 400, 450, 900, 800, 200, 100, 300, 300, 30, 10, 2, 0, 25, 25),
    (108, 70, 8, 50, 100, 30, 150, 400, 450, 900, 800, 200, 100, 400, 300, 30, 10, 10, 70, 70, 25),
)


@rule
def kind_of(rules):
    """The row of WEIGHTS."""
    return (TENS if rules.failed_bid == FAIL_MINUS_TEN_X else LITERAL) + int(rules.num_sides == rules.num_players)


# --- counting ----------------------------------------------------------------------------------------------------------------


@rule
def absent(cards, held, hidden):
    """Chance that none of `cards` given cards is among `held` of `hidden` cards."""
    chance = SURE
    for drawn in range(min(cards, hidden)):
        chance = chance * max(0, hidden - held - drawn) // (hidden - drawn)
    return chance


@rule
def stronger(card, among, trumps, rules):
    """How many cards of `among`, all of its suit, beat the card."""
    over = 0
    value = value_of(card, trumps, rules)
    while among != 0:
        over += int(value_of(lowest(among), trumps, rules) > value)
        among = among & (among - 1)
    return over


@rule
def is_nil_alive(words, i, at, place):
    """Has that seat bid nil, and won no trick so far?"""
    return bid_by(words, i, at, place) == NIL and tricks_won(words, i, at, place) == 0


class Sight(NamedTuple):
    """What the expert has counted before it weighs its cards."""

    trump: int
    trumps: int  # the cards of that suit
    unseen: int  # cards of the deck neither held nor played
    hidden: int  # how many those are
    led: int  # the cards that follow suit; 0 when leading
    best: int  # the card that is winning, or NO_CARD
    best_place: int
    worth: tuple  # of the trick, if the seat at a place wins it: to the viewer's side


@rule
def look(words, i, at, rules, hand, w):
    trump = trump_of(words, i, at)
    trumps = trumps_of(trump, rules)
    seen = hand
    for place in range(rules.num_players):
        seen = seen | played_by(words, i, at, place)
    unseen = rules.deck_cards & ~seen
    led, best, best_place = 0, NO_CARD, 0
    if not trick_is_empty(words, i, at, rules):
        best_place = place_of(words, i, at, rules, WINNING)
        best = trick_card(words, i, at, best_place)
        led = suit_of_lead(trick_card(words, i, at, place_of(words, i, at, rules, LEADER)), trumps)
    worth = (
        worth_of(words, i, at, rules, 0, w),
        worth_of(words, i, at, rules, 1, w),
        worth_of(words, i, at, rules, 2, w),
        worth_of(words, i, at, rules, 3, w),
        worth_of(words, i, at, rules, 4, w),
        worth_of(words, i, at, rules, 5, w),
    )
    return Sight(trump, trumps, unseen, count(unseen), led, best, best_place, worth)


# --- what a trick is worth ---------------------------------------------------------------------------------------------------


@rule
def worth_of(words, i, at, rules, place, w):
    """What it is worth to the viewer's side that the seat at that place wins the trick."""
    if place >= rules.num_players:
        return 0
    gain = gain_of(words, i, at, rules, place, w)
    return gain if is_partner(place, rules) else -gain // (rules.num_sides - 1)


@rule
def gain_of(words, i, at, rules, place, w):
    """What one more trick of that seat brings its side."""
    helps = rules.failed_nil_tricks == NIL_TRICKS_HELP
    if bid_by(words, i, at, place) == NIL:
        if tricks_won(words, i, at, place) == 0:
            value = rules.blind_nil if bid_blind(words, i, at, place) else rules.nil
            return -POINT * value * (2 if rules.nil_fail == NIL_MINUS else 1)
        if not helps:
            return bag_value(rules, w)
    bid, won = max(bid_by(words, i, at, place), 0), tricks_won(words, i, at, place)
    if rules.contract_scope == BY_TEAM:
        for other in range(place + rules.num_sides, place + rules.num_players, rules.num_sides):
            seat = other % rules.num_players
            if bid_by(words, i, at, seat) > NIL or helps:
                bid, won = bid + max(bid_by(words, i, at, seat), 0), won + tricks_won(words, i, at, seat)
    short, left = bid - won, rules.cards_each - tricks_played(words, i, at)
    if short <= 0:
        return bag_value(rules, w)
    if rules.failed_bid == FAIL_MINUS_TEN_X:
        if short > left:
            return 0
        swing = 2 * TEN_POINTS if rules.ten_for_200 and bid == TEN_BID else 20 * bid
        return POINT * swing * w.need // SHARE // (1 + left - short) + w.need_flat
    return POINT * (10 if rules.trick_score == TEN_X_BID else 1) + undertrick_cost(words, i, at, rules, place)


@rule
def undertrick_cost(words, i, at, rules, place):
    if rules.bag_source != UNDERTRICKS:
        return 0
    return POINT if bags_of(words, i, at, place % rules.num_sides) < rules.bag_limit else 10 * POINT


@rule
def bag_value(rules, w):
    """What an overtrick is worth: its point, less its share of the penalty to come."""
    value = POINT * rules.overtrick_points
    if rules.bag_source == OVERTRICKS:
        value -= POINT * rules.bag_penalty // rules.bag_limit * w.bag // SHARE
    return value


# --- who wins the trick ------------------------------------------------------------------------------------------------------


@rule
def pool(words, i, at, rules, sight, suit):
    """Hidden cards that may be of the suit: not those of seats that have shown void."""
    hidden = sight.hidden
    for place in range(1, rules.num_players):
        if is_void(words, i, at, place, suit):
            hidden -= held_by(words, i, at, rules, place)
    return max(hidden, 1)


@rule
def chance_over(words, i, at, rules, sight, place, led, card):
    """Chance that the seat can, or if it is nil must, beat the card that is winning."""
    led_is_trump = led & sight.trumps != 0
    led_suit = sight.trump if led_is_trump else suit_of(lowest(led))
    card_is_trump = sight.trumps >> card & 1 == 1
    held = held_by(words, i, at, rules, place)
    unseen_led = led & sight.unseen
    over, none = 0, SURE
    nil = is_nil_alive(words, i, at, place)
    if not is_void(words, i, at, place, led_suit):
        hidden = pool(words, i, at, rules, sight, led_suit)
        none = absent(count(unseen_led), held, hidden)
        if led_is_trump or not card_is_trump:
            higher = stronger(card, unseen_led, sight.trumps, rules)
            over = SURE - absent(higher, held, hidden)
            if nil:
                over = over * absent(count(unseen_led) - higher, held, hidden) // SURE
    if nil or led_is_trump or is_void(words, i, at, place, sight.trump):
        return over
    trumps = sight.trumps & sight.unseen
    higher = stronger(card, trumps, sight.trumps, rules) if card_is_trump else count(trumps)
    return over + none * (SURE - absent(higher, held, pool(words, i, at, rules, sight, sight.trump))) // SURE


@rule
def eagerness(words, i, at, rules, sight, place, best_place, w):
    """How likely that seat is to beat the winning seat if it can."""
    same_side = (place - best_place) % rules.num_sides == 0
    nil_wins = is_nil_alive(words, i, at, best_place)
    if is_nil_alive(words, i, at, place):
        return SURE
    if same_side:
        return SURE if nil_wins else w.on_partner
    if nil_wins:
        return w.on_nil
    wants = sight.worth[place] if is_partner(place, rules) else -sight.worth[place]
    return w.short if wants > 0 else w.made


@rule
def trick_value(words, i, at, rules, sight, card, w):
    """Expected worth of the trick, thousandfold, if this card is played."""
    best, best_place, led = sight.best, sight.best_place, sight.led
    if led == 0:
        led = suit_of_lead(card, sight.trumps)
    if best == NO_CARD or ((led | sight.trumps) >> card & 1 == 1 and beats(card, best, sight, rules)):
        best, best_place = card, 0
    stays, total, weighted = SURE, 0, 0
    for place in range(1, rules.num_players):
        if trick_card(words, i, at, place) == NO_CARD:
            over = chance_over(words, i, at, rules, sight, place, led, best)
            over = over * eagerness(words, i, at, rules, sight, place, best_place, w) // SURE
            stays = stays * (SURE - over) // SURE
            total += over
            weighted += over * sight.worth[place]
    value = stays * sight.worth[best_place]
    return value + (SURE - stays) * weighted // total if total > 0 else value


@rule
def beats(card, best, sight, rules):
    """Does a card, which follows suit or is a trump, beat the best one?"""
    return value_of(card, sight.trumps, rules) > value_of(best, sight.trumps, rules)


# --- what a card is worth later ----------------------------------------------------------------------------------------------


@rule
def kept_chance(rules, sight, hand, card, w):
    """Chance, roughly, that a card wins a trick later."""
    suit = suit_of_lead(card, sight.trumps)
    higher = stronger(card, suit & sight.unseen, sight.trumps, rules)
    if sight.trumps >> card & 1 == 1:
        return max(w.trump_top - w.trump_step * higher, w.trump_least)
    length = count(suit & hand)
    return max(w.plain_top - w.plain_step * higher, 0) * max(SURE - w.plain_length * length, 0) // SURE


@rule
def danger(rules, sight, hand, card):
    """Chance, roughly, that a nil bidder is made to win with a card: by the cards below it, less so in a long suit."""
    suit = suit_of_lead(card, sight.trumps)
    unseen = suit & sight.unseen
    higher = stronger(card, unseen, sight.trumps, rules)
    lower = count(unseen) - higher
    risk = SURE * lower // max(1, count(unseen))
    return risk * 2 // (1 + count(suit & hand)) + (200 if sight.trumps >> card & 1 == 1 else 0)


@rule
def future(words, i, at, rules, sight, hand, card, w):
    """Worth, thousandfold, of keeping the card."""
    if is_nil_alive(words, i, at, 0):
        return sight.worth[0] * danger(rules, sight, hand, card) * w.danger // SHARE
    desire = sight.worth[0] - sight.worth[1]
    partner = partner_place(rules)
    if partner != 0 and is_nil_alive(words, i, at, partner):
        desire -= sight.worth[partner] * w.cover // SHARE
    return desire * kept_chance(rules, sight, hand, card, w)


@rule
def best_to_play(words, i, at, rules, cards, w):
    """The card of most value."""
    hand = hand_of(words, i, at)
    sight = look(words, i, at, rules, hand, w)
    left = count(hand)
    chosen, most = NO_CARD, 0
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        value = trick_value(words, i, at, rules, sight, card, w)
        if left > 1:
            value -= future(words, i, at, rules, sight, hand, card, w)
        value += card % NUM_RANKS * (1 if is_nil_alive(words, i, at, 0) else -1)  # of equals a nil keeps the lower card
        if chosen == NO_CARD or value > most:
            chosen, most = card, value
    return chosen


# --- deciding -----------------------------------------------------------------------------------------------------------------


@rule
def decide(words, i, at, rules, legal, table):
    """A legal action under a given table of weights."""
    w = table[kind_of(rules)]
    phase = phase_of(words, i, at)
    hand = hand_of(words, i, at)
    if phase == BLIND:
        return BLIND_NIL if rules.nil_fail != NIL_MINUS and is_allowed(legal, i, BLIND_NIL) else LOOK
    if phase == BIDDING:
        return bid(words, i, at, rules, hand, legal, w)
    if phase == NAMING:
        return NAME_C + best_trump(hand, rules)
    if phase == GIVING:
        return gift(words, i, at, rules, hand & ~given_by_viewer(words, i, at))
    return best_to_play(words, i, at, rules, int(legal[i, 0]), w)


@rule
def expert(words, i, at, rules, legal):
    """A player who counts cards, chances and points."""
    return decide(words, i, at, rules, legal, WEIGHTS)
