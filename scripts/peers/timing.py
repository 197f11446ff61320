"""What the scripts of the peers share: their options, a timed loop, one JSON line a row. Needs nothing but Python."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from importlib import metadata


def arguments(doc: str) -> argparse.Namespace:
    """seconds (CPU seconds of a window), windows, and cache (a folder that the script may keep things in)."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--cache", default=".")
    return parser.parse_args()


def measure(play: Callable[[], int], asked: argparse.Namespace) -> list[tuple[int, float, float]]:
    """(decisions, CPU seconds, wall seconds) of each window; `play()` plays some and returns how many decisions it made.

    CPU seconds are those of the whole process, user and system, all its threads together. The first window, which warms up,
    is left out.
    """
    found = []
    for _ in range(asked.windows + 1):
        decisions, cpu, wall = 0, time.process_time(), time.perf_counter()
        while time.process_time() - cpu < asked.seconds:
            decisions += play()
        found.append((decisions, time.process_time() - cpu, time.perf_counter() - wall))
    return found[1:]


def report(game: str, mode: str, like: str, windows: list[tuple[int, float, float]], *packages: str) -> None:
    """Print a row as the runner reads it.

    like: the mode of ours that it is compared with: "table, legal actions only", "raw_env()", "env()",
    "batch, mask" or "batch, mask, observation".
    packages are those whose versions matter.
    """
    row = {
        "game": game,
        "mode": mode,
        "like": like,
        "versions": {name: metadata.version(name) for name in packages},
        "windows": windows,
    }
    print(json.dumps(row), flush=True)
