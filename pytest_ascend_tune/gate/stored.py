"""Compares a fresh measurement with stored numbers of another day: coarse, and never alone enough for a red; pure.

Times of two days differ with the machine's mood, so both are divided by what was sampled beside them: the reference
kernel and, where the backend has them, rates of the device itself (anchors). What is left still wanders by several per
cent on a contended machine (benchmarks/gate: an unchanged kernel strays beyond 10 % in 2 % of pairs of sessions, and
every time the samples themselves are that noisy), and an anchor that was slow on one of the two days poisons its ratio.
Therefore a loss counts only when

- something that is recorded has changed and so can be its cause: a version, or the build itself;
- the rate itself and its ratio to the reference both lost more than the threshold of stored numbers;
- a second anchor, where there is one, shows it too: what a single one shows is that anchor's trouble;
- it is larger than the noise of its ingredients, and the device is not disturbed by as much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_ascend_tune.gate.statistics import noise_share
from pytest_ascend_tune.model.confirmation import Arm, Confirmation
from pytest_ascend_tune.model.door import switch
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
FINEST_THRESHOLD = 0.05  # of stored numbers, whatever a calibration says: twice the finest of the paired comparison
WITNESSES = 2  # anchors that must show a loss, where so many were read on both days

IDENTITY = "_identity"  # ends the name of a hash that belongs to a version
REFERENCE = "reference"
ANCHORS = {
    REFERENCE: Text.of("reference kernel"),
    "fma_peak": Text.of("peak of multiply-adds"),
    "memory_stream": Text.of("memory stream"),
    "torch_matmul": Text.of("torch.matmul of a fixed size"),
    "memory_copy": Text.of("copy in memory"),
}


@dataclass(frozen=True)
class StoredDrop:
    """Loss of speed against stored numbers (shares). ``absolute``: of the rate itself; ``ratios``: relative to each
    anchor that both days have, the reference kernel first; ``noise``: half width."""

    absolute: float
    ratios: tuple[tuple[str, float], ...]
    noise: float
    to_reference: bool

    @property
    def drop(self) -> float:
        """The loss relative to the first anchor, of the rate itself where there is none."""
        return self.ratios[0][1] if self.ratios else self.absolute

    @property
    def interval(self) -> tuple[float, float]:
        """Drop with its noise."""
        return self.drop - self.noise, self.drop + self.noise

    @property
    def to(self) -> Text:
        """What the speeds of both days are relative to, said after "slower" or "faster"."""
        if self.to_reference:
            return Text.of(" relative to the reference kernel")
        return Text.of(" relative to the {anchor}", anchor=_called(self.ratios[0][0])) if self.ratios else Text.of("")

    def shown(self, allowed: float) -> bool:
        """Whether the first anchor shows a loss and a second one, where there is one, bears it out."""
        beyond = [ratio > allowed for _, ratio in self.ratios]
        return bool(beyond) and beyond[0] and sum(beyond) >= min(WITNESSES, len(beyond))

    def lost(self, allowed: float) -> bool:
        """Whether the rate itself and its ratios lost."""
        return self.absolute > allowed and self.shown(allowed)

    def lonely(self, allowed: float) -> str:
        """The one anchor among several that shows a loss, "" when none or more than one does."""
        beyond = [name for name, ratio in self.ratios if ratio > allowed]
        return beyond[0] if len(beyond) == 1 < len(self.ratios) else ""


def drop_against_stored(
    arm: Arm, reference: Arm | None, stored: StoredMeasurement, anchors: tuple[tuple[str, float], ...] = ()
) -> StoredDrop | Text:
    """Drop of `arm`, in itself and relative to reference and `anchors`; a sentence when the reference is another."""
    now_id, then_id = reference.build_id if reference else "", stored.reference_id
    if now_id != then_id:
        template = "reference changed from {then} to {now}: speed cannot be compared with stored numbers"
        return Text.of(template, then=then_id or "none", now=now_id or "none")
    speed = stored.time_us / arm.time_us
    ratios, noises = [], [noise_share(arm.samples_us), stored.noise_share]
    if reference is not None and stored.reference_us is not None:
        ratios.append((REFERENCE, 1 - speed * reference.time_us / stored.reference_us))
        noises += [noise_share(reference.samples_us), stored.noise_share]
    then = dict(stored.anchors)
    ratios += [(name, 1 - speed * then[name] / rate) for name, rate in anchors if name in then]
    return StoredDrop(1 - speed, tuple(ratios), math.hypot(*noises), reference is not None)


def device_drop(reference: Arm | None, stored: StoredMeasurement) -> float | None:
    """Loss of speed of the reference kernel itself since the baseline was recorded; None when it is not the same."""
    if reference is None or stored.reference_us is None or reference.build_id != stored.reference_id:
        return None
    return 1 - stored.reference_us / reference.time_us


def fallback_findings(
    confirmed: Confirmation, baseline: Baseline, fingerprint: Fingerprint, policy: Policy
) -> Findings:
    """Step 1 without the baseline's own build: stored numbers by the rule of step 2, said so."""
    failure, date = confirmed.baseline_failure, baseline.recorded_at[:10]
    why = Text.of("{why}", why=failure.message) if failure else Text.of("it was not built")
    if baseline.provisional:
        template = "nothing to compare with: the baseline's own build could not be measured ({why}), and {provisional}"
        reason = Text.of(template, why=why, provisional=provisional(baseline))
        yield Verdict(GateStatus.NOT_COMPARABLE, reason, fails=policy.demands_baseline)
        return
    yield Text.of("the baseline's own build could not be measured ({why}): compared with its stored numbers", why=why)
    against = drop_against_stored(confirmed.winner, confirmed.reference, baseline.measurement, confirmed.anchors)
    if isinstance(against, Text):
        yield Verdict(GateStatus.INCONCLUSIVE, against, fails=policy.inconclusive == "fail")
        yield RECORD_AGAIN
        return
    allowed = coarse_threshold(policy)
    changed = changes(baseline, confirmed.winner, fingerprint)
    if against.lost(allowed) and changed is not None:
        template = (
            "{drop:.1%} slower{to} than the stored numbers of {date}, {absolute:.1%} in itself (noise {noise:.1%}, "
            "{allowed:.1%} allowed), cause code; the baseline's own build is missing, so the platform may have its "
            "part in it"
        )
        yield lost_finding(template, against, confirmed, baseline, policy, Cause.CODE, fails=True)
        return
    doubt = doubtful_finding(against, changed, baseline, policy)
    if doubt is not None:
        yield doubt
        return
    yield from lonely_finding(against, baseline, policy)
    gain = -max(against.drop, against.absolute)
    if gain > allowed:
        template = "{gain:.0%} faster{to} than the stored numbers of {date}; record it with {switch}"
        if gain <= against.noise:
            template = "{gain:.0%} faster{to} than the stored numbers of {date}, within the noise ({noise:.0%})"
        status = GateStatus.IMPROVED
    else:
        template = "within {allowed:.1%} of the stored numbers of {date}: {gain:+.1%}{to}"
        status, gain = GateStatus.PASSED, -against.drop
    values = {"gain": gain, "noise": against.noise, "allowed": allowed, "switch": switch("update_baseline")}
    reason = Text.of(template, date=date, to=against.to, **values)
    yield Verdict(status, reason, False, None, against.drop, against.interval, allowed)


