"""Generalised advantage estimation over the turns of each seat."""

from __future__ import annotations

import numpy as np


def per_seat_advantages(
    rewards: np.ndarray, values: np.ndarray, seats: np.ndarray, dones: np.ndarray, gamma: float, gae_lambda: float
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages [T, B] and which of them are known [T, B].

    rewards [T, B, P] what each seat earned by step t, values [T, B] of the seat to act, seats [T, B] who that is,
    dones [T, B] the episode ended by step t.

    A seat's next step is its own next turn: values of different seats rest on different knowledge and are never mixed.
    What a seat earns between two of its turns, or from its last turn to the end of the episode, belongs to the earlier
    turn. A turn whose seat neither acts again within the buffer nor sees its episode end there has an unknown future.
    It is left out of the loss, and its value stands in for that future in the turn before it.
    """
    num_steps, num_envs, num_seats = rewards.shape
    table = np.arange(num_envs)
    earned = np.zeros((num_envs, num_seats), np.float32)  # since the turn before this point, by seat
    next_value = np.zeros((num_envs, num_seats), np.float32)
    next_advantage = np.zeros((num_envs, num_seats), np.float32)
    known_future = np.zeros((num_envs, num_seats), bool)
    advantages = np.zeros((num_steps, num_envs), np.float32)
    known = np.zeros((num_steps, num_envs), bool)

    for t in reversed(range(num_steps)):
        for after in (earned, next_value, next_advantage):
            after[dones[t]] = 0.0
        known_future[dones[t]] = True
        earned += rewards[t]

        turn = table, seats[t]
        known[t] = known_future[turn]
        surprise = earned[turn] + gamma * next_value[turn] - values[t]
        advantages[t] = np.where(known[t], surprise + gamma * gae_lambda * next_advantage[turn], 0.0)

        earned[turn] = 0.0
        next_value[turn] = values[t]
        next_advantage[turn] = advantages[t]
        known_future[turn] = True
    return advantages, known
