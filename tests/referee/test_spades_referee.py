"""The referee for Spades alone, against the worked cases of the rule book (SX21 to SX65; scores: test_spades_scoring)."""

import random

import pytest

from .spades import SpadesReferee
from .spades_cards import RANKS, SUITS, deck_of
from .spades_positions import JJDD, OPENSPIEL, SEED, STANDARD, THREE, act, settle, start

# The first lead and the cards

FULL = [
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 4D 3D 2D 3H",
    "2C AS KH 5D 4H 5H 6H 7H 8H 9H TH JH QH",
    "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AH",
]


def bid_all(referee, *bids):
    """One bid each, looking first where that is asked."""
    for bid in bids:
        if "look" in referee.legal():
            referee.act("look")
        referee.act(bid)
    return referee


def test_the_holder_of_the_2c_leads_any_card():  # SX21, SX22
    referee = start(SEED, FULL, dealer=0)
    assert referee.to_act == 1
    bid_all(referee, "bid 3", "bid 3", "bid 3", "bid 3")
    assert referee.to_act == 2 and referee.legal() == sorted(FULL[2].split())


def test_the_2c_must_be_led():  # SX23
    assert bid_all(start(SEED, FULL, first_lead="2c_card"), *["bid 3"] * 4).legal() == ["2C"]


def test_no_spade_falls_on_the_2c():
    hands = ["2C 3C", "AS KH", "QS JS", "9C TC"]
    referee = act(bid_all(start(SEED, hands, first_lead="2c_card"), *["bid 1"] * 4), "2C")
    assert referee.legal() == ["KH"]
    assert act(referee, "KH").legal() == ["JS", "QS"]  # nothing else in hand


@pytest.mark.parametrize("first_lead, leader", [("left_of_dealer", 2), ("dealer", 1), ("seat_0", 0), ("2c_holder", 3)])
def test_who_leads_first(first_lead, leader):
    hands = ["2H", "2D", "2S", "3C"]  # nobody holds the 2C, and the 3C takes its role
    assert bid_all(start(SEED, hands, dealer=1, first_lead=first_lead), *["bid 1"] * 4).to_act == leader


def following(options, led, hand, **changes):
    """What seat 1 may play to this lead, spades not broken; the hands of the others are of no account."""
    referee = start(options, ["AC KC QC", hand, "4C 3C 8C", "5C 6C 7C"], **{"first_lead": "left_of_dealer", **changes})
    referee.deal.phase, referee.deal.to_act, referee.deal.trick = "play", 1, [(0, led)]
    return referee.legal()


def test_following_suit():  # SX24, SX25, SX59
    assert following(SEED, "3D", "AS 4S 9H") == ["4S", "9H", "AS"]
    assert following(SEED, "3H", "AS 4S 9H") == ["9H"]
    assert following(JJDD, "9S", "2D KD 4H") == ["2D"]
    assert following(JJDD, "9D", "2D KD 4H") == ["KD"]


@pytest.mark.parametrize(
    "options, trick, winner",
    [
        (SEED, "TH KH 2S AH", 2),  # SX26
        (SEED, "TH KH 2C AH", 3),
        (SEED, "9D AS 2S KD", 1),  # SX27
        (JJDD, "AS LJ 2D KS", 1),  # SX60
        (JJDD, "AS LJ 2D HJ", 3),
        (JJDD, "AS 2S 2D KS", 2),
        (JJDD, "AD 2S AS KD", 1),
    ],
)
def test_who_wins_a_trick(options, trick, winner):
    deal = start(options).deal
    deal.trick = list(enumerate(trick.split()))
    assert deal.trick_winner() == winner


def leading(hand, past_tricks=(), **changes):
    referee = start(STANDARD, [hand, "2C 3C 4C", "5C 6C 7C", "8C 9C TC"], **changes)
    referee.deal.phase, referee.deal.to_act = "play", 0
    referee.deal.past_tricks = [trick.split() for trick in past_tricks]
    return referee


def test_spades_are_led_when_broken():  # SX48, SX49, SX50
    assert leading("AS 9S 4H").legal() == ["4H"]
    assert leading("AS 9S 3S").legal() == ["3S", "9S", "AS"]
    assert leading("AS 9S 4H", ["2H KH 2S AH"]).legal() == ["4H", "9S", "AS"]
    assert leading("AS 9S 4H", ["2S 3S 4S AS"]).legal() == ["4H", "9S", "AS"]  # led from an all-spade hand
    assert leading("AS 9S 4H", ["2H KH 2S AH"], break_rule="never").legal() == ["4H"]
    assert leading("AS 9S 4H", break_rule="none").legal() == ["4H", "9S", "AS"]


def test_the_lowest_club():  # SX61
    hands = ["9D 3S", "JC 5C", "2S AS", "TC AC"]
    referee = bid_all(start(STANDARD, hands, first_lead="lowest_club"), *["bid 1"] * 4)
    assert referee.to_act == 0 and referee.legal() == ["9D"]
    assert act(referee, "9D").legal() == ["5C"]
    assert act(referee, "5C").legal() == ["2S", "AS"]  # nothing but spades
    act(referee, "AS")
    assert referee.legal() == ["TC"]
    assert act(referee, "TC").tricks_won == [0, 0, 0, 1]  # the highest club, not the spade


