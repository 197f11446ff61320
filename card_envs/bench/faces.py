"""The faces that are timed: a case names one, `measure` gives its row.

A window plays stored random actions from one stored state: choosing them is not timed. The tables of a batch stand at different
points of their deals, since in lockstep the processor foresees every branch, which flatters a figure two to four times. The
mask is always made, the observation as said; in a batch they are the engine's own arrays (copy=False). Scalar faces are timed
in the loop of their users: reading what the seat to act sees, then stepping, and a reset where an episode ends.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import gymnasium
import numba
import numpy as np

from card_envs.bench.timing import Windows, copy_rate, timed
from card_envs.buffers import OBSERVATIONS, RESULT
from card_envs.envs.aec import TableEnv, env
from card_envs.envs.vector import TABLES_A_THREAD, VecEnv
from card_envs.games import GAMES, load
from card_envs.table import Table

SPREADING_STEPS = 64  # over which the tables of a batch start, one after another
WINDOW_STEPS = 400_000  # of all tables together
WINDOW_CALLS = (8, 4_000)  # bounds of the calls in a window
SCALAR_SECONDS = 0.05  # of a window, on the CPU
FIRST_STEPS = 20  # that compile and fill caches, before a window of scalar steps is recorded
SEED = 1
_CHOICES = np.random.default_rng(SEED)
COMPILED_SIZE = 64  # from which on a batch spends its time in compiled code
SCALAR_FACES = ("table", "env", "raw_env", "gymnasium")


@dataclass(frozen=True)
class Case:
    """What one row is about: "batch" with its size, form of observation and threads, or one of SCALAR_FACES."""

    face: str
    game: str
    preset: str
    size: int = 1
    observation: str | None = None
    threads: int = 1

    @property
    def name(self) -> str:
        parts = (self.face, self.game, self.preset, self.observation)
        where = f", {self.size:,} tables, {self.threads} thread{'s' * (self.threads > 1)}" if self.face == "batch" else ""
        return " ".join(part for part in parts if part) + where


def cases(game: str, preset: str, sizes: list[int], observations=OBSERVATIONS) -> list[Case]:
    """All of them for one preset; those of one size one after another, since they share what they play."""
    found = [
        Case("batch", game, preset, size, observation, threads)
        for size in sizes
        for observation in sorted(observations, key=OBSERVATIONS.index, reverse=True)
        for threads in thread_counts(size)
    ]
    return found + [Case(face, game, preset) for face in SCALAR_FACES]


def thread_counts(size: int) -> list[int]:
    """One thread, and all of them where a batch is large enough to be shared out."""
    available = numba.config.NUMBA_NUM_THREADS
    return [1, available] if available > 1 and size >= 2 * TABLES_A_THREAD else [1]


def measure(case: Case, windows: int) -> dict:
    """The row of a case, as plain JSON; raises OptionError where the game or the preset is not known."""
    if case.face == "batch":
        vec = batch(case)
        found = batch_windows(case, vec, windows).summary()
        return asdict(case) | found | traffic(vec, found["steps_per_cpu_second"])
    return asdict(case) | SCALAR[case.face](case, windows).summary()


# --- batches -----------------------------------------------------------------------------------------------------------------


def batch(case: Case) -> VecEnv:
    game = load(case.game)
    settings = {"seed": SEED, "observation": case.observation, "threads": case.threads, "copy": False}
    return VecEnv(game, game.rules(case.preset), case.size, **settings)


@functools.lru_cache(maxsize=1)  # the cases of a size come one after another, and a large batch takes memory
def trajectory(game: str, preset: str, size: int) -> tuple[bytes, np.ndarray]:
    """A state of a batch at play and the actions of a window from it, int64 [calls, B]: the same for every observation."""
    vec = batch(Case("batch", game, preset, size, "none"))
    vec.reset()
    for step in range(SPREADING_STEPS):  # deals are about equally long: tables that start together stay together
        vec.reset(rows=np.arange(size) % SPREADING_STEPS == step)
        vec.step(vec.random_actions())
    state = vec.get_state()
    calls = min(max(WINDOW_STEPS // size, WINDOW_CALLS[0]), WINDOW_CALLS[1])
    actions = np.empty((calls, size), np.int64)
    for call in range(calls):
        actions[call] = vec.random_actions()
        vec.step(actions[call])
    return state, actions


def batch_windows(case: Case, vec: VecEnv, windows: int) -> Windows:
    state, actions = trajectory(case.game, case.preset, case.size)

    def window():
        for given in actions:
            vec.step(given)

    kind = "compiled" if case.size >= COMPILED_SIZE else "python"
    return timed(lambda: vec.set_state(state), window, actions.size, windows, kind)


def traffic(vec: VecEnv, rate: float) -> dict:
    """The bytes that a step moves, and how near it comes to moving them as fast as a copy does.

    bytes_per_step: the whole record of the table read and written, of which a step needs a part; results, mask and observation
    written, the action read. of_copy: those bytes by `rate`, over what a copy of the batch's memory moves.
    """
    state, outputs = state_bytes(vec), output_bytes(vec)
    moved = 2 * state + outputs
    copied = copy_rate((state + outputs) * vec.num_envs)
    return {
        "bytes_per_step": moved,
        "copy_bytes_per_cpu_second": copied and round(copied),
        "of_copy": copied and round(moved * rate / copied, 4),
    }


def state_bytes(vec: VecEnv) -> int:
    """Of a table's record."""
    return len(vec.get_state()) // vec.num_envs - RESULT.itemsize


