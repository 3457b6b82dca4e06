"""Confirming on a fake backend: who is sampled when, how long, and what happens when a kernel fails."""

from __future__ import annotations

import random

import pytest

from pytest_ascend_tune.execute.confirm import ConfirmPlan, OldBuild, confirm, confirm_no_change
from pytest_ascend_tune.model.confirmation import ArmRole, CompareStatus, OldToolchain
from pytest_ascend_tune.model.errors import KernelCrashError, SettingsError, WrongResultError
from pytest_ascend_tune.model.measurement import Failure, Health
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import FailureKind
from tests.unit.gate.doubles import NEW, OLD, PROBLEM, QUICK, THIRD, ScriptedBackend

TIMES = {OLD: 100.0, NEW: 80.0, THIRD: 120.0}


def confirmed(backend, finalists, baseline=None, plan=QUICK, **more):
    return confirm(backend, PROBLEM, finalists, baseline, backend.reference(PROBLEM), plan, clock=backend.clock, **more)


class TestRace:
    def test_the_fastest_wins_whatever_the_order(self):
        for order in ((OLD, NEW, THIRD), (THIRD, OLD, NEW)):
            backend = ScriptedBackend(TIMES)
            result = confirmed(backend, backend.build_all(*order))
            assert result.winner.config == NEW
            assert {arm.config for arm in result.race} == {OLD, NEW, THIRD}

    def test_the_winner_is_not_judged_on_the_samples_it_was_picked_by(self):
        backend = ScriptedBackend(TIMES, noise=0.2)
        result = confirmed(backend, backend.build_all(OLD, NEW))
        raced = next(arm for arm in result.race if arm.config == NEW)
        assert raced.samples_us
        assert not set(raced.samples_us) & set(result.winner.samples_us)

    def test_the_baselines_configuration_is_kept_unless_another_is_clearly_faster(self):
        backend = ScriptedBackend({OLD: 100.0, NEW: 99.6})
        finalists = backend.build_all(NEW, OLD)
        result = confirmed(backend, finalists, finalists[1])
        assert result.winner.config == OLD
        assert result.identical_build
        assert result.comparison is None
        clearly = ScriptedBackend({OLD: 100.0, NEW: 95.0})
        finalists = clearly.build_all(NEW, OLD)
        assert confirmed(clearly, finalists, finalists[1]).winner.config == NEW

    def test_without_a_baseline_the_preferred_configuration_may_be_named(self):
        backend = ScriptedBackend({OLD: 100.0, NEW: 99.6}, noise=0.001)
        finalists = backend.build_all(NEW, OLD)
        assert confirmed(backend, finalists).winner.config == NEW
        assert confirmed(backend, finalists, preferred=OLD).winner.config == OLD

    def test_one_finalist_needs_no_race_and_equal_builds_run_once(self):
        backend = ScriptedBackend(TIMES)
        result = confirmed(backend, backend.build_all(OLD) * 2)
        assert result.race == ()
        assert result.winner.config == OLD


