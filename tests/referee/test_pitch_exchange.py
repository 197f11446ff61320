"""The Pitch referee's kitty, draws and discards, by hand; and random deals of the variants, in which no card goes astray."""

import random

import pytest

from .pitch import Deal, PitchReferee
from .pitch_cards import deck_of
from .pitch_positions import PARTNERS, SEED, SETBACK6, act, start
from .pitch_scoring import WORTH

OFF_JACK = {**SEED, "off_jack": True}
DRAW = {**SEED, "draw": "all"}


def start_with_pack(hands, dealer, top, options, scores=None, **changes):
    """A deal whose stock has these cards on top and below them the rest of the pack."""
    rules = PitchReferee({**options, **changes}, len(hands)).rules
    given = " ".join([*hands, top]).split()
    rest = [card for card in deck_of(rules) if card not in given]
    return start(hands, dealer, scores, " ".join([top, *rest]), options, **changes)


def hand(referee, seat):
    return sorted(referee.deal.hands[seat])


# Kitty


def test_the_pitcher_takes_the_kitty_before_naming():
    referee = start(["KH 2C", "3H 4C", "QS 5C"], dealer=2, stock="AS JS", kitty=2)
    act(referee, "bid 1", "bid 2")
    assert referee.deal.stock.drew == [0, 0, 0] and hand(referee, 1) == ["3H", "4C"]  # the auction goes on
    act(referee, "pass")
    assert referee.to_act == 1 and referee.legal() == ["name C", "name H", "name S"]  # spades from the kitty alone
    assert referee.deal.stock.drew == [0, 2, 0] and hand(referee, 1) == ["3H", "4C", "AS", "JS"]
    act(referee, "name S")
    assert referee.to_act == 1 and referee.legal() == ["discard 3H", "discard 4C"]
    act(referee, "discard 3H")
    assert referee.legal() == ["discard 4C"]
    act(referee, "discard 4C")
    assert referee.to_act == 1 and referee.legal() == ["AS", "JS"]


def test_the_eldest_takes_the_kitty_without_a_bid_and_nobody_after_a_redeal():
    referee = start(["KH", "3H"], dealer=1, stock="AS", kitty=1, all_pass="eldest_pitches")
    assert act(referee, "pass", "pass").legal() == ["name H", "name S"] and referee.deal.stock.drew == [1, 0]
    redealt = act(start(["KH", "3H"], dealer=1, stock="AS", kitty=1), "pass", "pass")
    assert redealt.deal_over and redealt.deal.stock.drew == [0, 0] and redealt.deal.stock.cards == ["AS"]


@pytest.mark.parametrize(
    "cards, options, discards",
    [
        ("AS JS 5S 2H", {}, ["discard 2H"]),  # a non-trump first
        ("AS JS 5S", {}, ["discard 5S", "discard AS"]),  # then no point card
        ("AS JS 5S", {"points": "ten"}, ["discard 5S"]),
        ("TS 3S 2S 9S", {"points": "ten"}, ["discard 9S"]),
        ("TS 3S 2S", {}, ["discard 2S", "discard 3S", "discard TS"]),
        ("JC 4S", {}, ["discard 4S"]),  # the off-jack
        ("LJ HJ 4S", {}, ["discard 4S"]),
        ("LJ HJ JC JS", {}, ["discard HJ", "discard JC", "discard JS", "discard LJ"]),  # nothing else: any card
        ("LJ HJ JC JS", {"follow_rule": "trump_only"}, ["HJ", "JC", "JS", "LJ"]),  # he keeps them, and leads
    ],
)
def test_what_may_be_buried(cards, options, discards):
    first, *kitty = cards.split()
    options = {**OFF_JACK, "jokers": 2, "joker_opens": True, "kitty": len(kitty), **options}
    referee = start([first, "4C"], dealer=1, stock=" ".join(kitty), options=options)
    act(referee, "bid 1", "pass")
    referee.deal.name_trump("S")
    assert referee.to_act == 0 and referee.legal() == discards


def test_buried_cards_are_not_in_play():
    """The 2S is buried: the 5S is low. The AS is not to be had: the KS is high."""
    referee = start(["KS 5S", "4S QH"], dealer=1, stock="2S", kitty=1)
    act(referee, "bid 2", "pass", "name S", "discard 2S", "KS", "4S", "5S", "QH")
    assert referee.deal.points() == [0, 0, None, 0, None, None, None, None]
    assert "2S" not in referee.deal.won_cards[0] and referee.deal.exchange.out_of_play == ["2S"]
    low = start(["KS 4S", "5S QH"], dealer=1, stock="2S", kitty=1, low_to="holder")
    act(low, "bid 2", "pass", "name S", "discard 4S", "KS", "5S", "2S", "QH")
    assert low.deal.points()[:2] == [0, 0]


# Draws


