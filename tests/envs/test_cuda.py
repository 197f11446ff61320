"""The rules for a GPU give the same bytes as those for the processor. No GPU is needed: they run in numba's simulator."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import card_envs
from card_envs import cuda
from card_envs.games import load
from tests.envs import cuda_run

ROOT = Path(__file__).parents[2]


def test_every_game_is_run():
    assert {game for game, _ in cuda_run.SETUPS.values()} == set(card_envs.games())


def test_the_simulated_kernels_give_the_same_bytes_as_the_engine_on_the_cpu():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.envs.cuda_run"]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    played = {name: cuda_run.run(name, "host") for name in cuda_run.SETUPS}
    assert said.splitlines() == [f"{digest} {ended}" for digest, ended in played.values()]
    assert all(ended for _, ended in played.values())


@pytest.mark.parametrize("game", card_envs.games())
def test_kernels_compile_for_a_gpu(game):
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed (extra gpu)")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-m", "tests.envs.cuda_ptx", game]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert [line.split()[1] for line in said.splitlines() if "sm_90" in line] == list(cuda.KERNELS)


def test_a_missing_numba_cuda_names_the_extra(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'card-envs\[gpu\]'"):
        cuda.CudaKernels(load("pitch"))


@pytest.fixture(scope="module")
def gpu_check():
    spec = importlib.util.spec_from_file_location("gpu_check", ROOT / "scripts/gpu_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_check_for_gpus_finds_what_differs(gpu_check, monkeypatch):
    assert gpu_check.differences("pitch", "host", "cpu", tables=16, steps=40) == []
    make = card_envs.make_torch
    monkeypatch.setattr(card_envs, "make_torch", lambda *given, seed, **settings: make(*given, seed=seed + 1, **settings))
    (found,) = gpu_check.differences("pitch", "host", "cpu", tables=16, steps=40)
    assert found.startswith("observation at step 0, rows [0, 1, 2, 3, 4] of 16")
