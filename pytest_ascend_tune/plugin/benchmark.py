"""pytest-benchmark: a test that also asks for ``benchmark`` gets the winner run through it, in device time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ascend_tune.model.verdict import GateResult

ROUNDS = 50  # device samples that pytest-benchmark gets: enough for its own table and histogram


class DeviceClock:
    """A timer for pytest-benchmark that runs in device time: it stands where the last sample ended.

    Each reading advances it by a nanosecond, because pytest-benchmark waits for its timer to move when it calibrates.
    """

    def __init__(self) -> None:
        self._seconds = 0.0

    def advance(self, microseconds: float) -> None:
        """A sample took so long."""
        self._seconds += microseconds * 1e-6

    def __call__(self) -> float:
        """Seconds."""
        self._seconds += 1e-9
        return self._seconds


CLOCK = pytest.StashKey[DeviceClock]()


def wants(item: pytest.Item) -> bool:
    """Whether the item asks for pytest-benchmark's fixture."""
    return "benchmark" in getattr(item, "fixturenames", ())


def prepare(item: pytest.Item) -> None:
    """Give the item's benchmark a device clock, unless its own marker names a timer."""
    marker = item.get_closest_marker("benchmark")
    if marker is not None and "timer" in marker.kwargs:
        return
    item.stash[CLOCK] = DeviceClock()
    item.add_marker(pytest.mark.benchmark(timer=item.stash[CLOCK]))


def run(item: Any, result: GateResult, sample: Callable[[], float]) -> None:
    """Run the confirmed winner through the item's benchmark (once a test). `sample`: microseconds of one fresh call."""
    benchmark, clock = item.funcargs.get("benchmark"), item.stash.get(CLOCK, None)
    if benchmark is None or clock is None or result.confirmation is None:
        return
    benchmark.extra_info.update(
        problem=result.problem_id,
        config=dict(result.config or {}),
        tflops=result.tflops,
        status=str(result.status),
        simulated=result.tuning.simulated,
    )
    benchmark.pedantic(lambda: clock.advance(sample()), rounds=ROUNDS, iterations=1)
    del item.stash[CLOCK]
