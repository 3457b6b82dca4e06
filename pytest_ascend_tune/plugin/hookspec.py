"""Hooks that a conftest.py may implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_ascend_tune.model.protocols import Backend
    from pytest_ascend_tune.model.verdict import GateResult


@pytest.hookspec(firstresult=True)
def pytest_ascend_tune_backend(config: pytest.Config, name: str) -> Backend | None:
    """Give the backend to use instead of the built-in one called `name` (None: no opinion).

    Example, a simulator with noise and failures to try a pipeline with::

        from pytest_ascend_tune.backends.simulator import SimulatorBackend

        def pytest_ascend_tune_backend(config, name):
            if name == "simulator":
                return SimulatorBackend("910B1", noise=0.02, failures=0.1, seed=7)
    """


@pytest.hookspec
def pytest_ascend_tune_result(item: pytest.Item, result: GateResult) -> None:
    """See each result as soon as it is judged, before a failed gate fails the test.

    Example, a line for a chat bot::

        def pytest_ascend_tune_result(item, result):
            if result.verdict.fails:
                print(item.nodeid, result.verdict.reason)
    """


@pytest.hookspec
def pytest_ascend_tune_environment(config: pytest.Config) -> Mapping[str, Any] | None:
    """Add facts to the report's environment table (shown, never matched).

    Example::

        def pytest_ascend_tune_environment(config):
            return {"rack": "7", "firmware": read_firmware()}
    """
