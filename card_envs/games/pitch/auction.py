"""The auction: what may be called, and what may be named (T7 to T9)."""

from __future__ import annotations

from card_envs.cards import suit_cards
from card_envs.games.pitch.rules import (
    BID_0,
    BID_5,
    DEALER_FORCED,
    MOON,
    NAME_C,
    NUM_POINTS,
    PASS,
    STEAL_ANY,
    STEAL_BELOW_FOUR,
    STEAL_FOUR_ONLY,
)
from card_envs.kernels import inlined, rule


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
    for level in range(lowest_bid, min(rules.max_bid, NUM_POINTS) + 1):
        calls = calls | 1 << (BID_0 + level)
    s.legal[0] = calls
    if rules.max_bid > NUM_POINTS or rules.moon_level > 0:
        s.legal[1] = legal_high_calls(lowest_bid, rules)


@rule
def legal_high_calls(lowest_bid, rules):
    """Bids of five and more, and the moon."""
    calls = int(lowest_bid <= rules.moon_level) << (MOON - 64)
    for level in range(max(lowest_bid, NUM_POINTS + 1), rules.max_bid + 1):
        calls = calls | 1 << (BID_5 - 64 + level - NUM_POINTS - 1)
    return calls


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
def legal_names(hand, rules):
    """Only suits that the pitcher holds: he must be able to lead one (T-A7). With nothing but jokers he can lead any."""
    names = 0
    only_jokers = hand & ~rules.joker_cards == 0
    for suit in range(rules.suits):
        if only_jokers or hand & suit_cards(suit) != 0:
            names = names | 1 << (NAME_C + suit)
    return names


@inlined
def level_of(action, rules):
    """What a call bids; 0 for a pass."""
    if action >= BID_5:
        return action - BID_5 + NUM_POINTS + 1
    return 0 if action == PASS else (rules.moon_level if action == MOON else action - BID_0)
