"""Compiles the kernels of a game for a GPU, on a machine without one.

    python -m tests.envs.cuda_ptx GAME [FOLDER]

Needs numba-cuda and its NVVM. Prints a line a kernel; with a folder the PTX is left there, and where `ptxas` is installed the line
says how many registers a thread uses and how many bytes it spills.
"""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numba
import numpy as np
from numba import cuda as numba_cuda

from card_envs import cuda
from card_envs.buffers import RESULT, kernel_mode
from card_envs.game import kernel_args
from card_envs.games import load

HOPPER = (9, 0)
MODE = {"episode": "match", "autoreset": "same_step", "reward": "win", "illegal": "raise"}


def arguments(game) -> dict[str, tuple]:
    """Arrays of the types that `CudaTables` hands to each kernel, and numbers."""
    rules = game.rules()
    layout = game.layout(rules)
    mode = kernel_mode(**MODE, observation="none", skip_forced=False, penalty=1, keeps_history=False)
    rule_args, at, mode = (cuda.aligned(record) for record in (kernel_args(game, rules), layout.at, mode))
    tables, results = np.zeros(1, game.table_dtype(rules)), np.zeros(1, RESULT)
    numbers, words, some = np.zeros(1, np.int64), np.zeros((1, layout.num_words), np.int64), np.zeros(1, np.uint8)
    return {
        "check": (tables, numbers, numbers),
        "step": (tables, numbers, rule_args, at, mode, numbers, results, words, words, np.zeros((1, 1), np.int16)),
        "restart": (tables, some, rule_args, at, results, words),
        "set_keys": (tables, np.zeros(1, np.uint8), np.uint64(1), numbers),
        "choose_random": (tables, numbers, 1),
        "unpack": (words.view(np.uint8), np.zeros(1, np.int32), 8, 1, words),
    }


def compiled(game, name: str) -> str:
    """The PTX of one kernel."""
    signature = numba.void(*map(numba.typeof, arguments(game)[name]))
    dispatcher = importlib.import_module("numba.cuda.dispatcher")
    device = SimpleNamespace(compute_capability=HOPPER)  # asked for when rules are compiled that the kernel calls
    with mock.patch.object(dispatcher, "get_current_device", lambda: device):
        source = cuda.CudaKernels(game).source(name)
        return numba_cuda.compile(source, signature, cc=HOPPER, device=False, abi="numba")[0]


def assembled(ptx: Path) -> str:
    """What ptxas says of registers and spills."""
    command = ["ptxas", f"-arch=sm_{HOPPER[0]}{HOPPER[1]}", "-v", "-o", str(ptx.with_suffix(".cubin")), str(ptx)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    registers = re.search(r"Used (\d+) registers", said)[1]
    memory = re.search(r"\d+ bytes stack frame, \d+ bytes spill stores, \d+ bytes spill loads", said)[0]
    return f"{registers} registers, {memory}"


def main(name: str, folder: str | None = None) -> None:
    game = load(name)
    with tempfile.TemporaryDirectory() as temporary:
        for kernel in cuda.KERNELS:
            ptx = Path(folder or temporary) / f"{name}_{kernel}.ptx"
            ptx.write_text(compiled(game, kernel), encoding="utf-8")
            print(name, kernel, "target sm_90", assembled(ptx) if shutil.which("ptxas") else "", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
