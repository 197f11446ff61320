"""Benchmarks: what a run holds, when a row counts as slower, what the peers' runner makes of their scripts. No clock decides."""

import importlib.util
import io
import json
import sys
from argparse import Namespace
from pathlib import Path

import numba
import pytest
from rich.console import Console
from typer.testing import CliRunner

from card_envs import cli
from card_envs.bench import FORMAT, Plan, cases_of, compare, costs, faces, parts, run, show
from card_envs.bench.timing import Windows, copy_rate, quartiles, timed
from card_envs.cli_bench import TABLES
from card_envs.game import OptionError

ROOT = Path(__file__).parents[1]
GAME = "pit"
LITTLE = {"WINDOW_STEPS": 8, "WINDOW_CALLS": (2, 4), "SCALAR_SECONDS": 0.001, "FIRST_STEPS": 2, "SPREADING_STEPS": 2}
LITTLE |= {"COMPILED_SIZE": 2}


def bench(*args, code=0):
    result = CliRunner().invoke(cli.app, ["bench", *map(str, args)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def little(monkeypatch):
    """Windows of a few steps."""
    for name, value in LITTLE.items():
        monkeypatch.setattr(faces, name, value)
    monkeypatch.setattr(parts, "COMPILED_SIZE", 2)
    monkeypatch.setattr(parts, "LENGTH_TABLES", 2)
    monkeypatch.setattr(costs, "MANY_TABLES", 8)
    monkeypatch.setattr(costs, "imported", lambda: {"cpu_seconds": 1.0, "seconds": 2.0, "peak_rss": 1 << 20})
    faces.trajectory.cache_clear()
    yield
    faces.trajectory.cache_clear()


@pytest.fixture
def document(little):
    return run(Plan({GAME: ["seed"]}, sizes=(1, 2), windows=2))


# --- a run -------------------------------------------------------------------------------------------------------------------


def test_a_run_has_a_row_for_every_case(document):
    found = list(cases_of(document))
    assert {case.observation for case in found if case.face == "batch"} == {"none", "bits", "uint8", "float32"}
    assert {case.face for case in found} == {"batch", *faces.SCALAR_FACES}
    assert found == Plan({GAME: ["seed"]}, sizes=(1, 2)).cases()


def test_rates_lie_within_their_spread(document):
    for row in document["rows"]:
        assert 0 < row["lowest"] <= row["low"] <= row["steps_per_cpu_second"] <= row["high"] <= row["highest"]
        assert row["windows"] == 2 and 0 < row["calibrated_low"] <= row["calibrated"] <= row["calibrated_high"]


def test_bytes_of_a_step(document):
    """State read and written, then results (64), mask, action (8), and the words or columns of the observation."""
    by_form = {row["observation"]: row["bytes_per_step"] for row in document["rows"] if row["size"] == 2}
    vec = faces.batch(faces.Case("batch", GAME, "seed", 2, "uint8"))
    assert by_form["none"] == 2 * document["memory"][0]["state_bytes"] + 64 + vec.num_actions + 8
    assert by_form["bits"] == by_form["none"] + 8 * vec.layout.num_words
    assert by_form["uint8"] == by_form["none"] + vec.observation_width
    assert by_form["float32"] == by_form["none"] + 4 * vec.observation_width


def test_parts_add_up_to_the_step(document):
    (found,) = document["parts"]
    names = ("face", "rules", "mask", "observation", "columns")
    assert found["size"] == 2
    assert sum(found[f"{name}_nanoseconds"] for name in names) == pytest.approx(found["whole_nanoseconds"], abs=0.1)


def test_lengths_are_of_whole_episodes(document):
    (found,) = document["lengths"]
    assert found["decisions_a_match"] > found["decisions_a_deal"] > 4


def test_memory_holds_every_array(document):
    """The record of every table, its results, mask, observation and action."""
    (found,) = document["memory"]
    vec = faces.batch(faces.Case("batch", GAME, "seed", 2, "uint8"))
    least = found["state_bytes"] + 64 + vec.num_actions + vec.observation_width + 8
    assert found["tables_bytes"] >= found["tables"] * least
    assert found["table_bytes"] == round(found["tables_bytes"] / found["tables"])


def test_the_kernels_are_as_before_once_their_clock_is_read(document):
    kernels = vars(parts.loops(parts.load(GAME)))
    before = dict(kernels)
    with parts.kernel_clock(GAME):
        assert kernels["step"] is not before["step"]
    assert kernels == before


def test_a_run_is_shown(document, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    plain, markdown = bench("--show", path).stdout, bench("--show", path, "--markdown").stdout
    assert json.loads(bench("--show", path, "--json").stdout) == document
    assert f"{GAME} seed" not in markdown and f"| {GAME} | seed |" in markdown
    assert document["machine"]["cpu"] in plain and "import card_envs: 1.00 CPU seconds" in plain
    assert set(show.grids(document)) == set(TABLES) - {"machine", "notes", "compile", "peers"}
    for name, grid in show.grids(document).items():
        assert (grid.title in plain) == (grid.title in markdown) == (name not in ("batches", "limit"))
        assert grid.title in bench("--show", path, "--table", name).stdout
        console = Console(width=200, file=io.StringIO())
        console.print(grid.rich())
        assert grid.columns[0] in console.file.getvalue()


def test_the_command_measures(little):
    args = (GAME, "--sizes", "2", "--windows", "1")
    found = json.loads(bench(*args, "--json").stdout)
    assert found["format"] == FORMAT and {row["game"] for row in found["rows"]} == {GAME}
    assert "steps a CPU second" in bench(*args).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--sizes", "many"), "whole numbers"),
        (("--sizes", "0"), "at least one table"),
        (("--preset", "sed"), "seed"),
        (("--show", "pyproject.toml"), "pyproject.toml"),
        (("pitt",), "pit"),
        (("--table", "faces"), "--show"),
    ],
)
def test_wrong_usage(args, words, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert words in bench(*args, code=2).output


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"format": "other"}')
    assert "format" in bench("--compare", path, code=2).output


def test_every_window_is_prepared_and_the_first_is_left_out():
    calls = []

    def window():
        calls.append("window")
        sum(range(20_000))  # some work: its CPU time must not be zero

    found = timed(lambda: calls.append("prepare"), window, 1000, 3)
    assert calls == ["prepare", "window"] * 4
    assert len(found.cpu) == len(found.wall) == found.summary()["windows"] == 3


def test_a_window_is_calibrated_by_what_runs_around_it():
    found = Windows(cpu=[1000, 3000], wall=[1, 1], calibration=[1e6, 2e6]).summary()
    assert (found["calibrated"], found["steps_per_cpu_second"]) == (1250, 2000)  # of 1000 and 1500, of 1000 and 3000


def test_quartiles():
    assert quartiles([5.0]) == (5.0, 5.0)
    assert quartiles([1.0, 2.0, 3.0, 4.0, 100.0]) == (2.0, 4.0)  # one odd window moves neither


def test_a_small_working_set_has_no_copying_speed():
    assert copy_rate(1000) is None and copy_rate(1 << 20) > 0


# --- costs -------------------------------------------------------------------------------------------------------------------


def test_the_import_is_measured_in_a_process_of_its_own():
    found = costs.imported()
    assert found["cpu_seconds"] > 0 and (found["peak_rss"] is None or found["peak_rss"] > 10_000_000)


@pytest.fixture
def trainer(tmp_path, monkeypatch):
    """Puts a program in the trainer's place."""
    if not Path("/proc/self/status").exists():
        pytest.skip("memory of processes is read from /proc")
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    return lambda code: (tmp_path / "training" / "train.py").write_text(code)


def test_a_trainer_that_fails_says_why(trainer):
    trainer("import sys; sys.exit('nonsense in ' + sys.argv[1])")
    with pytest.raises(RuntimeError, match="nonsense in wrong"):
        costs.trainer(Path("wrong.toml"), seconds=300)


def test_memory_of_a_trainer_is_that_of_all_its_processes(trainer):
    hold = "import time; held = b'x' * 50_000_000; time.sleep(3)"
    trainer(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}])\n")
    found = costs.trainer(Path("any.toml"), seconds=300)
    assert found["processes"] == 2 and found["peak_rss"] > 50_000_000


