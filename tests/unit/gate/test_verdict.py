"""The judgement: every status and policy, precedence, causes, and the sentence that each verdict carries."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from pytest_ascend_tune.gate.bestknown import beside_baseline, beside_run
from pytest_ascend_tune.gate.stored import RECORD_AGAIN, version_changes
from pytest_ascend_tune.gate.verdict import comparable, differences, interrupted, judge
from pytest_ascend_tune.model.confirmation import Arm, ArmRole, CompareStatus, Comparison, Confirmation, OldToolchain
from pytest_ascend_tune.model.measurement import Failure, Health, Measurement
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Trial, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import (
    Baseline,
    BaselineKey,
    Cause,
    Fingerprint,
    GateStatus,
    Policy,
    StoredMeasurement,
)
from pytest_ascend_tune.model.word import FailureKind
from tests.unit.gate.doubles import NEW, OLD, PROBLEM, THIRD

MACHINE = Fingerprint("fake-1", (("cores", "24"), ("l2", "cold")), (("compiler", "12.2"), ("driver", "25.0")))
TIME_US = 100.0
PEAK = PROBLEM.tflops(TIME_US) / 0.8  # the winner reaches 80 % of it


def arm(role=ArmRole.FINALIST, time_us=TIME_US, config=NEW, build_id="new", noise=0.002, rounds=120) -> Arm:
    generator = random.Random(f"{role} {build_id}")
    return Arm(role, config, build_id, tuple(time_us * (1 + noise * generator.random()) for _ in range(rounds)))


def comparison(status=CompareStatus.SAME, ratio=1.0, reason="") -> Comparison:
    return Comparison(status, ratio, (ratio - 0.01, ratio + 0.01), ratio, 120, reason)


def confirmation(compared: Comparison | None = None, *, own_us=TIME_US, reference_us=90.0, **more) -> Confirmation:
    values = {
        "winner": arm(),
        "interval_us": (TIME_US * 0.99, TIME_US * 1.01),
        "peak_tflops": PEAK,
        "baseline": arm(ArmRole.BASELINE, own_us, OLD, "old"),
        "reference": arm(ArmRole.REFERENCE, reference_us, None, "blas 1.0", rounds=30),
        "comparison": compared or comparison(),
    }
    return Confirmation(PROBLEM, **(values | more))


def tuning(confirmed: Confirmation | None, *, state=ConvergenceState.CONVERGED, trials=None, simulated=False):
    if trials is None:
        trials = (Trial(1, NEW, Measurement((TIME_US,))),)
    ended = Convergence(state, Text.of("flat for {count} trials", count=20))
    return TuningResult(PROBLEM, "fake_gemm", "fake", "fake-1", simulated, trials, ended, confirmed=confirmed)


def stored(**more) -> StoredMeasurement:
    values = {"time_us": TIME_US, "interval_us": (99.0, 101.0), "tflops": 0.3, "efficiency_share": 0.8, "rounds": 250}
    values |= {"noise_share": 0.004, "reference_us": 90.0, "reference_id": "blas 1.0"}
    return StoredMeasurement(**(values | more))


def baseline(measurement: StoredMeasurement | None = None, **more) -> Baseline:
    values = {"recorded_with": MACHINE, "recorded_at": "2026-11-20T09:30:00Z"} | more
    key = BaselineKey("main", "fake-1", "fake_gemm", PROBLEM.id)
    return Baseline(key, OLD, "0f" * 32, 1, "old", measurement or stored(), **values)


SLOWER = comparison(CompareStatus.SLOWER, 0.93)
FASTER = comparison(CompareStatus.FASTER, 1.06)
UNCLEAR = comparison(CompareStatus.INCONCLUSIVE, 0.97, "busy")
IDENTICAL = confirmation(identical_build=True, comparison=None, baseline=None)
NEWER = replace(MACHINE, versions=(("compiler", "13.1"), ("driver", "25.0")))
OTHER_MACHINE = replace(MACHINE, identity=(("cores", "20"), ("l2", "cold")))


def gated(confirmed=None, base=None, policy=None, machine=MACHINE, **more):
    return judge(tuning(confirmed or confirmation()), base or baseline(), machine, policy or Policy(), **more)


def said(verdict) -> list[str]:
    return [str(verdict.reason), *map(str, verdict.notes)]


STATUSES = [
    # status, fails, confirmed, baseline, policy
    (GateStatus.PASSED, False, confirmation(), baseline(), Policy()),
    (GateStatus.PASSED, False, IDENTICAL, baseline(), Policy()),
    (GateStatus.IMPROVED, False, confirmation(FASTER), baseline(), Policy()),
    (GateStatus.REGRESSED, True, confirmation(SLOWER), baseline(), Policy()),
    (GateStatus.REGRESSED, True, confirmation(SLOWER), baseline(), Policy(platform="warn", inconclusive="warn")),
    (GateStatus.INCONCLUSIVE, False, confirmation(UNCLEAR), baseline(), Policy()),
    (GateStatus.INCONCLUSIVE, True, confirmation(UNCLEAR), baseline(), Policy(inconclusive="fail")),
    (GateStatus.BELOW_EFFICIENCY, True, confirmation(), baseline(), Policy(min_efficiency=0.9)),
    (GateStatus.BELOW_EFFICIENCY, True, confirmation(), baseline(), Policy(min_vs_reference=1.0)),
    (GateStatus.INCONCLUSIVE, False, confirmation(), baseline(), Policy(min_efficiency=0.8)),
    (GateStatus.INCONCLUSIVE, True, confirmation(), baseline(), Policy(min_efficiency=0.8, inconclusive="fail")),
    (GateStatus.INCONCLUSIVE, False, confirmation(reference=None), baseline(stored(reference_us=None, reference_id="")),
     Policy(min_vs_reference=0.5)),
    (GateStatus.PASSED, False, confirmation(), baseline(), Policy(min_efficiency=0.7, min_vs_reference=0.8)),
    (GateStatus.NO_BASELINE, False, confirmation(), None, Policy()),
    (GateStatus.NO_BASELINE, False, confirmation(), None, Policy(missing="seed")),
    (GateStatus.NO_BASELINE, True, confirmation(), None, Policy(missing="fail")),
    (GateStatus.NOT_COMPARABLE, False, confirmation(), baseline(recorded_with=OTHER_MACHINE), Policy()),
    (GateStatus.NOT_COMPARABLE, True, confirmation(), baseline(recorded_with=OTHER_MACHINE), Policy(missing="fail")),
    (GateStatus.NOT_COMPARABLE, False, confirmation(), baseline(simulated=True), Policy()),
    (GateStatus.NOTHING_VALID, True, None, baseline(), Policy()),
    (GateStatus.NOTHING_VALID, True, None, None, Policy(missing="seed")),
    # precedence
    (GateStatus.REGRESSED, True, confirmation(SLOWER), baseline(), Policy(min_efficiency=0.9)),
    (GateStatus.BELOW_EFFICIENCY, True, confirmation(UNCLEAR), baseline(), Policy(min_efficiency=0.9)),
    (GateStatus.BELOW_EFFICIENCY, True, confirmation(), None, Policy(min_efficiency=0.9)),
    (GateStatus.INCONCLUSIVE, False, confirmation(FASTER), baseline(), Policy(min_efficiency=0.8)),
    (GateStatus.INCONCLUSIVE, True, confirmation(), None, Policy(min_efficiency=0.8, missing="fail")),
]  # fmt: skip


@pytest.mark.parametrize(("status", "fails", "confirmed", "base", "policy"), STATUSES)
def test_status_and_failure(status, fails, confirmed, base, policy):
    verdict = judge(tuning(confirmed), base, MACHINE, policy)
    assert verdict.status is status
    assert verdict.fails is fails
    assert len(str(verdict.reason)) > 20
    assert "{" not in str(verdict.reason)
    assert verdict.reason not in verdict.notes


def test_the_table_has_every_status():
    assert {row[0] for row in STATUSES} == set(GateStatus)


def test_no_finding_is_lost():
    policy = Policy(min_efficiency=0.9, inconclusive="fail", unconverged="fail")
    verdict = judge(tuning(confirmation(UNCLEAR), state=ConvergenceState.STOPPED), baseline(), MACHINE, policy)
    said = [str(verdict.reason), *map(str, verdict.notes)]
    for words in ("below the floor", "cannot tell whether it is slower", "without evidence"):
        assert sum(words in sentence for sentence in said) == 1
    platform_warning = Policy(platform="warn", missing="fail")
    assert "test fails because" not in str(gated(policy=platform_warning).reason)


class TestCode:
    def test_a_slower_kernel_is_told_with_its_numbers_and_the_baselines_date(self):
        verdict = gated(confirmation(SLOWER))
        assert verdict.cause is Cause.CODE
        assert verdict.drop == pytest.approx(0.07)
        assert verdict.drop_interval == pytest.approx((0.06, 0.08))
        assert verdict.allowed_drop == 0.025
        assert "7.0 % slower than the baseline of 2026-11-20 (6.0 % to 8.0 %, 2.5 % allowed), cause code" in str(
            verdict.reason
        )

    @pytest.mark.parametrize(
        ("winner", "race", "words"),
        [
            (OLD, (OLD, NEW), "lost against the baseline's own sources"),
            (NEW, (OLD, NEW), "no configuration of today's sources is as fast"),
            (NEW, (NEW, THIRD), "configuration does not work with today's sources and nothing else is as fast"),
        ],
    )
    def test_the_sentence_says_how(self, winner, race, words):
        arms = tuple(arm(config=config) for config in race)
        assert words in str(gated(confirmation(SLOWER, winner=arm(config=winner), race=arms)).reason)

    @pytest.mark.parametrize(("winner", "cause"), [(NEW, Cause.SEARCH), (OLD, Cause.CODE)])
    def test_improved_names_its_cause_and_offers_to_record(self, winner, cause):
        verdict = gated(confirmation(FASTER, winner=arm(config=winner)))
        assert verdict.cause is cause
        assert verdict.drop == pytest.approx(-0.06)
        assert "--ascend-tune-update-baseline" in str(verdict.reason)

    @pytest.mark.parametrize(
        ("reason", "words", "cause"),
        [
            ("busy", "busy", Cause.DEVICE),
            ("clock", "rated", Cause.DEVICE),
            ("drift", "drifted", Cause.DEVICE),
            ("noise", "noisy", None),
            ("resolution", "clock can tell", None),
        ],
    )
    def test_an_inconclusive_comparison_gives_its_reason(self, reason, words, cause):
        verdict = gated(confirmation(comparison(CompareStatus.INCONCLUSIVE, 0.97, reason)))
        assert words in str(verdict.reason)
        assert verdict.cause is cause


class TestPlatform:
    def slow(self, drop: float, **more) -> Confirmation:
        own = TIME_US / (1 - drop)
        return confirmation(winner=arm(time_us=own), own_us=own, **more)

    def test_an_own_build_slower_than_recorded_is_the_platforms_doing(self):
        verdict = gated(self.slow(0.3), machine=NEWER)
        assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.REGRESSED, Cause.PLATFORM, True)
        assert "30.0 % slower relative to the reference kernel than on 2026-11-20 and 30.0 % in itself" in str(
            verdict.reason
        )
        assert "compiler 12.2 -> 13.1" in str(verdict.reason)
        assert verdict.allowed_drop == 0.10
        assert any("since the baseline was recorded: compiler 12.2 -> 13.1" in str(note) for note in verdict.notes)

    def test_the_policy_can_make_it_a_warning(self):
        verdict = gated(self.slow(0.3), policy=Policy(platform="warn"), machine=NEWER)
        assert (verdict.status, verdict.fails) == (GateStatus.REGRESSED, False)

    def test_a_failing_floor_is_not_hidden_by_a_platform_warning(self):
        verdict = gated(self.slow(0.3), policy=Policy(platform="warn", min_efficiency=0.9), machine=NEWER)
        assert verdict.fails
        assert "below the floor" in str(verdict.reason)

    @pytest.mark.parametrize(("drop", "status"), [(0.05, GateStatus.PASSED), (0.099, GateStatus.PASSED),
                                                  (0.11, GateStatus.REGRESSED)])  # fmt: skip
    def test_small_differences_between_days_are_allowed(self, drop, status):
        assert gated(self.slow(drop), machine=NEWER).status is status

    def test_the_threshold_is_calibrated_but_never_finer_than_the_tests_own(self):
        calibrated = Policy(platform_threshold=0.05)
        assert gated(self.slow(0.08), policy=calibrated, machine=NEWER).status is GateStatus.REGRESSED
        own = Policy(platform_threshold=0.05, threshold=0.09)
        assert gated(self.slow(0.08), policy=own, machine=NEWER).status is GateStatus.PASSED
        finest = Policy(platform_threshold=0.025)  # that of the paired comparison is too fine for stored numbers
        assert gated(self.slow(0.04), policy=finest, machine=NEWER).status is GateStatus.PASSED

    def test_an_identical_build_is_compared_with_stored_numbers_too(self):
        same = confirmation(
            winner=arm(time_us=150, build_id="old"), identical_build=True, comparison=None, baseline=None
        )
        assert gated(same, machine=NEWER).cause is Cause.PLATFORM

    def test_a_slower_device_is_no_slower_platform(self):
        verdict = gated(self.slow(0.4, reference_us=90 / 0.6))
        assert verdict.status is GateStatus.PASSED
        assert any("device: the reference kernel is 40 % slower" in str(note) for note in verdict.notes)

    @pytest.mark.parametrize(("drop", "status"), [(0.15, GateStatus.INCONCLUSIVE), (0.3, GateStatus.REGRESSED)])
    def test_on_a_disturbed_device_only_a_large_drop_counts(self, drop, status):
        busy = Health(True, (Text.of("load 7"),))
        verdict = gated(self.slow(drop, health=busy), machine=NEWER)
        assert verdict.status is status
        assert Text.of("load 7") in verdict.notes
        if status is GateStatus.INCONCLUSIVE:
            assert verdict.cause is Cause.DEVICE
        slow_reference = self.slow(1 - (1 - drop) * 0.7, reference_us=90 / 0.7)
        assert gated(slow_reference, machine=NEWER).status is status

    @pytest.mark.parametrize("machine", [MACHINE, NEWER])
    @pytest.mark.parametrize("health", [Health(), Health(True)])
    def test_without_anything_to_divide_by_no_drop_is_a_regression(self, machine, health):
        without = baseline(stored(reference_us=None, reference_id=""))
        verdict = gated(self.slow(0.5, reference=None, health=health), without, machine=machine)
        assert (verdict.status, verdict.cause) == (GateStatus.INCONCLUSIVE, Cause.DEVICE)
        assert "50.0 %" in str(verdict.reason)

    def test_samples_noisier_than_the_drop_prove_nothing(self):
        noisy = arm(time_us=80, noise=3.0, rounds=16)
        verdict = gated(confirmation(identical_build=True, winner=noisy, comparison=None, baseline=None))
        assert verdict.status is GateStatus.INCONCLUSIVE
        assert "as noisy as that" in str(verdict.reason)
        assert gated(self.slow(0.2), baseline(stored(noise_share=0.3))).status is GateStatus.INCONCLUSIVE

    def test_another_reference_makes_stored_numbers_useless(self):
        verdict = gated(self.slow(0.5), baseline(stored(reference_id="blas 0.9")))
        assert verdict.status is GateStatus.PASSED
        assert any("reference changed from blas 0.9 to blas 1.0" in str(note) for note in verdict.notes)
        assert RECORD_AGAIN in verdict.notes

    def test_a_slower_own_build_that_todays_best_makes_up_for_is_only_noted(self):
        verdict = gated(confirmation(FASTER, own_us=150.0))
        assert verdict.status is GateStatus.IMPROVED
        assert any("today's best makes up for it" in str(note) for note in verdict.notes)

    def test_code_comes_before_platform(self):
        own = confirmation(SLOWER, winner=arm(time_us=220), own_us=200)
        verdict = gated(own, machine=NEWER)
        assert verdict.cause is Cause.CODE
        assert any("cause platform" in str(note) for note in verdict.notes)


class TestStoredNumbersAlone:
    """No red by stored numbers without a recorded change, and none that only one of rate and ratio shows."""

    def unchanged(self, time_us: float, reference_us: float, **more) -> Confirmation:
        """The very build of the baseline, today this fast."""
        winner = arm(time_us=time_us, config=OLD, build_id="old")
        more = {"identical_build": True, "comparison": None, "baseline": None} | more
        return replace(confirmation(winner=winner, reference_us=reference_us), **more)

    @pytest.mark.parametrize("rate", [1.03, 1.05])
    def test_the_false_red_of_a_baseline_seeded_beside_other_work(self, rate):
        """Seeded at load 458 the reference was slow; then the ratio "lost" 21.1 %, the rate gained 3 to 5 %."""
        poisoned = baseline(stored(reference_us=90.0 * rate / (1 - 0.211)))
        verdict = gated(self.unchanged(TIME_US / rate, 90.0), poisoned)
        assert (verdict.status, verdict.fails) == (GateStatus.PASSED, False)
        assert any("the stored ratio is doubtful: 21." in sentence for sentence in said(verdict))
        assert RECORD_AGAIN in verdict.notes
        for policy in (Policy(platform_threshold=0.05), Policy(inconclusive="fail")):
            assert not gated(self.unchanged(TIME_US / rate, 90.0), poisoned, policy).fails

    @pytest.mark.parametrize("drop", [0.11, 0.3, 0.6, 0.9])
    @pytest.mark.parametrize("health", [Health(), Health(True)])
    def test_the_same_build_with_the_same_versions_is_inconclusive_at_most(self, drop, health):
        slow = self.unchanged(TIME_US / (1 - drop), 90.0, health=health)
        verdict = gated(slow)
        assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.INCONCLUSIVE, Cause.DEVICE, False)
        assert "the machine is slower than when the baseline was taken" in str(verdict.reason)
        assert "nothing that is recorded has changed" in str(verdict.reason)
        assert verdict.drop == pytest.approx(drop, abs=0.01)
        assert gated(slow, policy=Policy(inconclusive="fail")).fails

    def test_another_build_of_the_same_versions_is_a_change(self):
        slow = confirmation(winner=arm(time_us=200), baseline=arm(ArmRole.BASELINE, 200, OLD, "rebuilt"))
        verdict = gated(slow)
        assert (verdict.status, verdict.cause) == (GateStatus.REGRESSED, Cause.PLATFORM)
        assert "no version that is recorded has changed, but the build has" in str(verdict.reason)

    def test_when_versions_differ_rate_and_ratio_must_both_have_lost(self):
        only_ratio = gated(self.unchanged(TIME_US / 1.04, 60.0), machine=NEWER)
        assert (only_ratio.status, only_ratio.cause) == (GateStatus.INCONCLUSIVE, None)
        assert "but only -4." in str(only_ratio.reason)
        only_rate = gated(self.unchanged(TIME_US * 1.5, 90.0 * 1.5), machine=NEWER)
        assert only_rate.status is GateStatus.PASSED
        both = gated(self.unchanged(TIME_US * 1.5, 90.0), machine=NEWER)
        assert (both.status, both.cause) == (GateStatus.REGRESSED, Cause.PLATFORM)

    ANCHORS = (("fma_peak", 100.0), ("memory_stream", 20.0))

    @pytest.mark.parametrize(
        ("reference_us", "anchors", "lonely"),
        [
            (60.0, ANCHORS, "reference kernel"),
            (90.0 * 1.5, (("fma_peak", 100.0), ("memory_stream", 20.0 / 1.5)), "peak of multiply-adds"),
            (90.0 * 1.5, (("fma_peak", 100.0 / 1.5), ("memory_stream", 20.0)), "memory stream"),
        ],
    )
    def test_a_ratio_that_only_one_anchor_shows_is_that_anchors_trouble(self, reference_us, anchors, lonely):
        time_us = TIME_US if lonely == "reference kernel" else TIME_US * 1.5
        base = baseline(stored(anchors=self.ANCHORS))
        for machine in (MACHINE, NEWER):
            verdict = gated(self.unchanged(time_us, reference_us, anchors=anchors), base, machine=machine)
            assert verdict.status is GateStatus.PASSED
            assert any(f"only the {lonely} shows a loss" in sentence for sentence in said(verdict))

    def test_two_anchors_that_show_it_are_witnesses(self):
        base = baseline(stored(anchors=self.ANCHORS))
        slow = self.unchanged(TIME_US * 1.5, 90.0, anchors=(("fma_peak", 100.0), ("memory_stream", 10.0)))
        assert gated(slow, base, machine=NEWER).status is GateStatus.REGRESSED
        assert gated(slow, base).status is GateStatus.INCONCLUSIVE

    def test_without_a_reference_both_anchors_must_show_it(self):
        base = baseline(stored(reference_us=None, reference_id="", anchors=self.ANCHORS))
        slow = replace(self.unchanged(TIME_US * 1.5, 90.0, anchors=self.ANCHORS), reference=None)
        verdict = gated(slow, base, machine=NEWER)
        assert verdict.status is GateStatus.REGRESSED
        assert "relative to the peak of multiply-adds" in str(verdict.reason)
        other = replace(slow, anchors=(("fma_peak", 100.0), ("memory_stream", 10.0)))
        assert gated(other, base, machine=NEWER).status is GateStatus.PASSED


class TestProvisional:
    base = baseline(provisional=True)

    @pytest.mark.parametrize("machine", [MACHINE, NEWER])
    @pytest.mark.parametrize("time_us", [10.0, 100.0, 1000.0])
    def test_its_stored_numbers_decide_nothing_and_every_comparison_says_so(self, machine, time_us):
        slow = confirmation(winner=arm(time_us=time_us), own_us=time_us, peak_tflops=PEAK * 20)
        verdict = gated(slow, self.base, machine=machine)
        assert verdict.status is GateStatus.PASSED
        assert any("is provisional, recorded on a disturbed device" in sentence for sentence in said(verdict))

    @pytest.mark.parametrize(("compared", "status"), [(SLOWER, GateStatus.REGRESSED), (FASTER, GateStatus.IMPROVED)])
    def test_its_own_sources_still_decide(self, compared, status):
        verdict = gated(confirmation(compared), self.base)
        assert verdict.status is status
        assert any("is provisional" in sentence for sentence in said(verdict))

    def test_without_its_own_build_nothing_is_left_to_compare(self):
        lost = TestFallback().lost(500)
        verdict = gated(lost, self.base)
        assert (verdict.status, verdict.fails) == (GateStatus.NOT_COMPARABLE, False)
        assert "old.cpp does not build any more" in str(verdict.reason)
        assert gated(lost, self.base, Policy(missing="fail")).fails


class TestOldToolchain:
    """The baseline's tool chain is still here: its build is one more arm, and nothing proves more."""

    versions = (("compiler", "12.2"),)

    def told(self, status: CompareStatus, ratio: float, confirmed: Confirmation | None = None) -> Confirmation:
        old = OldToolchain(self.versions, arm(ArmRole.OLD_TOOLCHAIN, 100, OLD, "old"), comparison(status, ratio))
        return replace(confirmed or confirmation(), old_toolchain=old)

    def test_a_tool_chain_that_loses_is_a_slower_platform(self):
        verdict = gated(self.told(CompareStatus.SLOWER, 0.9), machine=NEWER)
        assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.REGRESSED, Cause.PLATFORM, True)
        for words in ("10.0 % slower (9.0 % to 11.0 %, 2.5 % allowed)", "compiler 12.2 -> 13.1", "strongest proof"):
            assert words in str(verdict.reason)
        assert (verdict.drop, verdict.allowed_drop) == (pytest.approx(0.1), 0.025)
        tolerated = gated(self.told(CompareStatus.SLOWER, 0.9), policy=Policy(platform="warn"), machine=NEWER)
        assert (tolerated.status, tolerated.fails) == (GateStatus.REGRESSED, False)

    def test_it_decides_beside_a_provisional_baseline_too(self):
        verdict = gated(self.told(CompareStatus.SLOWER, 0.9), baseline(provisional=True), machine=NEWER)
        assert (verdict.status, verdict.cause) == (GateStatus.REGRESSED, Cause.PLATFORM)

    def test_todays_best_may_make_up_for_it(self):
        verdict = gated(self.told(CompareStatus.SLOWER, 0.96, confirmation(FASTER)), machine=NEWER)
        assert verdict.status is GateStatus.IMPROVED
        assert any("today's best makes up for it" in sentence for sentence in said(verdict))

    @pytest.mark.parametrize(("status", "ratio"), [(CompareStatus.SAME, 1.0), (CompareStatus.FASTER, 1.1)])
    def test_one_that_does_not_lose_clears_the_tool_chain(self, status, ratio):
        slow = confirmation(winner=arm(time_us=200), own_us=200)
        assert gated(slow, machine=NEWER).cause is Cause.PLATFORM
        verdict = gated(self.told(status, ratio, slow), machine=NEWER)
        assert verdict.status is (GateStatus.INCONCLUSIVE if status is CompareStatus.SAME else GateStatus.PASSED)
        assert any("not the tool chain" in sentence and "strongest proof" in sentence for sentence in said(verdict))

    def test_of_a_cleared_tool_chain_the_driver_may_still_be_the_cause(self):
        driver = replace(MACHINE, versions=(("compiler", "13.1"), ("driver", "26.0")))
        slow = confirmation(winner=arm(time_us=200), own_us=200)
        verdict = gated(self.told(CompareStatus.SAME, 1.0, slow), machine=driver)
        assert verdict.cause is Cause.PLATFORM
        assert "driver 25.0 -> 26.0" in str(verdict.reason)
        assert "compiler" not in str(verdict.reason)

    def test_one_that_cannot_tell_leaves_the_stored_numbers(self):
        slow = confirmation(winner=arm(time_us=200), own_us=200)
        verdict = gated(self.told(CompareStatus.INCONCLUSIVE, 0.97, slow), machine=NEWER)
        assert verdict.cause is Cause.PLATFORM
        assert any("both tool chains side by side" in sentence for sentence in said(verdict))

    def test_one_that_is_no_witness_says_why(self):
        because = replace(confirmation(), old_toolchain=OldToolchain(self.versions, why=Text.of("it is that of today")))
        assert "the old tool chain is no witness: it is that of today" in said(gated(because))


