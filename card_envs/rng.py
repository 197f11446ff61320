"""Randomness that lives in the table: splitmix64 streams, one for each deal.

What is dealt is a function of the seed, the table's index and the deal's index only, so it is the same in every face, batch
size and thread count. Wrap-around arithmetic is done in uint64 throughout: signed overflow is undefined in compiled code.
"""

from __future__ import annotations

import numpy as np

from card_envs.kernels import rule

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # splitmix64 (Steele, Lea, Flood 2014): increment and the two multipliers
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
_U6, _U27, _U30, _U31, _U33 = (np.uint64(shift) for shift in (6, 27, 30, 31, 33))
_CARD_BITS = np.uint64(63)
CARDS_A_DRAW = 10  # six-bit pieces in one 64-bit draw


@rule
def mix(x):
    """The splitmix64 finaliser: uint64 to uint64."""
    z = (x ^ (x >> _U30)) * MIX_1
    z = (z ^ (z >> _U27)) * MIX_2
    return z ^ (z >> _U31)


@rule
def table_key(seed, table):
    """The key of a table's streams, from two integers."""
    return mix(mix(np.uint64(seed) + GOLDEN) + GOLDEN * (np.uint64(table) + np.uint64(1)))


@rule
def stream(key, index):
    """Start of stream `index` of a table."""
    return mix(np.uint64(key) + GOLDEN * (np.uint64(index) + np.uint64(1)))


@rule
def below(key, index, limit):
    """A number 0..limit-1 from its own place of a table's streams (bias below limit / 2**31)."""
    return np.int64(stream(np.uint64(key) ^ MIX_1, index) >> _U33) % limit


@rule
def draw_hand(deck, size, x):
    """`size` different cards from `deck` by rejection on six-bit pieces of the stream; returns (cards, next x)."""
    hand = 0
    left = size
    while left > 0:
        x = x + GOLDEN
        bits = mix(x)
        for _ in range(CARDS_A_DRAW):
            card = np.int64(bits & _CARD_BITS)
            bits = bits >> _U6
            taken = (deck >> card) & 1 & int(left > 0)  # 0 or 1: what cannot be predicted must not branch
            deck = deck ^ taken << card
            hand = hand | taken << card
            left -= taken
    return hand, x
