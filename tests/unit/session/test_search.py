import pytest

from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.model.errors import BuildError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Job, Strategy
from pytest_ascend_tune.model.search import ConvergenceState, Template
from pytest_ascend_tune.session.search import search
from pytest_ascend_tune.tuning.convergence import ConvergenceRule
from tests.fakes.backend import FakeBackend

PROBLEM = GemmProblem(64, 64, 64, "float32")
TEMPLATE = Template("t", "t", "t.cpp", (("t.cpp", ""),), "0" * 64, 1, ("cpu",), (PROBLEM.dtype,), (PROBLEM.layout,))


def job(backend=None, sizes=(4, 8, 16, 32)):
    configs = [{"tile_m": m, "tile_n": n} for m in sizes for n in sizes]
    return Job(PROBLEM, TEMPLATE, SearchSpace.from_configs(configs), backend or FakeBackend())


def run(job, budget, **keywords):
    return search(job, Strategy(max_trials=budget, seed=3), ConvergenceRule(max_trials=budget), **keywords)


def test_a_budget_used_up_is_not_called_converged():
    result = run(job(), 5)
    assert result.convergence.state is ConvergenceState.BUDGET_EXHAUSTED
    assert [trial.index for trial in result.trials] == [1, 2, 3, 4, 5]


def test_a_small_space_is_swept():
    result = run(job(sizes=(4, 8)), 50)
    assert result.convergence.state is ConvergenceState.SPACE_EXHAUSTED
    assert len({trial.config for trial in result.trials}) == result.legal_configs == 4


def test_told_trials_are_counted_and_not_measured_again():
    first = run(job(), 3)
    backend = FakeBackend()
    seen = []
    result = run(job(backend), 5, told=first.trials, observe=lambda trial, convergence: seen.append(trial))
    assert result.trials[:3] == first.trials
    assert [trial.index for trial in seen] == [4, 5]
    told = {trial.config for trial in first.trials}
    assert not any(config in told for action, config in backend.log if action == "sample" and config is not None)


def test_the_time_budget_stops_in_good_order():
    times = iter(range(0, 1000, 10))
    result = run(job(), 16, time_budget_s=25, clock=lambda: next(times))
    assert result.convergence.state is ConvergenceState.STOPPED
    assert 1 <= len(result.trials) < 16


def test_every_configuration_failing_ends_early_and_says_the_most_frequent_error():
    backend = FakeBackend(failures=lambda problem, config: BuildError("no such register"))
    result = run(job(backend, sizes=tuple(range(4, 60, 4))), 100)
    assert result.convergence.state is ConvergenceState.NOTHING_VALID
    assert "no such register" in str(result.convergence.reason)
    assert len(result.trials) < 100
    assert result.best is None


def test_interrupted_keeps_what_was_measured():
    def stop(trial, convergence):
        if trial.index == 2:
            raise KeyboardInterrupt

    result = run(job(), 10, observe=stop)
    assert result.convergence.state is ConvergenceState.INTERRUPTED
    assert len(result.trials) == 2


def test_other_errors_end_the_search():
    def broken(problem, config):
        raise RuntimeError("a bug, no failed trial")

    with pytest.raises(RuntimeError, match="a bug"):
        run(job(FakeBackend(time_us=broken)), 3)


def test_same_seed_same_trials():
    configs = [[trial.config for trial in run(job(), 8).trials] for _ in range(2)]
    assert configs[0] == configs[1]
    assert all(isinstance(config, Config) for config in configs[0])