class TestFallback:
    failure = Failure(FailureKind.BUILD_ERROR, "old.cpp does not build any more")

    def lost(self, time_us: float, **more) -> Confirmation:
        winner = arm(time_us=time_us)
        return confirmation(winner=winner, baseline=None, comparison=None, baseline_failure=self.failure, **more)

    @pytest.mark.parametrize(
        ("time_us", "status"),
        [(100, GateStatus.PASSED), (108, GateStatus.PASSED), (130, GateStatus.REGRESSED), (80, GateStatus.IMPROVED)],
    )
    def test_stored_numbers_take_the_place_of_an_own_build_that_is_lost(self, time_us, status):
        verdict = gated(self.lost(time_us))
        assert verdict.status is status
        said = [str(verdict.reason), *map(str, verdict.notes)]
        assert any("old.cpp does not build any more" in sentence and "stored numbers" in sentence for sentence in said)
        if status is GateStatus.REGRESSED:
            assert verdict.cause is Cause.CODE
            assert verdict.allowed_drop == 0.10

    def test_and_when_the_reference_changed_too_nothing_can_be_said(self):
        verdict = gated(self.lost(130), baseline(stored(reference_id="blas 0.9")))
        assert verdict.status is GateStatus.INCONCLUSIVE
        assert "reference changed" in str(verdict.reason)
        assert RECORD_AGAIN in verdict.notes

    def test_a_loss_that_only_the_ratio_shows_is_inconclusive(self):
        verdict = gated(self.lost(98, reference_us=70.0))
        assert (verdict.status, verdict.fails) == (GateStatus.INCONCLUSIVE, False)
        assert "but only -2." in str(verdict.reason)

    def test_and_so_is_one_without_anything_to_divide_by(self):
        without = baseline(stored(reference_us=None, reference_id=""))
        assert gated(self.lost(200, reference=None), without).status is GateStatus.INCONCLUSIVE


