"""How rules become machine code: one decorator for rules, one function that compiles a loop for a game, one disk cache.

With NUMBA_DISABLE_JIT=1 the same source runs as plain Python, for a debugger or for coverage.

numba's cache does not notice edits of the functions that a cached loop calls, so the folder's name holds a hash of the sources:
an edit simply starts a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import sys
import tempfile
from pathlib import Path
from types import FunctionType

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

log = logging.getLogger("card_envs")

ENGINE = ("cards", "rng", "tricks", "kernels", "pointers", "layout", "game", "forms", "rewards", "buffers", "loops", "scalar")

CACHE_LINE = 64  # bytes: a table is a whole number of them

JIT = not numba.config.DISABLE_JIT
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}

# A rule of a game: compiled code may call it or take it in; Python calls kernels only, so a rule gets no way in from there,
# which saves a fifth of the compilation. Records are passed as one pointer.
rule = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)
# A short rule, or one met at every step, put into its caller before compilation: a function of its own costs compile time,
# and one that is handed arrays would count references at every call.
inlined = numba.njit(inline="always", **OPTIONS)


@functools.cache
def source_hash() -> str:
    """Hash of every source that compiled code can depend on: the layers below the faces, and the games."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    engine = [package / f"{name}.py" for name in ENGINE]
    for path in [*engine, *sorted(package.glob("games/**/*.py"))]:
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR if set, else the user's cache folder, else a temporary one."""
    if base := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(base) / f"card_envs-{source_hash()}"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", Path.home())
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "card_envs" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError as error:
        log.info("cannot write to %s (%s): compiled code is kept in a temporary folder", folder, error)
    return Path(tempfile.gettempdir()) / f"card_envs-{source_hash()}"


def compiled(function, game: str, signature=None):
    """`function` compiled for one game, cached on disk; plain Python when compilation is disabled.

    With a numba signature it is compiled at once and takes those types unchecked, and it keeps Python's lock: half the price of a
    call from Python, for what is shorter than a call.
    """
    if not JIT:
        return _quiet(function)
    folder = cache_folder() / game
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read while decorating: gives each game a folder of its own
    try:
        if signature is not None:
            if not _is_kept(folder, function.__name__):
                log.warning(COMPILING, function.__name__, game)
            kernel = numba.njit(signature, cache=True, **{**OPTIONS, "nogil": False})(function)
            return kernel.overloads[signature.args].entry_point
        kernel = numba.njit(cache=True, **OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = before
    return kernel if _is_kept(folder, function.__name__) else _announced(kernel, function.__name__, game)


def bind(template, verbs: dict, game: str | None = None, inline: bool = True, signature=None):
    """A copy of the function `template` in which the free names of `verbs` mean one game's functions.

    A loop is written once and bound once a game. With `game` the copy is compiled as a kernel (see `compiled`), without it is a
    rule.
    """
    names = {**template.__globals__, **verbs}
    function = FunctionType(template.__code__, names, template.__name__, template.__defaults__)
    if game is not None:
        return compiled(function, game, signature)
    return inlined(function) if inline else rule(function)


def integers(values: dict[str, int]) -> np.ndarray:
    """Named integers as a record array of one, the cheapest way into a kernel: one pointer however many there are."""
    made = np.zeros(1, [(name, "i8") for name in values])
    made[0] = tuple(values.values())
    return made if JIT else made.view(np.recarray)


@intrinsic
def _prefetch(typingctx, array, i):
    def codegen(context, builder, signature, args):
        array_type = signature.args[0]
        made = make_array(array_type)(context, builder, args[0])
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        to_write, keep, data = ir.Constant(number, 1), ir.Constant(number, 3), ir.Constant(number, 1)
        start = builder.mul(args[1], builder.extract_value(made.strides, 0))
        row = builder.gep(builder.bitcast(made.data, pointer), [start])
        if array_type.ndim == 1:
            for line in range(0, array_type.dtype.offset("key"), CACHE_LINE):
                builder.call(ask, [builder.gep(row, [ir.Constant(start.type, line)]), to_write, keep, data])
            return context.get_dummy_value()
        first, line = ir.Constant(start.type, 0), ir.Constant(start.type, CACHE_LINE)
        with cgutils.for_range_slice(builder, first, builder.extract_value(made.strides, 0), line, start.type) as (offset, _):
            builder.call(ask, [builder.gep(row, [offset]), to_write, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


def _no_prefetch(array, i):
    """Plain Python has no use for it."""


# prefetch(array, i): ask for the memory of row i, which is soon written to: of a table up to its field `key`, the rest is
# seldom touched. The row may lie past the end.
prefetch = _prefetch if JIT else _no_prefetch


COMPILING = "card_envs: compiling %s for %s (once; some seconds)"


def _is_kept(folder: Path, name: str) -> bool:
    """Is there compiled code of that function in the cache?"""
    return any(folder.glob(f"**/*{name}*.nbi"))


def _announced(kernel, name: str, game: str):
    """The kernel, with a line on the log before its first call, which has to compile."""
    state = {"first": True}

    @functools.wraps(kernel)
    def call(*args):
        if state["first"]:
            state["first"] = False
            log.warning(COMPILING, name, game)
        return kernel(*args)

    return call


def _quiet(function):
    """Wrap-around in uint64 is meant; NumPy's scalars would warn about it in plain Python."""

    @functools.wraps(function)
    def call(*args):
        with np.errstate(over="ignore"):
            return function(*args)

    return call
