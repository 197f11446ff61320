"""Imports point one way: a module knows what lies below it and nothing of what is built on it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = (  # from the bottom up; modules of one layer may know each other
    ("kernels", "pointers"),
    ("cards", "rng"),
    ("tricks", "auction", "layout"),
    ("game",),
    ("games",),
    ("rewards", "forms"),
    ("buffers",),
    ("loops",),
    ("scalar", "team"),
    ("table", "cuda"),
    ("record", "agents", "doctor"),
    ("envs", "arena", "bench", "conformance"),
    ("datasets",),
    ("adapters", "reference", "terminal"),
    ("__init__", "__main__", "cli", "cli_bench", "web"),  # the package's front door opens on all of it
)
HEIGHT = {module: height for height, layer in enumerate(LAYERS) for module in layer}
HEAVY = (
    "torch",
    "matplotlib",
    "tensorboard",
    "typer",
    "rich",
    "safetensors",
    "stable_baselines3",
    "sb3_contrib",
    "pyspiel",
    "torchrl",
    "ray",
    "tianshou",
    "rlcard",
    "minari",
    "h5py",
    "pyarrow",
)


def sources(package: str) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{package}/**/*.py"))


def imports(source: str) -> list[str]:
    """The dotted names that a file imports, within functions too; `from a import b` is a.b."""
    names = []
    for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: write imports in full, so that they can be read and searched"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def own_imports(source: str) -> list[list[str]]:
    return [name.split(".") for name in imports(source) if name.split(".")[0] == "card_envs"]


def height(parts: list[str]) -> int:
    """Of card_envs.a.b that of a; of a bare `import card_envs`, or a name that is no module, that of the front door."""
    return HEIGHT.get(parts[1] if len(parts) > 1 else "__init__", HEIGHT["__init__"])


@pytest.mark.parametrize("source", sources("card_envs"))
def test_every_module_has_its_place(source):
    module = Path(source).parts[1].removesuffix(".py")
    assert module in HEIGHT, f"{source}: say in LAYERS where {module!r} belongs"


@pytest.mark.parametrize("source", sources("card_envs"))
def test_no_import_points_up(source):
    here = HEIGHT[Path(source).parts[1].removesuffix(".py")]
    upward = [".".join(parts) for parts in own_imports(source) if height(parts) > here]
    assert not upward, f"{source} imports what is built on it: {upward}"


@pytest.mark.parametrize("source", sources("card_envs"))
def test_the_library_does_not_know_the_training(source):
    assert not [name for name in imports(source) if name.split(".")[0] in ("training", "tests")]


@pytest.mark.parametrize("source", sources("card_envs/games/*"))
def test_no_game_imports_another(source):
    game = Path(source).parts[2]
    others = [parts for parts in own_imports(source) if parts[1] == "games" and parts[2] != game]
    assert not others, f"{source}: what two games share belongs below them"


@pytest.mark.parametrize("source", sources("training"))
def test_training_uses_public_names(source):
    private = [".".join(parts) for parts in own_imports(source) if any(part.startswith("_") for part in parts)]
    assert not private


def test_the_package_is_light_to_import():
    code = f"import sys, card_envs; print(*[name for name in {HEAVY} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert loaded.split() == []
