"""Adapters, as `card_envs.conformance` wants them, of the faces that come with the package."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import card_envs
from card_envs.conformance import Moment


def moment_of_one(seat, action_mask, observation, rewards, terminated, truncated, waits) -> Moment:
    """A batch of one table."""
    return Moment(
        seat=np.array([seat]),
        action_mask=action_mask[None],
        observation=None if observation is None else observation[None],
        rewards=np.asarray(rewards, np.float64)[None],
        terminated=np.array([terminated]),
        truncated=np.array([truncated]),
        waits=np.array([waits]),
    )


class OfAEC:
    """PettingZoo's loop with `last`: a seat is handed its reward when it acts, and after the end in its dead step."""

    num_tables, others = 1, None

    def __init__(self, game, **settings):
        self.env = card_envs.make(game, **settings)
        self.seats = range(len(self.env.possible_agents))

    @property
    def illegal_count(self):
        return self.env.unwrapped.illegal_count

    def reset(self, seed) -> Moment:
        self.env.reset(seed=seed)
        self.over = False
        return self.moment(np.zeros(len(self.seats)))

    def step(self, actions) -> Moment:
        rewards = np.zeros(len(self.seats))
        if self.over:
            self.env.reset()
            self.over = False
            return self.moment(rewards)
        self.env.step(int(actions[0]))
        if not self.finished():
            rewards[self.acting()] = self.env.last()[1]
            return self.moment(rewards)
        self.over = True
        cut = any(self.env.truncations.values())
        for agent in self.env.agent_iter():
            rewards[int(agent.removeprefix("player_"))] = self.env.last()[1]
            self.env.step(None)
        return moment_of_one(0, np.zeros(1), None, rewards, not cut, cut, True)

    def finished(self) -> bool:
        return all(self.env.terminations.values()) or all(self.env.truncations.values())

    def acting(self) -> int:
        return int(self.env.agent_selection.removeprefix("player_"))

    def moment(self, rewards) -> Moment:
        shown = self.env.last()[0]
        return moment_of_one(self.acting(), shown["action_mask"], shown["observation"], rewards, False, False, False)

    def close(self):
        self.env.close()


class OfVec:
    """The batch with autoreset in the same step."""

    others, num_tables = None, 3

    def __init__(self, game, **settings):
        self.vec = card_envs.make_vec(game, self.num_tables, **settings)
        self.seats = range(self.vec.num_players)

    @property
    def illegal_count(self):
        return self.vec.illegal_count

    def reset(self, seed) -> Moment:
        return self.moment(self.vec.reset(seed))

    def step(self, actions) -> Moment:
        return self.moment(self.vec.step(actions))

    def moment(self, view) -> Moment:
        return Moment(
            seat=view.seat,
            action_mask=view.action_mask,
            observation=view.observation,
            rewards=view.rewards,
            terminated=view.terminated,
            truncated=view.truncated,
            waits=np.zeros(self.num_tables, np.bool_),
        )

    def close(self):
        """Nothing to release."""


class OfSeat:
    """Gymnasium, a single environment: one seat against a rule bot."""

    num_tables, others = 1, "basic"

    def __init__(self, game, seat=1, **settings):
        self.env = gymnasium.make(f"card_envs/{game.capitalize()}-v1", seat=seat, others=self.others, **settings)
        self.seats = [seat]

    @property
    def illegal_count(self):
        return self.env.unwrapped.illegal_count

    def reset(self, seed=None) -> Moment:
        shown, info = self.env.reset(seed=seed)
        return self.moment(shown, 0.0, False, False, info)

    def step(self, actions) -> Moment:
        return self.reset() if self.over else self.moment(*self.env.step(int(actions[0])))

    def moment(self, shown, reward, terminated, truncated, info) -> Moment:
        self.over = terminated or truncated
        rewards = np.zeros(self.env.unwrapped.table.rules.num_players)
        rewards[self.seats[0]] = reward
        return moment_of_one(self.seats[0], info["action_mask"], shown, rewards, terminated, truncated, self.over)

    def close(self):
        self.env.close()


class OfSeatVector:
    """Gymnasium's vector environment of the batch engine."""

    num_tables, others, mode = 3, "basic", AutoresetMode.SAME_STEP

    def __init__(self, game, seat=1, **settings):
        made = {"seat": seat, "others": self.others, "autoreset_mode": self.mode, **settings}
        self.env = gymnasium.make_vec(f"card_envs/{game.capitalize()}-v1", self.num_tables, **made)
        self.seats = [seat]

    @property
    def illegal_count(self):
        return self.env.unwrapped.illegal_count

    def reset(self, seed) -> Moment:
        shown, info = self.env.reset(seed=seed)
        nothing = np.zeros(self.num_tables, np.bool_)
        return self.moment(shown, np.zeros(self.num_tables), nothing, nothing, info)

    def step(self, actions) -> Moment:
        return self.moment(*self.env.step(actions))

    def moment(self, shown, earned, terminated, truncated, info) -> Moment:
        rewards = np.zeros((self.num_tables, self.env.unwrapped.rules.num_players))
        rewards[:, self.seats[0]] = earned
        ended = (terminated | truncated) & (self.mode == AutoresetMode.NEXT_STEP)
        seat = np.full(self.num_tables, self.seats[0])
        return Moment(seat, info["action_mask"], shown, rewards, terminated, truncated, ended)

    def close(self):
        self.env.close()


class OfSeatVectorNextStep(OfSeatVector):
    mode = AutoresetMode.NEXT_STEP
