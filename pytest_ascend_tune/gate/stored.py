"""Compares a fresh measurement with stored numbers of another day: coarse, and never blind to its own noise; pure.

Times of two days differ with the machine's mood, so both are divided by the reference kernel that was sampled beside
them. What is left still wanders by several per cent on a contended machine (benchmarks/gate: an unchanged kernel
strays beyond 10 % in 2 % of pairs of sessions, and every time the samples themselves are that noisy), therefore a
drop counts only when it is also larger than the noise of its four ingredients.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_ascend_tune.gate.statistics import noise_share
from pytest_ascend_tune.model.confirmation import Arm, Confirmation
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import (
    Baseline,
    Cause,
    Fingerprint,
    GateStatus,
    Policy,
    StoredMeasurement,
    Verdict,
)

Findings = Iterator["Verdict | Text"]  # a Verdict may decide, a Text is only noted
RECORD_AGAIN = Text.of("record the baseline again")  # advice: not given beside a regression or on a disturbed device


@dataclass(frozen=True)
class StoredDrop:
    """Loss of speed against stored numbers (share) and its noise (half width). ``relative``: to the reference."""

    drop: float
    noise: float
    relative: bool

    @property
    def interval(self) -> tuple[float, float]:
        """Drop with its noise."""
        return self.drop - self.noise, self.drop + self.noise

    @property
    def to(self) -> Text:
        """What the speeds of both days are relative to, said after "slower" or "faster"."""
        return Text.of(" relative to the reference kernel") if self.relative else Text.of("")


def drop_against_stored(arm: Arm, reference: Arm | None, stored: StoredMeasurement) -> StoredDrop | Text:
    """Drop of `arm`, relative to the reference where both days have the same; a sentence when that cannot be told."""
    now_id, then_id = reference.build_id if reference else "", stored.reference_id
    if now_id != then_id:
        template = "reference changed from {then} to {now}: speed cannot be compared with stored numbers"
        return Text.of(template, then=then_id or "none", now=now_id or "none")
    speed = stored.time_us / arm.time_us
    noises = [noise_share(arm.samples_us), stored.noise_share]
    if reference is not None and stored.reference_us is not None:
        speed *= reference.time_us / stored.reference_us
        noises += [noise_share(reference.samples_us), stored.noise_share]
    return StoredDrop(1 - speed, math.hypot(*noises), reference is not None)


def device_drop(reference: Arm | None, stored: StoredMeasurement) -> float | None:
    """Loss of speed of the reference kernel itself since the baseline was recorded; None when it is not the same."""
    if reference is None or stored.reference_us is None or reference.build_id != stored.reference_id:
        return None
    return 1 - stored.reference_us / reference.time_us


def fallback_findings(confirmed: Confirmation, baseline: Baseline, policy: Policy) -> Findings:
    """Step 1 without the baseline's own build: stored numbers with the coarse threshold of step 2, said so."""
    failure = confirmed.baseline_failure
    why = Text.of("{why}", why=failure.message) if failure else Text.of("it was not built")
    yield Text.of("the baseline's own build could not be measured ({why}): compared with its stored numbers", why=why)
    against = drop_against_stored(confirmed.winner, confirmed.reference, baseline.measurement)
    if isinstance(against, Text):
        yield Verdict(GateStatus.INCONCLUSIVE, against, fails=policy.inconclusive == "fail")
        yield RECORD_AGAIN
        return
    allowed = _coarse_threshold(policy)
    if against.drop > allowed:
        template = (
            "{drop:.1%} slower{to} than the stored numbers of {date} (noise {noise:.1%}, {allowed:.1%} allowed), "
            "cause code; the baseline's own build is missing, so the platform may have its part in it"
        )
        yield _from_stored(template, against, confirmed, baseline, policy, Cause.CODE, fails=True)
        return
    date, gain = baseline.recorded_at[:10], -against.drop
    if gain > allowed:
        template = (
            "{gain:.0%} faster{to} than the stored numbers of {date}; record it with --ascend-tune-update-baseline"
        )
        status = GateStatus.IMPROVED
    else:
        template = "within {allowed:.1%} of the stored numbers of {date}: {gain:+.1%}{to}"
        status = GateStatus.PASSED
    reason = Text.of(template, gain=gain, date=date, allowed=allowed, to=against.to)
    yield Verdict(status, reason, False, None, against.drop, against.interval, allowed)


