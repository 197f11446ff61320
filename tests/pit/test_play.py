"""Following, trumping and winning tricks."""

import pytest

from card_envs.games.pit import rules
from card_envs.table import IllegalAction
from tests.pit.play import GAME, HANDS, auction, legal, next_round, play, table, tricks_won
from tests.rule_ids import rule_ids


def follower(led: str, upcard: str = "2S", **options):
    """Three players, spades are trump unless said; seat 0 leads `led` and seat 1 holds QH 3H AS 7D."""
    opened = table([f"{led} 3C 4C 5C", "QH 3H AS 7D", "8C 9C TC JC"], 2, upcard, **options)
    return play(opened, "bid 1, pass, pass", led)


def one_trick(cards: str, trump: str):
    """Four players play these cards, one each; seat 0 leads."""
    upcard = next(rank + trump for rank in "6789" if rank + trump not in cards)
    return tricks_won(play(table(cards.split(), 3, upcard), "bid 1", cards)).index(1)


@rule_ids("P12", "PX19")
def test_the_contractor_opens_with_any_card():
    at = auction("bid 3, bid 4, pass, pass, pass")
    assert at.turn == 1 and legal(at) == sorted(HANDS[1].split())  # the 3S, a trump, among them


@rule_ids("P13", "PX20")
def test_the_suit_led_must_be_followed():
    at = follower("TH")
    assert legal(at) == ["3H", "QH"]
    with pytest.raises(IllegalAction, match="AS"):
        play(at, "AS")


@rule_ids("P14", "PX21")
def test_who_cannot_follow_may_play_any_card():
    assert legal(follower("2C")) == ["3H", "7D", "AS", "QH"]


@rule_ids("P31", "PX22", "P-A25")
def test_where_nobody_must_follow_any_card_may_be_played():
    assert legal(follower("TH", must_follow=False)) == ["3H", "7D", "AS", "QH"]


@rule_ids("P13", "PX27")
def test_a_trump_lead_must_be_followed():
    assert legal(follower("TH", "2H")) == ["3H", "QH"]


@rule_ids("P14")
def test_nobody_must_trump():
    """Void of clubs, spades are trump: the 7D may be thrown, and does not win."""
    at = play(follower("2C"), "7D JC")
    assert tricks_won(at) == [0, 0, 1]


@rule_ids("P15", "PX23")
def test_a_trump_takes_the_trick():
    assert one_trick("TH KH 2S AH", "S") == 2


@rule_ids("P15", "PX24")
def test_without_a_trump_the_highest_of_the_suit_led_takes_it():
    assert one_trick("TH KH 2C AH", "S") == 3


@rule_ids("P15", "PX25")
def test_the_ace_of_the_suit_led():
    assert one_trick("9D AD 3D KD", "C") == 1


@rule_ids("P15", "PX26")
def test_the_highest_of_several_trumps_takes_it():
    assert one_trick("5C 2S 9S AC", "S") == 2


@rule_ids("P15")
def test_a_higher_card_of_another_plain_suit_takes_nothing():
    assert one_trick("2H AD AC 3C", "S") == 0


@rule_ids("P15")
@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("led", "CDHS")
def test_tricks_are_won_alike_in_every_suit(led, trump):
    """A three is led; an ace of a third suit takes nothing, the four of the led suit a plain trick, the lowest trump any."""
    other = next(suit for suit in "CDHS" if suit not in (led, trump))
    assert one_trick(f"3{led} A{other} 4{led} K{other}", trump) == 2
    assert one_trick(f"3{led} A{led} 5{trump} 4{trump}", trump) == (1 if led == trump else 2)


@rule_ids("P16", "PX28")
def test_the_winner_leads_to_the_next_trick_any_card():
    at = play(auction("bid 3, pass, pass, pass"), "7D KD QD 9D")
    assert at.turn == 1 and tricks_won(at) == [0, 1, 0, 0]
    assert legal(at) == sorted(set(HANDS[1].split()) - {"KD"})


