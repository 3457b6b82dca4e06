"""Holes that performance gates are known for, each tried from finalists to verdict on the fake backend."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm
from pytest_ascend_tune.gate.stored import RECORD_AGAIN
from pytest_ascend_tune.gate.verdict import judge
from pytest_ascend_tune.model.confirmation import CompareStatus, Confirmation
from pytest_ascend_tune.model.errors import KernelCrashError
from pytest_ascend_tune.model.measurement import Failure, Health, Measurement
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Trial, TuningResult
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
from pytest_ascend_tune.model.word import FailureKind
from tests.fakes.backend import FakeArtifact
from tests.unit.gate.doubles import NEW, OLD, PROBLEM, QUICK, THIRD, ScriptedBackend, template

TIMES = {OLD: 100.0, NEW: 99.8, THIRD: 140.0}


def confirm_(backend: ScriptedBackend, finalists, own, plan: ConfirmPlan = QUICK) -> Confirmation:
    reference = backend.reference(PROBLEM)
    result = confirm(backend, PROBLEM, finalists, own, reference, plan, clock=backend.clock)
    assert result is not None
    return result


def record(backend: ScriptedBackend, confirmed: Confirmation, source_hash: str = "first") -> Baseline:
    low, high = confirmed.interval_us
    reference = confirmed.reference
    measured = StoredMeasurement(
        confirmed.winner.time_us,
        confirmed.interval_us,
        confirmed.tflops,
        confirmed.efficiency_share,
        len(confirmed.winner.samples_us),
        (high - low) / 2 / confirmed.winner.time_us,
        reference.time_us if reference else None,
        reference.build_id if reference else "",
    )
    key = BaselineKey("main", backend.device, "fake_gemm", PROBLEM.id)
    config = confirmed.winner.config
    return Baseline(
        key, config, source_hash, 1, confirmed.winner.build_id, measured, backend.fingerprint(), "2026-11-20T09:30:00Z"
    )


def judged(
    backend: ScriptedBackend, confirmed: Confirmation, baseline: Baseline, policy: Policy | None = None
) -> Verdict:
    trials = tuple(Trial(i, config, Measurement((100.0,))) for i, config in enumerate((OLD, NEW, THIRD), 1))
    ended = Convergence(ConvergenceState.CONVERGED, Text.of("flat"))
    search = TuningResult(PROBLEM, "fake_gemm", "fake", "fake-1", False, trials, ended, confirmed=confirmed)
    return judge(search, baseline, backend.fingerprint(), policy or Policy())


@pytest.fixture
def backend() -> ScriptedBackend:
    return ScriptedBackend(dict(TIMES), noise=0.03)


@pytest.fixture
def first_run(backend) -> tuple[FakeArtifact, Baseline]:
    """The baseline's own build and the baseline that it left."""
    [own] = backend.build_all(OLD)
    return own, record(backend, confirm_(backend, [own], None))


def test_nothing_changed(backend, first_run):
    own, baseline = first_run
    verdict = judged(backend, confirm_(backend, backend.build_all(NEW, THIRD, OLD), own), baseline)
    assert verdict.status is GateStatus.PASSED
    assert "the very build" in str(verdict.reason)


def test_only_a_comment_changed(backend, first_run):
    own, baseline = first_run
    verdict = judged(backend, confirm_(backend, backend.build_all(NEW, OLD, text="// new\n"), own), baseline)
    assert verdict.status is GateStatus.PASSED
    assert verdict.drop == pytest.approx(0, abs=0.01)


def test_slower_code(backend, first_run):
    own, baseline = first_run
    slower = backend.build_all(NEW, THIRD, OLD, slowdown=1.2)
    verdict = judged(backend, confirm_(backend, slower, own), baseline)
    assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.REGRESSED, Cause.CODE, True)
    assert verdict.drop == pytest.approx(1 - 1 / 1.2, abs=0.01)


def test_old_configuration_slower_but_the_best_faster(backend, first_run):
    own, baseline = first_run
    finalists = [*backend.build_all(OLD, slowdown=1.3), *backend.build_all(NEW, slowdown=0.9)]
    verdict = judged(backend, confirm_(backend, finalists, own), baseline)
    assert (verdict.status, verdict.cause) == (GateStatus.IMPROVED, Cause.SEARCH)


