"""What the kernels read and write beside the rules: how an environment steps, the tables, and where results go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from card_envs.game import MAX_SEATS, Game
from card_envs.kernels import CACHE_LINE, JIT, integers
from card_envs.layout import BLOCK, Layout
from card_envs.rewards import REWARDS

AUTORESET = ("next_step", "same_step", "disabled")
ILLEGAL = ("raise", "penalise", "random_legal")
OBSERVATIONS = ("uint8", "float32", "bits", "none")
EPISODES = ("match", "deal", "open")  # open: nothing is dealt by itself, for given deals
NEXT_STEP, SAME_STEP, DISABLED = range(3)
RAISE, PENALISE, RANDOM_LEGAL = range(3)
AS_BYTES, AS_FLOATS, AS_BITS, UNSEEN = range(4)
MATCH, DEAL, OPEN = range(3)
TERMINATED, TRUNCATED = 1, 2


# What a step says about a table beside mask and observation; one record a table, so a kernel passes one pointer.
RESULT = np.dtype(
    [
        ("rewards", "f4", MAX_SEATS),  # what each seat earned by the step
        ("seat", "i1"),  # to act
        ("terminated", "?"),
        ("truncated", "?"),
        ("spare", "u1"),
        ("illegal", "i4"),  # illegal actions met so far
        ("final_scores", "i4", MAX_SEATS),  # by side, at the end of the last finished episode
    ],
    align=True,
)


class Buffers(NamedTuple):
    """What a step writes, first axis B. Forms of the observation that are not asked for have no columns."""

    results: np.ndarray  # RESULT [B]
    mask: np.ndarray  # int8 [B, A]
    words: np.ndarray  # int64 [B, K] observation of the seat to act; of one block of rows where it is spread
    packed: np.ndarray  # int64: room for the bits of a block of rows
    vector: np.ndarray  # uint8 [B, O]
    floats: np.ndarray  # float32 [B, O]
    final_words: np.ndarray  # int64 [B, K]: what the seat that acted last saw at the end of its episode
    history: np.ndarray  # int16 [B, L]: the actions of this deal, seat * 256 + action; no columns where they are not kept


def aligned(shape: tuple[int, ...], dtype) -> np.ndarray:
    """Zeros that start on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + size].view(dtype).reshape(shape)


def new_tables(game: Game, rules, num_tables: int) -> np.ndarray:
    """Zeroed table records [num_tables], none sharing a cache line; a recarray in plain Python, for its attributes."""
    tables = aligned((num_tables,), game.table_dtype(rules))
    return tables if JIT else tables.view(np.recarray)


def new_buffers(
    layout: Layout, num_tables: int, num_actions: int, observation: str, *, keep_words: bool = False, max_history: int = 0
) -> Buffers:
    """Output arrays, allocated once; those of forms not asked for have no columns. keep_words: of all rows, not of a block."""

    def asked(form: str) -> int:
        return layout.width if observation == form else 0

    results = aligned((num_tables,), RESULT)
    kept = num_tables if keep_words or observation == "bits" else BLOCK
    return Buffers(
        results=results if JIT else results.view(np.recarray),
        mask=aligned((num_tables, num_actions), np.int8),
        words=aligned((kept, layout.num_words), np.int64),
        packed=layout.new_packed(),
        vector=aligned((num_tables, asked("uint8")), np.uint8),
        floats=aligned((num_tables, asked("float32")), np.float32),
        final_words=aligned((num_tables, layout.num_words), np.int64),
        history=aligned((num_tables, max_history), np.int16),
    )


def kernel_mode(*, episode, autoreset, reward, illegal, observation, skip_forced, penalty, keeps_history) -> np.ndarray:
    """How an environment steps, from the names that faces accept, as a record for kernels.

    penalty: what an illegal action is worth to the side that did it, under illegal="penalise".
    """
    return integers(
        {
            "episode": EPISODES.index(episode),
            "autoreset": AUTORESET.index(autoreset),
            "reward": REWARDS.index(reward),
            "illegal": ILLEGAL.index(illegal),
            "observation": OBSERVATIONS.index(observation),
            "skip_forced": int(skip_forced),
            "penalty": penalty,
            "keeps_history": int(keeps_history),
        }
    )
