"""What a round sheds, draws and scores."""

import random

import pytest

from card_envs.cards import card_list
from card_envs.table import Table
from tests.pit.play import GAME, bank, burdens, contract, points, round_of
from tests.rule_ids import rule_ids

BID_3 = "bid 3, pass, pass, pass"
BID_4 = "bid 3, bid 4, pass, pass, pass"  # seat 1 is the contractor
ALONE_4 = "pass, bid 3, bid 4 alone, pass, pass"  # seat 2


@rule_ids("P17", "P19", "P27", "PX30", "P-A2")
def test_made_the_contractor_sheds_a_card_a_trick_and_the_others_score_theirs():
    at = round_of([4, 1, 1, 1], BID_3)
    assert burdens(at) == [3, 7, 7, 7] and points(at) == [0, 1, 1, 1] and bank(at) == 24


@rule_ids("P17", "P18", "P27", "PX31", "P-A16", "P-A20")
def test_set_the_contractor_draws_what_is_missing_to_the_bid():
    """Bid 4, won 2: two cards, 7 to 9; the pit falls from 24 to 22."""
    at = round_of([3, 2, 1, 1], BID_4)
    assert burdens(at) == [7, 9, 7, 7] and points(at) == [3, 0, 1, 1] and bank(at) == 22


@rule_ids("P18", "P-A16")
def test_a_set_may_count_every_trick_not_won():
    """Won 2 of 7: five cards."""
    assert burdens(round_of([3, 2, 1, 1], BID_4, set_basis="all_lost")) == [7, 12, 7, 7]


@rule_ids("P17", "P19")
def test_overtricks_are_shed_too():
    assert burdens(round_of([5, 1, 1, 0], BID_3)) == [2, 7, 7, 7]


@rule_ids("P22", "P23", "P25", "P28", "PX34", "P-A17", "P-A19")
def test_alone_and_made_scores_two_points_a_trick_and_sheds_as_usual():
    """Bid 4 alone, won 5: 10 points, overtrick counted, and 7 to 2."""
    at = round_of([1, 0, 5, 1], ALONE_4)
    assert burdens(at) == [7, 7, 2, 7] and points(at) == [1, 0, 10, 1]


@rule_ids("P24", "P29", "P35", "P-A15")
def test_alone_and_set_draws_for_every_trick_not_won_and_scores_nothing():
    """Bid 4 alone, won 3: four of seven tricks are lost, 7 to 11; the pit falls from 24 to 20."""
    at = round_of([2, 1, 3, 1], ALONE_4)
    assert burdens(at) == [7, 7, 11, 7] and points(at) == [2, 1, 0, 1] and bank(at) == 20


@rule_ids("PX36", "P-A15")
def test_alone_and_set_may_draw_the_shortfall_only():
    at = round_of([2, 1, 3, 1], ALONE_4, alone_set="shortfall")
    assert burdens(at) == [7, 7, 8, 7] and bank(at) == 23


@rule_ids("P-A19")
def test_alone_and_made_may_shed_twice_as_much():
    assert burdens(round_of([1, 0, 5, 1], ALONE_4, alone_shed=2, start={"burdens": [7, 7, 12, 7]})) == [7, 7, 2, 7]
    assert burdens(round_of([0, 5, 1, 1], BID_4, alone_shed=2)) == [7, 2, 7, 7]  # not alone: once


@rule_ids("P18", "PX38", "P-A4")
def test_from_an_empty_pit_nothing_is_drawn():
    at = round_of([3, 2, 1, 1], BID_4, start={"bank": 0})
    assert burdens(at) == [7, 7, 7, 7] and points(at) == [3, 0, 1, 1] and bank(at) == 0


@rule_ids("P18", "P-A4")
def test_what_is_left_in_the_pit_is_drawn():
    at = round_of([3, 0, 2, 2], BID_4, start={"bank": 1})
    assert burdens(at) == [7, 8, 7, 7] and bank(at) == 0


