"""One run by either engine of `make_torch`, as a hash of everything shown at every step and of the state at the end.

    NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.envs.cuda_run

prints those of the rules for CUDA, in numba's simulator.
"""

from __future__ import annotations

import dataclasses
import hashlib

import torch

import card_envs
from card_envs.table import IllegalAction

TABLES, STEPS = 9, 45
NO_ACTION = -1
SETUPS = {  # game, settings
    "raise": ("pitch", {"episode": "deal", "observation": "uint8"}),
    "random_legal": ("pit", {"autoreset": "next_step", "illegal": "random_legal", "max_rounds": 1, "dtype": "bfloat16"}),
    "penalise": ("spades", {"autoreset": "disabled", "illegal": "penalise", "episode": "deal", "ranks": 7, "dtype": "float32"}),
    "skip_forced": ("pitch", {"preset": "setback6", "skip_forced": True, "max_hands": 1, "observation": "bits"}),
}


def run(setup: str, engine: str) -> tuple[str, int]:
    """The hash, and how many episodes ended."""
    game, settings = SETUPS[setup]
    env = card_envs.make_torch(game, TABLES, engine=engine, seed=11, keep_history=True, **settings)
    digest = hashlib.sha256()
    ended = 0

    def note(view):
        for field in dataclasses.fields(view):
            digest.update(getattr(view, field.name).contiguous().view(torch.uint8).numpy())

    note(env.reset(seed=5, tables=torch.arange(TABLES).flip(0)))
    for step in range(STEPS):
        actions = env.random_actions(step)
        if settings.get("illegal") and step % 6 == 5:
            actions[step % TABLES] = NO_ACTION
        view = env.step(actions)
        note(view)
        ended += int(view.done.sum())
        if step % 16 == 15 and settings.get("autoreset") == "disabled":
            note(env.reset(rows=view.done.clone()))
    if "illegal" not in settings:
        try:
            env.step(torch.full((TABLES,), NO_ACTION))
        except IllegalAction as error:
            digest.update(str(error).encode())
    digest.update(env.history().numpy())
    digest.update(env.gains.numpy())
    digest.update(f"{env.illegal_count}".encode())
    state = env.get_state()
    digest.update(state)
    note(env.set_state(state))
    return digest.hexdigest(), ended


if __name__ == "__main__":
    for name in SETUPS:
        print(*run(name, "cuda"))