class TestPairedSamples:
    def test_winner_and_baseline_share_all_rounds_and_the_reference_every_fourth(self):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD, slowdown=1.0, text="old\n")
        result = confirmed(backend, backend.build_all(NEW), own)
        rounds = len(result.winner.samples_us)
        assert rounds == len(result.baseline.samples_us) == result.comparison.rounds == 120
        assert len(result.reference.samples_us) == rounds // 4
        assert [arm.role for arm in (result.winner, result.baseline, result.reference)] == [
            ArmRole.FINALIST,
            ArmRole.BASELINE,
            ArmRole.REFERENCE,
        ]
        assert result.old_toolchain is None
        assert len(result.winner.wall_us) == rounds

    def test_without_a_baseline_the_reference_is_all_there_is_to_compare_with_and_runs_twice_as_often(self):
        backend = ScriptedBackend(TIMES)
        result = confirmed(backend, backend.build_all(NEW))
        assert len(result.reference.samples_us) == len(result.winner.samples_us) // 2

    def test_the_order_within_rounds_is_shuffled_and_comes_from_the_seed(self):
        def order(seed):
            backend = ScriptedBackend(TIMES)
            [own] = backend.build_all(OLD, text="old\n")
            confirmed(backend, backend.build_all(NEW), own, ConfirmPlan(seed=seed))
            return [artifact.build_id for artifact in backend.samples]

        assert order(1) == order(1)
        assert order(1) != order(2)
        backend = ScriptedBackend(TIMES)
        [own], [new] = backend.build_all(OLD, text="old\n"), backend.build_all(NEW)
        confirm(backend, PROBLEM, [new], own, None, QUICK, clock=backend.clock)
        pairs = [backend.samples[i : i + 2] for i in range(4, len(backend.samples) - 1, 2)]
        first = sum(pair[0] is new for pair in pairs)
        assert 0.3 < first / len(pairs) < 0.7
        assert all(set(pair) == {own, new} for pair in pairs)

    def test_equal_seeds_give_equal_confirmations(self):
        def one():
            backend = ScriptedBackend(TIMES, noise=0.1)
            [own] = backend.build_all(OLD, text="old\n")
            return confirmed(backend, backend.build_all(OLD, NEW), own)

        assert one() == one()

    def test_the_peak_is_read_all_along(self):
        backend = ScriptedBackend(TIMES)
        result = confirmed(backend, backend.build_all(NEW), plan=ConfirmPlan())
        assert backend.peak_readings == ConfirmPlan().rounds / 10
        assert result.peak_tflops == 1.0
        assert result.efficiency_share == result.tflops / 1.0
        assert result.peak_noise == 0

    def test_a_peak_whose_readings_differ_has_noise(self):
        backend = ScriptedBackend(TIMES)
        readings = random.Random(1)
        backend.peak_tflops = lambda problem: 1 - 0.2 * readings.random()
        result = confirmed(backend, backend.build_all(NEW), plan=ConfirmPlan())
        assert result.peak_tflops == pytest.approx(0.975, abs=0.02)
        assert 0.003 < result.peak_noise < 0.05

    def test_a_reported_time_is_the_fresh_one_with_its_interval(self):
        backend = ScriptedBackend(TIMES, noise=0.05)
        result = confirmed(backend, backend.build_all(OLD, NEW, THIRD))
        assert result.winner.time_us == pytest.approx(80, rel=0.02)
        assert result.interval_us[0] <= result.winner.time_us <= result.interval_us[1]


