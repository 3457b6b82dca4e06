"""pytest-html: two columns (rate, change) and both pictures in the row of each tuned test."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import pytest

from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.rounding import number, percent


class HtmlReport:
    """Registered beside pytest-html only."""

    def __init__(self, language: str) -> None:
        self._language = language

    def add(self, report: Any, results: Sequence[GateResult], missed: Sequence[NotMeasured]) -> None:
        """Attach pictures and the cells of the two columns to a test's report."""
        if not (results or missed):
            return
        from pytest_html import extras  # start-up: pytest-html may be missing

        from pytest_ascend_tune.reports.page.html import row_pictures  # start-up: matplotlib

        pictures = [svg for result in results for svg in row_pictures(result, self._language)]
        report.extras = getattr(report, "extras", []) + [extras.html(svg) for svg in pictures]
        rates = [
            f"{number(result.tflops)} {result.tuning.problem.dtype.rate_unit}"
            + (say(" (simulated)", self._language) if result.tuning.simulated else "")
            for result in results
            if result.tflops is not None
        ]
        rates += [say("not measured", self._language) for _ in missed]
        drops = [result.verdict.drop for result in results if result.verdict.drop is not None]
        changes = [str(percent(-drop, signed=True)) for drop in drops]
        report.ascend_tune_cells = [", ".join(rates), ", ".join(changes)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        """Columns before the links."""
        cells[-1:-1] = ['<th class="sortable">TFLOPS</th>', '<th class="sortable">Change</th>']

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: Any, cells: list[str]) -> None:
        """Cells of one row; empty for tests that tuned nothing."""
        texts = getattr(report, "ascend_tune_cells", ["", ""])
        cells[-1:-1] = [f'<td class="col-ascend-tune">{escape(text)}</td>' for text in texts]
