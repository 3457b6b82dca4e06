"""The trials of a search as points."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Origin, Trial
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.rounding import number


@dataclass(frozen=True)
class TrialPoint:
    """One trial as drawn: ``rate`` is None when it failed (drawn at 0). ``initial``: before the model had a say.
    ``tip``: the trial in words."""

    index: int
    rate: float | None
    initial: bool = False
    tip: str = ""


def trial_points(result: GateResult) -> tuple[TrialPoint, ...]:
    """The trials of a result as points; rates are those of history.json."""
    problem = result.tuning.problem
    return tuple(
        TrialPoint(
            trial.index,
            None if trial.time_us is None else problem.tflops(trial.time_us),
            initial=trial.origin is not Origin.MODEL,
            tip=_tip(trial, problem),
        )
        for trial in result.tuning.trials
    )


def _tip(trial: Trial, problem: GemmProblem) -> str:
    rate = number(None if trial.time_us is None else problem.tflops(trial.time_us))
    return f"{trial.index}: {rate} ({' '.join(f'{name}={value}' for name, value in trial.config.items())})"
