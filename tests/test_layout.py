"""The observation: what it says is what is on the table, every column has a name, and all its forms hold the same bits."""

import numpy as np
import pytest

from card_envs.cards import card_list, hand_text
from card_envs.layout import BLOCK, Group, Layout, Piece
from tests.contract.cases import every_case
from tests.pitch.play import GAME, REFERENCE_HANDS, REFERENCE_PLAY, play, reference_deal, table


def seen(at, viewer: int) -> dict:
    """What `viewer` is shown, decoded."""
    return at.layout.decode(at.words(viewer))


def cards(text: str) -> list[str]:
    """Card names as the decoder lists them: by suit C D H S, low to high."""
    order = {name: card for card, name in enumerate(GAME.action_names(GAME.rules()))}
    return sorted(text.split(), key=order.get)


# --- positions of the reference deal, read by eye ----------------------------------------------------------------------------


def test_before_the_first_call():
    """Seat 3 deals; seat 0 looks: she is first to call."""
    shown = seen(table(REFERENCE_HANDS, 3, scores=[5, -3]), viewer=0)
    assert shown["own_hand"] == cards("AS KS 7S TD 4C 2H")
    assert shown["played"] == [[], [], [], []] and shown["call"] == [None] * 4
    assert shown["phase"] == "bidding" and shown["first"] == 0 and shown["standing_bid"] == 0 and shown["trump"] is None
    assert shown["dealer"] == 3 and shown["bidder"] is None and shown["leader"] is None
    assert shown["score"] == [5, -3]
    assert shown["needs"] == [6, 14]  # to 11
    assert shown["tricks_won"] == [0, 0, 0, 0] and shown["pips"] == [0, 0]


def test_seats_and_sides_are_counted_from_the_viewer():
    """The same position as seat 1 sees it: she is second to call, the dealer is her third neighbour, her side comes first."""
    shown = seen(table(REFERENCE_HANDS, 3, scores=[5, -3]), viewer=1)
    assert shown["own_hand"] == cards("QS 3S AD 9C 8H JH")
    assert shown["first"] == 3  # three seats on, so she is second
    assert shown["dealer"] == 2
    assert shown["score"] == [-3, 5] and shown["needs"] == [14, 6]


def test_the_auction_is_shown():
    """Seat 0 passed, seat 1 bid 2, seat 2 bid 4; seat 3 is to speak."""
    shown = seen(play(table(REFERENCE_HANDS, 3), "pass", "bid 2", "bid 4"), viewer=3)
    assert shown["call"] == [None, "pass", "bid 2", "bid 4"]
    assert shown["standing_bid"] == 4 and shown["first"] == 1
    assert shown["dealer"] == 0 and shown["bidder"] == 3


def test_naming_and_trump_are_shown():
    naming = play(table(REFERENCE_HANDS, 3), "bid 2", "pass", "pass", "pass")
    assert seen(naming, viewer=0)["phase"] == "naming" and seen(naming, viewer=0)["trump"] is None
    shown = seen(play(naming, "name S"), viewer=0)
    assert shown["phase"] == "playing" and shown["trump"] == "S"
    assert (shown["bidder"], shown["pitcher"], shown["leader"]) == (0, 0, None)


def test_a_trick_in_progress_is_shown():
    """AS 3S JS lie in the first trick, seat 3 is to play: she sits after the leader by three."""
    deal = play(table(REFERENCE_HANDS, 3), "bid 2", "pass", "pass", "pass", "name S", "AS 3S JS")
    shown = seen(deal, viewer=3)
    assert shown["played"] == [[], ["AS"], ["3S"], ["JS"]]
    assert shown["trick_rank"] == [None, "A", "3", "J"] and shown["trick_suit"] == [None, "S", "S", "S"]
    assert shown["first"] == 1 and shown["tricks_played"] == 0
    assert [shown[role] for role in ("bidder", "pitcher", "leader", "winning")] == [1, 1, 1, 1]
    assert shown["void"] == [[], [], [], []]


def test_voids_tricks_and_points_so_far_are_shown():
    """After three tricks. In the third, 7S led, 9C TC 3H were played: seats 1, 2, 3 have shown that they have no spade.

    Side 0 holds AS 3S JS 2S, KS QS 5S 9S, 7S 9C TC 3H: pips 4 + 1 + 3 + 2 + 10 = 20, two steps of 8, and is ahead in all.
    """
    first_three = REFERENCE_PLAY.split()[:12]
    deal = play(table(REFERENCE_HANDS, 3), "bid 2", "pass", "pass", "pass", "name S", *first_three)
    shown = seen(deal, viewer=1)
    assert shown["void"] == [["S"], ["S"], ["S"], []]
    assert shown["tricks_won"] == [0, 0, 0, 3] and shown["tricks_played"] == 3
    assert shown["pips"] == [0, 20] and shown["pips_level"] == [0, 2]
    assert shown["points"] == [[], ["High", "Low", "Jack", "Game"]]
    assert shown["played"][3] == cards("AS KS 7S") and shown["own_hand"] == cards("AD 8H JH")


