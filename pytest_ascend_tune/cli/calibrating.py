"""Calibration of a device: confirmations of an unchanged kernel, their noise, and the thresholds that suit it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm_no_change
from pytest_ascend_tune.gate.calibrate import MIN_RUNS, Observed, calibrate, observed
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.options.settings import Request
from pytest_ascend_tune.records.baselines.calibrations import (
    KEPT_OCCASIONS,
    Occasion,
    StoredCalibration,
    load_calibration,
    save_calibration,
)
from pytest_ascend_tune.session.clock import stamp
from pytest_ascend_tune.session.run import TuneSession


def calibrate_device(
    session: TuneSession, problem: GemmProblem, runs: int, progress: Callable[[str], None]
) -> Iterator[str]:
    """Measure the template's default configuration against itself `runs` times and keep what that teaches.

    Each time adds to what the earlier ones of the same kernel found; thresholds change when they are enough.

    Yields lines for people. Raises InvalidInputError before anything is measured.
    """
    if runs < MIN_RUNS:
        raise SettingsError(f"rounds={runs} is too few to calibrate from; at least {MIN_RUNS} are needed")
    reason = session.cannot(problem)
    if reason:
        raise SettingsError(reason)
    (job,) = (made.search for made in session.check([Request(problem, session.settings)]))
    backend = job.backend
    config = job.space.default or job.space.candidates(problem, limit=1, seed=0).config(0)
    artifact = backend.build(job.template, problem, config)
    reference = backend.reference(problem)
    started_at, runs_of_today = stamp(session.now()), []
    for number in range(1, runs + 1):
        confirmation = confirm_no_change(backend, problem, artifact, reference, ConfirmPlan(seed=number))
        runs_of_today.append(observed(confirmation))
        comparison = confirmation.comparison
        change = f"{comparison.ratio - 1:+.2%}, {comparison.status}" if comparison else "nothing to compare"
        progress(f"no-change confirmation {number} of {runs}: {change}")
    today = Occasion(
        started_at,
        stamp(session.now()),
        tuple(one.drop for one in runs_of_today),
        tuple(one.speed for one in runs_of_today),
        sum(one.inconclusive for one in runs_of_today),
    )
    kernel = f"{problem.id} {artifact.build_id} {reference.build_id if reference else ''}".strip()
    earlier = load_calibration(session.places.folder, backend.device)
    before = earlier.occasions if earlier is not None and earlier.kernel == kernel else ()
    occasions = (*before, today)[-KEPT_OCCASIONS:]
    found = calibrate(_observations(occasions), occasions=len(occasions), span_s=_span_s(occasions))
    stored = StoredCalibration(
        device=backend.device,
        runs=found.runs,
        noise_floor=found.noise_floor,
        between_runs=found.between_runs,
        threshold=found.threshold,
        platform_threshold=found.platform_threshold,
        recorded_at=today.ended_at,
        enough=found.enough,
        kernel=kernel,
        occasions=occasions,
    )
    path = save_calibration(session.places.folder, stored)
    yield str(found.text)
    if earlier is not None and earlier.occasions and not before:
        yield "the earlier calibration was of another kernel, shape or compiler: it is replaced, not continued"
    if not found.enough:
        yield f"kept: {path} (the next calibration of the same kernel goes on from it)"
        return
    yield f"kept: {path} (comparisons with stored numbers use it from now on)"
    yield f"to use the suggestion: {switch('threshold')}={found.threshold:.1%}, or ascend_tune_threshold (ini)"


def _observations(occasions: Sequence[Occasion]) -> list[Observed]:
    return [
        Observed(drop, speed, inconclusive=number < occasion.inconclusive)
        for occasion in occasions
        for number, (drop, speed) in enumerate(zip(occasion.drops, occasion.speeds, strict=True))
    ]


def _span_s(occasions: Sequence[Occasion]) -> float:
    first, last = (
        datetime.fromisoformat(moment.replace("Z", "+00:00"))
        for moment in (occasions[0].started_at, occasions[-1].ended_at)
    )
    return (last - first).total_seconds()
