"""A document as tables: for a terminal, as plain lines, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from card_envs.bench.compare import REPEATS, TOLERANCE, Compared
from card_envs.bench.timing import quartiles
from card_envs.buffers import OBSERVATIONS
from card_envs.doctor import PACKAGE

FACES = {
    "batch": "batch",
    "table": "one table",
    "env": "AEC `env()`",
    "raw_env": "AEC `raw_env()`",
    "gymnasium": "Gymnasium, one seat",
}
SMALL_BATCH = 100_000_000  # bytes that 65,536 tables should stay below


@dataclass(frozen=True)
class Grid:
    """A table of texts; numbers are those columns that are set to the right."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    numbers: int = 0  # columns from here on hold numbers

    def markdown(self) -> str:
        """The title as a sentence, then the table."""
        marks = ["---" if place < self.numbers else "---:" for place in range(len(self.columns))]
        lines = ["| " + " | ".join(row) + " |" for row in (self.columns, marks, *self.rows)]
        return "\n".join([f"{self.title}:", "", *lines])

    def rich(self):
        from rich.table import Table

        made = Table(title=self.title, title_justify="left", title_style="bold")
        for place, name in enumerate(self.columns):
            made.add_column(name, justify="left" if place < self.numbers else "right", no_wrap=True)
        for row in self.rows:
            made.add_row(*row)
        return made

    def lines(self) -> Iterator[str]:
        yield f"\n{self.title}"
        for row in self.rows:
            yield "; ".join(f"{name} {cell}" if name else cell for name, cell in zip(self.columns, row, strict=True))


def grids(document: dict) -> dict[str, Grid]:
    """All tables of a document by name, those without rows left out."""
    found = {
        "rows": batch_rows(document),
        "batches": batches(document),
        "limit": limit(document),
        "faces": scalar(document),
        "parts": shares(document),
        "play": play(document),
        "memory": memory(document),
        "compile": compilation(document),
        "peers": peers(document),
    }
    return {name: grid for name, grid in found.items() if grid.rows}


def about(document: dict) -> str:
    """Machine, versions and date in a line."""
    machine, versions = document["machine"], document["versions"]
    cores = f"{machine['cores']} core{'s' * (machine['cores'] != 1)}"
    memory = f", {size(machine['memory_bytes'])}" if machine["memory_bytes"] else ""
    packages = ", ".join(f"{name} {number}" for name, number in versions.items())
    plain = "" if machine["compiled"] else "; compilation is off"
    return (
        f"{machine['cpu']} ({machine['kind']}), {cores}{memory}, load {machine['load']}; {packages}; {document['date']}{plain}"
    )


def text(row: dict) -> str:
    """A row for people, as it is made."""
    rate, spread = row["steps_per_cpu_second"], f"{short(row['low'])}..{short(row['high'])}"
    return f"{case_text(row):<62} {short(rate):>8} steps a CPU second ({spread}), {short(row['steps_per_second'])} a second"


def case_text(row: dict) -> str:
    where = f"{row['size']:,} tables, {row['threads']} thread{'s' * (row['threads'] > 1)}" if row["face"] == "batch" else ""
    return " ".join(part for part in (row["game"], row["preset"], row["face"], row["observation"], where) if part)


def short(number: float) -> str:
    """12.3 M, 45.6 k, 789."""
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= unit:
            return f"{number / unit:.3g}{name}"
    return f"{number:.3g}"


def several(times: float) -> str:
    """How many times: 1,234, 56.7, 0.891."""
    return f"{times:,.0f}" if times >= 100 else f"{times:.3g}"


