"""The kernels of one table that is driven from Python, where a call costs more than the rules.

Handing a kernel a dozen arrays takes longer than a step, so the arrays of a table are bound once: where they lie is written into
one block of memory, and each kernel here is given the address of that block, a plain integer.
"""

from __future__ import annotations

from ctypes import addressof, c_char
from types import SimpleNamespace
from typing import NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from card_envs.buffers import AS_BYTES, AS_FLOATS, kernel_mode, new_buffers, new_tables
from card_envs.game import MAX_SEATS, Game, kernel_args, places
from card_envs.kernels import JIT, bind
from card_envs.layout import spread_rows
from card_envs.loops import loops, show_mask
from card_envs.pointers import fixed, row

NO_ROW = -1
TAKERS = 2  # of masks
MAX_AXES = 3
# What `play` returns: REFUSED, or the seat to act in the bits of SEAT, with those others set that apply.
REFUSED = -1
SEAT, PAID, HAS_TERMINATED, HAS_TRUNCATED = 7, 8, 16, 32  # the last two: `ended` of a table, times 16


class Arrays(NamedTuple):
    """What the kernels work on. Of the outputs there are N rows: a step writes one of them and leaves the others alone."""

    tables: np.ndarray  # [1]
    actions: np.ndarray  # int64 [1]
    rule_args: np.ndarray  # record [1]
    offsets: np.ndarray  # record [1]
    num_bytes: np.ndarray  # int64 [K]
    modes: np.ndarray  # record [1]
    results: np.ndarray  # RESULT [1]
    words: np.ndarray  # int64 [.., K], of which the first row is written
    packed: np.ndarray  # int64: room for its bits
    final_words: np.ndarray  # int64 [1, K]
    vectors: np.ndarray  # uint8 [N, O]; the form that is not asked for has no columns
    floats: np.ndarray  # float32 [N, O]
    masks: np.ndarray  # int8 [TAKERS, N, A]: what is legal, once for each who is handed one
    history: np.ndarray  # int16 [1, L]


PLACES = {name: place for place, name in enumerate(Arrays._fields)}

# Put in by `bind`: how to come from the address to the arrays, and templates of `loops` as rules.
arrays_at = step = view = set_keys = handed_on = None


def _handed_on(a, at_row):
    """The mask for the second taker, and the code of what has happened."""
    s, result, masks = row(a.tables, 0), row(a.results, 0), a.masks
    for action in range(masks.shape[2]):
        masks[1, at_row, action] = masks[0, at_row, action]
    code = int(s.turn) + HAS_TERMINATED * int(s.ended)
    for seat in range(MAX_SEATS):
        if result.rewards[seat] != 0.0:
            code = code | PAID
    return code


def play(context, action, at_row):
    """Step the table; what the next seat to act sees and may do goes to that row. A table whose episode is over refuses all."""
    a = arrays_at(context)
    if int(row(a.tables, 0).ended):
        return REFUSED
    a.actions[0] = action
    refused = step(
        a.tables, a.actions, a.rule_args, a.offsets, a.num_bytes, a.modes, a.results, a.words, a.packed,
        a.vectors[at_row : at_row + 1], a.floats[at_row : at_row + 1], a.masks[0, at_row : at_row + 1], a.final_words, a.history,
    )  # fmt: skip
    return REFUSED if refused >= 0 else handed_on(a, at_row)


def look(context, viewer, at_row):
    """The words of what `viewer` sees, whoever is to act; with a row, that row of the outputs too."""
    a = arrays_at(context)
    view(a.tables, viewer, a.rule_args, a.offsets, a.words)
    if at_row < 0:
        return 0
    s, mode, mask = row(a.tables, 0), fixed(a.modes), a.masks[0, at_row : at_row + 1]
    if mode.observation == AS_BYTES:
        spread_rows(a.words, 0, 1, a.num_bytes, a.packed, a.vectors, at_row)
    elif mode.observation == AS_FLOATS:
        spread_rows(a.words, 0, 1, a.num_bytes, a.packed, a.floats, at_row)
    show_mask(a.tables, 0, 1, mask)
    if int(s.turn) != viewer or int(s.ended):
        for action in range(mask.shape[1]):
            mask[0, action] = 0
    return handed_on(a, at_row)


def reseed(context, seed, table):
    """From now on deal from the streams of that table under that seed."""
    a = arrays_at(context)
    a.actions[0] = table
    set_keys(a.tables, seed, a.actions)
    return 0


NUMBER = types.int64
SIGNATURES = {  # said beforehand: no call has to look at what it is given
    "play": (play, NUMBER(NUMBER, NUMBER, NUMBER)),
    "look": (look, NUMBER(NUMBER, NUMBER, NUMBER)),
    "reseed": (reseed, NUMBER(NUMBER, types.uint64, NUMBER)),
}


