"""Many tables at once as NumPy arrays: the face for training, with no Python loop over tables."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from card_envs.buffers import AUTORESET, ILLEGAL, OBSERVATIONS, Buffers, kernel_mode, new_buffers, new_tables
from card_envs.forms import NO_TRUMP, shared_form
from card_envs.game import Game, OptionError, kernel_args, nearest
from card_envs.kernels import JIT, bind
from card_envs.loops import loops
from card_envs.pointers import fixed, line, row
from card_envs.rewards import REWARDS
from card_envs.table import IllegalAction, history_tokens
from card_envs.team import Team

TABLES_A_THREAD = 512  # with fewer, another thread saves little
HELD = 3  # in a table's field `ended`, beside buffers.TERMINATED and TRUNCATED: not over, but left out of this step

observe = None  # put in by `bind`: the game's verb


@dataclass(frozen=True)
class VecView:
    """What a batch of tables shows after a step; first axis B = num_envs. Everything is about the seat to act now.

    With autoreset "same_step" the rows where an episode ended already show the next one: `rewards`, `terminated` and
    `truncated` belong to the step, `final_scores` and `final_words` to the episode that ended.
    """

    observation: np.ndarray  # uint8 or float32 [B, O], or int64 [B, K] in bits
    action_mask: np.ndarray  # int8 [B, A]
    seat: np.ndarray  # int64 [B]
    rewards: np.ndarray  # float32 [B, P]: what the step earned each seat
    terminated: np.ndarray  # bool [B]
    truncated: np.ndarray  # bool [B]
    final_scores: np.ndarray  # int32 [B, sides]: of the last finished episode
    final_words: np.ndarray  # int64 [B, K]: what the seat that acted last saw at its end, in bits
    legal: np.ndarray  # int64 [B, W]: the mask as bit words

    @property
    def done(self) -> np.ndarray:
        """bool [B]: the episode ended at this step."""
        return self.terminated | self.truncated


class VecEnv:
    """A batch of tables of one game.

    num_envs, num_players, num_actions (A), observation_width (O), action_names, layout, game, rules, form (of
    `card_envs.forms`, or None). Table i of a seed is dealt the same cards whatever the batch size, the face or the number of
    threads.
    """

    def __init__(
        self,
        game: Game,
        rules,
        num_envs: int,
        *,
        episode: str = "match",
        seed: int | None = None,
        reward: str | None = None,
        observation: str = "uint8",
        autoreset: str = "same_step",
        illegal: str = "raise",
        skip_forced: bool = False,
        threads: int = 1,
        copy: bool = True,
        keep_history: bool = False,
        pad_seats: int = 0,
        relabel_trump: bool = False,
    ):
        """copy=False hands out the engine's own arrays, which the next step overwrites. keep_history: for `history`.

        pad_seats, relabel_trump: the form of `card_envs.forms` in which everything is shown and actions are given.
        """
        if num_envs < 1:
            raise OptionError(f"num_envs={num_envs}: must be at least 1")
        reward = reward or default_reward(episode)
        check(episode=(episode, ("match", "deal")), reward=(reward, REWARDS), observation=(observation, OBSERVATIONS))
        check(autoreset=(autoreset, AUTORESET), illegal=(illegal, ILLEGAL))
        self.game, self.rules, self.num_envs, self.copy = game, rules, num_envs, copy
        self.episode, self.reward, self.observation, self.autoreset = episode, reward, observation, autoreset
        self.form = shared_form(game, rules, pad_seats, relabel_trump)
        self.layout = self.form.layout if self.form else game.layout(rules)
        self.action_names = game.action_names(rules)
        self.num_players = rules.num_players
        self.num_actions = len(self.action_names)
        self.observation_width = self.layout.width
        self._kernels = loops(game)
        self._args = kernel_args(game, rules)
        made = "bits" if self.form else observation  # by the engine, whose own words a form is made of
        self._tables = new_tables(game, rules, num_envs)
        self._mode = kernel_mode(
            episode=episode, autoreset=autoreset, reward=reward, illegal=illegal, observation=made,
            skip_forced=skip_forced, penalty=illegal_penalty(rules, reward), keeps_history=keep_history,
        )  # fmt: skip
        plain = game.layout(rules)
        self._at, self._num_bytes = plain.at, plain.num_bytes
        kept = game.max_history if keep_history else 0
        self._out = self._room(new_buffers(plain, num_envs, self.num_actions, made, max_history=kept))
        self._shown = self._out
        if self.form:
            self._shown = self._room(new_buffers(self.layout, num_envs, self.num_actions, observation, keep_words=True))
        self._legal, self._trumps = self._tables["legal"], np.full(num_envs, NO_TRUMP)
        out = self._out
        self._outputs = (out.results, out.words, out.packed, out.vector, out.floats, out.mask)
        self._actions = np.zeros(num_envs, np.int64)
        self._shows_words = made == "bits"
        parts = self._split(max(1, min(threads, num_envs // TABLES_A_THREAD)) if JIT else 1)
        self._whole, self._team = parts[0][1:], Team(game, parts) if len(parts) > 1 else None
        self._started = False
        self._seed(fresh_seed() if seed is None else seed, None, np.ones(num_envs, np.bool_))

    def _seed(self, seed, tables, rows: np.ndarray) -> None:
        """Streams from their first deal on for the rows that are set."""
        many = np.ndim(seed) > 0
        ids = np.arange(self.num_envs) * (not many) if tables is None else np.asarray(tables)
        for name, given in [("tables", ids), *([("seed", np.asarray(seed))] if many else [])]:
            if given.shape != (self.num_envs,):
                raise ValueError(f"{name} must name one for each of the {self.num_envs} rows, not shape {given.shape}")
        ids = ids.astype(np.int64)
        own = self._tables[rows]
        if many:
            for k, row in enumerate(np.flatnonzero(rows)):
                self._kernels.set_keys(own[k : k + 1], np.uint64(seed[row]), ids[row : row + 1])
        else:
            self._kernels.set_keys(own, np.uint64(seed), ids[rows])
        self._tables[rows] = own

    def reset(self, seed: int | Sequence[int] | None = None, *, tables=None, rows=None) -> VecView:
        """New episodes in every row, or where `rows` (bool [B]) is set.

        With a seed the streams of these rows begin anew: row i is dealt as table i, or as table `tables[i]`; with a seed for each
        row, row i is dealt as table 0 (or `tables[i]`) of seed[i]. Without, each row goes on with its next deal.
        """
        rows = np.ones(self.num_envs, np.bool_) if rows is None else row_flags(rows, self.num_envs)
        if seed is not None or tables is not None:
            if seed is None:
                raise ValueError("tables= needs seed=: it names the deals of a seed")
            self._seed(seed, tables, rows)
        self._kernels.restart(self._tables, rows, self._args, self._at, self._num_bytes, self._mode, *self._outputs)
        self._started = True
        return self._view()

    def step(self, actions, *, rows=None) -> VecView:
        """One action in every row, int [B]. Raises IllegalAction, naming the row, and steps nothing, if one is not legal.

        Rows whose episode is over take any action: "next_step" starts their next episode, "disabled" leaves them.
        rows: bool [B], step these only (not under "next_step"); the others stay as they are, earn nothing, and take any action.
        """
        if rows is None:
            return self._stepped(actions)
        if self.autoreset == "next_step":
            raise ValueError("rows= needs autoreset 'disabled' or 'same_step': a row that waits would begin its next episode")
        ended = self._tables["ended"]
        held = ~row_flags(rows, self.num_envs) & (ended == 0)
        ended[held] = HELD
        try:
            return self._stepped(actions)
        finally:
            ended[held] = 0

    def _stepped(self, actions) -> VecView:
        if not self._started:
            raise RuntimeError("call reset() before step()")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers of shape ({self.num_envs},), not {actions.dtype} {actions.shape}")
        played = self.form.given(actions, self._trumps) if self.form else actions
        if played.dtype != np.int64 or not played.flags.carray:
            played = np.array(played, np.int64)
        refused = self._play(played)
        if refused >= 0:
            raise self._illegal(int(refused), int(actions[refused]))
        return self._view()

    def _room(self, buffers: Buffers) -> Buffers:
        """Where the engine is to write: a face may put other memory in place of these arrays."""
        return buffers

    def _play(self, actions: np.ndarray) -> int:
        """Step every table, or none: the row of the first refused action, or -1. `actions`, int64 [B], is read where it lies."""
        if self._team:
            return self._team.step(actions)
        tables, *others = self._whole
        return self._kernels.step(tables, actions, *others)

    def _split(self, num_parts: int) -> list[tuple]:
        """Equal parts of the batch, one a thread: their rows, and the other arguments of `step`, views of the same arrays."""
        edges = np.linspace(0, self.num_envs, num_parts + 1).astype(int)
        parts = []
        for start, stop in itertools.pairwise(edges):
            rows = slice(start, stop)
            settings = (self._args, self._at, self._num_bytes, self._mode)
            out = self._out
            room = (out.words[rows] if self._shows_words else np.empty_like(out.words), np.empty_like(out.packed))
            outputs = (array[rows] for array in (out.vector, out.floats, out.mask, out.final_words, out.history))
            parts.append((rows, self._tables[rows], *settings, out.results[rows], *room, *outputs))
        return parts

    def _illegal(self, row: int, action: int) -> IllegalAction:
        name = self.action_names[action] if 0 <= action < self.num_actions else None
        legal = [name for name, allowed in zip(self.action_names, self._shown.mask[row], strict=True) if allowed]
        shown = f"{name} (action {action})" if name else f"action {action}"
        return IllegalAction(shown, legal, f" in row {row} for seat {int(self._tables['turn'][row])}; no row was stepped")

    def _view(self) -> VecView:
        if self.form:
            self._reshape()
        out, results = self._shown, self._out.results
        forms = {"uint8": out.vector, "float32": out.floats, "bits": out.words, "none": out.vector}
        own = np.array if self.copy else np.asarray
        return VecView(
            observation=own(forms[self.observation]),
            action_mask=own(out.mask),
            seat=results["seat"].astype(np.int64),
            rewards=own(results["rewards"][:, : self.num_players]),
            terminated=own(results["terminated"]),
            truncated=own(results["truncated"]),
            final_scores=own(results["final_scores"][:, : self.rules.num_sides]),
            final_words=own(out.final_words),
            legal=own(self._legal),
        )

    def _reshape(self) -> None:
        """What the engine shows, in our form."""
        form, out = self.form, self._shown
        _, self._trumps = form.words(self._out.words, out.words)
        self._legal = form.legal(self._tables["legal"], self._trumps, out.mask)
        if self.observation in ("uint8", "float32"):
            self.layout.spread_into(out.words, out.vector if self.observation == "uint8" else out.floats)
        ended = np.flatnonzero(self._out.results["terminated"] | self._out.results["truncated"])
        if len(ended):
            out.final_words[ended] = form.words(self._out.final_words[ended])[0]

    def random_actions(self, salt: int = 0) -> np.ndarray:
        """A uniform legal action in every row, int64 [B]; a function of the tables and `salt`, drawn apart from the deals."""
        self._kernels.choose_random(self._tables, self._actions, (1 << 42) + salt)
        return self.form.renamed(self._actions, self._trumps) if self.form else self._actions.copy()

    def words(self, viewers, rows=None) -> np.ndarray:
        """What these seats see, whoever is to act: int64 [N, K] in bits, for viewers int [N] of the rows (int [N], or all B)."""
        viewers = np.asarray(viewers, np.int64)
        tables = self._tables if rows is None else self._tables[rows]
        if viewers.shape != (len(tables),) or not ((viewers >= 0) & (viewers < self.num_players)).all():
            raise ValueError(f"viewers must name {len(tables)} seats 0..{self.num_players - 1}, not {viewers}")
        words = np.zeros((len(tables), self.game.layout(self.rules).num_words), np.int64)
        _view_rows(self.game)(tables, viewers, self._args, self._at, words)
        return self.form.words(words)[0] if self.form else words

    def history(self) -> np.ndarray:
        """Every row's deal so far as tokens, int64 [B, L], as the seat to act knows it; see `history_tokens`.

        With the own hand this is perfect recall of the deal. Raises RuntimeError where the environment was made without
        `keep_history=True`.
        """
        if not self._mode["keeps_history"][0]:
            raise RuntimeError("no history is kept: make the environment with keep_history=True")
        tokens = history_tokens(self.game, self.rules, self._tables, self._out.history, self._tables["turn"])
        return self.form.tokens(tokens, self._trumps, self.num_actions) if self.form else tokens

    @property
    def gains(self) -> np.ndarray:
        """By side what the deal that has just ended gained it, int64 [B, sides]; 0 where a deal is in progress."""
        return self._tables["change"][:, : self.rules.num_sides].astype(np.int64)

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far, all rows together."""
        return int(self._out.results["illegal"].sum())

    def get_state(self) -> bytes:
        """Everything that later play depends on."""
        return b"".join(array.tobytes() for array in self._state())

    def _state(self) -> tuple[np.ndarray, ...]:
        return self._tables, self._out.results, self._out.history

    def set_state(self, state: bytes) -> VecView:
        """Go on from a `get_state` of an environment made in the same way; returns the view there."""
        needed = sum(array.nbytes for array in self._state())
        if len(state) != needed:
            raise ValueError(f"this state has {len(state)} bytes, {needed} are needed: was it another batch size?")
        start = 0
        for array in self._state():
            array[:] = np.frombuffer(state, array.dtype, array.size, start).reshape(array.shape)
            start += array.nbytes
        self._kernels.show_all(self._tables, self._args, self._at, self._num_bytes, self._mode, *self._outputs)
        self._started = True
        return self._view()