def test_old_configuration_slower_and_another_as_good(backend, first_run):
    own, baseline = first_run
    finalists = [*backend.build_all(OLD, slowdown=1.3), *backend.build_all(NEW, slowdown=1.001)]
    assert judged(backend, confirm_(backend, finalists, own), baseline).status is GateStatus.PASSED


@pytest.mark.parametrize(("slowdown", "status"), [(1.0, GateStatus.PASSED), (1.1, GateStatus.REGRESSED)])
def test_old_configuration_illegal(backend, first_run, slowdown, status):
    own, baseline = first_run
    finalists = backend.build_all(NEW, THIRD, slowdown=slowdown)
    verdict = judged(backend, confirm_(backend, finalists, own), baseline)
    assert verdict.status is status
    if status is GateStatus.REGRESSED:
        assert "the baseline's configuration does not work with today's sources" in str(verdict.reason)


def test_old_configuration_crashes_today(backend, first_run):
    own, baseline = first_run
    finalists = backend.build_all(OLD, THIRD, text="changed\n")

    def crash(artifact):
        if artifact is finalists[0]:
            raise KernelCrashError("signal 11")

    backend.before_sample = crash
    verdict = judged(backend, confirm_(backend, finalists, own), baseline)
    assert verdict.status is GateStatus.REGRESSED
    assert "does not work with today's sources" in str(verdict.reason)
    assert any("tile_m=16 failed in the confirmation" in str(note) for note in verdict.notes)


@pytest.mark.parametrize(("slowdown", "status"), [(1.05, GateStatus.PASSED), (1.3, GateStatus.REGRESSED)])
def test_old_source_no_longer_builds(backend, first_run, slowdown, status):
    _, baseline = first_run
    lost = Failure(FailureKind.BUILD_ERROR, "the baseline's own sources do not build any more")
    confirmed = confirm_(backend, backend.build_all(OLD, slowdown=slowdown), lost)
    verdict = judged(backend, confirmed, baseline)
    assert verdict.status is status
    assert any("do not build any more" in str(note) and "stored numbers" in str(note) for note in verdict.notes)


def test_another_tool_chain(backend, first_run):
    _, baseline = first_run
    backend.toolchain, backend.toolchain_slowdown = "fake-cc 2.0", 1.5
    [own] = backend.build_all(OLD)
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD, NEW), own), baseline)
    assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.REGRESSED, Cause.PLATFORM, True)
    assert "compiler fake-cc 1.0 -> fake-cc 2.0" in str(verdict.reason)
    assert verdict.drop == pytest.approx(1 / 3, abs=0.02)


def test_another_tool_chain_and_slower_code(backend, first_run):
    _, baseline = first_run
    backend.toolchain, backend.toolchain_slowdown = "fake-cc 2.0", 1.5
    [own] = backend.build_all(OLD)
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD, NEW, slowdown=1.2), own), baseline)
    assert verdict.cause is Cause.CODE
    assert any("cause platform" in str(note) for note in verdict.notes)


def test_reference_library_changed(backend, first_run):
    own, baseline = first_run
    older = replace(baseline, measurement=replace(baseline.measurement, reference_id="fake-blas 0.9"))
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD), own), older)
    assert verdict.status is GateStatus.PASSED
    assert any("reference changed" in str(note) for note in verdict.notes)
    assert RECORD_AGAIN in verdict.notes


def test_throttled_device(backend, first_run):
    own, baseline = first_run
    backend.device_slowdown = 1.6
    backend.health_now = Health(True, (Text.of("clock at 60 %"),), slow_clock=True)
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD, NEW), own), baseline)
    assert verdict.status is GateStatus.PASSED
    assert any("device: the reference kernel is 3" in str(note) for note in verdict.notes)
    assert Text.of("clock at 60 %") in verdict.notes


