import itertools
import threading
from concurrent.futures import Future

import pytest

from pytest_ascend_tune.execute import single_device
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.execute.trial_runner import time_limit_s
from pytest_ascend_tune.model.errors import (
    AscendTuneError,
    BackendUnavailableError,
    BuildError,
    KernelCrashError,
    WrongResultError,
)
from pytest_ascend_tune.model.measurement import Measurement, MeasurePlan
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Strategy, TrialRun
from pytest_ascend_tune.model.search import ConvergenceState, Origin
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.session.search import search
from pytest_ascend_tune.tuning import loop
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge_search
from tests.unit.tuning.doubles import LEVELS, GridSpace, bowl, job

STRATEGY = Strategy(max_trials=30, seed=3)


def trials_of(tuned, strategy=STRATEGY, told=()):
    return loop.trials(tuned, strategy, SingleDevice(tuned.backend), told)


def take(count, tuned, strategy=STRATEGY, told=()):
    search = trials_of(tuned, strategy, told)
    taken = list(itertools.islice(search, count))
    search.close()
    return taken


def measured(trials):
    return [(trial.index, trial.config, trial.origin, trial.time_us) for trial in trials]


SMALL = GridSpace({**LEVELS, "tile_n": (64,)})


def test_a_search_ends_with_the_space_and_numbers_its_trials_from_one():
    trials = list(trials_of(job(SMALL)))
    assert [trial.index for trial in trials] == list(range(1, 19))
    assert len({trial.config for trial in trials}) == 18
    best = min(trials, key=lambda trial: trial.time_us)
    assert best.config == Config({"tile_m": 128, "tile_n": 64, "l1_k": 128, "swizzle": 1})
    assert best.index < 16


@pytest.mark.parametrize("cores", [False, True])
def test_building_ahead_never_changes_the_search(monkeypatch, cores):
    monkeypatch.setattr(single_device, "_spare_core", lambda: cores)
    tuned = job(noise=0.02)
    trials = take(15, tuned)
    monkeypatch.setattr(single_device, "_spare_core", lambda: False)
    assert measured(trials) == measured(take(15, job(noise=0.02)))
    built = [config for what, config in tuned.backend.log if what == "build"]
    assert len(set(built)) == len(built)
    assert (len(built) > 15) is cores
    assert threading.active_count() == 1 or not any("build-ahead" in t.name for t in threading.enumerate())


def test_only_trial_errors_become_failures():
    errors = {32: BuildError("register spill"), 64: KernelCrashError("signal 11"), 128: WrongResultError("nan")}
    tuned = job(SMALL, failures=lambda problem, config: errors[config["tile_m"]] if config["swizzle"] else None)
    trials = list(trials_of(tuned))
    kinds = {trial.failure.kind for trial in trials if trial.failure}
    assert kinds == {FailureKind.BUILD_ERROR, FailureKind.CRASH, FailureKind.WRONG_RESULT}
    assert all((trial.failure is not None) == bool(trial.config["swizzle"]) for trial in trials)
    assert "register spill" in {trial.failure.message for trial in trials if trial.failure}

    def broken(problem, config):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        take(1, job(time_us=broken))


def test_first_the_default_then_the_baseline_then_warm_starts_then_space_filling_then_the_model():
    space = GridSpace(default={"tile_m": 32, "tile_n": 32, "l1_k": 64, "swizzle": 0})
    baseline = Config({"tile_m": 64, "tile_n": 64, "l1_k": 64, "swizzle": 1})
    warm = Config({"tile_m": 128, "tile_n": 32, "l1_k": 256, "swizzle": 1})
    gone = Config({"tile_m": 7, "tile_n": 32, "l1_k": 256, "swizzle": 1})
    strategy = Strategy(30, 3, baseline_configs=(gone, baseline), warm_configs=(baseline, gone, warm))
    trials = take(14, job(space), strategy)
    assert [trial.config for trial in trials[:3]] == [space.default, baseline, warm]
    origins = [Origin.DEFAULT, Origin.BASELINE, Origin.WARM_START]
    assert [trial.origin for trial in trials] == [*origins, *[Origin.SPACE_FILLING] * 3, *[Origin.MODEL] * 8]


@pytest.mark.parametrize("budget", [1, 2, 3, 5])
def test_tiny_budgets_leave_trials_for_the_model_where_they_can(budget):
    trials = take(budget, job(), Strategy(budget))
    assert len(trials) == budget
    assert (trials[-1].origin is Origin.MODEL) == (budget >= 5)


def test_what_was_told_is_counted_and_never_measured_again():
    tuned = job()
    whole = take(15, tuned)
    again = job()
    rest = take(3, again, told=whole[:12])
    assert measured(rest) == measured(whole[12:])
    samples = {config for what, config in again.backend.log if what == "sample"}
    assert not samples & {trial.config for trial in whole[:12]}
    assert rest[0].outcome.nominal_reference_us == whole[0].outcome.nominal_reference_us


