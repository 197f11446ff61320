"""Is the code slower than it was when a document was written?

Machines differ, and one machine differs from itself an hour later. So a calibration loop runs before and after every window
(compiled code beside batches, plain Python beside scalar faces), and what is compared is the row's rate in units of that loop.
A row is slower when all of these hold:

* its median is more than TOLERANCE below the old one,
* its upper quartile lies below the old lower quartile,
* and both are so again each of REPEATS times that it is measured anew, after all other rows.
"""

from __future__ import annotations

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
    """One row then and now.

    ratio: now over then, calibrated, and raw_ratio as it was measured; None where it could not be measured, `why` says so.
    measured: how often it was, of which the last counts.
    """

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
    """Every row of a document measured again, as soon as it is known whether it is slower."""
    check(document)
    suspects = []
    for case, old in zip(cases_of(document), document["rows"], strict=True):
        if case.threads > numba.config.NUMBA_NUM_THREADS:
            yield Compared(case, None, why=f"{case.threads} threads are not to be had here")
            continue
        try:
            found = again(case, old)
        except OptionError as error:
            yield Compared(case, None, why=str(error))
            continue
        if found.slower:
            suspects.append((found, old))
        else:
            yield found
    for repeat in range(REPEATS):
        later = [(again(found.case, old, found), old) for found, old in suspects]
        last = repeat == REPEATS - 1
        yield from (found for found, _ in later if last or not found.slower)
        suspects = [(found, old) for found, old in later if found.slower]


def again(case: Case, old: dict, before: Compared | None = None) -> Compared:
    """The row measured once more."""
    new = measure(case, old["windows"])
    raw = new["steps_per_cpu_second"] / old["steps_per_cpu_second"]
    return Compared(case, ratio(new, old), is_slower(new, old), raw, 1 + (before.measured if before else 0))


def ratio(new: dict, old: dict) -> float:
    return new["calibrated"] / old["calibrated"]


def is_slower(new: dict, old: dict) -> bool:
    """By both its median and its spread."""
    return ratio(new, old) < 1 - TOLERANCE and new["calibrated_high"] < old["calibrated_low"]
