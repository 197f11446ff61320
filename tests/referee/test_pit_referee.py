"""The referee of Pit alone, against every worked case of the rule book, PX01 to PX48."""

import pytest

from .pit_rounds import THREE_TRICKS, TOP_HAND, act, next_deal, play_out, score_round, settle, shuffled, start, void_round

# The deal


@pytest.mark.parametrize("num_players, size, pit", [(3, 7, 31), (4, 7, 24), (5, 6, 22), (6, 6, 16)])
def test_the_deal(num_players, size, pit):  # PX01
    referee = shuffled(num_players)
    assert [len(hand) for hand in referee.deal.hands] == [size] * num_players and referee.bank == pit
    assert referee.burdens == [size] * num_players


def test_the_upcard_names_trump():  # PX02
    referee = start(["2C", "3C", "4C", "5C"], "9H", min_bid=1, max_bid=1)
    assert referee.trump == "H" and referee.upcard == "9H"
    assert all(referee.deal.view(seat)["upcard"] == "9H" and "9H" not in referee.deal.hands[seat] for seat in range(4))
    with pytest.raises(ValueError, match="9H"):
        start(["2C", "3C", "9H", "5C"], "9H")


# The auction

OPENING = ["bid 3", "bid 3 alone", "pass"]


def test_the_first_to_speak():  # PX03
    assert shuffled().to_act == 0 and shuffled(dealer=1).to_act == 2


def test_the_opening():  # PX04, PX05
    assert shuffled().legal() == OPENING
    every_bid = [f"bid {level}{alone}" for level in (3, 4, 5) for alone in ("", " alone")]
    assert shuffled(bid_jumps=True).legal() == [*every_bid, "pass"]
    assert shuffled(alone=False).legal() == ["bid 3", "pass"]


def test_a_raise():  # PX06, PX07
    assert act(shuffled(), "bid 3").legal() == ["bid 4", "bid 4 alone", "pass"]
    assert act(shuffled(bid_jumps=True), "bid 4").legal() == ["bid 5", "bid 5 alone", "pass"]


def test_a_bid_of_five_ends_the_auction():  # PX08
    referee = act(shuffled(), "bid 3", "bid 4", "bid 5")
    assert (referee.contractor, referee.bid, referee.alone, referee.to_act) == (2, 5, False, 2)
    assert len(referee.legal()) == 7
    assert act(shuffled(bid_jumps=True), "bid 5 alone").alone is True


def test_the_high_bidder_is_not_asked_again():  # PX10
    referee = act(shuffled(), "bid 3", "pass", "pass")
    assert referee.contractor is None and referee.alone is None
    act(referee, "pass")
    assert (referee.contractor, referee.bid, referee.to_act) == (0, 3, 0) and len(referee.legal()) == 7


def test_the_last_player_may_bid_or_pass():  # PX11
    assert act(shuffled(), "pass", "pass", "pass").legal() == OPENING


def test_a_void_round():  # PX12
    referee = void_round()
    assert referee.deal_over and referee.deal_scores == [[0] * 4] and referee.points == [0] * 4
    assert referee.burdens == [7] * 4 and referee.bank == 24 and referee.tricks_won == [0] * 4
    assert referee.next_dealer == 3 and referee.forced and referee.contractor is None
    next_deal(referee, 3)
    assert referee.to_act == 0 and referee.legal() == ["bid 3", "bid 3 alone"] and referee.forced
    assert not act(referee, "bid 3").forced


def test_the_forced_player_may_pass_later():  # PX13
    referee = void_round()
    next_deal(referee, 3)
    act(referee, "bid 3", "bid 4", "pass", "pass")
    assert referee.to_act == 0 and referee.legal() == ["bid 5", "bid 5 alone", "pass"]


def test_a_forced_opening_is_used_up():  # PX14
    referee = void_round()
    next_deal(referee, 3)
    play_out(act(referee, "bid 3", "bid 4", "pass", "pass", "pass"))
    next_deal(referee, 0)
    assert not referee.forced and referee.to_act == 1 and referee.legal() == OPENING


def test_void_rounds_do_not_follow_each_other():  # PX15
    referee = void_round()
    next_deal(referee, 3)
    act(referee, "bid 3 alone", "pass", "pass", "pass")
    assert (referee.contractor, referee.alone) == (0, True)


