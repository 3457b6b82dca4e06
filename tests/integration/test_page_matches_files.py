"""One check over a whole page: each number is the one of results.json, each point and trial the one of history.json."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime, timezone
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_ascend_tune.records.runs.results import write_run
from pytest_ascend_tune.reports.rounding import number, percent
from pytest_ascend_tune.session.publish import Publication, publish_all
from tests.factories import every_status, gate_result, missed

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
SIMULATED = gate_result(problem_id="1024x96x96-float16-nn", backend="simulator", device="simulated-910B1")
RESULTS = (*every_status(), SIMULATED)


class Page:
    """The page, its articles and results.json, as written for a run."""

    def __init__(self, folder: Path) -> None:
        for result in RESULTS:
            write_run(folder / result.tuning.problem.id, result)
        page, document, summary = (folder / name for name in ("index.html", "results.json", "summary.md"))
        publish_all(Publication(RESULTS, missed(), NOW, "en"), page, document, summary)
        self.folder, self.text = folder, page.read_text("utf-8")
        self.facts: dict[str, dict[str, Any]] = {
            facts["problem"]: facts for facts in json.loads(document.read_text("utf-8"))["results"]
        }
        self.not_measured = json.loads(document.read_text("utf-8"))["not_measured"]

    def article(self, problem: str) -> str:
        """What the page says of one problem."""
        articles = re.findall(r"<article.*?</article>", self.text, re.DOTALL)
        (found,) = (article for article in articles if f'aria-label="Command for {problem}"' in article)
        return str(found)

    def trials(self, problem: str) -> list[dict[str, Any]]:
        """The trials of its history.json."""
        trials: list[dict[str, Any]] = json.loads((self.folder / problem / "history.json").read_text("utf-8"))["trials"]
        return trials


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return Page(tmp_path_factory.mktemp("run"))


def plain(markup: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", markup))).strip()


@pytest.mark.parametrize("problem", [result.tuning.problem.id for result in RESULTS])
class TestProblem:
    """Of each problem."""

    def test_overview(self, page: Page, problem: str) -> None:
        facts = page.facts[problem]
        cells = re.findall(rf'data-v="([^"]*)" data-of="{problem} (\w+)">(.*?)</td>', page.text)
        assert [name for _, name, _ in cells] == ["tflops", "efficiency_share", "baseline_tflops", "change"]
        for value, name, markup in cells:
            assert json.loads(value or "null") == facts[name]
            shares = {"efficiency_share": percent(facts[name]), "change": percent(facts[name], signed=True)}
            assert plain(markup).startswith(str(shares.get(name, number(facts[name]))))

    def test_facts(self, page: Page, problem: str) -> None:
        facts = page.facts[problem]
        unit, shown = facts["unit"], dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.article(problem)))
        wanted = {"search": f"{facts['trials']} trials ({facts['failed_trials']} failed), "}
        if facts["search_best_tflops"]:
            best = f"{number(facts['search_best_tflops'])} {unit}"
            tried = f"{facts['trials']} of {facts['legal_configs']} legal configurations tried"
            wanted["best raw value of the search"] = f"{best}; {tried}"
        if facts["tflops"]:
            low, high = map(number, facts["tflops_interval"])
            wanted["confirmed"] = f"{number(facts['tflops'])} {unit} [{low}, {high}]"
            wanted["time of one call"] = f"{number(facts['time_us'])} µs"
            share, peak = percent(facts["efficiency_share"]), number(facts["peak_tflops"])
            wanted["share of the peak"] = f"{share} of {peak} {unit}; floor {percent(facts['min_efficiency'])}"
            wanted["against the reference"] = f"{number(facts['vs_reference'])} ×"
        if facts["baseline_tflops"]:
            wanted["baseline main"] = f"{number(facts['baseline_tflops'])} {unit}, {facts['baseline_recorded_at'][:10]}"
        if facts["baseline_today_tflops"]:
            wanted["baseline today"] = f"{number(facts['baseline_today_tflops'])} {unit}: its own build"
        if facts["change"] is not None:
            low, high = (percent(end, signed=True) for end in facts["change_interval"])
            allowed = f"allowed drop {percent(facts['allowed_drop'])}"
            wanted["change"] = f"{percent(facts['change'], signed=True)} [{low}, {high}]; {allowed}"
        if facts["cause"]:
            wanted["cause"] = "the kernel&#39;s code"
        assert set(shown) == {*wanted, "where"}
        assert all(shown[name].startswith(words) for name, words in wanted.items()), (shown, wanted)

    def test_trials(self, page: Page, problem: str) -> None:
        table = page.article(problem).partition('class="trials"')[2]
        rows = re.findall(r'<tr(?: class="best")?><th scope="row">(\d+).*?</th>(.*?)</tr>', table)
        trials = page.trials(problem)
        assert len(rows) == len(trials)
        for (index, markup), trial in zip(rows, trials, strict=True):
            cells = [plain(cell) for cell in re.split("<td[^>]*>", markup)[1:]]
            assert int(index) == trial["index"]
            assert cells[-len(trial["config"]) :] == [str(value) for value in trial["config"].values()]
            if trial["success"]:
                assert cells[:2] == [str(number(trial["tflops"])), str(number(1e3 * trial["time_ms"]))]
            else:
                assert cells[0] == "✘"
                assert trial["failure"]["message"] in unescape(table)

    def test_points(self, page: Page, problem: str) -> None:
        drawn = re.search(r"-convergence-t.*?</svg>", page.article(problem), re.DOTALL)
        assert drawn is not None
        dots = re.findall(r"<circle cx='(.*?)' cy='(.*?)'[^>]*><title>(.*?)</title>", drawn[0])
        crosses = re.findall(r"<path d='M([\d.]+) ([\d.]+)L[^>]*><title>(.*?)</title>", drawn[0])
        for marks, success in ((dots, True), (crosses, False)):
            trials = [trial for trial in page.trials(problem) if trial["success"] is success]
            configs = [" ".join(f"{name}={value}" for name, value in trial["config"].items()) for trial in trials]
            rates = [number(trial["tflops"]) if success else "–" for trial in trials]
            assert [tip for _, _, tip in marks] == [
                f"{trial['index']}: {rate} ({config})"
                for trial, rate, config in zip(trials, rates, configs, strict=True)
            ]
            places = np.array([[float(x), float(y)] for x, y, _ in marks])
            if len(places) > 2:
                assert_straight(places[:, 0], [trial["index"] for trial in trials])
                assert_straight(places[:, 1], [trial["tflops"] for trial in trials])


def assert_straight(places: Any, values: list[float]) -> None:
    """Places on the picture are the values on one linear scale, to what a tenth of a point can show."""
    slope, start = np.polyfit(values, places, 1) if len(set(values)) > 1 else (0.0, places[0])
    assert np.abs(places - (slope * np.asarray(values) + start)).max() <= 0.11


def test_what_is_not_measured(page: Page) -> None:
    table = page.text.partition('class="missed"')[2].partition("</table>")[0]
    shown = re.findall(r"</span> (\S+?)</span> <code class=\"id\">(.*?)</code>", table)
    assert shown == [(one["problem"], one["nodeid"]) for one in page.not_measured]
    assert all(one["reason"] in unescape(table) for one in page.not_measured)


def test_counts(page: Page) -> None:
    chips = re.findall(r'<li class="chip \w+"><span aria-hidden="true">.</span> (\d+) ([\w ]+)</li>', page.text)
    names = [facts["status"] for facts in page.facts.values()] + ["not_measured"] * len(page.not_measured)
    labels = {"below the floor": "below_efficiency"}
    shown = {labels.get(label, label.replace(" ", "_")): int(count) for count, label in chips}
    assert shown == Counter(names)
