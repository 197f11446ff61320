"""The set of ten points, bids and moons for it, and ten-point partners."""

import random

import pytest

from card_envs.cards import card_list
from card_envs.table import Table
from tests.pitch.play import GAME, hand, legal, pips, play, points, table, tricks_won, why
from tests.rule_ids import rule_ids

TEN = {"jokers": 2, "off_jack": True, "points": "ten", "max_bid": 10}
WORTH = {name: 3 if name == "three" else 1 for name in ("ace", "two", "jack", "ten", "off-jack", "HJ", "LJ", "three")}

# --- the points --------------------------------------------------------------------------------------------------------------


@rule_ids("TX54")
@pytest.mark.parametrize("low_to, two, scores", [("taker", 0, [2, 5]), ("holder", 1, [-2, 6])])
def test_every_point_card_counts_for_its_taker_and_the_two_by_the_option(low_to, two, scores):
    """Seat 0 takes AS 2S; seat 1 takes the TS with the KS, and the 3S with the off-jack. A bid of two."""
    deal = table(["AS TS 3S", "2S KS JC"], 1, low_to=low_to, **TEN)
    play(deal, "bid 2", "pass", "name S", "AS 2S", "TS KS", "JC 3S")
    assert points(deal) == {"ace": 0, "two": two, "ten": 1, "off-jack": 1, "three": 1}
    assert deal.scores() == scores


@rule_ids("TX54", "T-A8")
@pytest.mark.parametrize("low_to, two", [("taker", 1), ("holder", 0)])
def test_the_two_from_the_kitty_is_its_players(low_to, two):
    """Seat 0 took the 2S from the kitty and leads it; seat 1 takes it with the ace."""
    deal = table(["KS 4H", "AS 5H"], 1, kitty=1, stock="2S", low_to=low_to, **TEN)
    play(deal, "bid 1", "pass", "name S", "discard 4H", "2S AS", "5H KS")
    assert points(deal) == {"ace": 1, "two": two}


@rule_ids("TX54", "T12a")
def test_the_jack_and_both_jokers_go_to_their_taker():
    """Seat 1 was dealt the three and takes none of them."""
    deal = table(["AS KS QS", "JS HJ LJ"], 1, **TEN)
    play(deal, "bid 4", "pass", "name S", "AS JS", "KS HJ", "QS LJ")
    assert points(deal) == {"ace": 0, "jack": 0, "HJ": 0, "LJ": 0} and deal.scores() == [4, 0]


def test_cards_of_other_suits_and_pips_count_nothing():
    """Seat 1 takes 14 pips in hearts and no point; the KS, highest trump in play, is none either."""
    deal = table(["KS 2H 3H", "9S TH AH"], 1, **TEN)
    play(deal, "bid 1", "pass", "name S", "KS 9S", "2H TH", "AH 3H")
    assert pips(deal) == [3, 14] and points(deal) == {} and deal.scores() == [-1, 0]


@pytest.mark.parametrize(
    "options, most",
    [
        ({}, 7 + 3),
        ({"off_jack": False}, 9),
        ({"jokers": 0}, 8),
        ({"ranks": 12}, 9),  # no two
        ({"ranks": 11}, 6),  # nor three
        ({"ranks": 4}, 5),  # ace and jack alone
    ],
)
def test_only_the_point_cards_of_the_deck_are_there(options, most):
    chosen = {**TEN, "hand_size": 2, **options}
    chosen["max_bid"] = min(10, 7 + chosen["off_jack"] + chosen["jokers"])
    assert GAME.rules(**chosen).num_points == most


@rule_ids("T-A19", "TX40")
def test_the_points_are_counted_out_in_the_order_of_the_slots():
    """Seat 2 is set; 0 and 1 reach 5 in one deal: seat 1 by the low joker, which is counted before seat 0's three."""
    hands = ["QS 3S 6H", "5S LJ 7H", "4S 2H 8H"]
    deal = table(hands, 1, [2, 4, 0], target=5, tie_rule="count_order", **TEN)
    play(deal, "bid 1", "pass", "pass", "name S", "4S QS 5S", "6H LJ 8H", "7H 2H 3S")
    assert points(deal) == {"LJ": 1, "three": 0}
    assert deal.scores() == [5, 5, -1] and deal.winners() == [1]


