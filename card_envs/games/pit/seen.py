"""What everyone sees of a seat's burden and points and of the deal, as words of the observation: only deals change them.

`rules.at_<piece>` is where a piece lies in its word.
"""

from __future__ import annotations

from card_envs.cards import NUM_RANKS, suit_of
from card_envs.kernels import inlined, rule
from card_envs.layout import unary

TALLY_BITS = 12
MAX_SHOWN = (1 << (TALLY_BITS - 1)) - 1
TALLY_LEVELS = 16
BANK_BITS = 7
ROUNDS_BITS = 15
ROUNDS_LEVELS = 8  # eighths of the rounds that a match can have


@inlined
def number(value):
    """A burden or points, held within what can be shown."""
    return max(-MAX_SHOWN, min(value, MAX_SHOWN)) & ((1 << TALLY_BITS) - 1)


@rule
def see_deal(s, rules):
    """The card turned, trump, the pit and how far the match is; and every seat's tally."""
    upcard, rounds = int(s.upcard), int(s.match_deals)
    suit = suit_of(upcard)
    word = 1 << (rules.at_trump_suit + int(s.trump)) | 1 << (rules.at_upcard_suit + suit)
    word = word | 1 << (rules.at_upcard_rank + upcard - NUM_RANKS * suit) | int(s.bank) << rules.at_bank
    levels = unary(ROUNDS_LEVELS * rounds // rules.max_rounds, ROUNDS_LEVELS)
    s.deal_word = word | rounds << rules.at_rounds | levels << rules.at_rounds_level
    for seat in range(rules.num_players):
        burden, points = int(s.score[seat]), int(s.points[seat])
        word = number(burden) << rules.at_score | unary(burden, TALLY_LEVELS) << rules.at_score_level
        s.tally[seat] = word | number(points) << rules.at_points | unary(points, TALLY_LEVELS) << rules.at_points_level
