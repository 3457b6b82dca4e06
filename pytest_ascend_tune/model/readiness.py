"""What a machine needs and whether it has it: one check, its outcome, and which distributions are installed."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass

from pytest_ascend_tune.model.word import Word


class Status(Word):
    """Outcome of one check. Only ``missing`` makes the machine not ready."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Check:
    """One prerequisite: what was found, what it is needed for, and how to fix it when it is not right."""

    name: str
    status: Status
    found: str
    why: str
    fix: str = ""


def installed(distribution: str) -> str:
    """Version of a distribution, empty when it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
