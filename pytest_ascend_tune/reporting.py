"""Writes all reports of a set of results: used after a run, and to build them again from a run's folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune.model import GateResult, NotMeasured, Text
from pytest_ascend_tune.records.history import History
from pytest_ascend_tune.records.trend import trend_note
from pytest_ascend_tune.reports.messages import translate
from pytest_ascend_tune.reports.publishing import publish
from pytest_ascend_tune.reports.rows import Illustration

MOST_ILLUSTRATED = 20  # problems; more pictures than that make a page heavy, and `ascend-tune explain` draws each


def publish_all(
    results: Sequence[GateResult],
    html_path: Path,
    json_path: Path,
    markdown_path: Path,
    *,
    missed: Sequence[NotMeasured] = (),
    now: datetime,
    language: str,
    history: History | None,
    environment: Mapping[str, str] | None = None,
    complete: bool = True,
) -> tuple[Path, ...]:
    """Page, results.json and Markdown summary, with trends from `history` and, where simulated, where the time goes."""
    trends = {
        tuning.problem.id: history.trend(tuning.device, tuning.template, tuning.problem.id)
        for tuning in (result.tuning for result in results)
        if history is not None
    }
    return publish(
        results,
        html_path,
        json_path,
        missed=missed,
        now=now,
        environment=environment,
        language=language,
        complete=complete,
        history=trends,
        illustrations=illustrations(results, language),
        advice={name: note for name, points in trends.items() if (note := trend_note(points)) is not None},
        markdown_path=markdown_path,
    )


def illustrations(results: Sequence[GateResult], language: str) -> dict[str, Illustration]:
    """Where a simulated kernel's time goes, by problem id; none for large suites."""
    simulated = [result for result in results if result.tuning.simulated and result.config is not None]
    if not simulated or len(simulated) > MOST_ILLUSTRATED:
        return {}
    from pytest_ascend_tune.backends import simexplain

    words = Text.of("Simulated: where the predicted time goes, the roofline, and one step of each parameter.")
    pictures = {}
    for result in simulated:
        device = result.tuning.device.removeprefix("simulated-")
        told = simexplain.explanation(result.tuning.problem, result.config, device)
        pictures[result.tuning.problem.id] = Illustration(simexplain.png(told), translate(words, language))
    return pictures
