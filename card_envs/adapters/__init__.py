"""Faces for frameworks, a module each. Importing one needs its framework; everything else in the package needs none of them."""

from __future__ import annotations

import importlib
import warnings
from importlib import metadata


class AdapterWarning(UserWarning):
    """A framework in a version that the adapter was not tested with."""


def require(extra: str, package: str, module: str, low: str, below: str):
    """The imported module of a framework. Raises ImportError, naming the extra that brings it, where it is missing.

    Warns (AdapterWarning) where its version is not in low <= version < below, those that the adapter is tested with.
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(f"this adapter needs {package}: pip install 'card-envs[{extra}]'") from error
    version = metadata.version(package)
    if not _numbers(low) <= _numbers(version) < _numbers(below):
        tested = f"{package} {version} is not one that this adapter was tested with ({low} <= version < {below})"
        warnings.warn(tested, AdapterWarning, stacklevel=3)
    return found


def _numbers(version: str) -> list[int]:
    """The leading numbers of a version, for comparing."""
    numbers = []
    for part in version.split("."):
        digits = "".join(letter for letter in part if letter.isdigit())
        if not part[:1].isdigit():
            break
        numbers.append(int(digits))
    return numbers
