"""Every gated result of every run in SQL, for trends: ratios, which outlive a machine, beside absolute numbers.

SQLite by default, PostgreSQL by URL. Advice only: nothing here decides a test.
"""

from __future__ import annotations

import json
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SAWarning, SQLAlchemyError
from sqlalchemy.pool import NullPool

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.secreturl import SecretUrl
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.records.format.codec import to_json
from pytest_ascend_tune.records.history import tables as tables

T = TypeVar("T")
PATIENCE_S = 5.0  # with a locked database, in all
WAIT_S = 0.5  # SQLite's own waiting, at most twice an attempt: for the file and for the write lock


class TrendPoint(NamedTuple):
    """One confirmed result of a problem.

    Ratios are speeds, each measured in one minute: ``vs_reference`` this kernel / the vendor's kernel, ``vs_baseline``
    this kernel / the baseline's own build; None where there was none. ``fails``: the verdict's, under
    the policy of then.
    """

    recorded_at: str
    run: str
    status: str
    fails: bool
    tflops: float
    efficiency_share: float
    vs_reference: float | None
    vs_baseline: float | None


class History:
    """The results of all runs behind an SQLAlchemy URL. Every method raises RecordError when the database refuses."""

    def __init__(self, url: SecretUrl | str, *, patience_s: float = PATIENCE_S) -> None:
        self._url = url = url if isinstance(url, SecretUrl) else SecretUrl(url)
        self._patience_s = patience_s
        try:
            parsed = sql.make_url(url.reveal())
        except (SQLAlchemyError, ValueError) as cause:  # a port that is no number
            reason = "" if isinstance(cause, ArgumentError) else f" ({url.hide_in(str(cause))})"
            raise RecordError(
                f"history {url!r} is no database URL{reason}; the form is sqlite:///FILE or "
                "postgresql://USER@HOST:PORT/DATABASE. What may be a password is shown as ***"
            ) from None
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        is_sqlite, database = parsed.drivername.partition("+")[0] == "sqlite", parsed.database or ""
        if is_sqlite and database in ("", ":memory:"):
            raise RecordError(f"history {url}: names no file; the form is sqlite:///FILE")
        self._file = Path(database) if is_sqlite and not database.startswith("file:") else None
        self._engine = self._make_engine(parsed)
        self._run_ids: dict[str, int] = {}  # of runs that this object added: names of two machines may be equal

    def check(self) -> None:
        """Make or upgrade the tables and see that they can be written. Call before anything is measured."""
        if self._file is not None:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as cause:
                raise RecordError(f"history {self._url}: cannot be made ({cause.strerror or cause})") from cause
            self._check_ours(self._file)
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
                results.c.fails,
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

        def read(connection: sql.Connection) -> tuple[TrendPoint, ...]:
            found = tables.version(connection)
            self._check_version(found)
            rows = connection.execute(newest).all() if found else []
            return tuple(TrendPoint._make(row) for row in reversed(rows))

        return self._patiently(read, writes=False)

    def _write(self, action: Callable[[sql.Connection], T]) -> T:
        """Run `action` in a transaction on tables of today's schema."""

        def upgraded(connection: sql.Connection) -> T:
            self._check_version(tables.version(connection))
            tables.upgrade(connection)
            return action(connection)

        return self._patiently(upgraded, writes=True)

    def _patiently(self, action: Callable[[sql.Connection], T], *, writes: bool) -> T:
        """Run `action` in a transaction, again while another process holds the database, but no longer than we wait."""
        last = time.monotonic() + self._patience_s - 2 * WAIT_S  # an attempt that begins later could end too late
        while True:
            try:
                with self._connection(writes=writes) as connection:
                    return action(connection)
            except RecordError as error:
                if not _is_busy(error.__context__) or time.monotonic() > last:
                    raise
                time.sleep(0.1)

    def _check_ours(self, file: Path) -> None:
        """Raise RecordError for a file of somebody else's: looked at without SQLite's writing a byte of it."""
        if not file.exists() or file.stat().st_size == 0:
            return
        try:
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
                names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except sqlite3.OperationalError:
            return  # locked or not readable just now: the ordinary connection says so in its own words
        except sqlite3.DatabaseError as cause:
            raise RecordError(
                f"history {self._url}: {cause}. It is left as it is; name another file with {switch('history')}"
            ) from cause
        if names and tables.schema.name not in names:
            raise RecordError(
                f"history {self._url}: a database of something else (tables {', '.join(sorted(names)[:5])}); it is"
                f" left as it is; name another file with {switch('history')}"
            )

    def _check_version(self, found: int) -> None:
        if found > tables.SCHEMA:
            raise RecordError(
                f"history {self._url}: schema {found} is from a newer version; this one knows up to {tables.SCHEMA}."
                f" Upgrade pytest-ascend-tune, or name another database with {switch('history')}"
            )

    @contextmanager
    def _connection(self, *, writes: bool) -> Iterator[sql.Connection]:
        try:
            with self._connect().execution_options(ascend_tune_writes=writes) as connection, connection.begin():
                if writes and connection.dialect.name == "postgresql":
                    connection.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": tables.LOCK_KEY})
                yield connection
        except SQLAlchemyError as cause:
            raise self._refused(getattr(cause, "orig", None) or cause) from None  # its text may hold the password

    def _connect(self) -> sql.Connection:
        try:
            return self._engine.connect()
        except SQLAlchemyError:
            raise
        except Exception as cause:  # what a driver says of a query that it cannot read
            raise self._refused(cause) from None

    def _refused(self, cause: BaseException) -> RecordError:
        lines = self._url.hide_in(str(cause)).strip().splitlines() or [type(cause).__name__]
        return RecordError(
            f"history {self._url}: {lines[0]}. Nothing was lost; free or repair the database, or name another one"
            f" with {switch('history')}"
        )

    def _make_engine(self, url: sql.URL) -> sql.Engine:
        is_sqlite = url.drivername.partition("+")[0] == "sqlite"
        arguments = {"timeout": min(WAIT_S, self._patience_s)} if is_sqlite else {"connect_timeout": 5}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "error", SAWarning
                )  # a query that is not read; the text of the warning repeats it
                engine = sql.create_engine(url, poolclass=NullPool, connect_args=arguments)
        except (NoSuchModuleError, ImportError) as cause:
            reason = self._url.hide_in(str(cause))
            raise RecordError(f"history {self._url}: the driver is not installed ({reason})") from None
        except Exception as cause:  # of a dialect that cannot read the query
            raise self._refused(cause) from None
        if not is_sqlite:
            return engine
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
        "problem_id": result.problem_id,
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
        "vs_baseline": _vs_baseline(confirmed),
        "vs_baseline_low": _number(comparison.interval[0]) if comparison else None,
        "vs_baseline_high": _number(comparison.interval[1]) if comparison else None,
        "config": json.dumps(to_json(result.config)) if result.config is not None else None,
        "trials": len(tuning.trials),
        "failed_trials": len(tuning.trials) - len(tuning.valid),
        "convergence": tuning.convergence.state.value,
        "seconds": _number(tuning.seconds),
    }


def _vs_baseline(confirmed: Confirmation | None) -> float | None:
    """Speed relative to the baseline's own build; the very same build is as fast as itself."""
    if confirmed is None:
        return None
    if confirmed.comparison is not None:
        return float(confirmed.comparison.ratio)
    return 1.0 if confirmed.identical_build else None


def _number(value: float | None) -> float | None:
    """A plain Python float: database drivers do not know numpy's."""
    return None if value is None else float(value)
