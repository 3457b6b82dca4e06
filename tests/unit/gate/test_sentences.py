"""Every sentence of the gate as a whole, with its numbers, its cause and who fails by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ascend_tune.gate.verdict import interrupted, judge
from pytest_ascend_tune.model.confirmation import ArmRole, CompareStatus
from pytest_ascend_tune.model.measurement import Failure, Health
from pytest_ascend_tune.model.search import ConvergenceState, Trial
from pytest_ascend_tune.model.verdict import Cause, GateStatus, Policy
from pytest_ascend_tune.model.word import FailureKind
from tests.unit.gate.doubles import NEW, OLD, PROBLEM, THIRD
from tests.unit.gate.test_verdict import (
    FASTER,
    IDENTICAL,
    MACHINE,
    OTHER_MACHINE,
    SLOWER,
    TIME_US,
    arm,
    baseline,
    comparison,
    confirmation,
    gated,
    tuning,
)

AS_FAST = "as fast as the baseline of 2026-11-20, side by side: +0.0 % (-1.0 % to +1.0 %, a drop of 2.5 % is allowed)"
UNCLEAR = (
    "cannot tell whether it is slower than the baseline of 2026-11-20: the drop is 3.0 % (2.0 % to 4.0 %, "
    "2.5 % allowed) and "
)
SLOW = "7.0 % slower than the baseline of 2026-11-20 (6.0 % to 8.0 %, 2.5 % allowed), cause code: "
FAST = (
    "6.0 % faster than the baseline of 2026-11-20 (5.0 % to 7.0 %): {how}; record it with --ascend-tune-update-baseline"
)
EFFICIENCY = "efficiency is 80.0 % of the peak (79.2 % to 80.8 %), "
SPEED = "speed is 90.0 % of the reference kernel's (89.1 % to 90.9 %), "
STRICT = Policy(inconclusive="fail")


@pytest.mark.parametrize(
    ("confirmed", "sentence", "cause", "numbers"),
    [
        (confirmation(), AS_FAST, None, (0.0, -0.01, 0.01)),
        (IDENTICAL, "unchanged: the best is the very build of the baseline of 2026-11-20", None, None),
        (confirmation(FASTER), FAST.format(how="a better configuration was found"), Cause.SEARCH,
         (-0.06, -0.07, -0.05)),
        (confirmation(FASTER, winner=arm(config=OLD)), FAST.format(how="the same configuration became faster"),
         Cause.CODE, (-0.06, -0.07, -0.05)),
        (confirmation(SLOWER, winner=arm(config=OLD)), SLOW + "today's sources lost against the baseline's own "
         "sources, built and measured side by side", Cause.CODE, (0.07, 0.06, 0.08)),
        (confirmation(SLOWER, race=(arm(config=OLD), arm())), SLOW + "no configuration of today's sources is as fast "
         "as the baseline's own build", Cause.CODE, (0.07, 0.06, 0.08)),
        (confirmation(SLOWER, race=(arm(), arm(config=THIRD))), SLOW + "the baseline's configuration does not work "
         "with today's sources and nothing else is as fast", Cause.CODE, (0.07, 0.06, 0.08)),
        *[
            (confirmation(comparison(CompareStatus.INCONCLUSIVE, 0.97, reason)), UNCLEAR + why, cause,
             (0.03, 0.02, 0.04))
            for reason, why, cause in (
                ("busy", "others keep the device busy", Cause.DEVICE),
                ("clock", "the device's clock is below its rated value", Cause.DEVICE),
                ("drift", "the reference kernel drifted meanwhile", Cause.DEVICE),
                ("resolution", "the difference is smaller than what the clock can tell apart", None),
                ("noise", "the samples are too noisy", None),
                ("a reason of tomorrow", "the samples are too noisy", None),
            )
        ],
    ],
)  # fmt: skip
def test_the_paired_comparison(confirmed, sentence, cause, numbers):
    verdict = gated(confirmed)
    assert (str(verdict.reason), verdict.cause) == (sentence, cause)
    if numbers is None:
        assert (verdict.drop, verdict.drop_interval, verdict.allowed_drop) == (None, None, None)
    else:
        assert (verdict.drop, *verdict.drop_interval) == pytest.approx(numbers)
        assert verdict.allowed_drop == 0.025
    inconclusive = verdict.status is GateStatus.INCONCLUSIVE
    assert verdict.fails is (verdict.status is GateStatus.REGRESSED)
    assert gated(confirmed, policy=STRICT).fails is (inconclusive or verdict.fails)


@pytest.mark.parametrize(
    ("policy", "sentence", "fails"),
    [
        (Policy(min_efficiency=0.9), EFFICIENCY + "below the floor of 90.0 %", True),
        (Policy(min_efficiency=0.8), EFFICIENCY + "too close to the floor of 80.0 % to decide", False),
        (replace(STRICT, min_efficiency=0.8), EFFICIENCY + "too close to the floor of 80.0 % to decide", True),
        (Policy(min_vs_reference=1.0), SPEED + "below the floor of 100.0 %", True),
        (Policy(min_vs_reference=0.9), SPEED + "too close to the floor of 90.0 % to decide", False),
    ],
)  # fmt: skip
def test_floors(policy, sentence, fails):
    verdict = gated(policy=policy)
    assert (str(verdict.reason), verdict.fails, verdict.cause) == (sentence, fails, None)
    assert [str(note) for note in verdict.notes] == [AS_FAST]


def test_a_floor_on_a_disturbed_device():
    """The whole interval must lie a tenth, the threshold of stored numbers, below the floor."""
    busy = confirmation(health=Health(True))
    share = busy.efficiency_interval[1]
    for floor, status in (
        (share / 0.9 - 0.001, GateStatus.INCONCLUSIVE),
        (share / 0.9 + 0.001, GateStatus.BELOW_EFFICIENCY),
    ):
        assert gated(busy, policy=Policy(min_efficiency=floor)).status is status
    close = gated(busy, policy=Policy(min_efficiency=0.81))
    assert (close.cause, close.fails) == (Cause.DEVICE, False)


def test_the_reference_has_an_interval_of_its_own():
    """0.9 of the reference; with a reference that wavers by 20 %, floors between are not decided."""
    wavering = confirmation(reference=arm(ArmRole.REFERENCE, 90.0, None, "blas 1.0", noise=0.5, rounds=30))
    floor = wavering.vs_reference * 1.015
    assert gated(policy=Policy(min_vs_reference=0.9 * 1.015)).status is GateStatus.BELOW_EFFICIENCY
    assert gated(wavering, policy=Policy(min_vs_reference=floor)).status is GateStatus.INCONCLUSIVE


def test_no_reference_for_its_floor():
    for policy, fails in ((Policy(min_vs_reference=0.5), False), (replace(STRICT, min_vs_reference=0.5), True)):
        verdict = gated(confirmation(reference=None), policy=policy)
        sentence = "there is no reference kernel here to check the floor of 50 % of its speed"
        assert (str(verdict.reason), verdict.status, verdict.fails) == (sentence, GateStatus.INCONCLUSIVE, fails)


def test_more_than_the_peak():
    confirmed = confirmation(peak_tflops=PROBLEM.tflops(TIME_US) / 1.5)
    verdict = gated(confirmed)
    assert str(verdict.reason) == (
        f"{confirmed.tflops:.4g} TFLOPS is 150.0 % of the peak: no kernel is that fast, so the time or the peak was "
        "measured wrong; nothing is recorded"
    )
    assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.INCONCLUSIVE, Cause.DEVICE, False)
    assert gated(confirmed, policy=STRICT).fails


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("seed", "there is no baseline yet: a run that passes records one (missing=seed)"),
        ("warn", "there is no baseline to compare with: record one with --ascend-tune-update-baseline"),
        ("fail", "there is no baseline to compare with, and missing=fail demands one"),
    ],
)
def test_no_baseline(missing, sentence):
    verdict = judge(tuning(confirmation()), None, MACHINE, Policy(missing=missing))
    assert (str(verdict.reason), verdict.fails) == (sentence, missing == "fail")
    base = baseline(recorded_with=OTHER_MACHINE, simulated=True)
    other = judge(tuning(confirmation()), base, MACHINE, Policy(missing=missing))
    facts = "cores was 20 and is 24, simulated was yes and is no"
    assert str(other.reason) == f"the baseline of 2026-11-20 is not comparable: {facts}"
    assert other.fails is (missing == "fail")


def test_a_second_finding_that_fails_the_test():
    verdict = judge(tuning(confirmation()), None, MACHINE, Policy(min_efficiency=0.8, missing="fail"))
    assert str(verdict.reason) == (
        f"{EFFICIENCY}too close to the floor of 80.0 % to decide; and the test fails because there is no baseline to "
        "compare with, and missing=fail demands one"
    )
    assert verdict.notes == ()


def test_a_search_without_evidence():
    search = tuning(confirmation(), state=ConvergenceState.STOPPED)
    sentence = "the search ended without evidence: flat for 20 trials"
    noted = judge(search, baseline(), MACHINE, Policy())
    assert ([str(note) for note in noted.notes], noted.fails) == ([sentence], False)
    failed = judge(search, baseline(), MACHINE, Policy(unconverged="fail"))
    assert (str(failed.reason), failed.fails, failed.cause) == (sentence, True, Cause.SEARCH)


def test_nothing_valid():
    def reason(*messages):
        failures = [Failure(FailureKind.CRASH if message == "signal 11" else FailureKind.BUILD_ERROR, message)
                    for message in messages]  # fmt: skip
        trials = tuple(Trial(index, NEW, failure) for index, failure in enumerate(failures, 1))
        verdict = judge(tuning(None, trials=trials), None, MACHINE, Policy())
        assert (verdict.status, verdict.fails) == (GateStatus.NOTHING_VALID, True)
        return str(verdict.reason)

    assert reason() == "the configuration to gate could not be built, could not run or gave a wrong result"
    template = "none of {} configurations worked, {} of them: {}"
    assert reason("signal 11", " \nbad\nlog", "worse") == template.format(3, 2, "build_error (bad)")
    assert reason("no line end") == template.format(1, 1, "build_error (no line end)")
    assert reason("x" * 300) == template.format(1, 1, f"build_error ({'x' * 200})")
    none = judge(tuning(None), None, MACHINE, Policy())
    assert str(none.reason) == "no finalist of 1 trial worked when it was measured again"


def test_an_interrupted_run():
    verdict = interrupted(tuning(None))
    assert str(verdict.reason) == "interrupted after 1 trial: nothing was confirmed or compared"
    assert (verdict.status, verdict.cause, verdict.fails) == (GateStatus.INCONCLUSIVE, Cause.SEARCH, False)
    assert str(interrupted(tuning(None, simulated=True)).reason).endswith(
        "compared (model only, the kernel was not exercised)"
    )


def test_what_changed_since_and_its_age():
    now = replace(MACHINE, versions=(("compiler", "13.1"), ("driver", "25.0")))
    notes = judge(tuning(confirmation()), baseline(), now, Policy()).notes
    assert [str(note) for note in notes] == ["since the baseline was recorded: compiler 12.2 -> 13.1"]
