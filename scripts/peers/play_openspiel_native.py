"""OpenSpiel's Spades with no Python in the loop: builds openspiel_loop.cc with the C++ sources that its wheel carries."""

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import open_spiel
from timing import arguments, report

LOOP = Path(__file__).with_name("openspiel_loop.cc")
SOURCES = Path(open_spiel.__path__[0])
GAME = (
    "spiel.cc", "observer.cc", "game_parameters.cc", "spiel_utils.cc", "utils/status.cc", "utils/usage_logging.cc",
    "games/spades/spades.cc", "games/spades/spades_scoring.cc",
)  # fmt: skip
ABSEIL = (
    "base",
    "container",
    "crc",
    "debugging",
    "hash",
    "numeric",
    "profiling",
    "random",
    "strings",
    "synchronization",
    "time",
    "types",
)
NOT_LIBRARY = ("test", "benchmark", "mock", "gentables", "print_hash_of")  # parts of the names of Abseil's other programs
FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-w"]
MODES = {  # of the program: our name for it, and the mode of ours beside it
    "legal": ("legal actions only", "batch, mask"),
    "mask": ("mask", "batch, mask"),
    "tensor": ("mask, observation", "batch, mask, observation"),
}


def abseil() -> list[Path]:
    found = [path for folder in ABSEIL for path in sorted((SOURCES / "abseil-cpp/absl" / folder).rglob("*.cc"))]
    return [path for path in found if not any(word in path.name for word in NOT_LIBRARY)]


def build(folder: Path) -> Path:
    """The program, compiled at the first call; raises CalledProcessError with the compiler's words where that fails."""
    known = f"{metadata.version('open_spiel')} {FLAGS} {LOOP.read_text()}"
    program = folder / f"openspiel_loop-{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{path}" for path in (SOURCES.parent, SOURCES / "abseil-cpp", SOURCES / "json/include")]
    game = [LOOP, *(SOURCES / name for name in GAME)]

    def compiled(path: Path) -> Path:
        made = folder / f"{path.stem}-{hashlib.sha256(str(path).encode()).hexdigest()[:8]}.o"
        subprocess.run(["g++", *FLAGS, *includes, "-c", path, "-o", made], check=True)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, [*game, *abseil()]))
    library = folder / "libabseil.a"  # from which the linker takes only what is needed
    subprocess.run(["ar", "rcs", library, *objects[len(game) :]], check=True)
    subprocess.run(["g++", *objects[: len(game)], library, "-lpthread", "-o", program], check=True)
    return program


def main() -> None:
    asked = arguments(__doc__)
    if not shutil.which("g++"):
        sys.exit("no g++ is installed")
    program = build(Path(asked.cache) / "openspiel_native")
    for mode, (name, like) in MODES.items():
        found = subprocess.run(
            [program, mode, str(asked.seconds), str(asked.windows)], capture_output=True, text=True, check=True
        )
        windows = [(int(count), float(cpu), float(wall)) for count, cpu, wall in map(str.split, found.stdout.splitlines())]
        report("spades", name, like, windows, "open_spiel")


if __name__ == "__main__":
    main()