class TestPeak:
    """More than the device can do is a wrong clock or a wrong peak, and no result."""

    impossible = PROBLEM.tflops(TIME_US) / 1.01

    @pytest.mark.parametrize("compared", [comparison(), FASTER, UNCLEAR])
    @pytest.mark.parametrize("base", [True, False])
    def test_a_rate_above_the_peak_is_inconclusive(self, compared, base):
        confirmed = confirmation(compared, peak_tflops=self.impossible)
        verdict = judge(tuning(confirmed), baseline() if base else None, MACHINE, Policy())
        assert (verdict.status, verdict.fails) == (GateStatus.INCONCLUSIVE, False)
        said = [str(verdict.reason), *map(str, verdict.notes)]
        assert any("101.0 % of the peak" in sentence and "nothing is recorded" in sentence for sentence in said)
        assert gated(confirmed, policy=Policy(inconclusive="fail")).fails

    def test_exactly_the_peak_is_possible(self):
        confirmed = confirmation()
        assert gated(replace(confirmed, peak_tflops=confirmed.tflops)).status is GateStatus.PASSED

    def test_it_excuses_no_slower_code(self):
        assert gated(confirmation(SLOWER, peak_tflops=self.impossible)).status is GateStatus.REGRESSED


class TestFloors:
    def test_the_sentence_has_the_numbers(self):
        verdict = gated(policy=Policy(min_efficiency=0.9))
        assert "80.0 % of the peak" in str(verdict.reason)
        assert "below the floor of 90.0 %" in str(verdict.reason)
        against_reference = gated(policy=Policy(min_vs_reference=1.2))
        assert "90.0 % of the reference kernel's" in str(against_reference.reason)

    @pytest.mark.parametrize(
        ("floor", "status"), [(0.78, GateStatus.PASSED), (0.795, GateStatus.INCONCLUSIVE),
                              (0.805, GateStatus.INCONCLUSIVE), (0.82, GateStatus.BELOW_EFFICIENCY)]
    )  # fmt: skip
    def test_only_a_whole_interval_below_fails(self, floor, status):
        assert gated(policy=Policy(min_efficiency=floor)).status is status

    def test_a_peak_that_is_measured_makes_the_floor_as_uncertain_as_it_is_itself(self):
        for floor, status in ((0.82, GateStatus.INCONCLUSIVE), (0.85, GateStatus.BELOW_EFFICIENCY)):
            assert gated(confirmation(peak_noise=0.04), policy=Policy(min_efficiency=floor)).status is status
        assert confirmation(peak_noise=0.04).efficiency_interval == pytest.approx((0.767, 0.833), abs=0.001)

    def test_a_disturbed_device_needs_a_wider_gap(self):
        busy = confirmation(health=Health(True))
        assert gated(busy, policy=Policy(min_efficiency=0.85)).status is GateStatus.INCONCLUSIVE
        assert gated(busy, policy=Policy(min_efficiency=0.95)).status is GateStatus.BELOW_EFFICIENCY

    def test_no_reference_no_silent_pass(self):
        verdict = gated(confirmation(reference=None), policy=Policy(min_vs_reference=0.5))
        assert "no reference kernel" in str(verdict.reason)


