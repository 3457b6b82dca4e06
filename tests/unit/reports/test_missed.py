"""What was asked for and not measured is said wherever a result would be, and nothing sounds green beside it."""

import json
from dataclasses import replace
from datetime import datetime, timezone
from importlib import resources
from typing import Any

import jsonschema
import pytest
from markupsafe import escape

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateStatus, NotMeasured
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.sentences import by_reason, headline, worst_first
from pytest_ascend_tune.reports.text import markdown, terminal
from pytest_ascend_tune.reports.text.machine import results_json
from pytest_ascend_tune.reports.view import report_view
from tests.factories import gate_result, missed
from tests.unit.reports.page.test_html import NASTY

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
SKIPPED = tuple(one for one in missed() if one.skipped)


@pytest.mark.parametrize(
    ("statuses", "sentence"),
    [
        ((), "Nothing was measured of what was asked for (problems: 3)."),
        ((GateStatus.PASSED,), "1 of 4 problems passed the gate; not measured: 3."),
        ((GateStatus.PASSED, GateStatus.IMPROVED), "2 of 5 problems passed the gate; not measured: 3."),
        ((GateStatus.PASSED, GateStatus.REGRESSED), "(allowed 2.5 %). Not measured: 3 more."),
        ((GateStatus.INCONCLUSIVE,), "No problem failed the gate; 1 of 1 could not be judged. Not measured: 3 more."),
    ],
)
def test_the_headline_counts_them(statuses: tuple[GateStatus, ...], sentence: str) -> None:
    results = worst_first([gate_result(status, count=3) for status in statuses])
    assert str(headline(results, missed())).endswith(sentence)


def test_a_pass_that_the_policy_fails_is_no_pass() -> None:
    result = gate_result(count=3)
    failing = replace(result, verdict=replace(result.verdict, fails=True))
    assert "failed the gate" in str(headline([failing], missed()))


@pytest.mark.parametrize(("left_out", "mark"), [(missed(), "✘"), (SKIPPED, "○"), ((), "✔")])
def test_the_mark_of_the_run(left_out: tuple[NotMeasured, ...], mark: str) -> None:
    assert report_view([gate_result(count=3)], left_out, now=NOW).mark == mark


def test_what_went_wrong_comes_first_and_reasons_are_said_once() -> None:
    assert [len(group) for group in by_reason(missed())] == [1, 2]
    assert not by_reason(missed())[0][0].skipped


@pytest.mark.parametrize("results", [(), (gate_result(count=3),)])
def test_the_page_lists_them(results: tuple[Any, ...]) -> None:
    text = html.page(report_view(results, missed(), now=NOW))
    table = text[text.index('class="missed"') : text.index("</table>")]
    for one in missed():
        assert one.problem_id in table
        assert one.nodeid in table
    assert "k=&lt;1&gt; is too small" in table
    assert table.count("has no float16") == 1
    assert "✘</span> 3 not measured" in text
    assert "No problem was tuned" not in text
    assert 'class="missed"' not in html.page(report_view(results, now=NOW))


@pytest.mark.parametrize("nodeid", NASTY, ids=range(len(NASTY)))
def test_node_ids_and_reasons_are_text(nodeid: str) -> None:
    one = NotMeasured(nodeid, "", Text.of("{reason}", reason=f"<i>{nodeid} " + "y" * 500))
    text = html.page(report_view([], [one], now=NOW))
    assert f'<code class="id">{escape(nodeid)}</code>' in text
    assert f"&lt;i&gt;{escape(nodeid)}"[:200] in text
    assert "y" * 300 not in text
    assert results_json([], [one], now=NOW)["not_measured"][0]["nodeid"] == nodeid


def test_results_json_lists_them() -> None:
    schema = json.loads((resources.files("pytest_ascend_tune.reports") / "schema/results-1.schema.json").read_text())
    document = results_json([gate_result(count=3)], missed(), now=NOW)
    jsonschema.validate(document, schema)
    assert document["failed"] is True
    assert results_json([gate_result(count=3)], SKIPPED, now=NOW)["failed"] is False
    assert document["not_measured"][0] == {
        "nodeid": "tests/test_gemm.py::test_thin",
        "problem": "64x64x1-float32-nn",
        "reason": "k=<1> is too small",
        "skipped": False,
    }
    assert set(document["not_measured"][0]) == set(schema["properties"]["not_measured"]["items"]["properties"])
    unnamed = results_json([], [NotMeasured("a.py::t", "", Text.of("never said"))], now=NOW)
    assert unnamed["not_measured"][0]["problem"] is None
    jsonschema.validate(unnamed, schema)


def test_markdown_lists_them_and_annotates_what_went_wrong() -> None:
    view = report_view([gate_result(count=3)], missed(), now=NOW)
    text = markdown.summary(view)
    assert "| ✘ 64x64x1-float32-nn (tests/test\\_gemm.py::test\\_thin) | k=&lt;1&gt; is too small |" in text
    assert text.count("has no float16") == 1
    (line,) = markdown.failure_annotations(view)
    assert line.startswith(
        "::error file=tests/test_gemm.py,line=1,title=ascend-tune%3A 64x64x1-float32-nn::not measured"
    )


def test_the_terminal_lists_them() -> None:
    lines = terminal.summary_lines([gate_result(count=3)], missed())
    assert "✘ not measured: 64x64x1-float32-nn: k=<1> is too small" in lines
    many = [replace(SKIPPED[0], problem_id=f"{size}x8x8-float16-nn") for size in range(1, 9)]
    last = terminal.summary_lines([], many, encoding="ascii")[-1]
    assert last.startswith("- not measured: 1x8x8-float16-nn, 2x8x8-float16-nn")
    assert "5x8x8-float16-nn and 3 more: backend cpu has no float16" in last
    unnamed = NotMeasured("a.py::t", "", Text.of("never said"))
    assert terminal.summary_lines([], [unnamed])[-1] == "✘ not measured: a.py::t: never said"


def test_chinese() -> None:
    lines = terminal.summary_lines([gate_result(count=3)], missed(), language="zh")
    assert lines[0] == "4 个问题中有 1 个通过门禁；未测量：3 个。"
    assert any("未测量：64x64x1-float32-nn" in line for line in lines)