# --- comparing ---------------------------------------------------------------------------------------------------------------


def row(rate, low=0.97, high=1.03, machine=1.0):
    """A row of that rate; quartiles are given as parts of it, `machine` is how fast the machine's loop ran."""
    named = {"face": "env", "game": GAME, "preset": "seed", "size": 1, "observation": None, "threads": 1, "windows": 3}
    calibrated = rate / machine
    return named | {"steps_per_cpu_second": rate, "calibrated": calibrated} | {
        "calibrated_low": calibrated * low, "calibrated_high": calibrated * high
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "slower"),
    [
        (row(1000), row(1000), False),
        (row(1000), row(940), False),  # apart by their quartiles, but within what machines vary
        (row(1000), row(800), True),
        (row(1000, low=0.7), row(800), False),  # the old run had windows as slow as that
        (row(1000), row(800, high=1.3), False),  # the new run has windows as fast as the old one
        (row(1000), row(500, machine=0.5), False),  # a machine half as fast
        (row(1000), row(1000, machine=2.0), True),  # a machine twice as fast that gives nothing more
    ],
)
def test_when_a_row_is_slower(old, new, slower):
    assert compare.is_slower(new, old) is slower


def stored(*rows):
    machine = {"cpu": "x", "kind": "y", "cores": 1, "memory_bytes": None, "load": 0, "compiled": True}
    return {"format": FORMAT, "rows": list(rows), "machine": machine, "versions": {}, "date": ""}


@pytest.mark.parametrize(
    ("measured", "slower", "times"),
    [([1000], False, 1), ([800, 1000], False, 2), ([800, 810, 1000], False, 3), ([800, 810, 790], True, 3)],
)
def test_what_looks_slower_is_measured_again(monkeypatch, measured, slower, times):
    rates = iter(measured)
    monkeypatch.setattr(compare, "measure", lambda case, windows: row(next(rates)))
    (found,) = compare.compare(stored(row(1000)))
    assert (found.slower, found.measured) == (slower, times)
    assert list(rates) == []


