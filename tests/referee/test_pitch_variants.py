"""The Pitch referee's jokers, off-jack, point sets and moons, by hand (TX48 to TX56). Kitty and draws: test_pitch_exchange."""

import pytest

from .pitch_adapter import is_poor
from .pitch_positions import PARTNERS, SEED, SETBACK6, act, start

OFF_JACK = {**SEED, "off_jack": True}
JOKERS = {**SEED, "jokers": 2, "off_jack": True}
TEN = {**JOKERS, "points": "ten", "max_bid": 10}


def following(led, hand, options, **changes):
    """What seat 1 may play to this lead with spades trump; her other cards are of no account."""
    referee = start([" ".join(["AD", "KD", "QD", "TD"][: len(hand.split())]), hand], dealer=1, options=options, **changes)
    referee.deal.trump, referee.deal.phase, referee.deal.to_act = "S", "play", 1
    referee.deal.trick, referee.deal.first_lead = [(0, led)], False
    return referee.legal()


# What is trump


@pytest.mark.parametrize(
    "led, hand, follow_rule, cards",
    [
        ("5S", "JC 4H", "follow_or_trump", "JC"),  # TX50
        ("5C", "JC 9C 4H", "follow_or_trump", "9C JC"),  # TX51
        ("5C", "JC 9C 4H", "strict", "9C"),  # TX51
        ("5C", "JC 4H", "strict", "4H JC"),  # the jack is no club, so she has none
        ("JC", "9C KS 4H", "strict", "KS"),  # led as a trump
        ("JC", "9C 4H", "strict", "4H 9C"),
        ("5S", "LJ 4H", "strict", "LJ"),
        ("HJ", "9C KS 4H", "strict", "KS"),
        ("5H", "LJ HJ 4H", "follow_or_trump", "4H HJ LJ"),
        ("5H", "LJ HJ 4H", "strict", "4H"),
        ("5S", "JC LJ JD", "trump_only", "JC LJ"),
    ],
)
def test_off_jack_and_jokers_follow_as_trumps(led, hand, follow_rule, cards):
    assert following(led, hand, JOKERS, follow_rule=follow_rule) == cards.split()


def test_without_the_option_the_other_jack_is_of_its_suit():
    assert following("5C", "JC 4H", SEED) == ["JC"]


@pytest.mark.parametrize(
    "trump, trick, rank, winner",
    [
        ("S", "KS JC JS", "above_ten", 0),  # TX52
        ("S", "JC JS 9S", "above_ten", 1),  # TX52
        ("S", "TS LJ QS", "above_ten", 2),  # TX53
        ("S", "TS LJ 9S", "above_ten", 1),  # TX53
        ("S", "LJ HJ TS", "above_ten", 1),
        ("S", "HJ JC LJ", "above_ten", 1),
        ("S", "2S LJ HJ", "lowest", 0),
        ("S", "LJ HJ 4H", "lowest", 1),
        ("S", "JC TS HJ", "lowest", 0),
        ("S", "AH LJ KH", "lowest", 1),
        ("C", "JC JS KH", "above_ten", 0),
        ("D", "TD JH JS", "above_ten", 1),
        ("H", "AD JD KD", "above_ten", 1),
        ("H", "AC JC JS", "above_ten", 0),  # the black jacks are plain cards
    ],
)
def test_who_takes_a_trick(trump, trick, rank, winner):
    referee = start(["AH", "KH", "QH"], dealer=2, options=JOKERS, joker_rank=rank)
    referee.deal.trump = trump
    referee.deal.trick = list(enumerate(trick.split()))
    assert referee.deal.trick_winner() == winner


# Naming, pitching, leading


@pytest.mark.parametrize(
    "hand, suits, names",
    [
        ("JH LJ 2C", 4, "CH"),  # a jack of hearts is a heart to name by, whatever it may become
        ("HJ LJ", 4, "CDHS"),
        ("HJ LJ", 2, "CD"),
    ],
)
def test_naming_needs_a_natural_card(hand, suits, names):
    other = "2D 3D 4D" if len(hand.split()) == 3 else "2D 3D"
    referee = act(start([hand, other], dealer=1, options=JOKERS, suits=suits), "bid 1", "pass")
    assert referee.legal() == [f"name {suit}" for suit in names]


