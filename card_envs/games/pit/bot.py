"""Rule bots for Pit, in the kernel language. They read the observation words of their seat and nothing else.

`basic` bids on the winners that it counts in its hand, leads its highest card and wins as cheaply as it can. `expert` weighs
chances (see expert.py).
"""

from __future__ import annotations

from card_envs.cards import ACE, KING, NO_CARD, NUM_RANKS, QUEEN, count, lowest, rank_cards, suit_cards
from card_envs.games.pit.expert import BIDS, PLAYS, decide
from card_envs.games.pit.rules import BANK_UNLIMITED, MAX_LEVEL, PASS, SMALL_TABLE
from card_envs.games.pit.table import BIDDING
from card_envs.games.pit.view import LEADER, WINNING, bank_of, card_with, hand_of, phase_of, trump_of
from card_envs.kernels import rule
from card_envs.tricks import beats

BIDS_BY_LEVEL = (61, 62, 55, 56, 57)  # actions `bid 1` .. `bid 5`
LONG_TRUMPS = 3  # more trumps than these are tricks of their own


@rule
def winners_held(hand, trump):
    """Aces, the king and queen of trump, and trumps beyond the third."""
    trumps = hand & suit_cards(trump)
    tops = trumps & (rank_cards(KING) | rank_cards(QUEEN))
    return count(hand & rank_cards(ACE)) + count(tops) + max(0, count(trumps) - LONG_TRUMPS)


@rule
def call_upto(legal, level):
    """The lowest legal bid, not alone, if it is not above `level`, else a pass; who is forced bids the lowest there is."""
    may_pass = legal >> PASS & 1 == 1
    for bid in range(1, len(BIDS_BY_LEVEL) + 1):
        if legal >> BIDS_BY_LEVEL[bid - 1] & 1 == 1:
            return PASS if may_pass and bid > level else BIDS_BY_LEVEL[bid - 1]
    return PASS


@rule
def extreme(cards, trump, sign):
    """The highest card (sign 1) or the lowest (sign -1) by rank, trumps last."""
    chosen, best = NO_CARD, 0
    while cards != 0:
        card = lowest(cards)
        cards = cards & (cards - 1)
        value = sign * (card % NUM_RANKS) - NUM_RANKS * int(suit_cards(trump) >> card & 1)
        if chosen == NO_CARD or value > best:
            chosen, best = card, value
    return chosen


@rule
def basic_card(words, i, at, rules, cards):
    """Lead the highest card, plain suits first; win as cheaply as possible, else throw the lowest card."""
    trump = trump_of(words, i, at)
    if card_with(words, i, at, rules, LEADER) == NO_CARD:
        return extreme(cards, trump, 1)
    best = card_with(words, i, at, rules, WINNING)
    winners, rest = 0, cards
    while rest != 0:
        card = lowest(rest)
        rest = rest & (rest - 1)
        if beats(card, best, trump):
            winners = winners | 1 << card
    return extreme(winners if winners != 0 else cards, trump, -1)


@rule
def promised(words, i, at, rules):
    """Tricks that the hand promises: a small table leaves one more to who leads. An empty pit makes any bid safe."""
    if rules.pit_bank != BANK_UNLIMITED and bank_of(words, i, at) == 0:
        return MAX_LEVEL
    return winners_held(hand_of(words, i, at), trump_of(words, i, at)) + int(rules.num_players <= SMALL_TABLE)


@rule
def basic(words, i, at, rules, legal):
    """A beginner who counts aces and trumps."""
    allowed = int(legal[i, 0])
    if phase_of(words, i, at) == BIDDING:
        return call_upto(allowed, promised(words, i, at, rules))
    return basic_card(words, i, at, rules, allowed)


@rule
def expert(words, i, at, rules, legal):
    """A player who weighs chances."""
    return decide(words, i, at, rules, legal, BIDS, PLAYS)
