"""Train one policy by self-play.

    python -m training.train configs/<name>.toml [--dotted.override value]
    python -m training.train --resume runs/<run> [--dotted.override value]

`processes = 2` in the config starts two processes; `torchrun --nproc-per-node 2 -m training.train ...` does the same.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time

import torch

from card_envs.agents import AgentError
from card_envs.game import OptionError
from training.checkpoint import CheckpointError, RunDirectory, describe, load_policy, load_trainer
from training.config import Config, ConfigError, load_config
from training.evaluate import FINAL, VALIDATION, evaluate, load_opponents, lower_bound, margin_table
from training.learner import Learner
from training.policy import autocast
from training.ppo import Coefficients, between, update
from training.processes import Processes, relaunch
from training.progress import RunProgress
from training.report import write_report
from training.rollout import Batch, call_counts, collect, to_batch
from training.teaching import collect_lessons, imitate


def train(config: Config, resume: RunDirectory | None, processes: Processes) -> RunDirectory:
    """The whole run, in the order in which things happen."""
    torch.set_num_threads(config.threads)
    learner = Learner(config, processes.rank)
    for part in learner.vec.kinds.values():
        load_opponents(config.evaluate.opponents, part)  # a wrong name fails here, not at the first checkpoint
    run = resume or RunDirectory(processes.share(config.run_dir or default_run_dir(config)))
    is_first = processes.rank == 0
    if resume:
        counters = restore(learner, run, processes)
    else:
        counters = {"iteration": 0, "decisions": 0, "learned": 0, "seconds": 0.0, "best": None}
    if is_first:
        run.start(config, resumed_at=counters["iteration"] if resume else None)

    with RunProgress(config, run.path, shown=is_first) as progress:
        for iteration in range(counters["iteration"] + 1, config.num_iterations + 1):
            started, cpu_started = time.perf_counter(), time.process_time()
            lesson = iteration <= config.num_lessons
            with torch.inference_mode(), autocast(config.precision):
                inference_seconds = collect_lessons(learner) if lesson else collect(learner)
            collected = time.perf_counter()

            batch, metrics = (study if lesson else practise)(learner, iteration, processes)
            ended = time.perf_counter()

            counters["iteration"] = iteration
            counters["decisions"] += config.decisions_per_iteration
            counters["learned"] += len(batch) * processes.count
            counters["seconds"] += ended - started
            metrics |= counters
            metrics["decisions_per_second"] = config.decisions_per_iteration / (ended - started)
            metrics["environment_seconds"] = collected - started - inference_seconds
            metrics["inference_seconds"] = inference_seconds
            metrics["learning_seconds"] = ended - collected
            metrics["cpu_seconds"] = time.process_time() - cpu_started
            metrics["calls"] = call_counts(learner.rollout, learner.vec.action_names)
            progress.iteration(metrics)

            if iteration % config.checkpoint_every and iteration != config.num_iterations:
                if is_first:
                    run.append_metrics(metrics)
                continue
            own_states = processes.gather(learner.own_state())
            if is_first:
                margins = evaluate(learner.policy, learner.vec, config.evaluate.opponents, config.evaluate.deals, VALIDATION)
                progress.evaluation(iteration, margins)
                run.append_metrics(metrics | {"evaluation": margins})  # before the checkpoint, which counts on it
                save_checkpoint(learner, run, counters, own_states, margins)

        if is_first:
            finish(learner, run, progress)
    return run


def study(learner: Learner, iteration: int, processes: Processes) -> tuple[Batch, dict]:
    """Learn from what the teacher did; after the last lesson the policy becomes its own magnet."""
    config = learner.config
    batch = to_batch(learner.rollout, config.ppo.gamma, 1.0)  # values are those of the play itself, not of guesses at it
    learning_rate = between(config.teacher.learning_rate, (iteration - 1) / config.num_lessons)
    metrics = imitate(learner, batch, learning_rate, processes)
    if iteration == config.num_lessons:
        learner.finish_lessons()
    return batch, metrics | {"learning_rate": learning_rate}


def practise(learner: Learner, iteration: int, processes: Processes) -> tuple[Batch, dict]:
    """Learn from what the policy itself did."""
    config = learner.config
    batch = to_batch(learner.rollout, config.ppo.gamma, config.ppo.gae_lambda)
    done, planned = iteration - 1 - config.num_lessons, config.num_iterations - config.num_lessons
    coefficients = Coefficients.at(done / planned, config.ppo)
    return batch, update(learner, batch, coefficients, processes) | dataclasses.asdict(coefficients)


def save_checkpoint(
    learner: Learner, run: RunDirectory, counters: dict, own_states: list[dict], margins: dict[str, dict]
) -> None:
    """Write all that going on needs, and remember the best checkpoint."""
    bound = lower_bound(margins)
    is_best = bound is not None and (counters["best"] is None or bound > counters["best"])
    if is_best:
        counters["best"] = bound
    description = describe(learner, counters["decisions"], margins)
    trainer = {"counters": counters, "shared": learner.shared_state(), "own": own_states}
    checkpoint = run.save(counters["iteration"], learner.policy, description, trainer)
    if is_best:
        run.mark_best(checkpoint)


def restore(learner: Learner, run: RunDirectory, processes: Processes) -> dict:
    """Put the learner where the run's latest checkpoint left it; returns the counters."""
    checkpoint = run.latest()
    load_policy(checkpoint, learner)
    trainer = load_trainer(checkpoint)
    if len(trainer["own"]) != processes.count:
        written_by = len(trainer["own"])
        raise CheckpointError(f"{checkpoint} was written by {written_by} processes, this run has {processes.count}")
    learner.restore(trainer["shared"], trainer["own"][processes.rank])
    return trainer["counters"]


