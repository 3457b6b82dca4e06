"""The whole way on a made-up NPU: render, build, load, launch, time, verify, confirm, gate, with pytest round it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.fakes.cann import TEMPLATE, FakeCann, as_this_machine, build_libraries

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")]

TEST = """
    import pytest

    @pytest.mark.ascend_tune(m=64, n=64, k=512, max_iter=3)
    def test_gemm(ascend_tune):
        result = ascend_tune()
        assert not result.tuning.simulated
"""


@pytest.fixture
def machine(monkeypatch):
    with as_this_machine() as machine:
        monkeypatch.setenv("PYTHONPATH", str(machine.python_path))
        monkeypatch.setenv("PATH", f"{machine.environment['PATH']}{os.pathsep}{os.environ['PATH']}")
        yield machine


@pytest.fixture
def run(pytester, machine):
    pytester.makepyfile(TEST)
    shutil.copytree(TEMPLATE, pytester.path / "catlass_gemm", ignore=shutil.ignore_patterns("__*"))

    arguments = (
        "--ascend-tune",
        "--ascend-tune-backend=ascend",
        "--ascend-tune-template=catlass_gemm/",
        f"--ascend-tune-lock-dir={machine.root / 'locks'}",  # this made-up NPU is nobody else's
    )

    def run(*options: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(*arguments, *options)

    run.command = (sys.executable, "-m", "pytest", "-s", *arguments)
    return run


def trials(pytester: pytest.Pytester) -> list[dict[str, object]]:
    newest = max(pytester.path.glob(".ascend-tune/runs/*"), key=lambda folder: folder.stat().st_mtime_ns)
    (history,) = newest.rglob("history.json")
    return json.loads(history.read_text())["trials"]


def test_a_baseline_is_recorded_passed_and_a_slower_kernel_is_refused(pytester, run):
    recorded = run("--ascend-tune-update-baseline")
    recorded.assert_outcomes(passed=1)
    assert [trial["success"] for trial in trials(pytester)] == [True] * 3
    (baseline,) = pytester.path.glob(".ascend-tune/baselines/main/Ascend910B2/catlass_gemm/*.json")
    assert json.loads(baseline.read_text())

    run("--ascend-tune-max-iter=0").assert_outcomes(passed=1)

    loop = pytester.path / "catlass_gemm" / "gemm.hpp"
    feed = "cube.feed_a(stage, slot, piece.start, at.height, piece.length);"
    assert feed in loop.read_text()
    loop.write_text(loop.read_text().replace(feed, feed * 12))
    slower = run("--ascend-tune-max-iter=0")
    slower.assert_outcomes(failed=1)
    slower.stdout.fnmatch_lines(["*slower*"])


def test_failed_configurations_do_not_stop_the_search(pytester, machine, run):
    machine.set("compile", "error ENABLE_UNIT=0")
    run("--ascend-tune-max-iter=8", "--ascend-tune-seed=1").assert_outcomes(passed=1)
    done = trials(pytester)
    assert {trial["success"] for trial in done} == {True, False}
    assert all(trial["time_ms"] == -1 for trial in done if not trial["success"])


def test_a_machine_that_cannot_run_is_refused_before_anything_is_measured(pytester, machine, run):
    machine.set("devices", 0)
    refused = run()
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*NPU 0 was asked for; none is visible*"])
    assert not list(pytester.path.glob(".ascend-tune/runs/*"))


def test_two_npus_share_a_search(pytester, machine, run):
    machine.set("devices", 2)
    run("--ascend-tune-devices=0,1", "--ascend-tune-max-iter=6").assert_outcomes(passed=1)
    done = trials(pytester)
    assert [trial["success"] for trial in done] == [True] * 6
    assert {trial["device"] for trial in done} == {"0", "1"}


def test_the_controller_of_xdist_leaves_the_npu_to_its_worker(pytester, run):
    pytest.importorskip("xdist")
    run("-n1").assert_outcomes(passed=1)
    (best,) = pytester.path.glob(".ascend-tune/runs/*/*/*/best_config.json")
    assert json.loads(best.read_text())


def test_the_old_cann_proves_that_the_new_one_is_slower(pytester, tmp_path, monkeypatch):
    """The baseline is recorded with CANN 8.5.0; that of today makes the cube's feed twelve times as long."""
    libraries = build_libraries(tmp_path / "libraries")
    old = FakeCann(tmp_path / "old", cann="8.5.0").install(libraries)
    new = FakeCann(tmp_path / "new", cann="9.0.0").install(libraries)
    feed = "cube.feed_a(stage, slot, piece.start, at.height, piece.length);"
    compiler = new.home / "compiler" / "ccec_compiler" / "bin" / "bisheng"
    script = compiler.read_text().replace(
        "#!/bin/sh\n", f"#!/bin/sh\n[ -f gemm.hpp ] && sed -i 's/{feed}/{feed * 12}/' gemm.hpp\n"
    )
    compiler.write_text(script)
    pytester.makepyfile(TEST)
    shutil.copytree(TEMPLATE, pytester.path / "catlass_gemm", ignore=shutil.ignore_patterns("__*"))

    def gate(machine, *options):
        with as_this_machine(machine):
            monkeypatch.setenv("TMPDIR", str(tmp_path))
            monkeypatch.setenv("PYTHONPATH", str(machine.python_path))
            monkeypatch.setenv("PATH", f"{machine.environment['PATH']}{os.pathsep}{os.environ['PATH']}")
            backend = ("--ascend-tune-backend=ascend", "--ascend-tune-template=catlass_gemm/")
            return pytester.runpytest_subprocess("--ascend-tune", *backend, "--ascend-tune-max-iter=0", *options)

    gate(old, "--ascend-tune-update-baseline").assert_outcomes(passed=1)
    (path,) = pytester.path.glob(".ascend-tune/baselines/main/Ascend910B2/catlass_gemm/*.json")
    assert json.loads(path.read_text())["measurement"]["anchors"].keys() == {"memory_copy", "torch_matmul"}

    found = gate(new, f"--ascend-tune-old-cann={old.home}")
    found.assert_outcomes(failed=1)
    (result,) = json.loads((pytester.path / ".ascend-tune/report/results.json").read_text())["results"]
    assert (result["status"], result["cause"]) == ("regressed", "platform")
    assert "cann 8.5.0 -> 9.0.0" in result["reason"]
    assert "the strongest proof" in result["reason"]

    for place, words in ((tmp_path / "nowhere", "is not a folder"), (tmp_path, "no CANN version found")):
        refused = gate(new, f"--ascend-tune-old-cann={place}")
        assert refused.ret == pytest.ExitCode.USAGE_ERROR
        refused.stderr.fnmatch_lines([f"*--ascend-tune-old-cann: *{words}*"])


def test_two_sessions_take_turns_on_a_board_that_they_know_by_different_numbers(pytester, machine, run, monkeypatch):
    """One counts it 0 in its container, for the other it is the host's 5: AscendCL tells both that it is 5."""
    machine.set("physical", "5")
    folder = machine.root / "locks"
    folder.mkdir(exist_ok=True)
    command = [*run.command, "--ascend-tune-max-iter=2"]
    with (
        open(folder / "npu-5.lock", "w") as file,
        pytester.popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as waiting,
    ):
        fcntl.flock(file, fcntl.LOCK_EX)
        said = iter(waiting.stdout.readline, "")
        assert any("another process measures on npu-5; waiting for it to end" in line for line in said)
        assert waiting.poll() is None
        fcntl.flock(file, fcntl.LOCK_UN)
        rest = waiting.stdout.read()
        assert waiting.wait(120) == 0, rest