def size(count: float) -> str:
    """Bytes in the unit that fits."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def rate(row: dict) -> str:
    return f"{short(row['steps_per_cpu_second'])} ({short(row['low'])}..{short(row['high'])})"


def batch_rows(document: dict) -> Grid:
    columns = ("game", "preset", "observation", "tables", "threads")
    columns += ("steps a CPU second", "steps a second", "bytes a step", "of a copy's speed")
    rows = [
        (
            row["game"], row["preset"], row["observation"], f"{row['size']:,}", str(row["threads"]), rate(row),
            short(row["steps_per_second"]), f"{row['bytes_per_step']:,}", f"{row['of_copy']:.0%}" if row["of_copy"] else "-",
        )
        for row in document["rows"] if row["face"] == "batch"
    ]  # fmt: skip
    return Grid("Batches, masks always made; median (quartiles)", columns, rows, 3)


def batches(document: dict) -> Grid:
    """The same a line a batch."""
    return pivot(document, "Steps a CPU second of batches with masks, by form of observation; median (quartiles)", rate)


def limit(document: dict) -> Grid:
    """How near a step comes to what a copy of the same memory moves."""

    def cell(row: dict) -> str:
        return f"{row['bytes_per_step']:,}" + (f", {row['of_copy']:.0%}" if row["of_copy"] else "")

    title = "Bytes a step, and how near one thread comes to moving them as fast as a copy of the same memory does"
    return pivot(document, title, cell, one_thread=True)


def pivot(document: dict, title: str, cell: Callable[[dict], str], one_thread: bool = False) -> Grid:
    """A line a batch, a column a form of the observation."""
    found: dict[tuple, dict] = {}
    for row in document["rows"]:
        if row["face"] == "batch" and (row["threads"] == 1 or not one_thread):
            threads = () if one_thread else (str(row["threads"]),)
            key = (row["game"], row["preset"], f"{row['size']:,}", *threads)
            found.setdefault(key, {})[row["observation"]] = cell(row)
    forms = [form for form in reversed(OBSERVATIONS) if any(form in cells for cells in found.values())]
    rows = [(*key, *(cells.get(form, "") for form in forms)) for key, cells in found.items()]
    columns = ("game", "preset", "tables", *(() if one_thread else ("threads",)), *forms)
    return Grid(title, columns, rows, 2)


def scalar(document: dict) -> Grid:
    columns = ("game", "preset", "face", "steps a CPU second", "steps a second")
    rows = [
        (row["game"], row["preset"], FACES[row["face"]], rate(row), short(row["steps_per_second"]))
        for row in document["rows"] if row["face"] != "batch"
    ]  # fmt: skip
    return Grid("One table from Python", columns, rows, 3)


def shares(document: dict) -> Grid:
    names = ("face", "rules", "mask", "observation", "columns")
    columns = ("game", "preset", "tables", "Python face", "rules", "mask", "observation", "its columns", "whole step, ns")
    rows = []
    for part in document.get("parts", ()):
        whole = part["whole_nanoseconds"]
        spent = (f"{part[f'{name}_nanoseconds'] / whole:.0%}" for name in names)
        rows.append((part["game"], part["preset"], f"{part['size']:,}", *spent, f"{whole:.1f}"))
    return Grid("Where the time of a step with a uint8 observation goes, one thread", columns, rows, 2)


def play(document: dict) -> Grid:
    """Deals and matches a second, from how long they are and the fastest batch with a uint8 observation on one thread."""
    rows = []
    for length in document.get("lengths", ()):
        same = [row for row in document["rows"] if all(row[name] == length[name] for name in ("game", "preset"))]
        rates = [row["steps_per_cpu_second"] for row in same if row["observation"] == "uint8" and row["threads"] == 1]
        if rates:
            deal, match = length["decisions_a_deal"], length["decisions_a_match"]
            speeds = (short(max(rates) / deal), short(max(rates) / match))
            rows.append((length["game"], length["preset"], f"{deal:.1f}", f"{match:.0f}", *speeds))
    columns = ("game", "preset", "decisions a deal", "decisions a match", "deals a CPU second", "matches a CPU second")
    return Grid("Random play with uint8 observations", columns, rows, 2)


def memory(document: dict) -> Grid:
    columns = ("game", "preset", "a table's state", "with mask and uint8 observation", "65,536 tables, measured")
    rows = []
    for found in document.get("memory", ()):
        fits = "" if found["tables_bytes"] < SMALL_BATCH else ", above 100 MB"
        many = f"{found['tables_bytes'] / 1e6:.1f} MB{fits}"
        rows.append((found["game"], found["preset"], f"{found['state_bytes']} B", f"{found['table_bytes']:,} B", many))
    return Grid("Memory", columns, rows, 2)


def compilation(document: dict) -> Grid:
    rows = [
        (one["game"], *(f"{one[state][unit]:.1f} s" for state in ("cold", "warm") for unit in ("cpu_seconds", "seconds")))
        for one in document.get("compile", ())
    ]
    columns = ("game", "cold, CPU", "cold, wall", "warm, CPU", "warm, wall")
    return Grid("First steps of a batch and of an AEC environment in a new process", columns, rows, 1)


def notes(document: dict) -> list[str]:
    """Single figures in sentences."""
    found = []
    if one := document.get("import"):
        peak = f", {size(one['peak_rss'])} at its peak" if one["peak_rss"] else ""
        found.append(f"import card_envs: {one['cpu_seconds']:.2f} CPU seconds, {one['seconds']:.2f} of the wall clock{peak}")
    if one := document.get("trainer"):
        processes = f"{one['processes']} processes, {size(one['peak_rss'])} at their peak"
        found.append(f"training {one['config']}: {processes} in {one['seconds']:.0f} seconds")
    found += [f"{one['peer']} is left out: {one['why']}" for one in document.get("left_out", ())]
    return found


def peers(document: dict) -> Grid:
    """Peers, with how many times ours is faster through a face of the same kind, and in a batch with mask and observation."""
    reference, measured = document.get("reference"), document.get("peers", ())
    ours = {row["mode"]: row["decisions_per_cpu_second"] for row in measured if row["game"] == reference}
    rows = []
    for row in measured:
        speed = row["decisions_per_cpu_second"]
        low, high = quartiles(row["rates"])
        modes = () if row["peer"] == PACKAGE else (row["like"], "batch, mask, observation")
        times = [several(ours[mode] / speed) if mode in ours else "" for mode in (*modes, "", "")[:2]]
        package = f"{row['peer']} {next(iter(row['versions'].values()))}"
        rows.append((package, row["game"], row["mode"], f"{short(speed)} ({short(low)}..{short(high)})", *times))
    columns = ("package", "game", "how", "decisions a CPU second", "ours the same way : it", "our batch : it")
    return Grid(f"Beside other packages: random legal play, the choice included; ours is {reference}", columns, rows, 3)


def compared_text(found: Compared) -> str:
    """A compared row for people."""
    if found.ratio is None:
        return f"{found.case.name:<62} left out: {found.why}"
    word = f"  SLOWER in each of {found.measured} measurements" if found.slower else ""
    return f"{found.case.name:<62} x {found.ratio:.2f} (x {found.raw_ratio:.2f} before calibration){word}"


RULE = (
    f"slower: median more than {TOLERANCE:.0%} below and upper quartile below the old lower quartile, in units of the calibration "
    f"loop, in {1 + REPEATS} measurements"
)