# --- moons -------------------------------------------------------------------------------------------------------------------


def short_moon(point_set: str) -> Table:
    """A K Q of clubs and diamonds: of the ten points the deck has the ace; the four can not all be won without a jack."""
    options = {"suits": 2, "ranks": 3, "points": point_set, "max_bid": 4, "moon": "bid"}
    return play(table(["AC QD", "KC KD"], 1, **options), "moon", "pass", "name C", "AC KC", "QD KD")


def test_a_moon_of_ten_points_takes_all_that_the_deck_has_and_may_lose_a_trick():
    won = short_moon("ten")
    assert points(won) == {"ace": 0} and tricks_won(won) == [1, 1] and won.scores() == [5, 0]
    assert short_moon("four").scores() == [-5, 0]


def test_a_moon_is_called_above_ten():
    nine = [" ".join(f"{rank}{suit}" for rank in "23456789T") for suit in "CDHS"]
    bidding = table(nine, 3, preset="partners_10pt")
    assert legal(bidding) == ["bid 10", *(f"bid {level}" for level in range(4, 10)), "moon", "pass"]
    assert why(bidding, "bid 3") == "the lowest bid is 4"
    assert legal(play(bidding, "bid 9")) == ["bid 10", "moon", "pass"]
    assert legal(play(bidding, "bid 10")) == ["moon", "pass"]
    assert legal(play(bidding, "moon")) == ["pass"] and int(bidding.record.bid) == 11
    assert why(bidding, "bid 10") == "the standing bid is moon, by seat 2, and this does not beat it"


# --- ten-point partners ------------------------------------------------------------------------------------------------------

HANDS = [  # seat 0 holds seven points, her opponent on the left the off-jack
    "AS KS QS JS TS 3S 2S HJ LJ",
    "JC 4S 5C 6C 7C 8C 9C TC QC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH",
]
STOCK = "2C 3C 4C KC AC JD QD KD AD JH QH KH AH 5S 6S 7S 8S 9S"


def partners(call: str, scores: list[int], *tricks: str) -> Table:
    """Seat 0 calls, names spades, takes the rest (8S 9S) and puts KS QS 8S 9S aside: seven point cards stay."""
    deal = table(HANDS, 3, scores, preset="partners_10pt", stock=STOCK)
    play(deal, call, "pass", "pass", "pass", "name S")
    play(deal, *(f"discard {card}" for card in ("KS", "QS", "8S", "9S")))
    return play(deal, *tricks)


ALL_TEN = ["AS JC 5S", "JS 4S 6S", "HJ 7S", "LJ TS 3S 2S"]  # the last four tricks are of one card


@rule_ids("TX54")
def test_partners_all_draw_to_six_and_the_bidder_keeps_every_point():
    """1, 2 and 3 draw 4, 6 and 6; two cards are left. Of eleven trumps seven are points: she keeps those, not six cards."""
    deal = table(HANDS, 3, preset="partners_10pt", stock=STOCK)
    play(deal, "bid 10", "pass", "pass", "pass", "name S")
    assert deal.record.drew[:4].tolist() == [2, 4, 6, 6]
    assert hand(deal, 1) == ["2C", "3C", "4C", "4S", "JC", "KC"]
    assert hand(deal, 2) == ["AC", "AD", "JD", "JH", "KD", "QD"]
    assert hand(deal, 3) == ["5S", "6S", "7S", "AH", "KH", "QH"]
    assert deal.turn == 0 and legal(deal) == ["discard 8S", "discard 9S", "discard KS", "discard QS"]
    assert why(deal, "discard 3S") == why(deal, "discard LJ") == "it counts points, and another trump can go"
    play(deal, "discard 8S", "discard 9S", "discard KS", "discard QS")
    assert deal.turn == 0 and legal(deal) == ["2S", "3S", "AS", "HJ", "JS", "LJ", "TS"]


