"""Bids, blind bids, naming trump and exchanging cards."""

import random

import pytest

from card_envs.game import OptionError
from card_envs.games.spades.play import BIDDING, BLIND, PLAYING
from card_envs.table import IllegalAction, Table
from tests.rule_ids import rule_ids
from tests.spades.play import (
    GAME,
    MIXED,
    SUITS,
    bid,
    bids,
    dealt,
    finished,
    last_trick,
    legal,
    numbers,
    outcome,
    play,
    table,
)

NIL_TO_13 = {"N", *numbers(1, 13)}


def auction(*calls: str, preset: str = "seed", **settings) -> Table:
    """Four players with a suit each, seat 3 deals, so seat 0 speaks first; who may bid blind looks first."""
    at = bid(table(SUITS, preset=preset, **settings), *calls)
    return play(at, "look") if int(at.record.phase) == BLIND else at


# --- who bids what -----------------------------------------------------------------------------------------------------------


@rule_ids("S7a", "S-A14", "SX21")
def test_one_round_of_bids_from_the_dealers_left():
    """Seat 0 deals: 1, 2, 3, 0 bid, one each. Seat 2 holds the 2C and leads."""
    at = table([SUITS[1], SUITS[2], SUITS[0], SUITS[3]], 0)
    speakers = []
    for number in ("3", "4", "5", "1"):
        speakers.append(at.turn)
        bid(at, number)
    assert speakers == [1, 2, 3, 0]
    assert at.turn == 2 and set(legal(at)) == set(SUITS[0].split())


@rule_ids("S7b", "S8", "S-A14")
def test_whole_numbers_up_to_thirteen_or_nil_and_no_pass():
    assert bids(auction()) == NIL_TO_13
    assert bids(auction("13", "13", "13")) == NIL_TO_13


@pytest.mark.parametrize(
    "preset, players, highest", [("three", 3, 17), ("six", 6, 8), ("cutthroat", 3, 17), ("standard", 4, 13)]
)
def test_the_highest_bid_is_the_size_of_the_hand(preset, players, highest):
    at = table(dealt(GAME.rules(preset, num_players=players)), 0, preset=preset)
    assert bids(at) == {"N", *numbers(1, highest)}


def test_no_bid_above_seventeen():
    """Eighteen cards each: the highest number that there is a call for."""
    options = {"teams": "solo", "num_players": 3, "deck": "jokers"}
    assert bids(play(table(dealt(GAME.rules(**options)), 0, **options), "look")) == {"N", *numbers(1, 17)}


@rule_ids("S-A15")
def test_the_sides_total_is_not_limited_in_the_seed():
    assert bids(auction("13", "1")) == NIL_TO_13


@rule_ids("SX52", "S-A15")
def test_the_sides_total_may_be_limited_to_thirteen():
    assert bids(auction("9", "1", preset="standard")) == {"N", *numbers(1, 4)}
    assert bids(auction("13", "1", preset="standard")) == {"N"}
    assert bids(auction("N", "1", preset="standard")) == NIL_TO_13


def test_where_there_is_no_nil_the_first_partner_leaves_the_other_a_bid():
    plain = {"preset": "standard", "nil": 0}
    assert bids(auction(**plain)) == numbers(1, 12)
    assert bids(auction("12", "1", **plain)) == {"1"}


@pytest.mark.parametrize(
    "partner, expected", [("N", numbers(4, 13)), ("1", numbers(3, 12)), ("3", numbers(1, 10)), ("4", {"N", *numbers(1, 9)})]
)
def test_the_sides_lowest_total(partner, expected):
    """Four at least: a nil bidder's partner bids four or more."""
    assert bids(auction(partner, "4", preset="standard", team_bid_min=4)) == expected


def test_the_last_bidder_may_not_bring_the_sum_to_the_forbidden_total():
    assert bids(auction("3", "4", "2", forbidden_total=13)) == NIL_TO_13 - {"4"}
    assert bids(auction("3", "4", "6", forbidden_total=13)) == NIL_TO_13 - {"N"}
    assert bids(auction("3", "4", forbidden_total=13)) == NIL_TO_13
    assert bids(auction("9", "9", "9", forbidden_total=13)) == NIL_TO_13


def test_the_forbidden_total_gives_way_where_nothing_else_is_left():
    """The partner has bid all thirteen of the cap, so nil alone is left; the sum of 17 cannot be avoided."""
    rules = {"preset": "standard", "forbidden_total": 17, "blind_nil": 0, "blind_nil_deficit": 0, "blind_nil_pass": 0}
    assert bids(auction("3", "13", "1", **rules)) == {"N"}


@rule_ids("S-A17")
def test_both_partners_may_bid_nil_unless_the_rules_forbid_it():
    assert "N" in bids(auction("N", "1"))
    assert "N" not in bids(auction("N", "1", double_nil=False))
    at = bid(table(SUITS, double_nil=False), "N", "1")
    assert int(at.record.phase) == BIDDING, "nor blind: there is nothing to choose before looking"


# --- restricted bids ---------------------------------------------------------------------------------------------------------


