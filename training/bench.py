"""How much of the machine's arithmetic the trainer uses.

    python -m training.bench configs/<name>.toml [--dotted.override value] [--rounds N] [--runs-of N] [--json]

Three rates are measured in turns, so that all of them meet the machine in the same states, and given as medians with quartiles:

* matrix: floating-point operations a second of large matrix products in the run's precision, on the run's threads;
* bare loop: forward and backward of the same network on minibatches of the same size, with the plainest loss, and the same
  optimiser: what could be learned from if decisions came for nothing;
* trainer: whole iterations, that is tables, inference, advantages, loss and update.

With `--runs-of N` one whole run of 1 and one of N processes follow: learned decisions a second of wall clock.

Of a decision the multiplications and additions of the network's matrices are counted: once to choose the action, and three
times (forward, and twice as much backward) for each epoch in which it is learned from.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from training.config import Config, ConfigError, load_config
from training.learner import Learner
from training.policy import Policy, autocast
from training.ppo import Coefficients, make_optimizer, update
from training.processes import Processes
from training.rollout import collect, to_batch
from training.train import split_overrides

MATRIX = 1024  # rows and columns of the product that the matrix rate is measured with
MATRIX_PRODUCTS = 10
BARE_MINIBATCHES = 40
RUN_ITERATIONS = 30  # of a whole run, whose first iterations warm up and are left out
WARM_UP = 5


def forward_operations(policy: Policy) -> int:
    """Floating-point operations of one decision's way through the network's matrices."""
    return 2 * sum(layer.weight.numel() for layer in policy.modules() if isinstance(layer, nn.Linear))


def operations_per_decision(policy: Policy, update_epochs: int) -> int:
    """Of one that is made, and learned from in every epoch."""
    return forward_operations(policy) * (1 + 3 * update_epochs)


class Stopwatch:
    """Rates of several things, measured in turns."""

    def __init__(self):
        self.rates = defaultdict(list)  # a second of wall clock
        self.cpu_rates = defaultdict(list)  # a second of the process's CPU time

    def time(self, what: str, act: Callable[[], int]) -> None:
        """Do it and note how many units it did a second."""
        start, cpu = time.perf_counter(), time.process_time()
        units = act()
        wall_end, cpu_end = time.perf_counter(), time.process_time()
        self.rates[what].append(units / (wall_end - start))
        self.cpu_rates[what].append(units / (cpu_end - cpu))


def multiply(config: Config) -> int:
    left, right = torch.randn(MATRIX, MATRIX), torch.randn(MATRIX, MATRIX)
    with autocast(config.precision):
        for _ in range(MATRIX_PRODUCTS):
            left @ right
    return 2 * MATRIX**3 * MATRIX_PRODUCTS


def bare_loop(learner: Learner, policy: Policy, optimizer) -> int:
    """Minibatches without tables, advantages or the terms of the loss."""
    config, rollout = learner.config, learner.rollout
    size = config.num_envs * config.num_steps // config.ppo.num_minibatches
    observation, mask = rollout.observation.flatten(0, 1)[:size], rollout.action_mask.flatten(0, 1)[:size]
    for _ in range(BARE_MINIBATCHES):
        optimizer.zero_grad()
        with autocast(config.precision):
            choice, value = policy(observation, mask)
        (choice.log_probs.mean() + value.mean()).backward()
        optimizer.step()
    return size * BARE_MINIBATCHES


def iteration(learner: Learner, processes: Processes) -> int:
    """One of the trainer's; returns how many decisions it learned from."""
    with torch.inference_mode(), autocast(learner.config.precision):
        collect(learner)
    batch = to_batch(learner.rollout, learner.config.ppo.gamma, learner.config.ppo.gae_lambda)
    update(learner, batch, Coefficients.at(0.0, learner.config.ppo), processes)
    return len(batch)