class TestLength:
    def test_short_calls_get_all_rounds(self):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD, text="old\n")
        assert confirmed(backend, backend.build_all(OLD), own, ConfirmPlan()).comparison.rounds == 250

    def test_takes_more_rounds_while_it_is_inconclusive(self):
        backend = ScriptedBackend(TIMES, noise=2.0)
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD), own)
        assert result.comparison.status is CompareStatus.INCONCLUSIVE
        assert result.comparison.rounds == QUICK.max_rounds

    def test_ends_when_the_budget_is_used_up(self):
        backend = ScriptedBackend(TIMES, noise=2.0)
        backend.call_s = 0.03
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD, NEW, THIRD), own, ConfirmPlan())
        assert result.budget_s == 10
        assert result.seconds <= 10.2
        assert ConfirmPlan().min_rounds <= result.comparison.rounds < 250

    def test_long_calls_get_a_scaled_budget_and_the_minimum_of_rounds(self):
        backend = ScriptedBackend({OLD: 1e6}, noise=2.0)
        backend.call_s = 1.0
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD), own, ConfirmPlan())
        assert result.comparison.rounds >= ConfirmPlan().min_rounds
        assert result.budget_s > 150
        assert result.seconds <= result.budget_s * 1.02
        assert any("calls of this problem are long: its confirmation may take" in str(note) for note in result.notes)

    @pytest.mark.parametrize("call_s", [1.1, 8.6])  # about what 4096^3 and 8192^3 take on one CPU core
    @pytest.mark.parametrize("slowdown", [1.0, 1.1])
    def test_rounds_that_are_longer_than_the_usual_budget(self, call_s, slowdown):
        """The stated time is kept with everything that may happen in it: a race of four, rounds, a second take."""
        configs = [Config({"tile_m": size}) for size in (16, 32, 64, 128)]
        backend = ScriptedBackend(dict.fromkeys(configs, call_s * 1e6), noise=0.01)
        backend.call_s = call_s
        [own] = backend.build_all(configs[0], text="old\n")
        result = confirmed(backend, backend.build_all(*configs, slowdown=slowdown), own, ConfirmPlan())
        calls_of_a_round = 2 + 1 / ConfirmPlan().reference_every
        assert result.takes == (2 if slowdown > 1 else 1)
        assert result.comparison.status is (CompareStatus.SLOWER if slowdown > 1 else CompareStatus.SAME)
        assert result.comparison.rounds >= ConfirmPlan().min_rounds
        assert result.budget_s == pytest.approx(2 * ConfirmPlan().min_rounds * calls_of_a_round * call_s, rel=0.15)
        assert any(f"its confirmation may take {result.budget_s:.0f} s" in str(note) for note in result.notes)
        assert result.seconds <= result.budget_s * (1 if slowdown == 1 else 4 / 3) + 3 * call_s

    def test_a_machine_that_others_slow_down_keeps_the_budget_and_takes_fewer_rounds(self):
        backend = ScriptedBackend(TIMES, noise=2.0)
        backend.call_s = 0.3
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD), own, ConfirmPlan())
        assert result.budget_s == 10
        assert result.seconds < 11
        assert 10 <= result.comparison.rounds < ConfirmPlan().min_rounds

    def test_a_plan_that_cannot_be_compared_is_refused(self):
        with pytest.raises(SettingsError, match="min_rounds at least 10"):
            ConfirmPlan(min_rounds=5)
        with pytest.raises(SettingsError, match="rounds=300, max_rounds=200"):
            ConfirmPlan(rounds=300, max_rounds=200)


class TestSecondTake:
    def test_a_slower_kernel_is_measured_again_in_new_processes(self):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD, slowdown=1.1), own)
        assert result.comparison.status is CompareStatus.SLOWER
        assert backend.restarts == 1
        assert result.takes == 2
        assert result.comparison.rounds == len(result.winner.samples_us) == 180

    def test_what_only_the_first_take_saw_is_no_finding(self):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD, text="old\n")
        [unlucky] = backend.build_all(OLD)

        def settle(artifact):
            backend.slow_now[unlucky.build_id] = 0.96 if backend.restarts else 1.04

        backend.before_sample = settle
        result = confirmed(backend, [unlucky], own)
        assert result.takes == 2
        assert result.comparison.status is not CompareStatus.SLOWER

    def test_many_tests_need_more_samples_for_the_same_finding(self):
        found = {}
        for tests in (1, 10**6):
            backend = ScriptedBackend(TIMES, noise=0.5, seed=2)
            [own] = backend.build_all(OLD, text="old\n")
            plan = ConfirmPlan(tests=tests)
            found[tests] = confirmed(backend, backend.build_all(OLD, slowdown=1.12), own, plan).comparison
        assert {result.status for result in found.values()} == {CompareStatus.SLOWER}
        assert found[1].rounds < found[10**6].rounds

    def test_a_finding_that_is_never_certain_enough_is_inconclusive(self):
        backend = ScriptedBackend(TIMES, noise=0.5, seed=2)
        backend.call_s = 0.012
        [own] = backend.build_all(OLD, text="old\n")
        plan = ConfirmPlan(tests=10**6)
        result = confirmed(backend, backend.build_all(OLD, slowdown=1.1), own, plan)
        assert result.takes == 2
        assert result.comparison.status is CompareStatus.INCONCLUSIVE
        assert result.seconds < 10.3

    def test_backends_that_cannot_restart_still_get_a_second_take(self):
        backend = ScriptedBackend(TIMES)

        class Plain:
            def __init__(self):
                self.sample, self.verify, self.health = backend.sample, backend.verify, backend.health
                self.peak_tflops = backend.peak_tflops

        [own] = backend.build_all(OLD, text="old\n")
        result = confirm(Plain(), PROBLEM, backend.build_all(OLD, slowdown=1.2), own, None, QUICK, clock=backend.clock)
        assert result.takes == 2
        assert backend.restarts == 0