class TestComparable:
    def test_the_differing_facts_are_named(self):
        verdict = gated(base=baseline(recorded_with=OTHER_MACHINE))
        assert "cores was 20 and is 24" in str(verdict.reason)
        assert "l2" not in str(verdict.reason)
        assert "2026-11-20" in str(verdict.reason)

    def test_versions_may_differ_and_facts_that_one_side_lacks_may_not(self):
        newer = baseline(recorded_with=replace(MACHINE, versions=(("compiler", "9"),)))
        assert comparable(newer, MACHINE, False)
        lacking = baseline(recorded_with=replace(MACHINE, identity=(("cores", "24"),)))
        assert [str(text) for text in differences(lacking, MACHINE, False)] == ["l2 was ? and is cold"]
        assert not comparable(baseline(recorded_with=replace(MACHINE, device="fake-2")), MACHINE, False)

    def test_simulated_and_measured_numbers_are_never_compared(self):
        assert not comparable(baseline(simulated=True), MACHINE, False)
        assert not comparable(baseline(), MACHINE, True)
        assert comparable(baseline(simulated=True), MACHINE, True)

    def test_a_baseline_that_is_not_comparable_decides_nothing(self):
        other = baseline(recorded_with=OTHER_MACHINE)
        assert gated(confirmation(SLOWER), other).status is GateStatus.NOT_COMPARABLE


