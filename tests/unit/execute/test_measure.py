import itertools
from types import SimpleNamespace

import pytest

from pytest_ascend_tune.execute.measure import BLOCKS, EXTRA_BLOCKS, measure, nominal_reference
from pytest_ascend_tune.model.errors import KernelTimeoutError
from pytest_ascend_tune.model.measurement import MeasurePlan, Sample
from pytest_ascend_tune.model.protocols import is_given_up
from tests.unit.tuning.doubles import PROBLEM

KERNEL, REFERENCE = SimpleNamespace(build_id="k"), SimpleNamespace(build_id="r")
PLAN = MeasurePlan(warmup=2, repeats=12)


class Clock:
    """A backend whose calls take the scripted times, one list a kernel; the last time repeats."""

    def __init__(self, kernel, reference=(50.0,)):
        self.times = {"k": itertools.chain(kernel, itertools.repeat(list(kernel)[-1])),
                      "r": itertools.chain(reference, itertools.repeat(list(reference)[-1]))}  # fmt: skip
        self.calls = []

    def verify(self, artifact, problem, *, timeout_s):
        self.calls.append(artifact.build_id.upper())

    def sample(self, artifact, problem, *, timeout_s):
        self.calls.append(artifact.build_id)
        us = next(self.times[artifact.build_id])
        return Sample(us, us)


def test_the_check_and_warm_up_then_four_blocks_each_with_one_reference_call():
    clock = Clock([900.0, 500.0, 100.0])
    result = measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0)
    assert "".join(clock.calls) == "Kkk" + "rkkk" * BLOCKS
    assert result.samples_us == (100.0,) * 12
    assert result.reference_us == (50.0,) * BLOCKS
    assert not result.noisy
    assert result.time_us == 100.0


def test_a_backend_that_takes_several_samples_is_asked_once():
    class Batching(Clock):
        asked = 0

        def samples(self, artifacts, problem, *, timeout_s, verify=False, give_up=None):
            self.asked += 1
            assert give_up == (len("kk" + "rkkk"), 300.0)
            if verify:
                self.verify(artifacts[-1], problem, timeout_s=timeout_s)
            return tuple(self.sample(artifact, problem, timeout_s=timeout_s) for artifact in artifacts)

    one_by_one, batching = Clock([900.0, 500.0, 100.0]), Batching([900.0, 500.0, 100.0])
    results = [
        measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0, best_us=100.0) for clock in (one_by_one, batching)
    ]
    assert results[0] == results[1]
    assert batching.calls == one_by_one.calls
    assert batching.asked == 1


def test_a_slow_spell_that_the_reference_sees_is_measured_again():
    clock = Clock([100.0] * 5 + [140.0] * 3 + [100.0], [50.0, 70.0, 50.0])
    result = measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0)
    assert result.samples_us == (100.0,) * 12
    assert not result.noisy
    assert clock.calls.count("r") == BLOCKS + 1


def test_a_machine_that_stays_slow_ends_noisy_and_is_scaled():
    clock = Clock([140.0], [70.0])
    result = measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0)
    assert result.noisy
    assert len(result.reference_us) == BLOCKS + EXTRA_BLOCKS
    assert result.time_us == pytest.approx(100.0)


def test_scatter_asks_for_more_samples_up_to_a_bound():
    clock = Clock([100.0, 130.0, 100.0, 120.0, 150.0, 110.0] * 10)
    result = measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0)
    assert len(result.samples_us) == 3 * (BLOCKS + EXTRA_BLOCKS)
    assert result.noisy


def test_a_kernel_far_behind_the_best_gets_one_block():
    clock = Clock([310.0])
    result = measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0, best_us=100.0)
    assert "".join(clock.calls) == "Kkk" + "rkkk"
    assert result.samples_us == (310.0,) * 3
    assert not result.noisy


def test_one_fast_sample_shows_that_a_kernel_is_not_far_behind():
    clock = Clock([310.0] * 4 + [290.0])
    assert len(measure(clock, KERNEL, REFERENCE, PROBLEM, PLAN, 50.0, best_us=100.0).samples_us) >= 12


@pytest.mark.parametrize(
    ("times_us", "given_up"),
    [
        ([9.0, 300.1], False),
        ([9.0, 300.1, 301.0], True),
        ([9.0, 300.0, 301.0], False),
        ([9.0, 301.0, 302.0, 303.0], False),
    ],
)
def test_a_batch_is_given_up_at_its_count_when_every_sample_of_the_last_kernel_is_too_long(times_us, given_up):
    assert is_given_up(times_us, "rkkrk", (3, 300.0)) is given_up
    assert not is_given_up(times_us, "rkkrk", None)


def test_without_a_reference_nothing_is_scaled():
    result = measure(Clock([100.0]), KERNEL, None, PROBLEM, PLAN, None)
    assert result.reference_us == ()
    assert result.time_us == 100.0
    assert nominal_reference(Clock([1.0]), None, PROBLEM, PLAN) is None


def test_the_nominal_time_is_the_references_fastest_quarter():
    assert nominal_reference(Clock([1.0], [90.0, 90.0, 50.0, 50.0, 50.0, 80.0]), REFERENCE, PROBLEM, PLAN) == 50.0


def test_errors_of_the_backend_pass():
    class Hanging(Clock):
        def sample(self, artifact, problem, *, timeout_s):
            raise KernelTimeoutError(f"no end within {timeout_s} s")

    with pytest.raises(KernelTimeoutError):
        measure(Hanging([1.0]), KERNEL, REFERENCE, PROBLEM, PLAN, None)
