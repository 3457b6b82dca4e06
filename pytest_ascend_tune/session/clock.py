"""The time, for records: read at the edge, so that a test may give another."""

from __future__ import annotations

from datetime import datetime, timezone


def utc_now() -> datetime:
    """Now, in UTC."""
    return datetime.now(timezone.utc)


def stamp(now: datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")
