"""What `doctor --bundle` writes, and what it keeps to itself."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.cli import bundle, doctor, main
from pytest_ascend_tune.cli.doctor import Check, Status
from pytest_ascend_tune.model.errors import SettingsError
from tests.fakes.cann import as_this_machine

CHECKS = [Check("Python", Status.OK, "3.11", "everything")]


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A directory of runs and failed trials of a user whose names must not leave the machine."""
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "wang"))
    monkeypatch.setattr(getpass, "getuser", lambda: "wang")
    monkeypatch.setattr(socket, "gethostname", lambda: "node17.lab")
    folder = tmp_path / "kept"
    for number in range(25):
        path = folder / "faults" / f"fault-{number:020d}-64x64x64-float16-nn.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"message": f"{os.environ['HOME']}/x on node17.lab", "number": number}))
    for age, name in ((100, "old"), (1, "new")):
        run = folder / "runs" / name / "catlass_gemm"
        run.mkdir(parents=True)
        (run / "history.json").write_text('{"who": "wang", "host": "node17", "wangs": 1}')
        (run / "curve.png").write_bytes(b"\x89PNG")
        os.utime(folder / "runs" / name, (1e9 - age, 1e9 - age))
    return folder


def test_it_holds_the_last_run_and_the_last_faults_and_no_names(tmp_path, kept):
    names = bundle.write(tmp_path / "bundle", CHECKS, kept)
    assert "doctor.json" in names
    assert "run/catlass_gemm/history.json" in names
    faults = [name for name in names if name.startswith("faults/")]
    assert len(faults) == bundle.FAULTS
    assert faults[-1].startswith("faults/fault-00000000000000000024-")
    assert not any(name.endswith(".png") for name in names)
    texts = {path.name: path.read_text() for path in (tmp_path / "bundle").rglob("*") if path.is_file()}
    assert set(texts) == {name.rpartition("/")[2] for name in names}
    assert json.loads(texts["history.json"]) == {"who": "USER", "host": "HOST", "wangs": 1}
    assert json.loads(texts["fault-00000000000000000024-64x64x64-float16-nn.json"])["message"] == "~/x on HOST"
    for text in texts.values():
        assert "node17" not in text
        assert "wang/" not in text


def test_nothing_is_overwritten(tmp_path, kept):
    target = tmp_path / "there"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    for wrong in (target, target / "mine.txt"):
        with pytest.raises(SettingsError, match="exists and is not an empty folder"):
            bundle.write(wrong, CHECKS, kept)
    assert [path.name for path in target.iterdir()] == ["mine.txt"]


def test_a_machine_without_runs_gives_what_it_has(tmp_path):
    names = bundle.write(tmp_path / "bundle", CHECKS, tmp_path / "nothing")
    assert {"README.txt", "doctor.json"} <= set(names)
    assert not any(name.startswith(("run/", "faults/")) for name in names)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_on_a_board_it_holds_board_chip_and_command(tmp_path, capsys):
    with as_this_machine() as machine:
        target = tmp_path / "bundle"
        code = main(["doctor", "--backend", "ascend", "--dir", str(tmp_path / "d"), "--bundle", str(target)])
        assert code == 0
        assert "written" in capsys.readouterr().out
        assert "910B2" in (target / "npu-smi.txt").read_text()
        assert "cube_freq=1800" in (target / "platform" / "Ascend910B2.ini").read_text()
        assert str(machine.catlass_home / "include") in (target / "command.txt").read_text()
        checks = {check["name"]: check for check in json.loads((target / "doctor.json").read_text())["checks"]}
        assert checks["trial compilation"]["found"] == "an empty kernel compiles, loads and runs"


def test_the_names_that_tell_nothing_stay(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "root")
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    monkeypatch.delenv("HOSTNAME", raising=False)
    assert bundle.without_names("root on localhost") == "root on localhost"


def test_doctor_names_the_backend_that_auto_means(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor.backends, "npu_device_nodes", lambda: [])
    check = doctor.run("auto", tmp_path)[0]
    assert (check.name, check.found) == ("backend", "auto: cpu (no NPU is here)")
    assert doctor.run("simulator", tmp_path)[0].found == "simulator"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_doctor_finds_a_folder_mounted_noexec(tmp_path, monkeypatch):
    checks = {check.name: check for check in doctor.run("cpu", tmp_path)}
    assert checks["trial kernel"].status is Status.OK
    assert "built, loaded and run" in checks["trial kernel"].found

    def refuse(backend, problem):
        from pytest_ascend_tune.backends.build_cache import why_not_loaded
        from pytest_ascend_tune.model.errors import BuildError

        text = "library: failed to map segment from shared object"
        raise BuildError(f"a built library cannot be loaded: {text}{why_not_loaded(text)}")

    monkeypatch.setattr(CpuBackend, "peak_tflops", refuse)
    check = next(check for check in doctor.run("cpu", tmp_path) if check.name == "trial kernel")
    assert check.status is Status.MISSING
    assert "noexec" in check.found + check.fix