def measure(config: Config, rounds: int) -> dict:
    """The rates of one process, and what follows from them."""
    torch.set_num_threads(config.threads)
    learner, processes, watch = Learner(config, 0), Processes(), Stopwatch()
    bare = Policy(learner.policy.num_inputs, learner.policy.num_actions, config.network)
    optimizer = make_optimizer(bare)
    for _ in range(2):
        iteration(learner, processes)
        bare_loop(learner, bare, optimizer)
    for _ in range(rounds):
        watch.time("matrix", lambda: multiply(config))
        watch.time("bare loop", lambda: bare_loop(learner, bare, optimizer))
        watch.time("trainer", lambda: iteration(learner, processes))
    operations = operations_per_decision(learner.policy, config.ppo.update_epochs)
    medians = {name: statistics.median(rates) for name, rates in watch.cpu_rates.items()}
    pairs = zip(watch.cpu_rates["trainer"], watch.cpu_rates["bare loop"], strict=True)
    return {
        "game": config.game,
        "parameters": sum(parameter.numel() for parameter in learner.policy.parameters()),
        "minibatch": config.num_envs * config.num_steps // config.ppo.num_minibatches,
        "operations_per_decision": operations,
        "rates": {name: spread(rates) for name, rates in watch.rates.items()},
        "rates_per_cpu_second": {name: spread(rates) for name, rates in watch.cpu_rates.items()},
        "trainer_to_bare_loop": spread([trainer / bare for trainer, bare in pairs]),
        "share_of_matrix_rate": medians["trainer"] * operations / medians["matrix"],
    }


def spread(rates: list[float]) -> dict[str, float]:
    low, middle, high = statistics.quantiles(rates, n=4, method="inclusive") if len(rates) > 1 else rates * 3
    return {"median": middle, "lower_quartile": low, "upper_quartile": high}


def whole_run(config_path: str, overrides: dict[str, str], processes: int, config: Config) -> float:
    """Learned decisions a second of a run of that many processes, without evaluation."""
    total = processes * config.num_envs * config.num_steps * RUN_ITERATIONS
    with tempfile.TemporaryDirectory() as folder:
        run_dir = Path(folder) / "run"
        settings = overrides | {
            "processes": str(processes), "total_decisions": str(total), "run_dir": str(run_dir), "evaluate.opponents": "[]",
            "evaluate.final_deals": "0", "checkpoint_every": str(10 * RUN_ITERATIONS),
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        subprocess.run([sys.executable, "-m", "training.train", config_path, *words], check=True, stdout=subprocess.DEVNULL)
        lines = [json.loads(line) for line in (run_dir / "metrics.jsonl").read_text().splitlines()]
    first, last = lines[WARM_UP - 1], lines[-1]
    return (last["learned"] - first["learned"]) / (last["seconds"] - first["seconds"])


def text(found: dict) -> str:
    """The figures for people."""

    def shown(name: str, unit: float = 1.0) -> str:
        rate = found["rates_per_cpu_second"][name]
        low, middle, high = (rate[key] / unit for key in ("lower_quartile", "median", "upper_quartile"))
        return f"{middle:,.1f} ({low:,.1f}..{high:,.1f})" if unit > 1 else f"{middle:,.0f} ({low:,.0f}..{high:,.0f})"

    ratio = found["trainer_to_bare_loop"]
    lines = [
        f"network: {found['parameters']:,} parameters, {found['operations_per_decision'] / 1e6:.2f} million operations a decision",
        f"matrix products: {shown('matrix', 1e9)} GFLOP a CPU second",
        f"bare loop, minibatches of {found['minibatch']}: {shown('bare loop')} decisions a CPU second",
        f"trainer: {shown('trainer')} learned decisions a CPU second",
        f"trainer / bare loop: {ratio['median']:.2f} ({ratio['lower_quartile']:.2f}..{ratio['upper_quartile']:.2f})",
        f"trainer's share of the matrix rate: {found['share_of_matrix_rate']:.0%}",
    ]
    if "processes" in found:
        runs = found["processes"]
        alone, together = runs["one"], runs["several"]
        lines.append(
            f"{runs['count']} processes: {together:,.0f} learned decisions a second, one {alone:,.0f}: {together / alone:.2f} times"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.bench", allow_abbrev=False, description=__doc__.partition("\n")[0]
    )
    parser.add_argument("config", help="a TOML file of settings")
    parser.add_argument("--rounds", type=int, default=15, help="times that each rate is measured")
    parser.add_argument("--runs-of", type=int, default=1, metavar="N", help="also compare runs of one and of N processes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    known, rest = parser.parse_known_args(arguments)
    try:
        plain, overrides = split_overrides(rest)
        if known.rounds < 1:
            raise ConfigError(f"--rounds {known.rounds}: must be at least 1")
        if plain:
            raise ConfigError(f"unknown words {' '.join(plain)}: settings are --dotted.name value")
        config = dataclasses.replace(load_config(known.config, overrides), processes=1)
    except ConfigError as error:
        print(f"training: {error}", file=sys.stderr)
        return 2
    found = measure(config, known.rounds)
    if known.runs_of > 1:
        one, several = (whole_run(known.config, overrides, count, config) for count in (1, known.runs_of))
        found["processes"] = {"count": known.runs_of, "one": one, "several": several}
    print(json.dumps(found) if known.json else text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