def platform_findings(
    confirmed: Confirmation, baseline: Baseline, fingerprint: Fingerprint, policy: Policy
) -> Findings:
    """Steps 2 and 3: the baseline's own build now against its stored numbers, and what the device has to do with it."""
    stored = baseline.measurement
    slowed = device_drop(confirmed.reference, stored)
    if slowed is not None and slowed > _coarse_threshold(policy):
        template = "device: the reference kernel is {drop:.0%} slower than when the baseline was recorded"
        yield Text.of(template, drop=slowed)
    own_build = confirmed.winner if confirmed.identical_build else confirmed.baseline
    if own_build is None:
        return
    against = drop_against_stored(own_build, confirmed.reference, stored)
    if isinstance(against, Text):
        yield against
        yield RECORD_AGAIN
        return
    allowed, date = _coarse_threshold(policy), baseline.recorded_at[:10]
    best = drop_against_stored(confirmed.winner, confirmed.reference, stored)
    if against.drop > allowed and isinstance(best, StoredDrop) and best.drop <= allowed:
        template = (
            "platform: the baseline's own build is {drop:.0%} slower{to} than on {date}, "
            "but today's best makes up for it"
        )
        yield Text.of(template, drop=against.drop, date=date, to=against.to)
    elif against.drop > allowed:
        template = (
            "the baseline's own build is {drop:.1%} slower{to} than on {date} "
            "(noise {noise:.1%}, {allowed:.1%} allowed), cause platform: {changes}"
        )
        fails = policy.platform == "fail"
        what = changes(baseline.recorded_with, fingerprint) or Text.of("no version that is recorded has changed")
        yield _from_stored(template, against, confirmed, baseline, policy, Cause.PLATFORM, fails=fails, changes=what)
    elif against.drop < -allowed:
        template = "the baseline's own build is {gain:.0%} faster{to} than on {date}"
        yield Text.of(template, gain=-against.drop, date=date, to=against.to)
        if slowed is None or abs(slowed) <= allowed:
            yield RECORD_AGAIN


def _from_stored(
    template: str,
    against: StoredDrop,
    confirmed: Confirmation,
    baseline: Baseline,
    policy: Policy,
    cause: Cause,
    *,
    fails: bool,
    **values: Text,
) -> Verdict:
    """A drop against stored numbers: a regression, or inconclusive when noise or a disturbed device may explain it."""
    allowed = _coarse_threshold(policy)
    reason = Text.of(
        template,
        drop=against.drop,
        to=against.to,
        noise=against.noise,
        allowed=allowed,
        date=baseline.recorded_at[:10],
        **values,
    )
    slowed = device_drop(confirmed.reference, baseline.measurement)
    disturbed = confirmed.health.busy or (slowed is not None and slowed > allowed)
    # Relative to the reference, a disturbance shifts the ratio by at most about the threshold; alone, by anything.
    excused = disturbed and (not against.relative or against.drop <= 2 * allowed)
    if excused or against.drop <= against.noise:
        why = Text.of("the device is disturbed") if excused else Text.of("the samples are as noisy as that")
        reason = Text.of("cannot tell: {finding}; but {why}", finding=reason, why=why)
        numbers = (against.drop, against.interval, allowed)
        device = Cause.DEVICE if excused else None
        return Verdict(GateStatus.INCONCLUSIVE, reason, policy.inconclusive == "fail", device, *numbers)
    return Verdict(GateStatus.REGRESSED, reason, fails, cause, against.drop, against.interval, allowed)


def _coarse_threshold(policy: Policy) -> float:
    """Of comparisons with stored numbers; never finer than that of the paired comparison."""
    return max(policy.platform_threshold, policy.threshold)


def changes(then: Fingerprint, now: Fingerprint) -> Text | None:
    """Versions that differ from those the baseline was recorded with, as one sentence; None when none does."""
    old, new = dict(then.versions), dict(now.versions)
    differing = [
        Text.of("{name} {then} -> {now}", name=name, then=old.get(name, "?"), now=new.get(name, "?"))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    return joined(differing) if differing else None


def joined(texts: list[Text]) -> Text:
    """Several sentences as one, which a translation can still take apart."""
    whole = texts[0]
    for text in texts[1:]:
        whole = Text.of("{first}, {rest}", first=whole, rest=text)
    return whole
