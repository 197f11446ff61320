"""Pitch: a trick-taking game in which the high bidder names trump and four points are played for.

High, Low and Jack are single trumps, Game is the most pips in the tricks won. A bidder who falls short loses the bid.

Actions (ids are fixed; an id without a name is never legal):

| id | action |
| --- | --- |
| 0..53 | play that card (suit * 13 + rank, suits C D H S; 52, 53 are the jokers) |
| 54 | `pass` |
| 55..58 | `name C`, `name D`, `name H`, `name S`: name trump |
| 59..62 | `bid 1` .. `bid 4` |
| 64 | `moon`: a bid above the highest number, where the rules have it |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from card_envs.cards import SUITS, short_deck
from card_envs.game import MAX_SEATS, OptionError, check_options, option

PASS = 54
NAME_C = 55
BID_0 = 58  # bid n is BID_0 + n
MOON = 64

HIGH, LOW, JACK, GAME = 0, 1, 2, 3  # the four points, in the order in which they are counted out
NUM_POINTS = 4
MOON_POINTS = 5  # what a moon bid wins or loses
NUM_PIP_RANKS = 5  # T J Q K A

# Options with texts reach kernels as the text's place in its Literal.
REDEAL, REDEAL_SAME, DEALER_FORCED, ELDEST_PITCHES = range(4)
STEAL_NONE, STEAL_ANY, STEAL_FOUR_ONLY, STEAL_BELOW_FOUR = range(4)
BY_NAMING, BY_PITCHING = range(2)
FOLLOW_OR_TRUMP, STRICT, TRUMP_ONLY = range(3)
TAKER, HOLDER = range(2)
TIE_NONE, TIE_NON_BIDDER, TIE_DEALER_SIDE = range(3)
EARNED, ONLY_BID = range(2)
MOON_OFF, MOON_BID, MOON_FOUR_POINTS = range(3)
FIVE_POINTS, WHOLE_GAME = range(2)
LOSE_FIVE, LOSE_GAME = range(2)
BIDDER_WINS, HIGHEST_WINS, COUNT_ORDER = range(3)


@dataclass(frozen=True)
class PitchRules:
    """The options of Pitch; ids are those of the numbered rules."""

    num_players: int = option(4, "players at the table", "T3 T-A1", 2, MAX_SEATS)
    teams: Literal["auto", "none", "pairs"] = option(
        "auto", "each for himself, or partners across (4 players: two sides, 6: three); auto: pairs with 4 players", "T2 T3 T22"
    )
    suits: int = option(4, "suits in the deck, from clubs up: fewer make a tiny deck", "", 1, 4)
    ranks: int = option(13, "ranks of each suit, from the ace down", "", 1, 13)
    hand_size: int = option(6, "cards dealt to each player", "T4", 1, 13)
    min_bid: int = option(1, "lowest bid", "T-A2", 1, 4)
    max_bid: int = option(4, "highest bid", "T8", 1, 4)
    dealer_steal: Literal["none", "any", "four_only", "below_four"] = option(
        "none", "may the dealer take the contract at the standing bid?", "T-A4"
    )
    all_pass: Literal["redeal", "redeal_same", "dealer_forced", "eldest_pitches"] = option(
        "redeal", "when all pass: next dealer, same dealer, dealer must bid, or the eldest leads without a bid", "T-A5"
    )
    trump_method: Literal["name", "pitch"] = option("name", "trump is named, or fixed by the first card led", "T9 T15 T-A7")
    follow_rule: Literal["follow_or_trump", "strict", "trump_only"] = option(
        "follow_or_trump", "trump at any time, only when void, or only trumps are played at all", "T17a T17b T-A15"
    )
    low_to: Literal["taker", "holder"] = option("taker", "Low goes to who wins the card, or to who was dealt it", "T-A8")
    game_tie: Literal["none", "non_bidder", "dealer_side"] = option("none", "who gets Game when pips are level", "T14 T-A13")
    made_scores: Literal["earned", "bid"] = option("earned", "a bid made scores the points won, or the bid", "T19 T-A16")
    moon: Literal["off", "bid", "four_points"] = option(
        "off",
        "shooting the moon: a call above the highest bid, or all four points win the match at once",
        "3.4.9",
    )
    moon_made: Literal["five", "game"] = option(
        "five", "a moon bid made scores five, or wins (from below zero: lifts to 0)", "3.4.9"
    )
    moon_failed: Literal["minus_five", "lose_game"] = option(
        "minus_five", "a moon bid failed costs five, or the match", "3.4.9"
    )
    target: int = option(11, "points that win the match", "T23 T-A22", 1, 200)
    tie_rule: Literal["bidder", "highest", "count_order"] = option(
        "bidder",
        "several at the target: bidder or another deal; highest; bidder, else High, Low, Jack, Game in turn",
        "T24 T25 T-A19 T-A20",
    )
    must_bid_to_win: bool = option(False, "only the bidder's side can win the match", "3.4.8")
    redeal_poor_hand: bool = option(False, "deal again while a hand has nothing above a nine", "3.4.15")
    max_hands: int = option(100, "deals after which a match is cut off", "T-A24", 1, 10_000)

    DERIVED = ("num_sides", "deck_cards", "moon_level")

    def __post_init__(self):
        check_options(self)
        if self.teams == "pairs" and self.num_players not in (4, 6):
            raise OptionError(f"teams='pairs' needs 4 or 6 players, not {self.num_players}; teams='none' suits any number")
        dealt, cards = self.num_players * self.hand_size, self.suits * self.ranks
        if dealt > cards:
            raise OptionError(f"{self.num_players} hands of {self.hand_size} are {dealt} cards, the deck has {cards}")
        if self.min_bid > self.max_bid:
            raise OptionError(f"min_bid={self.min_bid} lies above max_bid={self.max_bid}")
        if self.redeal_poor_hand and min(self.ranks, NUM_PIP_RANKS) * self.suits < self.num_players:
            raise OptionError("redeal_poor_hand: this deck has fewer cards above a nine than players")
        for name in ("moon_made", "moon_failed"):
            if self.moon != "bid" and getattr(self, name) != type(self).__dataclass_fields__[name].default:
                raise OptionError(f"{name}={getattr(self, name)!r} has no effect without moon='bid'")

    @property
    def paired(self) -> bool:
        return self.teams == "pairs" or (self.teams == "auto" and self.num_players == 4)

    @property
    def num_sides(self) -> int:
        """Side of a seat = seat % num_sides."""
        return self.num_players // 2 if self.paired else self.num_players

    @property
    def cards_each(self) -> int:
        """Cards dealt to each player."""
        return self.hand_size

    @property
    def deck_cards(self) -> int:
        return short_deck(self.suits, self.ranks)

    @property
    def moon_level(self) -> int:
        """What a moon bid counts as: one more than the highest bid (0: there is no such bid)."""
        return self.max_bid + 1 if self.moon == "bid" else 0

    @property
    def max_actions(self) -> int:
        """Upper bound on the actions of one deal: a call each, naming trump, every card."""
        return self.num_players * (1 + self.hand_size) + 1

    @property
    def worst_deal(self) -> int:
        """No side falls further behind the best other one in a single deal."""
        lost_bid = MOON_POINTS if self.moon == "bid" else self.max_bid
        return lost_bid + NUM_POINTS


PRESETS = {
    "seed": {},
    "setback": {
        "teams": "pairs",
        "min_bid": 2,
        "dealer_steal": "any",
        "all_pass": "dealer_forced",
        "trump_method": "pitch",
    },
    "bicycle": {
        "teams": "none",
        "min_bid": 2,
        "dealer_steal": "below_four",
        "all_pass": "dealer_forced",
        "trump_method": "pitch",
        "low_to": "holder",
        "target": 7,
        "tie_rule": "count_order",
    },
    "smudge": {
        "teams": "none",
        "min_bid": 2,
        "trump_method": "pitch",
        "moon": "four_points",
        "target": 7,
        "tie_rule": "count_order",
    },
}


PLAYER_COUNTS = {
    "seed": (2, 3, 4, 5, 6, 7),
    "setback": (4, 6),
    "bicycle": (2, 3, 4, 5, 6, 7),
    "smudge": (3, 4, 5),
}


def call_names(rules: PitchRules) -> dict[int, str]:
    """{action id: canonical text} of the calls that these rules can ever allow, ids of other rules' calls left out."""
    names = {PASS: "pass"}
    names |= {NAME_C + suit: f"name {letter}" for suit, letter in enumerate(SUITS)}
    names |= {BID_0 + level: f"bid {level}" for level in range(1, NUM_POINTS + 1)}
    if rules.moon == "bid":
        names[MOON] = "moon"
    return names
