"""Which tests ask for a problem, and which of them have had their turn."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.model.verdict import GateResult

RESULTS = pytest.StashKey[list[GateResult]]()
ASKED = pytest.StashKey[str]()  # id of the problem that a test wants measured; "" while its call has not named it


class Waiting:
    """Node ids of the tests that ask, each with the id of its problem ("" while its call has not named it)."""

    def __init__(self) -> None:
        self._problems: dict[str, str] = {}
        self._ended: set[str] = set()

    def __len__(self) -> int:
        return len(self._problems)

    def __contains__(self, nodeid: str) -> bool:
        return nodeid in self._problems

    def add(self, nodeid: str, problem_id: str) -> None:
        """A test asks."""
        self._problems[nodeid] = problem_id

    def drop(self, nodeid: str) -> None:
        """A test is taken out of the run."""
        self._problems.pop(nodeid, None)

    def end(self, nodeid: str) -> None:
        """A test had its turn."""
        self._ended.add(nodeid)

    def left(self) -> list[tuple[str, str]]:
        """Node and problem ids of those whose turn did not come or did not end."""
        return sorted((nodeid, problem) for nodeid, problem in self._problems.items() if nodeid not in self._ended)
