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


def second_trick(trump: str, led: str, hand: list[str], **options):
    """Seat 1 holds `hand` and has followed a first trump when the two of `led` is led."""
    leader = [f"A{trump}", f"2{led}", *[f"{rank}{plain_suits(trump, led)[0]}" for rank in "KQJ"]]
    opened = table([" ".join(leader), " ".join([f"5{trump}", *hand])], 1, **options)
    return play(opened, "bid 1", "pass", f"name {trump}", f"A{trump} 5{trump}", f"2{led}")


def plain_suits(trump: str, led: str) -> list[str]:
    return [suit for suit in "CDHS" if suit not in (trump, led)]


@rule_ids("T17a", "T17b", "T-A14", "T-A15")
@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("led", "CDHS")
def test_following_is_the_same_in_every_suit(trump, led):
    """Two of the led suit, a trump and another card: the led suit and, unless the rule is strict, the trump."""
    other = plain_suits(trump, led)[0]
    suit, trumps, hand = [f"3{led}", f"4{led}"], [f"7{trump}"], [f"3{led}", f"4{led}", f"7{trump}", f"9{other}"]
    assert legal(second_trick(trump, led, hand)) == sorted(suit + trumps)
    strict = suit + trumps if trump == led else suit
    assert legal(second_trick(trump, led, hand, follow_rule="strict")) == sorted(strict)


@rule_ids("T17a", "T17b")
@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("led", "CDHS")
@pytest.mark.parametrize("follow_rule", ["follow_or_trump", "strict"])
def test_the_void_may_play_anything_in_every_suit(trump, led, follow_rule):
    one, another = plain_suits(trump, led)[:2]
    hand = [f"8{one}", f"9{one}", f"6{another}", f"7{another}" if trump == led else f"7{trump}"]
    assert legal(second_trick(trump, led, hand, follow_rule=follow_rule)) == sorted(hand)


def trumps_only():
    """Three players; seat 0 leads the 2S. Seat 1 has no trump: she is out of the deal and plays nothing."""
    opened = table(["2S AH", "KH QH", "4S 3S"], 2, follow_rule="trump_only")
    return play(opened, "bid 1", "pass", "pass", "name S", "2S")


@rule_ids("TX55")
def test_where_only_trumps_are_played_a_seat_without_one_is_out():
    deal = trumps_only()
    assert deal.turn == 2 and legal(deal) == ["3S", "4S"]
    play(deal, "4S")
    assert deal.turn == 2 and legal(deal) == ["3S"]  # seat 2 won and leads; only she has a trump left
    play(deal, "3S")
    assert deal.record.deal_over and tricks_won(deal) == [0, 0, 2]


@rule_ids("TX55")
def test_where_only_trumps_are_played_the_next_seat_with_one_leads():
    """Seat 1 wins the first trick with her last trump: seat 2 leads."""
    opened = table(["2S AH", "KS QH", "4S 3S"], 2, follow_rule="trump_only")
    deal = play(opened, "bid 1", "pass", "pass", "name S", "2S KS 4S")
    assert deal.turn == 2 and legal(deal) == ["3S"]
