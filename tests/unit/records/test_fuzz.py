"""Stored files are data from strangers: whatever bytes they hold, only our own errors come out of the readers."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.errors import BaselineError, RecordError
from pytest_ascend_tune.records.baselines.candidates import read_candidate, write_candidate
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.records.runs.journal import Journal, read_journal
from pytest_ascend_tune.records.runs.results import read_history, read_run, write_run
from pytest_ascend_tune.records.runs.seedform import HISTORY
from tests import factories
from tests.contracts.store_contract import SOURCES, baseline
from tests.unit.records.runs import test_journal, test_seedform

RELAXED = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
JOKERS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=True),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "../..", "{x.__class__}", 10**400, [], {}, [[]], {"a": {}}, "1x1x1-int8-nn"]),
    st.lists(st.integers(-2, 2), max_size=3),
)


@st.composite
def twisted(draw, text: str) -> bytes:
    """A good file made bad: bytes cut, changed or doubled; or valid JSON in which one value is another."""
    if draw(st.booleans()):
        raw = text.encode()
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(len(raw), start + 40)))
        return raw[:start] + draw(st.binary(max_size=6)) + raw[end:]
    lines = text.splitlines()
    row = draw(st.integers(0, len(lines) - 1)) if _is_json(lines[0]) else None
    data = json.loads(lines[row] if row is not None else text)
    target = data
    while target and draw(st.integers(0, 3)):
        keys = list(target) if isinstance(target, dict) else range(len(target))
        key = draw(st.sampled_from(keys))
        if not isinstance(target[key], dict | list) or not target[key]:
            target[key] = draw(JOKERS)
            break
        target = target[key]
    else:
        if isinstance(target, dict):
            target[draw(st.text(max_size=4))] = draw(JOKERS)
    new = json.dumps(data, indent=None if row is not None else 2)
    if row is None:
        return new.encode()
    return "\n".join([*lines[:row], new, *lines[row + 1 :], ""]).encode()


def _is_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def survive(action, error=RecordError):
    with contextlib.suppress(error):
        action()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@RELAXED
@given(data=st.data())
def test_baselines(folder, data):
    store = BaselineStore(folder / "baselines")
    path = store.path(baseline().key)
    path.unlink(missing_ok=True)
    good = store.save(baseline(), SOURCES).read_text()
    path.write_bytes(data.draw(twisted(good) | st.binary(max_size=30)))
    survive(lambda: store.load(baseline().key), BaselineError)
    survive(lambda: store.validate_all("main"), BaselineError)


@RELAXED
@given(data=st.data())
def test_candidates(folder, data):
    path = write_candidate(folder / "candidate", baseline(), SOURCES)
    path.write_bytes(data.draw(twisted(path.read_text()) | st.binary(max_size=30)))
    survive(lambda: read_candidate(folder / "candidate"), BaselineError)


@RELAXED
@given(data=st.data())
def test_journals(folder, data):
    path = folder / "journal.jsonl"
    path.unlink(missing_ok=True)
    test_journal.write(path)
    raw = data.draw(twisted(path.read_text()) | st.binary(max_size=30))
    path.write_bytes(raw)
    survive(lambda: read_journal(path))
    survive(lambda: Journal.resume(path, test_journal.HEADER)[0].close())


@pytest.mark.parametrize("name", ["history.json", "convergence.json", "best_config.json"])
@RELAXED
@given(data=st.data())
def test_run_folders(folder, name, data):
    write_run(folder / "run", factories.gate_result(count=4))
    path = folder / "run" / name
    path.write_bytes(data.draw(twisted(path.read_text()) | st.binary(max_size=30)))
    survive(lambda: read_run(folder / "run"))
    survive(lambda: read_history(path))


@RELAXED
@given(data=st.data())
def test_lists_in_the_seeds_form(folder, data):
    path = folder / HISTORY
    good = json.dumps([test_seedform.entry(rate) for rate in (200.0, 0, 300.0)], indent=1)
    path.write_bytes(data.draw(twisted(good) | st.binary(max_size=30)))
    survive(lambda: read_history(path))
    survive(lambda: read_history(folder))


@RELAXED
@given(raw=st.binary(min_size=1, max_size=200))
def test_databases(folder, raw):
    path = folder / "history.sqlite"
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.write_bytes(raw)
    survive(History(f"sqlite:///{path}", patience_s=0).check)
