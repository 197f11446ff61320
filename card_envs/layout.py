"""The observation as named pieces: one list lays the vector out, documents it, and reads it back.

A game declares groups of pieces. A group is one 64-bit word, kept once for the table, once a seat or once a side, always in
order from the viewer (0 = the viewer, 1 = the seat to the left ...). Three forms hold the same bits:

* "bits": int64 [K], one word a group member, for storage and for the rule bots;
* "uint8": [O], every bit a byte of 0 or 1, each word filled up to whole bytes
  (the last to 64 columns), for networks;
* "float32": [O], the same as floats.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import asdict, dataclass, replace

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from card_envs import cards
from card_envs.kernels import JIT, compiled, inlined, integers

WORD_BITS = 64
MAX_PIECE_BITS = 63  # the top bit is the sign: plain Python and compiled code must agree


@dataclass(frozen=True)
class Piece:
    """Some bits with one meaning.

    kind: "cards" (bit = card id), "flags" (independent bits), "one_hot" (at most one bit set), "unary" (that many low bits
    set), "number" (two's complement); and of what can be counted or named in another way, for `card_envs.forms`: "place" (as
    one_hot, a bit a seat), "suit" (as one_hot, a bit a suit), "trump" (the suit that is trump), "suits" (as flags, a bit a
    suit). labels name the bits where their index alone does not; fixed is the value of bits that never change under the same
    rules.
    """

    name: str
    width: int
    kind: str
    meaning: str
    labels: tuple[str, ...] = ()
    fixed: int | None = None

    def read(self, bits: int):
        """The value of these bits: a list of card names or labels, a number, or None for an empty one_hot."""
        if self.kind == "number":
            return bits - (1 << self.width) if bits >> (self.width - 1) & 1 else bits
        on = [bit for bit in range(self.width) if bits >> bit & 1]
        if self.kind == "cards":
            return [cards.CARD_NAMES[card] for card in on]
        if self.kind == "unary":
            return len(on)
        named = [self.labels[bit] if self.labels else bit for bit in on]
        return named if self.kind in ("flags", "suits") else (named[0] if named else None)


@dataclass(frozen=True)
class Group:
    """One word: `per` is "table", "seat" or "side"."""

    name: str
    per: str
    pieces: tuple[Piece, ...]


class Layout:
    """Where each piece of an observation lies, for one player count and one set of rules.

    A piece of no width is not there under these rules, nor is a group of such pieces; their offsets mean nothing.

    num_words (K), width (O), hash (of names, order and widths: stored with trained networks), offsets (word index of each
    group and shift of each piece), at (the same as a record for kernels), num_bytes (bytes of each word in the vector).
    """

    def __init__(self, groups: tuple[Group, ...], num_seats: int, num_sides: int):
        there = [replace(group, pieces=tuple(piece for piece in group.pieces if piece.width)) for group in groups]
        self.groups = tuple(group for group in there if group.pieces)
        self.counts = {group.name: {"table": 1, "seat": num_seats, "side": num_sides}[group.per] for group in self.groups}
        offsets, num_bytes = {}, []
        for group in groups:
            offsets[group.name] = len(num_bytes)
            shift = 0
            for piece in group.pieces:
                if piece.name in offsets:
                    raise ValueError(f"two pieces of the observation are called {piece.name!r}")
                if len(piece.labels) > piece.width > 0:
                    raise ValueError(f"piece {piece.name!r} has {piece.width} bits and {len(piece.labels)} labels")
                offsets[piece.name] = shift
                shift += piece.width
            if all(piece.fixed is not None for piece in group.pieces):
                offsets[f"{group.name}_fixed"] = sum(piece.fixed << offsets[piece.name] for piece in group.pieces)
            if shift > MAX_PIECE_BITS:
                raise ValueError(f"observation group {group.name!r} needs {shift} bits, a word holds {MAX_PIECE_BITS}")
            num_bytes += [-(-shift // 8)] * self.counts.get(group.name, 0)
        self.offsets = offsets
        self.at = integers(offsets)
        num_bytes[-1] = WORD_BITS // 8  # so that every row can be written 64 columns at a time
        self.num_bytes = np.array(num_bytes, np.int64)
        self.num_words = len(num_bytes)
        self.width = 8 * int(self.num_bytes.sum())
        shape = [[asdict(group), self.counts[group.name]] for group in self.groups]
        self.hash = hashlib.sha256(json.dumps(shape).encode()).hexdigest()[:16]

    def spread(self, words: np.ndarray) -> np.ndarray:
        """Vectors uint8 [..., O] of the words int64 [..., K]."""
        words = np.ascontiguousarray(words, np.int64)
        flat = words.reshape(-1, self.num_words)
        out = np.empty((len(flat), self.width), np.uint8)
        self.spread_into(flat, out)
        return out.reshape(*words.shape[:-1], self.width)

    def spread_into(self, words: np.ndarray, out: np.ndarray) -> None:
        """Write the vectors of words int64 [B, K] to out, uint8 or float32 [B, O]."""
        _spread_words()(words, self.num_bytes, out)

    def pack(self, vector: np.ndarray) -> np.ndarray:
        """The words int64 [..., K] of vectors [..., O] of any dtype: the inverse of `spread`."""
        lead = vector.shape[:-1]
        if vector.shape[-1:] != (self.width,):
            raise ValueError(f"an observation of this layout has {self.width} columns, not {vector.shape[-1]}")
        packed = np.packbits(np.asarray(vector).reshape(-1, self.width) != 0, axis=1, bitorder="little")
        words = np.zeros((len(packed), self.num_words, 8), np.uint8)
        start = 0
        for word, size in enumerate(self.num_bytes):
            words[:, word, :size] = packed[:, start : start + size]
            start += size
        return words.view(np.int64).reshape(*lead, self.num_words)

    def rows(self):
        """(first column, last column, group, member, piece) of every piece in the vector, in order."""
        column = 0
        for group in self.groups:
            for member in range(self.counts[group.name]):
                start = column
                for piece in group.pieces:
                    yield start, start + piece.width - 1, group, member, piece
                    start += piece.width
                column += 8 * int(self.num_bytes[self.offsets[group.name]])

    def decode(self, observation: np.ndarray) -> dict:
        """One observation (int64 [K] words or a vector [O]) as {piece name: value, or list of values from the viewer on}."""
        observation = np.asarray(observation)
        words = observation if observation.shape == (self.num_words,) else self.pack(observation)
        found = {}
        for group in self.groups:
            first = self.offsets[group.name]
            members = [int(word) for word in words[first : first + self.counts[group.name]]]
            for piece in group.pieces:
                shift = self.offsets[piece.name]
                values = [piece.read(word >> shift & ((1 << piece.width) - 1)) for word in members]
                found[piece.name] = values[0] if group.per == "table" else values
        return found

    def describe(self, observation: np.ndarray) -> str:
        """One observation as readable text, a line a piece."""
        return "\n".join(f"{name}: {_shown(value)}" for name, value in self.decode(observation).items())

    def table(self) -> str:
        """The layout as a Markdown table: columns, piece, how often, meaning."""
        lines = ["| columns | piece | of | kind | meaning |", "| --- | --- | --- | --- | --- |"]
        for first, last, group, member, piece in self.rows():
            whose = group.per if group.per == "table" else f"{group.per} {member}"
            lines.append(f"| {first}-{last} | `{piece.name}` | {whose} | {piece.kind} | {piece.meaning} |")
        return "\n".join(lines)


def _shown(value) -> str:
    if isinstance(value, list):
        return " ".join(_shown(item) if not isinstance(item, list) else "[" + _shown(item) + "]" for item in value) or "-"
    return "-" if value is None else str(value)


# --- bits to bytes -----------------------------------------------------------------------------------------------------------


def spread_plainly(word, out, i, column):
    """The 64 bits of a word as 64 columns of row i: for plain Python."""
    for bit in range(WORD_BITS):
        out[i, column + bit] = (word >> bit) & 1


@intrinsic
def spread_vectors(typingctx, word, out, i, column):
    """The same as vector instructions: LLVM turns bits into bytes (or floats) 32 at a time."""

    def codegen(context, builder, signature, args):
        word_value, array_value, row, first = args
        array_type = signature.args[1]
        array = make_array(array_type)(context, builder, array_value)
        strides = cgutils.unpack_tuple(builder, array.strides, 2)
        size = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
        offset = builder.add(builder.mul(row, strides[0]), builder.mul(first, size))
        place = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [offset])
        bits = builder.bitcast(word_value, ir.VectorType(ir.IntType(1), WORD_BITS))
        if isinstance(array_type.dtype, types.Float):
            values = builder.uitofp(bits, ir.VectorType(ir.FloatType(), WORD_BITS))
        else:
            values = builder.zext(bits, ir.VectorType(ir.IntType(8), WORD_BITS))
        store = builder.store(values, builder.bitcast(place, values.type.as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return types.void(types.int64, out, types.int64, types.int64), codegen


spread = spread_vectors if JIT else spread_plainly


@inlined
def spread_row(words, i, num_bytes, out):
    """One table's words as its row. What a word writes past its own bytes the next one overwrites; the last has 64 columns."""
    column = 0
    for k in range(len(num_bytes)):
        spread(int(words[i, k]), out, i, column)
        column += 8 * int(num_bytes[k])


def spread_words(words, num_bytes, out):
    for i in range(len(words)):
        spread_row(words, i, num_bytes, out)


@functools.cache
def _spread_words():
    return compiled(spread_words, "layout")
