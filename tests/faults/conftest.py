"""Counts the injected faults, and forks runs of pytest that can be killed cheaply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.faults.count import INJECTED
from tests.faults.zygote import Zygote


@pytest.fixture
def injected() -> Callable[..., None]:
    """``injected(kind, number=1)``: so many faults of a kind; the totals stand at the end of the output."""

    def count(kind: str, number: int = 1) -> None:
        INJECTED[kind] += number

    return count


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    with Zygote() as zygote:
        yield zygote


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if INJECTED:
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(INJECTED.items()))
        terminalreporter.write_line(f"injected faults: {sum(INJECTED.values())} ({kinds})")
