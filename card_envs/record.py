"""The game record: a match as text that people can read and write, and its replay, position by position.

    {"format": "card-envs/1", "game": ..., "num_players": 4, "rules": {"preset": "seed"},
     "deals": [{"dealer": 3, "hands": ["AS KS ...", ...], "actions": ["bid 4", "pass", ...]}]}

One such object is a match. Optional: `seed` (then a deal may leave out its cards: deal i is what `table`, else table 0, of that
seed is dealt), `start` (scores and more to start from), `result` (checked), `agents`, `notes`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from card_envs.cards import CARD_NAMES, NO_CARD, hand_text
from card_envs.game import OptionError, nearest
from card_envs.games import load
from card_envs.table import DealError, StartError, Table

FORMAT = "card-envs/1"
KEYS = ("format", "game", "num_players", "rules", "deals", "seed", "table", "start", "result", "agents", "notes")
DEAL_KEYS = ("dealer", "hands", "actions")
RESULT_KEYS = ("scores", "winners")


class RecordError(ValueError):
    """A record that cannot be read or played: where (record, deal and position, as far as known), what, and why.

    legal: canonical texts of what was legal there, if an action was refused.
    """

    def __init__(self, problem: str, record=None, deal=None, position=None, legal=None):
        self.record, self.deal, self.position, self.legal = record, deal, position, legal
        place = [f"{name} {at}" for name, at in (("record", record), ("deal", deal), ("position", position)) if at is not None]
        super().__init__(", ".join(place) + ": " + problem if place else problem)


# --- files -------------------------------------------------------------------------------------------------------------------


def read(path: str | Path) -> list[dict]:
    """The records of a file: a `.jsonl` holds one a line, any other one record or a list of them."""
    path = Path(path)
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".jsonl":
        records = [_parsed(line, path, number) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    else:
        found = _parsed(text, path, 1)
        records = found if isinstance(found, list) else [found]
    if not records:
        raise RecordError(f"{path} holds no record")
    return records


def _parsed(text: str, path: Path, first_line: int):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise RecordError(f"{path}, line {line}, column {error.colno}: not JSON: {error.msg}") from None


def write(path: str | Path, records: dict | Iterable[dict]) -> None:
    """Write one record or several: a line each to a `.jsonl`, else as JSON laid out for people."""
    path = Path(path)
    if path.suffix == ".jsonl":
        several = [records] if isinstance(records, dict) else records
        text = "".join(json.dumps(record) + "\n" for record in several)
    else:
        text = json.dumps(records if isinstance(records, dict) else list(records), indent=1) + "\n"
    path.write_text(text, encoding="utf-8")


# --- playing a record --------------------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """A record's replay at one place. After the last action of a deal that is not the record's last there are two moments
    with the same position number: the finished deal (`deal_end` set), and the next deal opened."""

    table: Table  # as it stands; it goes on with the replay
    position: dict
    deal: int
    action: str | None  # canonical text of what led here; None where a deal has just been opened
    seat: int | None  # who did it
    deal_end: bool = False


def replay(record: dict, index: int = 0) -> Iterator[dict]:
    """The positions of a record: one before every action and one after the last. `index` is its place in its file.

    Raises RecordError where the record cannot be played on, or at its end when its `result` is not what happened.
    """
    for moment in moments(record, index):
        if not moment.deal_end:
            yield moment.position


def rescore(record: dict) -> dict:
    """{"scores", "winners"} of a record as its actions make them, whatever result it states."""
    *_, last = replay({key: value for key, value in record.items() if key != "result"})
    return {key: last[key] for key in RESULT_KEYS}


def moments(record: dict, index: int = 0) -> Iterator[Moment]:
    """`replay` with the table itself, for showing it."""
    return Replay(record, index).moments()


class Replay:
    """A record being played at a table of its own."""

    def __init__(self, record: dict, index: int = 0):
        self.index, self.deal, self.count = index, None, None
        self._check_shape(record)
        self.record = record
        self.game, self.rules = self._game_and_rules()
        self.table = Table(self.game, self.rules, episode="open")
        self.deal_scores: list[list[int]] = []
        if "seed" in record:
            self.table.seed(record["seed"], record.get("table", 0))
        try:
            self.table.reset(record.get("start"))
        except StartError as error:
            raise self.fail(str(error)) from None

    def fail(self, problem: str, legal: list[str] | None = None) -> RecordError:
        return RecordError(problem, self.index, self.deal, self.count, legal)

    # --- before the first deal ------------------------------------------------------------------------------------------------

    def _check_shape(self, record) -> None:
        if not isinstance(record, dict):
            raise self.fail(f"a record is a JSON object, not {type(record).__name__}")
        self._refuse_unknown("key", record, KEYS)
        for name, kind in (("format", str), ("game", str), ("deals", list)):
            if not isinstance(record.get(name), kind):
                raise self.fail(f"a record needs {name!r}, a {'list' if kind is list else 'text'}")
        if record["format"] != FORMAT:
            raise self.fail(f"format {record['format']!r} is not known here; this version reads {FORMAT!r}")
        for name, kind in (("rules", dict), ("start", dict), ("result", dict), ("seed", int), ("table", int)):
            if name in record and (not isinstance(record[name], kind) or isinstance(record[name], bool)):
                raise self.fail(f"{name!r} must be {'a whole number' if kind is int else 'an object'}: {record[name]!r}")
        for name in ("seed", "table"):
            if not 0 <= record.get(name, 0) < 1 << 63:
                raise self.fail(f"{name!r} is a number from 0 on and below 2**63, not {record[name]}")
        if not record["deals"]:
            raise self.fail("'deals' is empty: a record has at least one deal")

    def _refuse_unknown(self, what: str, given: dict, known) -> None:
        for key in given:
            if key not in known:
                raise self.fail(f"unknown {what} {key!r}{nearest(str(key), known)}; there are {', '.join(known)}")

    def _game_and_rules(self):
        options = dict(self.record.get("rules", {}))
        players = self.record.get("num_players", options.get("num_players"))
        if options.get("num_players", players) != players:
            raise self.fail(f"num_players is {players!r}, and in the rules {options['num_players']!r}")
        if players is not None:
            options["num_players"] = players
        preset = options.pop("preset", "seed")
        try:
            game = load(self.record["game"])
            return game, game.rules(str(preset), **options)
        except OptionError as error:
            raise self.fail(str(error)) from None

    # --- the deals ------------------------------------------------------------------------------------------------------------

    def moments(self) -> Iterator[Moment]:
        deals = self.record["deals"]
        self.count = 0
        for self.deal, deal in enumerate(deals):
            self._open(deal)
            before = self.table.scores()
            yield Moment(self.table, self.position(), self.deal, None, None)
            for number, text in enumerate(deal["actions"]):
                seat = self.table.turn
                name = self._play(text, number)
                if self.table.record.deal_over:
                    self.deal_scores.append([new - old for new, old in zip(self.table.scores(), before)])
                last = number + 1 == len(deal["actions"])
                follows = last and self.deal + 1 < len(deals) and bool(self.table.record.deal_over)
                yield Moment(self.table, self.position(), self.deal, name, seat, follows)
            if self.deal + 1 < len(deals):
                self._check_finished()
        self._check_result(self.record.get("result", {}))

    def _open(self, deal) -> None:
        keys = (*DEAL_KEYS, *self.table.deal_cards())
        if not isinstance(deal, dict):
            raise self.fail(f"a deal is an object with {', '.join(keys)}, not {deal!r}")
        self._refuse_unknown("key of a deal", deal, keys)
        if not isinstance(deal.get("actions"), list):
            raise self.fail("a deal needs 'actions', a list of texts")
        dealer = self._seat_to_deal(deal)
        if "hands" not in deal:
            self._deal_from_seed(deal, dealer)
            return
        for seat, hand in enumerate(deal["hands"] if isinstance(deal["hands"], list) else []):
            if not isinstance(hand, str):
                raise self.fail(f"hand of seat {seat}: a hand is a text such as 'AS KS 7S', not {hand!r}")
        for name in self.table.deal_cards():
            if name in deal and not isinstance(deal[name], str):
                raise self.fail(f"{name!r} is a text such as 'AS', not {deal[name]!r}")
        try:
            given = self.table.read_deal(deal | {"dealer": dealer})
            self.table.check_deal(**given)
        except DealError as error:
            raise self.fail(str(error)) from None
        self.table.record.deals += 1  # of a seed's deals, also where cards are given
        self.table.open_deal(**given)

    def _deal_from_seed(self, deal: dict, dealer: int) -> None:
        if "seed" not in self.record:
            raise self.fail("the deal has no 'hands', and the record no 'seed' to deal them from")
        if given := [name for name in self.table.deal_cards() if name in deal]:
            raise self.fail(f"the deal has {given[0]!r} but no 'hands': with a seed it leaves out both")
        if type(dealer) is not int or not 0 <= dealer < self.rules.num_players:
            raise self.fail(f"dealer {dealer!r} is no seat: seats are 0..{self.rules.num_players - 1}")
        self.table.record.dealer = dealer
        self.table.deal()

    def _seat_to_deal(self, deal: dict) -> int:
        """Who deals: as given; the rules decide where they can, and from the second deal on they must agree."""
        due = int(self.table.record.dealer)
        if "dealer" not in deal and not self.deal and "seed" not in self.record:
            raise self.fail("the first deal needs 'dealer', or the record a 'seed'")
        dealer = deal.get("dealer", due)
        if self.deal and dealer != due:
            raise self.fail(f"dealer is {dealer!r}, but by the rules seat {due} deals now")
        return dealer

    def _play(self, text, number: int) -> str:
        """Play one action; returns its canonical text."""
        table = self.table
        if table.record.deal_over:
            raise self.fail(f"the deal is over after {number} actions, but {text!r} follows in it", [])
        if not isinstance(text, str):
            raise self.fail(f"an action is a text, not {text!r}", table.legal_names())
        try:
            action = self.game.parse_action(text, self.rules)
        except ValueError as error:
            raise self.fail(f"seat {table.turn}: {error}; {_legal(table)}", table.legal_names()) from None
        name = table.action_names[action]
        if action not in table.legal_actions():
            problem = f"seat {table.turn} may not {_did(name)}{reason(table, action)}; {_legal(table)}"
            raise self.fail(problem, table.legal_names())
        table.step(action)
        self.count += 1
        return name

    def _check_finished(self) -> None:
        """Refuse to go on to a next deal before this one is over, or after the match."""
        table, record = self.table, self.table.record
        if not record.deal_over:
            problem = f"the deal stops with seat {table.turn} to act, but deal {self.deal + 1} follows; {_legal(table)}"
            raise self.fail(problem, table.legal_names())
        if record.match_over or record.truncated:
            how = "is over" if record.match_over else "was cut off at its bound of deals"
            raise self.fail(f"the match {how} (scores {_scores(table)}), but deal {self.deal + 1} follows", [])

    def _check_result(self, result: dict) -> None:
        self._refuse_unknown("key of 'result'", result, RESULT_KEYS)
        found = {"scores": self.table.scores(), "winners": self.table.winners()}
        for key, stated in result.items():
            if stated != found[key]:
                raise self.fail(f"result: {key} are {found[key]}, the record says {stated!r}")

    def position(self) -> dict:
        """What the record shows here, as plain JSON."""
        table, state = self.table, self.table.record
        over = bool(state.deal_over)
        return {
            "record": self.index,
            "position": self.count,
            "to_act": None if over else table.turn,
            "legal": [] if over else table.legal_names(),
            "trick": trick(table),
            "tricks_won": [int(tricks) for tricks in state.tricks_won[: self.rules.num_players]],
            "deal_scores": [list(row) for row in self.deal_scores],
            "scores": table.scores(),
            "winners": table.winners(),
            "terminated": bool(state.match_over),
            "truncated": bool(state.truncated),
            **self.game.public(state, self.rules),
        }


def trick(table: Table) -> list[str]:
    """The cards of the trick in progress, in the order in which they were played."""
    seats = table.rules.num_players
    order = [(int(table.record.leader) + place) % seats for place in range(seats)]
    return [CARD_NAMES[card] for seat in order if (card := int(table.record.trick[seat])) != NO_CARD]


def reason(table: Table, action: int) -> str:
    """`: why the seat to act may not do this`, where the game can say."""
    return f": {table.game.why(table.record, action, table.rules)}" if table.game.why else ""


def _did(name: str) -> str:
    return f"play {name}" if name in CARD_NAMES else f"call {name!r}"


def _legal(table: Table) -> str:
    return f"legal: {', '.join(table.legal_names())}"


def _scores(table: Table) -> str:
    return " : ".join(map(str, table.scores()))


# --- writing down a match ----------------------------------------------------------------------------------------------------


class Recorder:
    """Writes down a match while it is played: call `note(action)` before each step of the table, `record()` at any time.

    Start it on a table whose deal has just been opened. extra: `seed`, `agents`, `notes`, as they are to stand in the record.
    """

    def __init__(self, table: Table, preset: str = "seed", **extra):
        self.table, self.preset, self.extra = table, preset, extra
        self.deals: list[dict] = []
        self.start = self._state_of(table)

    def _state_of(self, table: Table) -> dict:
        """What a record can start from, as it is at a table."""
        found = {}
        for key, field in table.game.start_fields.items():
            value = table.record[field]
            found[key] = value[: table.rules.num_sides].tolist() if np.ndim(value) else value.item()
        return found

    def note(self, action: int) -> None:
        """Write down what the seat to act is about to do."""
        table = self.table
        if table.record.moves == 0:
            hands = [hand_text(hand) for hand in table.record.hand[: table.rules.num_players]]
            others = {}
            for name, size in table.deal_cards().items():
                cards = np.atleast_1d(table.record[name])[:size]
                others[name] = " ".join(CARD_NAMES[card] for card in cards.tolist())
            self.deals.append({"dealer": int(table.record.dealer), "hands": hands, **others, "actions": []})
        elif not self.deals:
            raise ValueError("a Recorder starts where a deal has just been opened, not in the middle of it")
        self.deals[-1]["actions"].append(table.action_names[int(action)])

    def record(self) -> dict:
        """The record so far, with its result."""
        table = self.table
        usual = Table(table.game, table.rules, episode="open")
        usual.reset()
        started = {"start": self.start} if self.start != self._state_of(usual) else {}
        found = {
            "format": FORMAT,
            "game": table.game.name,
            "num_players": table.rules.num_players,
            "rules": rules_text(table.game, table.rules, self.preset),
            **self.extra,
            **started,
            "deals": self.deals,
            "result": {"scores": table.scores(), "winners": table.winners()},
        }
        return json.loads(json.dumps(found))  # a copy: the record does not change when the match goes on


def rules_text(game, rules, preset: str = "seed") -> dict:
    """{"preset": ..., and the options that differ from it}; the number of players stands in the record itself."""
    base = {field.name: field.default for field in dataclasses.fields(rules)} | game.presets[preset]
    differing = {name: value for name, value in dataclasses.asdict(rules).items() if value != base[name]}
    differing.pop("num_players", None)
    return {"preset": preset, **differing}
