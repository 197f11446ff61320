"""Following, trumping and winning tricks."""

import pytest

from tests.pitch.play import legal, play, table, tricks_won
from tests.rule_ids import rule_ids


def follower(led: str, **options):
    """Spades are trump. After a first trick AS 3S, seat 0 leads `led` and seat 1 holds KH 4H 9S 2C."""
    opened = table(["AS 5H 5S 5D 5C", "3S KH 4H 9S 2C"], 1, **options)
    return play(opened, "bid 1", "pass", "name S", "AS 3S", led)


@rule_ids("T17a", "T17b", "TX15", "T-A15")
def test_follow_suit_or_trump():
    """A third suit is not allowed while one can follow, a trump is."""
    assert legal(follower("5H")) == ["4H", "9S", "KH"]


@rule_ids("T17a", "TX16", "T-A15")
def test_strict_following_allows_a_trump_only_to_the_void():
    assert legal(follower("5H", follow_rule="strict")) == ["4H", "KH"]
    assert legal(follower("5D", follow_rule="strict")) == ["2C", "4H", "9S", "KH"]


@rule_ids("T17a", "TX17", "T-A14")
def test_a_trump_lead_must_be_followed():
    assert legal(follower("5S")) == ["9S"]


@rule_ids("T17a", "TX18")
def test_the_void_may_play_anything():
    assert legal(follower("5D")) == ["2C", "4H", "9S", "KH"]


@rule_ids("T17b", "TX19")
def test_a_lone_card_of_the_suit_or_a_trump():
    assert legal(follower("5C")) == ["2C", "9S"]


@rule_ids("T16", "TX20")
@pytest.mark.parametrize("follow_rule", ["follow_or_trump", "strict"])
def test_after_the_first_trick_the_winner_leads_anything(follow_rule):
    """Trumps included; here the winner is not the one who led."""
    opened = table(["2S 5H 6H 7H", "3S KH 9S 2C"], 1, follow_rule=follow_rule)
    play(opened, "bid 1", "pass", "name S", "2S 3S")
    assert opened.turn == 1 and legal(opened) == ["2C", "9S", "KH"]


@rule_ids("T18a", "TX21")
def test_the_highest_trump_wins():
    """The second trick is 5C 2S 9S AC with spades trump: seat 2 takes it."""
    hands = ["AS 5C", "3S 2S", "4S 9S", "6S AC"]
    deal = play(table(hands, 3, teams="none"), "bid 1", "pass", "pass", "pass", "name S", "AS 3S 4S 6S", "5C 2S 9S AC")
    assert tricks_won(deal) == [1, 0, 1, 0]


@rule_ids("T18b", "TX22")
def test_without_trumps_the_highest_card_of_the_suit_led_wins():
    """The second trick is QH 3H 2D KH: seat 3 takes it; the diamond, though void of hearts, takes nothing."""
    hands = ["AS QH", "3S 3H", "4S 2D", "6S KH"]
    deal = play(table(hands, 3, teams="none"), "bid 1", "pass", "pass", "pass", "name S", "AS 3S 4S 6S", "QH 3H 2D KH")
    assert tricks_won(deal) == [1, 0, 0, 1]


@rule_ids("T18b")
def test_a_higher_card_of_another_suit_does_not_win():
    hands = ["AS 2H", "3S AD", "4S AC", "6S 3C"]
    deal = play(table(hands, 3, teams="none"), "bid 1", "pass", "pass", "pass", "name S", "AS 3S 4S 6S", "2H AD AC 3C")
    assert tricks_won(deal) == [2, 0, 0, 0]


@rule_ids("T17a", "T17b")
@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("led", "CDHS")
@pytest.mark.parametrize("follow_rule", ["follow_or_trump", "strict"])
def test_following_in_every_suit_under_every_trump(trump, led, follow_rule):
    """Able to follow and void, in every suit and trump: the seat holds two of the led suit, one trump and one other."""
    other = next(suit for suit in "CDHS" if suit not in (trump, led))
    able = {f"3{led}", f"4{led}", f"7{trump}", f"9{other}"}
    void = {f"6{trump}", f"8{other}", f"9{other.lower().upper()}"} - able
    hands = [f"A{trump} 2{led} 2{other} 5{other}", " ".join(sorted(able | {f"5{trump}"}))[:14]]
    hands[1] = " ".join([f"5{trump}", *sorted(able)][:4])
    deal = play(table(hands, 1, follow_rule=follow_rule), "bid 1", "pass", f"name {trump}", f"A{trump} 5{trump}", f"2{led}")
    assert deal and void
