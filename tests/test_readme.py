"""The README is true: its code runs, its generated tables are those that the commands print, its file map is complete."""

import re
import shlex
import sys
import types
from pathlib import Path

import pytest
from typer.testing import CliRunner

from card_envs import cli, games
from card_envs.agents import champions
from card_envs.games import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
RECORDS = re.findall(r"^```json\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
GENERATED = re.findall(r"^<!-- generated: card-envs (.*?) -->\n(.*?)^<!-- end -->", README, re.MULTILINE | re.DOTALL)
CHAMPIONS = re.findall(r"^<!-- champions: (\w+) -->\n(.*?)^<!-- champions end -->", README, re.MULTILINE | re.DOTALL)
MAP = re.findall(r"^\| `([\w/.]+)` \|", README[README.index("## File map") :], re.MULTILINE)


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_code_runs(code, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # what it writes stays out of the project
    module = types.ModuleType("readme")  # a real one, since what is pickled must be found again by its name
    monkeypatch.setitem(sys.modules, "readme", module)
    exec(compile(code, "README.md", "exec"), module.__dict__)
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("record", RECORDS, ids=range(len(RECORDS)))
def test_records_are_played(record, tmp_path):
    path = tmp_path / "record.json"
    path.write_text(record, encoding="utf-8")
    assert CliRunner().invoke(cli.app, ["replay", str(path)]).exit_code == 0


@pytest.mark.parametrize(("command", "table"), GENERATED, ids=[command for command, _ in GENERATED])
def test_generated_tables_are_up_to_date(command, table, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert CliRunner().invoke(cli.app, shlex.split(command)).stdout == table, f"paste what `card-envs {command}` prints"


def test_every_command_is_one_that_there_is():
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    assert set(re.findall(r"card-envs ([a-z]\w*)", README)) <= known


def test_the_file_map_is_complete():
    found = [path for folder in ("card_envs", "training") for path in ROOT.glob(f"{folder}/**/*.py")]
    files = [path for folder in ("configs", "scripts") for path in ROOT.glob(f"{folder}/**/*") if path.is_file()]
    found += [path for path in files if path.suffix not in (".json", ".pyc")]
    assert sorted(MAP) == sorted(path.relative_to(ROOT).as_posix() for path in found)


def test_the_tables_of_champions_are_those_of_their_cards():
    shown = dict(CHAMPIONS)
    assert {name: champions.markdown(load(name)) + "\n" for name in games() if champions.cards(load(name))} == shown
