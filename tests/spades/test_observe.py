"""What a seat is shown, read by eye, and read back by the bots' view."""

import pytest

from tests.spades.play import GAME, SUITS, bid, finished, play, table

JJDD = {"deck": "jjdd", "first_lead": "left_of_dealer"}


def seen(at, viewer: int) -> dict:
    return at.layout.decode(at.words(viewer))


def test_before_the_first_call():
    """Seat 3 deals; seat 2 looks over the table: it calls third, and sees no card of its own while it may bid blind."""
    shown = seen(table(SUITS, scores=[120, -30], bags=[3, 12]), viewer=2)
    assert shown["phase"] == "blind" and shown["position"] == 2 and shown["own_hand"] == []
    assert shown["role"] == [[], ["dealer"], [], []]
    assert shown["score"] == [120, -30] and shown["bags"] == [3, 12]
    assert shown["needs"] == [12, 16]  # 380 and 530 points in steps of 32, sixteen at most
    assert shown["above_floor"] == [0, 0] and shown["cards_each"] == 13
    assert shown["bid"] == [None] * 4 and shown["trump"] == "S" and shown["broken"] == []


def test_points_above_the_floor():
    """320 and 1 above -200."""
    assert seen(table(SUITS, preset="standard", scores=[120, -199]), 0)["above_floor"] == [10, 1]


def test_bids_are_shown():
    at = bid(table(SUITS, preset="standard", scores=[0, 100]), "B", "13")
    shown = seen(at, viewer=1)
    assert shown["bid"] == ["bid 13", None, None, "nil"] and shown["blind"] == [[], [], [], ["blind"]]
    assert shown["phase"] == "blind" and shown["position"] == 1  # seat 2 is 100 behind too


def test_a_trick_in_progress_is_shown():
    at = play(bid(table(["3S 5D", "LJ 4D", "2D 6D", "2S 7D"], **JJDD), "1", "1", "1", "1"), "3S LJ 2D")
    shown = seen(at, viewer=3)
    assert shown["trick_rank"] == [None, "3", "LJ", "2"] and shown["trick_suit"] == [None, "S", "S", "D"]
    assert shown["role"] == [["dealer"], ["leader"], ["winning"], []]
    assert shown["played"] == [[], ["3S"], ["LJ"], ["2D"]] and shown["position"] == 3 and shown["broken"] == ["broken"]


def test_voids_and_tricks_are_shown():
    """A high deuce on a diamond lead shows that its player has no diamond."""
    at = play(bid(table(["5D 3S", "4D LJ", "2D 6H", "8H 7D"], **JJDD), "1", "1", "1", "1"), "5D 4D 2D 7D")
    shown = seen(at, viewer=0)
    assert shown["void"] == [[], [], ["D"], []] and shown["tricks_won"] == [0, 0, 1, 0] and shown["tricks_played"] == 1


def test_options_are_shown():
    shown = seen(table(SUITS, preset="standard", double_13=True, bag_limit=7), viewer=0)
    assert shown["contract_scope"] == "team" and shown["bag_source"] == "overtricks" and shown["break_rule"] == "standard"
    assert shown["double_13"] == ["on"] and shown["ten_for_200"] == [] and shown["trump_is_named"] == []
    assert (shown["nil"], shown["blind_nil"], shown["bag_limit"], shown["bag_penalty"], shown["team_bid_cap"]) == (
        100,
        200,
        7,
        100,
        13,
    )
    assert seen(table(SUITS, overtrick_points=-1), 0)["overtrick_points"] == -1


def test_scores_far_out_are_held_within_the_range():
    shown = seen(table(SUITS, scores=[9000, -9000], bags=[400, 0]), viewer=0)
    assert shown["score"] == [2047, -2047] and shown["bags"] == [20, 0]


@pytest.mark.parametrize("preset", ["cutthroat", "three", "six", "standard"])
def test_the_words_are_the_same_for_every_number_of_players(preset):
    """Only how many seats and sides there are differs: the pieces of each word and their widths do not."""
    words = [[(group.name, [(piece.name, piece.width) for piece in group.pieces]) for group in GAME.groups(GAME.rules(name))]
             for name in ("seed", preset)]  # fmt: skip
    assert words[0] == words[1]


def test_a_finished_deal_shows_its_result():
    shown = seen(finished("4/3", "6/1"), viewer=0)
    assert shown["phase"] is None and shown["score"] == [3, 0] and shown["bags"] == [2, 1]