def view_rows(tables, viewers, rule_args, offsets, words):
    """What one seat of each table sees."""
    for i in range(len(tables)):
        observe(row(tables, i), int(viewers[i]), fixed(rule_args), fixed(offsets), line(words, i))


@functools.cache
def _view_rows(game: Game):
    return bind(view_rows, {"observe": game.observe}, game.name)


def row_flags(rows, num_envs: int) -> np.ndarray:
    """Flags of rows, bool [B]; raises ValueError for anything else."""
    rows = np.asarray(rows)
    if rows.shape != (num_envs,) or rows.dtype != np.bool_:
        raise ValueError(f"rows must be bool of shape ({num_envs},), not {rows.dtype} {rows.shape}")
    return rows


def default_reward(episode: str) -> str:
    return "score" if episode == "deal" else "win"


def fresh_seed() -> int:
    """A seed from the system's entropy: global generators are neither read nor moved."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))


def illegal_penalty(rules, reward: str) -> int:
    """The stake of illegal="penalise": its side loses the match, or as much as the worst deal; the others share that."""
    return 1 if reward == "win" else rules.worst_deal * (rules.num_sides - 1)


def check(**given) -> None:
    """Refuse a name that is not among the allowed ones, naming the nearest."""
    for name, (value, allowed) in given.items():
        if value not in allowed:
            raise OptionError(f"{name}={value!r}: must be one of {', '.join(allowed)}{nearest(str(value), allowed)}")
