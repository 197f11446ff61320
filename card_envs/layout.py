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
BLOCK = 16  # rows that are made and spread in one go: they stay in the first-level cache
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
        if out.shape != (len(words), self.width) or not out.flags.c_contiguous:
            raise ValueError(f"out must lie in one piece, of shape {(len(words), self.width)}, not {out.shape}")
        _spread_words()(words, self.num_bytes, self.new_packed(), out)

    def new_packed(self) -> np.ndarray:
        """Room for the bits of a block of rows, end to end: int64, and a word more for what is written past the last."""
        return np.zeros(BLOCK * self.width // WORD_BITS + 2, np.int64)

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


@inlined
def unary(value, levels):
    """That many low bits, between none and `levels`."""
    return (1 << max(0, min(value, levels))) - 1


# --- bits to bytes -----------------------------------------------------------------------------------------------------------


def spread_plainly(word, out, i, column):
    """The 64 bits of a word as 64 columns of `out`, from a place in row i on into the rows behind it: for plain Python."""
    start = i * out.shape[1] + column
    out.reshape(-1)[start : start + WORD_BITS] = [(word >> bit) & 1 for bit in range(WORD_BITS)]


def spread_eight_plainly(word, out, i, column):
    """The lowest 8 bits in the same way."""
    start = i * out.shape[1] + column
    out.reshape(-1)[start : start + 8] = [(word >> bit) & 1 for bit in range(8)]


def put_plainly(packed, byte, word):
    """A word at any byte of an int64 array: for plain Python."""
    packed.view(np.uint8)[byte : byte + 8] = np.array([word], np.int64).view(np.uint8)


def _place(context, builder, array_type, array, offset):
    made = make_array(array_type)(context, builder, array)
    return builder.gep(builder.bitcast(made.data, ir.IntType(8).as_pointer()), [offset])


def _spread(bits: int):
    """Vector instructions for as many bits: LLVM turns them into bytes (or floats) 32 at a time."""

    def codegen(context, builder, signature, args):
        word, array, row, column = args
        array_type = signature.args[1]
        stride = cgutils.unpack_tuple(builder, make_array(array_type)(context, builder, array).strides, 2)[0]
        size = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
        place = _place(context, builder, array_type, array, builder.add(builder.mul(row, stride), builder.mul(column, size)))
        flags = builder.bitcast(builder.trunc(word, ir.IntType(bits)), ir.VectorType(ir.IntType(1), bits))
        if isinstance(array_type.dtype, types.Float):
            kind = ir.VectorType(ir.FloatType(), bits)
            values = builder.select(flags, ir.Constant(kind, [1.0] * bits), ir.Constant(kind, [0.0] * bits))
        else:
            values = builder.zext(flags, ir.VectorType(ir.IntType(8), bits))
        store = builder.store(values, builder.bitcast(place, values.type.as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    def typed(typingctx, word, out, i, column):
        return types.void(types.int64, out, types.int64, types.int64), codegen

    return typed


@intrinsic
def spread_word(typingctx, word, out, i, column):
    return _spread(WORD_BITS)(typingctx, word, out, i, column)


@intrinsic
def spread_byte(typingctx, word, out, i, column):
    return _spread(8)(typingctx, word, out, i, column)


@intrinsic
def put_word(typingctx, packed, byte, word):
    def codegen(context, builder, signature, args):
        place = _place(context, builder, signature.args[0], args[0], args[1])
        store = builder.store(args[2], builder.bitcast(place, ir.IntType(64).as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return types.void(packed, types.int64, types.int64), codegen


spread = spread_word if JIT else spread_plainly
spread_eight = spread_byte if JIT else spread_eight_plainly
put = put_word if JIT else put_plainly


@inlined
def spread_rows(words, first, rows, num_bytes, packed, out, start):
    """Some rows of words, from `first` on, as rows of `out` from `start` on: their bits are packed end to end before, so that
    what is written is one run of whole vectors."""
    byte = 0
    for r in range(first, first + rows):
        for k in range(len(num_bytes)):
            put(packed, byte, int(words[r, k]))  # what it writes past its own bytes the next one overwrites
            byte += int(num_bytes[k])
    whole = byte >> 3
    for j in range(whole):
        spread(int(packed[j]), out, start, WORD_BITS * j)
    rest = int(packed[whole])
    for column in range(WORD_BITS * whole, 8 * byte, 8):
        spread_eight(rest, out, start, column)
        rest = rest >> 8


def spread_words(words, num_bytes, packed, out):
    for start in range(0, len(words), BLOCK):
        spread_rows(words, start, min(BLOCK, len(words) - start), num_bytes, packed, out, start)


@functools.cache
def _spread_words():
    return compiled(spread_words, "layout")
