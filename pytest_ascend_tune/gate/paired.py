"""Findings of the paired comparison, which decides: today's best against the baseline's own build; pure."""

from __future__ import annotations

from pytest_ascend_tune.files.git import short
from pytest_ascend_tune.gate.stored import Findings, fallback_findings, joined
from pytest_ascend_tune.model.confirmation import CompareStatus, Comparison, Confirmation
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Cause, Fingerprint, GateStatus, Policy, Revision, Verdict

WHY_INCONCLUSIVE = {
    "busy": Text.of("others keep the device busy"),
    "clock": Text.of("the device's clock is below its rated value"),
    "drift": Text.of("the reference kernel drifted meanwhile"),
    "resolution": Text.of("the difference is smaller than what the clock can tell apart"),
    "noise": Text.of("the samples are too noisy"),
}


Rival = Baseline | Revision  # whose own build is sampled beside today's best


def code_findings(confirmed: Confirmation, rival: Rival, fingerprint: Fingerprint, policy: Policy) -> Findings:
    """Step 1, which decides: today's best against the rival's own build, in the same rounds."""
    comparison = confirmed.comparison
    if confirmed.identical_build:
        reason = Text.of("unchanged: the best is the very build of {rival}", rival=named(rival))
        yield Verdict(GateStatus.PASSED, reason, fails=False)
    elif comparison is None and isinstance(rival, Baseline):
        yield from fallback_findings(confirmed, rival, fingerprint, policy)
    elif comparison is None:
        failure = confirmed.baseline_failure
        why = Text.of("{why}", why=failure.message) if failure else Text.of("it was not built")
        template = "nothing to compare with: the kernel of {rival} could not be measured ({why})"
        reason = Text.of(template, rival=named(rival), why=why)
        yield Verdict(GateStatus.NOT_COMPARABLE, reason, fails=policy.missing == "fail")
    elif comparison.status is CompareStatus.SLOWER:
        template = "{drop:.1%} slower than {rival} ({low:.1%} to {high:.1%}, {allowed:.1%} allowed), cause code: {how}"
        how = _how_slower(confirmed, rival)
        yield _paired(GateStatus.REGRESSED, template, comparison, rival, policy, Cause.CODE, fails=True, how=how)
    elif comparison.status is CompareStatus.FASTER:
        yield _faster(confirmed, comparison, rival, policy)
    elif comparison.status is CompareStatus.INCONCLUSIVE:
        template = (
            "cannot tell whether it is slower than {rival}: the drop is {drop:.1%} "
            "({low:.1%} to {high:.1%}, {allowed:.1%} allowed) and {why}"
        )
        why = WHY_INCONCLUSIVE.get(comparison.reason, WHY_INCONCLUSIVE["noise"])
        device = Cause.DEVICE if comparison.reason in ("busy", "clock", "drift") else None
        fails = policy.inconclusive == "fail"
        yield _paired(GateStatus.INCONCLUSIVE, template, comparison, rival, policy, device, fails=fails, why=why)
    else:
        template = (
            "as fast as {rival}, side by side: {gain:+.1%} ({gain_low:+.1%} to {gain_high:+.1%}, "
            "a drop of {allowed:.1%} is allowed)"
        )
        yield _paired(GateStatus.PASSED, template, comparison, rival, policy, None, fails=False)


def _faster(confirmed: Confirmation, comparison: Comparison, rival: Rival, policy: Policy) -> Verdict:
    """Better than the rival; worth recording where the gain is more than the noise of both."""
    other = confirmed.winner.config != rival.config
    variant = isinstance(rival, Baseline) and bool(rival.key.variant)
    if other and variant:
        how = _other_default(confirmed, rival)
    elif other:
        how = Text.of("a better configuration was found")
    else:
        how = Text.of("the same configuration became faster")
    low, high = comparison.interval
    template = "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}"
    if isinstance(rival, Baseline):
        if comparison.ratio - 1 > max((high - low) / 2, rival.measurement.noise_share):
            template = (
                "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}; record it with {switch}"
            )
        else:
            template = (
                "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}; "
                "within the noise, so there is nothing to record"
            )
    cause = Cause.SEARCH if other and not variant else Cause.CODE
    return _paired(
        GateStatus.IMPROVED,
        template,
        comparison,
        rival,
        policy,
        cause,
        fails=False,
        how=how,
        switch=switch("update_baseline"),
    )


def _paired(
    status: GateStatus,
    template: str,
    comparison: Comparison,
    rival: Rival,
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
        rival=named(rival),
        allowed=policy.threshold,
        **values,
    )
    because = values.get("how")
    how = because if isinstance(because, Text) else None
    return Verdict(status, reason, fails, cause, drop, drop_interval, policy.threshold, because=how)


def named(rival: Rival) -> Text:
    """How a sentence calls what it compares with."""
    if isinstance(rival, Revision):
        return Text.of("{asked} ({commit})", asked=rival.asked, commit=short(rival.commit))
    return Text.of("the baseline of {date}", date=rival.recorded_at[:10])


def _how_slower(confirmed: Confirmation, rival: Rival) -> Text:
    own = Text.of("the revision's") if isinstance(rival, Revision) else Text.of("the baseline's")
    if confirmed.winner.config == rival.config:
        return Text.of("today's sources lost against {own} own sources, built and measured side by side", own=own)
    if isinstance(rival, Baseline) and rival.key.variant:
        return _other_default(confirmed, rival)
    if rival.config not in {arm.config for arm in confirmed.race}:
        template = "{own} configuration does not work with today's sources and nothing else is as fast"
        return Text.of(template, own=own)
    return Text.of("no configuration of today's sources is as fast as {own} own build", own=own)


def _other_default(confirmed: Confirmation, rival: Rival) -> Text:
    """Of a configuration that is gated as it is: the template's default is another one now."""
    then, now = dict(rival.config), dict(confirmed.winner.config or {})
    changes = [
        Text.of("{name} {then} -> {now}", name=name, then=then.get(name, "-"), now=now.get(name, "-"))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]
    return Text.of("the default configuration has changed: {changes}", changes=joined(changes))
