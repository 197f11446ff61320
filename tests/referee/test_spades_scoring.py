"""The referee's arithmetic of Spades, against the worked cases of the rule book (SX01 to SX47, SX64)."""

import pytest

from .spades_positions import OPENSPIEL, SEED, STANDARD, THREE, settle, start


def hand_of_a_side(options, bids, tricks, bags=0, **changes):
    """(change of the score, bags after) of the side of seats 0 and 2; the other side bids 1 and takes the rest."""
    (a, b), (x, y) = bids.split("/"), (int(number) for number in tricks.split("/"))
    referee = settle(start(options, bags=[bags, 0], **changes), [a, "1", b, "N"], [x, 13 - x - y, y, 0])
    return referee.deal_scores[-1][0], referee.bags[0]


@pytest.mark.parametrize(
    "bids, tricks, bags, changes, score, bags_after",
    [
        ("4/3", "4/3", 0, {}, 7, 0),  # SX01
        ("4/3", "6/1", 0, {}, 3, 2),  # SX02
        ("4/3", "6/1", 0, {"contract_scope": "team"}, 7, 0),  # SX03
        ("4/3", "5/3", 0, {}, 7, 0),  # SX04
        ("5/2", "3/2", 0, {}, 3, 2),  # SX05
        ("5/2", "3/2", 0, {"failed_bid": "zero"}, 0, 2),  # SX06
        ("5/2", "3/2", 0, {"bag_count": "one"}, 4, 1),  # SX07
        ("5/2", "3/2", 0, {"bag_count": "bid"}, 0, 5),
        ("5/2", "3/2", 0, {"bag_source": "none"}, 5, 0),
        ("N/5", "0/5", 0, {}, 105, 0),  # SX08
        ("N/5", "2/5", 0, {}, 3, 2),  # SX09
        ("N/5", "2/5", 0, {"bag_count": "one"}, 4, 1),
        ("N/5", "2/5", 0, {"nil_fail": "minus"}, -95, 0),  # SX10
        ("N/5", "2/5", 0, {"nil_fail": "none"}, 5, 0),
        ("B/4", "0/4", 0, {}, 204, 0),  # SX11
        ("B/4", "1/4", 0, {}, 3, 1),
        ("N/N", "0/0", 0, {}, 200, 0),  # SX12
        ("N/N", "1/3", 0, {}, -4, 4),
        ("N/N", "1/0", 0, {"double_nil_score": "unit"}, -200, 0),
        ("6/7", "5/8", 0, {}, 26, 0),  # SX13
        ("6/7", "5/8", 0, {"double_13": False}, 11, 1),  # 5 + 7 - 1
        ("6/7", "5/8", 0, {"trick_score": "ten_x_bid", "bag_source": "overtricks", "overtrick_points": 1}, 260, 0),
        ("6/7", "6/6", 0, {}, 11, 1),  # SX14
        ("13/1", "12/1", 0, {}, -27, 13),  # SX16
        ("13/1", "12/1", 0, {"bag_over": "all"}, -117, 13),  # 13 - 130
        ("13/1", "12/1", 0, {"fail_13_bags": 0}, 12, 1),
        ("13/N", "10/0", 0, {}, 70, 13),  # SX18
        ("13/N", "12/1", 0, {}, 25, 1),  # S24 beside a failed nil: 26 - 1
        ("5/2", "4/2", 10, {}, -4, 11),  # SX20
        ("5/2", "4/2", 10, {"bag_scope": "hand"}, 5, 1),
        ("5/2", "4/2", 10, {"bag_over": "all"}, -94, 11),  # 6, and 110 for all bags, of which 10 are paid
    ],
)
def test_the_seed_is_scored(bids, tricks, bags, changes, score, bags_after):
    assert hand_of_a_side(SEED, bids, tricks, bags, **changes) == (score, bags_after)


