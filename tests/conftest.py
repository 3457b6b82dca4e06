"""Golden files: ``golden(name, text)`` compares with tests/golden/<name>; ``pytest --update-golden`` rewrites them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files from what is produced now")


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if pytestconfig.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing; pytest --update-golden writes it"
        assert text == path.read_text(encoding="utf-8")

    return compare
