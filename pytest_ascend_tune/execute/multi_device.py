"""Several devices, one thread each: who is free takes the oldest trial that waits; who is lost gives its trial back."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Protocol

from pytest_ascend_tune.execute.trial_runner import TrialRunner
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import AscendTuneError, BackendUnavailableError
from pytest_ascend_tune.model.measurement import Measurement
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Backend, TrialRun, TrialSetup
from pytest_ascend_tune.model.text import Text

# Results are told in order: who is done early waits for the oldest trial, unless there is more to do. With trials that
# differ by a third, eight devices are busy 80 % of the time with 8 trials in flight, 91 % with 10 (benchmarks/scaling);
# the more, the older is the knowledge that the model decides on.
SPARE_SHARE = 0.25
LONGEST_END_S = 1800.0  # of the trial that each device has in hand; builds and calls have time-outs of their own


class Device(Protocol):
    """One of the devices, used by one thread at a time. All raise BackendUnavailableError when it is lost."""

    label: str

    def begin(self, setup: TrialSetup) -> float | None:
        """Get ready for a search; the usual time of the reference kernel here, None without one."""

    def run(self, config: Config, best_us: float | None) -> TrialRun:
        """Build, verify and measure one configuration."""

    def end(self) -> None:
        """The search is over."""

    def close(self) -> None:
        """Free it. May be called twice."""


class LocalDevice:
    """A device of this machine, by its backend."""

    def __init__(self, label: str, backend: Backend) -> None:
        self.label, self._backend = label, backend
        self._runner: TrialRunner | None = None

    def begin(self, setup: TrialSetup) -> float | None:
        """Measure the reference."""
        self._runner = TrialRunner(self._backend, setup)
        return self._runner.nominal_us

    def run(self, config: Config, best_us: float | None) -> TrialRun:
        """Build, verify and measure."""
        assert self._runner is not None
        return self._runner.run(config, best_us)

    def end(self) -> None:
        """Nothing to do: the backend keeps its kernels for the confirmation."""

    def close(self) -> None:
        """Close the backend."""
        self._backend.close()


@dataclass(order=True)
class _Task:
    number: int  # in the order submitted
    config: Config = field(compare=False)
    best_us: float | None = field(compare=False)
    future: Future[TrialRun] = field(compare=False, default_factory=Future)


class MultiDevice:
    """Implements protocols.Executor on `devices`, all of one kind; the first one's reference is the common scale.

    A device that is a tenth slower measures a tenth more for its reference, too: its times are scaled by what the
    reference takes on the first device over what it took beside the kernel, and nothing of the difference is left.
    `notes`: what is known of the devices before any search.
    """

    def __init__(self, devices: Sequence[Device], notes: Iterable[Text] = ()) -> None:
        self._known = list(notes)
        self._missing: tuple[Text, ...] = ()  # what this search lacks
        self._devices = tuple(devices)
        self._alive = list(devices)
        self._threads: list[threading.Thread] = []
        self._change = threading.Condition()
        self._waiting: list[_Task] = []
        self._numbers = 0
        self._ended = True
        self._scale_us: float | None = None
        self._loss: BackendUnavailableError | None = None

    @property
    def notes(self) -> tuple[Text, ...]:
        """Devices that were lost or refused, and what it means when there is no reference."""
        return (*self._known, *self._missing)

    @property
    def devices(self) -> int:
        """Devices that are left."""
        return len(self._alive)

    @property
    def width(self) -> int:
        """A trial for each device, and one in waiting for every fourth: see SPARE_SHARE."""
        return max(1, int(self.devices * (1 + SPARE_SHARE)))

    def begin(self, setup: TrialSetup, nominal_us: float | None = None) -> None:
        """The first device measures its reference now, each other one before its first trial."""
        first, own_us = self._begin_first(setup)
        self._scale_us = nominal_us or own_us
        self._missing = () if own_us is not None else (_no_reference(setup, len(self._alive)),)
        self._ended = False
        self._threads = [
            threading.Thread(
                target=self._serve,
                args=(device, None if device is first else setup),
                name=f"device {device.label}",
            )
            for device in self._alive
        ]
        for thread in self._threads:
            thread.daemon = True  # one that hangs must not keep the interpreter
            thread.start()

    def submit(
        self, config: Config, *, best_us: float | None, likely: Callable[[], Sequence[Config]]
    ) -> Future[TrialRun]:
        """Queue a trial. Nothing is built ahead: every device builds while the others measure."""
        with self._change:
            self._numbers += 1
            task = _Task(self._numbers, config, best_us)
            self._queue(task)
        return task.future

    def end(self) -> None:
        """Raises AscendTuneError for a device that does not come back."""
        with self._change:
            self._ended = True
            for task in self._waiting:
                task.future.cancel()
            self._waiting.clear()
            self._change.notify_all()
        deadline = time.monotonic() + LONGEST_END_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                raise AscendTuneError(f"{thread.name} has not ended its trial for {LONGEST_END_S / 60:g} minutes")
        self._threads = []

    def close(self) -> None:
        """Close the devices."""
        for device in self._devices:
            device.close()

    def _begin_first(self, setup: TrialSetup) -> tuple[Device, float | None]:
        while self._alive:
            device = self._alive[0]
            try:
                return device, device.begin(setup)
            except BackendUnavailableError as error:
                self._retire(device, error)
        raise self._nobody()

    def _serve(self, device: Device, setup: TrialSetup | None) -> None:
        """Run trials; `setup`: to begin with at the first one, None when the device has begun."""
        while (task := self._next_task()) is not None:
            try:
                if setup is not None:
                    device.begin(setup)
                    setup = None
                ran = device.run(task.config, task.best_us)
            except BackendUnavailableError as error:
                self._retire(device, error, task)
                return
            except BaseException as error:  # it belongs to whoever waits for the trial
                task.future.set_exception(error)
            else:
                task.future.set_result(self._on_scale(ran, device))
        try:
            device.end()
        except BackendUnavailableError as error:
            self._retire(device, error)

    def _next_task(self) -> _Task | None:
        with self._change:
            self._change.wait_for(lambda: self._waiting or self._ended)
            return heapq.heappop(self._waiting) if self._waiting else None

    def _queue(self, task: _Task) -> None:
        if not self._alive:
            task.future.set_exception(self._nobody())
            return
        heapq.heappush(self._waiting, task)
        self._change.notify()

    def _retire(self, device: Device, error: BackendUnavailableError, task: _Task | None = None) -> None:
        with self._change:
            self._alive.remove(device)
            self._loss = error
            self._known.append(Text.of("device {device} was lost: {reason}", device=device.label, reason=str(error)))
            if task is not None and not self._ended:
                self._queue(task)
            if not self._alive:
                for waiting in self._waiting:
                    waiting.future.set_exception(self._nobody())
                self._waiting.clear()

    def _nobody(self) -> BackendUnavailableError:
        return BackendUnavailableError(
            f"no device is left of {', '.join(device.label for device in self._devices)}; the last one: {self._loss}\n"
            f"What was measured is kept: {switch('resume')} goes on from it"
        )

    def _on_scale(self, ran: TrialRun, device: Device) -> TrialRun:
        outcome = ran.outcome
        if isinstance(outcome, Measurement) and self._scale_us is not None and outcome.reference_us:
            outcome = replace(outcome, nominal_reference_us=self._scale_us)
        return replace(ran, outcome=outcome, device=device.label)


def _no_reference(setup: TrialSetup, count: int) -> Text:
    return Text.of(
        "no reference kernel for {dtype}: differences between the {count} devices are part of the trials' times; the "
        "finalists are confirmed on one device",
        dtype=str(setup.problem.dtype),
        count=count,
    )
