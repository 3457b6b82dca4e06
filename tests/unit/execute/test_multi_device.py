"""Many devices in one search: the order in which trials are told, what is removed of the devices, and who may die."""

import itertools
import os
import random
import signal
import threading
import time
from contextlib import closing

import pytest

from pytest_ascend_tune.execute import multi_device
from pytest_ascend_tune.execute.multi_device import LocalDevice, MultiDevice
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.model.errors import AscendTuneError, BackendUnavailableError, BuildError
from pytest_ascend_tune.model.measurement import MeasurePlan
from pytest_ascend_tune.model.protocols import Strategy, TrialSetup
from pytest_ascend_tune.model.search import ConvergenceState
from pytest_ascend_tune.session.search import search
from pytest_ascend_tune.tuning import loop
from pytest_ascend_tune.tuning.convergence import ConvergenceRule
from tests.fakes.backend import FakeBackend
from tests.unit.tuning.doubles import LEVELS, GridSpace, bowl, job

STRATEGY = Strategy(max_trials=24, seed=3)
SMALL = GridSpace({**LEVELS, "tile_n": (64,)})  # 18 configurations
WAIT_S = 20.0


def device(**backend):
    return FakeBackend(time_us=lambda problem, config: 1e4 / bowl(config), **backend)


def pool_of(backends):
    return MultiDevice([LocalDevice(str(number), backend) for number, backend in enumerate(backends)])


def run(tuned, executor, told=(), budget=STRATEGY.max_trials):
    """The first `budget` trials of a search, the told ones included."""
    with closing(loop.trials(tuned, Strategy(budget, seed=3), executor, told)) as search:
        return [*told, *itertools.islice(search, budget - len(told))]


def best(trials):
    return min(trials, key=lambda trial: trial.time_us)


def measured(trials):
    return [(trial.index, trial.config, trial.origin, trial.time_us) for trial in trials]


class Slowly(FakeBackend):
    """Every verification takes another while, as on a machine that does other things, too."""

    def verify(self, *arguments, **keywords):
        time.sleep(random.uniform(0.0, 0.01))
        super().verify(*arguments, **keywords)


def test_the_trials_never_depend_on_which_device_was_faster():
    def searched():
        backends = [Slowly(time_us=lambda problem, config: 1e4 / bowl(config)) for _ in range(4)]
        return run(job(), pool_of(backends))

    first, again = searched(), searched()
    assert measured(first) == measured(again)
    assert len({trial.config for trial in first}) == len(first) == 24
    assert {trial.device for trial in first} == {"0", "1", "2", "3"}


def test_eight_devices_work_on_eight_trials_at_once():
    together = threading.Barrier(8, timeout=WAIT_S)

    class Meeting(FakeBackend):
        def verify(self, *arguments, **keywords):
            together.wait()  # broken, which fails the search, unless eight are here at once
            super().verify(*arguments, **keywords)

    backends = [Meeting(time_us=lambda problem, config: 1e4 / bowl(config)) for _ in range(8)]
    trials = run(job(), pool_of(backends))
    assert len(trials) == 24
    for backend in backends:
        assert [action for action, _ in backend.log].count("verify") == 3


def test_a_device_that_is_a_tenth_slower_changes_no_value_and_not_the_best():
    slow = device()
    slow.device_slowdown = 1.1
    alone = run(job(SMALL), SingleDevice(device()), budget=18)
    executor = pool_of([device(), slow])
    both = run(job(SMALL), executor, budget=18)
    assert {trial.device for trial in both} == {"0", "1"}
    expected = {trial.config: trial.time_us for trial in alone}
    assert len(both) == len(expected) == 18
    for trial in both:
        assert trial.time_us == pytest.approx(expected[trial.config])
    assert best(both).config == best(alone).config
    assert best(both).time_us == pytest.approx(best(alone).time_us)
    assert executor.notes == ()


def test_a_slow_device_is_not_taken_for_a_disturbed_one():
    """Its reference is slow against the first device's, and usual against its own."""
    slow = device()
    slow.device_slowdown = 1.3
    trials = run(job(), pool_of([device(), slow]))
    assert not any(trial.outcome.noisy for trial in trials)


def test_without_a_reference_the_result_says_what_that_means():
    executor = pool_of([device(reference_us=None), device(reference_us=None)])
    rule = ConvergenceRule(max_trials=3)
    (note,) = search(job(), Strategy(3), rule, executor=executor).notes
    assert "no reference kernel for float32" in str(note)
    assert "2 devices" in str(note)


def test_a_search_goes_on_from_its_journal_on_another_number_of_devices():
    whole = run(job(SMALL), SingleDevice(device()), budget=18)
    first = run(job(SMALL), pool_of([device(), device()]), budget=7)
    slow = device()
    slow.device_slowdown = 1.5
    rest = run(job(SMALL), pool_of([slow, device(), device()]), told=first, budget=18)
    assert rest[:7] == first
    assert {trial.config for trial in rest} == {trial.config for trial in whole}
    nominal = {trial.outcome.nominal_reference_us for trial in rest}
    assert nominal == {whole[0].outcome.nominal_reference_us}
    assert best(rest).time_us == pytest.approx(best(whole).time_us)


def test_no_more_is_begun_than_the_budget_allows():
    backends = [device() for _ in range(4)]
    trials = run(job(), pool_of(backends), budget=6)
    assert len(trials) == 6
    assert sum(action == "verify" for backend in backends for action, _ in backend.log) == 6


