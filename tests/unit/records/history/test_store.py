from __future__ import annotations

import sqlite3

import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.records.history.store import History
from tests import factories

NOW = "2026-11-30T08:31:00Z"
RESULTS = (factories.gate_result(count=3),)


def url(path):
    return f"sqlite:///{path}"


def test_the_directory_is_made_when_needed_and_not_before(tmp_path):
    path = tmp_path / "new" / "history.sqlite"
    history = History(url(path))
    assert history.trend("910B1", "catlass_gemm", "1x1x1-int8-nn") == ()
    assert not path.parent.exists()
    history.check()
    assert path.is_file()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("", "no database URL"),
        ("history.sqlite", "no database URL"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("nosuchdb://x/y", "driver"),
        ("postgresql+nosuchdriver://x/y", "driver"),
    ],
)
def test_a_url_that_is_none_is_said_at_once(bad, message):
    with pytest.raises(RecordError, match=message):
        History(bad)


def test_an_unreachable_server_is_said_without_the_password(tmp_path):
    pytest.importorskip("psycopg")
    history = History(f"postgresql://me:secret@/db?host={tmp_path}")
    for action in (history.check, lambda: history.append(RESULTS, run="r", recorded_at=NOW)):
        with pytest.raises(RecordError, match="Nothing was lost") as caught:
            action()
        assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"precious" * 1000)
    with pytest.raises(RecordError, match="not a database"):
        History(url(path)).check()
    assert path.read_bytes() == b"precious" * 1000


def test_a_directory_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be made"):
        History(url(tmp_path / "file" / "history.sqlite")).check()


def test_a_locked_database_is_said_and_free_again_later(tmp_path):
    path = tmp_path / "history.sqlite"
    history = History(url(path), busy_timeout_s=0.05)
    history.check()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordError, match="locked"):
        history.check()
    with pytest.raises(RecordError, match="locked"):
        history.append(RESULTS, run="r1", recorded_at=NOW)
    other.execute("ROLLBACK")
    other.close()
    history.append(RESULTS, run="r2", recorded_at=NOW)
    place = ("910B1", "catlass_gemm", RESULTS[0].tuning.problem.id)
    assert [point.run for point in history.trend(*place)] == ["r2"]


def test_reading_goes_on_while_another_writes(tmp_path):
    path = tmp_path / "history.sqlite"
    history = History(url(path), busy_timeout_s=0.05)
    history.append(RESULTS, run="r1", recorded_at=NOW)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert len(history.trend("910B1", "catlass_gemm", RESULTS[0].tuning.problem.id)) == 1
    other.close()


def test_tables_of_others_in_the_same_database_are_left_alone(tmp_path):
    path = tmp_path / "shared.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE runs (mine INTEGER)")
        other.execute("INSERT INTO runs VALUES (7)")
    other.close()
    History(url(path)).append(RESULTS, run="r1", recorded_at=NOW)
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT mine FROM runs").fetchall() == [(7,)]
    other.close()
