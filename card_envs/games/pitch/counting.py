"""What a player who counts knows of the cards that he does not see: which are left, and where they may be.

Chances are per mille.
"""

from __future__ import annotations

from typing import NamedTuple

from card_envs.cards import JACK, NO_CARD, NUM_RANKS, count, lowest, suit_cards, suit_of
from card_envs.games.pitch.rules import DRAW_ALL, DRAW_NONE, DRAW_REST, HOLDER, TEN_SET, THREE_WORTH
from card_envs.games.pitch.scoring import pips
from card_envs.games.pitch.trumps import point_cards, strength, trump_cards
from card_envs.games.pitch.view import (
    best_card,
    drawn_by,
    hand_of,
    held_by,
    is_partner,
    is_void,
    pips_of,
    place_of,
    played_by,
    position_of,
    put_aside,
    trick_card,
)
from card_envs.kernels import rule

SURE = 1000
PITCHER_KEPT = 5  # trumps that the pitcher of a game with a draw is thought to have been dealt


# --- sets of cards -----------------------------------------------------------------------------------------------------------


@rule
def higher(card, cards, trumps, trump, rules):
    """Those of `cards` that are of the suit of this one, or trumps as it is, and rank above it."""
    if trumps >> card & 1 == 0 or rules.more_trumps == 0:
        off_suit = trumps & -int(suit_of(card) != trump)
        return cards & suit_cards(suit_of(card)) & ~off_suit & -(1 << (card + 1))
    mine, found, rest = strength(card, trump, rules), 0, cards & trumps
    while rest != 0:
        other = lowest(rest)
        rest = rest & (rest - 1)
        found = found | int(strength(other, trump, rules) > mine) << other
    return found


@rule
def top_trump(trumps, trump, rules):
    """The highest of some trumps."""
    top = lowest(trumps)
    while trumps != 0:
        card = lowest(trumps)
        trumps = trumps & (trumps - 1)
        if strength(card, trump, rules) > strength(top, trump, rules):
            top = card
    return top


@rule
def low_trump(trumps, trump, rules):
    """The lowest of some trumps, if it could be Low: NO_CARD where all are jokers."""
    natural = trumps & ~rules.joker_cards
    if natural == 0:
        return NO_CARD
    low = lowest(natural)
    while natural != 0:
        card = lowest(natural)
        natural = natural & (natural - 1)
        if strength(card, trump, rules) < strength(low, trump, rules):
            low = card
    return low


@rule
def lower(card, trumps, trump, rules):
    """The trumps that would be Low in place of this one."""
    if rules.more_trumps == 0:
        return suit_cards(trump) & ((1 << card) - 1)
    return trumps & ~rules.joker_cards & ~(1 << card) & ~higher(card, trumps, trumps, trump, rules)


@rule
def points_in(cards, trump, rules):
    """Points that lie in these cards for who takes them."""
    if rules.more_points == 0:
        return cards >> (JACK + NUM_RANKS * trump) & 1
    points = count(cards & point_cards(trump, rules))
    if rules.points == TEN_SET:
        ranks = cards >> (NUM_RANKS * trump)
        points += (THREE_WORTH - 1) * (ranks >> 1 & 1) - (ranks & 1) * int(rules.low_to == HOLDER)
    return points


# --- chances -----------------------------------------------------------------------------------------------------------------


@rule
def absent(cards, held, hidden, unit):
    """Chance that none of `cards` given cards is among `held` of `hidden` places, `unit` of which are one card."""
    chance = SURE
    for drawn in range(0, min(unit * cards, hidden), unit):
        chance = chance * max(0, hidden - held - drawn) // (hidden - drawn)
    return chance


class Sight(NamedTuple):
    """What the expert has counted before it weighs its cards."""

    trump: int
    trumps: int
    hand: int
    trick: int  # cards in the trick
    best: int  # the one that is winning, or NO_CARD
    ours: int  # 1: it is its own side's
    after: int  # seats still to act in this trick
    seen: int  # cards held, put aside or played
    unseen: int  # the rest of the deck
    hidden: int  # how many those are
    swing: int  # chance, roughly, that pips can still decide Game
    unit: int  # places for one unseen trump: one, or where cards were drawn as many as were drawn
    loose: int  # the weight of a drawn card among those places
    pool: int  # places where unseen trumps may be ...
    others: int  # ... and how many of them are in hands


