"""Every option changes the game."""

import dataclasses

import pytest

from card_envs.cards import LOW_JOKER, card_list
from card_envs.game import choices
from card_envs.table import Table
from tests.option_checks import check_matters
from tests.pitch.play import (
    GAME,
    REFERENCE_HANDS,
    REFERENCE_PLAY,
    hand,
    legal,
    level_deal,
    play,
    reference_deal,
    table,
    tricks_won,
    two_over,
)
from tests.pitch.play import points as won

OPTIONS = {field.name: field for field in dataclasses.fields(GAME.options)}
PASSES = ["pass"] * 3
TEN = {"points": "ten", "jokers": 2, "off_jack": True}  # ten points to bid for


def dealt_hands(**options) -> list[list[int]]:
    """The hands of thirty deals."""
    source = Table(GAME, GAME.rules(**options))
    source.seed(1)
    hands = []
    for _ in range(30):
        source.reset()
        hands += [card_list(source.record.hand[seat]) for seat in range(source.rules.num_players)]
    return hands


# --- a case for each option --------------------------------------------------------------------------------------------------


def num_players(value):
    return len(dealt_hands(num_players=value)) // 30


def teams(value):
    """Sides of 4 and of 6 players."""
    return [GAME.rules(num_players=players, teams=value).num_sides for players in (4, 6)]


