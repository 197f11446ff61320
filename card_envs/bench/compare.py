"""Is the code slower than it was when a document was written?

Machines differ, and one machine differs from itself an hour later. So every row has beside it how fast a calibration loop ran
between its windows, and what is compared is the row's rate in units of that loop (compiled for batches, plain Python for scalar
faces). A row is slower when all of these hold:

* its median is more than TOLERANCE below the old one,
* its upper quartile lies below the old lower quartile,
* and both are so again each of REPEATS times that it is measured anew.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

import numba

from card_envs.bench import FORMAT, cases_of
from card_envs.bench.faces import Case, measure
from card_envs.game import OptionError

TOLERANCE = 0.07  # four rows of five repeat within it on a shared machine
REPEATS = 2


class DocumentError(ValueError):
    """A file that is not a document of a run."""


@dataclass(frozen=True)
class Compared:
    """One row then and now. ratio: now over then, calibrated; None where it could not be measured, `why` says so."""

    case: Case
    ratio: float | None
    slower: bool = False
    raw_ratio: float | None = None
    measured: int = 0
    why: str = ""


def check(document: dict) -> None:
    """Raises DocumentError unless it is the document of a run with rows."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DocumentError(f"is not what `card-envs bench --json` prints (its format would be {FORMAT!r})")
    if not document.get("rows"):
        raise DocumentError("holds no rows to compare with")


def compare(document: dict) -> Iterator[Compared]:
    """Every row of a document measured again, as it is made."""
    check(document)
    for case, old in zip(cases_of(document), document["rows"], strict=True):
        if case.threads > numba.config.NUMBA_NUM_THREADS:
            yield Compared(case, None, why=f"{case.threads} threads are not to be had here")
            continue
        try:
            yield again(case, old)
        except OptionError as error:
            yield Compared(case, None, why=str(error))


def again(case: Case, old: dict) -> Compared:
    """Measured once, or more often while it looks slower."""
    ratios = []
    for _ in range(1 + REPEATS):
        new = measure(case, old["windows"])
        ratios.append(calibrated(new, old))
        if not is_slower(new, old):
            return Compared(case, ratios[-1], False, new["steps_per_cpu_second"] / old["steps_per_cpu_second"], len(ratios))
    raw = new["steps_per_cpu_second"] / old["steps_per_cpu_second"]
    return Compared(case, statistics.median(ratios), True, raw, len(ratios))


def calibrated(new: dict, old: dict, of: str = "steps_per_cpu_second", than: str | None = None) -> float:
    """A rate of the new row over one of the old row, each in units of its calibration loop."""
    return (new[of] / new["calibration"]) / (old[than or of] / old["calibration"])


def is_slower(new: dict, old: dict) -> bool:
    """By both its median and its spread, calibrated."""
    return calibrated(new, old) < 1 - TOLERANCE and calibrated(new, old, "high", "low") < 1
