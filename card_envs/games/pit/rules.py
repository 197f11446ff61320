"""Pit: a trick-taking game in which the high bidder, for the tricks he bid, gets rid of cards; the first without any wins.

These cards are a count, the burden: a contract made sheds one for each trick, a contract lost draws more from the pit.

Actions (ids are fixed; an id without a name is never legal):

| id | action |
| --- | --- |
| 0..53 | play that card (suit * 13 + rank, suits C D H S; jokers are never in the deck) |
| 54 | `pass` |
| 55..57 | `bid 3` .. `bid 5`: that many tricks |
| 58..60 | `bid 3 alone` .. `bid 5 alone` |
| 61, 62 | `bid 1`, `bid 2`, for tiny decks |
| 64, 65 | `bid 1 alone`, `bid 2 alone`, for tiny decks |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from card_envs.cards import short_deck
from card_envs.game import OptionError, check_options, option

MAX_PLAYERS = 6
MAX_LEVEL = 5  # the highest bid that there is an action for
SMALL_TABLE, LARGE_TABLE_HAND, SMALL_TABLE_HAND = 4, 6, 7
POINTS_ALONE = 2  # for each trick of a contract made alone

PASS = 54
BID = {3: 55, 4: 56, 5: 57, 1: 61, 2: 62}
BID_ALONE = {3: 58, 4: 59, 5: 60, 1: 64, 2: 65}

# What all may see of a seat is kept at the table as one word, `shown`, which the observation copies. Its pieces start at bit:
TRICK_RANK, TRICK_SUIT, VOID, LEVEL_BID, ALONE, PASSED, TRICKS_WON = 0, 13, 17, 21, 26, 27, 28

# Options with texts reach kernels as the text's place in its Literal.
REDEAL, GROW = range(2)
BY_TRICK, BY_CARD, FIRST_CONTRACT = range(3)
BANK_GAME, BANK_ROUND, BANK_UNLIMITED = range(3)
EACH_ROUND, ONCE = range(2)
FORCED_NEXT, FORCED_NOW = range(2)
ALONE_ALL_LOST, ALONE_SHORTFALL = range(2)
LAPSES, PENALISED = range(2)
SHORTFALL, ALL_LOST = range(2)
PLAY_ALL, PLAY_DECIDED = range(2)
FOR_SHED, FOR_POINTS = range(2)
POINTS_SEED, POINTS_ROUND_WIN, POINTS_DISCARDS = range(3)


@dataclass(frozen=True)
class PitRules:
    """The options of Pit; ids are those of the numbered rules."""

    num_players: int = option(4, "players at the table", "P2", 3, MAX_PLAYERS)
    suits: int = option(4, "suits in the deck, from clubs up: fewer make a tiny deck", "P3", 1, 4)
    ranks: int = option(13, "ranks of each suit, from the ace down", "P3", 1, 13)
    hand_size: int = option(0, "cards dealt to each player, and tricks of a round; 0: 7, with 5 or 6 players 6", "P4", 0, 13)
    hand_model: Literal["redeal", "grow"] = option(
        "redeal", "a round is dealt hands of the same size, or each player as many cards as his burden, if that is more", "P-A1"
    )
    shed_unit: Literal["trick", "card", "first_contract"] = option(
        "trick", "a contract made sheds a card a trick, every card in the tricks, or the whole burden", "P19 P-A2"
    )
    start_burden: int = option(0, "burden at the start; 0: the hand size", "P-A3", 0, 100)
    pit_bank: Literal["game", "round", "unlimited"] = option(
        "game", "the pit is for the whole match, fresh each round, or without end", "P5 P18 P-A4"
    )
    trump: Literal["each_round", "once"] = option(
        "each_round", "the card turned is trump in its round, or the first one in the whole match", "P6 P-A6"
    )
    min_bid: int = option(3, "lowest bid", "P8 P9", 1, MAX_LEVEL)
    max_bid: int = option(5, "highest bid: it ends the auction", "P8 P-A10", 1, MAX_LEVEL)
    bid_jumps: bool = option(False, "a bid may be any higher number, not just the next one", "P9 P-A8")
    pass_reentry: bool = option(False, "who has passed without a bid may come in when the turn comes round again", "P10b P-A9")
    all_pass: Literal["forced_next", "forced_now"] = option(
        "forced_next",
        "when all pass: the first to speak must bid in the next round, or has the lowest contract at once",
        "P26 P-A11",
    )
    void_rotates_deal: bool = option(False, "the deal moves on after a round in which all passed", "P-A12")
    alone: bool = option(True, "a bid may be made alone", "P22 P-A17")
    alone_set: Literal["all_lost", "shortfall"] = option(
        "all_lost", "an alone contract lost draws for every trick not won, or for those missing to the bid", "P24 P29 P-A15"
    )
    alone_shed: int = option(1, "what an alone contract made sheds, times the usual", "P-A19", 1, 2)
    alone_outbid: Literal["void", "penalised"] = option(
        "void", "an alone bid that is outbid lapses, or its bidder is set as for an alone contract lost", "P24 P-A14"
    )
    set_basis: Literal["shortfall", "all_lost"] = option(
        "shortfall", "a contract lost draws for the tricks missing to the bid, or for every trick not won", "P18 P-A16"
    )
    must_follow: bool = option(True, "the suit led must be followed", "P13 P31 P-A25")
    stop: Literal["all", "decided"] = option(
        "all", "all tricks are played, or the round stops when the contract is made or can no longer be", "P-A18"
    )
    objective: Literal["shed", "points"] = option(
        "shed", "the match goes to who has shed most, or, though it ends as ever, to the most points", "P21 P-A21"
    )
    points_mode: Literal["seed", "round_win", "discards"] = option(
        "seed",
        "points are won as in P27 and P28; the contractor who makes it adds his bid; or the cards that he sheds",
        "P27 P28 P32",
    )
    points_target: int = option(0, "points that end the match, and then most points win it; 0: none do", "P32", 0, 200)
    max_rounds: int = option(200, "rounds, void ones too, after which a match is cut off", "P-A21", 1, 10_000)

    DERIVED = ("num_sides", "deck_cards", "num_tricks", "first_burden", "first_bank", "by_points")

    def __post_init__(self):
        check_options(self)
        cards, dealt = self.suits * self.ranks, self.num_players * self.num_tricks
        if dealt >= cards:
            raise OptionError(
                f"{self.num_players} hands of {self.num_tricks} and the card turned for trump are {dealt + 1} cards, "
                f"the deck has {cards}"
            )
        if self.min_bid > self.max_bid:
            raise OptionError(f"min_bid={self.min_bid} lies above max_bid={self.max_bid}")
        if self.max_bid > self.num_tricks:
            raise OptionError(f"max_bid={self.max_bid}: only {self.num_tricks} tricks are played")
        if self.hand_model == "grow" and self.num_players * self.first_burden >= cards:
            raise OptionError(f"hand_model='grow': {self.num_players} hands of {self.first_burden} leave no card for trump")
        self._refuse_without_effect()

    def _refuse_without_effect(self):
        """Options that only matter beside another."""
        idle = {
            "alone=True": (not self.alone, ("alone_set", "alone_shed", "alone_outbid")),
            "hand_model='redeal'": (self.hand_model == "grow", ("pit_bank",)),
            "all_pass='forced_next'": (self.all_pass == "forced_now", ("void_rotates_deal",)),
        }
        for needed, (lacking, names) in idle.items():
            for name in names:
                if lacking and getattr(self, name) != type(self).__dataclass_fields__[name].default:
                    raise OptionError(f"{name}={getattr(self, name)!r} has no effect without {needed}")

    @property
    def num_sides(self) -> int:
        """Each plays for himself."""
        return self.num_players

    @property
    def deck_cards(self) -> int:
        return short_deck(self.suits, self.ranks)

    @property
    def num_tricks(self) -> int:
        """Tricks of a round: the cards that everybody is dealt at least."""
        return self.hand_size or (SMALL_TABLE_HAND if self.num_players <= SMALL_TABLE else LARGE_TABLE_HAND)

    @property
    def first_burden(self) -> int:
        return self.start_burden or self.num_tricks

    @property
    def first_bank(self) -> int:
        """Cards in the pit that can be drawn: with growing hands the one turned for trump is not."""
        cards = self.suits * self.ranks - self.num_players * self.num_tricks
        if self.hand_model == "grow":
            return cards - 1 - self.num_players * max(0, self.first_burden - self.num_tricks)
        return cards

    @property
    def by_points(self) -> bool:
        """Do most points win?"""
        return self.objective == "points" or self.points_target > 0

    @property
    def max_actions(self) -> int:
        """Upper bound on the actions of one deal: the calls, and every card.

        Where passes are final, all but one seat pass once, and the last bid ends the auction without a pass; where they need
        not be, every bid can have a pass of each other seat before it.
        """
        levels = self.max_bid - self.min_bid + 1
        calls = levels * self.num_players if self.pass_reentry else self.num_players + max(0, levels - 2)
        return calls + self.num_players * self.num_tricks

    @property
    def worst_deal(self) -> int:
        """No seat falls further behind the best other one in a single deal."""
        if self.by_points:
            return POINTS_ALONE * self.num_tricks + max(self.max_bid, self._most_shed)
        return max(self._most_shed, self.num_tricks)

    @property
    def _most_shed(self) -> int:
        """What one contract can shed at most."""
        if self.shed_unit == "first_contract":
            return self.first_burden + self.num_tricks * self.max_rounds
        return self.num_tricks * self.alone_shed * (self.num_players if self.shed_unit == "card" else 1)


PRESETS = {
    "seed": {},
    "seed_cards": {"shed_unit": "card"},
    "jumps": {"bid_jumps": True},
    "free_play": {"must_follow": False},
    "alone_matters": {"bid_jumps": True, "alone_shed": 2},
    "grow": {"hand_model": "grow", "max_rounds": 60},
    "points": {"objective": "points"},
}


PLAYER_COUNTS = {preset: (3, 4, 5, 6) for preset in PRESETS}


def call_names(rules: PitRules) -> dict[int, str]:
    """{action id: canonical text} of the calls that these rules can ever allow, ids of other rules' calls left out."""
    names = {PASS: "pass"}
    names |= {action: f"bid {level}" for level, action in BID.items()}
    names |= {
        action: f"bid {level} alone" for level, action in BID_ALONE.items() if rules.alone and (level >= 3 or rules.min_bid < 3)
    }
    return dict(sorted(names.items()))
