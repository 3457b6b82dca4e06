"""One device, in the calling thread; likely next configurations are built ahead where a core is spare."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from pytest_ascend_tune.execute.trial_runner import TrialRunner
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Artifact, Backend, TrialRun, TrialSetup
from pytest_ascend_tune.model.text import Text

Likely = Callable[[], Sequence[Config]]


class SingleDevice:
    """Implements protocols.Executor on a backend, which stays open."""

    devices = width = 1
    notes: Sequence[Text] = ()

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._runner: TrialRunner | None = None
        self._builder: _Builder | None = None

    def begin(self, setup: TrialSetup, nominal_us: float | None = None) -> None:
        """Measure the reference, unless `nominal_us` is known."""
        self._runner = TrialRunner(self._backend, setup, nominal_us=nominal_us)
        self._builder = _Builder(self._runner)

    def submit(self, config: Config, *, best_us: float | None, likely: Likely) -> Future[TrialRun]:
        """The trial is over when this returns."""
        assert self._runner is not None
        assert self._builder is not None
        builder = self._builder
        over: Future[TrialRun] = Future()
        over.set_result(
            self._runner.run(config, best_us, build=builder.build, built=lambda: builder.build_ahead(likely))
        )
        return over

    def end(self) -> None:
        """Wait for a build that runs ahead."""
        if self._builder is not None:
            self._builder.close()

    def close(self) -> None:
        """Nothing is open that is its own."""


class _Builder:
    """Builds configurations, likely ones ahead in one background thread when the machine has a core for it.

    A wrong guess costs only a build: the proposal itself is made after the measurement, so guesses, their failures
    and the thread's timing never change the search.
    """

    def __init__(self, runner: TrialRunner) -> None:
        self._runner = runner
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="build-ahead") if _spare_core() else None
        self._ahead: dict[Config, Future[Artifact]] = {}

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)

    def build(self, config: Config) -> Artifact:
        """The artifact; raises what its build raised."""
        guess = self._ahead.pop(config, None)
        if guess is None or guess.cancel():  # not begun: this thread is free to do it
            return self._runner.build(config)
        return guess.result()

    def build_ahead(self, likely: Likely) -> None:
        """Start building what will probably be proposed next."""
        if self._thread is None:
            return
        for waiting, future in list(self._ahead.items()):
            if future.cancel():  # an older guess that was never begun
                del self._ahead[waiting]
        for config in likely():
            if config not in self._ahead:
                self._ahead[config] = self._thread.submit(self._runner.build, config)


def _spare_core() -> bool:
    """A core beside the one that measures. Platforms without affinity are asked for their number of cores."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) > 1 if affinity is not None else (os.cpu_count() or 1) > 1