@rule_ids("SX55", "SX56")
def test_suicide():
    """One partner bids nil, the other four or more."""
    assert bids(auction(preset="suicide")) == {"N", *numbers(4, 13)}
    assert bids(auction("N", "4", preset="suicide")) == numbers(4, 13)
    assert bids(auction("5", "4", preset="suicide")) == {"N"}


@rule_ids("SX57")
def test_whiz():
    """The number of spades, or nil."""
    assert bids(table(["AS KS 2S 4S", "3H 4H 5H 6H", "QS JC TC 9C", "2C 3C 4C 5C"], preset="whiz")) == {"N", "4"}
    assert bids(auction(preset="whiz")) == {"N"}
    assert bids(auction("N", "N", "N", preset="whiz")) == {"N", "13"}


@rule_ids("SX58")
def test_mirror():
    """The number of spades, without a choice; none is nil."""
    at = table(["AS KS 2S 4H", "3H 5H 6H 7H", "QS JC TC 9C", "2C 3C 4C 5C"], preset="mirror")
    assert bids(at) == {"3"}
    assert bids(bid(at, "3")) == {"N"}


def test_jokers_and_high_deuces_are_spades_for_bids_too():
    hands = ["HJ 2D 3S 4H", "3H 5H 6H 7H", "QS JC TC 9C", "3C 4C 5C 6C"]
    assert bids(table(hands, preset="mirror", deck="jjdd")) == {"3"}


# --- blind nil ---------------------------------------------------------------------------------------------------------------


@rule_ids("S9", "S-A16", "SX28")
def test_first_look_or_bid_blind_nil():
    at = table(SUITS)
    assert legal(at) == ["blind nil", "look"]
    play(at, "look")
    assert "blind nil" not in legal(at) and bids(at) == NIL_TO_13 and at.turn == 0
    with pytest.raises(IllegalAction):
        play(at, "blind nil")
    with pytest.raises(IllegalAction):
        play(at, "look")


@rule_ids("SX28")
@pytest.mark.parametrize("viewer", range(4))
def test_a_hand_is_hidden_from_its_owner_until_it_has_looked_or_bid(viewer):
    """At every moment before, no other hand of its own changes a byte of what the seat is shown: view, history, mask, text."""
    choose = random.Random(viewer)
    deals = [choose.sample(range(52), 52) for _ in range(2)]
    tables = []
    for cards in deals:
        hands = [cards[13 * seat : 13 * seat + 13] for seat in range(4)]
        at = Table(GAME, GAME.rules(), episode="open")
        at.reset()
        at.open_deal(hands, 3)
        tables.append(at)
    for call in ("look", "bid 3", "blind nil", "look", "nil", "blind nil"):
        shown = [(at.words(viewer).tobytes(), at.tokens(viewer).tobytes(), at.show(viewer)) for at in tables]
        decided = viewer < tables[0].turn or (viewer == tables[0].turn and int(tables[0].record.phase) == BIDDING)
        assert (shown[0] != shown[1]) == decided
        if tables[0].turn == viewer and not decided:
            assert tables[0].legal_actions() == tables[1].legal_actions()
        for at in tables:
            play(at, call)
    assert all(len(at.layout.decode(at.words(viewer))["own_hand"]) == 13 for at in tables)


def test_the_batch_hides_a_hand_too():
    """Two batches with other cards: while seats choose to look, their observations differ in nothing but the dealer."""
    from card_envs import make_vec

    shown = set()
    for seed in range(40):
        vec = make_vec("spades", 16, seed=seed, observation="bits")
        view = vec.reset()
        assert (view.action_mask[:, 54:56] == 1).all() and view.action_mask.sum() == 32
        shown |= {row.tobytes() for row in view.observation}
    assert len(shown) == 1  # the dealer always sits to the right of who speaks first


@rule_ids("SX53")
@pytest.mark.parametrize("scores, offered", [([180, 285], True), ([180, 280], True), ([180, 279], False), ([0, 0], False)])
def test_blind_nil_may_ask_for_points_behind(scores, offered):
    """Who may not bid it sees his hand and does not look."""
    at = table(SUITS, preset="standard", scores=scores)
    assert (legal(at) == ["blind nil", "look"]) is offered
    shown = at.layout.decode(at.words(0))
    assert len(shown["own_hand"]) == (0 if offered else 13)
    assert len(at.layout.decode(at.words(1))["own_hand"]) == 13


def test_each_for_himself_the_best_other_side_counts():
    at = table(SUITS, preset="cutthroat", scores=[20, 100, 120, 0])
    assert legal(at) == ["blind nil", "look"]
    bid(at, "B")
    assert bids(at) == NIL_TO_13  # seat 1: 20 behind
    bid(at, "1", "1")
    assert legal(at) == ["blind nil", "look"]


@pytest.mark.parametrize("call, offered", [("4", True), ("3", False), ("N", False)])
def test_blind_nil_keeps_the_sides_lowest_total(call, offered):
    at = bid(table(SUITS, preset="standard", team_bid_min=4, scores=[0, 200]), call, "4")
    assert (legal(at) == ["blind nil", "look"]) is offered


