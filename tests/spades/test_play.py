"""The first lead, following suit, breaking spades, and who wins a trick."""

import random

import pytest

from card_envs.table import Table
from tests.rule_ids import rule_ids
from tests.spades.play import GAME, SUITS, bid, legal, play, table, tricks_won


def opened(hands: list[str], dealer: int = 3, **settings) -> Table:
    """Hands before the first lead; everyone has bid 1."""
    return bid(table(hands, dealer, **settings), *["1"] * len(hands))


# --- the first lead ----------------------------------------------------------------------------------------------------------

WITH_2C = ["QS 3C 9D 8H", "JS 4C TD 7H", "2C AS KH 5D", "2S 9C KD 6H"]  # seat 2 holds the 2C


@rule_ids("S10", "S-A11", "S-A12", "SX22")
def test_the_holder_of_the_2c_leads_any_card():
    at = opened(WITH_2C)
    assert at.turn == 2 and legal(at) == ["2C", "5D", "AS", "KH"]


@rule_ids("SX23", "S-A11")
def test_the_2c_itself_may_have_to_be_led():
    at = opened(WITH_2C, first_lead="2c_card")
    assert at.turn == 2 and legal(at) == ["2C"]


@pytest.mark.parametrize(
    "lead, leader", [("2c_holder", 2), ("2c_card", 2), ("left_of_dealer", 1), ("dealer", 0), ("seat_0", 0)]
)
def test_who_leads_first(lead, leader):
    assert opened(WITH_2C, 0, first_lead=lead).turn == leader


def test_seat_0_leads_whoever_deals():
    assert opened(WITH_2C, 1, first_lead="seat_0").turn == 0


@pytest.mark.parametrize("lead", ["2c_holder", "2c_card"])
def test_without_the_2c_the_lowest_club_in_play_takes_its_role(lead):
    """The 3C in a deck without the 2C, and the 4C where the 2C and 3C lie out of play."""
    hands = ["QS 3C 9D 8H", "JS 4C TD 7H", "TC AS KH 5D", "2S 9C KD 6H"]
    assert opened(hands, deck="no_2c", hand_size=4, first_lead=lead).turn == 0
    hands[0] = "QS QC 9D 8H"
    at = opened(hands, first_lead=lead)
    assert at.turn == 1
    assert ("4C" in legal(at)) and (len(legal(at)) == (1 if lead == "2c_card" else 4))


@pytest.mark.parametrize("lead", ["2c_holder", "2c_card", "lowest_club"])
def test_without_any_club_the_dealers_left_leads_as_he_likes(lead):
    at = opened(["AS KH", "QS 9H", "JS 8H", "TS 7H"], 1, first_lead=lead)
    assert at.turn == 2 and legal(at) == ["8H", "JS"]
    assert legal(play(at, "8H")) == ["7H"]


def test_by_2c_rules_no_spade_falls_on_the_first_trick():
    """Unless the hand is all spades. In the seed's own rule, any card may (S12)."""
    hands = ["2C 3H", "AS KD", "KS QS", "3C 4C"]
    assert legal(play(opened(hands, first_lead="2c_card"), "2C")) == ["KD"]
    assert legal(play(opened(hands, first_lead="2c_card"), "2C KD")) == ["KS", "QS"]
    assert legal(play(opened(hands), "2C")) == ["AS", "KD"]


@rule_ids("SX61")
def test_everybody_plays_his_lowest_club_and_the_highest_wins():
    """Void hands play no spade; one of spades only may, and does not win with it."""
    at = opened(["5C JC AH", "3S 9D KS", "TS QS AS", "2C QC 2H"], preset="lowest_club")
    assert at.turn == 0 and legal(at) == ["5C"]
    assert legal(play(at, "5C")) == ["9D"]
    assert legal(play(at, "9D")) == ["AS", "QS", "TS"]
    assert legal(play(at, "AS")) == ["2C"]
    assert play(at, "2C").turn == 0 and tricks_won(at) == [1, 0, 0, 0]
    assert legal(at) == ["AH", "JC"]
    assert at.record.broken, "the spade has broken spades"