@rule_ids("P-A4")
@pytest.mark.parametrize(("pit_bank", "second"), [("game", 2), ("round", 4), ("unlimited", 4)])
def test_the_pit_is_for_the_match_or_fresh_each_round_or_endless(pit_bank, second):
    """A first set takes 4 of the 6 cards that are left; a second would take 4 more."""
    at = round_of([4, 0, 2, 1], BID_4, pit_bank=pit_bank, start={"bank": 6})
    assert burdens(at) == [7, 11, 7, 7]
    round_of([3, 3, 0, 1], BID_4, at=at, dealer=0)  # seat 2 is the contractor
    assert burdens(at) == [7, 11, 7 + second, 7]


@rule_ids("PX39", "P-A2")
def test_by_cards_a_trick_sheds_as_many_as_play():
    """Three players: 3 tricks are 9 cards, 11 - 9."""
    at = round_of([3, 2, 2], "bid 3, pass, pass", preset="seed_cards", start={"burdens": [11, 7, 7]})
    assert burdens(at) == [2, 7, 7] and not at.ended


@rule_ids("PX40", "P-A2", "P-A23")
def test_by_cards_four_players_clear_seven_with_three_tricks():
    """3 * 4 = 12 is more than 7: nothing is left, and the match is won."""
    at = round_of([3, 2, 1, 1], BID_3, preset="seed_cards")
    assert burdens(at) == [0, 7, 7, 7] and at.winners() == [0]


@rule_ids("P-A2")
def test_the_first_contract_made_may_clear_everything():
    at = round_of([3, 2, 1, 1], BID_3, shed_unit="first_contract", start={"burdens": [40, 7, 7, 7]})
    assert burdens(at) == [0, 7, 7, 7] and at.winners() == [0]


@rule_ids("PX42", "P8")
@pytest.mark.parametrize(("won", "left"), [([5, 1, 0, 0, 0], 1), ([4, 1, 1, 0, 0], 7)])
def test_five_or_six_players_need_five_of_six_tricks_for_a_bid_of_five(won, left):
    at = round_of(won, "bid 5", bid_jumps=True)
    assert burdens(at) == [left, 6, 6, 6, 6]
    six = round_of([*won, 0], "bid 5", bid_jumps=True)
    assert burdens(six) == [left, 6, 6, 6, 6, 6]


@rule_ids("P27", "P-A20")
def test_the_contractors_tricks_score_nothing_made_or_set():
    assert points(round_of([4, 3, 0, 0], BID_3)) == [0, 3, 0, 0]
    assert points(round_of([2, 5, 0, 0], BID_3)) == [0, 5, 0, 0]


@rule_ids("P32", "P-A21")
@pytest.mark.parametrize(("points_mode", "gained"), [("seed", 0), ("round_win", 4), ("discards", 5)])
def test_other_ways_of_scoring(points_mode, gained):
    """Seat 1 bids 4 and makes 5 tricks, 5 cards."""
    assert points(round_of([0, 5, 1, 1], BID_4, points_mode=points_mode)) == [0, gained, 1, 1]


@rule_ids("P32")
@pytest.mark.parametrize(("points_mode", "gained"), [("seed", 10), ("round_win", 14), ("discards", 12)])
def test_other_ways_of_scoring_come_on_top_of_going_alone(points_mode, gained):
    """Bid 4 alone, won 5, with a burden of 2: ten points; with the bid, or with the two cards shed."""
    start = {"burdens": [7, 7, 2, 7]}
    assert points(round_of([1, 0, 5, 1], ALONE_4, points_mode=points_mode, start=start)) == [1, 0, gained, 1]


@rule_ids("P32")
@pytest.mark.parametrize("points_mode", ["seed", "round_win", "discards"])
def test_a_set_scores_nothing_in_any_way(points_mode):
    assert points(round_of([3, 2, 1, 1], BID_4, points_mode=points_mode)) == [3, 0, 1, 1]