class TestSearch:
    @pytest.mark.parametrize("state", [ConvergenceState.BUDGET_EXHAUSTED, ConvergenceState.STOPPED])
    def test_a_search_without_evidence_is_noted_or_fails(self, state):
        search = tuning(confirmation(), state=state)
        noted = judge(search, baseline(), MACHINE, Policy())
        assert (noted.status, noted.fails) == (GateStatus.PASSED, False)
        assert any("without evidence: flat for 20 trials" in str(note) for note in noted.notes)
        failed = judge(search, baseline(), MACHINE, Policy(unconverged="fail"))
        assert (failed.status, failed.fails, failed.cause) == (GateStatus.INCONCLUSIVE, True, Cause.SEARCH)

    @pytest.mark.parametrize("state", [ConvergenceState.CONVERGED, ConvergenceState.SPACE_EXHAUSTED])
    def test_evidence_passes(self, state):
        assert not judge(tuning(confirmation(), state=state), baseline(), MACHINE, Policy(unconverged="fail")).fails

    def test_no_search_needs_no_evidence(self):
        unsearched = tuning(confirmation(), state=ConvergenceState.BUDGET_EXHAUSTED, trials=())
        assert not judge(unsearched, baseline(), MACHINE, Policy(unconverged="fail")).fails


class TestNothingValid:
    def test_says_what_failed_most(self):
        crash, build = Failure(FailureKind.CRASH, "signal 11"), Failure(FailureKind.BUILD_ERROR, "bad\nlog")
        trials = tuple(Trial(index, OLD, failure) for index, failure in enumerate((crash, build, build), 1))
        verdict = judge(tuning(None, trials=trials), None, MACHINE, Policy())
        assert str(verdict.reason) == "none of 3 configurations worked, 2 of them: build_error (bad)"

    def test_finalists_that_all_failed_when_measured_again(self):
        assert "measured again" in str(judge(tuning(None), None, MACHINE, Policy()).reason)

    def test_a_configuration_that_was_gated_without_a_search(self):
        assert "configuration to gate" in str(judge(tuning(None, trials=()), None, MACHINE, Policy()).reason)


