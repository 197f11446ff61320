"""What a game is: its options, its table, its verbs, its actions and its observation, declared once each.

Everything else (faces, loops, records, arena, bench) is built from a `Game` and knows no game by name.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import typing
from dataclasses import dataclass
from typing import Any

import numpy as np

from card_envs.cards import CARD_NAMES, NUM_CARDS, SUIT_SYMBOLS, parse_card
from card_envs.kernels import CACHE_LINE, integers
from card_envs.layout import WORD_BITS, Layout

MAX_SEATS = 7
SMALL_TABLE = 4  # seats: most games are for no more, and a table without the others takes two thirds of the memory
SEATS = -1  # length of a table's field that has a number for every seat or side: see `places`
MAX_LEGAL_WORDS = 3

# Fields that every table has: those of every step, then (after the game's own) those that few steps touch, from `key` on, so
# that a step reads few lines of memory. Sums and scores are int32: int8 arithmetic differs between NumPy and compiled code.
STEP_FIELDS = [
    ("legal", "i8", MAX_LEGAL_WORDS),  # bit a % 64 of word a // 64: action a is legal for the seat to act
    ("moves", "i4"),  # actions of this deal
    ("turn", "i1"),  # seat to act
    ("dealer", "i1"),
    ("phase", "i1"),  # 0: nothing dealt; the game's own phases from 1
    ("deal_over", "i1"),
    ("match_over", "i1"),
    ("truncated", "i1"),  # the match was cut at its bound of deals
    ("ended", "i1"),  # the episode is over: 1 terminated, 2 truncated
    ("winners", "i1"),  # bit a side: sides that have won the match
]
DEAL_FIELDS = [
    ("key", "u8"),  # key of this table's deals, from seed and table index
    ("deals", "i4"),  # index of the next deal of this table's stream
    ("match_deals", "i4"),  # finished deals of this match
    ("score", "i4", SEATS),  # by side
    ("change", "i4", SEATS),  # of `score` by the last finished deal, as a gain of the side
]


def option(default, help: str, rules: str = "", low: int | None = None, high: int | None = None):
    """A field of a game's options: its default, what it does, the rule ids that it answers, and the range of a number."""
    return dataclasses.field(default=default, metadata={"help": help, "rules": rules, "low": low, "high": high})


class OptionError(ValueError):
    """An option that does not exist, has the wrong type, or makes no sense beside another."""


@functools.cache
def option_types(options_class: type) -> dict[str, Any]:
    """The annotation of every option, evaluated once."""
    return typing.get_type_hints(options_class)


def choices(options_class: type, name: str) -> tuple[str, ...]:
    """The allowed texts of an option, in the order of their numbers in kernels; empty for numbers and switches."""
    return typing.get_args(option_types(options_class)[name]) or ()


def check_options(rules) -> None:
    """Refuse wrong types, unknown texts and numbers out of range; called by each game's `__post_init__`."""
    hints = option_types(type(rules))
    for field in dataclasses.fields(rules):
        value, hint, meta = getattr(rules, field.name), hints[field.name], field.metadata
        if allowed := typing.get_args(hint):
            if value not in allowed:
                raise OptionError(f"{field.name}={value!r}: must be one of {', '.join(allowed)}{nearest(str(value), allowed)}")
        elif type(value) is not hint:
            raise OptionError(f"{field.name}={value!r}: must be {hint.__name__}, not {type(value).__name__}")
        elif hint is int and not meta["low"] <= value <= meta["high"]:
            raise OptionError(f"{field.name}={value}: must lie in {meta['low']}..{meta['high']}")