@pytest.mark.parametrize(
    "bids, tricks, bags, changes, score, bags_after",
    [
        ("4/5", "5/5", 0, {}, 91, 1),  # SX31
        ("3/3", "4/5", 9, {}, -37, 2),  # SX32
        ("4/3", "6/1", 0, {}, 70, 0),  # SX34
        ("4/3", "3/3", 0, {}, -70, 0),  # SX35
        ("4/3", "5/4", 9, {}, -28, 1),  # SX36
        ("1/1", "7/6", 0, {}, -69, 1),  # SX37
        ("1/1", "7/6", 9, {}, -169, 0),  # 20 + 11 - 200
        ("2/1", "6/5", 3, {}, -62, 1),  # SX39: 30 + 8 - 100
        ("N/5", "0/6", 0, {}, 151, 1),  # SX40
        ("N/5", "2/4", 0, {}, -148, 2),  # SX41
        ("N/5", "2/4", 0, {"failed_nil_tricks": "helps_bid"}, -49, 1),
        ("N/5", "2/4", 0, {"failed_nil_tricks": "ignore"}, -150, 0),
        ("N/5", "2/5", 0, {}, -48, 2),  # SX42
        ("N/5", "2/5", 0, {"failed_nil_tricks": "helps_bid"}, -48, 2),
        ("N/5", "2/5", 0, {"failed_nil_tricks": "ignore"}, -50, 0),
        ("B/4", "0/4", 0, {}, 240, 0),  # SX43
        ("B/4", "1/4", 0, {}, -159, 1),
        ("N/N", "0/3", 0, {"double_nil_score": "unit"}, -200, 0),
        ("N/N", "1/3", 0, {"double_nil_score": "unit", "failed_nil_tricks": "helps_bid"}, -200, 0),
        ("N/N", "0/3", 0, {}, 3, 3),  # 100 - 100 + 3
        ("N/N", "0/3", 0, {"failed_nil_tricks": "helps_bid"}, 3, 3),  # a bid of nothing, three above it
        ("6/4", "6/4", 0, {"ten_for_200": True}, 200, 0),  # SX45
        ("6/4", "6/3", 0, {"ten_for_200": True}, -200, 0),
        ("6/4", "6/5", 0, {"ten_for_200": True}, 201, 1),
        ("7/6", "7/6", 0, {"moon": 200}, 200, 0),  # SX46
        ("7/6", "7/5", 0, {"moon": 200}, -130, 0),
        ("7/6", "7/5", 0, {"moon": 200, "moon_fail": "same"}, -200, 0),
        ("3/3", "3/4", 4, {"bag_limit": 5, "bag_penalty": 50}, 11, 0),  # SX47
        ("3/3", "3/4", 4, {"bag_source": "none"}, 61, 4),
        ("3/3", "3/5", 0, {"overtrick_points": -1}, 58, 2),
    ],
)
def test_the_standard_game_is_scored(bids, tricks, bags, changes, score, bags_after):
    assert hand_of_a_side(STANDARD, bids, tricks, bags, **changes) == (score, bags_after)


def test_openspiel_counts_a_failed_nil_toward_the_bid():  # SX33
    assert hand_of_a_side(OPENSPIEL, "13/N", "4/1") == (-230, 0)


def test_the_bag_count_is_not_the_last_digit_of_a_negative_score():  # SX39
    referee = settle(start(STANDARD, scores=[-37, 0], bags=[3, 0]), ["2", "1", "1", "1"], [6, 1, 5, 1])
    assert referee.scores[0] == -37 + 30 + 8 - 100 and referee.bags[0] == 1


def test_three_players_alone():  # SX64, SX65
    referee = settle(start(THREE, dealer=2), ["5", "5", "5"], [7, 5, 5])
    assert referee.deal_scores == [[52, 50, 50]] and referee.bags == [2, 0, 0]
    assert [len(hand) for hand in referee.deal.hands] == [17, 17, 17]


@pytest.mark.parametrize(
    "bid, tricks, score, bags",
    [("blind 6", [4, 5, 2, 2], 120, 0), ("blind 7", [4, 3, 5, 1], 142, 2), ("blind 7", [4, 5, 2, 2], -70, 0)],
)
def test_a_blind_number_made_counts_twice(bid, tricks, score, bags):
    referee = start(STANDARD, scores=[0, 100], blind_bid="six_seven")
    referee.deal.bids = [bid, 3, None, 3]
    referee.deal.tricks_won, referee.deal.phase = tricks, "over"
    referee.finish_deal()
    assert referee.deal_scores[0][0] == score and referee.bags[0] == bags
