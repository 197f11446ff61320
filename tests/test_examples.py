"""The examples run as they are called, and what they print is what they promise."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[1]
EXAMPLES = {  # the arguments of a short run, what it must print, and the framework that it needs
    "sb3_maskable_ppo.py": (["--steps", "1", "--deals", "20"], ["16384 decisions", "MaskablePPO      basic"], "sb3_contrib"),
    "openspiel_cfr.py": (["--ranks", "2", "--iterations", "20"], ["uniform: expl", "CFR   20: expl"], "pyspiel"),
    "cleanrl_style_ppo.py": (
        ["--total-steps", "8192", "--num-envs", "64", "--eval-deals", "20"],
        ["8192 decisions", "expert"],
        "torch",
    ),
    "rllib_self_play.py": (
        ["--steps", "2000", "--deals", "20", "--past", "2"],
        [" decisions", "RLlib            basic"],
        "ray",
    ),
    "rlcard_dqn.py": (["--episodes", "200", "--deals", "20"], ["200 deals", "RLCard DQN       basic"], "rlcard"),
    "tianshou_ppo.py": (["--steps", "2000", "--deals", "20"], ["2000 decisions", "Tianshou PPO     basic"], "tianshou"),
}
WARN_OF_THEMSELVES = ("ray", "tianshou", "rlcard")  # these frameworks warn of their own deprecations


def run(name: str, *arguments: str) -> str:
    strict = [] if EXAMPLES[name][2] in WARN_OF_THEMSELVES else ["-W", "error"]
    command = [sys.executable, *strict, str(ROOT / "scripts" / "examples" / name), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_every_example_is_run():
    assert {path.name for path in (ROOT / "scripts" / "examples").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name):
    arguments, promised, framework = EXAMPLES[name]
    pytest.importorskip(framework)
    printed = run(name, *arguments)
    for text in promised:
        assert text in printed


def test_the_advantages_of_the_ppo_example_are_those_of_each_seats_own_turns():
    """One table, two seats, gamma 1, lambda 0.5; the deal ends at step 3, which pays seat 0 two points and takes them from seat 1.

    Seat 0 decides at 0 and 3 with values 0.5 and 1, seat 1 at 1 and 2 with values 0 and -1; then seat 1 leads the next deal.
    """
    code = runpy.run_path(str(ROOT / "scripts" / "examples" / "cleanrl_style_ppo.py"))
    rollout = SimpleNamespace(
        value=torch.tensor([[0.5], [0.0], [-1.0], [1.0], [0.3], [0.2]]),
        seat=np.array([[0], [1], [1], [0], [1], [1]]),
        rewards=np.array([[[0, 0]], [[0, 0]], [[0, 0]], [[2, -2]], [[0, 0]], [[0, 0]]], np.float32),
        done=np.array([[False], [False], [False], [True], [False], [False]]),
    )
    advantage, known = code["advantages"](rollout, gamma=1.0, gae_lambda=0.5)
    last_0 = 2 - 1.0  # paid 2, expected 1
    first_0 = (1.0 - 0.5) + 0.5 * last_0
    last_1 = -2 - -1.0
    first_1 = (-1.0 - 0.0) + 0.5 * last_1
    before_unknown = 0.2 - 0.3  # its next decision is not known: only its value counts
    assert advantage[:, 0] == pytest.approx([first_0, first_1, last_1, last_0, before_unknown, 0])
    assert known[:, 0].tolist() == [True, True, True, True, True, False]