class TestNotes:
    def test_an_old_baseline_and_a_stale_one_are_told(self):
        old = gated(now=datetime(2027, 11, 20, tzinfo=timezone.utc))
        assert any("364 days old" in str(note) for note in old.notes)
        assert RECORD_AGAIN in old.notes
        recent = gated(now=datetime(2026, 12, 1, tzinfo=timezone.utc))
        assert not any("days old" in str(note) for note in recent.notes)
        assert RECORD_AGAIN not in recent.notes
        stale = gated(self.stale())
        assert any("67 % faster relative to the reference" in str(note) for note in stale.notes)
        assert RECORD_AGAIN in stale.notes
        alone = gated(self.stale(reference=None), baseline(stored(reference_us=None, reference_id="")))
        assert any("67 % faster than on 2026-11-20" in str(note) for note in alone.notes)

    def stale(self, **more):
        return confirmation(**{"own_us": 60.0, "winner": arm(time_us=60.0), **more})

    def test_to_record_again_is_no_advice_beside_a_regression_or_on_a_disturbed_device(self):
        disturbed = [
            self.stale(compared=SLOWER),
            self.stale(health=Health(busy=True)),
            self.stale(reference_us=120.0),  # slower today
            self.stale(reference_us=70.0, own_us=40.0),  # faster today
        ]
        for confirmed in disturbed:
            verdict = gated(confirmed)
            assert any("faster relative to the reference" in str(note) for note in verdict.notes)
            assert RECORD_AGAIN not in verdict.notes
        for made in (confirmation(SLOWER), confirmation(health=Health(busy=True))):
            assert RECORD_AGAIN not in gated(made, now=datetime(2027, 11, 20, tzinfo=timezone.utc)).notes
            assert RECORD_AGAIN not in gated(made, baseline(stored(reference_id="blas 0.9"))).notes

    def test_what_was_noted_while_confirming_is_handed_on(self):
        note = Text.of("a finalist was dropped")
        assert note in gated(confirmation(notes=(note,))).notes

    @pytest.mark.parametrize("confirmed", [confirmation(), confirmation(SLOWER), None])
    def test_simulated_runs_say_so_in_the_sentence(self, confirmed):
        verdict = judge(tuning(confirmed, simulated=True), baseline(simulated=True), MACHINE, Policy())
        assert "model only, the kernel was not exercised" in str(verdict.reason)
        assert "model only" not in str(judge(tuning(confirmed), baseline(), MACHINE, Policy()).reason)

    def test_an_interrupted_run_has_a_verdict_that_passes_nothing(self):
        verdict = interrupted(tuning(None))
        assert verdict.status is GateStatus.INCONCLUSIVE
        assert "interrupted after 1 trial:" in str(verdict.reason)


