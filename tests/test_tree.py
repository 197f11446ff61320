"""The shape of the project: a short top level, small files and functions, each game in its own folder."""

import ast
import re
from pathlib import Path

import pytest

from card_envs import doctor

ROOT = Path(__file__).parents[1]
FILES = ["pyproject.toml", "README.md", "LICENSE", "constraints.txt"]
FOLDERS = ["card_envs", "training", "configs", "tests", "scripts"]
IGNORED = [line.strip("/") for line in (ROOT / ".gitignore").read_text().split()]
LIBRARY = sorted([*ROOT.glob("card_envs/**/*.py"), *ROOT.glob("training/**/*.py")])
TEXT_SUFFIXES = ("", ".py", ".md", ".toml", ".txt", ".sh", ".html", ".js", ".css")
TEXTS = sorted(
    path
    for top in [*FILES, *FOLDERS, ".ci"]
    for path in [ROOT / top, *(ROOT / top).glob("**/*")]
    if path.is_file() and path.suffix in TEXT_SUFFIXES
)
GAMES = sorted(path.parent.name for path in ROOT.glob("card_envs/games/*/__init__.py"))
OUTSIDE = re.compile(r"(?:\.\./|/(?:home|root|tmp|work|Users)/)\w")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_top_level_is_the_agreed_one():
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - set(IGNORED) == {*FILES, *FOLDERS}


@pytest.mark.parametrize("path", LIBRARY, ids=name)
def test_files_and_functions_are_small(path):
    source = path.read_text(encoding="utf-8")
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    long = {node.name: lines for node in functions if (lines := node.end_lineno - node.lineno + 1) > 60}
    assert len(source.splitlines()) <= 400
    assert not long, "lines by function"


@pytest.mark.parametrize("path", LIBRARY, ids=name)
def test_games_are_named_in_their_folders_only(path):
    if name(path).startswith("card_envs/games/") or name(path) == "card_envs/cards.py":  # where a suit may share a name
        return
    named = re.findall(rf"\b(?:{'|'.join(GAMES)})(?:_v\d+)?\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    assert not named, "generic code must not know a game"


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_nothing_refers_to_what_a_clone_lacks(path):
    text = path.read_text(encoding="utf-8")
    assert not OUTSIDE.search(text), "a path that leaves the project"
    missing = [file for file in re.findall(r"[\w./-]*\w\.md\b", text) if not (ROOT / file).exists()]
    assert not missing, "documents that are not here"


def test_every_dependency_is_pinned():
    pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    needed = {package for group in doctor.requirements().values() for package in group}
    assert needed <= pinned
