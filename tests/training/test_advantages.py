"""Advantages over each seat's own turns."""

import numpy as np
import pytest

from training.advantages import per_seat_advantages


def one_table(turns, gamma=1.0, gae_lambda=1.0):
    """Advantages and known flags of one table from rows (seat, value, rewards by seat, done)."""
    seats, values, rewards, dones = zip(*turns, strict=True)
    columns = (np.array(rewards, np.float32), np.array(values, np.float32), np.array(seats), np.array(dones))
    advantages, known = per_seat_advantages(*(column[:, None] for column in columns), gamma, gae_lambda)
    return advantages[:, 0].tolist(), known[:, 0].tolist()


def test_a_seats_next_step_is_its_own_next_turn():
    turns = [
        (0, 1.0, (0, 0), False),
        (1, 5.0, (2, -2), False),  # seat 0 earns 2 in seat 1's turn
        (0, 3.0, (0, 0), False),
        (1, 7.0, (4, -4), True),
    ]
    advantages, known = one_table(turns, gae_lambda=0.5)
    # seat 0, turn 2: earns 4 until the end, expected 3                       -> 4 - 3 = 1
    # seat 0, turn 0: earns 2, then value 3, expected 1, plus half of turn 2  -> 2 + 3 - 1 + 0.5 * 1 = 4.5
    # seat 1, turn 3: earns -4, expected 7                                    -> -11
    # seat 1, turn 1: earns -2 at its own step, then value 7, expected 5      -> -2 + 7 - 5 + 0.5 * -11 = -5.5
    assert advantages == [4.5, -5.5, 1.0, -11.0]
    assert all(known)


def test_nothing_passes_from_one_episode_to_the_next():
    turns = [(0, 1.0, (3, -3), True), (1, 0.0, (0, 0), False), (0, 10.0, (-6, 6), True)]
    advantages, known = one_table(turns)
    # turn 0: 3 - 1; turn 1: seat 1 earns 6 by turn 2; turn 2: -6 - 10
    assert advantages == [2.0, 6.0, -16.0]
    assert all(known)


def test_a_turn_without_a_known_future_is_left_out_but_its_value_counts():
    turns = [(0, 1.0, (0, 0), False), (1, 4.0, (1, -1), False), (0, 2.0, (5, -5), False)]
    advantages, known = one_table(turns)
    # seat 0 acts again in turn 2: turn 0 earns 1, then value 2, expected 1   -> 2
    # turn 2 and seat 1's turn 1 have no next turn in the buffer
    assert known == [True, False, False]
    assert advantages == [2.0, 0.0, 0.0]


def test_gamma_counts_own_turns():
    turns = [(0, 0.0, (0, 0), False), (1, 0.0, (0, 0), False), (1, 0.0, (0, 0), False), (0, 8.0, (0, 0), True)]
    # three steps of the table are one turn of seat 0: 0.5 * 8, plus 0.5 * (0 - 8) of its last turn
    assert one_table(turns, gamma=0.5)[0][0] == 0.5 * 8 + 0.5 * -8


@pytest.mark.parametrize("seed", range(5))
def test_the_batch_agrees_with_a_slow_walk_over_each_seat(seed):
    random = np.random.default_rng(seed)
    num_steps, num_envs, num_seats, gamma, gae_lambda = 40, 7, 3, 0.9, 0.8
    rewards = random.normal(size=(num_steps, num_envs, num_seats)).astype(np.float32)
    values = random.normal(size=(num_steps, num_envs)).astype(np.float32)
    seats = random.integers(num_seats, size=(num_steps, num_envs))
    dones = random.random((num_steps, num_envs)) < 0.15
    advantages, known = per_seat_advantages(rewards, values, seats, dones, gamma, gae_lambda)
    for b in range(num_envs):
        expected = slow_walk(rewards[:, b], values[:, b], seats[:, b], dones[:, b], gamma, gae_lambda)
        assert known[:, b].tolist() == [advantage is not None for advantage in expected]
        assert advantages[:, b].tolist() == pytest.approx([advantage or 0.0 for advantage in expected], abs=1e-4)


def slow_walk(rewards, values, seats, dones, gamma, gae_lambda):
    """For each step look forward, turn by turn, summing discounted surprises; None where the future is unknown."""

    def future(t):
        """(what the seat of step t earns until its next turn, that turn or None, whether the episode ended first)."""
        earned = 0.0
        for later in range(t, len(seats)):
            if later > t and seats[later] == seats[t]:
                return earned, later, False
            earned += rewards[later, seats[t]]
            if dones[later]:
                return earned, None, True
        return earned, None, False

    advantages = []
    for start in range(len(seats)):
        total, weight, t = 0.0, 1.0, start
        while t is not None:
            earned, following, ended = future(t)
            if following is None and not ended:
                total = None if t == start else total
                break
            next_value = 0.0 if ended else values[following]
            total += weight * (earned + gamma * next_value - values[t])
            weight *= gamma * gae_lambda
            t = following
        advantages.append(total)
    return advantages
