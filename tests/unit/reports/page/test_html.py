"""The page: structure, exact text, numbers equal to results.json, no network, no markup from names."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from html.parser import HTMLParser
from itertools import pairwise
from typing import NamedTuple

import pytest

from pytest_ascend_tune.model.measurement import Failure
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, GateStatus
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.text.machine import results_json
from pytest_ascend_tune.reports.view import report_view
from pytest_ascend_tune.session.publish import predictions
from tests.factories import every_status, gate_result

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
VOID = {"meta", "br", "hr", "img", "input", "link"}
NASTY = [
    "t.py::test_<b>bold</b>",
    "t.py::test_中文[\\N{x}-\"quoted\"-'single'-&amp;]",
    "t.py::test_🎉[" + "x" * 300 + "]",
    "t.py::test_</script><script>alert(1)</script>",
    "t.py::test_{{ 7 * 7 }}",
    "t.py::test_%s_{0}",
]


class Run(NamedTuple):
    recorded_at: str
    fails: bool
    tflops: float
    vs_baseline: float | None = None


class Node(NamedTuple):
    tag: str
    attributes: dict[str, str | None]


class Page(HTMLParser):
    """Elements, ids, text by tag and a structure without numbers."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.nodes: list[Node] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.nodes.append(Node(tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def all(self, tag: str) -> list[Node]:
        return [node for node in self.nodes if node.tag == tag]


def page(results: list[GateResult] | tuple[GateResult, ...], language: str = "en", **more: object) -> str:
    return html.page(report_view(results, now=NOW, language=language, **more))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> str:
    return page(
        every_status(),
        history={result.tuning.problem.id: [Run("2026-11-01", False, 230.0)] for result in every_status()},
    )


def test_the_page_asks_for_nothing_from_outside(whole: str) -> None:
    assert not re.search(r"(https?:)?//[a-z]|@import|url\(", whole)
    assert not [node for node in Page(whole).nodes if "src" in node.attributes]


