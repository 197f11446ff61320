"""The referee of Pit alone: the options that no worked case of the rule book shows."""

import random

import pytest

from .pit_rounds import THREE_TRICKS, TOP_HAND, act, next_deal, play_out, score_round, settle, shuffled, start, void_round


def test_trump_once():
    referee = act(shuffled(trump="once", upcard_suit="H"), *["pass"] * 4)
    next_deal(referee, 3, upcard_suit="C")
    assert referee.trump == "H" and referee.upcard[1] == "C"


def test_a_rotated_deal_forces_the_left_of_the_new_dealer():
    referee = void_round(void_rotates_deal=True)
    assert referee.next_dealer == 0 and referee.forced
    next_deal(referee, 0)
    assert referee.to_act == 1 and referee.legal() == ["bid 3", "bid 3 alone"]


def test_all_pass_and_stuck_at_once():
    referee = void_round(all_pass="forced_now", min_bid=2)
    assert (referee.contractor, referee.bid, referee.alone, referee.to_act) == (0, 2, False, 0)
    assert len(referee.legal()) == 7 and not referee.forced


def test_reentry_of_who_passed_without_a_bid():
    referee = act(shuffled(pass_reentry=True), "pass", "bid 3", "pass", "bid 4")
    assert referee.to_act == 0 and referee.legal() == ["bid 5", "bid 5 alone", "pass"]
    act(referee, "pass", "pass")
    assert referee.to_act == 2  # seat 2 had not bid either
    assert act(referee, "pass").contractor == 3
    not_twice = act(shuffled(pass_reentry=True), "pass", "bid 3", "pass", "pass", "pass")
    assert not_twice.contractor == 1  # nobody is asked twice about one bid
    once_in = act(shuffled(pass_reentry=True, min_bid=1), "bid 1", "bid 2", "pass", "bid 3", "pass", "bid 4", "pass", "pass")
    assert once_in.contractor == 1  # seat 0 had bid: her pass was final


def test_a_decided_round_stops():
    referee = act(start(TOP_HAND, "2S", stop="decided"), "bid 3", "pass", "pass", "pass", *THREE_TRICKS)
    assert referee.deal_over and referee.deal_scores == [[-3, 0, 0, 0]] and referee.points == [0, 0, 0, 0]
    lost = start(["2H 3H AS KS", "4H 5H 6H 7H", "2D 3D 4D 5D", "2C 3C 4C 5C"], "2S", stop="decided", dealer=3)
    act(lost, "bid 3 alone", "pass", "pass", "pass", "2H", "4H", "2D", "2C")
    assert not lost.deal_over and lost.to_act == 1  # three of the three left would still do
    act(lost, "5H", "3D", "3C", "3H")
    assert lost.deal_over and lost.tricks_won == [0, 2, 0, 0] and lost.deal_scores == [[4, 0, 0, 0]]  # none of four won


def test_set_basis():
    assert score_round([2, 3, 1, 1], bid=4, set_basis="all_lost").burdens == [12, 7, 7, 7]
    assert score_round([2, 3, 1, 1], bid=4, set_basis="all_lost", alone=True, alone_set="shortfall").burdens[0] == 9


def test_alone_sheds_two_a_trick():
    assert score_round([3, 2, 1, 1], alone=True, alone_shed=2).burdens[0] == 1
    assert score_round([3, 2, 1, 1], alone_shed=2).burdens[0] == 4


def outbid_alone(tricks, calls=("bid 3 alone", "bid 4", "pass", "pass", "pass"), **changes):
    return settle(act(shuffled(**changes), *calls), tricks)


def test_an_outbid_lone_bid():
    void = outbid_alone([2, 4, 1, 0])
    assert void.burdens == [7, 3, 7, 7] and void.points == [2, 0, 1, 0]
    penalised = outbid_alone([2, 4, 1, 0], alone_outbid="penalised")
    assert penalised.burdens == [12, 3, 7, 7] and penalised.points == [0, 0, 1, 0] and penalised.bank == 19
    shortfall = outbid_alone([2, 4, 1, 0], alone_outbid="penalised", alone_set="shortfall")
    assert shortfall.burdens == [8, 3, 7, 7]
    both = outbid_alone([2, 1, 2, 2], alone_outbid="penalised", begin={"bank": 4})
    assert both.burdens == [8, 10, 7, 7] and both.bank == 0  # the contractor draws first