def test_seats_draw_in_turn_from_the_dealers_left():
    """The dealer is 0, seat 2 the pitcher: 1, 2, 0 throw their non-trumps and draw up to two."""
    referee = start_with_pack(["2H 3H", "4S 5H", "KS QS"], 0, "AH 6S 7D 8D", DRAW, draw_to=2)
    act(referee, "pass", "bid 1", "pass", "name S")
    assert [hand(referee, seat) for seat in range(3)] == [["6S", "7D"], ["4S", "AH"], ["KS", "QS"]]
    assert referee.deal.stock.drew == [2, 1, 0] and referee.deal.stock.cards[0] == "8D"
    assert referee.to_act == 2 and referee.legal() == ["KS", "QS"]
    act(referee, "QS", "6S")
    assert referee.legal() == ["4S"]
    act(referee, "4S", "KS", "7D", "AH")  # what is drawn stays, trump or not
    assert referee.deal_over and sorted(referee.deal.exchange.out_of_play) == ["2H", "3H", "5H"]


def test_the_next_seat_waits_until_a_seat_has_buried():
    """Two may be kept. Seat 1 buries one of three trumps, and only then does seat 0, who named, throw and draw."""
    referee = start_with_pack(["KS 5H 6H", "AS JS 4S"], 0, "2S 3S", DRAW, draw_to=2)
    act(referee, "pass", "bid 1", "name S")
    assert referee.to_act == 1 and referee.legal() == ["discard 4S", "discard AS"]
    assert hand(referee, 0) == ["5H", "6H", "KS"] and referee.deal.stock.drew == [0, 0]
    act(referee, "discard AS")
    assert hand(referee, 0) == ["2S", "KS"] and hand(referee, 1) == ["4S", "JS"]
    assert referee.deal.stock.drew == [1, 0] and referee.to_act == 0 and referee.legal() == ["2S", "KS"]


def test_the_bidder_comes_last_and_takes_the_rest():
    """Seat 1 names: 2 and 0 draw before him. He takes what is left, draws no more, and buries down to one card."""
    changes = {"draw_to": 1, "suits": 1, "teams": "none", "jokers": 0, "moon": "off", "points": "four", "min_bid": 1}
    changes |= {"moon_made": "five", "moon_failed": "minus_five"}
    referee = start(["KC QC 7C", "9C 8C 6C", "3C 2C 5C"], 0, None, "4C TC JC AC", PARTNERS, **changes)
    act(referee, "bid 1", "pass", "pass", "name C")
    assert referee.to_act == 2 and referee.legal() == ["discard 2C", "discard 3C", "discard 5C"]
    act(referee, "discard 5C", "discard 3C")
    assert referee.to_act == 0
    act(referee, "discard 7C", "discard QC")
    assert referee.to_act == 1 and referee.deal.stock.drew == [0, 4, 0]
    assert hand(referee, 1) == ["4C", "6C", "8C", "9C", "AC", "JC", "TC"]
    assert "discard JC" not in referee.legal() and len(referee.legal()) == 6
    act(referee, *[f"discard {card}" for card in ["4C", "6C", "8C", "9C", "AC", "TC"]])
    assert referee.to_act == 1 and referee.legal() == ["JC"]
    act(referee, "JC", "2C", "KC")
    assert referee.deal.points() == [0, 2, 0, 0, None, None, None, None]  # the AC was buried: KC high, 2C low


def test_the_bidder_draws_no_more_than_the_rest():
    """Seat 1, the dealer, keeps two trumps where three would be allowed: seat 0 has drawn, and the rest is no trump."""
    changes = {"suits": 2, "ranks": 5, "teams": "none", "jokers": 0, "off_jack": False, "draw_to": 3, "min_bid": 1}
    referee = start(["TD JD QD", "AC KC KD"], 1, None, "QC JC TC AD", PARTNERS, **changes)
    act(referee, "pass", "bid 1", "name C")
    assert hand(referee, 0) == ["JC", "QC", "TC"] and hand(referee, 1) == ["AC", "KC"]
    assert referee.deal.stock.drew == [3, 1] and referee.deal.stock.cards == []
    act(referee, "AC", "TC", "KC", "JC", "QC")  # the last trick is seat 0's alone
    assert referee.tricks_won == [1, 2] and referee.deal.points() == [1, None, 1, 1, None, None, None, None]


# partners_10pt

SEVEN_POINT_CARDS = [
    "AS KS QS JS TS 3S 2S HJ LJ",
    "JC 4S 5C 6C 7C 8C 9C TC QC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH",
]
THE_REST = "2C 3C 4C KC AC JD QD KD AD JH QH KH AH 5S 6S 7S 8S 9S"


def seven_point_cards(call, scores, *tricks):
    """Seat 0 calls and names spades, buries KS QS 8S 9S of eleven trumps, and keeps the seven point cards."""
    referee = start(SEVEN_POINT_CARDS, dealer=3, scores=scores, stock=THE_REST, options=PARTNERS)
    act(referee, call, "pass", "pass", "pass", "name S")
    assert hand(referee, 1) == ["2C", "3C", "4C", "4S", "JC", "KC"] and referee.deal.stock.drew == [2, 4, 6, 6]
    assert hand(referee, 3) == ["5S", "6S", "7S", "AH", "KH", "QH"] and not set(hand(referee, 2)) - set(THE_REST.split())
    assert referee.legal() == ["discard 8S", "discard 9S", "discard KS", "discard QS"]
    act(referee, "discard KS", "discard QS", "discard 8S", "discard 9S")
    assert referee.to_act == 0 and referee.legal() == ["2S", "3S", "AS", "HJ", "JS", "LJ", "TS"]
    return act(referee, *" ".join(tricks).split())


