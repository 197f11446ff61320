"""Who plays, what is dealt, who deals: the frame of the game."""

from collections import Counter

import pytest

from card_envs.cards import CARD_NAMES, card_list
from card_envs.game import OptionError
from card_envs.table import DealError, Table
from tests.pit.play import GAME, HANDS, auction, burdens, contract, legal, next_round, play, points, round_of, table, tricks_won
from tests.rule_ids import rule_ids

SIZES = {3: (7, 31), 4: (7, 24), 5: (6, 22), 6: (6, 16)}  # players: (hand, pit)
CALLS = "bid 3, pass, pass, pass"


def first_round(seed: int, **options) -> Table:
    dealt = Table(GAME, GAME.rules(**options))
    dealt.seed(seed)
    dealt.reset()
    return dealt


@rule_ids("P0")
def test_the_game_is_called_pit():
    assert GAME.title == "Pit" and GAME.name == "pit"


@rule_ids("P1", "P22")
def test_a_contract_made_brings_its_player_nearer_to_no_cards_and_nobody_else():
    """Seat 0 makes 3 tricks of its own: 7 - 3."""
    assert burdens(round_of([3, 2, 1, 1], CALLS)) == [4, 7, 7, 7]


@rule_ids("P2")
@pytest.mark.parametrize("num_players", [2, 7])
def test_three_to_six_play(num_players):
    assert [len(first_round(1, num_players=seats).scores()) for seats in (3, 4, 5, 6)] == [3, 4, 5, 6]
    with pytest.raises(OptionError, match=r"num_players=.*must lie in 3\.\.6"):
        GAME.rules(num_players=num_players)


@rule_ids("P3", "P4", "P5", "PX01", "P-A3", "P-A4")
@pytest.mark.parametrize("num_players", SIZES)
def test_hands_and_pit(num_players):
    """7 cards each with 3 or 4 players, 6 with 5 or 6, of 52 different ones; the rest is the pit, the upcard in it."""
    dealt, (size, pit) = first_round(9, num_players=num_players), SIZES[num_players]
    hands = [card_list(dealt.record.hand[seat]) for seat in range(num_players)]
    assert [len(hand) for hand in hands] == [size] * num_players
    assert len({card for hand in hands for card in hand}) == 52 - pit
    assert dealt.record.bank == pit and burdens(dealt) == [size] * num_players


@rule_ids("P3")
def test_every_card_of_the_deck_is_dealt_and_turned_sometimes_and_no_joker():
    dealt, turned, held = first_round(2), set(), set()
    for _ in range(400):
        dealt.reset()
        turned.add(int(dealt.record.upcard))
        held |= {card for hand in dealt.record.hand.tolist() for card in card_list(hand)}
    assert turned == held == set(range(52))


@rule_ids("P6", "PX02", "P-A5")
def test_the_top_card_of_the_pit_is_turned_for_trump():
    opened = auction(upcard="9H")
    assert opened.record.trump == 2 and GAME.public(opened.record, opened.rules)["upcard"] == "9H"
    dealt = first_round(3)
    for _ in range(50):
        dealt.reset()
        upcard = int(dealt.record.upcard)
        assert dealt.record.trump == upcard // 13
        assert not any(int(hand) >> upcard & 1 for hand in dealt.record.hand)


@rule_ids("PX02")
@pytest.mark.parametrize(
    ("upcard", "problem"), [("AC", "AC is dealt twice: to seat 0 and to upcard"), ("LJ", r"LJ \(upcard\) is not in this deck")]
)
def test_a_given_upcard_is_in_nobodys_hand(upcard, problem):
    with pytest.raises(DealError, match=problem):
        table(HANDS, 3, upcard)


@rule_ids("PX02")
def test_a_given_deal_must_name_the_upcard():
    opened = auction()
    with pytest.raises(DealError, match="a deal has dealer, hands, upcard, not dealer, hands"):
        opened.open_deal([card_list(hand) for hand in opened.record.hand[:4]], 3)


