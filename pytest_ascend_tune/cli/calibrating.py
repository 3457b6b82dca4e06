"""Calibration of a device: confirmations of an unchanged kernel, their noise, and the thresholds that suit it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm_no_change
from pytest_ascend_tune.gate.calibrate import MIN_RUNS, calibrate
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.options.settings import Request
from pytest_ascend_tune.records.baselines.calibrations import StoredCalibration, save_calibration
from pytest_ascend_tune.session.run import TuneSession, stamp


def calibrate_device(
    session: TuneSession, problem: GemmProblem, runs: int, progress: Callable[[str], None]
) -> Iterator[str]:
    """Measure the template's default configuration against itself `runs` times and keep what that teaches.

    Yields lines for people. Raises InvalidInputError before anything is measured.
    """
    if runs < MIN_RUNS:
        raise SettingsError(f"rounds={runs} is too few to calibrate from; at least {MIN_RUNS} are needed")
    reason = session.cannot(problem)
    if reason:
        raise SettingsError(reason)
    request = Request(problem, session.settings)
    session.check([request])
    job = session.job(request)
    backend = job.backend
    config = job.space.default or job.space.candidates(problem, limit=1, seed=0).config(0)
    artifact = backend.build(job.template, problem, config)
    reference = backend.reference(problem)
    confirmations = []
    for number in range(1, runs + 1):
        confirmation = confirm_no_change(backend, problem, artifact, reference, ConfirmPlan(seed=number))
        confirmations.append(confirmation)
        comparison = confirmation.comparison
        change = f"{comparison.ratio - 1:+.2%}, {comparison.status}" if comparison else "nothing to compare"
        progress(f"no-change confirmation {number} of {runs}: {change}")
    found = calibrate(confirmations)
    stored = StoredCalibration(
        device=backend.device,
        runs=found.runs,
        noise_floor=found.noise_floor,
        between_runs=found.between_runs,
        threshold=found.threshold,
        platform_threshold=found.platform_threshold,
        recorded_at=stamp(session.now()),
    )
    yield str(found.text)
    yield f"kept: {save_calibration(session.folder, stored)} (comparisons with stored numbers use it from now on)"
    yield f"to use the suggestion: --ascend-tune-threshold={found.threshold:.1%}, or ascend_tune_threshold (ini)"
