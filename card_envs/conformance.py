"""Does an adapter hand a framework the same game that the engine plays? One suite for every adapter, ours or yours.

    from card_envs import conformance

    conformance.check(MyAdapter, "<game>", deals=1000)      # raises ConformanceError, which says what was wrong and where

An `Adapter` is the few lines that reset and step the adapted environment through the framework's own calls and say what a
learner was handed. Its constructor takes (game, preset=, episode=, reward=, and options of the game), as `card_envs.make`
does. The suite plays random legal actions at it, replays the same actions at a `Table` of its own, and compares: who acts,
what is legal, what is seen, what each seat is paid and when, how an episode ends. Beside that it looks at warnings, illegal
actions, masks without an action, seeds, and whether the constructor pickles.
"""

from __future__ import annotations

import contextlib
import pickle
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from card_envs.agents import Views
from card_envs.agents import load as load_agent
from card_envs.game import Game
from card_envs.games import load
from card_envs.table import IllegalAction, Table

BOUNDS = ("max_hands", "max_rounds")  # what games call the option that cuts a match off
CUT_AFTER = 2  # deals, in the part about matches
MATCH_SHARE = 20  # one match for so many deals
EPISODES_A_SEED = 25  # then the adapter is reset, in the middle of an episode, with another seed
REPLAYED_STEPS = 60  # of the part about seeds
TOLERANCE = 1e-5  # of rewards, which some frameworks keep in float32


class ConformanceError(AssertionError):
    """The adapter is not the engine's game: what was wrong, at which table, episode and decision."""


@dataclass(frozen=True)
class Moment:
    """What an adapter hands its learner after a reset or a step; first axis B, the tables."""

    seat: np.ndarray  # int [B]: who decides now
    action_mask: np.ndarray  # [B, A], bool or 0 and 1: what a sampler would be handed for that decision
    observation: np.ndarray | None  # [B, O] of that seat; None if the adapter shows something else than the engine's vector
    rewards: np.ndarray  # float [B, P]: what each seat was handed by this reset or step; 0 for seats of others
    terminated: np.ndarray  # bool [B]: an episode ended by this step
    truncated: np.ndarray  # bool [B]: an episode was cut short by this step
    waits: np.ndarray  # bool [B]: nothing is to be decided; the next step, whatever its action, begins a new episode


class Adapter(Protocol):
    """An adapted environment, as its framework drives it, with B tables (1 for a single environment)."""

    num_tables: int
    seats: Sequence[int]  # those for which the learner decides
    others: str  # the rule bot that plays the other seats; anything where there are none
    illegal_count: int  # illegal actions that were replaced or penalised so far, in set-up or in play

    def reset(self, seed: int) -> Moment:
        """New episodes: row i is dealt as table i of the seed. Rewards are zero."""
        ...

    def step(self, actions: np.ndarray) -> Moment:
        """An action for every table, int [B]. After an episode's end the next one of the same table follows."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Report:
    """What was checked."""

    decisions: int
    terminated: int  # episodes
    truncated: int
    out_of_turn: int  # decisions of a seat that does not sit to the left of the last one


def check(
    make: Callable[..., Adapter],
    game: str,
    preset: str = "seed",
    *,
    deals: int = 1000,
    seed: int = 1,
    allowed_warnings: Sequence[str] = (),
    **options,
) -> Report:
    """Check an adapter of one game over `deals` deals, and some matches. Raises ConformanceError.

    options: of the game. allowed_warnings: regular expressions that a warning may begin with.
    """
    found = load(game)
    base = {"preset": preset, **options}
    parts = [_Part(make, found, base, {"episode": "deal", "reward": "score"}, deals)]
    bound = {name: CUT_AFTER for name in BOUNDS if hasattr(found.rules(preset, **options), name)}
    if bound:
        matches = max(4, deals // MATCH_SHARE)
        parts += [_Part(make, found, base | bound, {"episode": "match", "reward": kind}, matches) for kind in ("score", "win")]
    with _no_warnings(f"{game} {preset}", allowed_warnings):
        again = _unpickled(make)
        for part in parts:
            part.play(seed)
        _check_seeds(parts[0], again, seed)
    if bound and not sum(part.truncated for part in parts):
        raise ConformanceError(f"{game} {preset}: no match of {CUT_AFTER} deals was cut short, so truncation was not checked")
    report = Report(*(sum(getattr(part, name) for part in parts) for name in Report.__dataclass_fields__))
    if not parts[0].out_of_turn and len(parts[0].seats) > 1:
        raise ConformanceError(f"{game} {preset}: seats always acted in turn: play more deals, so that a trick's winner leads")
    return report


# --- a part of the check: one kind of episode ----------------------------------------------------------------------------------


class _Part:
    """Plays episodes at an adapter and at the engine's own tables beside it."""

    def __init__(self, make, game: Game, options: dict, settings: dict, episodes: int):
        self.game, self.settings, self.episodes = game, settings, episodes
        self.rules = game.rules(**options)
        self.build = lambda make=make: make(game.name, **options, **settings)
        self.decisions = self.terminated = self.truncated = self.out_of_turn = 0
        self.seats: Sequence[int] = ()
        self.what = f"{game.name} {options['preset']}, episode {settings['episode']}, reward {settings['reward']}"

    def play(self, seed: int) -> None:
        with _no_illegal_action(f"{self.what}, in set-up"):
            adapter = self.build()
        self.seats = tuple(adapter.seats)
        try:
            while self.terminated + self.truncated < self.episodes:
                with _no_illegal_action(f"{self.what}, seed {seed}"):
                    self._play_seed(adapter, seed)
                seed += 1
            if adapter.illegal_count:
                raise ConformanceError(f"{self.what}: {adapter.illegal_count} illegal actions reached the environment")
        finally:
            adapter.close()

    def _play_seed(self, adapter, seed: int) -> None:
        """Some episodes of one seed."""
        choose = np.random.default_rng(seed)
        moment = adapter.reset(seed)
        rows = [_Row(self, adapter, seed, row) for row in range(adapter.num_tables)]
        for row in rows:
            row.begin()
            row.compare(moment)
        upto = min(self.episodes, self.terminated + self.truncated + EPISODES_A_SEED)
        while self.terminated + self.truncated < upto:
            actions = np.array([row.choice(moment, choose) for row in rows], np.int64)
            moment = adapter.step(actions)
            for row, action in zip(rows, actions.tolist(), strict=True):
                row.follow(moment, action)


