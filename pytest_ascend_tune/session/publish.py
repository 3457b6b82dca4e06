"""Writes all reports of a set of results: used after a run, and to build them again from a run's folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.records.history.trend import trend_note
from pytest_ascend_tune.reports.figures.picture import PredictedStep, PredictedTime
from pytest_ascend_tune.reports.publishing import publish
from pytest_ascend_tune.reports.text.commands import chip


@dataclass(frozen=True)
class Publication:
    """What is published. ``complete`` is False when the run was interrupted; ``environment``: more facts to show."""

    results: Sequence[GateResult]
    missed: Sequence[NotMeasured]
    now: datetime
    language: str
    history: History | None = None
    environment: Mapping[str, str] | None = None
    complete: bool = True


def publish_all(what: Publication, html_path: Path, json_path: Path, markdown_path: Path) -> tuple[Path, ...]:
    """Page, results.json and Markdown summary, with trends from the history and where simulated time goes."""
    trends = {
        result.problem_id: what.history.trend(result.tuning.device, result.tuning.template, result.problem_id)
        for result in what.results
        if what.history is not None
    }
    return publish(
        what.results,
        html_path,
        json_path,
        missed=what.missed,
        now=what.now,
        environment=what.environment,
        language=what.language,
        complete=what.complete,
        history=trends,
        predictions=predictions(what.results),
        advice={name: note for name, points in trends.items() if (note := trend_note(points)) is not None},
        markdown_path=markdown_path,
    )


def predictions(results: Sequence[GateResult]) -> dict[str, PredictedTime]:
    """Where a simulated kernel's time goes, by problem id; of the kernels that the analytical model describes."""
    simulated = [result for result in results if result.tuning.simulated and result.config is not None]
    if not simulated:
        return {}
    from pytest_ascend_tune.backends.simulator.explanation import describes  # start-up: the model

    return {
        result.problem_id: predicted_time(result.tuning.problem, result.config, chip(result.tuning))
        for result in simulated
        if result.config is not None and describes(result.config)
    }


def predicted_time(problem: GemmProblem, config: Mapping[str, int | str] | None, device: str) -> PredictedTime:
    """The simulator's explanation of a configuration (None: of the best predicted one), as reports draw it.

    Raises ProblemError, SpaceError.
    """
    from pytest_ascend_tune.backends.simulator import explanation as simexplain  # start-up: numpy

    told = simexplain.explanation(problem, config, device)
    return PredictedTime(
        problem,
        told.prediction.time_us,
        tuple((simexplain.NAMES[name], us) for name, us in told.parts),
        tuple(
            PredictedStep(
                step.parameter, step.before, step.after, None if step.time_ratio is None else step.time_ratio - 1
            )
            for step in told.steps
        ),
    )