def test_a_leader_without_clubs_does_not_win_the_first_trick():
    at = play(opened(["3S 9D", "4C 8D", "6C 7D", "5C 6D"], preset="lowest_club"), "9D 4C 6C 5C")
    assert at.turn == 2
    assert at.layout.decode(at.words(0))["void"] == [["C"], [], [], []]


# --- following ---------------------------------------------------------------------------------------------------------------


def to_follow(lead: str, hand: str, **settings) -> list[str]:
    """What the second player may play."""
    cards = len(hand.split())
    filler = iter([f"{rank}{suit}" for suit in "CDH" for rank in "3456789" if f"{rank}{suit}" not in (lead, *hand.split())])
    others = [" ".join(next(filler) for _ in range(cards)) for _ in range(2)]
    leader = " ".join([lead, *(next(filler) for _ in range(cards - 1))])
    at = opened([leader, hand, *others], first_lead="left_of_dealer", **settings)
    return legal(play(at, lead))


@rule_ids("S11", "SX25")
def test_follow_suit_if_possible():
    assert to_follow("2H", "AS 4S 9H") == ["9H"]


@rule_ids("S12", "S-A13", "SX24")
def test_void_of_the_suit_any_card_may_be_played():
    assert to_follow("2D", "AS 4S 9H") == ["4S", "9H", "AS"]


@rule_ids("SX59")
def test_high_deuces_and_jokers_are_spades_to_follow():
    jjdd = {"preset": "jjdd", "team_bid_min": 0, "break_rule": "none"}
    assert to_follow("9S", "2D KD 4H", **jjdd) == ["2D"]
    assert to_follow("9S", "LJ KD 4H", **jjdd) == ["LJ"]
    assert to_follow("AD", "2D KD 4H", **jjdd) == ["KD"]
    assert to_follow("AD", "2D TS 4H", **jjdd) == ["2D", "4H", "TS"]
    assert to_follow("2D", "AS KD 4H", **jjdd) == ["AS"]


# --- winning -----------------------------------------------------------------------------------------------------------------


def winner(trick: str, **settings) -> int:
    """The seat that wins these four cards; seat 0 leads. Each holds one card."""
    return play(opened(trick.split(), first_lead="left_of_dealer", **settings), trick).record.tricks_won[:4].argmax()


@rule_ids("S13a", "S4")
def test_the_highest_card_of_the_suit_led_wins():
    for lower, higher in zip("23456789TJQK", "3456789TJQKA"):
        assert winner(f"{lower}D AC {higher}D AH") == 2
        assert winner(f"{higher}D AC {lower}D AH") == 0


@rule_ids("S13b", "SX26")
def test_the_highest_spade_wins_if_one_is_played():
    assert winner("TH KH 2S AH") == 2
    assert winner("TH KH 2C AH") == 3


@rule_ids("S13b", "SX27")
def test_a_spade_between_others():
    assert winner("9D AS 2S KD") == 1


@rule_ids("S-A22")
def test_a_named_trump_takes_the_place_of_spades():
    at = bid(
        table(["AS 3C", "2D 4C", "KS 5C", "QS 6C"], preset="seed_auction", first_lead="left_of_dealer"), "2", "1", "1", "1"
    )
    assert play(at, "name D", "AS 2D KS QS").turn == 1


@rule_ids("SX60")
def test_jokers_and_high_deuces():
    jjdd = {"deck": "jjdd"}
    assert winner("AS LJ 2D KS", **jjdd) == 1
    for lower, higher in [("AS", "2S"), ("2S", "2D"), ("2D", "LJ"), ("LJ", "HJ")]:
        assert winner(f"{lower} 3H {higher} 4H", **jjdd) == 2
        assert winner(f"{higher} 3H {lower} 4H", **jjdd) == 0
        assert winner(f"AH {lower} 3H {higher}", **jjdd) == 3
    assert winner("AS 2S HJ LJ", deck="jokers") == 2
    assert winner("AH 2D KH 3H", deck="jokers") == 0


