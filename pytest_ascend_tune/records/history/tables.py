"""Tables of the history and the steps by which an older database becomes a new one.

To change a table: change it here, and add a step to UPGRADES that brings the previous schema up to it.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sql
from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

LOCK_KEY = 0x617363656E64  # "ascend": serialises our writers in a PostgreSQL that others use, too

metadata = MetaData()
schema = Table("ascend_tune_schema", metadata, Column("version", Integer, nullable=False))
runs = Table(
    "ascend_tune_runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run", String(120), nullable=False),
    Column("recorded_at", String(40), nullable=False),
)
results = Table(
    "ascend_tune_results",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey(runs.c.id), nullable=False),
    Column("recorded_at", String(40), nullable=False),
    Column("device", String(120), nullable=False),
    Column("template", String(120), nullable=False),
    Column("problem_id", String(120), nullable=False),
    Column("nodeid", Text, nullable=False),
    Column("backend", String(40), nullable=False),
    Column("simulated", Boolean, nullable=False),
    Column("status", String(40), nullable=False),
    Column("cause", String(40)),
    Column("fails", Boolean, nullable=False),
    Column("tflops", Float),
    Column("tflops_low", Float),
    Column("tflops_high", Float),
    Column("efficiency_share", Float),
    Column("time_us", Float),
    Column("vs_reference", Float),
    Column("vs_baseline", Float),
    Column("vs_baseline_low", Float),
    Column("vs_baseline_high", Float),
    Column("config", Text),
    Column("trials", Integer, nullable=False),
    Column("failed_trials", Integer, nullable=False),
    Column("convergence", String(40), nullable=False),
    Column("seconds", Float),
    Index("ascend_tune_trend", "device", "template", "problem_id", "id"),
)


def _create(connection: sql.Connection) -> None:
    metadata.create_all(connection)
    connection.execute(schema.insert().values(version=0))


UPGRADES: tuple[Callable[[sql.Connection], None], ...] = (_create,)  # step i brings schema i to schema i + 1
SCHEMA = len(UPGRADES)


def version(connection: sql.Connection) -> int:
    """Schema number of the database, 0 when it has none of our tables."""
    if not sql.inspect(connection).has_table(schema.name):
        return 0
    return connection.execute(sql.select(sql.func.max(schema.c.version))).scalar() or 0


def upgrade(connection: sql.Connection) -> None:
    """Bring the database to today's schema, within the caller's transaction."""
    found = version(connection)
    for step in UPGRADES[found:]:
        step(connection)
    if found < len(UPGRADES):
        connection.execute(schema.update().values(version=len(UPGRADES)))