def nearest(word: str, known) -> str:
    """` (did you mean 'x'?)`, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def places(rules) -> int:
    """How many seats a table has room for."""
    return SMALL_TABLE if rules.num_players <= SMALL_TABLE else MAX_SEATS


def equal_hands(s, rules) -> list[int]:
    """The usual deal."""
    return [rules.cards_each] * rules.num_players


def hands_only(rules) -> dict[str, int]:
    """Nothing is dealt beside the hands."""
    return {}


def by_score(rules) -> tuple[str, int]:
    """The usual gain: what is added to the score."""
    return "score", 1


@dataclass(frozen=True, eq=False)
class Game:
    """One game. The verbs are rules in the kernel language, each about one table record `s`:

    new_match(s, rules)           scores to zero, first dealer
    deal(s, rules)                deal the next deal of the table's stream and open it
    open_deal(s, rules)           open a deal whose dealer and hands are already in place
    legal(s, rules)               write the legal actions of the seat to act
    apply(s, action, rules)       play a legal action; sets deal_over, match_over, truncated, score, change, winners
    observe(s, viewer, rules, at, words)      write to `words`, a row, what `viewer` may see

    basic, expert: rule bots, (words, i, at, rules, legal) -> action.

    A record can start from `start_fields`, {its key: field of the table}: by side where the field is a list, with no number
    below the one that `start_lowest` has for its key. Beside the hands a deal has `deal_cards`, {key of a record: number of
    cards}: fields of the table, one card that lies open or (a list) a pile in the order in which it is drawn. Of an action in `private`
    others learn that it was made, not which one it was.
    """

    name: str
    title: str
    options: type
    presets: dict[str, dict[str, Any]]
    player_counts: dict[str, tuple[int, ...]]  # by preset: those that it is meant for
    fields: list  # the game's own fields of the table record
    new_match: Any
    deal: Any
    open_deal: Any
    legal: Any
    apply: Any
    observe: Any
    groups: Any  # rules -> groups of the observation
    actions: Any  # rules -> {action id: canonical text} of the calls
    public: Any  # (table record, rules) -> dict: the game's own public fields for records
    show: Any  # (table record, rules, viewer or None) -> text
    bots: dict[str, Any]
    why: Any = None  # (table record, action, rules) -> text: why the seat to act may not do it
    start_fields: dict[str, str] = dataclasses.field(default_factory=lambda: {"scores": "score"})
    start_lowest: dict[str, int] = dataclasses.field(default_factory=dict)
    deal_cards: Any = hands_only  # rules -> {key: number of cards}
    hand_sizes: Any = equal_hands  # (table record, rules) -> cards dealt to each seat
    gain: Any = by_score  # rules -> (field of the table by side, sign): `change` is what that field changes by, times the sign
    private: range = range(0)
    max_history: int = 96  # actions in the longest deal under any options
    seldom_fields: list = dataclasses.field(default_factory=list)  # of the table, behind all others: few steps touch them

    def table_dtype(self, rules) -> np.dtype:
        """The record of one table."""
        return _table_dtype(self, places(rules))

    @property
    def state_fields(self) -> list[str]:
        """The fields of a table that mean something."""
        return [field[0] for field in (*STEP_FIELDS, *self.fields, *DEAL_FIELDS, *self.seldom_fields)]

    def rules(self, preset: str = "seed", **overrides):
        """The options of a preset with some replaced; raises OptionError naming the nearest valid name."""
        if preset not in self.presets:
            known = ", ".join(self.presets)
            raise OptionError(f"{self.name} has no preset {preset!r}{nearest(preset, self.presets)}; it has {known}")
        names = [field.name for field in dataclasses.fields(self.options)]
        for name in overrides:
            if name not in names:
                raise OptionError(f"{self.name} has no option {name!r}{nearest(name, names)}; it has {', '.join(names)}")
        return self.options(**{**self.presets[preset], **overrides})

    def layout(self, rules) -> Layout:
        """Where the observation's pieces lie under these rules."""
        return _layout(self, rules)

    def action_names(self, rules) -> list[str | None]:
        """Canonical text of every action id, None for ids that no rule uses; as many as actions, a multiple of 64."""
        calls = self.actions(rules)
        total = -(-(max(calls) + 1) // WORD_BITS) * WORD_BITS
        return [*CARD_NAMES, *(calls.get(action) for action in range(NUM_CARDS, total))]

    def parse_action(self, text: str, rules) -> int:
        """Action id of a text such as `AS`, `10h`, `bid 3`, `name ♠`, `discard 10♥`; raises ValueError for anything else."""
        wanted = " ".join("".join(SUIT_SYMBOLS.get(letter, letter) for letter in text.replace("\ufe0f", "")).split()).lower()
        calls = {name.lower(): action for action, name in self.actions(rules).items()}
        if wanted in calls:
            return calls[wanted]
        verb, _, last = wanted.rpartition(" ")
        try:
            card = parse_card(last if verb in {call.rpartition(" ")[0] for call in calls} else text)
        except ValueError:
            card = None
        if card is not None and not verb:
            return card
        if card is not None and (named := f"{verb} {CARD_NAMES[card]}".lower()) in calls:
            return calls[named]
        known = [name for name in self.actions(rules).values() if name.rpartition(" ")[2] not in CARD_NAMES]
        hint = nearest(wanted, calls)
        raise ValueError(f"{text!r} is no action{hint}: write a card such as AS, or one of {', '.join(known)}")


@functools.cache
def _table_dtype(game: Game, seats: int) -> np.dtype:
    fields = [*STEP_FIELDS, *game.fields, *DEAL_FIELDS, *game.seldom_fields]
    fields = [(name, kind, *(seats if length == SEATS else length for length in given)) for name, kind, *given in fields]
    size = np.dtype(fields, align=True).itemsize
    return np.dtype([*fields, ("padding", "u1", -size % CACHE_LINE)], align=True)


@functools.lru_cache(maxsize=256)
def _layout(game: Game, rules) -> Layout:
    return Layout(game.groups(rules), rules.num_players, rules.num_sides)


def kernel_args(game: Game, rules) -> np.ndarray:
    """The options as one record of integers for kernels: a text is its place among the option's choices.

    Properties listed in the class's `DERIVED` (deck, number of sides ...) come along, so each is worked out once, and as
    `at_<piece>` where the pieces of the observation lie in their words.
    """
    options_class = type(rules)
    values = {}
    for field in dataclasses.fields(rules):
        allowed = choices(options_class, field.name)
        value = getattr(rules, field.name)
        values[field.name] = allowed.index(value) if allowed else int(value)
    values["places"] = places(rules)
    for name in options_class.DERIVED:
        values[name] = int(getattr(rules, name))
    return integers(values | {f"at_{name}": place for name, place in game.layout(rules).offsets.items()})


def split_settings(game: Game, face, settings: dict) -> tuple[dict, dict]:
    """(options of the game, keywords of the face) out of one set of keywords; raises OptionError for what is neither."""
    options = {field.name for field in dataclasses.fields(game.options)}
    keywords = {name for name, given in inspect.signature(face).parameters.items() if given.kind is given.KEYWORD_ONLY}
    for name in settings:
        if name not in options | keywords:
            raise OptionError(f"{game.name} has no setting {name!r}{nearest(name, options | keywords | {'preset'})}")
    return (
        {name: value for name, value in settings.items() if name in options},
        {name: value for name, value in settings.items() if name in keywords},
    )