def test_what_looks_slower_is_measured_again_after_all_others(monkeypatch):
    order = []

    def measured(case, windows):
        order.append(case.preset)
        return row(500)

    monkeypatch.setattr(compare, "measure", measured)
    rows = [row(1000) | {"preset": "first"}, row(500) | {"preset": "second"}]
    assert [found.case.preset for found in compare.compare(stored(*rows))] == ["second", "first"]
    assert order == ["first", "second", "first", "first"]


@pytest.mark.parametrize(("rate", "code"), [(1000, 0), (500, 1)])
def test_exit_code_of_a_comparison(monkeypatch, tmp_path, rate, code):
    monkeypatch.setattr(compare, "measure", lambda case, windows: row(rate))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(stored(row(1000), row(1000))))
    output = bench("--compare", path, code=code).stdout
    assert f"median x {rate / 1000:.3f} over 2 rows; slower: {2 * code}" in output
    found = json.loads(bench("--compare", path, "--json", code=code).stdout)
    assert [one["ratio"] for one in found["rows"]] == [rate / 1000] * 2


def test_rows_that_cannot_be_measured_here_are_named(monkeypatch, tmp_path):
    def unknown(case, windows):
        raise OptionError("no preset is called 'old'")

    monkeypatch.setattr(compare, "measure", unknown)
    threads = row(1000) | {"threads": numba.config.NUMBA_NUM_THREADS + 1}
    found = list(compare.compare(stored(row(1000), threads)))
    assert [one.ratio for one in found] == [None, None]
    assert "no preset" in found[0].why and "threads" in found[1].why
    path = tmp_path / "old.json"
    path.write_text(json.dumps(stored(row(1000))))
    assert "left out: no preset" in bench("--compare", path, code=1).output


# --- peers -------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def peers(monkeypatch, tmp_path):
    """scripts/peers/run.py as a module that looks for scripts in a folder of the test's own."""
    spec = importlib.util.spec_from_file_location("peers_run", ROOT / "scripts/peers/run.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "peers_run", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", tmp_path)
    return module


def test_windows_of_all_rounds_are_put_together_and_failures_left_out(peers, tmp_path):
    line = json.dumps(
        {"game": "g", "mode": "m", "like": "env()", "versions": {}, "windows": [[100, 2.0, 4.0], [300, 2.0, 4.0]]}
    )
    (tmp_path / "fine.py").write_text(f"print({line!r})")
    (tmp_path / "broken.py").write_text("import nothing_of_this_name")
    asked = Namespace(rounds=2, seconds=0.1, windows=2, cache=tmp_path)
    rows, left_out = peers.rounds([peers.Peer("Fine", "fine.py", ()), peers.Peer("Broken", "broken.py", ())], asked)
    assert rows == [
        {"peer": "Fine", "game": "g", "mode": "m", "like": "env()", "versions": {}, "rates": [50, 150, 50, 150]}
        | {"decisions_per_cpu_second": 100, "decisions_per_second": 50}
    ]
    assert left_out == [{"peer": "Broken", "why": "ModuleNotFoundError: No module named 'nothing_of_this_name'"}]


def test_what_cannot_be_installed_is_tried_once(peers, tmp_path, monkeypatch, capsys):
    """Why it failed is said, not stored: it is about one machine's network."""
    tried = []

    def pip(command, **how):
        tried.append(command)
        return Namespace(returncode=1, stderr="Collecting x\n  URLError: no such host\nerror: metadata-generation-failed\n")

    monkeypatch.setattr(peers.subprocess, "run", pip)
    monkeypatch.setattr(peers.venv, "create", lambda folder, **how: folder.mkdir())
    for _ in range(2):
        with pytest.raises(peers.Missing, match=r"could not install x==1$"):
            peers.Peer("X", "x.py", ("x==1",)).python(tmp_path)
    assert len(tried) == 1 and capsys.readouterr().err.count("URLError: no such host") == 1


def test_peers_are_shown_beside_ours():
    def of(peer, game, mode, like, rate):
        row = {"peer": peer, "game": game, "mode": mode, "like": like, "versions": {"other": "1.2"}}
        return row | {"decisions_per_cpu_second": rate, "rates": [rate]}

    ours = [of("card-envs", "ours", mode, mode, rate) for mode, rate in (("env()", 100), ("batch, mask, observation", 50_000))]
    grid = show.peers({"reference": "ours", "peers": [*ours, of("Other", "theirs", "env", "env()", 50)]})
    assert grid.rows[0][-2:] == ("", "")
    assert grid.rows[-1] == ("Other 1.2", "theirs", "env", "50 (50..50)", "2", "1,000")


@pytest.mark.parametrize("script", sorted((ROOT / "scripts/peers").glob("play_*.py")), ids=lambda path: path.stem)
def test_every_script_is_one_of_a_peer(peers, script):
    assert script.name in {peer.script for peer in peers.PEERS}