def test_blind_nil_keeps_the_forbidden_total():
    assert int(bid(table(SUITS, forbidden_total=13), "3", "4", "6").record.phase) == BIDDING
    assert int(bid(table(SUITS, forbidden_total=13), "3", "4", "5").record.phase) == BLIND


def test_after_a_blind_nil_the_hand_is_shown():
    at = play(table(SUITS), "blind nil")
    shown = at.layout.decode(at.words(0))
    assert len(shown["own_hand"]) == 13 and shown["bid"][0] == "nil" and shown["blind"][0] == ["blind"]


# --- blind six and seven -----------------------------------------------------------------------------------------------------

BLIND_NUMBERS = {"preset": "standard", "blind_bid": "six_seven"}


def test_a_side_far_behind_bids_blind_six_or_seven():
    """Its first partner speaks for both: the other does not."""
    at = table(SUITS, scores=[0, 100], **BLIND_NUMBERS)
    assert legal(at) == ["blind 6", "blind 7", "blind nil", "look"]
    bid(at, "B6", "3", "4")
    assert at.layout.decode(at.words(0))["bid"] == ["bid 6", "bid 3", None, "bid 4"]
    assert at.layout.decode(at.words(0))["blind"] == [["blind"], [], [], []]
    assert at.turn == 0 and int(at.record.phase) == PLAYING
    assert len(at.layout.decode(at.words(2))["own_hand"]) == 13
    assert legal(table(SUITS, scores=[0, 99], **BLIND_NUMBERS))[0] == "bid 1"


def test_when_the_partner_has_spoken_it_is_too_late_for_a_blind_number():
    at = bid(table(SUITS, scores=[0, 100], **BLIND_NUMBERS), "3", "4")
    assert legal(at) == ["blind nil", "look"]
    off = {"blind_nil": 0, "blind_nil_pass": 0}
    assert "look" not in legal(bid(table(SUITS, scores=[0, 100], **BLIND_NUMBERS, **off), "3", "4"))


def test_the_partner_of_the_last_bidder_may_speak_for_both():
    """Seat 2 is the dealer's partner: with blind seven nobody is left to speak."""
    at = bid(table(SUITS, 0, scores=[0, 100], **BLIND_NUMBERS), "3", "B7")
    assert at.turn == 3
    assert int(bid(at, "4").record.phase) == PLAYING


@pytest.mark.parametrize(
    "call, won, expected", [("B6", 7, (121, 1)), ("B6", 5, (-60, 0)), ("B7", 7, (140, 0)), ("B7", 6, (-70, 0))]
)
def test_blind_numbers_are_worth_twice_as_much_and_cost_the_same(call, won, expected):
    """120 and an overtrick; -60. The partner's tricks count."""
    at = bid(table(dealt(GAME.rules("standard")), scores=[0, 100], **BLIND_NUMBERS), call, "1", "1")
    assert outcome(last_trick(at, [won - 2, 13 - won, 2, 0])) == expected


def test_each_for_himself_a_player_bids_blind_for_himself():
    at = bid(table(dealt(GAME.rules("seed_cutthroat")), preset="seed_cutthroat", blind_bid="six_seven"), "B6", "B7", "1", "1")
    last_trick(at, [6, 5, 1, 1])
    assert [outcome(at, side) for side in range(2)] == [(12, 0), (3, 2)]  # twice 6; 5 - 2


# --- naming trump ------------------------------------------------------------------------------------------------------------


@rule_ids("S29", "S-A22")
def test_the_highest_bidder_names_trump():
    at = auction("3", "5", "4", "1", preset="seed_auction")
    assert at.turn == 1 and legal(at) == ["name C", "name D", "name H", "name S"]
    play(at, "name H")
    assert "trump H" in at.show() and at.turn == 0


@rule_ids("S-A22")
def test_of_equal_bids_the_earliest_names_and_nil_is_lowest():
    assert auction("N", "4", "4", "B", preset="seed_auction").turn == 1


@rule_ids("S-A22")
def test_when_all_bid_nil_spades_are_trump():
    at = auction("N", "B", "N", "N", preset="seed_auction")
    assert "trump S" in at.show() and at.turn == 0


@rule_ids("S5")
def test_otherwise_spades_are_trump():
    assert "trump S" in auction("1", "1", "1", "1").show()
    assert auction().layout.decode(auction().words(0))["trump"] == "S"


@pytest.mark.parametrize("name", ["blind_nil_pass", "nil_pass", "team_bid_min", "team_bid_cap"])
def test_what_partners_do_needs_partners(name):
    with pytest.raises(OptionError, match="needs partners"):
        GAME.rules("seed_cutthroat", **{name: 2})


def test_blind_nil_that_is_off_is_never_offered():
    assert bids(table(SUITS, blind_nil=0)) == NIL_TO_13
    assert finished("N/5", "0/5", blind_nil=0).scores()[0] == 105


def test_hands_of_four_bid_four_at_most():
    assert bids(play(table(MIXED), "look")) == {"N", *numbers(1, 4)}
