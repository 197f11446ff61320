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
| 65..70 | `bid 5` .. `bid 10`, where there are as many points |
| 71..124 | `discard 2C` .. `discard HJ`: put that card (id - 71) aside, seen by nobody else, where the rules have a kitty or a draw |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from card_envs.cards import ACE, CARD_NAMES, JACK, LOW_JOKER, NUM_CARDS, SUITS, TEN, short_deck
from card_envs.game import MAX_SEATS, OptionError, check_options, option

PASS = 54
NAME_C = 55
BID_0 = 58  # bid n is BID_0 + n
MOON = 64
BID_5 = 65
DISCARD_0 = 71  # discard of a card is DISCARD_0 + its id

# The points, in the order in which they are counted out: the four of every game, then those of more trumps. Where ten points
# are played for (3.4.11), HIGH is the ace, LOW the two and GAME the ten of trump, and the three counts three.
HIGH, LOW, JACK_POINT, GAME, OFF_JACK, HIGH_JOKER_POINT, LOW_JOKER_POINT, THREE = range(8)
NUM_POINTS = 4
NUM_SLOTS = 8
THREE_WORTH = 3
FOUR_SET, TEN_SET = range(2)
DEUCE, TREY = 0, 1  # ranks
NAMED_RANKS = {FOUR_SET: (JACK,), TEN_SET: (ACE, JACK, TEN, TREY, DEUCE)}  # of trump: point cards by themselves

BIDDING, NAMING, PLAYING, DISCARDING = range(1, 5)  # phases
NO_SEAT = NO_SIDE = -1
MOON_POINTS = 5  # what a moon bid wins or loses, or one more than the highest bid where that is more
NUM_PIP_RANKS = 5  # T J Q K A
NUMBERED_BIDS = 10
MAX_ACTIONS = 61  # of the longest deal: seven calls, naming trump, 53 cards played or put aside

