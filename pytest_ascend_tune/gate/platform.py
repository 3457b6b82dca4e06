"""Findings about the platform (tool chain, driver, libraries) and the device: steps 2 and 3 of the judgement; pure.

The strongest proof is the baseline's old tool chain, where it is still here: the same sources built with both tool
chains and sampled in the same rounds. Without it there are stored numbers, see ``stored``.
"""

from __future__ import annotations

from pytest_ascend_tune.gate.stored import (
    RECORD_AGAIN,
    Findings,
    StoredDrop,
    changes,
    coarse_threshold,
    device_drop,
    doubtful_finding,
    drop_against_stored,
    lonely_finding,
    lost_finding,
    provisional,
    version_change,
)
from pytest_ascend_tune.model.confirmation import Arm, CompareStatus, Comparison, Confirmation
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Cause, Fingerprint, GateStatus, Policy, Verdict


def platform_findings(
    confirmed: Confirmation, baseline: Baseline, fingerprint: Fingerprint, policy: Policy
) -> Findings:
    """Both tool chains side by side, else the baseline's own build now against its stored numbers."""
    old = confirmed.old_toolchain
    compared = old.comparison.status if old and old.comparison else CompareStatus.INCONCLUSIVE
    yield from _toolchain_findings(confirmed, baseline, fingerprint, policy)
    if baseline.provisional:
        yield provisional(baseline)
        yield RECORD_AGAIN
        return
    slowed = device_drop(confirmed.reference, baseline.measurement)
    if slowed is not None and slowed > coarse_threshold(policy):
        template = "device: the reference kernel is {drop:.0%} slower than when the baseline was recorded"
        yield Text.of(template, drop=slowed)
    own_build = confirmed.winner if confirmed.identical_build else confirmed.baseline
    if own_build is None or compared in (CompareStatus.SLOWER, CompareStatus.FASTER):
        return  # two tool chains side by side have said more than stored numbers can
    cleared = tuple(dict(old.versions)) if old and compared is CompareStatus.SAME else None
    changed = changes(baseline, own_build, fingerprint, leaving_out=cleared)
    yield from _stored_findings(own_build, changed, confirmed, baseline, policy)


def _stored_findings(
    own_build: Arm, changed: Text | None, confirmed: Confirmation, baseline: Baseline, policy: Policy
) -> Findings:
    stored, allowed, date = baseline.measurement, coarse_threshold(policy), baseline.recorded_at[:10]
    against = drop_against_stored(own_build, confirmed.reference, stored, confirmed.anchors)
    if isinstance(against, Text):
        yield against
        yield RECORD_AGAIN
        return
    best = drop_against_stored(confirmed.winner, confirmed.reference, stored, confirmed.anchors)
    doubt = None
    if against.lost(allowed) and isinstance(best, StoredDrop) and not best.lost(allowed):
        template = (
            "platform: the baseline's own build is {drop:.0%} slower{to} than on {date}, "
            "but today's best makes up for it"
        )
        yield Text.of(template, drop=against.drop, date=date, to=against.to)
    elif against.lost(allowed) and changed is not None:
        template = (
            "the baseline's own build is {drop:.1%} slower{to} than on {date} and {absolute:.1%} in itself "
            "(noise {noise:.1%}, {allowed:.1%} allowed), cause platform: {changes}"
        )
        fails = policy.platform == "fail"
        yield lost_finding(template, against, confirmed, baseline, policy, Cause.PLATFORM, fails=fails, changes=changed)
    else:
        doubt = doubtful_finding(against, changed, baseline, policy)
        if doubt is not None:
            yield doubt
        yield from lonely_finding(against, baseline, policy)
    if against.drop < -allowed:
        template = "the baseline's own build is {gain:.0%} faster{to} than on {date}"
        yield Text.of(template, gain=-against.drop, date=date, to=against.to)
    slowed = device_drop(confirmed.reference, stored)
    if isinstance(doubt, Text) or (against.drop < -allowed and (slowed is None or abs(slowed) <= allowed)):
        yield RECORD_AGAIN


def _toolchain_findings(
    confirmed: Confirmation, baseline: Baseline, fingerprint: Fingerprint, policy: Policy
) -> Findings:
    """The baseline's own sources, built with today's tool chain, against the build of its old tool chain."""
    old = confirmed.old_toolchain
    if old is None:
        return
    if old.comparison is None:
        if old.why is not None:
            yield Text.of("the old tool chain is no witness: {why}", why=old.why)
        return
    comparison, named = old.comparison, _named(old.versions, fingerprint)
    if comparison.status is CompareStatus.SLOWER and _made_up(confirmed, comparison, policy):
        template = (
            "platform: with today's tool chain the baseline's own sources are {drop:.1%} slower than with the old one "
            "({named}), built and measured side by side, but today's best makes up for it"
        )
        yield _side_by_side(template, comparison, policy, named)
    elif comparison.status is CompareStatus.SLOWER:
        template = (
            "with today's tool chain the baseline's own sources are {drop:.1%} slower ({low:.1%} to {high:.1%}, "
            "{allowed:.1%} allowed) than with the old one, cause platform: {named}. Both were built and measured side "
            "by side in this run, which is the strongest proof"
        )
        low, high = comparison.interval
        numbers = (1 - comparison.ratio, (1 - high, 1 - low), policy.threshold)
        reason = _side_by_side(template, comparison, policy, named)
        yield Verdict(GateStatus.REGRESSED, reason, policy.platform == "fail", Cause.PLATFORM, *numbers, because=named)
    elif comparison.status is CompareStatus.INCONCLUSIVE:
        template = (
            "both tool chains side by side ({named}): cannot tell, {drop:+.1%} ({low:+.1%} to {high:+.1%}) slower with "
            "today's"
        )
        yield _side_by_side(template, comparison, policy, named)
    else:
        template = (
            "not the tool chain: the baseline's own sources, built with both and measured side by side ({named}), are "
            "{gain:+.1%} faster with today's ({allowed:.1%} allowed); this is the strongest proof"
        )
        yield _side_by_side(template, comparison, policy, named)


def _made_up(confirmed: Confirmation, platform: Comparison, policy: Policy) -> bool:
    """Whether today's best is as fast as the build of the old tool chain all the same."""
    code = confirmed.comparison
    return code is not None and code.ratio * platform.ratio >= 1 - policy.threshold


def _named(versions: tuple[tuple[str, str], ...], fingerprint: Fingerprint) -> Text:
    """The old tool chain and today's: the first version that differs, the first one when none does."""
    today = dict(fingerprint.versions)
    name = next((name for name, then in versions if today.get(name) != then), versions[0][0])
    return version_change(name, dict(versions), today)


def _side_by_side(template: str, comparison: Comparison, policy: Policy, named: Text) -> Text:
    low, high = comparison.interval
    return Text.of(
        template,
        drop=1 - comparison.ratio,
        low=1 - high,
        high=1 - low,
        gain=comparison.ratio - 1,
        allowed=policy.threshold,
        named=named,
    )
