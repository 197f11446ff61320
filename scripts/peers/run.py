"""card-envs and its peers in one run on one machine: random legal play, in decisions a CPU second.

    python scripts/peers/run.py [--json FILE] [--peers NAME ...] [--quick]

Each peer has an environment of its own, made from the package index under the cache folder, and a script in this folder that
plays it and prints a JSON line for each way to play it. All of them run one after another, ours among them, and that several
times over; the windows of all rounds are put together. `card-envs bench` runs once, before them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OURS = "card-envs"
REFERENCE = "spades standard"  # whose rows the peers are compared with: most of them play bridge or Spades
PRESETS = {"spades": ["standard", "seed"], "pitch": ["seed"], "pit": ["seed"]}
TRAINER = Path("configs/pitch.toml")


@dataclass(frozen=True)
class Peer:
    name: str
    script: str
    packages: tuple[str, ...]  # as pip is given them; none for ours, which this Python has
    environment: str = ""  # of which other peer, if not its own

    def python(self, cache: Path) -> Path:
        """Its interpreter; makes its environment at the first call. Raises Missing where that fails."""
        if not self.packages:
            return Path(sys.executable)
        folder = cache / f"{self.environment or self.name}-{hashlib.sha256(' '.join(self.packages).encode()).hexdigest()[:8]}"
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        stamp, failure = folder / "installed", folder / "failed"
        if failure.exists():  # some take minutes to fail
            say(f"{self.name} could not be installed before: remove {failure} to try again")
            raise Missing(failure.read_text())
        if not stamp.exists():
            say(f"installing {' '.join(self.packages)}")
            venv.create(folder, with_pip=True, clear=True)
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *self.packages]
            ran = subprocess.run(pip, capture_output=True, text=True)
            if ran.returncode:
                say(reason(ran.stderr))
                failure.write_text(f"pip could not install {' '.join(self.packages)}")
                raise Missing(failure.read_text())
            stamp.touch()
        return python


PEERS = (
    Peer(OURS, "play_card_envs.py", ()),
    Peer("OpenSpiel", "play_openspiel.py", ("open_spiel==2.0.2",)),
    Peer("OpenSpiel, C++", "play_openspiel_native.py", ("open_spiel==2.0.2",), "OpenSpiel"),
    Peer("RLCard", "play_rlcard.py", ("rlcard==1.2.0",)),
    Peer("PettingZoo", "play_pettingzoo.py", ("pettingzoo[classic]==1.27.0",)),
    Peer("Pgx", "play_pgx.py", ("pgx==2.6.0", "jax[cpu]==0.10.2")),
    Peer("PufferLib", "play_pufferlib.py", ("pufferlib==3.0.0",)),
)


class Missing(Exception):
    """A peer that cannot be had here, and why."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def reason(output: str) -> str:
    """The line of a long output that most likely says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*Error\b.*:|.*\berror:.*", line, re.IGNORECASE)]
    named = [line for line in errors if re.match(r"[\w.]+(Error|Exception): ", line)]
    return (named or errors or lines or ["it said nothing"])[-1][:200]


def play(peer: Peer, asked: argparse.Namespace) -> list[dict]:
    """The rows that its script prints; raises Missing where it fails."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH" or not peer.packages}
    command = [peer.python(asked.cache), HERE / peer.script, "--cache", asked.cache]
    command += ["--seconds", str(asked.seconds), "--windows", str(asked.windows)]
    ran = subprocess.run(command, env=variables | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    if ran.returncode:
        raise Missing(reason(ran.stderr))
    return [{"peer": peer.name} | json.loads(line) for line in ran.stdout.splitlines()]


def rounds(peers: list[Peer], asked: argparse.Namespace) -> tuple[list[dict], list[dict]]:
    """(rows with the windows of all rounds, who is left out and why)."""
    rows: dict[tuple, dict] = {}
    left_out: dict[str, str] = {}
    for number in range(asked.rounds):
        for peer in peers:
            if peer.name in left_out:
                continue
            say(f"round {number + 1} of {asked.rounds}: {peer.name}")
            try:
                found = play(peer, asked)
            except Missing as missing:
                left_out[peer.name] = str(missing)
                say(f"{peer.name} is left out: {missing}")
                continue
            for row in found:
                kept = rows.setdefault((row["peer"], row["game"], row["mode"]), row | {"windows": []})
                kept["windows"] += row["windows"]
    return [summary(row) for row in rows.values()], [{"peer": name, "why": why} for name, why in left_out.items()]


def summary(row: dict) -> dict:
    """A row with rates in place of what its windows counted."""
    windows = row.pop("windows")
    rates = [decisions / cpu for decisions, cpu, _ in windows]
    return row | {
        "decisions_per_cpu_second": round(statistics.median(rates)),
        "decisions_per_second": round(statistics.median(decisions / wall for decisions, _, wall in windows)),
        "rates": [round(rate) for rate in rates],
    }


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the document there")
    parser.add_argument("--peers", nargs="*", default=[peer.name for peer in PEERS], help="only these, beside ours")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of a window")
    parser.add_argument("--windows", type=int, default=3, help="of each way to play, a round")
    parser.add_argument("--quick", action="store_true", help="one short window a row, few rows of ours")
    cache = os.environ.get("BENCH_CACHE", ROOT / ".bench")
    parser.add_argument("--cache", type=Path, default=Path(cache), help="where environments are kept; also BENCH_CACHE")
    asked = parser.parse_args()
    known = {peer.name.lower(): peer.name for peer in PEERS}
    if unknown := [name for name in asked.peers if name.lower() not in known]:
        parser.error(f"no peer is called {', '.join(unknown)}; there are {', '.join(peer.name for peer in PEERS)}")
    asked.peers = {known[name.lower()] for name in asked.peers} | {OURS}
    asked.cache = asked.cache.resolve()
    if asked.quick:
        asked.rounds, asked.seconds, asked.windows = 1, 0.1, 1
    return asked


def main() -> int:
    from card_envs.bench import Plan, run
    from card_envs.cli_bench import print_document

    asked = parse()
    os.chdir(ROOT)
    asked.cache.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    say("card-envs bench")
    plan = Plan(PRESETS, compile=not asked.quick, trainer=None if asked.quick else TRAINER)
    document = run(plan.quick() if asked.quick else plan, progress=lambda done, total: say(f"{done} of {total}"))
    rows, left_out = rounds([peer for peer in PEERS if peer.name in asked.peers], asked)
    document |= {"command": "scripts/benchmark", "reference": REFERENCE, "peers": rows, "left_out": left_out}
    if asked.json:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        asked.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print_document(document)
    say(f"{time.perf_counter() - started:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