@rule_ids("P6", "P-A6")
def test_trump_is_turned_each_round_or_once():
    for trump, suits in (("each_round", [3, 2]), ("once", [3, 3])):
        at = round_of([3, 2, 1, 1], CALLS, trump=trump)  # the 2S lay open
        found = [int(at.record.trump)]
        next_round(at, HANDS, 0, "9H")
        assert [*found, int(at.record.trump)] == suits
        assert CARD_NAMES[at.record.upcard] == "9H"


@rule_ids("P-A6")
def test_a_new_match_turns_its_own_trump():
    dealt = first_round(5, trump="once")
    suits = set()
    for _ in range(30):
        dealt.reset()
        assert dealt.record.trump == dealt.record.upcard // 13
        suits.add(int(dealt.record.trump))
    assert suits == {0, 1, 2, 3}


@rule_ids("P-A24")
def test_the_first_dealer_is_random():
    """400 tables of 4 seats: 100 each, give or take 5 standard deviations of 8.7."""
    dealt = Table(GAME, GAME.rules())
    dealers = Counter()
    for seed in range(400):
        dealt.seed(seed)
        dealt.reset()
        dealers[int(dealt.record.dealer)] += 1
    assert set(dealers) == {0, 1, 2, 3}
    assert all(57 <= times <= 143 for times in dealers.values())


@rule_ids("PX45", "P-A24", "P20")
def test_after_a_played_round_the_deal_moves_left_and_everything_is_dealt_anew():
    match = first_round(4)
    dealer, before = int(match.record.dealer), (match.record.hand.tolist(), int(match.record.upcard))
    while match.record.match_deals == 0:
        match.step(match.legal_actions()[-1])
    assert match.record.dealer == (dealer + 1) % 4
    assert (match.record.hand.tolist(), int(match.record.upcard)) != before
    assert [int(hand).bit_count() for hand in match.record.hand[:4]] == [7] * 4


@rule_ids("P7", "P12", "P16", "P20")
def test_a_round_is_an_auction_then_seven_tricks_then_another_round():
    at = round_of([3, 2, 1, 1], CALLS)
    assert tricks_won(at) == [3, 2, 1, 1] and at.record.deal_over and not at.ended
    next_round(at, HANDS, 0)
    assert at.turn == 1 and legal(at) == ["bid 3", "bid 3 alone", "pass"] and contract(at) is None


@rule_ids("P-A1", "P-A2")
def test_a_burden_is_a_count_and_hands_are_fresh_each_round():
    """After a round everybody's hand is empty, yet the burden says who has got rid of how much."""
    at = round_of([3, 2, 1, 1], CALLS)
    assert not at.record.hand.any() and burdens(at) == [4, 7, 7, 7]
    with pytest.raises(DealError, match="seat 0 has 4 cards, not 7"):
        next_round(at, ["AC KC QC 7D", *HANDS[1:]], 0)


@rule_ids("P-A1")
def test_growing_hands_are_as_large_as_the_burden_but_never_too_small_for_the_tricks():
    at = Table(GAME, GAME.rules("grow"), episode="open")
    at.reset({"burdens": [9, 7, 2, 12]})
    assert at.hand_sizes() == [9, 7, 7, 12]
    at.seed(1)
    at.deal()
    assert [int(hand).bit_count() for hand in at.record.hand[:4]] == [9, 7, 7, 12]
    assert at.record.bank == 52 - 1 - 35  # the pit of this round, without the upcard


@rule_ids("P-A1")
def test_growing_hands_play_as_many_tricks_as_ever():
    at = round_of([3, 2, 1, 1], CALLS, preset="grow", start={"burdens": [9, 7, 2, 12]})
    assert tricks_won(at) == [3, 2, 1, 1]
    assert [int(hand).bit_count() for hand in at.record.hand[:4]] == [2, 0, 0, 5]
    assert burdens(at) == [6, 7, 2, 12] and points(at) == [0, 2, 1, 1]


@rule_ids("P4", "P5")
def test_tiny_decks():
    """Two suits of five cards, three cards each, one to turn: the pit is that card."""
    dealt = first_round(1, num_players=3, suits=2, ranks=5, hand_size=3, min_bid=1, max_bid=3)
    assert [int(hand).bit_count() for hand in dealt.record.hand[:3]] == [3, 3, 3] and dealt.record.bank == 1
    play(dealt, "bid 1")
    assert "bid 2 alone" in legal(dealt)
