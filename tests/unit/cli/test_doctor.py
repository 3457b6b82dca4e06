"""Is the machine ready: every prerequisite, found and missing."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
from pathlib import Path

import pytest

from pytest_ascend_tune import backends
from pytest_ascend_tune.backends.ascend import checks as ascend_checks
from pytest_ascend_tune.backends.ascend import pairing
from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.cli import doctor
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.readiness import Check, Status
from tests.fakes.cann import as_this_machine

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture
def machine(monkeypatch):
    monkeypatch.setattr(backends, "npu_device_nodes", lambda: [Path("/dev/davinci0")])
    with as_this_machine() as machine:
        yield machine


def by_name(checks: list[Check]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_a_cpu_machine_is_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "npu_device_nodes", lambda: [])
    monkeypatch.setattr(cpu_facts, "load_average", lambda: 0.1)
    checks = by_name(doctor.run("auto", tmp_path / "later"))
    assert checks["NPU"].status is Status.SKIPPED
    assert checks["write access"].status is Status.OK
    assert {path.name for path in (tmp_path / "later").iterdir()} == {
        ".gitignore",
        "cache",
    }  # of the trial
    assert "CANN" not in checks
    assert {check.status for check in checks.values()} <= {Status.OK, Status.SKIPPED, Status.WARNING}
    assert doctor.ready(list(checks.values()))


def test_a_cpu_machine_without_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    check = by_name(doctor.run("cpu", tmp_path))["C++ compiler"]
    assert check.status is Status.MISSING
    assert check.found.startswith("no C++ compiler found")
    assert "apt-get install g++" in check.fix


def test_the_simulator_needs_neither_compiler_nor_npu(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    names = by_name(doctor.run("simulator:910B2", tmp_path))
    assert "C++ compiler" not in names
    assert "NPU" not in names


def test_a_loaded_machine_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(cpu_facts, "load_average", lambda: 1000.0)
    checks = doctor.run("cpu", tmp_path)
    assert by_name(checks)["load"].status is Status.WARNING
    assert doctor.ready(checks) is (shutil.which("g++") is not None)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path):
    tmp_path.chmod(0o500)
    check = by_name(doctor.run("simulator", tmp_path))["write access"]
    assert check.status is Status.MISSING


def test_a_folder_whose_file_system_refuses(tmp_path, monkeypatch):
    def refuse(**arguments):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(doctor.tempfile, "NamedTemporaryFile", refuse)
    check = by_name(doctor.run("simulator", tmp_path))["write access"]
    assert check.status is Status.MISSING
    assert "Read-only file system" in check.found
    assert "--ascend-tune-dir" in check.fix


def test_a_package_that_is_not_installed(tmp_path, monkeypatch):
    real = importlib.metadata.version

    def version(name):
        if name == "scikit-optimize":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    check = by_name(doctor.run("simulator", tmp_path))["scikit-optimize"]
    assert (check.status, check.found) == (Status.MISSING, "not installed")


def test_an_unknown_backend(tmp_path):
    with pytest.raises(SettingsError, match="backend 'gpu' is unknown; allowed: auto, ascend, cpu, simulator"):
        doctor.run("gpu", tmp_path)


@needs_compiler
def test_an_ascend_machine_that_is_ready(machine, tmp_path):
    checks = by_name(doctor.run("ascend", tmp_path))
    assert doctor.ready(list(checks.values()))
    assert checks["CANN"].found == f"8.5.0 in {machine.home}"
    assert checks["NPU"].found == "Ascend910B2, 24 cube cores"
    assert checks["NPU use"].found == "idle"
    assert checks["trial compilation"].status is Status.OK


@needs_compiler
@pytest.mark.parametrize(
    ("break_it", "name", "found", "fix"),
    [
        (lambda m, p: p.delenv("ASCEND_HOME_PATH"), "CANN", "ASCEND_HOME_PATH is not set", "set_env.sh"),
        (lambda m, p: p.delenv("CATLASS_HOME"), "CATLASS", "CATLASS_HOME is not set", "git clone"),
        (lambda m, p: m.set("import", 1), "NPU", "torch and torch_npu cannot be imported", ""),
        (lambda m, p: m.set("devices", 0), "NPU", "NPU 0 was asked for", ""),
        (lambda m, p: m.set("probe", 1), "NPU", "CANN 8.5.0 cannot compile even an empty kernel", "kernel_operator.h"),
    ],
)
def test_an_ascend_machine_with_something_missing(machine, tmp_path, monkeypatch, break_it, name, found, fix):
    break_it(machine, monkeypatch)
    checks = by_name(doctor.run("ascend", tmp_path))
    assert checks[name].status is Status.MISSING
    assert checks[name].found.startswith(found)
    assert fix in checks[name].fix
    assert not doctor.ready(list(checks.values()))


@needs_compiler
def test_a_busy_npu_and_a_chip_that_differs_are_warnings(machine, tmp_path):
    machine.chip("Ascend910B2", cores=20)
    machine.set("processes", "0 4711 train")
    checks = by_name(doctor.run("auto", tmp_path))
    assert checks["chip facts"].status is Status.WARNING
    assert "cube_cores is 20" in checks["chip facts"].found
    assert checks["NPU use"].found == "process 4711 (train) uses NPU 0, too"
    assert doctor.ready(list(checks.values()))


@needs_compiler
def test_packages_that_cann_imports(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(ascend_checks, "installed", lambda name: "" if name in ("sympy", "decorator") else "1.0")
    check = by_name(doctor.run("ascend", tmp_path))["CANN's Python packages"]
    assert (check.status, check.found) == (Status.WARNING, "lacking: decorator, sympy")
    assert check.fix == "pip install decorator sympy"


def test_the_extra_lists_what_doctor_asks_for():
    listed = [line for line in importlib.metadata.requires("pytest-ascend-tune") or [] if 'extra == "ascend"' in line]
    if not listed:
        pytest.skip("installed before the extra existed: pip install -e . again")
    assert sorted(line.partition(";")[0].strip() for line in listed) == sorted(ascend_checks._CANN_PACKAGES)


def test_torch_that_does_not_fit_is_named_with_the_right_pip_line(monkeypatch):
    versions = {"torch": "2.8.0", "torch_npu": "2.9.0"}
    monkeypatch.setattr(ascend_checks, "installed", versions.get)
    check = ascend_checks._torch((8, 5, 0))
    assert check.status is Status.WARNING
    assert check.found == "torch_npu 2.9.0 needs torch 2.9.0, found 2.8.0"
    assert check.fix == pairing.pip_line((8, 5, 0), "2.8.0")
    assert "torch_npu==2.8.0.post2" in check.fix


def test_what_people_read():
    checks = [
        Check("CANN", Status.OK, "8.5.0", "compiling"),
        Check("CATLASS", Status.MISSING, "CATLASS_HOME is not set", "the kernel template", "git clone it"),
        Check("NPU", Status.SKIPPED, "not tried", "running kernels", "mend the above"),
    ]
    assert list(doctor.as_lines(checks)) == [
        "ok       CANN     8.5.0",
        "MISSING  CATLASS  CATLASS_HOME is not set",
        "                  needed for the kernel template",
        "                  -> git clone it",
        "skipped  NPU      not tried",
        "                  -> mend the above",
        "not ready: 1 missing",
    ]


def test_what_is_sent_shortens_home_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    sent = doctor.as_json([Check("CANN", Status.OK, f"8.5.0 in {tmp_path}/cann", "compiling")])
    assert json.loads(json.dumps(sent)) == sent
    assert sent["checks"] == [
        {"name": "CANN", "status": "ok", "found": "8.5.0 in ~/cann", "why": "compiling", "fix": ""}
    ]
    assert sent["ready"] is True
