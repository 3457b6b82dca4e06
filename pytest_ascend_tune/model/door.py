"""What an option is called at the door that is open: ``--ascend-tune-dir`` in pytest, ``--dir`` on a command.

A message is made deep in the house and read at the door; like the language of a program, the door is one for the whole
process. Pytest's names hold where nobody opens another.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager

_offered: list[Container[str]] = []  # options of the command that runs, the innermost last


def switch(name: str) -> str:
    """How the option called `name` (``update_baseline``) is given here."""
    spelling = name.replace("_", "-")
    return f"--{spelling}" if _offered and name in _offered[-1] else f"--ascend-tune-{spelling}"


@contextmanager
def command_line(options: Container[str]) -> Iterator[None]:
    """While it lasts, a command is the door; what it does not offer (by name) keeps pytest's name."""
    _offered.append(options)
    try:
        yield
    finally:
        _offered.pop()