@rule_ids("P-A18", "PX29")
def test_play_goes_on_after_the_contract_is_made():
    """Seat 0 has three tricks with AC KC QC."""
    made = "AC JC 8C 5C KC TC 7C 4C QC 9C 6C 3C"
    at = play(auction("bid 3, pass, pass, pass"), made)
    assert tricks_won(at)[0] == 3 and not at.record.deal_over and at.record.needed == 0
    stopped = play(auction("bid 3, pass, pass, pass", stop="decided"), made)
    assert stopped.record.deal_over and stopped.scores() == [4, 7, 7, 7]


@rule_ids("P33", "PX47")
def test_what_has_been_bid_is_seen_by_all():
    at = auction("bid 3, bid 4 alone, pass")
    shown = at.layout.decode(at.words(2))
    assert shown["level_bid"] == [None, None, "3", "4"] and shown["bid_alone"] == [[], [], [], ["alone"]]
    assert shown["passed"] == [["passed"], [], [], []] and shown["standing_bid"] == 4


@rule_ids("P34", "PX47")
def test_a_failure_to_follow_reveals_a_void():
    """Seat 2 has no spade left to follow seat 1's."""
    at = play(auction("bid 3, pass, pass, pass"), "4S 3S 6C QH")
    shown = at.layout.decode(at.words(0))
    assert shown["void"] == [[], [], ["S"], ["S"]]
    assert at.layout.decode(at.words(2))["void"] == [["S"], ["S"], [], []]
    free = play(auction("bid 3, pass, pass, pass", must_follow=False), "4S 3S 6C QH")
    assert free.layout.decode(free.words(0))["void"] == [[], [], [], []]


@rule_ids("PX47")
def test_void_memory_resets_each_round():
    at = auction("bid 3, pass, pass, pass", stop="decided")
    play(at, "AC JC 8C 5C KC TC 7C 4C QC 9C 6C 3C")
    next_round(at, HANDS, 0)
    shown = at.layout.decode(at.words(0))
    assert shown["void"] == [[]] * 4 and shown["played"] == [[]] * 4 and shown["tricks_won"] == [0] * 4


@rule_ids("P34", "PX47")
def test_the_cards_played_are_seen_and_other_hands_and_the_pit_are_not():
    at = play(auction("bid 3, pass, pass, pass"), "AC JC")
    shown = at.layout.decode(at.words(2))
    assert shown["played"] == [[], [], ["AC"], ["JC"]]
    assert sorted(shown["own_hand"]) == sorted(HANDS[2].split())
    assert (shown["upcard_rank"], shown["upcard_suit"], shown["trump_suit"]) == ("2", "S", "S")
    assert shown["trick_rank"] == [None, None, "A", "J"] and shown["role"][2] == ["bidder", "leader", "winning"]


@rule_ids("PX47")
def test_the_state_of_the_match_is_seen():
    start = {"burdens": [9, 3, 7, 5], "points": [4, 0, 2, 1], "bank": 20, "forced": True}
    shown = auction(start=start).layout.decode(auction(start=start).words(1))
    assert shown["score"] == shown["score_level"] == [3, 7, 5, 9] and shown["points"] == [0, 2, 1, 4]
    assert shown["bank"] == 20 and shown["forced"] == ["forced"] and shown["role"][2] == ["dealer"]
    assert shown["rounds"] == 0 and shown["phase"] == "bidding" and shown["position"] == 1
    playing = play(auction(), "bid 3, pass, pass, pass", "AC JC 8C 5C").layout
    assert playing.width == GAME.layout(GAME.rules()).width


def test_the_tables_word_of_a_seat_is_the_observations():
    """Its pieces stand where the table writes them."""
    at = GAME.layout(GAME.rules()).at[0]
    names = {"trick_rank": rules.TRICK_RANK, "trick_suit": rules.TRICK_SUIT, "void": rules.VOID, "level_bid": rules.LEVEL_BID,
             "bid_alone": rules.ALONE, "passed": rules.PASSED, "tricks_won": rules.TRICKS_WON}  # fmt: skip
    assert {name: int(at[name]) for name in names} == names