def test_once_alone_always_alone():  # PX17
    referee = act(shuffled(), "bid 3 alone", "bid 4", "pass", "pass")
    assert referee.to_act == 0 and referee.legal() == ["bid 5 alone", "pass"]


def test_alone_does_not_outrank_and_is_not_matched():  # PX18
    assert act(shuffled(), "bid 3 alone").legal() == ["bid 4", "bid 4 alone", "pass"]
    assert act(shuffled(bid_jumps=True), "bid 4").legal() == ["bid 5", "bid 5 alone", "pass"]


def test_a_pass_is_final():
    referee = act(shuffled(), "pass", "bid 3", "pass", "pass")
    assert referee.contractor == 1


# The tricks


def test_the_contractor_leads_anything():  # PX19
    referee = start(["QH 3H AS 7D", "2C 3C 4C 5C", "6C 7C 8C 9C", "TC JC QC KC"], "2S")
    act(referee, "bid 3", "pass", "pass", "pass")
    assert referee.legal() == ["3H", "7D", "AS", "QH"]


@pytest.mark.parametrize(
    "led, hand, must_follow, legal",
    [
        ("2H", "QH 3H AS 7D", True, "3H QH"),  # PX20
        ("2C", "QH 3H AS 7D", True, "3H 7D AS QH"),  # PX21
        ("2H", "QH 3H AS 7D", False, "3H 7D AS QH"),  # PX22
        ("2S", "QH 3H AS 7D", True, "AS"),  # PX27
    ],
)
def test_following(led, hand, must_follow, legal):
    referee = start([f"{led} 4C 5C 6C", hand], "9S", must_follow=must_follow)
    act(referee, "bid 3", "pass", led)
    assert referee.to_act == 1 and referee.legal() == legal.split()


@pytest.mark.parametrize(
    "trick, trump, winner",
    [
        ("TH KH 2S AH", "S", 2),  # PX23
        ("TH KH 2C AH", "S", 3),  # PX24
        ("9D AD 3D KD", "C", 1),  # PX25
        ("5C 2S 9S AC", "S", 2),  # PX26
    ],
)
def test_who_takes_a_trick(trick, trump, winner):
    cards = trick.split()
    referee = start(cards, "7" + trump, min_bid=1, max_bid=1)
    act(referee, "bid 1", *cards)
    assert referee.tricks_won == [int(seat == winner) for seat in range(4)]


def test_the_winner_leads_anything():  # PX28
    referee = start(["2H 3H 4H", "AH 2S 5D", "6H 7H 8H", "9H TH JH"], "9S")
    act(referee, "bid 3", "pass", "pass", "pass", "2H", "AH", "6H", "9H")
    assert referee.to_act == 1 and referee.legal() == ["2S", "5D"]


def test_a_made_contract_is_played_on():  # PX29
    referee = act(start(TOP_HAND, "2S"), "bid 3", "pass", "pass", "pass", *THREE_TRICKS)
    assert referee.tricks_won == [3, 0, 0, 0] and referee.to_act == 0 and referee.legal() == ["2H"]
    act(referee, "2H", "6H", "5D", "5C")
    assert referee.deal_over and referee.tricks_won == [3, 1, 0, 0] and referee.burdens == [1, 4, 4, 4]


# Scoring


def test_a_made_contract():  # PX30
    referee = score_round([4, 1, 1, 1])
    assert referee.burdens == [3, 7, 7, 7] and referee.points == [0, 1, 1, 1] and referee.deal_scores == [[-4, 0, 0, 0]]


def test_a_set_contract():  # PX31
    referee = score_round([2, 3, 1, 1], bid=4)
    assert referee.burdens == [9, 7, 7, 7] and referee.points == [0, 3, 1, 1] and referee.bank == 22


@pytest.mark.parametrize("tricks", [[3, 2, 1, 1], [5, 1, 1, 0]])  # PX32, PX33
def test_shedding_all_wins(tricks):
    referee = score_round(tricks, begin={"burdens": [3, 7, 7, 7]})
    assert referee.burdens[0] == 0 and referee.winners == [0] and referee.match_over and not referee.truncated


def test_alone_and_made():  # PX34
    referee = score_round([1, 0, 5, 1], contractor=2, bid=4, alone=True)
    assert referee.burdens == [7, 7, 2, 7] and referee.points == [1, 0, 10, 1]


