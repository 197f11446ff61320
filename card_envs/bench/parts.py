"""Where the time of a batch's step goes, and how long deals and matches are."""

from __future__ import annotations

import contextlib
import statistics
import time

import numpy as np

from card_envs.bench.faces import COMPILED_SIZE, SEED, Case, batch, trajectory
from card_envs.bench.timing import timed
from card_envs.envs.vector import VecEnv
from card_envs.games import load
from card_envs.layout import WORD_BITS, Group, Layout, Piece
from card_envs.loops import loops

LENGTH_TABLES = 256
NANO = 1e9


def split(rows: list[dict], windows: int) -> list[dict]:
    """For each batch on one thread with all of "none", "bits" and "uint8" among the rows: CPU nanoseconds of a step by part.

    face: Python around the kernels. mask: spreading the legal actions into bytes, timed by itself. rules: what is left of
    the step without observation. observation, columns: what "bits" takes more than "none", and "uint8" more than "bits".
    """
    found = []
    times: dict[tuple, dict] = {}
    for row in rows:
        if row["face"] == "batch" and row["threads"] == 1 and row["size"] >= COMPILED_SIZE:
            key = (row["game"], row["preset"], row["size"])
            times.setdefault(key, {})[row["observation"]] = NANO / row["steps_per_cpu_second"]
    for key, spent in times.items():
        if not {"none", "bits", "uint8"} <= set(spent):
            continue
        face, mask = face_time(*key, windows), mask_time(*key, windows)
        parts = {
            "face": face,
            "rules": spent["none"] - face - mask,
            "mask": mask,
            "observation": spent["bits"] - spent["none"],
            "columns": spent["uint8"] - spent["bits"],
            "whole": spent["uint8"],
        }
        named = dict(zip(("game", "preset", "size"), key, strict=True))
        found.append(named | {f"{part}_nanoseconds": round(value, 2) for part, value in parts.items()})
    return found


@contextlib.contextmanager
def kernel_clock(game: str):
    """Yields a list of one number: the CPU seconds spent in the game's kernels since it was set to zero."""
    kernels, spent = loops(load(game)), [0.0]
    plain = {name: kernel for name, kernel in vars(kernels).items() if callable(kernel) and not name.startswith("_")}

    def clocked(kernel):
        def call(*args):
            start = time.process_time()
            answer = kernel(*args)
            spent[0] += time.process_time() - start
            return answer

        return call

    for name, kernel in plain.items():
        setattr(kernels, name, clocked(kernel))
    try:
        yield spent
    finally:
        for name, kernel in plain.items():
            setattr(kernels, name, kernel)


def face_time(game: str, preset: str, size: int, windows: int) -> float:
    """CPU nanoseconds of a step that are spent outside of kernels: checking actions, making the view."""
    state, actions = trajectory(game, preset, size)
    found = []
    with kernel_clock(game) as in_kernels:
        vec = batch(Case("batch", game, preset, size, "none"))
        for _ in range(windows + 1):
            vec.set_state(state)
            in_kernels[0], start = 0.0, time.process_time()
            for given in actions:
                vec.step(given)
            found.append((time.process_time() - start - in_kernels[0]) / actions.size)
    return NANO * statistics.median(found[1:])


def mask_time(game: str, preset: str, size: int, windows: int) -> float:
    """CPU nanoseconds for spreading the legal actions of a table into bytes, as a step does it."""
    state, actions = trajectory(game, preset, size)
    vec = batch(Case("batch", game, preset, size, "none"))
    view = vec.set_state(state)
    num_words = vec.num_actions // WORD_BITS
    layout = Layout((Group("legal", "seat", (Piece("actions", WORD_BITS - 1, "flags", "legal actions"),)),), num_words, 1)
    words, out = np.ascontiguousarray(view.legal[:, :num_words]), np.empty((size, layout.width), np.uint8)

    def window():
        for _ in actions:
            layout.spread_into(words, out)

    return NANO / statistics.median(timed(lambda: None, window, actions.size, windows, "compiled").cpu)


def lengths(game: str, preset: str) -> dict:
    """Decisions of a deal and of a match under random play, means over the first of every table."""
    return {
        "game": game,
        "preset": preset,
        "decisions_a_deal": round(episode_length(game, preset, "deal"), 2),
        "decisions_a_match": round(episode_length(game, preset, "match"), 2),
    }


def episode_length(game: str, preset: str, episode: str) -> float:
    found = load(game)
    settings = {"seed": SEED, "episode": episode, "observation": "none", "autoreset": "disabled", "copy": False}
    vec = VecEnv(found, found.rules(preset), LENGTH_TABLES, **settings)
    vec.reset()
    playing, decisions = np.ones(LENGTH_TABLES, bool), 0
    while playing.any():
        decisions += np.count_nonzero(playing)
        playing &= ~vec.step(vec.random_actions()).done
    return decisions / LENGTH_TABLES
