"""The rule: what it promises for every input, where its limits are, and which input it refuses."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune import compare_samples
from pytest_ascend_tune.gate.statistics import (
    CONFIDENCE,
    MIN_ROUNDS,
    bootstrap_interval,
    clock_step_us,
    loses,
    quarter_means,
    required_confidence,
    speed_ratios,
)
from pytest_ascend_tune.model.confirmation import CompareStatus
from pytest_ascend_tune.model.errors import InvalidInputError, SettingsError
from pytest_ascend_tune.model.measurement import fastest_quarter_mean

FASTER, SAME, INCONCLUSIVE, SLOWER = (
    CompareStatus.FASTER,
    CompareStatus.SAME,
    CompareStatus.INCONCLUSIVE,
    CompareStatus.SLOWER,
)
few = settings(max_examples=12, deadline=None)
seeds = st.integers(0, 10_000)


def noisy(time_us: float, rounds: int = 120, *, seed: int = 0, noise: float = 0.05) -> list[float]:
    """Times with noise that only adds, some of it in bursts."""
    generator = random.Random(seed)
    times = []
    for index in range(rounds):
        burst = 1.5 if (index // 7) % 5 == 0 and generator.random() < 0.7 else 1.0
        times.append(time_us * burst * (1 + generator.expovariate(1 / noise)))
    return times


def scaled(times: list[float], factor: float) -> list[float]:
    return [time * factor for time in times]


class TestVerdictOfTheRule:
    @pytest.mark.parametrize(
        ("drop", "status"),
        [(0.0, SAME), (0.024, SAME), (0.025, SAME), (0.0251, SLOWER), (0.05, SLOWER), (0.5, SLOWER)],
    )
    def test_without_noise_the_limit_is_exactly_the_threshold(self, drop, status):
        assert compare_samples([100 / (1 - drop)] * 20, [100.0] * 20).status is status

    @pytest.mark.parametrize(("gain", "status"), [(0.024, SAME), (0.0251, FASTER), (1.0, FASTER)])
    def test_faster_is_the_mirror_image(self, gain, status):
        assert compare_samples([100.0] * 20, [100 / (1 - gain) if gain < 1 else 1e4] * 20).status is status

    @given(threshold=st.floats(0.001, 0.4))
    @few
    def test_any_threshold_is_met_exactly(self, threshold):
        at, beyond = [1 / (1 - threshold)] * 20, [1 / (1 - threshold - 1e-6)] * 20
        assert compare_samples(at, [1.0] * 20, threshold).status is SAME
        assert compare_samples(beyond, [1.0] * 20, threshold).status is SLOWER

    def test_the_median_must_agree_with_the_fastest_quarter(self):
        baseline = [100.0] * 40
        few_slow = [100.0] * 30 + [150.0] * 10  # the slowest samples do not count
        assert compare_samples(few_slow, baseline).status is SAME
        lucky = [90.0] * 10 + [100.0] * 30  # neither do a baseline's lucky ones alone
        assert compare_samples(baseline, lucky).status is not SLOWER

    def test_an_interval_that_reaches_zero_is_no_finding(self):
        generator = np.random.default_rng(3)
        baseline = 100 * generator.lognormal(0, 0.5, 20)
        candidate = 104 * generator.lognormal(0, 0.5, 20)
        result = compare_samples(candidate, baseline)
        assert result.interval[0] < 1 < result.interval[1]
        assert result.status is INCONCLUSIVE
        assert result.reason == "noise"

    def test_the_numbers_are_speeds_of_the_candidate(self):
        result = compare_samples([110.0] * 12, [100.0] * 12)
        assert result.ratio == pytest.approx(100 / 110)
        assert result.quarter_ratio == pytest.approx(100 / 110)
        assert result.interval == pytest.approx((100 / 110, 100 / 110))
        assert result.rounds == 12


class TestProperties:
    @given(seed=seeds, factors=st.lists(st.floats(0.7, 1.4), min_size=2, max_size=6), threshold=st.floats(0.01, 0.1))
    @few
    def test_monotone_in_the_ratio(self, seed, factors, threshold):
        order = {FASTER: 0, SAME: 1, INCONCLUSIVE: 1, SLOWER: 2}
        baseline, candidate = noisy(100, seed=seed), noisy(100, seed=seed + 1)
        found = [compare_samples(scaled(candidate, f), baseline, threshold) for f in sorted(factors)]
        places = [order[result.status] for result in found]
        assert places == sorted(places)
        # between them, "same" turns into "inconclusive" and never back
        unproven = [result.status for result in found if order[result.status] == 1]
        assert unproven == sorted(unproven, key=[SAME, INCONCLUSIVE].index)

    @given(seed=seeds, factor=st.floats(0.8, 1.25))
    @few
    def test_exchanging_the_two_exchanges_slower_and_faster(self, seed, factor):
        one, other = noisy(100, seed=seed), scaled(noisy(100, seed=seed + 1), factor)
        there, back = compare_samples(one, other), compare_samples(other, one)
        assert (there.status is SLOWER) == (back.status is FASTER)
        assert (there.status is FASTER) == (back.status is SLOWER)
        assert there.ratio * back.ratio == pytest.approx(1)
        assert there.interval[0] * back.interval[1] == pytest.approx(1)

    @given(seed=seeds, unit=st.sampled_from([1e-6, 1e-3, 1e3, 1e9]))
    @few
    def test_the_unit_of_time_does_not_matter(self, seed, unit):
        one, other = noisy(100, seed=seed), noisy(103, seed=seed + 1)
        here, there = compare_samples(one, other), compare_samples(scaled(one, unit), scaled(other, unit))
        assert here.status is there.status
        assert here.interval == pytest.approx(there.interval)

    @given(seed=seeds)
    @example(seed=0)
    @few
    def test_a_kernel_against_itself_is_the_same(self, seed):
        times = noisy(100, seed=seed)
        result = compare_samples(times, times)
        assert result.status is SAME
        assert result.ratio == 1

    def test_equal_input_gives_equal_output_and_the_seed_hardly_matters(self):
        one, other = noisy(100, seed=1), noisy(104, seed=2)
        assert compare_samples(one, other, seed=5) == compare_samples(one, other, seed=5)
        low, high = zip(*(compare_samples(one, other, seed=seed).interval for seed in range(5)), strict=True)
        assert max(low) - min(low) < 0.01
        assert max(high) - min(high) < 0.01

    @given(seed=seeds, tests=st.integers(2, 5000))
    @few
    def test_more_tests_ask_for_more(self, seed, tests):
        one, other = noisy(104, seed=seed), noisy(100, seed=seed + 1)
        alone = compare_samples(one, other)
        among = compare_samples(one, other, confidence=required_confidence(tests))
        assert among.interval[0] <= alone.interval[0]
        assert among.interval[1] >= alone.interval[1]
        assert alone.status is SLOWER or among.status is not SLOWER

    @given(seed=seeds, shift=st.integers(1, 100))
    @few
    def test_common_slow_spells_cancel(self, seed, shift):
        one, other = noisy(100, 100, seed=seed, noise=0.001), noisy(100, 100, seed=seed, noise=0.0011)
        spell = [3.0 if (index + shift) % 9 < 4 else 1.0 for index in range(100)]
        in_spells = [[t * s for t, s in zip(times, spell, strict=True)] for times in (one, other)]
        assert compare_samples(*in_spells).ratio == pytest.approx(compare_samples(one, other).ratio)


class TestClock:
    def test_a_difference_below_the_resolution_is_never_a_finding(self):
        tiny = compare_samples([1.5] * 50, [1.0] * 50, resolution_us=0.6)
        assert tiny.status is INCONCLUSIVE
        assert tiny.reason == "resolution"
        assert compare_samples([1.0] * 50, [1.5] * 50, resolution_us=0.6).reason == "resolution"
        assert compare_samples([1.5] * 50, [1.0] * 50, resolution_us=0.4).status is SLOWER

    def test_the_step_of_a_coarse_clock_is_seen_in_the_samples(self):
        baseline = [1.0] * 60 + [2.0] * 40
        candidate = [1.0] * 15 + [2.0] * 85
        generator = random.Random(1)
        generator.shuffle(baseline)
        generator.shuffle(candidate)
        assert quarter_means(np.array(candidate)) / quarter_means(np.array(baseline)) > 1.3
        assert compare_samples(candidate, baseline).status is not SLOWER

    def test_fine_clocks_are_not_mistaken_for_coarse_ones(self):
        assert compare_samples([1.05, 1.051, 1.052] * 20, [1.0, 1.001, 1.002] * 20).status is SLOWER


class TestEstimators:
    @given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=40))
    @few
    def test_quarter_means_are_the_models_estimator(self, times):
        assert quarter_means(np.array(times)) == pytest.approx(fastest_quarter_mean(tuple(times)))

    def test_speed_ratios_work_on_many_at_once(self):
        one, other = np.array([noisy(100, seed=s) for s in range(4)]), np.array([noisy(105, seed=9)] * 4)
        quarters, medians = speed_ratios(one, other)
        for row in range(4):
            result = compare_samples(one[row], other[row])
            assert quarters[row] == pytest.approx(result.quarter_ratio)
            assert medians[row] == pytest.approx(result.ratio)

    def test_the_interval_of_a_time_contains_it_and_narrows_with_more_samples(self):
        short, long = noisy(100, 40), noisy(100, 1600)
        for times in (short, long):
            low, high = bootstrap_interval(times)
            assert low <= fastest_quarter_mean(tuple(times)) <= high
        narrow = bootstrap_interval(long)
        wide = bootstrap_interval(short)
        assert narrow[1] - narrow[0] < wide[1] - wide[0]

    def test_the_interval_covers_the_truth_about_as_often_as_it_says(self):
        covered = 0
        for seed in range(100):
            generator = np.random.default_rng(seed)
            one, other = generator.lognormal(0, 0.1, 100), generator.lognormal(0, 0.1, 100)
            low, high = compare_samples(one, other).interval
            covered += low <= 1 <= high
        assert 88 <= covered <= 100

    def test_long_series_are_compared_in_batches(self):
        generator = np.random.default_rng(0)
        one, other = generator.lognormal(0, 0.1, 5000), generator.lognormal(0, 0.1, 5000)
        assert compare_samples(one, other).status is SAME


class TestRequiredConfidence:
    def test_a_finding_needs_more_than_an_interval_and_many_tests_need_more_still(self):
        needed = [required_confidence(tests) for tests in (1, 20, 50, 1000)]
        assert needed[0] > CONFIDENCE
        assert needed == sorted(set(needed))
        assert needed[2] == pytest.approx(1 - 2 * 0.002 / 50)

    @pytest.mark.parametrize("tests", [0, -1, 1.5, True, "3"])
    def test_nonsense_is_refused(self, tests):
        with pytest.raises(SettingsError, match=r"tests=.* >= 1"):
            required_confidence(tests)


class TestBadInput:
    good = (100.0,) * MIN_ROUNDS

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ([], "empty"),
            ([100.0] * (MIN_ROUNDS - 1) + [math.nan], r"\[9\] is nan"),
            ([100.0] * (MIN_ROUNDS - 1) + [math.inf], r"\[9\] is inf"),
            ([0.0] + [100.0] * (MIN_ROUNDS - 1), r"\[0\] is 0"),
            ([100.0, -3.0] + [100.0] * (MIN_ROUNDS - 2), r"\[1\] is -3"),
            ("1234567890", "no sequence of numbers"),
            (["a"] * MIN_ROUNDS, "no sequence of numbers"),
            (None, "dimensions|nan|no sequence"),
            (5.0, "0 dimensions"),
            ([[1.0] * MIN_ROUNDS], "2 dimensions"),
            ([[1.0], [1.0, 2.0]], "no sequence of numbers"),
        ],
    )
    @pytest.mark.parametrize("swapped", [False, True])
    def test_series_that_are_none(self, bad, message, swapped):
        pair = (self.good, bad) if swapped else (bad, self.good)
        with pytest.raises(InvalidInputError, match=message) as caught:
            compare_samples(*pair)
        assert ("baseline_us" if swapped else "candidate_us") in str(caught.value)

    def test_unequal_lengths(self):
        with pytest.raises(SettingsError, match="11 samples and baseline_us 10"):
            compare_samples([*self.good, 100.0], self.good)

    def test_too_few_rounds(self):
        with pytest.raises(SettingsError, match=f"at least {MIN_ROUNDS}"):
            compare_samples(self.good[1:], self.good[1:])

    @pytest.mark.parametrize("threshold", [0, 0.0, -0.1, 1.0, 1, 5, math.nan, math.inf, "2.5%", None, True])
    def test_thresholds_out_of_range(self, threshold):
        with pytest.raises(SettingsError, match="threshold="):
            compare_samples(self.good, self.good, threshold)

    @pytest.mark.parametrize(
        "more", [{"confidence": 1.0}, {"confidence": 0}, {"resolution_us": -1}, {"resolution_us": math.nan}]
    )
    def test_other_arguments_out_of_range(self, more):
        with pytest.raises(SettingsError, match=next(iter(more))):
            compare_samples(self.good, self.good, **more)

    def test_intervals_check_their_samples_too(self):
        with pytest.raises(SettingsError, match="samples_us is empty"):
            bootstrap_interval([])


def test_faster_needs_the_whole_interval_above_as_slower_needs_it_below():
    undecided = 0
    for seed in range(40):
        noise = np.random.default_rng(seed)
        one, other = (us * np.exp(noise.normal(0, 0.15, 20)) for us in (100.0, 104.0))
        found, swapped = compare_samples(one, other), compare_samples(other, one)
        assert (found.status is CompareStatus.FASTER) is (swapped.status is CompareStatus.SLOWER)
        if loses(1 / found.quarter_ratio, 1 / found.ratio, 0.025):
            assert (found.status is CompareStatus.FASTER) is (found.interval[0] > 1)
            undecided += found.interval[0] <= 1
    assert undecided >= 5


def test_a_coarse_clock_is_one_most_of_whose_readings_repeat():
    assert clock_step_us(np.array([1.0, 1.0, 1.5, 1.5])) == 0.5  # two readings, each twice
    assert clock_step_us(np.array([1.0, 1.0, 1.5])) == 0.0
    assert clock_step_us(np.array([1.0] * 4)) == 0.0


def test_the_argument_that_is_wrong_is_named():
    good = [1.0] * 20
    for arguments, name in ((([], good), "candidate_us"), ((good, []), "baseline_us")):
        with pytest.raises(SettingsError, match=f"^{name} is empty"):
            compare_samples(*arguments)