def crash_after(backend, victim, samples, error=KernelCrashError):
    """Make `victim` fail once it was sampled that often."""

    def check(artifact):
        if artifact is victim and sum(taken is victim for taken in backend.samples) >= samples:
            raise error("signal 11")

    backend.before_sample = check


class TestOldToolchain:
    """The baseline's own sources, built with its old tool chain: one more arm of the same rounds."""

    versions = (("compiler", "fake-cc 0.9"),)

    def with_old(self, slowdown: float, *, identical: bool = False, backend=None, plan=QUICK):
        """`slowdown`: of what today's tool chain builds."""
        backend = backend or ScriptedBackend(TIMES)
        [old] = backend.build_all(OLD, text="old tool chain\n")
        [own] = backend.build_all(OLD, slowdown=slowdown, text="own\n")
        [new] = [own] if identical else backend.build_all(OLD, slowdown=slowdown, text="new\n")
        return confirmed(backend, [new], own, plan, old=OldBuild(OldToolchain(self.versions), old)), old

    @pytest.mark.parametrize("identical", [True, False])
    @pytest.mark.parametrize(
        ("slowdown", "status"), [(1.06, CompareStatus.SLOWER), (1.0, CompareStatus.SAME), (0.9, CompareStatus.FASTER)]
    )
    def test_it_is_sampled_in_every_round_and_compared_with_todays_build(self, identical, slowdown, status):
        result, old = self.with_old(slowdown, identical=identical)
        told = result.old_toolchain
        assert (told.versions, told.why) == (self.versions, None)
        assert (told.arm.role, told.arm.build_id) == (ArmRole.OLD_TOOLCHAIN, old.build_id)
        assert told.comparison.status is status
        assert len(told.arm.samples_us) == len(result.winner.samples_us) == told.comparison.rounds
        assert result.identical_build is identical
        assert (result.comparison is None) is identical
        assert identical or result.comparison.status is CompareStatus.SAME

    def test_a_slower_tool_chain_is_taken_again_in_new_processes(self):
        backend = ScriptedBackend(TIMES)
        result, _ = self.with_old(1.06, backend=backend)
        assert (result.takes, backend.restarts) == (2, 1)

    def test_and_may_turn_out_not_to_be_slower(self):
        backend = ScriptedBackend(TIMES)

        def lucky_at_first(artifact):
            backend.slow_now[old_id] = 1.03 if backend.restarts else 0.965

        [old] = backend.build_all(OLD, text="old tool chain\n")
        old_id = old.build_id
        backend.before_sample = lucky_at_first
        result, _ = self.with_old(1.0, backend=backend)
        assert result.takes == 2
        assert result.old_toolchain.comparison.status is not CompareStatus.SLOWER
        assert result.old_toolchain.comparison.reason in ("", "noise", "drift")

    def test_when_it_fails_the_others_go_on(self):
        backend = ScriptedBackend(TIMES)
        [old] = backend.build_all(OLD, text="old tool chain\n")

        def fail(artifact):
            if artifact.build_id == old.build_id:
                raise KernelCrashError("signal 11")

        backend.before_sample = fail
        result, _ = self.with_old(1.0, backend=backend)
        assert result.comparison.status is CompareStatus.SAME
        assert (result.old_toolchain.arm, result.old_toolchain.comparison) == (None, None)
        assert "could not be measured" in str(result.old_toolchain.why)
        assert any("the old_toolchain" in str(note) for note in result.notes)

    def test_one_that_was_not_built_is_handed_on_with_its_reason(self):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD)
        told = OldToolchain(self.versions, why=Text.of("it is the one of today"))
        assert confirmed(backend, [own], own, old=OldBuild(told)).old_toolchain == told