@rule_ids("TX55")
def test_partners_who_has_no_trump_is_out():
    """Seat 2 from the start, seat 1 after two tricks: the last four tricks are the bidder's alone."""
    deal = partners("bid 10", [0, 0], "AS")
    assert deal.turn == 1 and legal(deal) == ["4S", "JC"]
    assert why(deal, "2C") == "only trumps, spades, may be played"
    play(deal, "JC")
    assert deal.turn == 3
    play(deal, "5S JS 4S")
    assert deal.turn == 3 and play(deal, "6S HJ").turn == 3
    play(deal, "7S LJ TS 3S")
    assert legal(deal) == ["2S"]
    assert play(deal, "2S").record.deal_over and tricks_won(deal) == [7, 0, 0, 0]


@rule_ids("TX54", "T19")
def test_partners_ten_points_made():
    deal = partners("bid 10", [-3, 8], *ALL_TEN)
    assert points(deal) == dict.fromkeys(WORTH, 0)
    assert deal.record.change[:2].tolist() == [10, 0] and deal.scores() == [7, 8]


@rule_ids("TX56")
@pytest.mark.parametrize("score, after, winners", [(-6, 0, []), (0, 52, [0]), (30, 52, [0]), (45, 56, [0]), (-1, 0, [])])
def test_partners_a_moon_made(score, after, winners):
    """At -6 to 0, from 0 on to 52 and won; at 45 the eleven of the moon are more."""
    deal = partners("moon", [score, 50], *ALL_TEN)
    assert deal.scores() == [after, 50] and deal.winners() == winners and deal.ended == bool(winners)


@rule_ids("TX56")
def test_partners_a_moon_failed_loses_the_match():
    """The ten is led into the off-jack; seat 1 leads the 4S, which the 7S takes with the 2S; the 6S takes the 3S.

    The two is seat 0's, who played it: 5 points of 10 to the others.
    """
    deal = partners("moon", [20, -9], "TS JC 5S", "4S 7S 2S", "6S 3S", "AS JS HJ LJ")
    lost = dict.fromkeys(("ten", "off-jack", "three"), 1)
    assert points(deal) == {**dict.fromkeys(WORTH, 0), **lost}
    assert deal.scores() == [20 - 11, -9 + 5] and deal.winners() == [1]


@rule_ids("T20")
def test_partners_a_bid_of_ten_lost():
    deal = partners("bid 10", [20, -9], "TS JC 5S", "4S 7S 2S", "6S 3S", "AS JS HJ LJ")
    assert deal.scores() == [10, -4] and deal.winners() == []


@rule_ids("T-A5", "TX11")
def test_partners_the_dealer_is_stuck_at_four():
    bidding = play(table(HANDS, 3, preset="partners_10pt", stock=STOCK), "pass", "pass", "pass")
    assert legal(bidding) == ["bid 10", *(f"bid {level}" for level in range(4, 10)), "moon"]
    assert why(bidding, "pass") == "all others have passed and the dealer, seat 3, must bid"


@rule_ids("TX54", "TX55")
def test_partners_all_ten_points_are_won_in_every_deal():
    """No point card is thrown, put aside or left in the stock: the sum is ten, whatever is played. Who is out plays nothing."""
    choose = random.Random(54)
    at = Table(GAME, GAME.rules("partners_10pt"), episode="deal")
    for seed in range(60):
        at.seed(seed)
        at.reset()
        while not at.record.deal_over:
            at.step(choose.choice(at.legal_actions()))
        assert sum(WORTH[name] for name in points(at)) == 10 == at.rules.num_points
        aside = [at.action_names[card] for seat in range(4) for card in card_list(at.record.thrown[seat])]
        trump = "CDHS"[int(at.record.trump)]
        assert not set(aside) & {f"{rank}{trump}" for rank in "AJT32"}
        played = [at.action_names[card] for seat in range(4) for card in card_list(at.record.played[seat])]
        other = "CDHS"[3 - int(at.record.trump)]
        assert all(card[1] == trump or card in ("LJ", "HJ", f"J{other}") for card in played)
        assert not ({*aside} & {"LJ", "HJ", f"J{other}"})
