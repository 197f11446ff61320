"""Does a GPU play the same games as the processor, and how fast? For a machine with an NVIDIA GPU and the extra `gpu`.

    python scripts/gpu_check.py [--game GAME] [--tables 4096] [--steps 300] [--sizes 65536 262144 1048576] [--device cuda]

First both engines of `make_torch` on the GPU play beside the batch of arrays on the processor: whatever is shown, and the state at
the end, must be the same bytes. Then steps a second, with actions chosen before (only playing and showing are timed), and the share
of the GPU's copy speed that this is: the least bytes that a step has to move are counted, the table's record read and written
once, and whatever is shown written once. Prints a line a result; exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch

import card_envs

SPREADING_STEPS = 64  # over which the tables of a batch start: in lockstep a GPU's threads would take the same branches
TIMED_STEPS = 100
FORMS = ("bits", "uint8", "bfloat16")
COPIED = 1 << 30  # bytes, to measure the copy speed


def differences(game: str, engine: str, device: str, tables: int, steps: int) -> list[str]:
    """What is not the same as on the processor, with the step."""
    settings = {"seed": 1, "illegal": "random_legal"}
    vec = card_envs.make_vec(game, tables, copy=False, **settings)
    env = card_envs.make_torch(game, tables, device=device, engine=engine, **settings)
    view, tensors = vec.reset(), env.reset()
    for step in range(steps):
        for field in dataclasses.fields(view):
            expected, found = getattr(view, field.name), getattr(tensors, field.name).cpu().numpy()
            if not np.array_equal(expected, found):
                rows = np.flatnonzero((expected != found).reshape(tables, -1).any(axis=1))
                return [f"{field.name} at step {step}, rows {rows[:5].tolist()} of {len(rows)}"]
        actions = vec.random_actions(step)
        actions[step % tables] = -1
        view, tensors = vec.step(actions), env.step(torch.from_numpy(actions).to(env.device))
    return [] if vec.get_state() == env.get_state() else ["the state at the end"]


def copy_speed(device: str) -> float:
    """Bytes a second, read and written, of a copy within the GPU's memory."""
    source = torch.zeros(COPIED, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return 2 * COPIED / seconds(lambda _: target.copy_(source), 20)


def seconds(work, times: int) -> float:
    """Of one call, over as many."""
    work(0)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for k in range(times):
        work(k)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / times


def speed(game: str, engine: str, device: str, size: int, form: str, threads: int, copying: float) -> dict:
    env = card_envs.make_torch(
        game, size, device=device, engine=engine, observation=form, seed=1, illegal="random_legal", threads=threads
    )
    env.reset()
    for step in range(SPREADING_STEPS):
        env.reset(rows=np.arange(size) % SPREADING_STEPS == step)
        env.step(env.random_actions(step))
    state = env.get_state()
    actions = []
    for step in range(TIMED_STEPS):
        actions.append(env.random_actions(step))
        env.step(actions[-1])
    env.set_state(state)
    each = seconds(lambda k: env.step(actions[k]), TIMED_STEPS)
    view = env.step(env.random_actions())
    written = sum(shown.numel() * shown.element_size() for shown in (view.observation, view.action_mask, view.legal))
    moved = written / size + 2 * env.game.table_dtype(env.rules).itemsize
    share = moved * size / each / copying if engine == "cuda" else None
    return {
        "game": game, "engine": engine, "tables": size, "observation": form, "steps_per_second": round(size / each),
        "microseconds_a_call": round(1e6 * each, 1), "bytes_a_step": round(moved), "share_of_copy_speed": share and round(share, 3),
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", action="append", help="may be repeated; all of them without")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--engine", action="append", choices=("cuda", "host"), help="may be repeated; both without")
    parser.add_argument("--tables", type=int, default=4096, help="in the comparison")
    parser.add_argument("--steps", type=int, default=300, help="in the comparison")
    parser.add_argument("--sizes", type=int, nargs="*", default=[65_536, 262_144, 1_048_576], help="tables that are timed")
    parser.add_argument("--threads", type=int, default=8, help="of the engine on the processor")
    given = parser.parse_args()
    games, engines = given.game or card_envs.games(), given.engine or ["cuda", "host"]
    print(json.dumps({"gpu": torch.cuda.get_device_name(given.device), "torch": torch.__version__}), flush=True)
    wrong = 0
    for game in games:
        for engine in engines:
            found = differences(game, engine, given.device, given.tables, given.steps)
            wrong += len(found)
            told = {"game": game, "engine": engine, "tables": given.tables, "steps": given.steps, "different": found}
            print(json.dumps(told), flush=True)
    if wrong:
        return 1
    copying = copy_speed(given.device)
    print(json.dumps({"copy_speed_gb_per_second": round(copying / 1e9)}), flush=True)
    for game in games:
        for engine in engines:
            for size in given.sizes:
                for form in FORMS:
                    print(json.dumps(speed(game, engine, given.device, size, form, given.threads, copying)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
