"""Every gated result of every run in SQL, for trends: ratios, which outlive a machine, beside absolute numbers.

SQLite by default, PostgreSQL by URL. Advice only: nothing here decides a test.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.records.format.codec import to_json
from pytest_ascend_tune.records.history import tables as tables

T = TypeVar("T")
BUSY_TIMEOUT_S = 10
ATTEMPTS = 3


class TrendPoint(NamedTuple):
    """One confirmed result of a problem.

    Ratios are speeds, each measured in one minute: ``vs_reference`` this kernel / the vendor's kernel, ``vs_baseline``
    this kernel / the baseline's own build; None where there was none.
    """

    recorded_at: str
    run: str
    status: str
    tflops: float
    efficiency_share: float
    vs_reference: float | None
    vs_baseline: float | None


class History:
    """The results of all runs behind an SQLAlchemy URL. Every method raises RecordError when the database refuses."""

    def __init__(self, url: str, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        try:
            parsed = sql.make_url(url)
        except ArgumentError as cause:
            raise RecordError(
                f"history {url!r} is no database URL; the form is sqlite:///FILE or postgresql://..."
            ) from cause
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        self._name = parsed.render_as_string(hide_password=True)
        self._file = Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
        if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
            raise RecordError(f"history {self._name}: names no file; the form is sqlite:///FILE")
        self._engine = self._make_engine(parsed, busy_timeout_s)
        self._run_ids: dict[str, int] = {}  # of runs that this object added: names of two machines may be equal

    def check(self) -> None:
        """Make or upgrade the tables and see that they can be written. Call before anything is measured."""
        if self._file is not None:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as cause:
                raise RecordError(f"history {self._name}: cannot be made ({cause.strerror or cause})") from cause
        self._write(lambda connection: None)

    def append(self, results: Sequence[GateResult], *, run: str, recorded_at: str) -> None:
        """Add results of a run, all or none; may be called again for the same run. `recorded_at`: ISO 8601, UTC."""
        if results:
            known = self._run_ids.get(run)
            self._run_ids[run] = self._write(lambda connection: _insert(connection, results, run, recorded_at, known))

    def trend(self, device: str, template: str, problem_id: str, *, limit: int = 200) -> tuple[TrendPoint, ...]:
        """The newest `limit` confirmed results of a problem, oldest first."""
        if self._file is not None and not self._file.exists():
            return ()
        results, runs = tables.results, tables.runs
        newest = (
            sql.select(
                results.c.recorded_at,
                runs.c.run,
                results.c.status,
                results.c.tflops,
                results.c.efficiency_share,
                results.c.vs_reference,
                results.c.vs_baseline,
            )
            .join(runs, results.c.run_id == runs.c.id)
            .where(
                results.c.device == device,
                results.c.template == template,
                results.c.problem_id == problem_id,
                results.c.tflops.is_not(None),
            )
            .order_by(results.c.id.desc())
            .limit(limit)
        )
        with self._connection(writes=False) as connection:
            found = tables.version(connection)
            self._check_version(found)
            rows = connection.execute(newest).all() if found else []
        return tuple(TrendPoint._make(row) for row in reversed(rows))

    def _write(self, action: Callable[[sql.Connection], T]) -> T:
        """Run `action` in a transaction on tables of today's schema; again when another writer got in the way."""
        for attempt in range(ATTEMPTS):
            try:
                with self._connection(writes=True) as connection:
                    self._check_version(tables.version(connection))
                    tables.upgrade(connection)
                    return action(connection)
            except RecordError as error:
                if attempt + 1 == ATTEMPTS or not _is_busy(error.__cause__):
                    raise
                time.sleep(0.1 * 2**attempt)
        raise AssertionError("unreachable")

    def _check_version(self, found: int) -> None:
        if found > tables.SCHEMA:
            raise RecordError(
                f"history {self._name}: schema {found} is from a newer version; this one knows up to {tables.SCHEMA}."
                " Upgrade pytest-ascend-tune, or name another database with --ascend-tune-history"
            )

    @contextmanager
    def _connection(self, *, writes: bool) -> Iterator[sql.Connection]:
        try:
            with self._engine.connect().execution_options(ascend_tune_writes=writes) as connection, connection.begin():
                if writes and connection.dialect.name == "postgresql":
                    connection.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": tables.LOCK_KEY})
                yield connection
        except (SQLAlchemyError, ImportError) as cause:
            what = str(getattr(cause, "orig", None) or cause).strip().splitlines()[0]
            raise RecordError(
                f"history {self._name}: {what}. Nothing was lost; free or repair the database, or name another one"
                " with --ascend-tune-history"
            ) from cause

    def _make_engine(self, url: sql.URL, busy_timeout_s: float) -> sql.Engine:
        try:
            if url.get_backend_name() != "sqlite":
                return sql.create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 5})
            engine = sql.create_engine(url, poolclass=NullPool, connect_args={"timeout": busy_timeout_s})
        except (NoSuchModuleError, ImportError, TypeError) as cause:
            raise RecordError(f"history {self._name}: the driver is not installed ({cause})") from cause
        sql.event.listen(engine, "connect", _set_up_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
        return engine


def _is_busy(cause: BaseException | None) -> bool:
    """SQLite gives up at once, without its time-out, where waiting could be a deadlock: then we try again."""
    return isinstance(cause, OperationalError) and "locked" in str(cause.orig)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Readers and one writer at a time do not block each other (WAL); we begin transactions ourselves."""
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: sql.Connection) -> None:
    """A writer asks for its lock at once: asking half-way through cannot wait, it fails."""
    writes = connection.get_execution_options().get("ascend_tune_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _insert(
    connection: sql.Connection, results: Sequence[GateResult], run: str, recorded_at: str, run_id: int | None
) -> int:
    if run_id is None:
        key = connection.execute(tables.runs.insert().values(run=run, recorded_at=recorded_at)).inserted_primary_key
        assert key is not None, "one row was inserted"
        run_id = int(key[0])
    rows = [{"run_id": run_id, "recorded_at": recorded_at, **_row(result)} for result in results]
    connection.execute(tables.results.insert(), rows)
    return run_id


def _row(result: GateResult) -> dict[str, Any]:
    tuning, confirmed = result.tuning, result.confirmation
    comparison = confirmed.comparison if confirmed else None
    interval = result.interval or (None, None)
    return {
        "device": tuning.device,
        "template": tuning.template,
        "problem_id": tuning.problem.id,
        "nodeid": result.nodeid,
        "backend": tuning.backend,
        "simulated": tuning.simulated,
        "status": result.status.value,
        "cause": result.verdict.cause.value if result.verdict.cause else None,
        "fails": bool(result.verdict.fails),
        "tflops": _number(result.tflops),
        "tflops_low": _number(interval[0]),
        "tflops_high": _number(interval[1]),
        "efficiency_share": _number(result.efficiency_share),
        "time_us": _number(confirmed.winner.time_us) if confirmed else None,
        "vs_reference": _number(confirmed.vs_reference) if confirmed else None,
        "vs_baseline": _number(comparison.ratio) if comparison else None,
        "vs_baseline_low": _number(comparison.interval[0]) if comparison else None,
        "vs_baseline_high": _number(comparison.interval[1]) if comparison else None,
        "config": json.dumps(to_json(result.config)) if result.config is not None else None,
        "trials": len(tuning.trials),
        "failed_trials": len(tuning.trials) - len(tuning.valid),
        "convergence": tuning.convergence.state.value,
        "seconds": _number(tuning.seconds),
    }


def _number(value: float | None) -> float | None:
    """A plain Python float: database drivers do not know numpy's."""
    return None if value is None else float(value)
