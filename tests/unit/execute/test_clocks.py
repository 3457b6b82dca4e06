"""Which disagreement of a kernel's clocks the neighbours explain, and which they do not."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.execute.clocks import disbelief
from pytest_ascend_tune.model.measurement import Sample


def alike(us, wall=1.0, process=1.0, count=12, threads=1):
    return [Sample(us, us * wall, us * process, threads) for _ in range(count)]


REFERENCE = alike(400.0)


def test_honest_times_are_believed():
    assert disbelief(alike(500.0, wall=1.02, process=1.01), REFERENCE) is None


def test_a_neighbour_that_slows_both_down_explains_the_wall_clock():
    assert disbelief(alike(500.0, wall=3.0), alike(400.0, wall=2.8)) is None
    assert "sleeps, or waits" in disbelief(alike(500.0, wall=27.0), alike(400.0, wall=2.8))


def test_a_few_disturbed_samples_of_the_reference_excuse_nothing():
    disturbed = [*alike(400.0, count=10), *alike(400.0, wall=50.0, count=2)]
    assert "27 times as long (1 times for the reference" in disbelief(alike(500.0, wall=27.0), disturbed)


def test_a_few_disturbed_samples_of_the_kernel_mean_nothing():
    assert disbelief([*alike(500.0, count=6), *alike(510.0, wall=20.0, process=3.0, count=6)], REFERENCE) is None


def test_undeclared_threads_are_seen_whatever_the_reference_does():
    spinning = alike(400.0, process=2.0)
    assert "threads that are not declared" in disbelief(alike(500.0, process=1.7), spinning)
    assert disbelief(alike(500.0, process=1.7, threads=2), REFERENCE) is None
    assert "slowest of 2 threads" in disbelief(alike(500.0, process=2.7, threads=2), REFERENCE)


def test_declared_threads_that_share_one_cpu_are_no_sleep():
    assert disbelief(alike(500.0, wall=2.0, process=2.0, threads=2), alike(400.0, threads=2)) is None


@pytest.mark.parametrize(("wall", "words"), [(3.9, None), (27.0, "with no reference kernel")])
def test_without_a_reference_only_what_no_neighbour_does_is_refused(wall, words):
    reason = disbelief(alike(500.0, wall=wall), [])
    assert reason is None if words is None else words in reason


def test_reading_the_clocks_is_negligible():
    assert disbelief(alike(1.0, wall=8.0, process=4.0), alike(0.5)) is None


def test_backends_with_another_clock_are_not_judged():
    assert disbelief([Sample(10.0, 5000.0)], [Sample(10.0, 10.0)]) is None