@pytest.mark.parametrize("health", [Health(), Health(True)])
@pytest.mark.parametrize("way", ["stored numbers", "own build lost", "floor"])
def test_a_slower_kernel_never_gets_a_better_verdict(way, health):
    """Of the rule itself: test_statistics. Here: all that is judged without it."""
    order = [GateStatus.IMPROVED, GateStatus.PASSED, GateStatus.INCONCLUSIVE]
    order += [GateStatus.BELOW_EFFICIENCY, GateStatus.REGRESSED]
    found = []
    for percent in range(-30, 60):
        time_us = TIME_US / (1 - percent / 100)
        winner, interval = arm(time_us=time_us), (time_us * 0.99, time_us * 1.01)
        more = {"winner": winner, "interval_us": interval, "health": health, "peak_tflops": PEAK * 2}
        if way == "own build lost":
            confirmed = replace(TestFallback().lost(time_us), **more)
        else:
            confirmed = confirmation(own_us=time_us if way == "stored numbers" else TIME_US, **more)
        floor = Policy(min_efficiency=0.4, platform="warn") if way == "floor" else Policy()
        found.append(order.index(gated(confirmed, policy=floor, machine=NEWER).status))
    assert found == sorted(found)
    assert len(set(found)) >= (3 if health.busy else 2)


