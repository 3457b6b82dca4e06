"""Write a run's reports: the page, results.json and, where asked, the Markdown summary. Each file appears whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune.files.workspace import PAGE_SIGN, RESULTS_SIGN, SUMMARY_SIGN, check_replaceable, replace_text
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.reports.figures.picture import PredictedTime, RecordedRun
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.text import machine, markdown
from pytest_ascend_tune.reports.view import report_view


def check_paths(html_path: Path, json_path: Path, markdown_path: Path | None = None) -> None:
    """Raise RecordError when one of the files is there already and was not written by us; call before measuring."""
    check_replaceable(html_path, PAGE_SIGN)
    check_replaceable(json_path, RESULTS_SIGN)
    if markdown_path is not None:
        check_replaceable(markdown_path, SUMMARY_SIGN)


def publish(
    results: Sequence[GateResult],
    html_path: Path,
    json_path: Path,
    *,
    missed: Sequence[NotMeasured] = (),
    now: datetime,
    environment: Mapping[str, str] | None = None,
    language: str = "en",
    complete: bool = True,
    history: Mapping[str, Sequence[RecordedRun]] | None = None,
    advice: Mapping[str, Text] | None = None,
    predictions: Mapping[str, PredictedTime] | None = None,
    markdown_path: Path | None = None,
) -> tuple[Path, ...]:
    """Write all reports of `results` and say where; `missed`: what was asked for without a result.

    By problem id: `history`, the runs up to this one, oldest first; `advice`, a sentence on their trend;
    `predictions`, where a simulated time goes. Raises RecordError, with nothing written, for a file that is not ours.
    """
    check_paths(html_path, json_path, markdown_path)
    document = machine.results_json(results, missed, now=now, environment=environment, complete=complete)
    replace_text(json_path, json.dumps(document, indent=1, ensure_ascii=False) + "\n", RESULTS_SIGN)
    view = report_view(
        results,
        missed,
        now=now,
        environment=environment,
        language=language,
        complete=complete,
        history=history,
        advice=advice,
        predictions=predictions,
    )
    replace_text(html_path, html.page(view), PAGE_SIGN)
    if markdown_path is None:
        return html_path, json_path
    replace_text(markdown_path, markdown.summary(view), SUMMARY_SIGN)
    return html_path, json_path, markdown_path