class _Row:
    """One table of the adapter, and the engine's beside it."""

    def __init__(self, part: _Part, adapter, seed: int, row: int):
        self.part, self.row, self.seats = part, row, tuple(adapter.seats)
        rules, game = part.rules, part.game
        self.table = Table(game, rules, **part.settings)
        self.table.seed(seed, row)
        self.others = {}
        if set(self.seats) != set(range(rules.num_players)):
            bot = load_agent(adapter.others, game, rules)
            self.others = {seat: bot for seat in range(rules.num_players) if seat not in self.seats}
        self.place = f"{part.what}, table {row} of seed {seed}"
        self.episode, self.waits = 0, False

    def begin(self) -> None:
        """The engine's next episode."""
        self.table.reset()
        self.episode += 1
        self.decision = 0
        self.paid, self.handed = np.zeros(self.part.rules.num_players), np.zeros(self.part.rules.num_players)
        self._others_play()

    def _others_play(self) -> None:
        while not self.table.ended and self.table.turn in self.others:
            view = Views(self.table.words(self.table.turn), self.table.legal_words())
            self.paid += self.table.step(self.others[self.table.turn].act(view))

    def choice(self, moment: Moment, choose: np.random.Generator) -> int:
        """A random action of those that the adapter's own mask allows."""
        if self.waits:
            return 0
        return _any(moment.action_mask[self.row], choose)

    def follow(self, moment: Moment, action: int) -> None:
        """Do at the engine's table what the adapter was told to do, and compare."""
        if self.waits:
            if moment.terminated[self.row] or moment.truncated[self.row]:
                self.fail("an episode has ended at the step that only began it")
            self.begin()
            self.compare(moment)
            return
        self.last_seat = self.table.turn
        self.paid += self.table.step(action)
        self._others_play()
        self.handed += np.asarray(moment.rewards[self.row], np.float64)
        self.decision += 1
        self._compare_end(moment)
        if not self.table.ended:
            self._compare_decision(moment)
            return
        self._compare_final_pay()
        self.waits = bool(moment.waits[self.row])
        if not self.waits:
            self.begin()
            self._compare_decision(moment)

    def compare(self, moment: Moment) -> None:
        """The first decision of an episode that was begun by a reset or by a step of its own."""
        self.waits = False
        if np.any(moment.rewards[self.row]):
            self.fail(f"seats are handed {_numbers(moment.rewards[self.row])} before anything was played")
        self._compare_decision(moment)

    def _compare_end(self, moment: Moment) -> None:
        names = ("terminated", "truncated")
        ended = (self.table.ended and not self.table.truncated, self.table.ended and self.table.truncated)
        shown = (bool(moment.terminated[self.row]), bool(moment.truncated[self.row]))
        if shown != ended:
            here, there = (
                " and ".join(name for name, flag in zip(names, flags, strict=True) if flag) or "not over"
                for flags in (shown, ended)
            )
            self.fail(f"the episode is {here}; at the engine's table it is {there}")
        self.part.terminated += ended[0]
        self.part.truncated += ended[1]

    def _compare_decision(self, moment: Moment) -> None:
        """Who acts, what is legal, what is seen, and what the seat to act has been handed since the episode began."""
        table, row, names = self.table, self.row, self.table.action_names
        if moment.waits[row]:
            self.fail("the adapter waits for a new episode, the engine's goes on")
        seat = int(moment.seat[row])
        if seat != table.turn:
            self.fail(f"seat {seat} is to act; by the rules it is seat {table.turn}, who need not sit next to the last")
        mask, legal = np.asarray(moment.action_mask[row]) != 0, table.mask() != 0
        if mask.shape != legal.shape:
            self.fail(f"the action mask has shape {mask.shape}, not {legal.shape}")
        if not mask.any():
            self.fail(f"seat {seat} is handed an action mask that allows nothing")
        if not np.array_equal(mask, legal):
            wrong = np.flatnonzero(mask != legal)
            said = ", ".join(f"{names[action]} {'allowed' if mask[action] else 'refused'}" for action in wrong[:5])
            self.fail(f"the action mask of seat {seat} is not the one of this moment: {said}; legal: {table.legal_names()}")
        seen = None if moment.observation is None else np.asarray(moment.observation[row])
        if seen is not None and not np.array_equal(seen, table.layout.spread(table.words(seat))):
            self.fail(f"seat {seat} does not see what it should at this moment")
        if self.decision and not self._paid_rightly(seat):
            handed, paid = f"was handed {self.handed[seat]:g} so far", f"the engine paid {self.paid[seat]:g}"
            self.fail(f"seat {seat} acts again and {handed}, {paid}")
        if self.decision:
            self.part.out_of_turn += seat != (self.last_seat + 1) % self.part.rules.num_players
        self.part.decisions += 1

    def _paid_rightly(self, seat: int) -> bool:
        return abs(self.handed[seat] - self.paid[seat]) <= TOLERANCE * max(1.0, abs(self.paid[seat]))

    def _compare_final_pay(self) -> None:
        """The episode is over: every seat of the learner has been handed all that it earned, once."""
        for seat in self.seats:
            if not self._paid_rightly(seat):
                self.fail(
                    f"seat {seat} was handed {self.handed[seat]:g} in this episode, the engine paid {self.paid[seat]:g}: "
                    f"rewards by seat {_numbers(self.handed)}, not {_numbers(self.paid)}"
                )

    def fail(self, what: str) -> None:
        raise ConformanceError(f"{self.place}, episode {self.episode}, after {self.decision} decisions: {what}")


