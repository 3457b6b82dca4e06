"""One device at work in a search: it builds, verifies and measures one configuration after the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from pytest_ascend_tune.execute.measure import measure, nominal_reference
from pytest_ascend_tune.model.errors import TrialError
from pytest_ascend_tune.model.measurement import Failure, Measurement, MeasurePlan
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Artifact, Backend, TrialRun, TrialSetup

ENDLESS_LOOP_FACTOR = 1000.0  # a kernel this many times slower than the reference is taken for an endless loop, ...
SHORTEST_LIMIT_S = 5.0  # ... but not before this, which leaves room for loading it on a busy machine


class TrialRunner:
    """A device with its own reference kernel and what that usually takes here.

    `nominal_us`: that time, where an earlier part of the search has found it out. Raises the errors of the backend.
    """

    def __init__(self, backend: Backend, setup: TrialSetup, *, nominal_us: float | None = None) -> None:
        self._backend, self._setup = backend, setup
        self._reference = backend.reference(setup.problem)
        if nominal_us is None:
            nominal_us = nominal_reference(backend, self._reference, setup.problem, setup.plan)
        self.nominal_us = nominal_us
        self._plan = replace(setup.plan, timeout_s=time_limit_s(setup.plan, nominal_us))

    def build(self, config: Config) -> Artifact:
        """The artifact of a configuration; may be called from other threads. Raises TrialError."""
        artifact: Artifact = self._backend.build(self._setup.template, self._setup.problem, config)
        return artifact

    def run(
        self,
        config: Config,
        best_us: float | None,
        *,
        build: Callable[[Config], Artifact] | None = None,
        built: Callable[[], None] = lambda: None,
    ) -> TrialRun:
        """Build, verify, measure; a TrialError becomes a Failure.

        `build`: gives the artifact another way. `built` is called when it is there, before it runs.
        """
        problem, started, build_s = self._setup.problem, time.monotonic(), 0.0
        outcome: Measurement | Failure
        try:
            artifact = (build or self.build)(config)
            build_s = time.monotonic() - started
            built()
            outcome = measure(
                self._backend, artifact, self._reference, problem, self._plan, self.nominal_us, best_us=best_us
            )
        except TrialError as error:
            outcome = Failure(error.kind, str(error))
        return TrialRun(outcome, build_s)


def time_limit_s(plan: MeasurePlan, nominal_reference_us: float | None) -> float:
    """Seconds after which a call is stopped: relative to the reference's time, and never above the plan's limit."""
    if nominal_reference_us is None:
        return plan.timeout_s
    return min(plan.timeout_s, max(SHORTEST_LIMIT_S, ENDLESS_LOOP_FACTOR * nominal_reference_us / 1e6))
