"""A game's options, actions and observation as rows, as lines for a terminal and as Markdown: read from its declaration."""

from __future__ import annotations

import dataclasses

from card_envs.cards import CARD_NAMES, NUM_CARDS
from card_envs.game import Game, choices, nearest


class OptionText(ValueError):
    """A `name=value` that cannot be read."""


def parse_option(game: Game, text: str) -> tuple[str, object]:
    """(name, value) of `name=value`, the value of the type that the option has."""
    name, equals, value = text.partition("=")
    fields = {field.name: field for field in dataclasses.fields(game.options)}
    if not equals:
        raise OptionText(f"{text!r}: write an option as name=value, such as {next(iter(fields))}=4")
    if name not in fields:
        raise OptionText(f"{game.name} has no option {name!r}{nearest(name, fields)}; it has {', '.join(fields)}")
    kind = type(fields[name].default)
    if kind is bool:
        if value.lower() not in ("true", "false"):
            raise OptionText(f"{text!r}: must be true or false")
        return name, value.lower() == "true"
    try:
        return name, kind(value)
    except ValueError:
        raise OptionText(f"{text!r}: must be a whole number") from None


def option_rows(game: Game) -> list[dict]:
    """An option each: name, default, values (what it can be), help, rules (the ids that it answers), presets that differ."""
    rows = []
    for field in dataclasses.fields(game.options):
        allowed, low, high = choices(game.options, field.name), field.metadata["low"], field.metadata["high"]
        presets = {name: changes[field.name] for name, changes in game.presets.items() if field.name in changes}
        rows.append(
            {
                "name": field.name,
                "default": field.default,
                "values": list(allowed) or ([False, True] if isinstance(field.default, bool) else [low, high]),
                "range": not allowed and not isinstance(field.default, bool),
                "help": field.metadata["help"],
                "rules": field.metadata["rules"].split(),
                "presets": presets,
            }
        )
    return rows


def call_rows(game: Game, rules) -> dict[int, str]:
    """{action id: canonical text} of the calls; smaller ids are cards."""
    return dict(sorted(game.actions(rules).items()))


def call_runs(game: Game) -> list[tuple[str, str]]:
    """(ids, text) of the calls of all presets: one by one, and as one row those that name a card."""
    calls = {}
    for preset in game.presets:
        calls |= game.actions(game.rules(preset))
    found, start = [], None
    for action, text in sorted(calls.items()):
        verb, _, card = text.rpartition(" ")
        if card not in CARD_NAMES:
            found.append((str(action), f"`{text}`"))
            start = None
        elif start is None:
            start = action
            found.append((f"{action}..{action + NUM_CARDS - 1}", f"`{verb} {card}` .. `{verb} {CARD_NAMES[-1]}`"))
    return found


def as_json(game: Game, rules, preset: str) -> dict:
    """Options, presets, calls and observation as plain JSON."""
    pieces = [
        {"columns": [first, last], "piece": piece.name, "of": group.per, "member": member, "kind": piece.kind,
         "meaning": piece.meaning, "labels": list(piece.labels)}
        for first, last, group, member, piece in game.layout(rules).rows()
    ]  # fmt: skip
    return {
        "game": game.name,
        "preset": preset,
        "presets": game.presets,
        "rules": dataclasses.asdict(rules),
        "options": option_rows(game),
        "actions": game.action_names(rules),
        "observation": pieces,
    }


def values_text(row: dict) -> str:
    """`1..13`, or `none, pairs`."""
    if row["range"]:
        return f"{row['values'][0]}..{row['values'][1]}"
    return ", ".join(shown(value) for value in row["values"])


def shown(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def lines(game: Game, rules, preset: str) -> list[str]:
    """Everything that can be set, a line each, with its value under `rules`; then the presets and the calls."""
    found = [f"{game.title}: options, with their values in preset {preset}", ""]
    for row in option_rows(game):
        ids = f" [{' '.join(row['rules'])}]" if row["rules"] else ""
        found.append(f"  {row['name']}={shown(getattr(rules, row['name']))}   ({values_text(row)}) {row['help']}{ids}")
    found += ["", f"Presets: {', '.join(game.presets)}", ""]
    found.append(f"Actions 0..{NUM_CARDS - 1}: play that card")
    found += [f"  {action}: {text}" for action, text in call_rows(game, rules).items()]
    return found


def markdown(game: Game, rules) -> str:
    """The options with a column a preset, and the calls, as Markdown tables."""
    presets = list(game.presets)
    head = ["option", *presets, "values", "what it does", "rules"]
    found = [_row(head), _row(["---"] * len(head))]
    for row in option_rows(game):
        default = row["default"]
        values = [shown(row["presets"].get(preset, default)) for preset in presets]
        found.append(_row([f"`{row['name']}`", *values, values_text(row), row["help"], " ".join(row["rules"])]))
    found += ["", _row(["action", "text"]), _row(["---", "---"]), _row([f"0..{NUM_CARDS - 1}", "play that card"])]
    found += [_row([ids, text]) for ids, text in call_runs(game)]
    return "\n".join(found)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
