"""pytest-xdist: workers measure, one at a time per device, and hand results to the controller, which reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from pytest_ascend_tune.backends import devices_here
from pytest_ascend_tune.files.jsontext import dump_line
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.records.format.codec import from_json, to_json

T = TypeVar("T", GateResult, NotMeasured)
RUN_KEY = "ascend_tune_run"
WAITING_KEY = "ascend_tune_waiting"


def is_worker(config: pytest.Config) -> bool:
    """This process runs tests for a controller."""
    return hasattr(config, "workerinput")


def has_workers(config: pytest.Config) -> bool:
    """This process is a controller."""
    return bool(config.pluginmanager.hasplugin("dsession"))


def run_of(config: Any) -> str | None:
    """Name of the run's folder that the controller chose, None outside a worker."""
    name: str | None = getattr(config, "workerinput", {}).get(RUN_KEY)
    return name


def own_devices(config: Any, settings: Settings) -> tuple[int, ...] | None:
    """What this process may use of the devices: all; a worker one; a controller, which measures nothing, the first.

    Workers get them in turn, so that no two workers of a run open the same one. Raises SettingsError for a second
    way to use many devices.
    """
    if not is_worker(config) and getattr(config.option, "dist", "no") == "no":
        return settings.devices
    if settings.executor != "local":
        raise SettingsError(
            f"--ascend-tune-executor={settings.executor} and pytest-xdist (-n): each would use all devices; choose one"
        )
    known = settings.devices or ()
    known = known or tuple(range(devices_here(settings.backend)))
    if not known:
        return None
    number = int(config.workerinput["workerid"].removeprefix("gw")) if is_worker(config) else 0
    return (known[number % len(known)],)


def pack(values: Sequence[GateResult | NotMeasured]) -> str:
    """Values as text that xdist can send with a test's report."""
    return dump_line([to_json(value) for value in values])


def unpack(kind: type[T], text: str) -> list[T]:
    """Inverse of :func:`pack`."""
    return [from_json(kind, data) for data in json.loads(text)]


class Controller:
    """Registered beside xdist only: tells workers the run's folder, counts what they had to measure."""

    def __init__(self, run: str) -> None:
        self._run = run
        self.waiting = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Called before a worker starts."""
        node.workerinput[RUN_KEY] = self._run

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Called when a worker ends; one that crashed says nothing."""
        self.waiting = max(self.waiting, getattr(node, "workeroutput", {}).get(WAITING_KEY, 0))