def test_reference_calls_scale_the_times_of_a_slow_machine():
    usual = take(12, job())
    slow = job()
    slow.backend.device_slowdown = 1.0
    search = trials_of(slow)
    first = next(search)
    slow.backend.device_slowdown = 1.1
    rest = list(itertools.islice(search, 11))
    search.close()
    for here, there in zip([first, *rest], usual, strict=True):
        assert here.config == there.config
        assert here.time_us == pytest.approx(there.time_us)


def test_a_backend_without_reference_is_measured_unscaled():
    trial = take(1, job(reference_us=None))[0]
    assert trial.outcome.reference_us == ()
    assert trial.time_us == pytest.approx(1e4 / bowl(trial.config))


def test_counting_effects_and_early_end():
    tuned = job(failures=lambda problem, config: BuildError("no such header"))
    trials = []
    rule = ConvergenceRule(max_trials=50, space_size=loop.space_size(tuned, STRATEGY))
    assert rule.space_size == 54
    for trial in trials_of(tuned):
        trials.append(trial)
        if judge_search(trials, rule).state is not ConvergenceState.RUNNING:
            break
    assert len(trials) == rule.failures
    assert loop.effects(tuned, STRATEGY, trials) == ()
    good = job()
    effects = loop.effects(good, STRATEGY, take(20, good))
    assert {effect.parameter for effect in effects} == {"tile_m", "tile_n", "l1_k", "swizzle"}


@pytest.mark.parametrize(("nominal_us", "limit_s"), [(None, 60.0), (1_000.0, 5.0), (17_000.0, 17.0), (900_000.0, 60.0)])
def test_the_time_limit_follows_the_reference(nominal_us, limit_s):
    assert time_limit_s(MeasurePlan(timeout_s=60.0), nominal_us) == limit_s


class Scripted:
    """An executor whose trials end when and how the test says."""

    width, notes = 4, ()

    def __init__(self):
        self.futures, self.known, self.ended = [], [], 0

    def begin(self, setup, nominal_us=None):
        return None

    def submit(self, config, *, best_us, likely):
        self.futures.append(Future())
        self.known.append(best_us)
        return self.futures[-1]

    def end(self):
        self.ended += 1

    def finish(self, number, us):
        self.futures[number].set_result(TrialRun(Measurement((us,)), device="d"))


def test_results_are_told_in_the_order_proposed_and_what_was_known_then_goes_along():
    executor = Scripted()
    search = loop.trials(job(), STRATEGY, executor)
    finisher = threading.Timer(0.05, lambda: [executor.finish(number, 10.0 - number) for number in (2, 1, 0)])
    finisher.start()
    first = [next(search) for _ in range(3)]
    assert [(trial.index, trial.time_us, trial.device) for trial in first] == [
        (1, 10.0, "d"),
        (2, 9.0, "d"),
        (3, 8.0, "d"),
    ]
    assert executor.known == [None, None, None, None, 10.0, 9.0]
    search.close()
    assert executor.ended == 1


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), BackendUnavailableError("no device is left")])
def test_a_search_that_breaks_off_yields_first_what_is_finished(stop):
    executor, seen = Scripted(), []
    search = loop.trials(job(), STRATEGY, executor)

    def end():
        executor.finish(1, 9.0)
        executor.finish(3, 7.0)
        executor.futures[0].set_exception(stop)

    threading.Timer(0.05, end).start()
    seen.extend(itertools.islice(search, 2))
    with pytest.raises(type(stop)):
        next(search)
    assert [(trial.index, trial.time_us) for trial in seen] == [(1, 9.0), (2, 7.0)]
    assert executor.ended == 1


def test_an_interrupt_counts_even_when_the_rest_fills_the_budget():
    executor = Scripted()

    def end():
        executor.finish(1, 9.0)
        executor.futures[0].set_exception(KeyboardInterrupt())

    threading.Timer(0.05, end).start()
    result = search(job(), Strategy(2), ConvergenceRule(max_trials=1), executor=executor)
    assert result.convergence.state is ConvergenceState.INTERRUPTED
    assert [trial.time_us for trial in result.trials] == [9.0]


def test_a_device_that_is_never_heard_of_again_is_an_error_and_no_hang(monkeypatch):
    monkeypatch.setattr(loop, "LONGEST_TRIAL_S", 0.05)
    executor = Scripted()
    with pytest.raises(AscendTuneError, match=r"nothing was heard of \(.*tile_m=.*\) for an hour"):
        next(loop.trials(job(), STRATEGY, executor))
    assert executor.ended == 1