class Mortal(FakeBackend):
    """Dies for good at its nth verification."""

    def __init__(self, last, **keywords):
        super().__init__(time_us=lambda problem, config: 1e4 / bowl(config), **keywords)
        self.left = last

    def verify(self, *arguments, **keywords):
        self.left -= 1
        if self.left < 0:
            raise BackendUnavailableError("the worker process does not start")
        super().verify(*arguments, **keywords)


def test_a_device_that_dies_is_given_up_and_its_trial_done_elsewhere():
    executor = pool_of([device(), Mortal(2), device()])
    trials = run(job(), executor)
    assert [trial.index for trial in trials] == list(range(1, 25))
    assert len({trial.config for trial in trials}) == 24
    assert all(trial.failure is None for trial in trials)
    assert sum(trial.device == "1" for trial in trials) == 2
    (note,) = executor.notes
    assert str(note) == "device 1 was lost: the worker process does not start"
    assert executor.devices == 2


def test_a_device_that_cannot_even_begin_is_given_up():
    class Dead(FakeBackend):
        def reference(self, problem):
            raise BackendUnavailableError("no such device any more")

    executor = pool_of([Dead(), device(), Dead()])
    trials = run(job(SMALL), executor, budget=18)
    assert len(trials) == 18
    assert {trial.device for trial in trials} == {"1"}
    assert sorted(str(note).partition(":")[0] for note in executor.notes) == ["device 0 was lost", "device 2 was lost"]


def test_when_no_device_is_left_the_search_ends_and_nothing_finished_is_lost():
    executor = pool_of([Mortal(3), Mortal(3)])
    search = loop.trials(job(), STRATEGY, executor)
    seen = list(itertools.islice(search, 6))
    with pytest.raises(BackendUnavailableError, match="no device is left of 0, 1; the last one: the worker process"):
        next(search)
    assert [trial.index for trial in seen] == list(range(1, 7))
    with pytest.raises(BackendUnavailableError, match="no device is left"):
        run(job(), executor)


def test_other_errors_end_the_search_and_failures_do_not():
    def failing(problem, config):
        return BuildError("register spill") if config["swizzle"] else None

    trials = run(job(SMALL), pool_of([device(failures=failing), device(failures=failing)]), budget=18)
    assert sum(trial.failure is not None for trial in trials) == 9

    def broken(problem, config):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(job(), pool_of([FakeBackend(time_us=broken), FakeBackend(time_us=broken)]))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("device ")]


class Stuck(FakeBackend):
    """Its first trial lasts until it is let go."""

    def __init__(self):
        super().__init__(time_us=lambda problem, config: 1e4 / bowl(config))
        self.gate, self.begun = threading.Event(), threading.Event()

    def verify(self, *arguments, **keywords):
        self.begun.set()
        assert self.gate.wait(WAIT_S)
        super().verify(*arguments, **keywords)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_an_interrupt_with_several_in_flight_keeps_what_is_finished_and_waits_for_nobody_new():
    ran, calls = [], itertools.count(1)

    class Interrupted(FakeBackend):
        def verify(self, *arguments, **keywords):
            ran.append(threading.get_ident())
            if next(calls) == 10:
                os.kill(os.getpid(), signal.SIGINT)  # the main thread waits for the oldest trial, or proposes
            time.sleep(0.01)
            super().verify(*arguments, **keywords)

    backends = [Interrupted(time_us=lambda problem, config: 1e4 / bowl(config)) for _ in range(4)]
    seen = []
    rule = ConvergenceRule(max_trials=54, patience=54)
    result = search(
        job(),
        Strategy(54, seed=3),
        rule,
        executor=pool_of(backends),
        observe=lambda trial, convergence: seen.append(trial),
    )
    assert result.convergence.state is ConvergenceState.INTERRUPTED
    assert list(result.trials) == seen
    assert [trial.index for trial in seen] == list(range(1, len(seen) + 1))
    assert 2 <= len(seen) <= len(ran) < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("device ")]


def test_the_end_drops_what_has_not_begun_and_waits_for_what_runs():
    stuck = Stuck()
    executor = pool_of([stuck])
    tuned = job()
    executor.begin(TrialSetup(tuned.problem, tuned.template, MeasurePlan()))
    running, waiting = (executor.submit(config, best_us=None, likely=list) for config in SMALL.configs[:2])
    assert stuck.begun.wait(WAIT_S)
    threading.Timer(0.1, stuck.gate.set).start()
    executor.end()
    assert waiting.cancelled()
    assert running.result(0).device == "0"


def test_a_device_that_does_not_come_back_is_an_error_and_no_hang(monkeypatch):
    monkeypatch.setattr(multi_device, "LONGEST_END_S", 0.05)
    stuck = Stuck()
    executor = pool_of([stuck])
    tuned = job()
    executor.begin(TrialSetup(tuned.problem, tuned.template, MeasurePlan()))
    running = executor.submit(SMALL.configs[0], best_us=None, likely=list)
    assert stuck.begun.wait(WAIT_S)
    with pytest.raises(AscendTuneError, match="device 0 has not ended its trial"):
        executor.end()
    stuck.gate.set()
    running.result(WAIT_S)
    executor.close()
    assert stuck.closed
