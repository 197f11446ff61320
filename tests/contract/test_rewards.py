"""Who is paid what, and when: every seat once, by the result, whatever its number."""

import random

import numpy as np
import pytest

from tests.contract.cases import CASES, NO_ACTION, any_legal, every_case


def margins(changes: list[int], num_players: int) -> list[float]:
    """What each seat earns by a deal: its side's gain less the best of the others'."""
    num_sides = len(changes)
    best_other = [max(gain for other, gain in enumerate(changes) if other != side) for side in range(num_sides)]
    return [float(changes[seat % num_sides] - best_other[seat % num_sides]) for seat in range(num_players)]


@every_case
def test_a_deal_pays_each_seat_once_at_its_end(case):
    """The last step pays the margin of the scores, every other step nothing, and partners get the same."""
    choose = random.Random(str(case))
    table = case.table(seed=1, episode="deal", reward="score")
    for _ in range(10):
        table.reset()
        while not table.ended:
            earned = table.step(any_legal(table, choose))
            if not table.ended:
                assert not earned.any()
        assert earned.tolist() == margins(table.scores(), case.num_players)


@every_case
def test_a_match_pays_zero_in_sum_and_winners_most(case):
    """Reward "win": nothing before the end; then winners share what the others lose, all within -1 and 1."""
    vec = case.vec(32, seed=2, observation="none", autoreset="disabled", episode="match", reward="win")
    view = vec.reset()
    paid = np.zeros((32, case.num_players))
    ended = np.zeros(32, bool)
    while not view.done.all():
        view = vec.step(vec.random_actions())
        assert not view.rewards[ended].any() and not view.rewards[~view.done].any()
        paid += view.rewards
        ended |= view.done
    sides = paid[:, : case.rules.num_sides]
    assert np.allclose(sides.sum(axis=1), 0, atol=1e-6) and np.abs(paid).max() <= 1
    assert all(np.array_equal(paid[:, seat], sides[:, seat % case.rules.num_sides]) for seat in range(case.num_players))
    ahead = view.final_scores == view.final_scores.max(axis=1, keepdims=True)
    cut = view.truncated
    assert np.array_equal(sides[cut] == sides[cut].max(axis=1, keepdims=True), ahead[cut])


@pytest.mark.parametrize("case", [case for case in CASES if case.rules.num_sides == 2], ids=str)
def test_two_sides_win_and_lose_one(case):
    """Unless level sides share the win."""
    vec = case.vec(32, seed=2, observation="none", episode="match", reward="win")
    vec.reset()
    for salt in range(2000):
        view = vec.step(vec.random_actions(salt))
        shared = (view.rewards == 0).all(axis=1) & (view.final_scores[:, 0] == view.final_scores[:, 1])
        assert set(np.abs(view.rewards[view.terminated & ~shared]).ravel().tolist()) <= {1.0}


@every_case
def test_scores_paid_in_a_match_add_up(case):
    """Under reward "score" a match pays the margin of every deal: in sum the scores, where there are two sides."""
    vec = case.vec(32, seed=3, observation="none", autoreset="disabled", episode="match", reward="score")
    view = vec.reset()
    paid = np.zeros((32, case.num_players))
    while not view.done.all():
        view = vec.step(vec.random_actions())
        paid += view.rewards
    if case.rules.num_sides == 2:
        assert np.array_equal(paid[:, 0], view.final_scores[:, 0] - view.final_scores[:, 1])
        assert np.array_equal(paid[:, 0], -paid[:, 1])


@every_case
def test_the_seat_number_does_not_matter(case):
    """A deal turned by one seat after the other, played alike: views and rewards turn with the cards."""
    if not getattr(case.rules, "seats_alike", True):
        pytest.skip("these rules single out a seat by its number")
    choose = random.Random(str(case))
    size = case.rules.cards_each
    deck = [card for card in range(54) if case.rules.deck_cards >> card & 1]
    for _ in range(3):
        cards = choose.sample(deck, case.num_players * size)
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(case.num_players)]
        tables = []
        for turned in range(case.num_players):
            table = case.table(episode="open")
            table.reset()
            table.open_deal([hands[(seat - turned) % case.num_players] for seat in range(case.num_players)], turned)
            tables.append(table)
        while not tables[0].record.deal_over:
            action = any_legal(tables[0], choose)
            for turned, table in enumerate(tables):
                assert table.turn == (tables[0].turn + turned) % case.num_players
                assert table.legal_actions() == tables[0].legal_actions()
                assert table.words(table.turn).tobytes() == tables[0].words(tables[0].turn).tobytes()
            earned = [table.step(action) for table in tables]
            for turned, by_seat in enumerate(earned):
                assert np.array_equal(np.roll(earned[0], turned), by_seat)


@every_case
def test_an_illegal_action_is_never_a_profit(case):
    """Under "penalise" it ends the match: the side that did it pays at least what any deal costs, the others do not."""
    for episode, reward in (("deal", "score"), ("match", "win")):
        vec = case.vec(8, seed=4, episode=episode, reward=reward, observation="none", illegal="penalise", autoreset="disabled")
        view = vec.reset()
        for salt in range(7):
            view = vec.step(vec.random_actions(salt))
        culprits = view.seat.copy()
        assert not view.done.any()
        view = vec.step(np.full(8, NO_ACTION))
        assert view.terminated.all() and vec.illegal_count == 8
        worst = 1 if reward == "win" else case.rules.worst_deal
        for row, seat in enumerate(culprits):
            guilty = np.arange(case.num_players) % case.rules.num_sides == seat % case.rules.num_sides
            assert (view.rewards[row][guilty] <= -worst / max(1, case.rules.num_sides - 1)).all()
            assert (view.rewards[row][~guilty] >= 0).all()
