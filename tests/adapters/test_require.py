"""A framework that is missing names its extra, one in another version is used with a warning."""

import sys

import pytest

from card_envs.adapters import AdapterWarning, require


def test_a_missing_framework_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"needs numpy: pip install 'card-envs\[sb3\]'"):
        require("sb3", "numpy", "numpy", "1", "9")


@pytest.mark.parametrize("low, below", [("99", "100"), ("0.1", "1.26.4")])
def test_an_untested_version_warns(low, below):
    with pytest.warns(
        AdapterWarning, match=rf"numpy \S+ is not one that this adapter was tested with \({low} <= version < {below}"
    ):
        require("sb3", "numpy", "numpy", low, below)


def test_a_tested_version_does_not():
    assert require("sb3", "numpy", "numpy", "1.26", "99").__name__ == "numpy"