class TestAnchors:
    class Anchored(ScriptedBackend):
        readings = 0

        def anchors(self, problem):
            self.readings += 1
            return (("fma_peak", 100.0 + self.readings % 4), ("memory_stream", 20.0))

    def test_they_are_read_now_and_then_and_the_best_quarter_counts(self):
        backend = self.Anchored(TIMES)
        result = confirmed(backend, backend.build_all(OLD))
        assert 2 <= backend.readings <= 10
        assert dict(result.anchors)["memory_stream"] == 20.0
        assert 102.0 <= dict(result.anchors)["fma_peak"] <= 103.0

    def test_a_backend_without_them_has_none(self):
        backend = ScriptedBackend(TIMES)
        assert confirmed(backend, backend.build_all(OLD)).anchors == ()


class TestFailures:
    @pytest.mark.parametrize("samples", [0, 5, 30, 100])
    def test_a_finalist_that_crashes_is_dropped_and_the_next_takes_its_place(self, samples):
        backend = ScriptedBackend(TIMES)
        finalists = backend.build_all(OLD, NEW, THIRD)
        crash_after(backend, finalists[1], samples)
        result = confirmed(backend, finalists)
        assert result.winner.config == OLD
        assert len(result.winner.samples_us) == 120
        assert any("tile_m=32 failed in the confirmation (crash)" in str(note) for note in result.notes)

    def test_a_wrong_result_in_the_full_check_is_dropped_too(self):
        backend = ScriptedBackend(
            TIMES, failures=lambda problem, config: WrongResultError("off by one") if config == NEW else None
        )
        result = confirmed(backend, backend.build_all(OLD, NEW))
        assert result.winner.config == OLD
        assert "wrong_result" in " ".join(map(str, result.notes))

    def test_nothing_is_confirmed_when_no_finalist_works(self):
        backend = ScriptedBackend(TIMES, failures=lambda problem, config: KernelCrashError("signal 11"))
        assert confirmed(backend, backend.build_all(OLD, NEW)) is None
        assert confirmed(ScriptedBackend(TIMES), []) is None

    @pytest.mark.parametrize("samples", [0, 50])
    def test_a_baselines_build_that_crashes_is_told_and_not_compared(self, samples):
        backend = ScriptedBackend(TIMES)
        [own] = backend.build_all(OLD, text="old\n")
        crash_after(backend, own, samples)
        result = confirmed(backend, backend.build_all(NEW), own)
        assert result.baseline is None
        assert result.comparison is None
        assert result.baseline_failure == Failure(FailureKind.CRASH, "signal 11")
        assert len(result.winner.samples_us) == 120

    def test_a_baseline_that_could_not_be_built_is_handed_on(self):
        backend = ScriptedBackend(TIMES)
        failure = Failure(FailureKind.BUILD_ERROR, "no such header")
        result = confirmed(backend, backend.build_all(NEW), failure)
        assert result.baseline_failure is failure
        assert result.comparison is None

    @pytest.mark.parametrize("samples", [0, 5])
    def test_a_reference_that_crashes_is_left_out(self, samples):
        backend = ScriptedBackend(TIMES)
        reference = backend.reference(PROBLEM)
        [own] = backend.build_all(OLD, text="old\n")
        crash_after(backend, reference, samples)
        result = confirm(backend, PROBLEM, backend.build_all(NEW), own, reference, QUICK, clock=backend.clock)
        assert result.reference is None
        assert result.comparison.status is CompareStatus.FASTER

    def test_the_pairs_stay_pairs_when_another_kernel_fails_in_a_round(self):
        backend = ScriptedBackend(TIMES, noise=0)
        backend.device_slowdown = 1.0
        reference = backend.reference(PROBLEM)
        [own] = backend.build_all(OLD, text="old\n")
        crash_after(backend, reference, 8)
        slow_rounds = iter(range(10**9))
        previous = backend.before_sample

        def drifting(artifact):
            backend.device_slowdown = 1 + 0.001 * next(slow_rounds)
            previous(artifact)

        backend.before_sample = drifting
        result = confirm(backend, PROBLEM, backend.build_all(OLD), own, reference, QUICK, clock=backend.clock)
        assert len(result.winner.samples_us) == len(result.baseline.samples_us)
        pairs = zip(result.winner.samples_us, result.baseline.samples_us, strict=True)
        assert max(abs(a / b - 1) for a, b in pairs) < 0.004