ALL_TEN = ["AS JC 5S", "JS 4S 6S", "HJ 7S", "LJ TS 3S 2S"]  # the last four tricks are of one card


def test_who_has_no_trump_is_out():  # TX55
    referee = seven_point_cards("bid 10", [0, 0], "AS")
    assert referee.to_act == 1 and referee.legal() == ["4S", "JC"]
    act(referee, "JC")
    assert referee.to_act == 3 and referee.legal() == ["5S", "6S", "7S"]  # seat 2 has none
    act(referee, "5S", "JS", "4S")
    assert referee.to_act == 3
    assert act(referee, "6S", "HJ").to_act == 3  # and now seat 1 is out, too
    act(referee, "7S", "LJ", "TS", "3S")
    assert referee.legal() == ["2S"]
    assert act(referee, "2S").deal_over and referee.tricks_won == [7, 0, 0, 0]  # more tricks than cards drawn to


def test_ten_points_made():  # TX54
    referee = seven_point_cards("bid 10", [-3, 8], *ALL_TEN)
    assert referee.deal.points() == [0] * 8 and referee.deal_scores == [[10, 0]] and referee.scores == [7, 8]


@pytest.mark.parametrize(
    "score, after, winners",
    [(-6, 0, []), (0, 52, [0]), (30, 52, [0]), (45, 56, [0])],  # TX56; at 45 the eleven of the moon are more
)
def test_a_moon_made(score, after, winners):
    referee = seven_point_cards("moon", [score, 50], *ALL_TEN)
    assert referee.scores == [after, 50] and referee.winners == winners and referee.match_over == bool(winners)


def test_a_moon_failed_loses_the_match():
    """The TS is led into the off-jack; seat 1 then leads the 4S, which the 7S takes, and seat 3 leads the rest."""
    referee = seven_point_cards("moon", [20, -9], "TS JC 5S", "4S 7S 2S", "6S 3S", "AS", "JS", "HJ", "LJ")
    assert referee.deal.points() == [0, 0, 0, 1, 1, 0, 0, 1]
    assert referee.deal_scores == [[-11, 5]] and referee.scores == [9, -4] and referee.winners == [1]


# The stock, and whole deals


@pytest.mark.parametrize(
    "options, stock, problem",
    [
        ({"kitty": 2}, None, "need a stock"),
        ({"kitty": 2}, "AS", "has 1 cards, not 2"),
        ({"kitty": 1}, "KH", "KH is doubled"),
        ({"draw": "all"}, "AS JS", "has 2 cards, not 50"),
        ({}, "AS", "have no stock"),
        ({"kitty": 1, "jokers": 1}, "HJ", "HJ is doubled or not in the deck"),
    ],
)
def test_a_wrong_stock_is_refused(options, stock, problem):
    with pytest.raises(ValueError, match=problem):
        start(["KH", "3H"], dealer=1, stock=stock, **options)


VARIANTS = [  # options, players
    (PARTNERS, 4),
    (SETBACK6, 4),
    ({**PARTNERS, "draw": "all", "follow_rule": "follow_or_trump", "hand_size": 7}, 3),
    ({**PARTNERS, "draw": "none", "trump_method": "pitch"}, 4),
    ({**SETBACK6, "jokers": 2, "kitty": 4, "trump_method": "name", "follow_rule": "trump_only", "hand_size": 2}, 4),
    ({**SETBACK6, "draw": "all", "draw_to": 3, "trump_method": "name", "joker_rank": "lowest"}, 4),
]


@pytest.mark.parametrize("options, num_players", VARIANTS)
def test_random_deals_keep_the_cards_together(options, num_players):  # TX54, TX58
    choose = random.Random(54)
    rules = PitchReferee(options, num_players).rules
    for _ in range(40):
        cards = choose.sample(deck_of(rules), len(deck_of(rules)))
        dealt = num_players * rules.hand_size
        hands = [cards[seat:dealt:num_players] for seat in range(num_players)]
        stock = cards[dealt : dealt + rules.kitty] if rules.kitty else cards[dealt:] if rules.draw != "none" else []
        deal = Deal(rules, num_players // 2, 0, hands, stock)
        while deal.phase != "over":
            deal.act(choose.choice(deal.legal()))
        where = [*deal.won_cards, *deal.hands, deal.stock.cards, deal.exchange.out_of_play if deal.exchange else []]
        assert sorted(card for place in where for card in place) == sorted([*cards[:dealt], *stock])
        awarded = sum(worth for worth, side in zip(WORTH, deal.points(), strict=True) if side is not None)
        if options is PARTNERS:
            assert awarded == 10 and not deal.stock.cards
        else:
            assert awarded <= rules.max_bid
