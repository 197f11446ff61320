"""What is installed, what is missing, and what would bring it: to be read first when something does not run."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import sys
from importlib import metadata
from pathlib import Path

PACKAGE = "card-envs"
CPU_FEATURES = ("avx2", "avx512f", "avx512bf16", "amx-bf16", "neon", "bf16")  # as LLVM names them; bf16: fast training
THREADING_LAYERS = {"tbb": "tbbpool", "omp": "omppool", "workqueue": "workqueue"}  # numba's name: the module behind it


def report() -> dict:
    """Everything that `card-envs doctor` prints, as plain JSON."""
    return {
        "card_envs": {"version": version(PACKAGE), "folder": str(Path(__file__).parent)},
        "python": {"version": platform.python_version(), "executable": sys.executable},
        "platform": platform.platform(),
        "cpu": cpu(),
        "packages": packages(),
        "numba": numba_settings(),
        "cache_folder": cache_folder(),
    }


def version(package: str) -> str | None:
    """The installed version, None where the package is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def requirements() -> dict[str, list[str]]:
    """Package names by the extra that brings them, `core` for those that always come; read from our own metadata."""
    try:
        lines = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return {}
    groups: dict[str, list[str]] = {}
    for line in lines:
        requirement, _, marker = line.partition(";")
        older = re.search(r"python_version < ['\"]3\.(\d+)['\"]", marker)
        newer = re.search(r"python_version >= ['\"]3\.(\d+)['\"]", marker)
        minor, name = sys.version_info[1], re.match(r"[\w.-]+", requirement)[0]
        if (older and minor >= int(older[1])) or (newer and minor < int(newer[1])) or name == PACKAGE:
            continue  # not for this Python; or extras of our own together, which are listed one by one
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
        groups.setdefault(extra[1] if extra else "core", []).append(name)
    return groups


def packages() -> dict[str, dict]:
    """For `core` and each extra: the versions found, what is missing, and the command that brings it."""
    found = {}
    for group, names in requirements().items():
        versions = {name: version(name) for name in names}
        missing = [name for name, number in versions.items() if number is None]
        target = PACKAGE if group == "core" else f"{PACKAGE}[{group}]"
        install = f"pip install '{target}'" if missing else None
        found[group] = {"versions": versions, "missing": missing, "install": install}
    return found


def cpu() -> dict:
    """Cores, and the instruction sets that decide how fast kernels and networks run."""
    found = {"cores": os.cpu_count(), "model": platform.processor() or platform.machine(), "features": None}
    try:
        from llvmlite import binding
    except ImportError:
        return found
    features = binding.get_host_cpu_features()
    return {**found, "model": binding.get_host_cpu_name(), "features": [f for f in CPU_FEATURES if features.get(f)]}


def numba_settings() -> dict | None:
    """How numba would thread its kernels. Only looks: no layer is loaded, no thread is started."""
    try:
        from numba import config
    except ImportError:
        return None
    built = [name for name, module in THREADING_LAYERS.items() if importlib.util.find_spec(f"numba.np.ufunc.{module}")]
    return {
        "compiles": not config.DISABLE_JIT,
        "threads": config.NUMBA_NUM_THREADS,
        "threading_layer": config.THREADING_LAYER,
        "threading_layers_built": built,
    }


def cache_folder() -> str | None:
    """Where compiled kernels are kept; None where numba is missing and nothing can be compiled."""
    try:
        from card_envs import kernels
    except ImportError:
        return None
    return str(kernels.cache_folder())