@rule
def look(words, i, at, rules, trump):
    hand, trumps = hand_of(words, i, at), trump_cards(trump, rules)
    seen, trick, others = hand | put_aside(words, i, at, rules), 0, 0
    for place in range(rules.num_players):
        seen = seen | played_by(words, i, at, place)
        card = trick_card(words, i, at, rules, place)
        if card != NO_CARD:
            trick = trick | 1 << card
        if place > 0:
            others += held_by(words, i, at, rules, place)
    best, ours = NO_CARD, 0
    if trick != 0:
        best = best_card(words, i, at, rules, trumps, trump)
        ours = int(is_partner(place_of(words, i, at.winning, at, rules), rules))
    unseen = rules.deck_cards & ~seen
    hidden = count(unseen)
    theirs = 0
    for side in range(1, rules.num_sides):
        theirs = max(theirs, pips_of(words, i, at, side))
    ahead = abs(pips_of(words, i, at, 0) - theirs)
    left = pips(hand) + pips(trick) + pips(unseen) * others // max(1, hidden)
    swing = SURE * max(0, left - ahead) // max(1, left)
    after = rules.num_players - 1 - position_of(words, i, at, rules)
    unit, loose, pool = 1, 1, hidden
    if rules.draw != DRAW_NONE:
        unit, loose, pool, others = after_draw(words, i, at, rules, count(unseen & trumps))
    return Sight(trump, trumps, hand, trick, best, ours, after, seen, unseen, hidden, swing, unit, loose, pool, others)


# After a draw everyone knows how many trumps each seat kept; only the cards that it drew may be anything.


@rule
def kept_by(words, i, at, rules, place):
    """Trumps that seat kept and has not played yet. The bidder who takes the rest does not show how many he kept."""
    kept = rules.draw_to - drawn_by(words, i, at, place)
    if rules.draw == DRAW_REST and place_of(words, i, at.pitcher, at, rules) == place:
        kept = PITCHER_KEPT
    return max(0, min(kept - count(played_by(words, i, at, place)), held_by(words, i, at, rules, place)))


@rule
def loose_by(words, i, at, rules, place):
    """Cards drawn that it holds."""
    held = held_by(words, i, at, rules, place) - kept_by(words, i, at, rules, place)
    return min(held, drawn_by(words, i, at, place))


@rule
def after_draw(words, i, at, rules, unseen_trumps):
    """(unit, loose, pool, others) of a Sight: a trump kept fills its place, the others may be among the cards drawn or left."""
    kept, drawn, stock = 0, 0, rules.stock_size - drawn_by(words, i, at, 0)
    for place in range(1, rules.num_players):
        kept += kept_by(words, i, at, rules, place)
        drawn += loose_by(words, i, at, rules, place)
        stock -= drawn_by(words, i, at, place)
    unit = max(1, drawn + (stock if rules.draw == DRAW_ALL else 0))
    loose = max(0, unseen_trumps - kept)
    others = kept * unit + drawn * loose
    return unit, loose, max(1, kept * unit + unit * loose), others


@rule
def cards_by(words, i, at, rules, sight, place, suit):
    """Places for unseen cards of a suit in that hand."""
    if rules.draw == DRAW_NONE:
        return held_by(words, i, at, rules, place)
    loose = loose_by(words, i, at, rules, place)
    return kept_by(words, i, at, rules, place) * sight.unit + loose * sight.loose if suit == sight.trump else loose


@rule
def held_after(words, i, at, rules, sight, suit, partners):
    """Places in the hands still to act, of partners or of foes, that have not shown void of the suit."""
    total = 0
    for place in range(1, sight.after + 1):
        if is_partner(place, rules) == partners and not is_void(words, i, at, place, suit):
            total += cards_by(words, i, at, rules, sight, place, suit)
    return total


@rule
def lacking(cards, held, suit, sight):
    """Chance that none of `cards` unseen cards of a suit lies in `held` places."""
    if suit == sight.trump:
        return absent(cards, held, sight.pool, sight.unit)
    return absent(cards, held, sight.hidden, 1)