@rule_ids("S14")
def test_the_winner_of_a_trick_leads_to_the_next():
    at = play(opened(["2C 3H", "KC 4H", "AC 5H", "3C 6H"]), "2C KC AC 3C")
    assert at.turn == 2 and tricks_won(at) == [0, 0, 1, 0]
    assert play(at, "5H 6H 3H 4H").record.deal_over
    assert tricks_won(at) == [0, 0, 1, 1]


# --- breaking spades ---------------------------------------------------------------------------------------------------------

MIXED_LEAD = ["AS 9S 4H", "2H 3H 5H", "6H 7H 2C", "8H 3C 4C"]


@rule_ids("SX48", "S-A12")
def test_a_spade_is_not_led_before_one_has_been_played():
    assert legal(opened(MIXED_LEAD, preset="standard")) == ["4H"]
    assert legal(opened(MIXED_LEAD, first_lead="left_of_dealer")) == ["4H", "9S", "AS"]


@rule_ids("SX49")
def test_a_hand_of_spades_leads_one_and_breaks_them():
    """Also where spades are never led from another hand."""
    hands = ["AS 9S", "2H 3H", "6H 7H", "8H 3C"]
    for rule in ("standard", "never"):
        at = opened(hands, preset="standard", break_rule=rule)
        assert legal(at) == ["9S", "AS"]
        assert play(at, "AS").record.broken


DISCARD = ["2H AS 9D 3C", "KH 3D 4D 4C", "QS 5D 6D 5C", "AH 7D 8D 6C"]


@rule_ids("SX50")
def test_a_spade_thrown_on_an_earlier_trick_breaks_them():
    """Seat 2 trumps the first trick with the QS and leads 5D; seat 0, who takes it with the 9D, may lead her ace of spades."""
    at = play(opened(DISCARD, preset="standard"), "2H KH QS AH")
    assert legal(at) == ["5C", "5D", "6D"] and at.record.broken
    play(at, "5D 8D 9D 4D")
    assert at.turn == 0 and legal(at) == ["3C", "AS"]


@pytest.mark.parametrize("rule, leads", [("standard", ["3S", "9C"]), ("never", ["9C"])])
def test_once_broken_spades_are_led_from_any_hand_or_never(rule, leads):
    at = play(opened(["2H 3C 4C", "KH 3D 4D", "QS 3S 9C", "AH 7D 8D"], preset="standard", break_rule=rule), "2H KH QS AH")
    assert at.turn == 2 and legal(at) == leads


def test_jokers_and_high_deuces_are_spades_to_lead_and_to_break():
    hands = ["LJ 2D 4H", "2S 3H 5H", "6H 7H 3D", "8H 3C 4C"]
    at = opened(hands, preset="jjdd", team_bid_min=0)
    assert legal(at) == ["4H"]
    at = opened(["4H LJ 3C", "8H 2S 5H", "2D 9C 3D", "TH 3S 4C"], preset="jjdd", team_bid_min=0)
    assert legal(play(at, "4H 8H 2D TH")) == ["3D", "9C"] and at.record.broken


def test_a_leader_of_unbroken_spades_only_always_has_a_lead():
    """A known error elsewhere: no legal card at all."""
    choose = random.Random(1)
    at = Table(GAME, GAME.rules("standard"), episode="open")
    at.reset()
    for _ in range(30):
        cards = choose.sample(range(39), 39)
        at.open_deal([[*range(39, 52)], cards[:13], cards[13:26], cards[26:]], 3)
        bid(at, "13", "1", "N", "1")
        assert len(legal(at)) == 13 and at.turn == 0


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_that_wins_all_tricks_is_shown_with_all_of_them(seat):
    """A known error elsewhere: thirteen places for fourteen numbers."""
    hands = [SUITS[(3 + place - seat) % 4] for place in range(4)]
    at = opened(hands, first_lead="dealer", dealer=seat)
    while not at.record.deal_over:
        at.step(at.legal_actions()[0])
    for viewer in range(4):
        shown = at.layout.decode(at.words(viewer))
        assert shown["tricks_won"] == [13 if (viewer + place) % 4 == seat else 0 for place in range(4)]
        assert shown["tricks_played"] == 13
