"""The one rule for names that become part of a path: of baseline sets, devices, templates and their sources."""

from __future__ import annotations

import re

from pytest_ascend_tune.model.errors import InvalidInputError, SettingsError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def check_name(kind: str, name: object, error: type[InvalidInputError] = SettingsError) -> str:
    """`name` itself when it can be one component of a path (`kind` says what it names). Raises `error`."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise error(
            f"{kind} {name!r} cannot name a file: allowed are 1 to 100 letters, digits, '.', '_', '-',"
            " the first one a letter or digit"
        )
    return name
