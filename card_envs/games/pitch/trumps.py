"""What is trump and how trumps rank: the suit named, and where the rules have them the off-jack and the jokers (3.4.10)."""

from __future__ import annotations

from card_envs.cards import JACK, LOW_JOKER, NUM_RANKS, NUM_SUITS, suit_cards, suit_of
from card_envs.games.pitch.rules import LOWEST
from card_envs.kernels import inlined, rule
from card_envs.tricks import beats

# Strength among the trumps: A K Q J off-jack HJ LJ T 9 .. 2, or the jokers below the two.
JOKERS_LOWEST = 0
DEUCE_STRENGTH = 2
JOKERS_ABOVE_TEN = 11
OFF_JACK_STRENGTH = 13
FROM_JACK_UP = 3  # places between ten and jack


@inlined
def off_jack_of(trump):
    """The jack of the same colour: that suit lies opposite in C D H S."""
    return JACK + NUM_RANKS * (NUM_SUITS - 1 - trump)


@inlined
def trump_cards(trump, rules):
    """Every trump once the suit is fixed."""
    return suit_cards(trump) | rules.joker_cards | rules.off_jack << off_jack_of(trump)


@inlined
def point_cards(trump, rules):
    """The trumps that are points by themselves."""
    named = rules.point_ranks << (NUM_RANKS * trump)
    return named | trump_cards(trump, rules) & ~suit_cards(trump)


@inlined
def strength(card, trump, rules):
    """Rank of a trump among the trumps: the higher one wins."""
    if card >= LOW_JOKER:
        return card - LOW_JOKER + (JOKERS_LOWEST if rules.joker_rank == LOWEST else JOKERS_ABOVE_TEN)
    if suit_of(card) != trump:
        return OFF_JACK_STRENGTH
    rank = card - NUM_RANKS * trump
    return rank + DEUCE_STRENGTH + FROM_JACK_UP * int(rank >= JACK)


@inlined
def suit_led(card, trumps, trump):
    """The suit that a lead asks for: trump for every trump."""
    suit = suit_of(card)
    return suit + (trumps >> card & 1) * (trump - suit)


@inlined
def cards_of(suit, trumps, trump):
    """The cards that follow a suit: for trump all trumps, for another its cards that are none."""
    is_trump = -int(suit == trump)
    return trumps & is_trump | suit_cards(suit) & ~trumps & ~is_trump


@inlined
def wins(card, best, trumps, trump, rules):
    """1 if `card`, played later, beats the card that is winning the trick (T18a, T18b)."""
    return wins_as_trump(card, best, trumps, trump, rules) if rules.more_trumps != 0 else beats(card, best, trump)


@rule
def wins_as_trump(card, best, trumps, trump, rules):
    """The same where trumps do not rank as their suit does."""
    if trumps >> card & 1 == 0:
        return int(trumps >> best & 1 == 0 and suit_of(card) == suit_of(best) and card > best)
    if trumps >> best & 1 == 0:
        return 1
    return int(strength(card, trump, rules) > strength(best, trump, rules))
