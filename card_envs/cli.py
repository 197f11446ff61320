"""The `card-envs` command. Exit codes: 0 fine, 1 what was asked for failed, 2 wrong usage."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from card_envs.cli_bench import bench

app = typer.Typer(
    help="Bidding trick-taking card games: play, watch, replay, compare agents, and look things up.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the deals; without it they are new each time.")]
Preset = Annotated[str, typer.Option(help="Full set of options; `card-envs rules GAME` lists them.")]
Players = Annotated[int | None, typer.Option(help="Players at the table; default: the preset's.")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Replace one option; repeatable.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.")]
RecordFile = Annotated[Path | None, typer.Option("--record", dir_okay=False, help="Write the match to this file.")]
Whole = Annotated[bool, typer.Option("--match/--deal", help="Play a whole match, or one deal.")]


def main() -> None:
    """Entry point of the command."""
    app()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Print the version.", callback=lambda v: _version(v))
    ] = False,
) -> None:
    pass


def _version(asked: bool) -> None:
    if asked:
        import card_envs

        say(f"card-envs {card_envs.__version__}")
        raise typer.Exit()


def say(text: str) -> None:
    typer.echo(text)


def failed(problem) -> typer.Exit:
    """What was asked for failed: says so, for exit code 1."""
    typer.echo(f"card-envs: {problem}", err=True)
    return typer.Exit(1)


def setting(game: str, preset: str, num_players: int | None = None, options: list[str] | None = None):
    """(game, rules) of what was named on the command line; a wrong name is wrong usage."""
    from card_envs.game import OptionError
    from card_envs.games import load
    from card_envs.reference import OptionText, parse_option

    try:
        found = load(game)
        named = dict(parse_option(found, text) for text in options or ())
        if num_players is not None:
            named["num_players"] = num_players
        return found, found.rules(preset, **named)
    except (OptionError, OptionText) as error:
        raise typer.BadParameter(str(error)) from None


# --- records -----------------------------------------------------------------------------------------------------------------


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A game record: .json, or .jsonl with one a line.")],
    as_json: Json = False,
    at: Annotated[int | None, typer.Option(min=0, help="Only the position after this many actions.")] = None,
    every: Annotated[bool, typer.Option("--all", help="With --json: every position, not just the last.")] = False,
) -> None:
    """Play a game record and show the table after every action, what is legal there, and the scores."""
    from card_envs.record import RecordError, read

    if at is not None and every:
        raise typer.BadParameter("--at and --all exclude each other")
    try:
        for index, record in enumerate(read(file)):
            show_replay(record, index, as_json, at, every)
    except (RecordError, FileNotFoundError, PermissionError, UnicodeDecodeError) as error:
        raise failed(error) from None


def show_replay(record: dict, index: int, as_json: bool, at: int | None, every: bool) -> None:
    """One record: the whole of it, its last position, all of them, or only that after `at` actions."""
    from card_envs.record import RecordError, moments

    for moment in moments(record, index):
        position = moment.position
        here = at is None or position["position"] == at
        if here and not as_json:
            say(moment_text(moment, record))
        if every and as_json and not moment.deal_end:
            say(json.dumps(position))
        if at is not None and here and not moment.deal_end:
            break
    if at is not None and not here:
        raise RecordError(f"has no position {at}, its last is {position['position']}", index)
    if as_json and not every:
        say(json.dumps(position))


def moment_text(moment, record: dict) -> str:
    """One moment of a replay for people: what led here, the table, who acts, what is legal, the scores after a deal."""
    position, parts = moment.position, []
    if moment.action is None:
        if position["position"] == 0:
            rules = ", ".join(f"{name}={value}" for name, value in record.get("rules", {}).items())
            parts.append(f"record {position['record']}: {record['game']}; {rules or 'default rules'}")
        parts.append(f"\nposition {position['position']}: seat {int(moment.table.record.dealer)} deals")
    else:
        parts.append(f"\nposition {position['position']}: seat {moment.seat}: {moment.action}")
    parts.append(moment.table.show())
    if position["to_act"] is not None:
        parts.append(f"seat {position['to_act']} to act; legal: {', '.join(position['legal'])}")
    else:
        parts.append(f"scores: {' : '.join(map(str, position['scores']))}")
    return "\n".join(parts)


# --- agents ------------------------------------------------------------------------------------------------------------------


@app.command()
def arena(
    a: Annotated[str, typer.Argument(help="An agent: random, a rule bot, the path of a checkpoint, or module:factory.")],
    b: Annotated[str, typer.Argument(help="Another.")],
    game: Annotated[str | None, typer.Option(help="Name of the game; default: the first that there is.")] = None,
    preset: Preset = "seed",
    num_players: Players = None,
    options: Options = None,
    deals: Annotated[int, typer.Option(min=2, help="Deals, each played in every seating.")] = 2000,
    matches: Annotated[int, typer.Option(min=0, help="Whole matches as well, each in every seating.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals.")] = 0,
    as_json: Json = False,
) -> None:
    """Compare two agents on the same deals with seats exchanged: points a deal with a 95% interval."""
    from card_envs.arena import duplicate
    from card_envs.games import GAMES

    found, rules = setting(game or next(iter(GAMES)), preset, num_players, options)
    agent_a, agent_b = loaded([a, b], found, rules, seed)
    with progress("deals") as report:
        result = duplicate(found, rules, agent_a, agent_b, deals, seed, matches=matches, names=(a, b), progress=report)
    if as_json:
        named = {"game": found.name, "preset": preset, "num_players": rules.num_players, "options": options or []}
        say(json.dumps(named | result.as_dict()))
    else:
        say(result.table())
    if result.illegal:
        raise failed(f"{result.illegal} illegal actions were attempted ({a}: {result.illegal_a}, {b}: {result.illegal_b})")


@contextlib.contextmanager
def progress(what: str):
    """Yields report(done, total): a bar where standard error is a terminal, else a line for each tenth."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bars:
            bar = bars.add_task(what, total=None)
            yield lambda done, total: bars.update(bar, completed=done, total=total)
        return
    shown = [0]

    def report(done: int, total: int) -> None:
        if (tenth := 10 * done // total) > shown[0]:
            shown[0] = tenth
            typer.echo(f"{done} of {total} {what}", err=True)

    yield report


@app.command()
def watch(
    game: GameName,
    agents: Annotated[str, typer.Option(help="Names, comma-separated: one for all, one a side, or one a seat.")] = "expert",
    preset: Preset = "seed",
    num_players: Players = None,
    options: Options = None,
    seed: Seed = None,
    whole: Whole = True,
    pace: Annotated[float, typer.Option(min=0, help="Seconds after each action.")] = 0.5,
    record: RecordFile = None,
    as_json: Json = False,
) -> None:
    """Watch agents play; all hands are shown. --json prints the game record and nothing else."""
    from card_envs.terminal import seated

    found, rules = setting(game, preset, num_players, options)
    names = agents.split(",")
    if len(names) not in (1, rules.num_sides, rules.num_players):
        raise typer.BadParameter(
            f"--agents names {len(names)}: write 1, {rules.num_sides} (sides) or {rules.num_players} (seats)"
        )
    names = [names[seat % len(names)] for seat in range(rules.num_players)]
    players = [seated(agent) for agent in loaded(names, found, rules)]
    held(found, rules, preset, seed, players, names, record, as_json, whole=whole, pace=0.0 if as_json else pace)


@app.command()
def play(
    game: GameName,
    seat: Annotated[int, typer.Option(min=0, help="Where you sit.")] = 0,
    others: Annotated[
        str, typer.Option(help="Agents, comma-separated: one for all other seats, or one each from your left.")
    ] = "expert",
    preset: Preset = "seed",
    num_players: Players = None,
    options: Options = None,
    seed: Seed = None,
    whole: Whole = True,
    pace: Annotated[float, typer.Option(min=0, help="Seconds after each action.")] = 0.0,
    record: RecordFile = None,
    as_json: Json = False,
) -> None:
    """Play against agents. Type help at the prompt; quit, end of input and Ctrl-C leave the game."""
    from card_envs.terminal import person, seated

    found, rules = setting(game, preset, num_players, options)
    if seat >= rules.num_players:
        raise typer.BadParameter(f"--seat {seat}: seats are 0..{rules.num_players - 1}")
    names = others.split(",")
    names = names * (rules.num_players - 1) if len(names) == 1 else names
    if len(names) != rules.num_players - 1:
        raise typer.BadParameter(
            f"--others names {len(names)}: write 1, or {rules.num_players - 1} for the seats from your left"
        )
    players = [seated(agent) for agent in loaded(names, found, rules)]
    start = rules.num_players - seat  # players sit from the left of `seat` on
    players, names = [person(lambda prompt: asked(prompt, to_errors=as_json)), *players], ["human", *names]
    players, names = (
        [row[(start + place) % rules.num_players] for place in range(rules.num_players)] for row in (players, names)
    )
    held(found, rules, preset, seed, players, names, record, as_json, whole=whole, pace=pace, viewer=seat)


def asked(prompt: str, to_errors: bool) -> str:
    """A line from the terminal; the prompt keeps out of JSON on standard output."""
    typer.echo(prompt, nl=False, err=to_errors)
    return input()


def loaded(names: list[str], game, rules, seed: int = 0) -> list:
    """The agents of these names; a name that stands for none is wrong usage."""
    from card_envs.agents import load

    try:
        return [load(name.strip(), game, rules, seed=seed + place) for place, name in enumerate(names)]
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from None


def held(game, rules, preset, seed, players, names, record, as_json, **how) -> None:
    """Hold a match, write it down where asked, and part without a traceback when the person leaves."""
    from card_envs.envs.vector import fresh_seed
    from card_envs.record import write
    from card_envs.terminal import Left, Match

    quiet = as_json and "viewer" not in how
    shown = (lambda line: None) if quiet else (lambda line: typer.echo(line, err=as_json))
    match = Match(game, rules, fresh_seed() if seed is None else seed, players, shown, preset=preset, agents=names, **how)
    try:
        match.play()
    except (Left, KeyboardInterrupt):
        shown("\nYou have left the game.")
    found = match.recorder.record()
    if as_json:
        say(json.dumps(found))
    if record and found["deals"]:
        try:
            write(record, found)
        except OSError as error:
            raise failed(error) from None
        shown(f"Written to {record}; card-envs replay {record} shows it again.")


# --- data --------------------------------------------------------------------------------------------------------------------


@app.command()
def generate(
    game: GameName,
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder to write to; what is there already is kept.")],
    agents: Annotated[str, typer.Option(help="Agents, comma-separated; several take turns at the seats.")] = "expert",
    deals: Annotated[int, typer.Option(min=1, help="Deals in all.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals.")] = 0,
    preset: Preset = "seed",
    num_players: Players = None,
    options: Options = None,
) -> None:
    """Let agents play deals, and write what they saw, did and earned as records and arrays. Goes on where it was broken off."""
    from card_envs.agents import AgentError
    from card_envs.datasets import DatasetError
    from card_envs.datasets import generate as written
    from card_envs.game import OptionError
    from card_envs.record import rules_text

    found, rules = setting(game, preset, num_players, options)
    names = [name.strip() for name in agents.split(",")]
    try:
        with progress("deals") as report:
            text = rules_text(found, rules, preset)
            made = written(game, names, deals, out, seed=seed, num_players=rules.num_players, progress=report, **text)
    except (DatasetError, OSError) as error:
        raise failed(error) from None
    except (AgentError, OptionError) as error:
        raise typer.BadParameter(str(error)) from None
    say((made.path / "README.md").read_text(encoding="utf-8"))


# --- looking things up -------------------------------------------------------------------------------------------------------


@app.command()
def rules(
    game: GameName,
    preset: Preset = "seed",
    num_players: Players = None,
    options: Options = None,
    observation: Annotated[bool, typer.Option("--observation", help="The layout of the observation instead.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="As Markdown tables.")] = False,
    as_json: Json = False,
) -> None:
    """Options, presets and actions of a game, or how its observation is laid out."""
    from card_envs import reference

    found, chosen = setting(game, preset, num_players, options)
    layout = found.layout(chosen)
    if as_json:
        say(json.dumps(reference.as_json(found, chosen, preset)))
    elif observation:
        say(layout.table())
    elif markdown:
        say(reference.markdown(found, chosen))
    else:
        say("\n".join(reference.lines(found, chosen, preset)))


app.command()(bench)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Versions, what is installed, what is missing and how to get it."""
    from card_envs.doctor import report

    found = report()
    if as_json:
        say(json.dumps(found))
        return
    groups = found.pop("packages")
    for name, value in found.items():
        parts = [f"{key} {part}" for key, part in value.items()] if isinstance(value, dict) else [str(value)]
        say(f"{name}: {'; '.join(parts)}")
    for group, state in groups.items():
        versions = [f"{name} {number or 'missing'}" for name, number in state["versions"].items()]
        say(f"{group}: {', '.join(versions)}")
        if state["install"]:
            say(f"    to install: {state['install']}")


if __name__ == "__main__":
    main()