# --- rounds that stop, growing hands -----------------------------------------------------------------------------------------


@rule_ids("P-A18")
def test_a_round_that_stops_when_decided_sheds_exactly_the_bid():
    at = round_of([5, 1, 1, 0], BID_3, stop="decided")
    assert burdens(at) == [4, 7, 7, 7] and points(at) == [0, 0, 0, 0] and at.record.tricks_played == 3


@rule_ids("P-A18")
def test_a_round_stops_when_the_contract_can_no_longer_be_made():
    """Seat 3, bid 4, must lose four tricks: seats 0, 1 take those first. It is 4 short; alone, 7 of 7 are not won."""
    calls = "pass, pass, bid 3, bid 4, pass"
    at = round_of([2, 2, 1, 2], calls, stop="decided")
    assert at.record.tricks_played == 4 and burdens(at) == [7, 7, 7, 11] and points(at) == [2, 2, 0, 0]
    alone = round_of([2, 2, 1, 2], "pass, pass, bid 3, bid 4 alone, pass", stop="decided")
    assert burdens(alone) == [7, 7, 7, 14]


@rule_ids("P-A1", "P-A4")
def test_growing_hands_draw_from_the_pit_of_the_round():
    """Three players with 35, 7, 7: 51 - 49 = 2 cards can be drawn. Seat 1, short by 4, draws those."""
    at = round_of([3, 1, 3], "pass, bid 5", preset="grow", bid_jumps=True, start={"burdens": [35, 7, 7]})
    assert burdens(at) == [35, 9, 7] and bank(at) == 0


@rule_ids("P-A1")
def test_a_card_drawn_enters_the_next_hand():
    """Burden 7, bid 4, won 2: 9, and 9 cards in the next round, of which 7 are played."""
    at = round_of([3, 2, 1, 1], BID_4, preset="grow")
    assert burdens(at) == [7, 9, 7, 7] and at.hand_sizes() == [7, 9, 7, 7] and bank(at) == 51 - 28 - 2


# --- all formulas at once ----------------------------------------------------------------------------------------------------


def expected(at, before, points_before, bank_before):
    """Burdens and points after a round of preset seed, by the formulas as they stand in the rules."""
    seat, level, alone = contract(at)
    won, size = at.record.tricks_won.tolist()[: at.rules.num_players], at.rules.num_tricks
    after, scored = list(before), [old + tricks for old, tricks in zip(points_before, won)]
    scored[seat] = points_before[seat]
    if won[seat] >= level:
        after[seat] = max(0, before[seat] - won[seat])
        scored[seat] += 2 * won[seat] if alone else 0
    else:
        after[seat] += min(bank_before, size - won[seat] if alone else level - won[seat])
    return after, scored


@rule_ids("P17", "P18", "P19", "P23", "P24", "P27")
@pytest.mark.parametrize("num_players", [3, 4, 5, 6])
def test_random_rounds_follow_the_formulas(num_players):
    choose = random.Random(num_players)
    at = Table(GAME, GAME.rules(num_players=num_players), episode="open")
    at.reset()
    for _ in range(60):
        deck = list(range(52))
        choose.shuffle(deck)
        hands = [[deck.pop() for _ in range(at.rules.num_tricks)] for _ in range(num_players)]
        at.open_deal(hands, int(at.record.dealer), upcard=deck.pop())
        before = burdens(at), points(at), bank(at)
        dealt = [set(hand) for hand in hands]
        while not at.record.deal_over:
            seat, action = at.turn, choose.choice(at.legal_actions())
            assert action >= 54 or action in dealt[seat]
            at.step(action)
        if contract(at):
            assert sum(at.record.tricks_won.tolist()) == at.rules.num_tricks
            assert [set(card_list(cards)) for cards in at.record.played[:num_players]] == dealt
            assert (burdens(at), points(at)) == expected(at, *before)
            assert sum(burdens(at)) - sum(before[0]) <= before[2] - bank(at)
        if at.ended:
            at.reset()
