"""A run's folder in which somebody changed one number: refused in our own words, or shown; never a traceback."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime, timezone

import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.records.runs.results import read_run, write_run
from pytest_ascend_tune.reports.page.html import page
from pytest_ascend_tune.reports.text.machine import results_json
from pytest_ascend_tune.reports.text.terminal import failure_message, summary_lines
from pytest_ascend_tune.reports.view import report_view
from tests import factories

NOW = datetime(2026, 12, 1, tzinfo=timezone.utc)
RESULT = factories.gate_result(factories.GateStatus.REGRESSED, count=4)
EDITS = (0, -1, 1, 1e-300, 1e300, 2**62, [], [1e-300], [1e300], None)
FILES = ("history.json", "convergence.json", "best_config.json")


def places(data, keys=()):
    """Keys to every number, list of numbers and empty list."""
    if isinstance(data, dict):
        for name, member in data.items():
            yield from places(member, (*keys, name))
    elif isinstance(data, list) and any(isinstance(item, dict | list) for item in data):
        for index, item in enumerate(data[:2]):
            yield from places(item, (*keys, index))
    elif isinstance(data, list) or (isinstance(data, int | float) and not isinstance(data, bool)):
        yield keys


def edited(text, keys, value):
    data = json.loads(text)
    target = data
    for key in keys[:-1]:
        target = target[key]
    target[keys[-1]] = value
    return json.dumps(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, RESULT, now=NOW)
    return folder


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("values", "shown_by"),
    [((0, []), "numbers"), pytest.param(EDITS, "all", marks=pytest.mark.slow)],
    ids=["nothing", "all"],
)
def test_every_number_of_a_run_may_be_anything(folder, name, values, shown_by):
    good = (folder / name).read_text()
    shown = 0
    for keys in places(json.loads(good)):
        for value in values:
            (folder / name).write_text(edited(good, keys, value))
            with suppress(RecordError):
                show(read_run(folder), shown_by)
                shown += 1
    (folder / name).write_text(good)
    assert shown, "some numbers may be others"


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("trials", 0, "measurement", "samples_us"), [], r"samples_us: a list of at least one sample"),
        (("trials", 0, "measurement", "samples_us"), [1e-300], r"samples_us: found 1e-300; a number from 1e-12"),
        (("trials", 0, "measurement", "samples_us"), [1e300], r"samples_us: found 1e\+300; a number from 1e-12"),
    ],
)
def test_samples_that_no_rate_can_be_made_of_are_refused(folder, keys, value, message):
    path = folder / "history.json"
    good = path.read_text()
    path.write_text(edited(good, keys, value))
    try:
        with pytest.raises(RecordError, match=message):
            read_run(folder)
    finally:
        path.write_text(good)


def show(result, shown_by):
    """Everywhere that results are shown; the page takes its time."""
    results_json([result], now=NOW)
    failure_message(result, language="en", report="")
    summary_lines([result], [], width=80, encoding="utf-8", language="en", report="", complete=True)
    if shown_by == "all":
        page(report_view([result], [], now=NOW, language="en"))
