"""The rules on a GPU: the same functions as everywhere, one thread a table, over records in device memory.

Compiled by numba-cuda (extra `gpu`); nothing here needs PyTorch. With NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1 the
kernels run in numba's simulator, slowly and without a GPU. Tables are stepped to words of bits, as everywhere; `unpack` makes
columns of those.
"""

from __future__ import annotations

import importlib.util
import logging
from types import FunctionType

import numba
import numpy as np
from numba import cuda

from card_envs import loops
from card_envs.game import MAX_SEATS, Game
from card_envs.kernels import bind, cache_folder, inlined

log = logging.getLogger("card_envs")

SIMULATED = bool(numba.config.ENABLE_CUDASIM)
THREADS = 128  # in a block
SIMULATED_THREADS = 8
LANES = 1 if SIMULATED else 32  # threads that do a row in `unpack`
NONE_REFUSED = np.iinfo(np.int64).max
LEAVE, RESTART, SHOW = range(3)  # what `restart` does with a row
TEMPLATES = ("_begin", "_advance", "_finish", "_settle", "_step_table")

# Put in for each game, as in `loops`.
observe = begin = step_table = None


def check(tables, actions, refused):
    """refused[0]: the lowest row with an illegal action."""
    i = cuda.grid(1)
    if i < len(tables):
        s = tables[i]
        if int(s.ended) == 0 and not loops.is_legal(s, int(actions[i])):
            cuda.atomic.min(refused, 0, i)


def step(tables, actions, rule_args, offsets, modes, refused, results, words, final_words, history):
    """A step of every table, or of none where an action was refused; then what the seat to act sees."""
    i = cuda.grid(1)
    if i < len(tables) and refused[0] == NONE_REFUSED:
        rules, at, mode, s = rule_args[0], offsets[0], modes[0], tables[i]
        step_table(i, s, int(actions[i]), rules, at, mode, results[i], history, final_words)
        results[i].seat = int(s.turn)
        observe(s, int(s.turn), rules, at, line(words, i))


def restart(tables, rows, rule_args, offsets, results, words):
    """Rows that are to RESTART begin a new episode; those, and the ones to SHOW, are shown."""
    i = cuda.grid(1)
    if i < len(tables) and rows[i] != LEAVE:
        rules, s, result = rule_args[0], tables[i], results[i]
        if rows[i] == RESTART:
            begin(s, rules)
            for seat in range(MAX_SEATS):
                result.rewards[seat] = 0.0
            result.terminated = False
            result.truncated = False
        result.seat = int(s.turn)
        observe(s, int(s.turn), rules, offsets[0], line(words, i))


def set_keys(tables, rows, seed, ids):
    """As `loops.set_keys`, where `rows` is not 0."""
    i = cuda.grid(1)
    if i < len(tables) and rows[i] != 0:
        loops_set_keys(tables[i : i + 1], seed, ids[i : i + 1])


def choose_random(tables, actions, salt):
    """As `loops.choose_random`."""
    i = cuda.grid(1)
    if i < len(tables):
        loops_choose_random(tables[i : i + 1], actions[i : i + 1], salt)


def unpack(packed, places, per_word, one, out):
    """Bits to columns. Bit c % 8 of byte places[c // 8] of row r of packed, uint8 [B, *], becomes column c of row r: `one` or 0.

    A row of out, int64 [B, *], holds the columns, `per_word` in a word. LANES threads do a row, side by side.
    """
    i = cuda.grid(1)
    row = i // LANES
    if row < len(out):
        width = 64 // per_word
        for k in range(i % LANES, out.shape[1], LANES):
            first = k * per_word
            bits = int(packed[row, places[first >> 3]]) >> (first & 7)
            word = 0
            for place in range(per_word):
                word = word | ((bits >> place) & 1) * one << (place * width)
            out[row, k] = word


@inlined
def line(array, i):
    """Row i of an array: what `pointers` makes for the processor are plain rows on a GPU."""
    return array[i]


@inlined
def no_prefetch(array, i):
    """The threads of a GPU wait for each other's memory as it is."""


ROWS = {"row": line, "line": line, "prefetch": no_prefetch}
loops_set_keys, loops_choose_random = (bind(kernel, ROWS, inline=False) for kernel in (loops.set_keys, loops.choose_random))
KERNELS = {kernel.__name__: kernel for kernel in (check, step, restart, set_keys, choose_random, unpack)}


class CudaKernels:
    """The kernels of one game, each compiled at its first launch (`step` and `restart` take some tens of seconds), then kept on disk."""

    def __init__(self, game: Game, device: int = 0):
        if not SIMULATED and importlib.util.find_spec("numba_cuda") is None:
            raise ImportError("engine='cuda' needs numba-cuda: pip install 'card-envs[gpu]'")
        self.game, self.device = game, device
        self._verbs = {
            name: getattr(game, name) for name in ("new_match", "deal", "open_deal", "legal", "apply", "observe")
        } | ROWS
        for name in TEMPLATES:
            self._verbs[name.lstrip("_")] = bind(getattr(loops, name), self._verbs, inline=False)
        self._compiled = {}

    def source(self, name: str) -> FunctionType:
        """The Python function of a kernel, for this game."""
        kernel = KERNELS[name]
        return FunctionType(kernel.__code__, {**globals(), **self._verbs}, name)

    def launch(self, name: str, size: int, stream: int, *arguments) -> None:
        """Start a kernel on a CUDA stream (its handle), with a thread for each of `size` items."""
        if name not in self._compiled:
            self._compiled[name] = _kept_on_disk(self.source(name), self.game.name)
        kernel = self._compiled[name]
        if SIMULATED:  # in which every thread is one of Python's
            kernel[-(-size // SIMULATED_THREADS), SIMULATED_THREADS](*arguments)
            return
        with cuda.gpus[self.device]:
            kernel[-(-size // THREADS), THREADS, cuda.external_stream(stream)](*arguments)

    def array(self, memory, dtype):
        """The bytes of a contiguous tensor (uint8 [N], on the device) as a kernel's argument, an array of `dtype`: no copy."""
        if SIMULATED:
            array = memory.numpy().view(dtype)
            return array.view(np.recarray) if array.dtype.names else array
        with cuda.gpus[self.device]:
            return cuda.as_cuda_array(memory, sync=False).view(dtype)


def _kept_on_disk(function, game: str):
    """The kernel, compiled at its first launch and cached in a folder of its own game and sources, as `kernels.compiled` does."""
    if SIMULATED:
        return cuda.jit(function)
    from numba.cuda.core import config

    folder = cache_folder() / "cuda" / game
    if not list(folder.glob(f"**/*{function.__name__}*.nbi")):
        log.warning("card_envs: compiling %s for %s for the GPU (once; a minute or more)", function.__name__, game)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # read while decorating
    try:
        return cuda.jit(cache=True)(function)
    finally:
        config.CACHE_DIR = before


def aligned(settings: np.ndarray) -> np.ndarray:
    """A record of integers of `kernels.integers`, said to be aligned: a GPU would read it byte by byte otherwise."""
    return np.asarray(settings).view(np.dtype(settings.dtype.descr, align=True))