def finish(learner: Learner, run: RunDirectory, progress: RunProgress) -> None:
    """The speed, the result on deals that no earlier choice has seen, and the report."""
    evaluation = learner.config.evaluate
    progress.say(speed_table(run.read_metrics(), learner.config.processes))
    margins = evaluate(learner.policy, learner.vec, evaluation.opponents, evaluation.final_deals, FINAL)
    run.store_result(margins)
    progress.say(margin_table(margins))
    progress.say(f"report: {write_report(run)}")


def speed_table(lines: list[dict], num_processes: int) -> str:
    """Where the time of the first process went, and how many decisions it learned from."""

    def total(name: str) -> float:
        return sum(line[name] for line in lines)

    parts = ("environment", "inference", "learning")
    seconds = {part: total(f"{part}_seconds") for part in parts}
    whole, learned = sum(seconds.values()), lines[-1]["learned"] / num_processes
    split = ", ".join(f"{part} {seconds[part] / whole:.0%}" for part in parts)
    speed = f"{learned / whole:,.0f} a second and process, {learned / total('cpu_seconds'):,.0f} a CPU second"
    return f"time: {split} of {whole:.0f} s\nlearned decisions: {speed}"


def default_run_dir(config: Config) -> str:
    return f"runs/{config.game}-{config.seed}-{time.strftime('%Y%m%d-%H%M%S')}"


def parse(arguments: list[str]) -> tuple[Config, RunDirectory | None]:
    """The resolved settings, and the run to go on with."""
    parser = argparse.ArgumentParser(
        prog="python -m training.train",
        description="Train one policy by self-play.",
        epilog="Any setting can be replaced: --dotted.name value",
    )
    parser.add_argument("config", nargs="?", help="a TOML file of settings")
    parser.add_argument("--resume", metavar="DIR", help="go on with this run from its latest checkpoint")
    plain, overrides = split_overrides(arguments)
    known = parser.parse_args(plain)
    if (known.config is None) == (known.resume is None):
        raise ConfigError("name either a config file, or a run with --resume")
    if known.resume:
        run = RunDirectory(known.resume)
        return run.load_config(overrides), run
    return load_config(known.config, overrides), None


def split_overrides(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments of the command itself, and the settings among them: `--name value` or `--name=value`."""
    plain, overrides, rest = [], {}, list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("--") or name == "--help":
            plain.append(word)
        elif not equals and not rest:
            raise ConfigError(f"{word} needs a value")
        elif name == "--resume":
            plain += [name, value if equals else rest.pop(0)]
        else:
            overrides[name[2:]] = value if equals else rest.pop(0)
    return plain, overrides


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        config, resume = parse(arguments)
        under_torchrun = "WORLD_SIZE" in os.environ
        if config.processes > 1 and not under_torchrun:
            return relaunch(config.processes, arguments)
        with Processes() as processes:
            if under_torchrun:
                config = dataclasses.replace(config, processes=processes.count)
            train(config, resume, processes)
    except (ConfigError, CheckpointError, OptionError, AgentError) as error:
        print(f"training: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