def test_a_trump_on_a_plain_suit_shows_no_void_unless_following_is_strict():
    """Seat 1 trumps the 5H with the 9S."""
    calls = ["bid 1", "pass", "name S", "AS 3S", "5H 9S"]
    hands = ["AS 5H 2C", "3S 9S 2D"]
    assert seen(play(table(hands, 1), *calls), viewer=0)["void"] == [[], []]
    assert seen(play(table(hands, 1, follow_rule="strict"), *calls), viewer=0)["void"] == [[], ["H"]]


@pytest.mark.parametrize("low_to, low", [("taker", 0), ("holder", 1)])
def test_who_is_ahead_in_low_is_shown_as_the_rules_count_it(low_to, low):
    shown = seen(reference_deal(bid=3, low_to=low_to), viewer=0)
    assert [("Low" in side) for side in shown["points"]] == [low == 0, low == 1]


def test_scores_far_out_are_held_within_the_range():
    """Twelve bits, two's complement: 2047 at most; points to the target are shown up to 16."""
    shown = seen(table(REFERENCE_HANDS, 3, scores=[5000, -5000]), viewer=0)
    assert shown["score"] == [2047, -2047] and shown["needs"] == [0, 16]


def test_options_are_shown():
    shown = seen(table(REFERENCE_HANDS, 3, preset="setback", low_to="holder"), viewer=2)
    assert shown["low_to"] == "holder" and shown["dealer_steal"] == "any" and shown["trump_method"] == "pitch"
    assert shown["min_bid"] == 2 and shown["must_bid_to_win"] == []


def test_a_position_as_text():
    deal = play(table(REFERENCE_HANDS, 3), "bid 2", "pass", "pass", "pass", "name S", "AS")
    lines = deal.layout.describe(deal.words(1)).splitlines()
    assert "own_hand: 9C AD 8H JH 3S QS" in lines
    assert "played: [-] [-] [-] [AS]" in lines
    assert "call: pass pass pass bid 2" in lines
    assert "trump: S" in lines


def test_every_piece_has_a_name_of_its_own():
    twice = Group("table", "table", (Piece("trump", 4, "one_hot", "trump"), Piece("trump", 1, "flags", "option of the rules")))
    with pytest.raises(ValueError, match="two pieces of the observation are called 'trump'"):
        Layout((twice,), 4, 2)


# --- any position ------------------------------------------------------------------------------------------------------------


@every_case
def test_what_is_decoded_is_what_was_dealt(case):
    """Own hand, cards played, scores and seat numbers of random positions, from every seat."""
    at = case.table(seed=3)
    for step in range(40):
        for viewer in (step % case.num_players, at.turn):
            shown = seen(at, viewer)
            seats = [(viewer + place) % case.num_players for place in range(case.num_players)]
            unseen = "hidden" in at.record.dtype.names and int(at.record.hidden) >> viewer & 1  # it may still bid blind
            assert set(shown["own_hand"]) == (set() if unseen else set(hand_text(at.record.hand[viewer]).split()))
            assert [set(played) for played in shown["played"]] == [
                {at.action_names[card] for card in card_list(at.record.played[seat])} for seat in seats
            ]
            sides = [(viewer + place) % case.rules.num_sides for place in range(case.rules.num_sides)]
            assert shown["score"] == [at.scores()[side] for side in sides]
        at.step(at.legal_actions()[len(at.history()) % len(at.legal_actions())])
        if at.ended:
            at.reset()


@every_case
def test_spreading_and_packing_are_inverse(case):
    layout = case.game.layout(case.rules)
    words = case.vec(64, seed=1, observation="bits").reset().observation
    for form in (np.uint8, np.int8, np.float32, np.bool_):
        assert np.array_equal(layout.pack(layout.spread(words).astype(form)), words)
    vector = layout.spread(words[5])
    assert vector.shape == (layout.width,) and np.array_equal(layout.pack(vector), words[5])
    assert layout.decode(vector) == layout.decode(words[5])
    with pytest.raises(ValueError, match=f"{layout.width} columns, not 3"):
        layout.pack(np.zeros((2, 3)))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("num_rows", [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3])
def test_rows_are_spread_alike_wherever_a_block_ends(num_rows, dtype):
    """Blocks of rows are spread in one run: no row touches its neighbours, and nothing is written past the last."""
    layout = Layout(
        (Group("a", "seat", (Piece("p", 9, "cards", ""),)), Group("b", "table", (Piece("q", 3, "flags", ""),))), 3, 2
    )
    columns = layout.num_bytes.tolist()
    words = np.random.default_rng(num_rows).integers(0, 1 << 62, (num_rows, layout.num_words))
    words &= [(1 << min(8 * size, 62)) - 1 for size in columns]
    room = np.full((num_rows + 1, layout.width), 7, dtype)
    layout.spread_into(words, room[:num_rows])
    for row in range(num_rows):
        bits = [[word >> bit & 1 for bit in range(8 * size)] for word, size in zip(words[row].tolist(), columns, strict=True)]
        assert room[row].tolist() == [bit for word in bits for bit in word]
    assert (room[num_rows] == 7).all()
    with pytest.raises(ValueError, match="out must lie in one piece"):
        layout.spread_into(words, room)


