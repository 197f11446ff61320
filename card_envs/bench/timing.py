"""Timed windows: wall and CPU time side by side, and beside each a loop that says how fast the machine was just then."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from card_envs.kernels import JIT, compiled

COMPILED_ROUNDS = 200_000 if JIT else 400  # some milliseconds
PYTHON_ROUNDS = 60_000
COPY_SECONDS = 0.005  # of each window of copies
COPY_WINDOWS = 5
SMALLEST_COPY = 1 << 16  # bytes: below it what is timed is the call

_WORDS = np.random.default_rng(1).integers(1, 1 << 63, 4096, np.uint64)  # 32 KiB: they fit the first-level cache
_ONE, _U7, _U13, _U17, _U52 = (np.uint64(number) for number in (1, 7, 13, 17, 52))


def churn(words, rounds):
    """Integer work whose branches and addresses cannot be foreseen, as a step of a table is; knows nothing of the games."""
    place = 0
    for _ in range(rounds):
        word = words[place]
        word = word ^ (word << _U13)
        word = word ^ (word >> _U7)
        word = word ^ (word << _U17)
        words[place] = word
        place = np.int64(word >> _U52)
        while word & _ONE:
            word = word >> _ONE
            place = place ^ 1


def spin(rounds: int) -> int:
    """The same for Python's own loop."""
    total = 0
    for number in range(rounds):
        total = (total * 5 + number) & 0xFFFF
    return total


_churn = compiled(churn, "bench")
CALIBRATIONS = {
    "compiled": (lambda: _churn(_WORDS, COMPILED_ROUNDS), COMPILED_ROUNDS),
    "python": (lambda: spin(PYTHON_ROUNDS), PYTHON_ROUNDS),
}


def calibrate(kind: str) -> float:
    """Rounds a CPU second of the loop of that kind, "compiled" or "python"."""
    loop, rounds = CALIBRATIONS[kind]
    turns, spent, start = 0, 0.0, time.process_time()
    while spent <= 0.0:  # some clocks tick more slowly than the loop turns
        loop()
        turns, spent = turns + 1, time.process_time() - start
    return turns * rounds / spent


@dataclass(frozen=True)
class Windows:
    """What was timed, an entry a window: steps a CPU second (of all threads together), steps a second of the wall clock.

    calibration: rounds a CPU second of the calibration loop, mean of those just before and just after the window.
    """

    cpu: list[float]
    wall: list[float]
    calibration: list[float]

    def summary(self) -> dict:
        """Medians, and of the rates a CPU second quartiles, lowest and highest.

        calibrated, calibrated_low, calibrated_high: median and quartiles of the steps in a million rounds of the calibration
        loop, which depend on the machine and its load much less.
        """
        low, high = quartiles(self.cpu)
        calibrated = [1e6 * rate / rounds for rate, rounds in zip(self.cpu, self.calibration, strict=True)]
        calibrated_low, calibrated_high = quartiles(calibrated)
        return {
            "steps_per_cpu_second": round(statistics.median(self.cpu)),
            "low": round(low),
            "high": round(high),
            "lowest": round(min(self.cpu)),
            "highest": round(max(self.cpu)),
            "steps_per_second": round(statistics.median(self.wall)),
            "calibrated": float(f"{statistics.median(calibrated):.5g}"),
            "calibrated_low": float(f"{calibrated_low:.5g}"),
            "calibrated_high": float(f"{calibrated_high:.5g}"),
            "windows": len(self.cpu),
        }


def quartiles(values: list[float]) -> tuple[float, float]:
    """Lower and upper quartile; of a single value that value twice."""
    if len(values) == 1:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def timed(prepare: Callable, window: Callable, steps: int, windows: int, kind: str = "python") -> Windows:
    """`window()`, which takes `steps` steps, over and over, each time after `prepare()`; the first, a warm-up, is left out."""
    cpu, wall, calibrations = [], [], []
    for _ in range(windows + 1):
        prepare()
        calibrations.append(calibrate(kind))
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        window()
        cpu.append(steps / (time.process_time() - cpu_start))
        wall.append(steps / (time.perf_counter() - wall_start))
    calibrations.append(calibrate(kind))
    around = [(before + after) / 2 for before, after in itertools.pairwise(calibrations)]
    return Windows(cpu[1:], wall[1:], around[1:])


def copy_rate(working_set: int) -> float | None:
    """Bytes read and written a CPU second by NumPy copying half of `working_set` bytes onto the other half.

    None for a working set so small that the call would be timed.
    """
    if working_set < SMALLEST_COPY:
        return None
    source, target = np.ones(working_set // 2, np.uint8), np.zeros(working_set // 2, np.uint8)
    rates = []
    for _ in range(COPY_WINDOWS + 1):
        copies, start = 0, time.process_time()
        while (spent := time.process_time() - start) < COPY_SECONDS:
            target[:] = source
            copies += 1
        rates.append(2 * source.nbytes * copies / spent)
    return statistics.median(rates[1:])