def test_pitching_needs_a_natural_card():
    referee = act(start(["LJ 5S JH", "KH JD 2S"], dealer=1, options=JOKERS, trump_method="pitch"), "bid 1", "pass")
    assert referee.legal() == ["5S", "JH"]
    assert act(referee, "JH").trump == "H" and referee.legal() == ["JD", "KH"]  # the JD is the off-jack


def test_who_holds_only_jokers_names_instead_of_pitching():
    referee = act(start(["LJ HJ", "KD 2S"], dealer=1, options=JOKERS, trump_method="pitch"), "bid 1", "pass")
    assert referee.trump is None and referee.legal() == ["name C", "name D", "name H", "name S"]
    act(referee, "name D")
    assert referee.trump == "D" and referee.to_act == 0 and referee.legal() == ["HJ", "LJ"]
    assert act(referee, "LJ").legal() == ["KD"]


@pytest.mark.parametrize(
    "hand, joker_opens, leads",
    [
        ("KS LJ 4H", False, "KS"),
        ("JC HJ 4H 2S", False, "2S JC"),
        ("KS LJ 4H", True, "KS LJ"),
        ("LJ HJ JC 4H", True, "HJ JC LJ"),
        ("LJ HJ JC 4H", False, "JC"),  # another trump, if not a spade
    ],
)
def test_the_first_lead(hand, joker_opens, leads):
    other = " ".join(["2D", "3D", "4D", "5D"][: len(hand.split())])
    referee = start([hand, other], dealer=1, options=JOKERS, joker_opens=joker_opens)
    act(referee, "bid 1", "pass")
    referee.deal.name_trump("S")
    assert referee.legal() == leads.split()


def test_a_joker_may_be_led_later_and_is_followed_as_trump():
    referee = start(["KS LJ 4H", "2S TS 4D"], dealer=1, options=JOKERS)
    act(referee, "bid 1", "pass", "name S", "KS", "2S")
    assert referee.legal() == ["4H", "LJ"]
    assert act(referee, "LJ").legal() == ["TS"]
    trump_only = start(["KS LJ 4H", "2S TS 4D"], dealer=1, options=JOKERS, follow_rule="trump_only")
    assert act(trump_only, "bid 1", "pass", "name S", "KS", "2S").legal() == ["LJ"]


# Four points and more


def test_off_jack_and_jokers_are_a_point_each():
    """Seat 0 takes KS JC and, with the LJ, 3D (4 pips); seat 1 takes 2H with the TS (10 pips), which is low."""
    referee = start(["KS 2H LJ", "JC TS 3D"], dealer=1, options=JOKERS)
    act(referee, "bid 3", "pass", "name S", "KS", "JC", "2H", "TS", "3D", "LJ")
    assert referee.deal.points() == [0, 1, None, 1, 0, None, 0, None]
    assert referee.deal_scores == [[3, 2]]


def test_a_joker_can_be_high_but_never_low():
    referee = start(["LJ", "HJ"], dealer=1, options=JOKERS, trump_method="pitch")
    act(referee, "bid 1", "pass", "name D", "LJ", "HJ")
    assert referee.deal.points() == [1, None, None, None, None, 1, 1, None]
    assert referee.deal_scores == [[-1, 3]]

    lowest = start(["2S 4H", "LJ 3H"], dealer=1, options=JOKERS, joker_rank="lowest")
    act(lowest, "bid 1", "pass", "name S", "2S", "LJ", "4H", "3H")
    assert lowest.deal.points() == [0, 0, None, None, None, None, 0, None]


