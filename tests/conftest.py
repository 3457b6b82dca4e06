"""For all tests: golden files (``pytest --update-golden`` rewrites them), Ctrl-C, and no CI unless a test sets it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files from what is produced now")


def pytest_configure() -> None:
    """CI=true, which our own CI sets, makes runs without baselines red: tests say it where they mean it."""
    os.environ.pop("CI", None)


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A test run that a shell started in the background ignores SIGINT; this test is to hear it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """``golden(name, text)`` compares with tests/golden/<name>."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if pytestconfig.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing; pytest --update-golden writes it"
        assert text == path.read_text(encoding="utf-8")

    return compare
