"""Calibration: the suggested thresholds follow the noise and are never finer than the rule was measured for."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.execute.confirm import confirm_no_change
from pytest_ascend_tune.gate.calibrate import (
    MIN_OCCASIONS,
    MIN_RUNS,
    MIN_SPAN_S,
    SMALLEST_THRESHOLD,
    calibrate,
    observed,
)
from pytest_ascend_tune.gate.statistics import loses
from pytest_ascend_tune.gate.stored import FINEST_THRESHOLD
from pytest_ascend_tune.model.errors import SettingsError
from tests.unit.gate.doubles import OLD, PROBLEM, QUICK, ScriptedBackend


def unchanged(noise: float, runs: int = 8, *, reference: bool = True, wander: float = 0.0):
    """Confirmations of one kernel against itself; `wander` slows the whole device from run to run."""
    made = []
    for seed in range(runs):
        backend = ScriptedBackend({OLD: 100.0}, noise=noise, seed=seed)
        backend.device_slowdown = 1 + wander * seed
        [kernel] = backend.build_all(OLD)
        blas = backend.reference(PROBLEM) if reference else None
        made.append(confirm_no_change(backend, PROBLEM, kernel, blas, QUICK, clock=backend.clock))
    return made


def calibrated(confirmations, *, occasions: int = 2, span_s: float = 600.0, **more):
    return calibrate([observed(one) for one in confirmations], occasions=occasions, span_s=span_s, **more)


def test_a_quiet_machine_keeps_the_usual_threshold():
    quiet = calibrated(unchanged(0.002))
    assert quiet.threshold == SMALLEST_THRESHOLD
    assert quiet.platform_threshold == FINEST_THRESHOLD
    assert quiet.runs == 8
    assert "8 runs without a change" in str(quiet.text)


def test_a_noisier_machine_gets_wider_thresholds():
    quiet, noisy = calibrated(unchanged(0.05)), calibrated(unchanged(3.0))
    assert noisy.noise_floor > quiet.noise_floor
    assert noisy.threshold > quiet.threshold
    assert noisy.platform_threshold > quiet.platform_threshold


def test_no_run_would_have_been_called_slower_at_the_suggested_threshold():
    runs = unchanged(1.0)
    suggested = calibrated(runs).threshold
    for run in runs:
        ratios = run.comparison.quarter_ratio, run.comparison.ratio
        assert not loses(*ratios, suggested)
        assert not loses(*(1 / ratio for ratio in ratios), suggested)


def test_noise_between_runs_is_relative_to_the_reference_where_there_is_one():
    wandering = {
        reference: calibrated(unchanged(0.002, reference=reference, wander=0.1)) for reference in (True, False)
    }
    assert wandering[True].between_runs < 0.01
    assert wandering[False].between_runs > 0.2
    assert wandering[False].platform_threshold > 0.5


def test_stored_numbers_are_never_compared_more_finely_than_fresh_ones():
    assert calibrated(unchanged(0.002), allowed=0.08).platform_threshold == 0.08


def test_a_few_runs_are_not_enough():
    with pytest.raises(SettingsError, match=f"4 runs .* at least {MIN_RUNS}"):
        calibrated(unchanged(0.002, runs=4))


@pytest.mark.parametrize(
    ("occasions", "span_s", "enough"),
    [(1, 11.0, False), (1, 7200.0, False), (2, 599.0, False), (2, 600.0, True), (5, 86400.0, True)],
)
def test_one_occasion_or_a_few_minutes_are_not_enough(occasions, span_s, enough):
    """Eleven seconds once set a limit of 5.8 % for a whole device."""
    found = calibrated(unchanged(0.002), occasions=occasions, span_s=span_s)
    assert found.enough is enough
    assert ("Not enough" in str(found.text)) is not enough
    assert ("10 % stays for stored numbers" in str(found.text)) is not enough
    assert (MIN_OCCASIONS, MIN_SPAN_S) == (2, 600.0)
