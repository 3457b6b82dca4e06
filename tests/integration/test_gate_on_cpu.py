"""The gate on the real cpu backend: no false alarm beside CPU hogs, a slower kernel found, a worse tool chain named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.cli.calibrating import calibrate_device
from pytest_ascend_tune.execute.confirm import ConfirmPlan, OldBuild, confirm
from pytest_ascend_tune.gate.verdict import judge
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.confirmation import CompareStatus, Confirmation, OldToolchain
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Template, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import (
    Baseline,
    BaselineKey,
    Cause,
    GateStatus,
    Policy,
    StoredMeasurement,
    Verdict,
)
from pytest_ascend_tune.options.settings import resolve
from pytest_ascend_tune.records.baselines.calibrations import load_calibration
from pytest_ascend_tune.session.run import TuneSession
from tests.fakes.kernels import needs_compiler

pytestmark = [needs_compiler, pytest.mark.slow]
PROBLEM = GemmProblem(256, 256, 256, "float32")
HOG = "import itertools; all(True for _ in itertools.count())"


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def backend(cache_dir):
    backend = CpuBackend(BackendOptions(cache_dir))
    yield backend
    backend.close()


@pytest.fixture
def hogs():
    """A busy process on each of the CPUs that we may use."""
    cpus = sorted(os.sched_getaffinity(0))
    processes = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in cpus]
    for process, cpu in zip(processes, cpus, strict=True):
        os.sched_setaffinity(process.pid, {cpu})
    yield
    for process in processes:
        process.kill()
        process.wait()


def with_comment(template: Template, comment: str) -> Template:
    """The same code from another text, so another build."""
    files = tuple((n, text + f"// {comment}\n" if n == template.source else text) for n, text in template.files)
    return replace(template, files=files, source_hash=template.source_hash[:-4] + comment[:4].rjust(4, "0"))


def confirmed_(backend: CpuBackend, finalist, own, seed: int = 0) -> Confirmation:
    result = confirm(backend, PROBLEM, [finalist], own, backend.reference(PROBLEM), ConfirmPlan(seed=seed))
    assert result is not None
    return result


def baseline_of(backend: CpuBackend, confirmed: Confirmation) -> Baseline:
    low, high = confirmed.interval_us
    assert confirmed.reference is not None
    assert confirmed.winner.config is not None
    measured = StoredMeasurement(
        confirmed.winner.time_us,
        confirmed.interval_us,
        confirmed.tflops,
        confirmed.efficiency_share,
        len(confirmed.winner.samples_us),
        (high - low) / 2 / confirmed.winner.time_us,
        confirmed.reference.time_us,
        confirmed.reference.build_id,
    )
    key = BaselineKey("main", backend.device, "cpu_gemm", PROBLEM.id)
    config, build_id = confirmed.winner.config, confirmed.winner.build_id
    return Baseline(key, config, "", 1, build_id, measured, backend.fingerprint(), "2026-11-20T09:30:00Z")


def judged(backend: CpuBackend, confirmed: Confirmation, baseline: Baseline) -> Verdict:
    ended = Convergence(ConvergenceState.CONVERGED, Text.of("not searched"))
    tuning = TuningResult(PROBLEM, "cpu_gemm", "cpu", backend.device, False, (), ended, confirmed=confirmed)
    return judge(tuning, baseline, backend.fingerprint(), Policy())


def test_twenty_runs_without_a_change_beside_cpu_hogs(backend, hogs):
    template, space = load_template("cpu_gemm")
    own = backend.build(template, PROBLEM, space.default)
    today = backend.build(with_comment(template, "today"), PROBLEM, space.default)
    assert today.build_id != own.build_id
    baseline = baseline_of(backend, confirmed_(backend, own, own))
    runs = [confirmed_(backend, today, own, seed) for seed in range(20)]
    assert all(run.health.busy for run in runs)
    assert GateStatus.REGRESSED not in {judged(backend, run, baseline).status for run in runs}


def test_a_slower_kernel_is_found_beside_cpu_hogs(backend, hogs):
    template, space = load_template("cpu_gemm")
    own = backend.build(template, PROBLEM, space.default)
    slow_config = type(space.default)({**space.default, "tile_m": 16, "tile_n": 16, "l1_k": 32, "l0_k": 16})
    slow = backend.build(template, PROBLEM, slow_config)
    found = confirmed_(backend, slow, own)
    assert found.comparison is not None
    assert found.comparison.status is CompareStatus.SLOWER
    assert found.takes == 2


def test_calibration_is_kept_and_used(tmp_path):
    session = TuneSession(resolve({"backend": "cpu"}, {}), tmp_path)
    session.open()
    try:
        lines = list(calibrate_device(session, PROBLEM, 5, lambda line: None))
        kept = load_calibration(session.places.folder, session.backend.device)
    finally:
        session.close()
    assert kept is not None
    assert kept.runs == 5
    assert kept.threshold >= 0.025
    assert not kept.enough
    assert "Not enough" in lines[0]


def test_the_old_compiler_proves_that_the_new_one_is_slower(cache_dir, tmp_path, monkeypatch):
    """Also far below the threshold of stored numbers, and whatever the baseline's numbers are worth."""
    template, space = load_template("cpu_gemm")
    wrapper = tmp_path / "g++"
    wrapper.write_text('#!/bin/sh\nexec g++ "$@" -O1\n')
    wrapper.chmod(0o755)
    usual = shutil.which("g++")
    monkeypatch.setenv("CXX", str(wrapper))
    today = CpuBackend(BackendOptions(cache_dir))
    try:
        today.use_old(usual)
        own = today.build(template, PROBLEM, space.default)
        old = OldBuild(OldToolchain(today.old_versions()), today.build_old(template, PROBLEM, space.default))
        assert old.artifact.build_id != own.build_id
        reference = today.reference(PROBLEM)
        found = confirm(today, PROBLEM, [own], own, reference, ConfirmPlan(), old=old)
        baseline = replace(baseline_of(today, found), provisional=True)
        verdict = judged(today, found, baseline)
    finally:
        today.close()
    assert found.identical_build
    assert found.takes == 2
    assert (verdict.status, verdict.cause) == (GateStatus.REGRESSED, Cause.PLATFORM)
    assert "the strongest proof" in str(verdict.reason)
    assert dict(found.anchors).keys() == {"fma_peak", "memory_stream"}


def test_a_compiler_that_optimises_less_is_a_slower_platform(cache_dir, tmp_path, monkeypatch):
    template, space = load_template("cpu_gemm")
    before = CpuBackend(BackendOptions(cache_dir))
    try:
        own = before.build(template, PROBLEM, space.default)
        baseline = baseline_of(before, confirmed_(before, own, own))
    finally:
        before.close()
    wrapper = tmp_path / "g++"
    wrapper.write_text('#!/bin/sh\nexec g++ "$@" -O1\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CXX", str(wrapper))
    after = CpuBackend(BackendOptions(cache_dir))
    try:
        rebuilt = after.build(template, PROBLEM, space.default)
        assert rebuilt.build_id != own.build_id
        verdict = judged(after, confirmed_(after, rebuilt, rebuilt), baseline)
    finally:
        after.close()
    assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.REGRESSED, Cause.PLATFORM, True)
