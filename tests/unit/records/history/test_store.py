from __future__ import annotations

import sqlite3
import traceback
from contextlib import closing
from dataclasses import replace

import pytest
import sqlalchemy as sql

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.records.history import store as history_module
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


@pytest.mark.parametrize("kind", ["database", "text"])
def test_somebody_elses_file_is_refused_and_not_a_byte_of_it_changes(tmp_path, kind):
    path = tmp_path / "app.db"
    if kind == "database":
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE customers (name TEXT)")
        connection.commit()
        connection.close()
    else:
        path.write_text("def test_a(): ...\n" * 100)
    before = path.read_bytes()
    with pytest.raises(RecordError, match=r"is left\s+as it is|It is left as it is"):
        History(url(path)).check()
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["app.db"]


def test_an_empty_file_and_a_history_of_ours_are_used(tmp_path):
    path = tmp_path / "a file?mode=memory#1%2F.sqlite"
    path.touch()
    for _ in range(2):
        History(url(path.as_posix().replace("%", "%25").replace("?", "%3F").replace("#", "%23"))).check()


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
    history = History(url(path), patience_s=0.05)
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


class Clock:
    """Stands in for the module time of records.history."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.mark.parametrize("writes", [True, False])
def test_a_locked_database_is_refused_in_five_seconds(tmp_path, monkeypatch, writes):
    """However often it is tried: each attempt may wait twice for SQLite, for the file and for the write lock."""
    history, clock, attempts = History(url(tmp_path / "history.sqlite")), Clock(), []
    history.check()

    def locked():
        attempts.append(clock.now)
        clock.now += 2 * history_module.WAIT_S
        raise sql.exc.OperationalError("BEGIN", {}, sqlite3.OperationalError("database is locked"))

    monkeypatch.setattr(history_module, "time", clock)
    monkeypatch.setattr(history, "_connect", locked)
    with pytest.raises(RecordError, match="locked"):
        history.check() if writes else history.trend("a", "b", "c")
    assert len(attempts) > 2
    assert 4 < clock.now - 100 <= 5 == history_module.PATIENCE_S


def test_a_lock_that_is_let_go_is_waited_for(tmp_path, monkeypatch):
    path = tmp_path / "history.sqlite"
    history = History(url(path), patience_s=60)
    history.check()
    monkeypatch.setattr(history_module, "WAIT_S", 0.01)
    history = History(url(path), patience_s=60)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(history_module.time, "sleep", lambda seconds: other.execute("ROLLBACK"))
        history.append(RESULTS, run="r1", recorded_at=NOW)
    place = ("910B1", "catlass_gemm", RESULTS[0].tuning.problem.id)
    assert [point.run for point in history.trend(*place)] == ["r1"]


SECRET = "S3cr3tHunter"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("postgresql://me:{}@host:notaport/db", "no database URL"),
        ("postgresql://me:{}", "no database URL"),
        ("postgresql://me:pw@host:{}/db", "no database URL"),
        ("{}", "no database URL"),
        ("host=db password={}", "no database URL"),
        ("postgresql://me@/db?host=/nowhere&{}=1", "invalid connection option"),
        ("postgresql://me@/db?host=/nowhere&token={}", "invalid connection option"),
        ("postgresql://me@/db?host=/nowhere&sslrootcert={}&sslmode=nosuch", "invalid sslmode"),
        ("postgresql://me@/db?service={}", "not found"),
        ("postgresql+nosuch://me:{}@host/db", "driver"),
        ("ray://me:{}@host/db", "driver"),
        ("sqlite:///FILE?timeout={}", "could not convert"),
        ("sqlite:///FILE?check_same_thread={}", "not true/false"),
        ("sqlite:///FILE?{}=1", "not accepted"),
        ("sqlite://me:{}@host/FILE", "Invalid SQLite URL"),
    ],
)
def test_a_bad_url_is_our_error_without_its_secret(tmp_path, bad, said):
    if bad.startswith("postgresql:"):
        pytest.importorskip("psycopg")
    shown = bad.replace("FILE", f"{tmp_path}/history.sqlite")
    with pytest.raises(RecordError, match=said) as caught:
        History(shown.format(SECRET)).check()
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in told


def test_reading_goes_on_while_another_writes(tmp_path):
    path = tmp_path / "history.sqlite"
    history = History(url(path), patience_s=0.05)
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


def test_a_trend_says_what_failed_and_what_was_tolerated(tmp_path):
    history = History(url(tmp_path / "history.sqlite"))
    regressed, inconclusive = (
        factories.gate_result(status, count=3) for status in (GateStatus.REGRESSED, GateStatus.INCONCLUSIVE)
    )
    tolerated = replace(regressed, verdict=replace(regressed.verdict, fails=False))
    demanded = replace(inconclusive, verdict=replace(inconclusive.verdict, fails=True))
    for run, result in enumerate((regressed, tolerated, inconclusive, demanded)):
        history.append([result], run=f"r{run}", recorded_at=NOW)
    points = history.trend("910B1", "catlass_gemm", regressed.tuning.problem.id)
    assert [(point.status, point.fails) for point in points] == [
        ("regressed", True),
        ("regressed", False),
        ("inconclusive", False),
        ("inconclusive", True),
    ]
