"""Spades: every player bids the tricks that his hand is worth, spades are trump, and bids that are made score.

Nil is the promise to win no trick; blind nil is the same promise before the hand has been looked at.

Actions (ids are fixed; an id without a name is never legal):

| id | action |
| --- | --- |
| 0..53 | play that card (suit * 13 + rank, suits C D H S; 52, 53 are the jokers) |
| 54 | `look`: see the hand instead of bidding blind |
| 55 | `blind nil` |
| 56 | `nil` |
| 57..73 | `bid 1` .. `bid 17` |
| 74..77 | `name C`, `name D`, `name H`, `name S`: name trump, where the high bidder does |
| 78..131 | `give` that card to the partner, where nil bidders exchange cards |
| 132, 133 | `blind 6`, `blind 7`, where the rules have them |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from card_envs.cards import (
    CARD_NAMES,
    HIGH_JOKER,
    LOW_JOKER,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    SUITS,
    parse_card,
    short_deck,
    suit_cards,
)
from card_envs.game import OptionError, check_options, option

LOOK = 54
BLIND_NIL = 55
BID_0 = 56  # bid n is BID_0 + n, and nil is the bid of 0
NAME_C = 74
GIVE_0 = 78  # giving a card is GIVE_0 + its id
BLIND_6 = 132
BLIND_NUMBERS = (6, 7)

CLUBS, DIAMONDS, HEARTS, SPADES = range(NUM_SUITS)
MAX_BID = 17
MAX_CARDS_EACH = 18
THIRTEEN = 13  # the bid of S24 and S25
MAX_PASS = 4
ALL_TRICKS_LOST = 130  # what a failed moon costs, unless it costs what it would have earned
TEN_BID, TEN_POINTS = 10, 200  # option ten_for_200
SUICIDE_MIN = 4

# Options with texts reach kernels as the text's place in its Literal.
BY_PLAYER, BY_TEAM = range(2)
PER_TRICK, TEN_X_BID = range(2)
FAIL_TRICKS, FAIL_ZERO, FAIL_MINUS_TEN_X = range(3)
NO_BAGS, UNDERTRICKS, OVERTRICKS = range(3)
COUNT_SHORTFALL, COUNT_ONE, COUNT_BID = range(3)
OVER_GAME, OVER_HAND = range(2)
MARGINAL, ALL_BAGS = range(2)
NIL_BAGS, NIL_NONE, NIL_MINUS = range(3)
NIL_TRICKS_BAGS, NIL_TRICKS_HELP, NIL_TRICKS_IGNORED = range(3)
NIL_EACH, NIL_UNIT = range(2)
TRUMP_SPADES, TRUMP_HIGH_BIDDER = range(2)
MOON_MINUS_130, MOON_SAME = range(2)
NO_BLIND_BID, SIX_SEVEN = range(2)
FREE, SUICIDE, WHIZ, MIRROR = range(4)
LEAD_2C_HOLDER, LEAD_2C_CARD, LEAD_LEFT, LEAD_DEALER, LEAD_LOWEST_CLUB, LEAD_SEAT_0 = range(6)
BREAK_NONE, BREAK_STANDARD, BREAK_NEVER = range(3)
TIE_PLAY_ON, TIE_SHARE = range(2)

JOKERS = 1 << LOW_JOKER | 1 << HIGH_JOKER


def _without(*names: str) -> int:
    """The 52 cards without these."""
    return (1 << LOW_JOKER) - 1 & ~sum(1 << parse_card(name) for name in names)


DECKS = {
    "full": _without(),
    "no_2c": _without("2C"),
    "no_2d": _without("2D"),
    "no_2c_2d": _without("2C", "2D"),
    "no_deuces": _without("2C", "2D", "2H", "2S"),
    "jokers": _without() | JOKERS,
    "jokers_no_2c_2d": _without("2C", "2D") | JOKERS,
    "jokers_no_2h_2d": _without("2H", "2D") | JOKERS,
    "jjdd": _without("2H", "2C") | JOKERS,
}


@dataclass(frozen=True)
class SpadesRules:
    """The options of Spades; ids are those of the numbered rules."""

    num_players: int = option(4, "players at the table", "S2 S27", 2, 6)
    teams: Literal["pairs", "solo"] = option(
        "pairs", "partners across (4 players: two sides, 6: three), or each for himself", "S2 S27 S28 S-A23"
    )
    deck: Literal["full", "no_2c", "no_2d", "no_2c_2d", "no_deuces", "jokers", "jokers_no_2c_2d", "jokers_no_2h_2d", "jjdd"] = (
        option(
            "full", "cards left out; jokers above the ace of spades; jjdd: HJ > LJ > 2D > 2S > AS, all spades", "S3 S4 2.4.15"
        )
    )
    suits: int = option(4, "suits in a full deck, from spades down: fewer make a tiny deck", "", 1, NUM_SUITS)
    ranks: int = option(13, "ranks of each suit, from the ace down", "", 1, NUM_RANKS)
    hand_size: int = option(0, "cards dealt to each player; 0: as many as the deck gives", "S6", 0, MAX_CARDS_EACH)
    trump: Literal["spades", "high_bidder"] = option("spades", "spades, or named by the highest bidder", "S5 S29 S-A22")
    target: int = option(500, "points that win the match", "S1 S26", 1, 10_000)
    floor: int = option(0, "points at which a side loses the match; 0: none", "S-A21 2.4.7", -10_000, 0)
    contract_scope: Literal["player", "team"] = option("player", "each bid is a contract, or the sum of a side's bids", "S-A4")
    trick_score: Literal["per_trick", "ten_x_bid"] = option("per_trick", "a trick bid and won counts 1, or 10", "S17 S-A1")
    failed_bid: Literal["tricks", "zero", "minus_ten_x"] = option(
        "tricks", "a failed bid scores its tricks, nothing, or minus ten times the bid", "S-A3"
    )
    overtrick_points: int = option(0, "points of a trick above the bid", "S23a S-A2", -1, 1)
    bag_source: Literal["none", "undertricks", "overtricks"] = option("undertricks", "what brings bags", "S20a S23b")
    bag_count: Literal["shortfall", "one", "bid"] = option("shortfall", "bags of a failed bid", "S-A5")
    bag_scope: Literal["game", "hand"] = option("game", "bags add up over the match, or each deal starts at none", "S-A6")
    bag_over: Literal["marginal", "all"] = option(
        "marginal", "ten points for each bag beyond the limit, or then for all", "S-A7"
    )
    bag_limit: int = option(
        10, "bags up to here cost 1 point each (undertricks), or bring the penalty (overtricks)", "S21 S22", 1, 20
    )
    bag_penalty: int = option(100, "points lost whenever bags of overtricks reach the limit", "2.4.2", 0, 500)
    nil: int = option(100, "points of a nil; 0: no such bid", "S8 S18", 0, 500)
    nil_fail: Literal["bags", "none", "minus"] = option("bags", "a failed nil brings bags, nothing, or a loss", "S-A8")
    blind_nil: int = option(200, "points of a blind nil; 0: no such bid", "S9 S19 S-A16", 0, 500)
    blind_nil_deficit: int = option(0, "points that a side must be behind to bid blind nil", "S-A16", 0, 1000)
    blind_nil_pass: int = option(0, "cards that partners exchange after a blind nil", "S-A16", 0, MAX_PASS)
    nil_pass: int = option(0, "cards that partners exchange after a nil", "2.4.4", 0, MAX_PASS)
    failed_nil_tricks: Literal["bags", "helps_bid", "ignore"] = option(
        "bags", "tricks of a failed nil are overtricks, count toward the partner's bid, or for nothing", "S-A10 2.4.3"
    )
    double_nil: bool = option(True, "may both partners bid nil?", "S-A17")
    double_nil_score: Literal["each", "unit"] = option("each", "a double nil is scored by player, or as one bid", "2.4.4")
    double_13: bool = option(True, "a side that bids and wins all 13 tricks doubles their points", "S24 S-A18")
    fail_13_bags: int = option(13, "bags of a player who bids 13 and fails; 0: as any bid", "S25 S-A19", 0, 100)
    ten_for_200: bool = option(False, "a side's bid of exactly 10 wins or loses 200", "2.4.10")
    moon: int = option(0, "points of a side that bids and wins all tricks; 0: as any bid", "2.4.11", 0, 1000)
    moon_wins: bool = option(False, "a moon made wins the match", "2.4.11")
    moon_fail: Literal["minus_130", "same"] = option(
        "minus_130", "a failed moon costs 130, or what it would have earned", "2.4.11"
    )
    team_bid_min: int = option(0, "lowest sum of the partners' bids", "2.4.13", 0, 13)
    team_bid_cap: int = option(0, "highest sum of the partners' bids; 0: none", "S-A15", 0, 13)
    forbidden_total: int = option(0, "the last bidder may not bring the sum of all bids to this; 0: he may", "2.4.13", 0, 18)
    first_hand_bids: bool = option(False, "no bids in the first deal: every trick counts 10", "2.4.13")
    blind_bid: Literal["off", "six_seven"] = option(
        "off", "before looking, a side bids blind 6 or blind 7 for twice the points", "2.4.12"
    )
    bid_restriction: Literal["free", "suicide", "whiz", "mirror"] = option(
        "free", "suicide: one partner bids nil; whiz: nil or the spades held; mirror: the spades held", "S-A14 2.4.14"
    )
    first_lead: Literal["2c_holder", "2c_card", "left_of_dealer", "dealer", "lowest_club", "seat_0"] = option(
        "2c_holder", "who leads first, or what: the 2C itself, or everybody's lowest club", "S10 S-A11 2.4.6"
    )
    break_rule: Literal["none", "standard", "never"] = option(
        "none", "spades are led at any time, once broken, or only from a hand of spades", "S-A12 2.4.5"
    )
    end_tie: Literal["play_on", "share"] = option("play_on", "level sides at the target play on, or share the win", "S-A20")
    max_hands: int = option(200, "deals after which a match is cut off", "S-A21", 1, 10_000)

    DERIVED = ("num_sides", "cards_each", "deck_cards", "spade_cards", "deuces_high", "highest_bid", "leaves_none_out")

    def __post_init__(self):
        check_options(self)
        refused = [reason for wrong, reason in _conflicts(self) if wrong]
        if refused:
            raise OptionError(refused[0])

    @property
    def num_sides(self) -> int:
        """Side of a seat = seat % num_sides."""
        return self.num_players // 2 if self.teams == "pairs" else self.num_players

    @property
    def whole_deck(self) -> bool:
        return self.suits == NUM_SUITS and self.ranks == NUM_RANKS

    @property
    def deck_cards(self) -> int:
        """The cards that are dealt from. Three players leave the 2C out of a full deck: 17 each."""
        if not self.whole_deck:
            return short_deck(self.suits, self.ranks) << NUM_RANKS * (NUM_SUITS - self.suits)
        by_count = "no_2c" if self.deck == "full" and self.num_players == 3 and self.hand_size == 0 else self.deck
        return DECKS[by_count]

    @property
    def cards_each(self) -> int:
        """Cards dealt to each player: tricks in a deal."""
        return self.hand_size or self.deck_cards.bit_count() // self.num_players

    @property
    def leaves_none_out(self) -> bool:
        """Is every card of the deck dealt?"""
        return self.cards_each * self.num_players == self.deck_cards.bit_count()

    @property
    def deuces_high(self) -> bool:
        return self.deck == "jjdd"

    @property
    def spade_cards(self) -> int:
        """All that count as spades: the jokers too, and the 2D where deuces are high (2.4.15)."""
        return suit_cards(SPADES) | JOKERS | (1 << parse_card("2D") if self.deuces_high else 0)

    @property
    def highest_bid(self) -> int:
        return min(self.cards_each, MAX_BID)

    @property
    def seats_alike(self) -> bool:
        """Does no seat have a part by its number?"""
        return self.first_lead != "seat_0"

    @property
    def exchanges(self) -> bool:
        return self.nil_pass > 0 or self.blind_nil_pass > 0

    @property
    def max_actions(self) -> int:
        """Upper bound on the actions of one deal: looking and bidding, naming trump, an exchange a pair, every card."""
        exchanged = 2 * max(self.nil_pass, self.blind_nil_pass) * self.num_sides
        return self.num_players * (2 + self.cards_each) + (self.trump == "high_bidder") + exchanged

    @property
    def worst_deal(self) -> int:
        """No side falls further behind the best other one in a single deal."""
        partners = self.num_players // self.num_sides
        nils = max(self.nil, self.blind_nil)
        bags = max(self.fail_13_bags, self.cards_each) * partners
        ladder = 10 * (bags + self.bag_limit)
        rollovers = self.bag_penalty * (1 + bags // self.bag_limit)
        tricks = partners * 2 * 10 * MAX_CARDS_EACH
        return 2 * (partners * nils + tricks + max(self.moon, TEN_POINTS)) + max(ladder, rollovers)


def _conflicts(rules: SpadesRules):
    """(is it so?, why it makes no sense) for combinations of options."""
    solo, all_cards = rules.teams == "solo", rules.deck_cards.bit_count()
    dealt = rules.hand_size * rules.num_players
    yield (
        not solo and rules.num_players not in (4, 6),
        f"teams='pairs' needs 4 or 6 players, not {rules.num_players}; teams='solo' suits any number",
    )
    yield rules.deck != "full" and not rules.whole_deck, f"suits and ranks make a full deck smaller, not deck={rules.deck!r}"
    yield (
        dealt > all_cards,
        f"{rules.num_players} hands of {rules.hand_size} are {dealt} cards, the deck has {all_cards}",
    )
    yield (
        rules.cards_each > MAX_CARDS_EACH,
        f"{rules.num_players} hands of {rules.cards_each}: set hand_size, at most {MAX_CARDS_EACH}",
    )
    yield rules.cards_each == 0, f"{rules.num_players} players, but the deck has {all_cards} cards"
    jokers = rules.deck_cards & JOKERS != 0
    yield (
        jokers and rules.trump == "high_bidder",
        f"deck={rules.deck!r}: jokers are spades, so trump='high_bidder' has no place for them",
    )
    for name in ("blind_nil_pass", "nil_pass", "team_bid_min", "team_bid_cap"):
        yield solo and getattr(rules, name) > 0, f"{name}={getattr(rules, name)} needs partners, not teams='solo'"
    for name in ("blind_nil_pass", "nil_pass", "team_bid_min"):
        yield getattr(rules, name) > rules.cards_each, f"{name}={getattr(rules, name)}: a hand has {rules.cards_each} cards"
    yield (
        0 < rules.team_bid_cap < rules.team_bid_min,
        f"team_bid_min={rules.team_bid_min} lies above team_bid_cap={rules.team_bid_cap}",
    )
    yield rules.team_bid_cap == 1 and not rules.nil, "team_bid_cap=1 leaves one partner no bid where there is no nil"
    yield from _without_effect(rules)
    if rules.blind_bid != "off":
        yield from _no_room_for_blind_bids(rules)
    yield from _restricted(rules)
    by_side = solo or rules.contract_scope == "team"
    yield rules.moon > 0 and not by_side, "moon is a contract of the side: it needs contract_scope='team'"
    yield rules.ten_for_200 and not by_side, "ten_for_200 is a contract of the side: it needs contract_scope='team'"
    yield (
        rules.failed_nil_tricks == "helps_bid" and (solo or not by_side),
        "failed_nil_tricks='helps_bid' needs partners with contract_scope='team'",
    )


def _without_effect(rules: SpadesRules):
    """Options that do nothing beside others."""
    needs = {
        "bag_count": ("bag_source='undertricks'", rules.bag_source == "undertricks"),
        "bag_scope": ("bag_source='undertricks'", rules.bag_source == "undertricks"),
        "bag_over": ("bag_source='undertricks'", rules.bag_source == "undertricks"),
        "blind_nil_deficit": ("blind_nil or blind_bid", rules.blind_nil > 0 or rules.blind_bid != "off"),
        "blind_nil_pass": ("blind_nil", rules.blind_nil > 0),
        "nil_pass": ("nil", rules.nil > 0),
        "double_nil_score": ("partners and double_nil", rules.teams == "pairs" and rules.double_nil),
        "moon_wins": ("moon", rules.moon > 0),
        "moon_fail": ("moon", rules.moon > 0),
    }
    for name, (needed, given) in needs.items():
        changed = getattr(rules, name) != SpadesRules.__dataclass_fields__[name].default
        yield changed and not given, f"{name}={getattr(rules, name)!r} has no effect without {needed}"


def _no_room_for_blind_bids(rules: SpadesRules):
    """A blind 6 or 7 is the bid of a side that has not seen its hands."""
    least, most = BLIND_NUMBERS
    yield (
        rules.teams == "pairs" and rules.contract_scope == "player",
        "blind_bid is a bid of the side: it needs contract_scope='team'",
    )
    yield rules.cards_each < most, f"blind_bid: a hand has {rules.cards_each} cards"
    yield 0 < rules.team_bid_cap < most, f"blind_bid lies above team_bid_cap={rules.team_bid_cap}"
    yield rules.team_bid_min > least, f"blind_bid lies below team_bid_min={rules.team_bid_min}"
    yield rules.forbidden_total > 0, f"forbidden_total={rules.forbidden_total} leaves no room for blind_bid"
    yield rules.bid_restriction != "free", f"bid_restriction={rules.bid_restriction!r} leaves no room for blind_bid"
    yield rules.moon > 0 and rules.cards_each == most, "moon: a bid of all tricks is no blind_bid"


def _restricted(rules: SpadesRules):
    """Suicide, whiz and mirror say what is bid (2.4.14)."""
    kind = rules.bid_restriction
    if kind == "free":
        return
    yield rules.nil == 0, f"bid_restriction={kind!r} needs nil"
    for name in ("blind_nil", "team_bid_min", "forbidden_total"):
        allowed = name == "blind_nil" and kind == "whiz"
        yield (
            getattr(rules, name) > 0 and not allowed,
            f"bid_restriction={kind!r} leaves no room for {name}={getattr(rules, name)}",
        )
    if kind == "suicide":
        yield rules.teams == "solo", "bid_restriction='suicide' needs partners, not teams='solo'"
        yield (
            rules.cards_each < SUICIDE_MIN,
            f"bid_restriction='suicide': a hand has {rules.cards_each} cards, less than the lowest bid",
        )
        yield (
            0 < rules.team_bid_cap < SUICIDE_MIN,
            f"bid_restriction='suicide': team_bid_cap={rules.team_bid_cap} is below the lowest bid",
        )
    else:
        yield rules.team_bid_cap > 0, f"bid_restriction={kind!r} leaves no room for team_bid_cap={rules.team_bid_cap}"
        yield not rules.double_nil, f"bid_restriction={kind!r} leaves no room for double_nil=False"
        yield rules.trump == "high_bidder", f"bid_restriction={kind!r} counts spades before trump is named"


def call_names(rules: SpadesRules) -> dict[int, str]:
    """{action id: canonical text} of the calls that these rules can ever allow, ids of other rules' calls left out."""
    names = {LOOK: "look", BLIND_NIL: "blind nil", BID_0: "nil"}
    names |= {BID_0 + level: f"bid {level}" for level in range(1, MAX_BID + 1)}
    names |= {NAME_C + suit: f"name {letter}" for suit, letter in enumerate(SUITS)}
    if rules.exchanges:
        names |= {GIVE_0 + card: f"give {CARD_NAMES[card]}" for card in range(NUM_CARDS)}
    if rules.blind_bid != "off":
        names |= {BLIND_6 + place: f"blind {number}" for place, number in enumerate(BLIND_NUMBERS)}
    return names