def lost_finding(
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
    """A loss by every rule but two: a regression, or inconclusive when noise or a disturbed device may explain it."""
    allowed = coarse_threshold(policy)
    reason = _told(template, against, baseline, policy, **values)
    slowed = device_drop(confirmed.reference, baseline.measurement)
    disturbed = confirmed.health.busy or (slowed is not None and slowed > allowed)
    # Relative to the reference, a disturbance shifts the ratio by at most about the threshold.
    excused = disturbed and against.drop <= 2 * allowed
    if excused or min(against.drop, against.absolute) <= against.noise:
        why = Text.of("the device is disturbed") if excused else Text.of("the samples are as noisy as that")
        reason = Text.of("cannot tell: {finding}; but {why}", finding=reason, why=why)
        return _inconclusive(reason, against, policy, Cause.DEVICE if excused else None)
    numbers = (against.drop, against.interval, allowed)
    return Verdict(GateStatus.REGRESSED, reason, fails, cause, *numbers, because=values.get("changes"))


def doubtful_finding(
    against: StoredDrop, changed: Text | None, baseline: Baseline, policy: Policy
) -> Verdict | Text | None:
    """What a loss is worth that is no regression by the rule; None when there is no loss."""
    allowed = coarse_threshold(policy)
    slower, shown = against.absolute > allowed, against.shown(allowed)
    if slower and (shown or not against.ratios):
        if changed is None:
            template = (
                "the machine is slower than when the baseline was taken ({date}), nothing that is recorded has "
                "changed: {drop:.1%}{to}, {absolute:.1%} in itself ({allowed:.1%} allowed)"
            )
        else:
            template = (
                "cannot tell the kernel from the machine: {absolute:.1%} slower than on {date} ({allowed:.1%} "
                "allowed), and there is no reference kernel or other rate of the device to divide by"
            )
        return _inconclusive(_told(template, against, baseline, policy), against, policy, Cause.DEVICE)
    if shown and changed is not None:
        template = (
            "cannot tell: {drop:.1%} slower{to} than on {date} ({allowed:.1%} allowed), but only {absolute:.1%} in "
            "itself, so the device or the kernel may have changed"
        )
        return _inconclusive(_told(template, against, baseline, policy), against, policy, None)
    if shown:
        template = (
            "the stored ratio is doubtful: {drop:.1%} slower{to} than on {date}, but {absolute:.1%} in itself, and "
            "nothing that is recorded has changed: the device was disturbed then or is another one now"
        )
        return _told(template, against, baseline, policy)
    return None


def lonely_finding(against: StoredDrop, baseline: Baseline, policy: Policy) -> Findings:
    """A loss that only one of several anchors shows."""
    anchor = against.lonely(coarse_threshold(policy))
    if anchor:
        template = (
            "only the {anchor} shows a loss against the numbers of {date} ({drop:.1%}), nothing else does: that is its "
            "own trouble, then or now, and not the kernel's"
        )
        yield Text.of(
            template, anchor=_called(anchor), drop=dict(against.ratios)[anchor], date=baseline.recorded_at[:10]
        )


def provisional(baseline: Baseline) -> Text:
    """What every comparison with a provisional baseline says."""
    template = (
        "the baseline of {date} is provisional, recorded on a disturbed device: its stored numbers decide nothing; "
        "record it on a quiet device with {switch}"
    )
    return Text.of(template, date=baseline.recorded_at[:10], switch=switch("update_baseline"))


def coarse_threshold(policy: Policy) -> float:
    """Of comparisons with stored numbers; never finer than that of the paired comparison."""
    return max(policy.platform_threshold, policy.threshold, FINEST_THRESHOLD)


def changes(
    baseline: Baseline, build: Arm, now: Fingerprint, *, leaving_out: tuple[str, ...] | None = None
) -> Text | None:
    """What that is recorded has changed since, versions or `build` itself, as one sentence; None when nothing has.

    `leaving_out`: names of versions that are known not to be the cause; the build is not, either.
    """
    versions = version_changes(baseline.recorded_with, now, leaving_out=leaving_out or ())
    if versions is None and leaving_out is None and build.build_id != baseline.build_id:
        return Text.of("no version that is recorded has changed, but the build has")
    return versions


def version_changes(then: Fingerprint, now: Fingerprint, *, leaving_out: tuple[str, ...] = ()) -> Text | None:
    """Versions that differ from those the baseline was recorded with, as one sentence; None when none does."""
    old, new = dict(then.versions), dict(now.versions)
    names = [name for name in sorted({*old, *new} - set(leaving_out)) if old.get(name) != new.get(name)]
    told = [name for name in names if name.removesuffix(IDENTITY) not in names or not name.endswith(IDENTITY)]
    return joined([version_change(name, old, new) for name in told]) if told else None


def version_change(name: str, then: Mapping[str, str], now: Mapping[str, str]) -> Text:
    """How one recorded version changed; of a hash that tells programs of one version apart, what that means."""
    program = name.removesuffix(IDENTITY)
    if program != name and program in now and then.get(program) == now[program]:
        template = "another {name}, or other options of it, with the same version {version}"
        return Text.of(template, name=Text.of("{word}", word=program), version=now[program])
    return Text.of("{name} {then} -> {now}", name=name, then=then.get(name, "?"), now=now.get(name, "?"))


def joined(texts: list[Text]) -> Text:
    """Several sentences as one, which a translation can still take apart."""
    whole = texts[0]
    for text in texts[1:]:
        whole = Text.of("{first}, {rest}", first=whole, rest=text)
    return whole


def _called(anchor: str) -> Text:
    return ANCHORS.get(anchor) or Text.of("{name}", name=anchor)


def _told(template: str, against: StoredDrop, baseline: Baseline, policy: Policy, **values: Text) -> Text:
    return Text.of(
        template,
        drop=against.drop,
        to=against.to,
        absolute=against.absolute,
        noise=against.noise,
        allowed=coarse_threshold(policy),
        date=baseline.recorded_at[:10],
        **values,
    )


def _inconclusive(reason: Text, against: StoredDrop, policy: Policy, cause: Cause | None) -> Verdict:
    numbers = (against.drop, against.interval, coarse_threshold(policy))
    return Verdict(GateStatus.INCONCLUSIVE, reason, policy.inconclusive == "fail", cause, *numbers)
