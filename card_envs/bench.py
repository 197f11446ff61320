"""How fast every face steps on this machine.

Each figure is the median over repeated windows, with the lowest and the highest beside it. A window plays stored random
actions from one stored state: choosing them is not timed. The tables of a batch stand at different points of their deals, since
in lockstep the processor foresees every branch, which flatters a figure two to four times; masks are always made, observations
as said. Scalar faces are timed in the loop of their users: reading what the seat to act sees, then stepping, and a reset where
an episode ends.
"""

from __future__ import annotations

import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator

import numba
import numpy as np

from card_envs.buffers import OBSERVATIONS
from card_envs.envs.aec import TableEnv, env
from card_envs.envs.vector import VecEnv
from card_envs.table import Table

SIZES = (1, 256, 4096)
SPREADING_STEPS = 64  # over which the tables of a batch start, one after another
WINDOW_STEPS = 200_000  # of all tables together
WINDOW_CALLS = (32, 5_000)  # bounds of the calls in a window
SCALAR_STEPS = 3_000
SEED = 1


def machine() -> dict:
    """What the figures depend on."""
    from card_envs.doctor import cpu

    found = cpu()
    return {
        "cpu": found["model"],
        "cores": found["cores"],
        "numba": numba.__version__,
        "numpy": np.__version__,
        "compiled": not numba.config.DISABLE_JIT,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def run(game, presets: list[str], sizes=SIZES, windows: int = 9) -> Iterator[dict]:
    """A row for every measurement, as it is made."""
    for preset in presets:
        rules = game.rules(preset)
        for size in sizes:
            for observation in reversed(OBSERVATIONS):
                for threads in thread_counts(size):
                    rates = batch_rates(game, rules, size, observation, threads, windows)
                    yield row("batch", preset, rates, size=size, observation=observation, threads=threads)
        yield row("table", preset, table_rates(game, rules, windows))
        yield row("aec", preset, aec_rates(lambda name=preset: env(game.name, preset=name), windows), observation="int8")
        raw = aec_rates(lambda rules=rules: TableEnv(game, rules), windows)
        yield row("aec, no wrapper", preset, raw, observation="int8")


def peers(windows: int) -> Iterator[dict]:
    """PettingZoo's connect four in the same loop, where it can be imported (it needs pygame)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            from pettingzoo.classic import connect_four_v3
    except ImportError:
        return
    yield row("connect_four_v3", None, aec_rates(connect_four_v3.env, windows))
    yield row("connect_four_v3, no wrapper", None, aec_rates(connect_four_v3.raw_env, windows))


def row(face: str, preset: str | None, rates: list[float], size: int = 1, observation: str = "", threads: int = 1) -> dict:
    return {
        "face": face,
        "preset": preset,
        "size": size,
        "observation": observation or None,
        "threads": threads,
        "steps_per_second": round(statistics.median(rates)),
        "lowest": round(min(rates)),
        "highest": round(max(rates)),
        "windows": len(rates),
    }


def thread_counts(size: int) -> list[int]:
    """One thread, and all of them where a batch is large enough to be shared out."""
    from card_envs.envs.vector import TABLES_A_THREAD

    available = numba.config.NUMBA_NUM_THREADS
    return [1, available] if available > 1 and size >= 2 * TABLES_A_THREAD else [1]


def timed(prepare: Callable, window: Callable, steps: int, windows: int) -> list[float]:
    """Steps a second of each window; the first, which warms up, is left out."""
    rates = []
    for _ in range(windows + 1):
        prepare()
        start = time.perf_counter()
        window()
        rates.append(steps / (time.perf_counter() - start))
    return rates[1:]


def batch_rates(game, rules, size: int, observation: str, threads: int, windows: int) -> list[float]:
    """A batch whose arrays are not copied (copy=False), playing matches."""
    vec = VecEnv(game, rules, size, seed=SEED, observation=observation, threads=threads, copy=False)
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

    def window():
        for given in actions:
            vec.step(given)

    return timed(lambda: vec.set_state(state), window, size * calls, windows)


def table_rates(game, rules, windows: int) -> list[float]:
    """One table driven from Python: its mask and what its seat sees, then a step."""
    table = Table(game, rules)
    choose = np.random.default_rng(SEED)
    actions = []

    def start():
        table.seed(SEED)
        table.reset()

    def play(action: int) -> None:
        table.mask()
        table.words(table.turn)
        table.step(action)
        if table.ended:
            table.reset()

    def window():
        for action in actions:
            play(action)

    start()
    for _ in range(SCALAR_STEPS):
        actions.append(int(choose.choice(table.legal_actions())))
        play(actions[-1])
    return timed(start, window, SCALAR_STEPS, windows)


def aec_rates(make: Callable, windows: int) -> list[float]:
    """Any PettingZoo AEC environment: `last()`, then `step()`."""
    made = make()
    choose = np.random.default_rng(SEED)
    actions = []

    def play(action=None) -> None:
        observation = made.last()[0]
        if action is None:
            action = int(choose.choice(np.flatnonzero(observation["action_mask"])))
            actions.append(action)
        made.step(action)
        agent = made.agent_selection
        if made.terminations[agent] or made.truncations[agent]:
            made.reset()

    def start():
        made.reset(seed=SEED)

    def window():
        for action in actions:
            play(action)

    start()
    for _ in range(SCALAR_STEPS):
        play()
    return timed(start, window, SCALAR_STEPS, windows)


def text(found: dict) -> str:
    """A row for people."""
    what = " ".join(str(part) for part in (found["face"], found["preset"], found["observation"]) if part)
    where = f"tables {found['size']}, threads {found['threads']}"
    spread = f"{found['lowest']:,}..{found['highest']:,} in {found['windows']} windows"
    return f"{what:<32} {where:<22} {found['steps_per_second']:>12,} steps/s ({spread})"
