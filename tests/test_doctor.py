"""The doctor tells the truth about what is installed, and says how to get what is not."""

import json
import sys
from importlib import metadata

import numpy
import pytest

from card_envs import doctor, kernels


def test_the_report_is_plain_json():
    report = doctor.report()
    assert json.loads(json.dumps(report)) == report


def test_versions_are_those_that_run():
    report = doctor.report()
    assert report["python"]["version"] == ".".join(map(str, sys.version_info[:3]))
    assert report["packages"]["core"]["versions"]["numpy"] == numpy.__version__
    assert report["cache_folder"] == str(kernels.cache_folder())


def test_every_extra_of_the_package_is_listed():
    extras = metadata.metadata("card-envs").get_all("Provides-Extra")
    assert set(doctor.report()["packages"]) == {"core", *extras}


def test_a_missing_package_names_the_extra_that_brings_it(monkeypatch):
    installed = doctor.version
    monkeypatch.setattr(doctor, "version", lambda name: None if name == "torch" else installed(name))
    train = doctor.packages()["train"]
    assert "torch" in train["missing"]
    assert train["install"] == "pip install 'card-envs[train]'"


def test_nothing_to_install_where_nothing_is_missing():
    core = doctor.packages()["core"]
    assert core["missing"] == [] and core["install"] is None


@pytest.mark.parametrize(
    ("marker", "groups"),
    [
        ("", {"core": ["tomli"]}),
        ("; extra == 'train'", {"train": ["tomli"]}),
        ("; (python_version < '3.99') and extra == 'train'", {"train": ["tomli"]}),
        ("; (python_version < '3.10') and extra == 'train'", {}),
    ],
)
def test_a_requirement_of_another_python_is_left_out(monkeypatch, marker, groups):
    monkeypatch.setattr(metadata, "requires", lambda package: ["tomli>=2" + marker])
    assert doctor.requirements() == groups


def test_the_doctor_comes_without_numba_too(monkeypatch):
    for name in ("numba", "llvmlite", "card_envs.kernels"):
        monkeypatch.setitem(sys.modules, name, None)  # None makes the import fail
    monkeypatch.delattr("card_envs.kernels")
    report = doctor.report()
    assert report["numba"] is None and report["cache_folder"] is None and report["cpu"]["features"] is None
