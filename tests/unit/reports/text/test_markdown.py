"""Markdown summary and annotations."""

from collections.abc import Callable
from datetime import datetime, timezone

import pytest

from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.reports.text import markdown
from pytest_ascend_tune.reports.view import report_view
from tests.factories import every_status, gate_result

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summary(golden: Callable[[str, str], None], language: str) -> None:
    view = report_view(every_status(), now=NOW, language=language)
    golden(f"reports/summary_{language}.md", markdown.summary(view, report="report/index.html"))


def test_names_become_neither_markup_nor_cells() -> None:
    nodeid = "t.py::test_<b>|`x`*y*_z_[a](b)\n# h"
    text = markdown.summary(report_view([gate_result(GateStatus.REGRESSED, nodeid=nodeid)], now=NOW))
    outside = text[: text.index("```")]
    assert "<b>" not in outside
    assert "\n# h" not in outside
    assert "\\|\\`x\\`" in outside


def test_a_fence_is_longer_than_what_it_holds() -> None:
    text = markdown.summary(report_view([gate_result(nodeid="t.py::test_```x")], now=NOW))
    assert "````sh" in text


def test_every_row_has_all_columns() -> None:
    lines = markdown.summary(report_view(every_status(), now=NOW)).splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 2 + 8
    assert {line.replace("\\|", "").count("|") for line in rows} == {9}


def test_failures_are_annotated_where_the_test_is() -> None:
    view = report_view(every_status(), now=NOW)
    lines = markdown.failure_annotations(view)
    assert len(lines) == 3
    assert lines[1].startswith(
        "::error file=tests/test_gemm.py,line=1,title=ascend-tune%3A 4096x4096x4096-float16-nn::"
    )
    assert all("\n" not in line for line in lines)
    nodeid = view.problems[1].nodeid
    assert "tests/test_gemm.py,line=7," in markdown.failure_annotations(view, lines={nodeid: 7})[1]
    elsewhere = markdown.failure_annotations(view, files=["other.py"])
    assert all("file=" not in line for line in elsewhere)


def test_annotations_are_escaped() -> None:
    view = report_view([gate_result(GateStatus.REGRESSED, nodeid="a,b:c%.py::test")], now=NOW)
    assert "file=a%2Cb%3Ac%25.py" in markdown.failure_annotations(view)[0]
