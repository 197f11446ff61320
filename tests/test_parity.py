"""Interpreted, compiled, parallel and scalar runs give the same bytes.

The full size, on two processes, takes some twenty minutes, most of it the interpreted runs:

    CARD_ENVS_PARITY_MATCHES=2000 python -m pytest tests/test_parity.py -n 2 --dist worksteal
"""

import functools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import card_envs
from card_envs.games import load
from tests import parity

ROOT = Path(__file__).parents[1]
MATCHES = int(os.environ.get("CARD_ENVS_PARITY_MATCHES", 6))  # for each preset, in the interpreted run
SIZES = {setup: MATCHES if setup.endswith(preset) else min(MATCHES, 100) for setup, (_, preset, _) in parity.SETUPS.items()}
PARTS = 1 if MATCHES <= 50 else 4  # of an interpreted run, so that processes can share it
TABLES = 4 if MATCHES <= 50 else 64
PARALLEL_TABLES = 1027  # enough for two threads, in unequal parts


@functools.cache
def steps_for(setup: str) -> int:
    """Steps in which the setup's number of matches end at the tables."""
    name, preset, options = parity.SETUPS[setup]
    vec = card_envs.make_vec(name, TABLES, preset=preset, observation="none", **options)
    view = vec.reset(seed=parity.SEED)
    steps = ended = 0
    while ended < SIZES[setup]:
        view = vec.step(parity.choose(view.action_mask, np.arange(TABLES), steps))
        ended += int(view.done.sum())
        steps += 1
    return steps


def interpreted(setup: str, num_tables: int, num_steps: int, first: int) -> list[str]:
    """The hashes of a run of plain Python, in a process of its own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.parity", "batch", setup, *map(str, (num_tables, num_steps, first))]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.split()[1:]


def test_every_preset_has_a_setup():
    covered = {(name, preset) for name, preset, _ in parity.SETUPS.values()}
    assert covered == {(name, preset) for name in card_envs.games() for preset in load(name).presets}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("setup", parity.SETUPS)
def test_interpreted_and_compiled_runs_agree(setup, part):
    steps, share = steps_for(setup), TABLES // PARTS
    assert interpreted(setup, share, steps, part * share) == parity.batch(setup, share, steps, part * share)[0]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("setup", parity.SETUPS)
def test_scalar_and_batch_runs_agree(setup, part):
    steps, share = steps_for(setup), TABLES // PARTS
    assert parity.scalar(setup, share, steps, part * share) == parity.batch(setup, share, steps, part * share)


@pytest.mark.parametrize("setup", parity.SETUPS)
def test_parallel_and_serial_runs_agree(setup):
    """Also with a batch of few tables: what happens at a table does not depend on the others."""
    steps = 100
    parallel, _ = parity.batch(setup, PARALLEL_TABLES, steps, threads=2)
    assert parallel == parity.batch(setup, PARALLEL_TABLES, steps)[0]
    assert parallel[:TABLES] == parity.batch(setup, TABLES, steps)[0]