def output_bytes(vec: VecEnv) -> int:
    """Of what a step writes beside the record, with its action."""
    observation = {
        "none": 0,
        "bits": 8 * vec.layout.num_words,
        "uint8": vec.observation_width,
        "float32": 4 * vec.observation_width,
    }
    return RESULT.itemsize + vec.num_actions + observation[vec.observation] + 8


# --- scalar faces ------------------------------------------------------------------------------------------------------------


def table_windows(case: Case, windows: int) -> Windows:
    """One table driven from Python: its mask and what its seat sees in bits, then a step."""
    game = load(case.game)
    table = Table(game, game.rules(case.preset))

    def start():
        table.seed(SEED)
        table.reset()

    def play(action: int | None) -> int:
        mask = table.mask()
        table.words(table.turn)
        action = choose(mask) if action is None else action
        table.step(action)
        if table.ended:
            table.reset()
        return action

    return scalar_windows(start, play, windows)


def aec_windows(make: Callable, windows: int) -> Windows:
    """Any PettingZoo AEC environment with masks: `last()`, then `step()`."""
    made = make()

    def play(action: int | None) -> int:
        observation = made.last()[0]
        action = choose(observation["action_mask"]) if action is None else action
        made.step(action)
        agent = made.agent_selection
        if made.terminations[agent] or made.truncations[agent]:
            made.reset()
        return action

    return scalar_windows(lambda: made.reset(seed=SEED), play, windows)


def env_windows(case: Case, windows: int) -> Windows:
    return aec_windows(lambda: env(case.game, preset=case.preset), windows)


def raw_env_windows(case: Case, windows: int) -> Windows:
    game = load(case.game)
    return aec_windows(lambda: TableEnv(game, game.rules(case.preset)), windows)


def gymnasium_windows(case: Case, windows: int) -> Windows:
    """One seat against random players; a step is a decision of that seat, the others' are within it."""
    made = gymnasium.make(f"card_envs/{case.game.capitalize()}-v{GAMES[case.game]}", preset=case.preset, others="random")
    info = {}

    def start():
        info.update(made.reset(seed=SEED)[1])

    def play(action: int | None) -> int:
        action = choose(info["action_mask"]) if action is None else action
        _, _, terminated, truncated, found = made.step(action)
        info.update(made.reset()[1] if terminated or truncated else found)
        return action

    return scalar_windows(start, play, windows)


SCALAR = dict(zip(SCALAR_FACES, (table_windows, env_windows, raw_env_windows, gymnasium_windows), strict=True))


def choose(mask: np.ndarray) -> int:
    """A random legal action."""
    legal = np.flatnonzero(mask)
    return int(legal[_CHOICES.integers(len(legal))])


def scalar_windows(start: Callable, play: Callable[[int | None], int], windows: int) -> Windows:
    """`play(None)` chooses and returns an action, `play(action)` plays a chosen one again."""
    start()
    for _ in range(FIRST_STEPS):
        play(None)
    start()
    actions, until = [], time.process_time() + SCALAR_SECONDS
    while time.process_time() < until:
        actions.append(play(None))

    def window():
        for action in actions:
            play(action)

    return timed(start, window, len(actions), windows)