@pytest.mark.parametrize("low_to, low_side, change", [("taker", 0, [5, 0]), ("holder", 1, [4, 1])])
def test_the_off_jack_may_be_low(low_to, low_side, change):
    referee = start(["JS", "JC"], dealer=1, options=OFF_JACK, low_to=low_to)
    act(referee, "bid 4", "pass", "name S", "JS", "JC")
    assert referee.deal.points() == [0, low_side, 0, 0, 0, None, None, None]
    assert referee.deal_scores == [change]


# Ten points


@pytest.mark.parametrize("low_to, two_side, change", [("taker", 0, [2, 5]), ("holder", 1, [-2, 6])])
def test_the_ten_point_set(low_to, two_side, change):
    """Seat 0 takes AS 2S, seat 1 the TS with the KS and the 3S with the JC. No jack, no jokers, no point for pips."""
    referee = start(["AS TS 3S", "2S KS JC"], dealer=1, options=TEN, low_to=low_to)
    act(referee, "bid 2", "pass", "name S", "AS", "2S", "TS", "KS", "JC", "3S")
    assert referee.deal.points() == [0, two_side, None, 1, 1, None, None, 1]
    assert referee.deal_scores == [change]


def test_counting_out_the_ten_points():
    """Seat 2 is set, 0 and 1 reach 5 after the same deal: seat 1 by the low joker, which is counted before seat 0's three."""
    hands = ["QS 3S 6H", "5S LJ 7H", "4S 2H 8H"]
    referee = start(hands, dealer=1, scores=[2, 4, 0], options=TEN, target=5, tie_rule="count_order")
    act(referee, "bid 1", "pass", "pass", "name S", "4S", "QS", "5S", "6H", "LJ", "8H", "7H", "2H", "3S")
    assert referee.deal.points() == [None, None, None, None, None, None, 1, 0]
    assert referee.scores == [5, 5, -1] and referee.winners == [1]


# Bids and moons


def test_bids_up_to_ten():
    nine = ["2C 3C 4C 5C 6C 7C 8C 9C TC", "2D 3D 4D 5D 6D 7D 8D 9D TD", "2H 3H 4H 5H 6H 7H 8H 9H TH"]
    hands = [*nine, "2S 3S 4S 5S 6S 7S 8S 9S TS"]
    referee = start(hands, dealer=3, stock="JC QC KC AC JD QD KD AD JH QH KH AH JS QS KS AS LJ HJ", options=PARTNERS)
    assert referee.legal() == ["bid 10", *(f"bid {level}" for level in range(4, 10)), "moon", "pass"]
    assert act(referee, "bid 9").legal() == ["bid 10", "moon", "pass"]
    assert act(referee, "bid 10").legal() == ["moon", "pass"]
    assert act(referee, "moon").legal() == ["pass"] and referee.deal.standing_bid == 11


@pytest.mark.parametrize(
    "steal, standing, calls",
    [
        ("four_only", "bid 4", ["bid 4", "bid 5", "bid 6", "pass"]),
        ("four_only", "bid 5", ["bid 6", "pass"]),
        ("below_four", "bid 3", ["bid 3", "bid 4", "bid 5", "bid 6", "pass"]),
        ("below_four", "bid 4", ["bid 5", "bid 6", "pass"]),
        ("below_four", "bid 5", ["bid 6", "pass"]),  # five is not below four
        ("any", "bid 6", ["bid 6", "pass"]),
    ],
)
def test_stealing_higher_bids(steal, standing, calls):
    referee = start(["AS", "KS"], dealer=1, options=JOKERS, max_bid=6, dealer_steal=steal)
    assert act(referee, standing).legal() == calls


def six_point_moon(last_cards, scores=(0, 0), **changes):
    """Seat 0 takes all six points in three tricks; the fourth is led by her first last card."""
    mine, theirs = last_cards
    options = {**JOKERS, "jokers": 1, "max_bid": 6, "moon": "bid", **changes}
    referee = start([f"AS JS LJ {mine}", f"2S JC 3D {theirs}"], dealer=1, scores=list(scores), options=options)
    return act(referee, "moon", "pass", "name S", "AS", "2S", "JS", "JC", "LJ", "3D", mine, theirs)


