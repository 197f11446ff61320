"""Threads that step the parts of a batch together.

Waking a thread that sleeps takes as long as stepping some thousand tables, so a helper that has done its part looks out for the
next step for a while before it goes to sleep; then nobody waits for the operating system. What the threads tell each other goes
through a few words of memory that are read and written as atomic ones.
"""

from __future__ import annotations

import functools
import os
import platform
import threading
import weakref

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from card_envs.buffers import aligned
from card_envs.game import Game
from card_envs.kernels import CACHE_LINE, bind, rule
from card_envs.loops import first_illegal, loops
from card_envs.pointers import fixed

# The words of one helper: those that the leader writes, and in a cache line of their own those that it writes itself.
ASKED, VERDICT, CLOSED = range(3)  # the step that is asked for; it again, if it is to be made, or else its negative; the end
WORDS_A_LINE = CACHE_LINE // 8
CHECKED, DONE, REFUSED, ASLEEP = range(WORDS_A_LINE, WORDS_A_LINE + 4)  # REFUSED: the first refused row of its part, or -1
WORDS = 2 * WORDS_A_LINE
PATIENCE = 4096  # looks for the next step before a helper sleeps: about as long as waking it takes
LOOKS_A_TURN = 64  # then other threads may have the processor, if there are more of them than processors
SOMEONE_SLEEPS = -2  # what `lead` returns beside what `step` returns

step_all = None  # put in by `bind`: see `loops`


# --- words of memory that several threads use ---------------------------------------------------------------------------------


def _word(context, builder, array_type, array, place):
    return builder.gep(make_array(array_type)(context, builder, array).data, [place])


@intrinsic
def read(typingctx, words, place):
    def codegen(context, builder, signature, args):
        return builder.load_atomic(_word(context, builder, signature.args[0], *args), "seq_cst", 8)

    return types.int64(words, types.int64), codegen


@intrinsic
def write(typingctx, words, place, value):
    def codegen(context, builder, signature, args):
        builder.store_atomic(args[2], _word(context, builder, signature.args[0], *args[:2]), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), codegen