def test_where_no_club_is_in_play_the_first_trick_is_as_any():
    hands = ["9D 3S", "JH 5D", "2S AH", "TD AD"]
    referee = act(bid_all(start(SEED, hands, first_lead="lowest_club"), *["bid 1"] * 4), "9D")
    assert referee.legal() == ["5D"]
    act(referee, "5D")
    assert referee.legal() == ["2S", "AH"]
    assert act(referee, "2S", "AD").tricks_won == [0, 0, 1, 0]


# The bids


def test_blind_nil_comes_before_the_look():  # SX28
    referee = start(SEED)
    assert referee.legal() == ["blind nil", "look"] and not referee.deal.sees_own_hand(0)
    act(referee, "look")
    assert referee.deal.sees_own_hand(0)
    assert referee.legal() == sorted(["nil", *(f"bid {number}" for number in range(1, 14))])
    assert start(SEED, blind_nil=0).legal() == referee.legal()


@pytest.mark.parametrize("scores, offered", [([180, 285], True), ([180, 279], False), ([0, 0], False)])
def test_blind_nil_for_those_behind(scores, offered):  # SX53
    referee = start(STANDARD, scores=scores)
    assert ("blind nil" in referee.legal()) == offered and ("look" in referee.legal()) == offered


def test_the_cap_of_a_team():  # SX52
    referee = act(start(STANDARD), "bid 9", "bid 1")
    assert referee.legal() == ["bid 1", "bid 2", "bid 3", "bid 4", "nil"]


def test_the_least_bid_of_a_team():
    assert act(start(STANDARD, team_bid_min=4), "nil", "bid 1").legal() == sorted(f"bid {n}" for n in range(4, 14))
    assert act(start(STANDARD, team_bid_min=4), "bid 2", "bid 1").legal() == sorted(f"bid {n}" for n in range(2, 12))
    assert "nil" in act(start(STANDARD, team_bid_min=4), "bid 4", "bid 1").legal()


def test_double_nil_may_be_forbidden():
    assert "nil" in act(start(STANDARD), "nil", "bid 1").legal()
    assert "nil" not in act(start(STANDARD, double_nil=False), "nil", "bid 1").legal()
    referee = act(start(SEED, double_nil=False), "blind nil", "blind nil")  # nor a blind one, so there is nothing to ask
    assert referee.legal() == sorted(f"bid {number}" for number in range(1, 14))


def test_the_last_bidder_and_the_forbidden_total():
    referee = act(start(THREE, dealer=2, forbidden_total=17), "bid 9", "bid 5")
    assert "bid 3" not in referee.legal() and "bid 2" in referee.legal()


def test_suicide():  # SX55, SX56
    suicide = {"bid_restriction": "suicide", "blind_nil": 0, "team_bid_cap": 13}
    from_four = sorted(f"bid {number}" for number in range(4, 14))
    assert start(STANDARD, **suicide).legal() == [*from_four, "nil"]
    assert act(start(STANDARD, **suicide), "nil", "nil").legal() == from_four
    assert act(start(STANDARD, **suicide), "bid 5", "nil").legal() == ["nil"]


def test_whiz_and_mirror():  # SX57, SX58
    hands = ["AS KS 4S 2S 3H", "AD KD QD JD 2D", "3S 5S 6S 3C 4C", "2C 7C 8C 9C TC"]
    whiz = start(STANDARD, hands, bid_restriction="whiz", blind_nil=0)
    assert whiz.legal() == ["bid 4", "nil"]
    assert act(whiz, "bid 4").legal() == ["nil"]
    mirror = start(STANDARD, hands, bid_restriction="mirror", blind_nil=0)
    assert mirror.legal() == ["bid 4"]
    assert act(mirror, "bid 4").legal() == ["nil"]
    assert act(mirror, "nil").legal() == ["bid 3"]


def test_the_high_bidder_names_trump():
    hands = ["AS 2H", "KD 3D", "3S 4C", "2C 4H"]
    referee = act(start(SEED, hands, trump="high_bidder", blind_nil=0), "nil", "bid 1", "bid 1", "nil")
    assert referee.to_act == 1 and referee.legal() == ["name C", "name D", "name H", "name S"]
    act(referee, "name D")
    assert referee.to_act == 3
    assert act(referee, "4H", "2H", "3D", "3S").tricks_won == [0, 1, 0, 0]
    nils = act(start(SEED, hands, trump="high_bidder", blind_nil=0), "nil", "nil", "nil", "nil")
    assert nils.deal.trump == "S" and nils.to_act == 3