def test_a_moon_of_six_points_needs_every_trick():
    made = six_point_moon(("5D", "4D"))
    assert made.deal.points() == [0, 0, 0, 0, 0, None, 0, None] and made.bid == 7
    assert made.scores == [7, 0]  # one more than the highest bid, since that is more than five
    failed = six_point_moon(("4D", "5D"))
    assert failed.deal.points() == [0, 0, 0, 0, 0, None, 0, None] and failed.scores == [-7, 0]
    won = six_point_moon(("5D", "4D"), (6, 0), moon_made="game")
    assert won.scores == [13, 0] and won.winners == [0]
    lifted = six_point_moon(("5D", "4D"), (-3, 0), moon_made="game")
    assert lifted.scores == [0, 0] and lifted.winners == []


def test_a_moon_needs_the_points_of_all_options():
    """One joker is not dealt, or the pack has no off-jack: the moon fails."""
    assert six_point_moon(("5D", "4D"), jokers=2).scores == [-7, 0]
    referee = start(["AC JC", "2C 3D"], dealer=1, options=OFF_JACK, suits=3, max_bid=5, moon="bid")
    act(referee, "moon", "pass", "name C", "AC", "2C", "JC", "3D")
    assert referee.deal.points() == [0, 0, 0, 0, None, None, None, None] and referee.scores == [-6, 0]


@pytest.mark.parametrize("points, change", [("ten", [5, 0]), ("four", [-5, 0])])
def test_a_moon_of_ten_points_takes_those_of_the_pack(points, change):
    """The pack is A K Q of clubs and diamonds: of ten points it has the ace alone, and a trick may be lost.

    Of four points seat 0 takes High (AC), Low (KC) and Game (pips 7 : 5); there is no jack.
    """
    options = {**OFF_JACK, "suits": 2, "ranks": 3, "max_bid": 4, "points": points, "moon": "bid"}
    referee = act(start(["AC QD", "KC KD"], dealer=1, options=options), "moon", "pass", "name C", "AC", "KC", "QD", "KD")
    assert referee.scores == change


def test_four_points_win_whatever_else_counts():
    """Seat 0 takes High, Low, Jack and Game. The joker, which seat 1 takes, does not matter."""
    referee = start(["AS JS 4H", "2S LJ 3D"], dealer=1, options=JOKERS, moon="four_points")
    act(referee, "bid 4", "pass", "name S", "AS", "2S", "4H", "LJ", "3D", "JS")
    assert referee.deal.points() == [0, 0, 0, 0, None, None, 1, None]
    assert referee.scores == [4, 1] and referee.winners == [0]


# setback6


def test_setback6():
    """All pass, the dealer bids. Side 1 takes all five points that are in play."""
    hands = ["JC 2H", "9S AH", "5C 4H", "AS LJ"]
    referee = act(start(hands, dealer=3, scores=[22, 17], options=SETBACK6), "pass", "pass", "pass")
    assert referee.legal() == ["bid 2", "bid 3", "bid 4", "bid 5", "bid 6"]
    act(referee, "bid 2")
    assert referee.legal() == ["AS"]  # the joker is not to be pitched
    act(referee, "AS", "JC", "9S", "5C")
    assert referee.legal() == ["LJ"]
    act(referee, "LJ", "2H", "AH", "4H")
    assert referee.deal.points() == [1, 1, None, 1, 1, None, 1, None]
    assert referee.scores == [22, 22] and referee.winners == [1]  # side 0 was there before, but did not bid


def test_only_the_bidder_can_win_setback6():  # TX48
    referee = start(["5S", "AS", "6S", "7S"], dealer=3, scores=[0, 19], options=SETBACK6)
    act(referee, "bid 2", "pass", "pass", "pass", "5S", "AS", "6S", "7S")
    assert referee.scores == [-2, 22] and not referee.match_over


def test_a_joker_saves_a_poor_hand():
    assert is_poor([0, 7]) and not is_poor([0, 8]) and not is_poor([0, 52]) and not is_poor([53])