# --- seeds, pickles, warnings --------------------------------------------------------------------------------------------------


def _check_seeds(part: _Part, again: Callable[..., Adapter], seed: int) -> None:
    """A seed is the same episode on a second reset and in an adapter made by a pickled constructor; another seed is another."""
    first, second = part.build(), part.build(again)
    try:
        trace = _trace(first, seed)
        if _trace(first, seed) != trace:
            raise ConformanceError(f"{part.what}: reset with seed {seed} for a second time, the adapter shows something else")
        if _trace(second, seed) != trace:
            raise ConformanceError(f"{part.what}: two adapters with seed {seed} differ")
        if _trace(second, seed + 1) == trace:
            raise ConformanceError(f"{part.what}: seeds {seed} and {seed + 1} are the same")
    finally:
        first.close()
        second.close()


def _trace(adapter, seed: int) -> list[bytes]:
    """Everything that is shown in the first steps under a seed."""
    choose, found = np.random.default_rng(seed), []
    moment = adapter.reset(seed)
    for _ in range(REPLAYED_STEPS):
        shown = [moment.seat, np.asarray(moment.action_mask) != 0, np.asarray(moment.rewards, np.float32)]
        shown += [moment.terminated, moment.truncated] + ([] if moment.observation is None else [moment.observation])
        found += [np.ascontiguousarray(part).tobytes() for part in shown]
        masks = np.asarray(moment.action_mask)
        actions = [0 if waits else _any(mask, choose) for waits, mask in zip(moment.waits, masks, strict=True)]
        moment = adapter.step(np.array(actions, np.int64))
    return found


def _any(mask, choose: np.random.Generator) -> int:
    """A random one of the actions that a mask allows."""
    allowed = np.flatnonzero(np.asarray(mask))
    return int(allowed[int(choose.random() * len(allowed))])


def _unpickled(make: Callable[..., Adapter]) -> Callable[..., Adapter]:
    try:
        return pickle.loads(pickle.dumps(make))
    except Exception as error:
        raise ConformanceError(f"the constructor cannot be pickled, so no worker process can make its own: {error}") from error


@contextlib.contextmanager
def _no_warnings(what: str, allowed: Sequence[str]):
    """Fail if anything warns inside."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        text = str(warning.message)
        if not any(re.match(pattern, text) for pattern in allowed):
            raise ConformanceError(f"{what}: {warning.category.__name__} from {warning.filename}:{warning.lineno}: {text}")


@contextlib.contextmanager
def _no_illegal_action(where: str):
    """Say where it was that the environment refused an action."""
    try:
        yield
    except IllegalAction as error:
        raise ConformanceError(f"{where}: an illegal action reached the environment: {error}") from error


def _numbers(values) -> str:
    return "[" + ", ".join(f"{value:g}" for value in np.asarray(values, np.float64)) + "]"