@every_case
def test_rows_name_columns_once_and_unnamed_columns_stay_zero(case):
    """Every bit that can be set has a name; what fills words up to bytes is always 0."""
    layout = case.game.layout(case.rules)
    named = np.zeros(layout.width, int)
    for first, last, _group, _member, piece in layout.rows():
        assert last - first + 1 == piece.width
        named[first : last + 1] += 1
    assert named.max() == 1
    vec = case.vec(64, seed=2)
    view = vec.reset()
    ever_set = np.zeros(layout.width, bool)
    for salt in range(200):
        ever_set |= view.observation.any(axis=0)
        view = vec.step(vec.random_actions(salt))
    assert not ever_set[named == 0].any()


@every_case
def test_rows_agree_with_the_decoder(case):
    """The columns that `rows` gives a piece hold what `decode` reads from it."""
    layout = case.game.layout(case.rules)
    at = case.table(seed=4)
    for _ in range(9):
        at.step(at.legal_actions()[-1])
    words = at.words(at.turn)
    vector, decoded = layout.spread(words), layout.decode(words)
    for first, last, group, member, piece in layout.rows():
        bits = sum(int(bit) << place for place, bit in enumerate(vector[first : last + 1]))
        value = decoded[piece.name] if group.per == "table" else decoded[piece.name][member]
        assert piece.read(bits) == value, piece.name


def test_the_table_of_the_layout_has_a_line_for_every_piece():
    layout = GAME.layout(GAME.rules())
    lines = layout.table().splitlines()
    assert len(lines) == 2 + len(list(layout.rows()))
    assert all(line.count("|") == 6 for line in lines)


# --- the hash, that networks are checked against -----------------------------------------------------------------------------


def layout_of(width=4, name="a", kind="flags", labels=(), seats=2) -> Layout:
    return Layout((Group("one", "seat", (Piece(name, width, kind, "meaning", labels),)),), seats, seats)


def test_the_hash_changes_with_the_layout():
    same = layout_of().hash
    assert layout_of().hash == same
    others = [
        layout_of(width=5), layout_of(name="b"), layout_of(kind="unary"), layout_of(labels=("w", "x", "y", "z")),
        layout_of(seats=3),
    ]  # fmt: skip
    assert len({same, *(other.hash for other in others)}) == len(others) + 1


def test_the_hash_tells_rules_apart():
    hashes = {
        GAME.layout(GAME.rules(**options)).hash for options in ({}, {"num_players": 3}, {"low_to": "holder"}, {"max_bid": 3})
    }
    assert len(hashes) == 4


def test_a_group_that_does_not_fit_into_a_word_is_refused():
    with pytest.raises(ValueError, match="'one' needs 64 bits, a word holds 63"):
        layout_of(width=64)


# --- the public history ------------------------------------------------------------------------------------------------------


def replayed(tokens: list[int], num_players: int, num_actions: int) -> list[tuple[int, int]]:
    """(place after the seat to act, action) of history tokens."""
    return [divmod(token - 1, num_actions) for token in tokens if token]


@every_case
def test_the_history_is_perfect_recall(case):
    """Tokens give back every action of the deal in order and by seat; zeros fill up, and a new deal starts anew.

    One private action stands for those of the other seats.
    """

    def known(action: int, own: bool) -> int:
        return case.game.private.start if action in case.game.private and not own else action

    vec = case.vec(8, seed=5, observation="none", keep_history=True)
    view = vec.reset()
    done = [[] for _ in range(8)]
    deals = np.zeros(8, int)
    for salt in range(100):
        tokens = vec.history()
        assert tokens.shape == (8, case.rules.max_actions)
        for row, seat in enumerate(view.seat):
            expected = [((actor - seat) % case.num_players, known(action, actor == seat)) for actor, action in done[row]]
            assert replayed(tokens[row].tolist(), case.num_players, vec.num_actions) == expected
        actions = vec.random_actions(salt)
        for row in range(8):
            done[row].append((int(view.seat[row]), int(actions[row])))
        view = vec.step(actions)
        for row, moves in enumerate((vec.history() > 0).sum(axis=1)):
            if moves == 0:
                done[row] = []
                deals[row] += 1
    assert (deals > 0).all()


def test_the_history_and_the_hands_give_back_every_view():
    """The actions of a deal, played again from its hands, show every seat the same bytes at every step."""
    calls = ["bid 2", "pass", "pass", "pass", "name S"]
    deal, again = table(REFERENCE_HANDS, 3), table(REFERENCE_HANDS, 3)
    views = []
    for text in [*calls, *REFERENCE_PLAY.split()[:-1]]:
        play(deal, text)
        views.append([deal.words(viewer).tobytes() for viewer in range(4)])
    for (seat, action), shown in zip(deal.history(), views, strict=True):
        assert again.turn == seat
        again.step(action)
        assert [again.words(viewer).tobytes() for viewer in range(4)] == shown