@intrinsic
def pause(typingctx):
    """Tells the processor that this is a loop of looks."""

    def codegen(context, builder, signature, args):
        number, nothing = ir.IntType(32), ir.VoidType()
        if platform.machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(nothing, [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        elif platform.machine() in ("aarch64", "arm64"):
            kind, be_polite = ir.FunctionType(nothing, [number]), ir.Constant(number, 1)
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.aarch64.hint"), [be_polite])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def give_way(typingctx):
    """Lets another thread have this processor, if one waits for it."""

    def codegen(context, builder, signature, args):
        if os.name == "posix":
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), codegen


# --- kernels -------------------------------------------------------------------------------------------------------------------


@rule
def wait_for(signals, place, step):
    """Until that word says `step` or its negative; returns what it says."""
    looks = 0
    while True:
        said = read(signals, place)
        if said == step or said == -step:
            return said
        looks += 1
        pause()
        if looks % LOOKS_A_TURN == 0:
            give_way()


def lead(
    signals, step, tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask,
    final_words, history,
):  # fmt: skip
    """Step all parts of a batch, or none: the first part here, each other one by its helper.

    Returns the first row that is refused, of the whole batch, or -1; or SOMEONE_SLEEPS: wake the helpers and call again.
    """
    helpers = len(signals) // WORDS
    sleeps = False
    for helper in range(helpers):
        write(signals, WORDS * helper + ASKED, step)
    for helper in range(helpers):
        sleeps = sleeps or read(signals, WORDS * helper + ASLEEP) != 0
    if sleeps:
        return SOMEONE_SLEEPS
    refused = first_illegal(tables, actions, fixed(modes))
    for helper in range(helpers):
        wait_for(signals, WORDS * helper + CHECKED, step)
        if refused < 0:
            refused = read(signals, WORDS * helper + REFUSED)
    for helper in range(helpers):
        write(signals, WORDS * helper + VERDICT, step if refused < 0 else -step)
    if refused < 0:
        step_all(
            tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask, final_words, history
        )  # fmt: skip
    for helper in range(helpers):
        wait_for(signals, WORDS * helper + DONE, step)
    return refused


def serve(
    signals, first_row, tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask,
    final_words, history,
):  # fmt: skip
    """A helper: steps its part, which begins at that row of the batch, whenever it is asked to, until nobody asks for long."""
    done = read(signals, DONE)
    looks = 0
    while looks < PATIENCE and read(signals, CLOSED) == 0:
        step = read(signals, ASKED)
        if step == done:
            looks += 1
            pause()
            if looks % LOOKS_A_TURN == 0:
                give_way()
            if looks == PATIENCE:
                write(signals, ASLEEP, 1)
                if read(signals, ASKED) != done:  # asked for just now, perhaps without having seen that it would sleep
                    write(signals, ASLEEP, 0)
                    looks = 0
            continue
        refused = first_illegal(tables, actions, fixed(modes))
        write(signals, REFUSED, refused if refused < 0 else first_row + refused)
        write(signals, CHECKED, step)
        if wait_for(signals, VERDICT, step) == step:
            step_all(
                tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask, final_words,
                history,
            )  # fmt: skip
        done = step
        looks = 0
        write(signals, DONE, done)


@functools.cache
def _kernels(game: Game):
    """`lead` and `serve` of a game."""
    verbs = loops(game).verbs
    return bind(lead, verbs, game.name), bind(serve, verbs, game.name)


# --- threads -------------------------------------------------------------------------------------------------------------------


class Team:
    """The calling thread and one more for every further part of a batch.

    parts: of each its rows, a slice, and the arguments of `step` but for the actions: tables and what follows the actions.
    Threads begin with the first step, in the process that makes it: a copy of the process by `fork` has threads of its own.
    """

    def __init__(self, game: Game, parts: list[tuple]):
        self._lead, self._serve = _kernels(game)
        self._actions = np.zeros(parts[-1][0].stop, np.int64)
        self._parts = [(rows.start, tables, self._actions[rows], *others) for rows, tables, *others in parts]
        self._process, self._step = None, 0

    def step(self, actions: np.ndarray) -> int:
        """What `step` of the whole batch returns."""
        if self._process != os.getpid():
            self._begin()
        np.copyto(self._actions, actions)
        self._step += 1
        while True:
            refused = self._lead(self._signals, self._step, *self._parts[0][1:])
            if refused != SOMEONE_SLEEPS:
                return refused
            for signals, awake in zip(self._signals.reshape(-1, WORDS), self._awake, strict=True):
                if signals[ASLEEP]:
                    signals[ASLEEP] = 0
                    awake.release()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._signals = aligned(((len(self._parts) - 1) * WORDS,), np.int64)
        self._signals.reshape(-1, WORDS)[:, [ASKED, DONE]] = self._step  # steps that were asked of another process are done
        self._awake = [threading.Semaphore(0) for _ in self._parts[1:]]
        helpers = []
        for signals, awake, part in zip(self._signals.reshape(-1, WORDS), self._awake, self._parts[1:], strict=True):
            helpers.append(threading.Thread(target=_help, args=(self._serve, signals, awake, part), daemon=True))
            helpers[-1].start()
        weakref.finalize(self, _dismiss, self._signals, self._awake, helpers)


def _help(serve, signals: np.ndarray, awake: threading.Semaphore, part: tuple) -> None:
    """What a helper's thread does; it knows nothing of its team, which so can be forgotten."""
    while not signals[CLOSED]:
        serve(signals, *part)
        awake.acquire()


def _dismiss(signals: np.ndarray, awake: list[threading.Semaphore], helpers: list[threading.Thread]) -> None:
    """Ends the helpers, at the latest before the interpreter: it would stop them wherever they are."""
    signals.reshape(-1, WORDS)[:, CLOSED] = 1
    for one in awake:
        one.release()
    for helper in helpers:
        if helper is not threading.current_thread():  # which may be the one that collects garbage
            helper.join()
