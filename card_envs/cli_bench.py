"""`card-envs bench`: measure, show what was measured, compare with it."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

TABLES = ("machine", "rows", "batches", "limit", "faces", "parts", "play", "memory", "compile", "peers", "notes")
Names = Annotated[list[str] | None, typer.Argument(metavar="[GAME ...]", help="Names of games; default: all.")]
Presets = Annotated[
    list[str] | None, typer.Option("--preset", help="A preset, or all; repeatable. Default: each game's first.")
]
Config = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="Also 30 seconds of training with it: its memory.")
]
Compare = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, metavar="FILE", help="Measure what FILE holds; exit code 1 where something is slower."
    ),
]
Show = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, metavar="FILE", help="Show what FILE holds; nothing is measured.")
]


def bench(
    games: Names = None,
    preset: Presets = None,
    sizes: Annotated[str, typer.Option(help="Batch sizes, comma-separated.")] = "1,256,4096,65536",
    windows: Annotated[int, typer.Option(min=1, help="Timed windows of each measurement.")] = 7,
    quick: Annotated[bool, typer.Option("--quick", help="Two sizes, three windows: some seconds a game.")] = False,
    compiling: Annotated[bool, typer.Option("--compile", help="Also how long compilation takes; minutes.")] = False,
    trainer: Config = None,
    compare: Compare = None,
    show: Show = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="With --show: as Markdown.")] = False,
    table: Annotated[list[str] | None, typer.Option(help="With --show: only the table of this name; repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure the speed of every face on this machine, in steps a CPU second: medians with their spread."""
    from card_envs.bench import Plan, run
    from card_envs.bench.show import text
    from card_envs.cli import failed, progress, say

    if compare and show:
        raise typer.BadParameter("--compare and --show exclude each other")
    if (markdown or table) and not show:
        raise typer.BadParameter("--markdown and --table need --show")
    if show:
        print_document(stored(show), wanted_tables(table), markdown, as_json)
        return
    if compare:
        print_comparison(stored(compare), as_json)
        return
    plan = Plan(chosen(games, preset), numbers(sizes), windows=windows, compile=compiling, trainer=trainer)
    plain = not as_json and not sys.stdout.isatty()
    try:
        with progress("measurements") as report:
            document = run(plan.quick() if quick else plan, (lambda row: say(text(row))) if plain else None, report)
    except (OSError, RuntimeError) as error:
        raise failed(error) from None
    except subprocess.CalledProcessError as error:
        raise failed(error.stderr[-500:]) from None
    print_document(document, [name for name in wanted_tables(None) if name != "rows" or not plain], as_json=as_json)


def chosen(games: list[str] | None, presets: list[str] | None) -> dict[str, list[str]]:
    """Presets by game, of what was named; a wrong name is wrong usage."""
    from card_envs import games as there_are
    from card_envs.cli import setting

    found = {}
    for name in games or there_are():
        game, _ = setting(name, "seed")
        known = list(game.presets)
        named = known if presets == ["all"] else presets or known[:1]
        for one in named:
            setting(name, one)
        found[name] = named
    return found


def numbers(sizes: str) -> tuple[int, ...]:
    try:
        wanted = tuple(int(size) for size in sizes.split(","))
    except ValueError:
        raise typer.BadParameter(f"--sizes {sizes!r}: write whole numbers, comma-separated") from None
    if min(wanted) < 1:
        raise typer.BadParameter(f"--sizes {sizes!r}: a batch has at least one table")
    return wanted


def stored(path: Path) -> dict:
    """The document in a file; one that holds none is wrong usage."""
    from card_envs.bench.compare import DocumentError, check

    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        check(document)
    except (DocumentError, ValueError) as error:
        raise typer.BadParameter(f"{path}: {error}") from None
    return document


def wanted_tables(named: list[str] | None) -> tuple[str, ...]:
    """The named ones, or those of which none says again what another does."""
    if wrong := [name for name in named or () if name not in TABLES]:
        raise typer.BadParameter(f"--table {wrong[0]!r}: there are {', '.join(TABLES)}")
    return tuple(named or (name for name in TABLES if name not in ("batches", "limit")))


def print_document(document: dict, tables: tuple[str, ...] = (), markdown: bool = False, as_json: bool = False) -> None:
    """The named tables of it, default the usual ones: drawn on a terminal, as lines elsewhere; or as Markdown, or all as JSON."""
    from card_envs.bench.show import about, grids, notes
    from card_envs.cli import say

    if as_json:
        say(json.dumps(document))
        return
    there_are = grids(document)
    texts = {"machine": about(document), "notes": "\n".join(f"- {line}" if markdown else line for line in notes(document))}
    wanted = [name for name in tables or wanted_tables(None) if texts.get(name) or name in there_are]
    if markdown:
        say("\n\n".join(texts[name] if name in texts else there_are[name].markdown() for name in wanted))
        return
    for name in wanted:
        if name in texts:
            say(texts[name])
        elif sys.stdout.isatty():
            from rich.console import Console

            Console().print(there_are[name].rich())
        else:
            say("\n".join(there_are[name].lines()))


def print_comparison(document: dict, as_json: bool) -> None:
    """A line a row, and exit code 1 where one is slower."""
    from card_envs.bench.compare import compare
    from card_envs.bench.show import RULE, about, compared_text
    from card_envs.cli import failed, progress, say

    found = []
    if not as_json:
        say(f"then: {about(document)}\n{RULE}")
    with progress("measurements") as report:
        for one in compare(document):
            found.append(one)
            if not as_json:
                say(compared_text(one))
            report(len(found), len(document["rows"]))
    ratios = [one.ratio for one in found if one.ratio is not None]
    slower = [one for one in found if one.slower]
    if as_json:
        say(json.dumps({"rows": [asdict(one) for one in found], "slower": len(slower)}))
    if not ratios:
        raise failed("none of the rows could be measured here")
    if not as_json:
        say(f"median x {statistics.median(ratios):.3f} over {len(ratios)} rows; slower: {len(slower)}")
    if slower:
        raise typer.Exit(1)
