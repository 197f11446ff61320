"""How the expert bids: nil by the odds that it gets through, tricks by counting them.

Hundredths of a trick, and hundredths of the logarithm of odds. `w` is a row of the expert's weights.
"""

from __future__ import annotations

from card_envs.cards import ACE, JACK, NUM_RANKS, SUIT_CARDS, count, lowest, suit_cards
from card_envs.games.spades.bot import NIL_CARDS, best_trump, is_allowed, is_nil_hand, nearest_bid, promise
from card_envs.games.spades.rules import BID_0, NIL_MINUS, SPADES, SUICIDE, TEN_X_BID, TRUMP_HIGH_BIDDER
from card_envs.games.spades.scoring import NIL, NO_BID
from card_envs.games.spades.view import bid_by, partner_place, score_of
from card_envs.kernels import rule

SHARE = 100

# Odds of a nil: a logistic fit over 20,000 deals in which a seat bid nil on whatever it held.
NIL_BASE, NIL_TRUMP, NIL_RANK, NIL_TOP, NIL_LOW, NIL_VOID = 347, 38, 18, 26, 4, 36
NIL_PLAIN = ((2, 11), (5, 16), (8, 20))  # rank without risk, and the price of each rank above it: lowest card, second, third
NIL_UNCOVERED, NIL_FORCED = 60, 100  # dearer beside a partner's nil; cheaper where one of the partners has to bid it

FAR_BEHIND = 200  # points


@rule
def over(cards, suit):
    """What the lowest cards of a plain suit have above those that hardly ever win, each weighed by its place."""
    total = 0
    cards = cards >> (NUM_RANKS * suit) & SUIT_CARDS
    for limit, weight in NIL_PLAIN:
        if cards != 0:
            total += weight * max(lowest(cards) - limit, 0)
            cards = cards & (cards - 1)
    return total


@rule
def nil_odds(hand, rules):
    """How likely nil gets through: the logarithm of the odds, in hundredths."""
    trumps = hand & rules.spade_cards
    if trumps & ~suit_cards(SPADES) != 0 or trumps >> (ACE + NUM_RANKS * SPADES) & 1 == 1:
        return -1000  # what beats the ace of spades wins a trick
    odds = NIL_BASE - NIL_TRUMP * count(trumps)
    rest = trumps
    while rest != 0:
        rank = lowest(rest) - NUM_RANKS * SPADES
        rest = rest & (rest - 1)
        odds -= NIL_RANK * max(rank - NIL_LOW, 0) + NIL_TOP * max(rank - JACK, 0)
    for suit in range(SPADES):
        cards = hand & suit_cards(suit)
        odds -= over(cards, suit) + (NIL_VOID if cards == 0 else 0)
    return odds


@rule
def behind(words, i, at, rules):
    """Points that the side is behind the best other, up to where more risk no longer helps."""
    best = score_of(words, i, at, 1)
    for side in range(2, rules.num_sides):
        best = max(best, score_of(words, i, at, side))
    return max(min(best - score_of(words, i, at, 0), FAR_BEHIND), 0)


@rule
def bids_nil(words, i, at, rules, hand, worth, w):
    """Is nil worth more than a bid of so many hundredths of a trick?"""
    if rules.trump == TRUMP_HIGH_BIDDER or count(hand) > NIL_CARDS:
        return is_nil_hand(hand, rules)
    bar = w.nil_bar - behind(words, i, at, rules) // 10
    if rules.nil_fail == NIL_MINUS:
        bar += 2 * worth * (10 if rules.trick_score == TEN_X_BID else 1) // max(1, rules.nil)
    else:
        bar -= 300
    partner = partner_place(rules)
    if partner != 0 and bid_by(words, i, at, partner) == NIL:
        bar += NIL_UNCOVERED
    if rules.bid_restriction == SUICIDE:
        bar -= NIL_FORCED
    return nil_odds(hand, rules) >= bar


@rule
def room(words, i, at, rules):
    """Tricks, in hundredths, that the bids so far fall short of their fair share."""
    spare = 0
    for place in range(1, rules.num_players):
        if bid_by(words, i, at, place) > NO_BID:
            spare += SHARE * rules.cards_each // rules.num_players - SHARE * bid_by(words, i, at, place)
    return spare


@rule
def bid(words, i, at, rules, hand, legal, w):
    """Nil on a hand that hardly wins, else the counted tricks."""
    worth = promise(hand, best_trump(hand, rules), rules) * (14 - rules.num_players) // 10
    if is_allowed(legal, i, BID_0) and bids_nil(words, i, at, rules, hand, worth, w):
        return BID_0
    worth = worth * w.bid_scale // SHARE + w.bid_add + w.room * room(words, i, at, rules) // SHARE
    worth -= w.crowd * (rules.num_players - 4) + w.extra * (count(rules.spade_cards & rules.deck_cards) - NUM_RANKS)
    tricks = worth // SHARE
    return nearest_bid(legal, i, max(1, min(tricks, rules.highest_bid)))
