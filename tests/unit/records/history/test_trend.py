from __future__ import annotations

import math
import random
import sys

import pytest

from pytest_ascend_tune.records.history.store import TrendPoint
from pytest_ascend_tune.records.history.trend import MIN_SEGMENT, change_points, trend_note


def series(*levels, noise=0.01, length=20, seed=1):
    generator = random.Random(seed)
    return [level * (1 + generator.gauss(0, noise)) for level in levels for _ in range(length)]


@pytest.fixture(autouse=True)
def _ruptures():
    pytest.importorskip("ruptures")


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_found_near_its_place_with_its_size(seed):
    (point,) = change_points(series(1.0, 0.93, seed=seed))
    assert abs(point.index - 20) <= 2
    assert point.change_share == pytest.approx(-0.07, abs=0.015)


def test_every_place_is_looked_at():
    assert [point.index for point in change_points(series(1.0, 0.9, noise=0.001)[1:-2])] == [19]
    assert [point.index for point in change_points(series(1.0, 0.9, noise=0.001)[7:-2])] == [13]


def test_steps_down_and_up_are_two():
    found = change_points(series(1.0, 0.9, 1.0))
    assert [round(point.change_share, 1) for point in found] == [-0.1, 0.1]


def test_noise_alone_rarely_looks_like_a_step():
    alarms = sum(bool(change_points(series(1.0, length=60, seed=seed))) for seed in range(20))
    assert alarms <= 2


def test_the_scale_does_not_matter():
    values = series(1.0, 0.9)
    assert [point.index for point in change_points(values)] == [
        point.index for point in change_points([300 * value for value in values])
    ]


@pytest.mark.parametrize("values", [[], [1.0], [1.0] * 50, [1.0, 0.5, 1.0, 0.5]])
def test_too_little_or_constant_has_none(values):
    assert change_points(values) == ()


def test_a_level_needs_some_results_to_be_one():
    """A step in the newest results is not seen yet, or is placed too early: its place is an estimate."""
    for newest in range(1, MIN_SEGMENT):
        found = change_points(series(1.0, length=20) + [0.5] * newest)
        assert all(point.index <= 20 + newest - MIN_SEGMENT for point in found)


def test_without_the_library_there_is_no_answer(monkeypatch):
    monkeypatch.setitem(sys.modules, "ruptures", None)
    assert change_points(series(1.0, 0.9)) is None


def points(ratios):
    return [TrendPoint("", f"r{n}", "passed", False, 100.0 + n, 0.5, ratio, None) for n, ratio in enumerate(ratios)]


def test_the_newest_change_of_level_is_put_into_words():
    ratios = series(1.0, 1.1, 0.9, noise=0.001)
    assert str(trend_note(points(ratios))) == "trend: 18.2 % slower since about run r40 (advice, not judged)"
    assert str(trend_note(points(ratios[:40]))) == "trend: 10.0 % faster since about run r20 (advice, not judged)"


def test_without_a_reference_or_a_change_there_is_nothing_to_say():
    assert trend_note(points([None] * 20)) is None
    assert trend_note(points(series(1.0))) is None
    assert trend_note([]) is None


def test_the_least_series_with_a_change_has_two_segments():
    assert [point.index for point in change_points([1.0, 1.001, 1.0, 1.001, 0.9, 0.901, 0.9, 0.901])] == [4]
    assert change_points([1.0, 1.001, 1.0, 1.001, 0.9, 0.901, 0.9]) == ()


@pytest.mark.parametrize(("step", "found"), [(1.45, 0), (1.55, 1)])
def test_a_step_must_outweigh_the_noise(step, found):
    """16 results that jump up and down by d: a step of s in their middle explains 4 s^2, which must be more than
    3 ln(16) (d / 0.954)^2, so s more than 1.51 d."""
    jump = 0.01
    ratios = [math.exp((index >= 8) * step * jump + (-1) ** index * jump / 2) for index in range(16)]
    assert len(change_points(ratios)) == found
