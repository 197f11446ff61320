"""Cards as bits of one 64-bit word: names, suits, ranks, parsing and printing.

Card id = suit * 13 + rank for suits C D H S and ranks 2..A; 52 is the low joker, 53 the high one. A set of cards is a word
with bit `card` set for each card in it, so union, difference and follow-suit are one operation each.
"""

from __future__ import annotations

import numpy as np

from card_envs.kernels import inlined, rule

NUM_SUITS = 4
NUM_RANKS = 13
LOW_JOKER = 52
HIGH_JOKER = 53
NUM_CARDS = 54
NO_CARD = -1
NO_SUIT = -1

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CARD_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS) + ("LJ", "HJ")

SUIT_CARDS = (1 << NUM_RANKS) - 1
EVERY_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39  # one bit at the lowest rank of each suit
TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12

SUIT_SYMBOLS = dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))

_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_H01 = np.uint64(0x0101010101010101)
_U1, _U2, _U4, _U56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@rule
def count(cards):
    """Number of cards in a word. The shift-and-add form is what LLVM turns into one popcnt instruction."""
    x = np.uint64(np.int64(cards))  # by way of int64: a word with its top bit set is negative
    x = x - ((x >> _U1) & _M1)
    x = (x & _M2) + ((x >> _U2) & _M2)
    x = (x + (x >> _U4)) & _M4
    return np.int64((x * _H01) >> _U56)


@inlined
def suit_of(card):
    """Suit 0..3 of a natural card."""
    return card // NUM_RANKS


@inlined
def suit_cards(suit):
    """The thirteen cards of a suit."""
    return SUIT_CARDS << (NUM_RANKS * suit)


@inlined
def rank_cards(rank):
    """The four cards of a rank."""
    return EVERY_SUIT << rank


@inlined
def lowest(cards):
    """Lowest card id in a word that is not empty."""
    return count((cards & -cards) - 1)


@rule
def highest(cards):
    """Highest card id in a word that is not empty."""
    for shift in (1, 2, 4, 8, 16, 32):
        cards = cards | cards >> shift
    return count(cards) - 1


def short_deck(suits: int, ranks: int) -> int:
    """The first `suits` suits, the highest `ranks` ranks of each: tiny decks for exact methods."""
    top = SUIT_CARDS & ~((1 << (NUM_RANKS - ranks)) - 1)
    return sum(top << (NUM_RANKS * suit) for suit in range(suits))


def parse_card(text: str) -> int:
    """Card id of `AS`, `10h`, `TH`, `♠A`, `LJ`; raises ValueError for anything else."""
    shown = text.strip()
    letters = "".join(SUIT_SYMBOLS.get(letter, letter) for letter in shown.replace("\ufe0f", "")).upper().replace("10", "T")
    if letters in CARD_NAMES:
        return CARD_NAMES.index(letters)
    if letters[::-1] in CARD_NAMES and letters[0] in SUITS:
        return CARD_NAMES.index(letters[::-1])
    raise ValueError(f"{shown!r} is not a card: write rank and suit, such as AS, TH or 10H, or LJ and HJ for the jokers")


def parse_cards(text: str) -> list[int]:
    """Card ids of a hand written as `AS KS 7S`; raises ValueError that names the word that is no card."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def card_list(cards: int) -> list[int]:
    """Ids of the cards in a word, lowest first."""
    return [card for card in range(NUM_CARDS) if int(cards) >> card & 1]


def card_word(cards) -> int:
    """The word that holds these card ids."""
    word = 0
    for card in cards:
        word |= 1 << int(card)
    return word


def hand_text(cards: int) -> str:
    """A hand as players sort it: spades first, high cards first."""
    return " ".join(CARD_NAMES[card] for card in reversed(card_list(cards)))
