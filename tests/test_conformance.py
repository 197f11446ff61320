"""The conformance suite passes for what is right and finds each of the faults that adapters are known for."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest

import card_envs
from card_envs.conformance import ConformanceError, check
from tests.adapters_of_faces import OfAEC, OfSeat, OfSeatVector, OfSeatVectorNextStep, OfVec


@pytest.mark.parametrize("game", card_envs.games())
@pytest.mark.parametrize("adapter", [OfAEC, OfVec])
def test_the_faces_conform(adapter, game):
    report = check(adapter, game, deals=1000)
    assert report.terminated >= 1000 and report.truncated and report.out_of_turn and report.decisions > 5000


@pytest.mark.parametrize("game", card_envs.games())
@pytest.mark.parametrize("adapter", [OfSeat, OfSeatVector, OfSeatVectorNextStep])
def test_one_seat_against_bots_conforms(adapter, game):
    report = check(adapter, game, deals=1000)
    assert report.terminated >= 1000 and report.truncated and report.decisions > 2000


# --- broken adapters -----------------------------------------------------------------------------------------------------------


class DropsTheOthersRewards(OfVec):
    """Hands over the reward of the seat that acted, as the wrappers do that make a single agent of all seats."""

    def moment(self, view):
        fresh = super().moment(view)
        acted, self.acting = getattr(self, "acting", view.seat), view.seat
        kept = np.arange(len(self.seats))[None] == acted[:, None]
        return dataclasses.replace(fresh, rewards=np.where(kept, fresh.rewards, 0))


class PaysTwice(OfAEC):
    def moment(self, rewards):
        if self.env.unwrapped.table.history():
            return super().moment(rewards)
        return super().moment(rewards + self.left)

    def reset(self, seed):
        self.left = 0.0
        return super().reset(seed)

    def step(self, actions):
        moment = super().step(actions)
        if moment.waits[0]:
            self.left = moment.rewards[0]
        return moment


class PaysTheNextSeat(OfVec):
    def moment(self, view):
        return super().moment(dataclasses.replace(view, rewards=np.roll(view.rewards, 1, axis=1)))


class StaleMask(OfVec):
    """The mask of one step before."""

    def moment(self, view):
        fresh = super().moment(view)
        mask, self.kept = getattr(self, "kept", view.action_mask), view.action_mask
        return dataclasses.replace(fresh, action_mask=mask)


class StaleObservation(OfVec):
    def moment(self, view):
        fresh = super().moment(view)
        seen, self.kept = getattr(self, "kept", view.observation), view.observation
        return dataclasses.replace(fresh, observation=seen)


class EmptyMask(OfAEC):
    """Asks for an action at the end, where nothing is legal."""

    def step(self, actions):
        moment = super().step(actions)
        if not moment.waits[0]:
            return moment
        self.env.reset()
        self.over = False
        empty = np.zeros((1, self.env.unwrapped.table.num_actions), np.int8)
        return dataclasses.replace(moment, waits=np.array([False]), action_mask=empty, seat=np.array([self.acting()]))


class IgnoresTheSeed(OfVec):
    def reset(self, seed):
        return super().reset(12345)


class GoesRound(OfVec):
    """Takes it that seats act in turn."""

    def moment(self, view):
        fresh = super().moment(view)
        self.turn = (self.turn + 1) % len(self.seats) if hasattr(self, "turn") else view.seat
        return dataclasses.replace(fresh, seat=self.turn)


class CallsItTermination(OfVec):
    def moment(self, view):
        fresh = super().moment(view)
        ended = fresh.terminated | fresh.truncated
        return dataclasses.replace(fresh, terminated=ended, truncated=np.zeros_like(ended))


class CallsItBoth(OfVec):
    def moment(self, view):
        fresh = super().moment(view)
        return dataclasses.replace(fresh, truncated=fresh.terminated | fresh.truncated)


class Warns(OfVec):
    def reset(self, seed):
        warnings.warn("the mask is of the wrong type", stacklevel=2)
        return super().reset(seed)


class IllegalInSetUp(OfVec):
    """A start-up pass with an action of zeros, as some frameworks make."""

    def __init__(self, game, **settings):
        super().__init__(game, illegal="random_legal", **settings)
        self.vec.reset()
        self.vec.step(np.zeros(self.num_tables, np.int64))


class RefusedInSetUp(OfVec):
    def __init__(self, game, **settings):
        super().__init__(game, **settings)
        self.vec.reset()
        self.vec.step(np.zeros(self.num_tables, np.int64))


class NeverEnds(OfVec):
    """The next episode has begun, but nobody is told."""

    def moment(self, view):
        fresh = super().moment(view)
        return dataclasses.replace(fresh, terminated=np.zeros_like(view.done), truncated=np.zeros_like(view.done))


class WaitsWithoutEnd(OfAEC):
    """Stops before the last card."""

    def step(self, actions):
        moment = super().step(actions)
        late = int(self.env.unwrapped.table.record.moves) > 5
        return dataclasses.replace(moment, waits=moment.waits | late)


class PaysBeforePlay(OfVec):
    def reset(self, seed):
        moment = super().reset(seed)
        return dataclasses.replace(moment, rewards=moment.rewards + 1)


class OtherDealsInEachAdapter(OfVec):
    """Deals depend on how many adapters there are."""

    made = 0

    def __init__(self, game, **settings):
        super().__init__(game, **settings)
        type(self).made += 1
        self.number = type(self).made

    def reset(self, seed):
        return super().reset(seed + (self.number > 4))


FAULTS = {
    DropsTheOthersRewards: r"seat \d was handed 0 in this episode, the engine paid",
    PaysTwice: r"are handed \[.*\] before anything was played",
    PaysTheNextSeat: r"was handed .* in this episode, the engine paid",
    StaleMask: r"is not the one of this moment",
    StaleObservation: r"does not see what it should",
    EmptyMask: r"action mask that allows nothing|seat \d is to act",
    IgnoresTheSeed: r"the action mask of seat|seat \d is to act|does not see",
    GoesRound: r"who need not sit next to the last",
    CallsItTermination: r"the episode is terminated; at the engine's table it is truncated",
    CallsItBoth: r"the episode is terminated and truncated; at the engine's table it is terminated",
    Warns: r"UserWarning from .*the mask is of the wrong type",
    IllegalInSetUp: r"3 illegal actions reached the environment",
    RefusedInSetUp: r"in set-up: an illegal action reached the environment",
    NeverEnds: r"the episode is not over; at the engine's table it is terminated",
    WaitsWithoutEnd: r"the adapter waits for a new episode, the engine's goes on",
    PaysBeforePlay: r"before anything was played",
    OtherDealsInEachAdapter: r"two adapters with seed 1 differ",
}


@pytest.mark.parametrize("broken", FAULTS, ids=lambda broken: broken.__name__)
def test_a_broken_adapter_is_found_out(broken):
    with pytest.raises(ConformanceError, match=FAULTS[broken]):
        check(broken, "pitch", deals=40)


def test_a_message_says_where():
    with pytest.raises(
        ConformanceError, match=r"^pitch seed, episode deal, reward score, table \d of seed 1, episode 1, after 1"
    ):
        check(StaleMask, "pitch", deals=40)


def test_a_constructor_that_cannot_be_pickled_is_found_out():
    with pytest.raises(ConformanceError, match="constructor cannot be pickled"):
        check(lambda game, **settings: OfVec(game, **settings), "pitch", deals=10)


def test_allowed_warnings_are_let_pass():
    assert check(Warns, "pitch", deals=40, allowed_warnings=["the mask"]).decisions


def test_other_presets_and_options_can_be_checked():
    assert check(OfVec, "pitch", "bicycle", num_players=2, deals=40).out_of_turn


def test_play_that_never_leaves_the_order_is_not_taken_for_a_check_of_it():
    with pytest.raises(ConformanceError, match="seats always acted in turn"):
        check(OfVec, "spades", "whiz", deals=5, hand_size=1)  # the bids go round, and so does the only trick