# Options with texts reach kernels as the text's place in its Literal.
REDEAL, REDEAL_SAME, DEALER_FORCED, ELDEST_PITCHES = range(4)
STEAL_NONE, STEAL_ANY, STEAL_FOUR_ONLY, STEAL_BELOW_FOUR = range(4)
BY_NAMING, BY_PITCHING = range(2)
FOLLOW_OR_TRUMP, STRICT, TRUMP_ONLY = range(3)
TAKER, HOLDER = range(2)
TIE_NONE, TIE_NON_BIDDER, TIE_DEALER_SIDE = range(3)
EARNED, ONLY_BID = range(2)
MOON_OFF, MOON_BID, MOON_FOUR_POINTS = range(3)
ABOVE_TEN, LOWEST = range(2)
DRAW_NONE, DRAW_ALL, DRAW_REST = range(3)
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
    jokers: int = option(0, "jokers in the deck, which are trumps: LJ, or LJ and HJ", "3.4.10", 0, 2)
    off_jack: bool = option(False, "the other jack of trump's colour is a trump just below the jack", "3.4.10")
    joker_rank: Literal["above_ten", "lowest"] = option(
        "above_ten", "jokers rank between the ten and the (off-)jack, or as the lowest trumps", "3.4.10"
    )
    joker_opens: bool = option(False, "a joker may be led to the first trick", "3.4.10")
    points: Literal["four", "ten"] = option(
        "four",
        "High, Low, Jack, Game, off-jack, each joker; or ace, jack, ten, two, off-jack, each joker, and three for the three",
        "3.4.11",
    )
    min_bid: int = option(1, "lowest bid", "T-A2", 1, NUMBERED_BIDS)
    max_bid: int = option(4, "highest bid", "T8", 1, NUMBERED_BIDS)
    dealer_steal: Literal["none", "any", "four_only", "below_four"] = option(
        "none", "may the dealer take the contract at the standing bid?", "T-A4"
    )
    all_pass: Literal["redeal", "redeal_same", "dealer_forced", "eldest_pitches"] = option(
        "redeal", "when all pass: next dealer, same dealer, dealer must bid, or the eldest leads without a bid", "T-A5"
    )
    trump_method: Literal["name", "pitch"] = option("name", "trump is named, or fixed by the first card led", "T9 T15 T-A7")
    kitty: int = option(0, "cards that the pitcher takes before naming trump, putting as many aside after it", "3.4.13", 0, 4)
    draw: Literal["none", "all", "bidder_rest"] = option(
        "none",
        "once trump is named all throw their other cards and draw; in bidder_rest the bidder takes what is left of the pack",
        "3.4.12 3.4.13",
    )
    draw_to: int = option(6, "cards held after the draw", "3.4.12 3.4.13", 1, 13)
    follow_rule: Literal["follow_or_trump", "strict", "trump_only"] = option(
        "follow_or_trump", "trump at any time, only when void, or only trumps are played at all", "T17a T17b T-A15"
    )
    low_to: Literal["taker", "holder"] = option("taker", "Low goes to who wins the card, or to who held it", "T-A8")
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
        "several at the target: bidder or another deal; highest; bidder, else High, Low, Jack, Game ... in turn",
        "T24 T25 T-A19 T-A20",
    )
    must_bid_to_win: bool = option(False, "only the bidder's side can win the match", "3.4.8")
    redeal_poor_hand: bool = option(False, "deal again while a hand has nothing above a nine", "3.4.15")
    max_hands: int = option(100, "deals after which a match is cut off", "T-A24", 1, 10_000)

    DERIVED = (
        "num_sides", "deck_cards", "moon_level", "moon_points", "joker_cards", "more_trumps", "more_points", "num_points",
        "point_ranks", "stock_size", "is_variant",
    )  # fmt: skip

    def __post_init__(self):
        check_options(self)
        if self.teams == "pairs" and self.num_players not in (4, 6):
            raise OptionError(f"teams='pairs' needs 4 or 6 players, not {self.num_players}; teams='none' suits any number")
        dealt, cards = self.num_players * self.hand_size + self.kitty, self.deck_cards.bit_count()
        if dealt > cards:
            kitty = f" and a kitty of {self.kitty}" if self.kitty else ""
            raise OptionError(f"{self.num_players} hands of {self.hand_size}{kitty} are {dealt} cards, the deck has {cards}")
        if self.min_bid > self.max_bid:
            raise OptionError(f"min_bid={self.min_bid} lies above max_bid={self.max_bid}")
        ten = len(NAMED_RANKS[TEN_SET]) - 1 + THREE_WORTH
        most = (ten if self.points == "ten" else NUM_POINTS) + self.off_jack + self.jokers
        if self.max_bid > most:
            raise OptionError(f"max_bid={self.max_bid}: there are only {most} points to bid for")
        if self.redeal_poor_hand and min(self.ranks, NUM_PIP_RANKS) * self.suits + self.jokers < self.num_players:
            raise OptionError("redeal_poor_hand: this deck has fewer cards above a nine than players")
        self._check_exchange()
        self._refuse_idle(self.moon == "bid", "moon='bid'", "moon_made", "moon_failed")
        self._refuse_idle(self.jokers > 0, "jokers", "joker_rank", "joker_opens")
        self._refuse_idle(self.trump_method == "name", "trump_method='name'", "joker_opens")
        self._refuse_idle(self.draw != "none", "a draw", "draw_to")
        self._refuse_idle(self.points == "four", "points='four'", "game_tie")
        if self.moon == "four_points" and self.points == "ten":
            raise OptionError("moon='four_points' needs High, Low, Jack and Game: points='four'")

    def _check_exchange(self) -> None:
        """A kitty or a draw that can be."""
        if self.kitty and self.draw != "none":
            raise OptionError(f"kitty={self.kitty} and draw={self.draw!r} exclude each other")
        if (self.kitty or self.draw != "none") and self.trump_method != "name":
            raise OptionError("a kitty or a draw needs trump_method='name': trump must be known before cards are put aside")
        if self.draw == "bidder_rest" and self.follow_rule != "trump_only":
            raise OptionError("draw='bidder_rest' needs follow_rule='trump_only': the bidder keeps nothing but trumps")
        if self.draw != "none":
            needed = self.draw_to * (self.num_players - (self.draw == "bidder_rest"))
            if needed > self.stock_size:
                raise OptionError(f"draw: up to {needed} cards would be drawn, {max(0, self.stock_size)} are left of the deck")

    def _refuse_idle(self, used: bool, needs: str, *names: str) -> None:
        """Refuse options that these rules never ask about, unless left as they are."""
        for name in names:
            if not used and getattr(self, name) != type(self).__dataclass_fields__[name].default:
                raise OptionError(f"{name}={getattr(self, name)!r} has no effect without {needs}")

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
    def joker_cards(self) -> int:
        return ((1 << self.jokers) - 1) << LOW_JOKER

    @property
    def deck_cards(self) -> int:
        return short_deck(self.suits, self.ranks) | self.joker_cards

    @property
    def more_trumps(self) -> bool:
        """Are there trumps beside those of the suit?"""
        return self.off_jack or self.jokers > 0

    @property
    def more_points(self) -> bool:
        """Are there others than the four points?"""
        return self.more_trumps or self.points == "ten"

    @property
    def point_ranks(self) -> int:
        """Bit a rank: that card of trump is a point card by itself."""
        named = NAMED_RANKS[TEN_SET if self.points == "ten" else FOUR_SET]
        return sum(1 << rank for rank in named)

    @property
    def num_points(self) -> int:
        """All points that a side can win in a deal."""
        more = self.off_jack + self.jokers
        if self.points == "four":
            return NUM_POINTS + more
        lowest_rank = ACE + 1 - self.ranks
        three = THREE_WORTH - 1 if lowest_rank <= TREY else 0
        return sum(rank >= lowest_rank for rank in NAMED_RANKS[TEN_SET]) + three + more

    @property
    def num_trumps(self) -> int:
        return self.ranks + self.off_jack + self.jokers

    @property
    def num_point_cards(self) -> int:
        return self.point_ranks.bit_count() + self.off_jack + self.jokers

    @property
    def stock_size(self) -> int:
        """Cards that can be drawn: the kitty, or all that are not dealt."""
        if self.draw == "none":
            return self.kitty
        return self.deck_cards.bit_count() - self.num_players * self.hand_size

    @property
    def is_variant(self) -> bool:
        """Is this more than the game for four points with the cards dealt?"""
        return self.more_points or self.stock_size > 0

    @property
    def moon_level(self) -> int:
        """What a moon bid counts as: one more than the highest bid (0: there is no such bid)."""
        return self.max_bid + 1 if self.moon == "bid" else 0

    @property
    def moon_points(self) -> int:
        """What a moon bid wins or loses."""
        return max(MOON_POINTS, self.moon_level)

    @property
    def max_tricks(self) -> int:
        """Upper bound on the tricks of a deal."""
        kept = self.num_point_cards if self.follow_rule == "trump_only" and self.stock_size else 0
        return max(self.hand_size if self.draw == "none" else self.draw_to, kept)

    @property
    def max_actions(self) -> int:
        """Upper bound on the actions of one deal: a call each, naming trump, every card played or put aside."""
        if self.draw == "none":
            cards = self.num_players * self.hand_size + self.kitty
        else:
            buried = min(self.num_players * max(0, self.hand_size - self.draw_to), self.num_trumps)
            cards = max(self.num_players * self.draw_to + buried, self.num_trumps if self.draw == "bidder_rest" else 0)
        return self.num_players + 1 + min(cards, self.deck_cards.bit_count())

    @property
    def worst_deal(self) -> int:
        """No side falls further behind the best other one in a single deal.

        A moon that wins the match brings at most the target; that it also lifts a side from further below zero is left out.
        """
        lost_bid = self.moon_points if self.moon == "bid" else self.max_bid
        moon = max(self.moon_points, self.target if self.moon_made == "game" else 0) if self.moon == "bid" else 0
        return max(lost_bid + self.num_points, moon)


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
    "setback6": {
        "teams": "pairs",
        "jokers": 1,
        "off_jack": True,
        "min_bid": 2,
        "max_bid": 6,
        "all_pass": "dealer_forced",
        "trump_method": "pitch",
        "follow_rule": "strict",
        "target": 21,
        "must_bid_to_win": True,
        "max_hands": 200,
    },
    "partners_10pt": {
        "teams": "pairs",
        "jokers": 2,
        "off_jack": True,
        "joker_opens": True,
        "points": "ten",
        "hand_size": 9,
        "draw": "bidder_rest",
        "min_bid": 4,
        "max_bid": 10,
        "all_pass": "dealer_forced",
        "follow_rule": "trump_only",
        "low_to": "holder",
        "moon": "bid",
        "moon_made": "game",
        "moon_failed": "lose_game",
        "target": 52,
        "max_hands": 200,
    },
}


PLAYER_COUNTS = {
    "seed": (2, 3, 4, 5, 6, 7),
    "setback": (4, 6),
    "bicycle": (2, 3, 4, 5, 6, 7),
    "smudge": (3, 4, 5),
    "setback6": (4,),
    "partners_10pt": (4,),
}


def call_names(rules: PitchRules) -> dict[int, str]:
    """{action id: canonical text} of the calls that these rules can ever allow, ids of other rules' calls left out."""
    names = {PASS: "pass"}
    names |= {NAME_C + suit: f"name {letter}" for suit, letter in enumerate(SUITS)}
    names |= {bid_action(level): f"bid {level}" for level in range(1, max(NUM_POINTS, rules.max_bid) + 1)}
    if rules.moon == "bid":
        names[MOON] = "moon"
    if rules.stock_size:
        names |= {DISCARD_0 + card: f"discard {CARD_NAMES[card]}" for card in range(NUM_CARDS) if rules.deck_cards >> card & 1}
    return names


def bid_action(level: int) -> int:
    """The action that bids this number."""
    return BID_0 + level if level <= NUM_POINTS else BID_5 + level - NUM_POINTS - 1
