"""How fast every face steps on this machine, where the time goes, and what it costs beside time.

The unit is steps a second of the process's own CPU time, all threads together (so a core's second), with the wall clock's figure
beside it: on a machine that is shared the first can be repeated, the second cannot. Each figure is the median over repeated
windows, with quartiles, lowest and highest.

A document holds a run: machine, versions, date, command, settings, `rows` and the rest, as `card-envs bench --json` prints it.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

import numba
import numpy as np

from card_envs.bench import costs, parts
from card_envs.bench.faces import Case, cases, measure
from card_envs.bench.timing import calibrate
from card_envs.buffers import OBSERVATIONS
from card_envs.doctor import cpu, version

FORMAT = "card-envs-bench/1"
PACKAGES = ("card-envs", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")


@dataclass(frozen=True)
class Plan:
    """What is to be measured: presets by game, sizes of batches, forms of the observation, and the extras that take longer."""

    presets: dict[str, list[str]]
    sizes: tuple[int, ...] = (1, 256, 4096, 65_536)
    observations: tuple[str, ...] = OBSERVATIONS
    windows: int = 7
    compile: bool = False
    trainer: Path | None = None
    trainer_seconds: float = 30.0

    def quick(self) -> Plan:
        """Some seconds instead of minutes: two sizes, three windows."""
        return replace(self, sizes=(1, 4096), windows=3)

    def cases(self) -> list[Case]:
        pairs = [(game, preset) for game, presets in self.presets.items() for preset in presets]
        return [case for game, preset in pairs for case in cases(game, preset, list(self.sizes), self.observations)]


def run(plan: Plan, shown: Callable[[dict], None] | None = None, progress: Callable[[int, int], None] | None = None) -> dict:
    """The document of a run. `shown(row)` is called with each row as it is made, `progress(done, total)` after each case."""
    wanted = plan.cases()
    document = header() | {"settings": {"windows": plan.windows}, "rows": []}
    for done, case in enumerate(wanted, 1):
        row = measure(case, plan.windows)
        document["rows"].append(row)
        if shown:
            shown(row)
        if progress:
            progress(done, len(wanted))
    document["parts"] = parts.split(document["rows"], plan.windows)
    pairs = [(game, preset) for game, presets in plan.presets.items() for preset in presets]
    document["lengths"] = [parts.lengths(game, preset) for game, preset in pairs]
    document["memory"] = [costs.memory(game, preset) for game, preset in pairs]
    document["import"] = costs.imported()
    if plan.compile:
        document["compile"] = [costs.compiled(game) for game in plan.presets]
    if plan.trainer:
        document["trainer"] = costs.trainer(plan.trainer, plan.trainer_seconds)
    return document


def header() -> dict:
    """What figures depend on: the machine, versions, the date, the command line."""
    return {
        "format": FORMAT,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "machine": machine(),
        "versions": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
    }


def machine() -> dict:
    """The processor, its cores, memory and load, and how fast the two calibration loops run, in rounds a CPU second."""
    found = cpu()
    return {
        "cpu": model() or found["model"],
        "kind": found["model"],
        "features": found["features"],
        "cores": found["cores"],
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else None,
        "platform": platform.platform(),
        "compiled": not numba.config.DISABLE_JIT,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "calibration": {kind: round(float(np.median([calibrate(kind) for _ in range(5)]))) for kind in ("compiled", "python")},
    }


def model() -> str | None:
    """The processor's name as its maker writes it, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
            return next(names, None)
    except OSError:
        return None


def cases_of(document: dict) -> Iterator[Case]:
    """The cases that a document's rows are about."""
    for row in document["rows"]:
        yield Case(**{name: row[name] for name in ("face", "game", "preset", "size", "observation", "threads")})