def test_landmarks_headings_and_tables(whole: str) -> None:
    parsed = Page(whole)
    assert whole.startswith("<!doctype html>")
    assert whole.index("charset") < 200
    assert parsed.all("html")[0].attributes["lang"] == "en"
    assert [len(parsed.all(tag)) for tag in ("h1", "main", "title")][:2] == [1, 1]
    levels = [int(node.tag[1]) for node in parsed.nodes if re.fullmatch("h[1-6]", node.tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(parsed.all("caption")) == len(parsed.all("table"))
    assert all("scope" in node.attributes for node in parsed.all("th"))


def test_ids_are_unique_and_links_lead_somewhere(whole: str) -> None:
    parsed = Page(whole)
    ids = [node.attributes["id"] for node in parsed.nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = [str(node.attributes["href"]) for node in parsed.all("a")]
    assert targets
    assert all(target.removeprefix("#") in ids for target in targets)
    named = [str(node.attributes.get("aria-labelledby", "")).split() for node in parsed.nodes]
    assert {name for names in named for name in names} <= set(ids)


def test_every_picture_says_what_it_shows(whole: str) -> None:
    parsed = Page(whole)
    pictures = [node for node in parsed.all("svg") if node.attributes.get("aria-hidden") != "true"]
    assert len(pictures) >= 8 * 2
    assert all(node.attributes["role"] == "img" for node in pictures)
    captions = [text.strip() for text in parsed.texts["figcaption"]]
    assert len(captions) == len(pictures)
    assert all(captions)


def test_verdicts_are_words_and_shapes(whole: str) -> None:
    for words in ("✘</span> 1 regressed", "?</span> 1 inconclusive", "✔</span> 1 passed", "▲</span> 1 improved"):
        assert words in whole


def test_worst_first(whole: str) -> None:
    rows = [node.attributes["data-status"] for node in Page(whole).all("tr") if "data-status" in node.attributes]
    assert rows[:4] == ["nothing_valid", "regressed", "below_efficiency", "inconclusive"]


def test_numbers_are_those_of_results_json(whole: str) -> None:
    document = results_json(every_status(), now=NOW)
    facts = {result["problem"]: result for result in document["results"]}
    cells = [node.attributes for node in Page(whole).all("td") if "data-of" in node.attributes]
    assert len(cells) == 4 * 8
    for cell in cells:
        problem, name = str(cell["data-of"]).split()
        shown = json.loads(str(cell["data-v"] or "null"))
        assert shown == facts[problem][name], (problem, name)


def test_every_trial_is_in_the_table() -> None:
    result = gate_result(count=30)
    text = page([result])
    indices = re.findall(r'<tr[^>]*><th scope="row">(\d+)', text[text.index('class="trials"') :])
    assert [int(index) for index in indices] == [trial.index for trial in result.tuning.trials]
    failed = [trial for trial in result.tuning.trials if trial.failure]
    assert text.count('class="failure"') == len(failed)
    assert "&lt;trial" in text


def test_the_trials_name_their_device_where_there_were_several() -> None:
    alone = gate_result(count=4)
    trials = tuple(replace(trial, device=str(trial.index % 3)) for trial in alone.tuning.trials)
    text = page([replace(alone, tuning=replace(alone.tuning, trials=trials))])
    assert "devices of the search: 0, 1, 2</dd>" in text
    assert "devices of the search" not in page([alone])
    table = text[text.index('class="trials"') :]
    assert table.count('<th scope="col">device</th>') == 1
    assert table.count("<th scope=") == page([alone])[page([alone]).index('class="trials"') :].count("<th scope=") + 1
    first = table[table.index("<tbody>") :]
    assert f"<td>{trials[0].device}<td>" in first[: first.index("</tr>")]


@pytest.mark.parametrize("nodeid", NASTY, ids=range(len(NASTY)))
def test_node_ids_are_shown_exactly(nodeid: str) -> None:
    text = page([gate_result(GateStatus.REGRESSED, nodeid=nodeid, count=5)])
    parsed = Page(text)
    assert nodeid in parsed.texts["code"]
    assert not parsed.all("b")
    assert len(parsed.all("script")) == 1
    assert "49" not in parsed.texts["code"][0] or "49" in nodeid


def test_failure_messages_are_text_and_cut() -> None:
    result = gate_result(count=1, failed_share=0.0)
    trial = replace(result.tuning.trials[0], outcome=Failure(FailureKind.BUILD_ERROR, "<i>" + "x" * 5000))
    text = page([replace(result, tuning=replace(result.tuning, trials=(trial,)))])
    assert "build error: &lt;i&gt;xxx" in text
    assert "x" * 400 not in text


def test_chinese() -> None:
    text = page(every_status(count=10), "zh")
    assert '<html lang="zh-CN">' in text
    for words in ("性能回退", "收敛了吗？", "术语", "灰点是各次试验", "最佳 "):
        assert words in text
    assert "Converged or not" not in text


def test_simulated_and_interrupted_are_said_at_the_top() -> None:
    text = page([gate_result(backend="simulator")], complete=False)
    head = text[: text.index("<main")]
    assert "Simulated:" in head
    assert "Incomplete:" in head
    assert "Simulated:" not in page([gate_result(count=3)])


def test_differences_to_the_baseline_are_marked(whole: str) -> None:
    assert re.search(r'class="differs"><th scope="row">cann</th><td>8.2.RC1</td><td>≠ 8.1.RC1', whole)


def test_no_result_is_a_page_too() -> None:
    text = page([])
    assert "No problem was tuned." in text
    assert not Page(text).all("article")


def test_a_configuration_without_a_search() -> None:
    text = page([gate_result(count=0)])
    assert "Nothing was searched in this run" in text
    assert not Page(text).all("details")


def test_a_problem_is_small() -> None:
    """Measured (with its trend of eight runs) or simulated (with the picture of its predicted time)."""
    once = len(page([]).encode())
    measured = gate_result(GateStatus.REGRESSED)
    runs = [Run(f"2026-11-{day:02d}T08:00:00Z", False, 230.0 + day) for day in range(1, 9)]
    simulated = gate_result(problem_id="1024x96x96-float16-nn", backend="simulator", device="simulated-910B1")
    assert len(page([measured], history={measured.tuning.problem.id: runs}).encode()) - once <= 40_000
    assert len(page([simulated], predictions=predictions([simulated])).encode()) - once <= 40_500
    assert once <= 11_000


@pytest.mark.parametrize("name", ["page", "failing"])
def test_structure(golden: Callable[[str, str], None], name: str) -> None:
    results = every_status(count=4) if name == "page" else (gate_result(GateStatus.REGRESSED, count=4),)
    lines, depth = [], 0
    keep = ("id", "class", "role", "scope", "aria-label", "aria-labelledby", "data-l", "lang")
    skipped = {"svg", "style", "script"}
    inside = 0

    class Outline(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            nonlocal depth, inside
            if not inside:
                kept = "".join(f" {key}={value!r}" for key, value in attrs if key in keep)
                lines.append(f"{'  ' * depth}{tag}{kept}")
            inside += tag in skipped
            if tag not in VOID and not inside:
                depth += tag not in ("td", "th", "tr", "li", "dt", "dd", "p")

        def handle_endtag(self, tag: str) -> None:
            nonlocal depth, inside
            if not inside:
                depth -= tag not in ("td", "th", "tr", "li", "dt", "dd", "p")
            inside -= tag in skipped

    Outline().feed(page(results))
    golden(f"reports/{name}.outline", "\n".join(lines) + "\n")


def test_row_pictures_have_ids_of_their_own() -> None:
    pictures = [
        svg for nodeid in ("a.py::t", "b.py::t\udc80") for svg in html.row_pictures(gate_result(nodeid=nodeid), "en")
    ]
    ids = [name for svg in pictures for name in re.findall(r' id="([^"]+)"', svg)]
    assert len(ids) == len(set(ids)) == 8
    assert all("<desc" in svg for svg in pictures)


def test_advice_on_the_trend_is_a_note() -> None:
    result = gate_result(count=3)
    text = page([result], advice={result.tuning.problem.id: Text.of("slower since last week")})
    assert "<li>slower since last week</li>" in text


def test_the_trend_has_its_numbers_beside_it() -> None:
    result = gate_result(count=3)
    runs = [Run("2026-11-01T08:00:00Z", False, 230.0), Run("2026-11-02T08:00:00Z", True, 201.25)]
    text = page([result], history={result.tuning.problem.id: runs})
    assert '<th scope="row">2026-11-02T08:00:00Z</th><td>201.2</td><td>✘</td>' in text


def test_colours_survive_a_policy_that_forbids_styles(whole: str) -> None:
    assert "style=" not in whole
    classed = re.findall(r"<(?:path|g|rect) class=[^>]*>", whole)
    assert len(classed) > 100
    assert all("fill=" in shape or "stroke=" in shape for shape in classed)
    assert not re.search("<(?:text|circle)", re.sub(r"<g class=.*?</g>", "", whole))