def suits(value):
    return len({card // 13 for hand in dealt_hands(suits=value, num_players=2) for card in hand})


def ranks(value):
    return len({card % 13 for hand in dealt_hands(ranks=value) for card in hand})


def hand_size(value):
    return {len(hand) for hand in dealt_hands(hand_size=value)}


def jokers(value):
    return len({card for hand in dealt_hands(jokers=value) for card in hand if card >= LOW_JOKER})


def off_jack(value):
    """Spades are trump and led; the hand is JC 4H."""
    return legal(play(table(["5S 2D", "JC 4H"], 1, off_jack=value), "bid 1", "pass", "name S", "5S"))


def joker_rank(value):
    """TS against the LJ."""
    return tricks_won(play(table(["TS", "LJ"], 1, jokers=1, joker_rank=value), "bid 1", "pass", "name S", "TS LJ"))


def joker_opens(value):
    return legal(play(table(["TS LJ", "2H 3H"], 1, jokers=1, joker_opens=value), "bid 1", "pass", "name S"))


def points(value):
    """AS, JS and 2S are a point each and the 3S is three, or High, Low, Jack and Game."""
    return reference_deal(bid=4, points=value).scores()


def kitty(value):
    """Cards of the bidder when the bidding is over, and after naming."""
    bidding = play(table(REFERENCE_HANDS, 3, kitty=value), "bid 2", *PASSES)
    sizes = [len(hand(bidding, 0))]
    play(bidding, "name S")
    while legal(bidding)[0].startswith("discard"):
        play(bidding, legal(bidding)[0])
    return [*sizes, len(hand(bidding, 0))]


def draw(value):
    """Who drew how many cards; the dealer, seat 1, bids. Each holds two trumps of six cards, and the pack has 40 more."""
    hands = ["AS KS 2H 3H 4H 5H", "QS 2S 6H 7H 8H 9H"]
    drawn = play(table(hands, 1, draw=value, follow_rule="trump_only"), "pass", "bid 1", "name S")
    while legal(drawn)[0].startswith("discard"):
        play(drawn, legal(drawn)[0])
    return drawn.record.drew[:2].tolist()


def draw_to(value):
    """Cards held after the draw by a seat with two trumps."""
    drawn = play(table(["AS KS 2H", "QS 2S 6H"], 1, draw="all", draw_to=value), "bid 1", "pass", "name S")
    while legal(drawn)[0].startswith("discard"):
        play(drawn, legal(drawn)[0])
    return len(hand(drawn, 0))


def min_bid(value):
    return legal(table(REFERENCE_HANDS, 3, min_bid=value, max_bid=max(4, value), **TEN))


def max_bid(value):
    return legal(table(REFERENCE_HANDS, 3, max_bid=value, **TEN))


def dealer_steal(value):
    """The dealer's bids over a standing 3 and a standing 4."""
    standing = [table(REFERENCE_HANDS, 3, dealer_steal=value) for _ in range(2)]
    return [legal(play(bidding, bid, "pass", "pass")) for bidding, bid in zip(standing, ("bid 3", "bid 4"))]


def all_pass(value):
    """The last seat's calls and, where it may pass, whether the deal is over and who deals next."""
    bidding = play(table(REFERENCE_HANDS, 3, all_pass=value), *PASSES)
    calls = legal(bidding)
    if "pass" not in calls:
        return calls
    play(bidding, "pass")
    return bool(bidding.record.deal_over), int(bidding.record.dealer)


def trump_method(value):
    """What the bidder may do with AS KS 7S TD 4C 2H."""
    return legal(play(table(REFERENCE_HANDS, 3, trump_method=value), "bid 2", *PASSES))


def follow_rule(value):
    """Clubs are led, spades trump; the hand is 3C 4C 9S 2H (but where only trumps are played the leader has 5S)."""
    opened = table(["AS 5C 5S 6H 7H", "3S 3C 4C 9S 2H"], 1, follow_rule=value)
    play(opened, "bid 1", "pass", "name S", "AS 3S", "5S" if value == "trump_only" else "5C")
    return legal(opened)


def low_to(value):
    return reference_deal(bid=4, low_to=value).scores()


def game_tie(value):
    """The bidder deals; pips are level."""
    return level_deal(dealer=0, game_tie=value).scores()


def made_scores(value):
    return reference_deal(bid=2, made_scores=value).scores()


def moon(value):
    """May one bid it, and do four points end the match?"""
    opened = table(REFERENCE_HANDS, 3, moon=value)
    calls = legal(opened)
    return "moon" in calls, play(opened, "bid 2", *PASSES, "name S", REFERENCE_PLAY).winners()


def shoot_the_moon(hands: list[str], cards: str, scores: list[int], **options) -> Table:
    opened = table(hands, 1, scores, moon="bid", **options)
    return play(opened, "moon", "pass", "name S", cards)


def moon_made(value):
    """All four points and both tricks, from 1 and from -6: five points; the match, but from below zero only up to zero."""
    ends = [shoot_the_moon(["AS JS", "2S 3H"], "AS 2S JS 3H", [start, 9], moon_made=value) for start in (1, -6)]
    return [(end.scores(), end.winners()) for end in ends]


def moon_failed(value):
    """A trick is lost, and with it the moon."""
    end = shoot_the_moon(["AS 2H", "2S 3H"], "AS 2S 2H 3H", [1, 3], moon_failed=value)
    return end.scores(), end.winners()


def target(value):
    return reference_deal(bid=4, scores=[6, 0], target=value).winners()


def tie_rule(value):
    return two_over(bidder=2, tie_rule=value).winners()


def must_bid_to_win(value):
    return two_over(bidder=2, tie_rule="highest", must_bid_to_win=value).winners()


def redeal_poor_hand(value):
    """Is some hand dealt that has nothing above a nine (rank 7)?"""
    return any(all(card % 13 <= 7 for card in hand) for hand in dealt_hands(redeal_poor_hand=value))


def max_hands(value):
    cut = play(table(REFERENCE_HANDS, 3, max_hands=value), *PASSES, "pass")
    return bool(cut.record.truncated)


EVERY_BID = ["bid 1", "bid 2", "bid 3", "bid 4", "pass"]
HIGHER_BIDS = ["bid 5", "bid 6", "bid 7", "bid 8", "bid 9"]
ANY_CARD = ["2H", "4C", "7S", "AS", "KS", "TD"]
MATTERS = {
    num_players: {2: 2, 3: 3, 7: 7},
    teams: {"auto": [2, 6], "none": [4, 6], "pairs": [2, 3]},
    suits: {1: 1, 2: 2, 4: 4},
    ranks: {6: 6, 13: 13},
    hand_size: {3: {3}, 6: {6}, 13: {13}},
    jokers: {0: 0, 1: 1, 2: 2},
    off_jack: {False: ["4H", "JC"], True: ["JC"]},
    joker_rank: {"above_ten": [0, 1], "lowest": [1, 0]},
    joker_opens: {False: ["TS"], True: ["LJ", "TS"]},
    points: {"four": [4, 0], "ten": [6, 0]},
    min_bid: {1: EVERY_BID, 3: ["bid 3", "bid 4", "pass"], 10: ["bid 10", "pass"]},
    max_bid: {
        4: EVERY_BID,
        2: ["bid 1", "bid 2", "pass"],
        10: [*EVERY_BID[:1], "bid 10", *EVERY_BID[1:4], *HIGHER_BIDS, "pass"],
    },
    dealer_steal: {
        "none": [["bid 4", "pass"], ["pass"]],
        "any": [["bid 3", "bid 4", "pass"], ["bid 4", "pass"]],
        "four_only": [["bid 4", "pass"], ["bid 4", "pass"]],
        "below_four": [["bid 3", "bid 4", "pass"], ["pass"]],
    },
    all_pass: {"redeal": (True, 0), "redeal_same": (True, 3), "dealer_forced": EVERY_BID[:4], "eldest_pitches": (False, 3)},
    trump_method: {"name": ["name C", "name D", "name H", "name S"], "pitch": ANY_CARD},
    kitty: {0: [6, 6], 1: [7, 6], 4: [10, 6]},
    draw: {"none": [0, 0], "all": [4, 4], "bidder_rest": [4, 36]},
    draw_to: {1: 1, 2: 2, 6: 6},
    follow_rule: {"follow_or_trump": ["3C", "4C", "9S"], "strict": ["3C", "4C"], "trump_only": ["9S"]},
    low_to: {"taker": [4, 0], "holder": [-4, 1]},
    game_tie: {"none": [2, 0], "non_bidder": [2, 1], "dealer_side": [3, 0]},
    made_scores: {"earned": [4, 0], "bid": [2, 0]},
    moon: {"off": (False, []), "bid": (True, []), "four_points": (False, [0])},
    moon_made: {"five": [([6, 9], []), ([-1, 9], [])], "game": [([11, 9], [0]), ([0, 9], [])]},
    moon_failed: {"minus_five": ([-4, 3], []), "lose_game": ([-4, 3], [1])},
    target: {11: [], 10: [0]},
    tie_rule: {"bidder": [], "highest": [0], "count_order": [1]},
    must_bid_to_win: {False: [0], True: []},
    redeal_poor_hand: {False: True, True: False},
    max_hands: {2: False, 1: True},
}
CASES = {case.__name__: (case, outcomes) for case, outcomes in MATTERS.items()}


@pytest.mark.parametrize("name", CASES)
def test_the_option_changes_the_game(name):
    check_matters(*CASES[name])


def test_no_option_is_without_a_case():
    assert set(CASES) == set(OPTIONS)


@pytest.mark.parametrize("name", [name for name in OPTIONS if choices(GAME.options, name)])
def test_every_value_is_in_the_case(name):
    assert set(CASES[name][1]) == set(choices(GAME.options, name))


# --- moon: what the cases above leave open -----------------------------------------------------------------------------------


def test_a_moon_is_bid_above_the_highest_bid():
    bidding = play(table(REFERENCE_HANDS, 3, moon="bid"), "bid 4")
    assert legal(bidding) == ["moon", "pass"]
    assert legal(play(bidding, "moon")) == ["pass"]


@pytest.mark.parametrize("steal, calls", [("any", ["moon", "pass"]), ("four_only", ["pass"]), ("below_four", ["pass"])])
def test_who_may_steal_a_moon(steal, calls):
    assert legal(play(table(REFERENCE_HANDS, 3, moon="bid", dealer_steal=steal), "moon", "pass", "pass")) == calls


def test_a_moon_takes_every_trick_besides_the_four_points():
    """All four points are won (pips 4 + 1 : 3), but not the third trick."""
    end = shoot_the_moon(["AS JS 2H", "2S 3H KH"], "AS 2S JS 3H 2H KH", [1, 9])
    assert won(end) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0}
    assert end.scores() == [-4, 9]


def test_a_moon_may_be_made_by_partners():
    hands = ["2S AH", "3S 4H", "AS 5H", "JS 6H"]
    opened = table(hands, 3, moon="bid")
    play(opened, "moon", "pass", "pass", "pass", "name S", "2S 3S AS JS", "5H 6H AH 4H")
    assert opened.scores() == [5, 0]