class TestHealth:
    busy = Health(True, (Text.of("load {load}", load=7),))

    def test_a_busy_device_is_noted_once_and_named_as_the_reason(self):
        backend = ScriptedBackend(TIMES, noise=2.0)
        backend.health_now = self.busy
        [own] = backend.build_all(OLD, text="old\n")
        result = confirmed(backend, backend.build_all(OLD), own)
        assert result.health == self.busy
        assert result.comparison.reason == "busy"

    def test_a_device_that_is_busy_all_the_time_is_noted_with_the_later_numbers(self):
        backend = ScriptedBackend(TIMES)
        backend.health_now = self.busy

        def less_busy(artifact):
            backend.health_now = Health(True, (Text.of("load {load}", load=3), Text.of("hot")))

        backend.before_sample = less_busy
        assert list(map(str, confirmed(backend, backend.build_all(OLD)).health.notes)) == ["load 3", "hot"]

    def test_a_device_that_becomes_busy_meanwhile_counts_as_busy(self):
        backend = ScriptedBackend(TIMES)

        def become_busy(artifact):
            backend.health_now = self.busy

        backend.before_sample = become_busy
        assert confirmed(backend, backend.build_all(OLD)).health.busy

    def test_a_device_that_was_busy_before_counts_as_busy(self):
        backend = ScriptedBackend(TIMES)
        backend.health_now = self.busy

        def left_alone(artifact):
            backend.health_now = Health()

        backend.before_sample = left_alone
        assert confirmed(backend, backend.build_all(OLD)).health == self.busy

    def test_a_slow_clock_and_a_drifting_reference_are_reasons_of_their_own(self):
        for health, reason in ((Health(True, slow_clock=True), "clock"), (Health(), "drift")):
            backend = ScriptedBackend(TIMES, noise=2.0)
            backend.health_now = health
            [own] = backend.build_all(OLD, text="old\n")

            def slow_down(artifact, backend=backend):
                backend.device_slowdown = 1 + len(backend.samples) / 500

            backend.before_sample = slow_down
            assert confirmed(backend, backend.build_all(OLD), own).comparison.reason == reason


class TestNoChange:
    def test_compares_a_kernel_with_itself(self):
        backend = ScriptedBackend(TIMES, noise=0.1)
        [kernel] = backend.build_all(OLD)
        result = confirm_no_change(backend, PROBLEM, kernel, backend.reference(PROBLEM), QUICK, clock=backend.clock)
        assert backend.restarts == 1
        assert result.comparison.status is CompareStatus.SAME
        assert result.baseline.build_id == result.winner.build_id
        assert result.reference is not None

    def test_raises_when_the_kernel_fails(self):
        backend = ScriptedBackend(TIMES)
        [kernel] = backend.build_all(OLD)
        crash_after(backend, kernel, 20)
        with pytest.raises(KernelCrashError, match="signal 11"):
            confirm_no_change(backend, PROBLEM, kernel, None, QUICK, clock=backend.clock)
