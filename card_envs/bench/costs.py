"""What a user pays beside time a step: memory, the import, the compilation, the trainer. Processes of their own measure these."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from card_envs.bench.faces import state_bytes
from card_envs.envs.vector import VecEnv
from card_envs.games import load

MANY_TABLES = 65_536
POLL_SECONDS = 0.2
PATIENCE_SECONDS = 30  # for a trainer that is told to end
IMPORT = """
import json, time
start = time.process_time(), time.perf_counter()
import card_envs
print(json.dumps({"cpu_seconds": time.process_time() - start[0], "seconds": time.perf_counter() - start[1], "peak_rss": PEAK}))
"""
PEAK = """
def peak_rss():
    try:
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return None
"""
FIRST_STEPS = """
import json, sys, time
import card_envs
start = time.process_time(), time.perf_counter()
vec = card_envs.make_vec(sys.argv[1], 2, seed=1)
vec.reset()
vec.step(vec.random_actions())
env = card_envs.make(sys.argv[1])
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(json.dumps({"cpu_seconds": time.process_time() - start[0], "seconds": time.perf_counter() - start[1]}))
"""


def memory(game: str, preset: str) -> dict:
    """Bytes of a table's record, and what a batch of 65,536 with masks and uint8 observations takes in all, as allocated."""
    found = load(game)
    rules = found.rules(preset)
    tracemalloc.start()
    try:
        vec = VecEnv(found, rules, MANY_TABLES, seed=1, copy=False)
        vec.reset()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    named = {"game": game, "preset": preset, "state_bytes": state_bytes(vec)}
    return named | {"table_bytes": round(taken / MANY_TABLES), "tables": MANY_TABLES, "tables_bytes": taken}


def imported() -> dict:
    """Seconds and peak memory of a fresh process that imports the package and nothing else; the second of two, so files are near.

    peak_rss: bytes, None where the system does not tell.
    """
    code = PEAK + IMPORT.replace("PEAK", "peak_rss()")
    python(code)
    return rounded(python(code))


def compiled(game: str) -> dict:
    """Seconds of the first steps of a batch and of an AEC environment in a fresh process: nothing compiled yet, and once all is."""
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (rounded(python(FIRST_STEPS, game, NUMBA_CACHE_DIR=folder)) for _ in range(2))
    return {"game": game, "cold": cold, "warm": warm}


def python(code: str, *arguments: str, **variables: str) -> dict:
    """What the code prints, as JSON, run by this Python; raises CalledProcessError with its words where it fails."""
    found = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=os.environ | variables, capture_output=True, text=True, check=True
    )
    return json.loads(found.stdout)


def rounded(found: dict) -> dict:
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in found.items()}


# --- the trainer -------------------------------------------------------------------------------------------------------------


def trainer(config: Path, seconds: float) -> dict:
    """Peak memory of `python -m training.train config`, all its processes together, over its first `seconds` of wall time.

    peak_rss: bytes; pages that processes share count once for each. Raises OSError where the system has no /proc, and
    RuntimeError with the trainer's words where it fails.
    """
    if not Path("/proc/self/status").exists():
        raise OSError("the memory of running processes is read from /proc, which this system has not")
    with tempfile.TemporaryDirectory() as folder, open(Path(folder) / "output", "w+") as output:
        command = [sys.executable, "-m", "training.train", str(config), "--run_dir", str(Path(folder) / "run")]
        run = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        peak, most, until, sizes = 0, 0, time.monotonic() + seconds, {}
        try:
            while run.poll() is None and time.monotonic() < until:
                sizes = family(run.pid)
                peak, most = max(peak, sum(sizes.values())), max(most, len(sizes))
                time.sleep(POLL_SECONDS)
        finally:
            if run.poll() is None:
                end(run, sizes)
        if run.returncode > 0:
            output.seek(0)
            raise RuntimeError(f"{' '.join(command[1:])} failed: {output.read()[-500:]}")
    return {"config": str(config), "seconds": seconds, "processes": most, "peak_rss": peak}


def family(first: int) -> dict[int, int]:
    """Resident bytes by process id, of a process and all that it has started, and these in turn."""
    parents, sizes = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        except OSError:
            continue  # it has ended meanwhile
        parents[int(folder.name)] = int(fields["PPid"])
        sizes[int(folder.name)] = 1024 * int(fields.get("VmRSS", "0 kB").split()[0])
    found, fresh = {first}, {first}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh}
        found |= fresh
    return {pid: sizes[pid] for pid in found if pid in sizes}


def end(run: subprocess.Popen, started: dict[int, int]) -> None:
    """End a process and what it has started, the youngest first; returns once all are gone."""
    for pid in sorted(started, reverse=True):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    try:
        run.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        run.kill()
        run.wait()
    for pid in started:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