@pytest.mark.parametrize("mode, made, alone", [("seed", 0, 10), ("round_win", 4, 14), ("discards", 5, 15)])
def test_points_of_the_contractor(mode, made, alone):
    assert score_round([5, 1, 1, 0], bid=4, points_mode=mode).points == [made, 1, 1, 0]
    assert score_round([5, 1, 1, 0], bid=4, points_mode=mode, alone=True).points == [alone, 1, 1, 0]
    assert score_round([3, 2, 1, 1], bid=4, points_mode=mode).points == [0, 2, 1, 1]


def test_discards_are_those_that_were_held():
    assert score_round([5, 1, 1, 0], points_mode="discards", begin={"burdens": [3, 7, 7, 7]}).points[0] == 3


def test_points_decide_when_somebody_is_out():
    begin = {"burdens": [3, 7, 7, 7], "points": [0, 9, 2, 0]}
    assert score_round([5, 1, 1, 0], objective="points", begin=begin).winners == [1]
    tied = {"burdens": [3, 7, 6, 7], "points": [0, 9, 9, 0]}
    assert score_round([5, 1, 1, 0], objective="points", begin=tied).winners == [2]
    assert score_round([4, 1, 1, 1], objective="points", begin={"points": [0, 9, 2, 0]}).winners == []


def test_a_target_of_points():
    begin = {"burdens": [3, 7, 7, 7], "points": [0, 19, 20, 0]}
    assert score_round([5, 1, 1, 0], points_target=20, begin=begin).winners == [2]
    assert score_round([5, 1, 0, 1], points_target=99, begin=begin).winners == [1, 2]  # seat 0 is out of cards
    begin = {"points": [0, 19, 20, 0]}
    assert score_round([4, 0, 1, 2], points_target=22, begin=begin).winners == []
    assert score_round([4, 2, 1, 0], points_target=21, begin=begin).winners == [1, 2]
    assert score_round([4, 3, 0, 0], points_target=21, begin={**begin, "burdens": [7, 7, 7, 6]}).winners == [1]


def test_growing_hands():
    referee = score_round([4, 2, 1, 0], hand_model="grow", begin={"burdens": [9, 7, 7, 5]})
    assert referee.hand_sizes() == [7, 7, 7, 7] and referee.bank == 51 - 30
    big = score_round([1, 4, 2], contractor=1, bid=5, hand_model="grow", begin={"burdens": [35, 7, 7]})
    assert big.burdens == [35, 8, 7] and big.bank == 1
    short = score_round([3, 1, 3], contractor=1, bid=5, hand_model="grow", begin={"burdens": [35, 7, 7]})
    assert short.burdens == [35, 9, 7] and short.bank == 0


def test_a_long_hand_plays_as_many_tricks_as_the_others():
    referee = shuffled(hand_model="grow", begin={"burdens": [9, 7, 7, 7]})
    assert [len(hand) for hand in referee.deal.hands] == [9, 7, 7, 7]
    play_out(act(referee, "bid 3", "pass", "pass", "pass"))
    assert sum(referee.tricks_won) == 7 and [len(hand) for hand in referee.deal.hands] == [2, 0, 0, 0]


@pytest.mark.parametrize("num_players", [3, 4, 5, 6])
def test_random_rounds_keep_the_cards_together(num_players):
    choose = random.Random(num_players)
    for seed in range(20):
        deal = shuffled(num_players, begin={"forced": True}, seed=seed).deal
        dealt, played = [card for hand in deal.hands for card in hand], []
        while deal.phase != "over":
            text = choose.choice(deal.legal())
            played += [text] if deal.phase == "play" else []
            deal.act(text)
        assert sorted(played) == sorted(dealt) and deal.upcard not in played
        assert sum(deal.tricks_won) == len(dealt) // num_players
