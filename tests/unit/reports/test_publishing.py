"""Files appear whole, where they should."""

import json
from datetime import datetime, timezone
from pathlib import Path

from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.reports.publishing import publish
from tests.factories import gate_result

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)


def test_all_reports_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "报告 with spaces"
    paths = publish(
        [gate_result(GateStatus.REGRESSED)],
        folder / "index.html",
        folder / "deep" / "results.json",
        now=NOW,
        environment={"git commit": "abc"},
        markdown_path=folder / "summary.md",
    )
    assert [path.name for path in paths] == ["index.html", "results.json", "summary.md"]
    assert "git commit" in paths[0].read_text("utf-8")
    assert json.loads(paths[1].read_text("utf-8"))["results"][0]["status"] == "regressed"
    assert sorted(path.name for path in folder.iterdir()) == ["deep", "index.html", "summary.md"]


def test_reports_are_the_same_bytes_again(tmp_path: Path) -> None:
    results = [gate_result(GateStatus.REGRESSED)]
    first = [path.read_bytes() for path in publish(results, tmp_path / "a.html", tmp_path / "a.json", now=NOW)]
    again = [path.read_bytes() for path in publish(results, tmp_path / "b.html", tmp_path / "b.json", now=NOW)]
    assert first == again


def test_lone_surrogates_of_odd_file_names_do_not_stop_a_report(tmp_path: Path) -> None:
    paths = publish([gate_result(nodeid="t\udc80.py::test")], tmp_path / "a.html", tmp_path / "a.json", now=NOW)
    assert "t\\udc80.py" in paths[0].read_text("utf-8")