def test_judging_is_pure():
    confirmed, base = confirmation(SLOWER), baseline()
    assert judge(tuning(confirmed), base, MACHINE, Policy()) == judge(tuning(confirmed), base, MACHINE, Policy())


class TestWhatIsSaid:
    def test_a_gain_within_the_noise_is_not_offered_for_recording(self):
        clear = gated(confirmation(FASTER))
        assert "record it with" in str(clear.reason)
        for doubtful in (
            gated(confirmation(FASTER), baseline(stored(noise_share=0.08))),
            gated(confirmation(replace(FASTER, interval=(1.026, 1.15)))),
        ):
            assert doubtful.status is GateStatus.IMPROVED
            assert "record it" not in str(doubtful.reason)
            assert "within the noise" in str(doubtful.reason)

    def test_a_hash_becomes_the_name_that_it_belongs_to(self):
        def machine(version, identity):
            return Fingerprint("fake-1", (), (("compiler", version), ("compiler_identity", identity)))

        then = machine("g++ 12.2", "7bbc01")
        assert str(version_changes(then, machine("g++ 13.1", "a87501"))) == "compiler g++ 12.2 -> g++ 13.1"
        same = str(version_changes(then, machine("g++ 12.2", "a87501")))
        assert same == "another compiler, or other options of it, with the same version g++ 12.2"
        assert "7bbc01" not in same
        assert version_changes(then, then) is None

    def test_a_run_that_ci_wants_compared_fails_without_a_baseline(self):
        verdict = judge(tuning(confirmation()), None, MACHINE, Policy(missing="bare"))
        assert (verdict.status, verdict.fails) == (GateStatus.NO_BASELINE, True)
        assert "no baseline for this device (fake-1)" in str(verdict.reason)
        assert "--ascend-tune-missing=seed" in str(verdict.reason)

    @pytest.mark.parametrize(
        ("time_us", "words"), [(125.0, "default is 20.0 % below"), (90.0, "is as fast as the best")]
    )
    def test_a_fixed_configuration_stands_beside_the_best_known(self, time_us, words):
        confirmed = confirmation(winner=arm(time_us=time_us))
        told = str(beside_baseline(confirmed, "default", baseline(stored(time_us=100.0))))
        assert told.startswith(words) or words in told
        assert "tuned baseline of" in told
        run = beside_run(confirmed, "default", tflops=PROBLEM.tflops(100.0), vs_reference=None, run="20261130-080000")
        assert words in str(run)
        assert "run 20261130-080000 of the history" in str(run)