@pytest.mark.parametrize("alone_set, drawn", [("all_lost", 4), ("shortfall", 1)])  # the second: PX36
def test_alone_and_set(alone_set, drawn):
    referee = score_round([1, 2, 3, 1], contractor=2, bid=4, alone=True, alone_set=alone_set)
    assert referee.burdens == [7, 7, 7 + drawn, 7] and referee.points == [1, 2, 0, 1] and referee.bank == 24 - drawn


def test_an_empty_pit():  # PX38
    referee = score_round([2, 3, 1, 1], bid=4, begin={"bank": 0})
    assert referee.burdens == [7] * 4 and referee.points == [0, 3, 1, 1] and referee.bank == 0
    assert score_round([1, 4, 1, 1], bid=4, begin={"bank": 2}).burdens == [9, 7, 7, 7]
    assert score_round([1, 4, 1, 1], bid=4, begin={"bank": 2}, pit_bank="round").burdens == [10, 7, 7, 7]
    assert score_round([1, 4, 1, 1], bid=4, begin={"bank": 2}, pit_bank="unlimited").burdens == [10, 7, 7, 7]


def test_cards_shed_one_by_one():  # PX39, PX40
    three = score_round([3, 2, 2], shed_unit="card", begin={"burdens": [11, 7, 7]})
    assert three.burdens == [2, 7, 7] and not three.match_over
    assert score_round([3, 2, 1, 1], shed_unit="card").winners == [0]
    assert score_round([3, 2, 1, 1], shed_unit="first_contract", begin={"burdens": [40, 7, 7, 7]}).winners == [0]


@pytest.mark.parametrize("num_players", [5, 6])
def test_a_bid_of_five_needs_five_tricks(num_players):  # PX42
    rest = [0] * (num_players - 2)
    assert score_round([5, 1, *rest], bid=5).burdens[0] == 1
    assert score_round([4, 2, *rest], bid=5).burdens[0] == 7


def test_a_defender_without_tricks_never_wins():  # PX43
    referee = shuffled(begin={"burdens": [90, 90, 90, 7]})
    for seed in range(1, 21):
        act(referee, *["pass"] * (referee.to_act == 3))
        settle(act(referee, "bid 3", *["pass"] * (3 if referee.deal.dealer != 2 else 2)), [3, 3, 1, 0])
        next_deal(referee, referee.next_dealer, seed=seed)
    assert referee.burdens[3] == 7 and referee.points[3] == 0 and not referee.match_over


def test_only_the_contractor_goes_out():  # PX44
    referee = score_round([1, 1, 4, 1], contractor=2, begin={"burdens": [1, 1, 4, 7]})
    assert referee.winners == [2] and referee.burdens == [1, 1, 0, 7]


def test_the_next_round():  # PX45
    referee = play_out(act(shuffled(), "bid 3"))
    assert referee.next_dealer == 0 and not referee.match_over
    next_deal(referee, 0, upcard_suit="D")
    assert referee.to_act == 1 and referee.trump == "D" and [len(hand) for hand in referee.deal.hands] == [7] * 4
    with pytest.raises(ValueError, match="not finished"):
        next_deal(referee, 1)


def test_what_a_seat_sees():  # PX47
    referee = start(["2H 3C 4C", "AS 2D 5D", "6H 7H 8H"], "9S")
    act(referee, "bid 3", "pass", "pass", "2H", "AS")
    view = referee.deal.view(2)
    assert view == {"hand": ["6H", "7H", "8H"], "upcard": "9S", "trick": ["2H", "AS"], "voids": [[], ["H"], []]}
    play_out(referee)
    next_deal(referee, 0)
    assert referee.deal.view(2)["voids"] == [[], [], []]


@pytest.mark.parametrize(
    "burdens, points, winners",
    [
        ([7, 6, 7, 9], [90, 0, 0, 0], [1]),
        ([7, 6, 6, 9], [90, 1, 2, 0], [2]),
        ([7, 6, 6, 9], [90, 2, 2, 0], [1, 2]),
    ],
)
def test_the_cap_ranks_by_burden_then_points(burdens, points, winners):  # PX48
    begin = {"burdens": burdens, "points": points}
    referee = void_round(begin=begin, max_rounds=1)
    assert referee.truncated and referee.match_over and referee.winners == winners
    assert void_round(begin=begin, max_rounds=1, objective="points").winners == [0]
    assert not void_round(begin=begin, max_rounds=2).match_over