def test_a_blind_number_is_the_bid_of_both_partners():
    referee = start(STANDARD, scores=[0, 100], blind_bid="six_seven")
    assert referee.legal() == ["blind 6", "blind 7", "blind nil", "look"]
    act(referee, "blind 6", "bid 3")
    assert referee.to_act == 3 and act(referee, "bid 3").deal.phase == "play"  # seat 2 is not asked
    assert "blind 6" not in act(start(STANDARD, scores=[0, 100], blind_bid="six_seven"), "look", "bid 3", "bid 3").legal()


def test_the_first_hand_bids_itself():
    hands = ["AS", "KS", "QS", "2C"]
    referee = act(start(SEED, hands, first_hand_bids=True), "2C", "AS", "KS", "QS")
    assert referee.deal_scores == [[10, 0]] and referee.bags == [0, 0]
    referee.start_deal(0, [hand.split() for hand in hands])
    assert referee.legal() == ["blind nil", "look"] and referee.to_act == 1


def test_partners_exchange_cards_after_a_blind_nil():
    hands = ["AS KH QH", "2C 3C 4C", "2D 3D 4D", "5C 6C 7C"]
    referee = start(STANDARD, hands, scores=[0, 100])
    act(referee, "blind nil", "bid 1", "look", "bid 1", "bid 1")
    assert referee.to_act == 0 and referee.legal() == ["give AS", "give KH", "give QH"]
    act(referee, "give AS")
    assert referee.to_act == 0 and "AS" not in referee.deal.hands[2]
    act(referee, "give KH")
    assert referee.to_act == 2 and len(referee.legal()) == 5
    act(referee, "give KH", "give 2D")  # a card just received may go back
    assert sorted(referee.deal.hands[0]) == ["2D", "KH", "QH"] and referee.to_act == 0
    assert referee.deal.phase == "play"


def test_two_blind_nils_exchange_nothing():
    hands = ["AS KH QH", "2C 3C 4C", "2D 3D 4D", "5C 6C 7C"]
    referee = act(start(STANDARD, hands, scores=[0, 100]), "blind nil", "bid 1", "blind nil", "bid 1")
    assert referee.deal.phase == "play"


# The end of the match


@pytest.mark.parametrize(
    "options, scores, bids, tricks, winners",
    [
        (SEED, [498, 499], ["3", "4", "4", "4"], [3, 4, 4, 4], [1]),  # SX29: 505 and 507
        (SEED, [498, 499], ["5", "4", "4", "4"], [5, 4, 4, 4], []),  # 507 each: another hand
        ({**SEED, "end_tie": "share"}, [498, 499], ["5", "4", "4", "4"], [5, 4, 4, 4], [0, 1]),
        (STANDARD, [-140, 0], ["3", "3", "3", "3"], [2, 4, 3, 4], [1]),  # SX54: -200
        (STANDARD, [-139, 0], ["3", "3", "3", "3"], [2, 4, 3, 4], []),
        (STANDARD, [-190, -190], ["6", "6", "6", "6"], [6, 1, 5, 1], [0, 1]),  # both fall, to the same score
        (STANDARD, [-190, -180], ["6", "6", "6", "6"], [6, 1, 5, 1], [1]),
        ({**STANDARD, "moon": 200, "moon_wins": True}, [0, 400], ["7", "N", "6", "N"], [7, 0, 6, 0], [0]),
    ],
)
def test_who_wins_the_match(options, scores, bids, tricks, winners):
    referee = settle(start(options, scores=scores), bids, tricks)
    assert referee.winners == winners and referee.match_over == bool(winners) and not referee.truncated


def test_the_last_hand_truncates_the_match():
    referee = settle(start(OPENSPIEL, scores=[10, 0]), ["3", "4", "3", "3"], [3, 4, 3, 3])
    assert referee.truncated and referee.match_over and referee.scores == [70, 70] and referee.winners == [0, 1]


# Invariants and refusals


@pytest.mark.parametrize("options", [SEED, STANDARD, OPENSPIEL, THREE, JJDD])
def test_random_matches_keep_tricks_and_scores_together(options):  # SX65
    choose = random.Random(65)
    for _ in range(10):
        referee = SpadesReferee({**options, "max_hands": 3}, options["num_players"])
        dealer = choose.randrange(referee.num_players)
        while not referee.match_over:
            deck = deck_of(referee.rules, referee.num_players)
            choose.shuffle(deck)
            referee.start_deal(dealer, [deck[seat :: referee.num_players] for seat in range(referee.num_players)])
            while not referee.deal_over:
                referee.act(choose.choice(referee.legal()))
            assert sum(referee.tricks_won) == len(deck) // referee.num_players
            assert sorted(card for trick in referee.deal.past_tricks for card in trick) == sorted(deck)
            dealer = referee.next_dealer
        assert referee.scores == [sum(changes) for changes in zip(*referee.deal_scores, strict=True)]


def test_what_is_refused():
    referee = start(SEED)
    with pytest.raises(ValueError, match="bid 5"):
        referee.act("bid 5")
    with pytest.raises(ValueError, match="2C"):
        start(THREE, ["2C", "3C", "4C"])
    assert [rank + suit for suit in SUITS for rank in RANKS] == deck_of(referee.rules, 4)
