"""Findings that need no baseline: rates that cannot be, floors, and how the search ended; pure."""

from __future__ import annotations

from pytest_ascend_tune.gate.statistics import bootstrap_interval
from pytest_ascend_tune.gate.stored import Findings
from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.search import ConvergenceState, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Cause, GateStatus, Policy, Verdict
from pytest_ascend_tune.model.word import FailureKind

EVIDENCE = (ConvergenceState.CONVERGED, ConvergenceState.SPACE_EXHAUSTED)


def search_findings(tuning: TuningResult, policy: Policy) -> Findings:
    """Did the search end with evidence? (Nothing to say when there was none, --ascend-tune-max-iter=0.)"""
    if tuning.trials and tuning.convergence.state not in EVIDENCE:
        reason = Text.of("the search ended without evidence: {reason}", reason=tuning.convergence.reason)
        if policy.unconverged == "fail":
            yield Verdict(GateStatus.INCONCLUSIVE, reason, fails=True, cause=Cause.SEARCH)
        else:
            yield reason


def beyond_belief(confirmed: Confirmation) -> Text:
    """Why a rate far above the peak is a wrong result."""
    return Text.of(
        "{kind}: {rate:.4g} {unit} is {value:.1%} of the peak, which was measured again: the kernel has not done the "
        "work that it was timed for; nothing is recorded",
        kind=FailureKind.WRONG_RESULT,
        rate=confirmed.tflops,
        unit=confirmed.problem.dtype.rate_unit,
        value=confirmed.efficiency_share,
    )


def peak_findings(confirmed: Confirmation, policy: Policy) -> Findings:
    """A rate above the peak is no result, however good the comparison looks."""
    if not confirmed.possible:
        reason = Text.of(
            "{rate:.4g} {unit} is {value:.1%} of the peak: no kernel is that fast, so the time or the peak "
            "was measured wrong; nothing is recorded",
            rate=confirmed.tflops,
            unit=confirmed.problem.dtype.rate_unit,
            value=confirmed.efficiency_share,
        )
        yield Verdict(GateStatus.INCONCLUSIVE, reason, policy.inconclusive == "fail", Cause.DEVICE)


def floor_findings(confirmed: Confirmation, policy: Policy) -> Findings:
    """Is it as fast as its floors demand? The whole interval below one fails, an interval across it is inconclusive."""
    if policy.min_efficiency is not None:
        what = Text.of("efficiency is {value:.1%} of the peak", value=confirmed.efficiency_share)
        yield from _floor(what, confirmed.efficiency_interval, policy.min_efficiency, confirmed, policy)
    if policy.min_vs_reference is not None:
        floor = policy.min_vs_reference
        if confirmed.reference is None or confirmed.vs_reference is None:
            reason = Text.of(
                "there is no reference kernel here to check the floor of {floor:.0%} of its speed", floor=floor
            )
            yield Verdict(GateStatus.INCONCLUSIVE, reason, fails=policy.inconclusive == "fail")
            return
        fast, slow = confirmed.interval_us
        reference_fast, reference_slow = bootstrap_interval(confirmed.reference.samples_us)
        what = Text.of("speed is {value:.1%} of the reference kernel's", value=confirmed.vs_reference)
        yield from _floor(what, (reference_fast / slow, reference_slow / fast), floor, confirmed, policy)


def _floor(
    what: Text, interval: tuple[float, float], floor: float, confirmed: Confirmation, policy: Policy
) -> Findings:
    low, high = interval
    values = {"what": what, "low": low, "high": high, "floor": floor}
    # A disturbed device may lose as much as a comparison across days does, without any fault of the kernel.
    certain = floor * (1 - policy.platform_threshold) if confirmed.health.busy else floor
    if high < certain:
        reason = Text.of("{what} ({low:.1%} to {high:.1%}), below the floor of {floor:.1%}", **values)
        yield Verdict(GateStatus.BELOW_EFFICIENCY, reason, fails=True)
    elif low < floor:
        reason = Text.of("{what} ({low:.1%} to {high:.1%}), too close to the floor of {floor:.1%} to decide", **values)
        cause = Cause.DEVICE if confirmed.health.busy else None
        yield Verdict(GateStatus.INCONCLUSIVE, reason, fails=policy.inconclusive == "fail", cause=cause)
