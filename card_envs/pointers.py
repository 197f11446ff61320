"""Rows of record arrays as bare pointers for compiled code, so that rules run as a C struct's would.

numba's own records allow any array behind them: an index may be negative, a store may change whatever is read next. A pointer
made by `row`, `fixed` or `line` promises more, and the compiler uses it:

* an index is never negative, so no wrap-around is worked out for it;
* a field overlaps no other one, and neither results nor observations overlap a table: what has been read stays known when
  something else is written (LLVM's type-based alias analysis; see its LangRef, "tbaa");
* the options of the rules do not change while a kernel runs: each is read once ("invariant.load").

Signed integers are read as int64, other numbers as they are stored. In plain Python the three functions index their array.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.core.extending import register_model
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import intrinsic, models
from numba.np.arrayobj import make_array

from card_envs.kernels import JIT

BYTE = ir.IntType(8)
PLACE = BYTE.as_pointer()
INDEX = ir.IntType(64)


class RecordPointer(types.Type):
    """A row of a record array; `fixed`: it does not change while a kernel runs."""

    def __init__(self, record: types.Record, fixed: bool):
        self.record, self.fixed = record, fixed
        super().__init__(f"{'FixedPointer' if fixed else 'RecordPointer'}({record.name})")

    def field(self, name: str):
        """The type of a field: an Elements, or the number that is read."""
        there = self.record.typeof(name)
        if isinstance(there, types.NestedArray):
            return Elements(there.dtype, f"{self.record.size} {name}", self.fixed)
        return read_as(there)


class Elements(types.Type):
    """Numbers that lie one behind the other: a field of several, or a row of an array. `kind`: no other kind overlaps it."""

    def __init__(self, stored, kind: str, fixed: bool):
        self.stored, self.kind, self.fixed = stored, kind, fixed
        super().__init__(f"Elements({stored}, {kind}, {fixed})")


@register_model(RecordPointer)
@register_model(Elements)
class PointerModel(models.PrimitiveModel):
    def __init__(self, manager, pointer_type):
        super().__init__(manager, pointer_type, PLACE)


def read_as(stored):
    """The type in which rules compute with a stored number."""
    return types.int64 if isinstance(stored, types.Integer) and stored.signed else stored


# --- loads and stores --------------------------------------------------------------------------------------------------------


def tag(builder, instruction, kind: str, fixed: bool):
    """Tell LLVM what overlaps the memory of a load or store: only what is of its kind."""
    module = builder.module
    root = module.add_metadata(["card_envs"])
    named = module.add_metadata([kind, root, ir.Constant(INDEX, 0)])
    instruction.set_metadata("tbaa", module.add_metadata([named, named, ir.Constant(INDEX, 0)]))
    if fixed:
        instruction.set_metadata("invariant.load", module.add_metadata([]))
    return instruction


def element_place(builder, pointer, offset):
    return builder.gep(pointer, [offset if isinstance(offset, ir.Value) else ir.Constant(INDEX, offset)], inbounds=True)


def load(context, builder, place, stored, kind: str, fixed: bool):
    size = context.get_data_type(stored)
    loaded = builder.load(builder.bitcast(place, size.as_pointer()))
    loaded.align = context.get_abi_sizeof(size)
    value = tag(builder, loaded, kind, fixed)
    if isinstance(stored, types.Boolean):
        return builder.trunc(value, ir.IntType(1))
    return context.cast(builder, value, stored, read_as(stored))


def store(context, builder, place, value, stored, kind: str):
    size = context.get_data_type(stored)
    if isinstance(stored, types.Boolean):
        value = builder.zext(value, size)
    else:
        value = context.cast(builder, value, read_as(stored), stored)
    written = builder.store(value, builder.bitcast(place, size.as_pointer()))
    written.align = context.get_abi_sizeof(size)
    tag(builder, written, kind, False)


# --- fields ------------------------------------------------------------------------------------------------------------------


@infer_getattr
class RecordPointerAttribute(AttributeTemplate):
    key = RecordPointer

    def generic_resolve(self, pointer, name):
        return pointer.field(name) if name in pointer.record.fields else None


@lower_getattr_generic(RecordPointer)
def lower_read_field(context, builder, pointer, value, name):
    place = element_place(builder, value, pointer.record.offset(name))
    there = pointer.record.typeof(name)
    if isinstance(there, types.NestedArray):
        return place
    return load(context, builder, place, there, f"{pointer.record.size} {name}", pointer.fixed)


@lower_setattr_generic(RecordPointer)
def lower_write_field(context, builder, sig, args, name):
    pointer = sig.args[0]
    if pointer.fixed:
        raise TypingError(f"{name}: options do not change")
    place = element_place(builder, args[0], pointer.record.offset(name))
    store(context, builder, place, args[1], pointer.record.typeof(name), f"{pointer.record.size} {name}")


# --- elements ----------------------------------------------------------------------------------------------------------------


@infer_global(operator.getitem)
class ElementsRead(AbstractTemplate):
    def generic(self, args, kws):
        elements, index = args
        if isinstance(elements, Elements) and isinstance(index, types.Integer):
            return signature(read_as(elements.stored), elements, types.int64)
        return None


@infer_global(operator.setitem)
class ElementsWritten(AbstractTemplate):
    def generic(self, args, kws):
        elements, index, _ = args
        if isinstance(elements, Elements) and isinstance(index, types.Integer) and not elements.fixed:
            return signature(types.none, elements, types.int64, read_as(elements.stored))
        return None


def place_of(context, builder, elements, pointer, index):
    size = context.get_abi_sizeof(context.get_data_type(elements.stored))
    return element_place(builder, pointer, builder.mul(index, ir.Constant(INDEX, size)))


@lower_builtin(operator.getitem, Elements, types.Integer)
def lower_read_element(context, builder, sig, args):
    elements = sig.args[0]
    place = place_of(context, builder, elements, *args)
    return load(context, builder, place, elements.stored, elements.kind, elements.fixed)


@lower_builtin(operator.setitem, Elements, types.Integer, types.Any)
def lower_write_element(context, builder, sig, args):
    elements = sig.args[0]
    store(context, builder, place_of(context, builder, elements, *args[:2]), args[2], elements.stored, elements.kind)
    return context.get_dummy_value()


# --- rows --------------------------------------------------------------------------------------------------------------------


def in_one_piece(array) -> bool:
    """Can rows of this type of array be found from its start alone?"""
    return isinstance(array, types.Array) and array.layout == "C"


def record_place(context, builder, array_type, array, index):
    """Where a record of an array starts."""
    made = make_array(array_type)(context, builder, array)
    start = builder.mul(index, ir.Constant(INDEX, array_type.dtype.size))
    return element_place(builder, builder.bitcast(made.data, PLACE), start)


@intrinsic
def _row(typingctx, records, i):
    def codegen(context, builder, sig, args):
        return record_place(context, builder, sig.args[0], *args)

    return (RecordPointer(records.dtype, False)(records, types.int64), codegen) if in_one_piece(records) else None


@intrinsic
def _fixed(typingctx, records):
    def codegen(context, builder, sig, args):
        return record_place(context, builder, sig.args[0], args[0], ir.Constant(INDEX, 0))

    return (RecordPointer(records.dtype, True)(records), codegen) if in_one_piece(records) else None


@intrinsic
def _line(typingctx, numbers, i):
    def codegen(context, builder, sig, args):
        made = make_array(sig.args[0])(context, builder, args[0])
        start = builder.mul(args[1], builder.extract_value(made.strides, 0))
        return element_place(builder, builder.bitcast(made.data, PLACE), start)

    elements = Elements(numbers.dtype, f"line of {numbers.dtype}", False)
    return (elements(numbers, types.int64), codegen) if in_one_piece(numbers) else None


def _plain_row(records, i):
    return records[i]


def _plain_fixed(records):
    return records[0]


# row(records, i): row i of a record array, to read and write. fixed(records): the options in its only row.
# line(numbers, i): row i of an array of integers with two axes. An array that does not lie in one piece is a TypingError.
row = _row if JIT else _plain_row
fixed = _fixed if JIT else _plain_fixed
line = _line if JIT else _plain_row
