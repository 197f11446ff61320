"""Partners exchange cards after a nil."""

import pytest

from card_envs.cards import card_list, card_word, hand_text, parse_card
from card_envs.table import Table
from tests.rule_ids import rule_ids
from tests.spades.play import SUITS, bid, exchange, legal, play, table

GIVEN = {"preset": "standard", "scores": [0, 200]}


def names(at: Table, seat: int) -> set[str]:
    return set(hand_text(at.record.hand[seat]).split())


@rule_ids("S-A16")
def test_a_blind_nil_exchanges_cards_with_the_partner():
    """Two from the bidder first, picked up after the second; two back, which may be the same."""
    at = bid(table(SUITS, **GIVEN), "B", "4", "5", "3")
    assert at.turn == 0 and len(legal(at)) == 13 and legal(at)[0] == "give 2C"
    play(at, "give AC")
    assert at.turn == 0 and "give AC" not in legal(at) and "AC" not in names(at, 2)
    play(at, "give KC")
    assert at.turn == 2 and {"AC", "KC"} < names(at, 2) and len(legal(at)) == 15
    play(at, "give KC", "give 2H")
    assert names(at, 0) == set(SUITS[0].split()) - {"AC"} | {"2H"}
    assert names(at, 2) == set(SUITS[2].split()) - {"2H"} | {"AC"}
    assert at.turn == 0 and len(legal(at)) == 13  # left of the dealer leads, no spade among them


def test_the_first_lead_is_settled_after_the_exchange():
    """The 2C goes across: its new holder leads."""
    at = bid(table(SUITS, blind_nil_pass=1), "B", "4", "5", "3")
    assert play(at, "give 2C", "give AH").turn == 2


def test_cards_on_their_way_are_seen_by_the_giver_alone():
    at = play(bid(table(SUITS, **GIVEN), "B", "4", "5", "3"), "give AC")
    given = [at.layout.decode(at.words(seat)) for seat in range(4)]
    assert given[0]["cards_given"] == ["AC"] and given[0]["gives_left"] == 1
    assert not any(shown["cards_received"] or shown["cards_given"] for shown in given[1:])
    play(at, "give KC")
    given = [at.layout.decode(at.words(seat)) for seat in range(4)]
    assert given[2]["cards_received"] == ["KC", "AC"] and not any(given[seat]["cards_received"] for seat in (0, 1, 3))
    assert "gave" not in at.show(1) and "gave AC KC" in at.show(0)


def test_the_history_does_not_tell_which_card_another_seat_gave():
    """Another card given: only the giver's history differs."""
    tables = [play(bid(table(SUITS, **GIVEN), "B", "4", "5", "3"), f"give {card}") for card in ("AC", "QC")]
    differs = [tables[0].tokens(seat).tolist() != tables[1].tokens(seat).tolist() for seat in range(4)]
    assert differs == [True, False, False, False]


def test_both_partners_blind_exchange_nothing():
    at = bid(table(SUITS, **GIVEN), "B", "4", "B", "3")
    assert legal(at)[0] in SUITS[0].split()


def test_pairs_exchange_in_turn_from_the_dealers_left():
    """Seat 1 is on the dealer's left; each bidder gives before its partner, also where the partner sits before it."""
    at = bid(table(SUITS, 0, blind_nil_pass=1), "1", "B", "B", "1")
    givers = []
    while legal(at)[0].startswith("give"):
        givers.append(at.turn)
        at.step(at.legal_actions()[0])
    assert givers == [2, 0, 3, 1]


def test_a_plain_nil_exchanges_where_the_rules_say_so():
    at = bid(table(SUITS, nil_pass=3), "N", "4", "5", "3")
    assert legal(at)[0].startswith("give")
    exchange(at)
    assert names(at, 0) == set(SUITS[0].split())  # the lowest three were given, and came back
    assert not legal(bid(table(SUITS, nil_pass=3), "N", "4", "N", "3"))[0].startswith("give")


@pytest.mark.parametrize("blind, count", [(2, 2), (0, 0)])
def test_a_plain_nil_beside_a_blind_one_leaves_the_exchange_to_it(blind, count):
    at = bid(table(SUITS, nil_pass=1, blind_nil_pass=blind), "N", "4", "B", "3")
    gives = legal(at)[0].startswith("give")
    assert gives == (count > 0) and at.turn == (2 if gives else 0) and int(at.record.gives_left) == count


def test_cards_are_given_by_their_names_also_beyond_the_second_word_of_actions():
    """give KS and give AS lie in the third word of the mask, give QS is the second word's sign bit."""
    at = bid(table([SUITS[3], *SUITS[:3]], nil_pass=3), "N", "4", "5", "3")
    assert [name for name in legal(at) if name[5] in "AKQ"] == ["give AS", "give KS", "give QS"]
    play(at, "give AS", "give KS", "give QS")
    assert card_list(at.record.hand[2])[-3:] == [parse_card("QS"), parse_card("KS"), parse_card("AS")]
    assert at.turn == 2 and int(at.record.hand[0]) == card_word(card_list(at.record.hand[0])[:10])
