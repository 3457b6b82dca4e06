"""Findings of the paired comparison, which decides: today's best against the baseline's own build; pure."""

from __future__ import annotations

from pytest_ascend_tune.gate.stored import Findings, fallback_findings, joined
from pytest_ascend_tune.model.confirmation import CompareStatus, Comparison, Confirmation
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Cause, Fingerprint, GateStatus, Policy, Verdict

WHY_INCONCLUSIVE = {
    "busy": Text.of("others keep the device busy"),
    "clock": Text.of("the device's clock is below its rated value"),
    "drift": Text.of("the reference kernel drifted meanwhile"),
    "resolution": Text.of("the difference is smaller than what the clock can tell apart"),
    "noise": Text.of("the samples are too noisy"),
}


def code_findings(confirmed: Confirmation, baseline: Baseline, fingerprint: Fingerprint, policy: Policy) -> Findings:
    """Step 1, which decides: today's best against the baseline's own build, in the same rounds."""
    comparison = confirmed.comparison
    if confirmed.identical_build:
        template = "unchanged: the best is the very build of the baseline of {date}"
        yield Verdict(GateStatus.PASSED, Text.of(template, date=baseline.recorded_at[:10]), fails=False)
    elif comparison is None:
        yield from fallback_findings(confirmed, baseline, fingerprint, policy)
    elif comparison.status is CompareStatus.SLOWER:
        template = (
            "{drop:.1%} slower than the baseline of {date} ({low:.1%} to {high:.1%}, {allowed:.1%} allowed), "
            "cause code: {how}"
        )
        how = _how_slower(confirmed, baseline)
        yield _paired(GateStatus.REGRESSED, template, comparison, baseline, policy, Cause.CODE, fails=True, how=how)
    elif comparison.status is CompareStatus.FASTER:
        other = confirmed.winner.config != baseline.config
        if other and baseline.key.variant:
            how = _other_default(confirmed, baseline)
        else:
            how = (
                Text.of("a better configuration was found")
                if other
                else Text.of("the same configuration became faster")
            )
        low, high = comparison.interval
        if comparison.ratio - 1 > max((high - low) / 2, baseline.measurement.noise_share):
            template = (
                "{gain:.1%} faster than the baseline of {date} ({gain_low:.1%} to {gain_high:.1%}): {how}; "
                "record it with {switch}"
            )
        else:
            template = (
                "{gain:.1%} faster than the baseline of {date} ({gain_low:.1%} to {gain_high:.1%}): {how}; "
                "within the noise, so there is nothing to record"
            )
        cause = Cause.SEARCH if other and not baseline.key.variant else Cause.CODE
        record = switch("update_baseline")
        status = GateStatus.IMPROVED
        yield _paired(status, template, comparison, baseline, policy, cause, fails=False, how=how, switch=record)
    elif comparison.status is CompareStatus.INCONCLUSIVE:
        template = (
            "cannot tell whether it is slower than the baseline of {date}: the drop is {drop:.1%} "
            "({low:.1%} to {high:.1%}, {allowed:.1%} allowed) and {why}"
        )
        why = WHY_INCONCLUSIVE.get(comparison.reason, WHY_INCONCLUSIVE["noise"])
        device = Cause.DEVICE if comparison.reason in ("busy", "clock", "drift") else None
        fails = policy.inconclusive == "fail"
        yield _paired(GateStatus.INCONCLUSIVE, template, comparison, baseline, policy, device, fails=fails, why=why)
    else:
        template = (
            "as fast as the baseline of {date}, side by side: {gain:+.1%} ({gain_low:+.1%} to {gain_high:+.1%}, "
            "a drop of {allowed:.1%} is allowed)"
        )
        yield _paired(GateStatus.PASSED, template, comparison, baseline, policy, None, fails=False)


def _paired(
    status: GateStatus,
    template: str,
    comparison: Comparison,
    baseline: Baseline,
    policy: Policy,
    cause: Cause | None,
    *,
    fails: bool,
    **values: Text | str,
) -> Verdict:
    """A finding of the paired comparison, with its numbers in the sentence and beside it."""
    low, high = comparison.interval
    drop, drop_interval = 1 - comparison.ratio, (1 - high, 1 - low)
    reason = Text.of(
        template,
        drop=drop,
        low=drop_interval[0],
        high=drop_interval[1],
        gain=comparison.ratio - 1,
        gain_low=low - 1,
        gain_high=high - 1,
        date=baseline.recorded_at[:10],
        allowed=policy.threshold,
        **values,
    )
    because = values.get("how")
    how = because if isinstance(because, Text) else None
    return Verdict(status, reason, fails, cause, drop, drop_interval, policy.threshold, because=how)


def _how_slower(confirmed: Confirmation, baseline: Baseline) -> Text:
    if confirmed.winner.config == baseline.config:
        return Text.of("today's sources lost against the baseline's own sources, built and measured side by side")
    if baseline.key.variant:
        return _other_default(confirmed, baseline)
    if baseline.config not in {arm.config for arm in confirmed.race}:
        return Text.of("the baseline's configuration does not work with today's sources and nothing else is as fast")
    return Text.of("no configuration of today's sources is as fast as the baseline's own build")


def _other_default(confirmed: Confirmation, baseline: Baseline) -> Text:
    """Of a configuration that is gated as it is: the template's default is another one now."""
    then, now = dict(baseline.config), dict(confirmed.winner.config or {})
    changes = [
        Text.of("{name} {then} -> {now}", name=name, then=then.get(name, "-"), now=now.get(name, "-"))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]
    return Text.of("the default configuration has changed: {changes}", changes=joined(changes))