class Kernels:
    """The kernels of one game and size of table, each compiled, or found in the cache, when it is first asked for."""

    def __init__(self, game: Game, rules):
        self._folder = f"{game.name}-{places(rules)}"  # their signatures do not tell tables of different sizes apart
        mode = kernel_mode(
            episode="match", autoreset="disabled", reward="score", illegal="raise", observation="none", skip_forced=False,
            penalty=1, keeps_history=True,
        )  # fmt: skip
        self._sample = new_arrays(game, rules, mode)
        self._verbs = {name: loops(game).as_rule(name) for name in ("step", "view", "set_keys")}
        self._verbs["arrays_at"] = _arrays_at([numba.typeof(array) for array in self._sample]) if JIT else _as_they_are
        self._verbs["handed_on"] = bind(_handed_on, self._verbs)

    def __getattr__(self, name: str):
        """A kernel by its name."""
        if name not in SIGNATURES:
            raise AttributeError(name)
        template, signature = SIGNATURES[name]
        kernel = bind(template, self._verbs, self._folder, signature=signature)
        setattr(self, name, kernel)
        return kernel

    def suit(self, arrays: Arrays) -> bool:
        """Are these arrays of the kinds that the kernels are compiled for?"""
        return all(one.dtype == other.dtype and one.ndim == other.ndim for one, other in zip(arrays, self._sample, strict=True))


_kernels: dict[tuple[Game, int], Kernels] = {}


def scalar_kernels(game: Game, rules) -> Kernels:
    """The kernels of a game for tables of this size, one set a process."""
    key = game, places(rules)
    if key not in _kernels:
        _kernels[key] = Kernels(game, rules)
    return _kernels[key]


class Context:
    """A table's arrays, bound for its kernels: `handle` is what each of them is given first."""

    def __init__(self, game: Game, rules, arrays: Arrays):
        self.kernels = scalar_kernels(game, rules)
        if not self.kernels.suit(arrays):
            raise TypeError(f"the options of {game.name} or its observation have other fields under these rules")
        self.arrays = SimpleNamespace()
        self._places = np.zeros((len(arrays), 1 + MAX_AXES), np.int64)
        self.handle = self._places.ctypes.data if JIT else self.arrays
        self.bind(**arrays._asdict())

    def bind(self, **arrays: np.ndarray) -> None:
        """Put arrays of the same kinds in the places of some."""
        for name, array in arrays.items():
            if not array.flags.c_contiguous:
                raise ValueError(f"{name}: kernels walk through arrays that lie in one piece")
            setattr(self.arrays, name, array)
            self._places[PLACES[name], : 1 + array.ndim] = array.ctypes.data, *array.shape

    def replace(self, name: str, array: np.ndarray) -> None:
        """The same with one array that is like the one before, in a tenth of the time."""
        setattr(self.arrays, name, array)
        self._places[PLACES[name], 0] = addressof(c_char.from_buffer(array))


def new_arrays(game: Game, rules, mode: np.ndarray) -> Arrays:
    """The arrays of a table of these rules, with one row of masks and none of observations."""
    layout, num_actions = game.layout(rules), len(game.action_names(rules))
    out = new_buffers(layout, 1, num_actions, "none", max_history=game.max_history)
    return Arrays(
        tables=new_tables(game, rules, 1),
        actions=np.zeros(1, np.int64),
        rule_args=kernel_args(game, rules),
        offsets=layout.at,
        num_bytes=layout.num_bytes,
        modes=mode,
        results=out.results,
        words=out.words,
        packed=out.packed,
        final_words=out.final_words,
        vectors=out.vector,
        floats=out.floats,
        masks=np.zeros((TAKERS, 1, num_actions), np.int8),
        history=out.history,
    )


def _as_they_are(context):
    """In plain Python the handle is the arrays."""
    return context


def _arrays_at(kinds: list):
    """A function of compiled code: the address of a context -> its Arrays of these types."""

    @intrinsic
    def arrays_at(typingctx, address):
        def codegen(context, builder, signature, args):
            words = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
            word = iter(range(len(kinds) * (1 + MAX_AXES)))
            made = []
            for kind in kinds:
                data, *shape = [builder.load(builder.gep(words, [ir.IntType(64)(next(word))])) for _ in range(1 + MAX_AXES)]
                array = make_array(kind)(context, builder)
                size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
                strides = [ir.IntType(64)(size)]
                for length in reversed(shape[1 : kind.ndim]):
                    strides.insert(0, builder.mul(strides[0], length))
                place = builder.inttoptr(data, array.data.type)
                populate_array(array, place, shape[: kind.ndim], strides, size, None)
                made.append(array._getvalue())
            return context.make_tuple(builder, signature.return_type, made)

        return types.NamedTuple(kinds, Arrays)(types.int64), codegen

    return arrays_at