def test_throttled_device_and_slower_kernel_at_once(backend, first_run):
    own, baseline = first_run
    backend.device_slowdown = 1.6
    backend.health_now = Health(True, slow_clock=True)
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD, NEW, slowdown=1.2), own), baseline)
    assert (verdict.status, verdict.cause) == (GateStatus.REGRESSED, Cause.CODE)


def test_a_device_that_is_throttled_in_the_middle_of_the_confirmation(backend, first_run):
    own, baseline = first_run

    def throttle(artifact):
        backend.device_slowdown = 1.6 if len(backend.samples) > 250 else 1.0

    backend.before_sample = throttle
    backend.samples.clear()
    verdict = judged(backend, confirm_(backend, backend.build_all(OLD, NEW, text="// new\n"), own), baseline)
    assert verdict.status is GateStatus.PASSED


def test_ten_small_steps_do_not_add_up_unseen(backend, first_run):
    """The baseline moves only on request, so every step is measured against the first one, not the one before."""
    own, baseline = first_run
    statuses = []
    for step in range(1, 11):
        slower = backend.build_all(OLD, slowdown=1 / 0.98**step)
        statuses.append(judged(backend, confirm_(backend, slower, own), baseline).status)
    assert statuses[0] is GateStatus.PASSED
    assert statuses[1:] == [GateStatus.REGRESSED] * 9


def test_the_search_may_be_as_lucky_as_it_likes(backend, first_run):
    """A raw search value of half the time convinces nobody: the confirmed time is the one of fresh samples."""
    own, baseline = first_run
    confirmed = confirm_(backend, backend.build_all(NEW, text="// new\n"), own)
    assert confirmed.winner.time_us == pytest.approx(100, rel=0.02)
    assert judged(backend, confirmed, baseline).status is GateStatus.PASSED


def test_a_winner_that_was_lucky_in_the_race_is_judged_on_fresh_samples(backend, first_run):
    own, baseline = first_run
    finalists = backend.build_all(OLD, THIRD, slowdown=1.1)
    lucky = finalists[1].build_id

    def favour_in_the_race(artifact):
        backend.slow_now[lucky] = 0.5 if len(backend.samples) < 90 else 1.0

    backend.before_sample = favour_in_the_race
    backend.samples.clear()
    confirmed = confirm_(backend, finalists, own)
    assert confirmed.winner.config == THIRD
    assert confirmed.comparison.status is CompareStatus.SLOWER
    assert judged(backend, confirmed, baseline).status is GateStatus.REGRESSED


def test_a_bad_search_cannot_be_worse_than_the_baseline(backend, first_run):
    own, baseline = first_run
    verdict = judged(backend, confirm_(backend, backend.build_all(THIRD, OLD), own), baseline)
    assert verdict.status is GateStatus.PASSED


def test_gating_without_a_search_finds_slower_code_too(backend, first_run):
    own, baseline = first_run
    confirmed = confirm_(backend, backend.build_all(OLD, slowdown=1.2), own)
    ended = Convergence(ConvergenceState.BUDGET_EXHAUSTED, Text.of("not searched"))
    unsearched = TuningResult(PROBLEM, "fake_gemm", "fake", "fake-1", False, (), ended, confirmed=confirmed)
    verdict = judge(unsearched, baseline, backend.fingerprint(), Policy(unconverged="fail"))
    assert (verdict.status, verdict.cause) == (GateStatus.REGRESSED, Cause.CODE)


def test_twenty_runs_without_a_change_on_a_noisy_busy_machine(first_run):
    _, baseline = first_run
    statuses = []
    for seed in range(20):
        # noise of 60 % of the time itself, and no build in common
        noisy = ScriptedBackend({OLD: 100.0, NEW: 100.0}, noise=0.6, seed=seed)
        noisy.health_now = Health(True)
        [own] = noisy.build_all(OLD)
        confirmed = confirm_(noisy, noisy.build_all(OLD, NEW, text="// new\n"), own, ConfirmPlan(rounds=120, seed=seed))
        statuses.append(judged(noisy, confirmed, baseline).status)
    assert GateStatus.REGRESSED not in statuses


def test_the_sources_hash_of_a_template_follows_its_text():
    assert template("a\n").source_hash != template("b\n").source_hash
