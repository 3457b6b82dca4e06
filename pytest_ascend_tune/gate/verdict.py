"""The gate's judgement: (search, confirmation, baseline, policy) -> Verdict with one sentence for people; pure.

What decides is the paired comparison of today's best with the baseline's own build, in the same minute. Comparisons
with stored numbers, the state of the device and the search only explain, or speak up for the platform. Of several
findings the one that stands first in GateStatus is the verdict, the others become notes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

from pytest_ascend_tune.gate.floors import beyond_belief, floor_findings, peak_findings, search_findings
from pytest_ascend_tune.gate.paired import code_findings
from pytest_ascend_tune.gate.platform import platform_findings
from pytest_ascend_tune.gate.stored import RECORD_AGAIN, Findings, joined, version_changes
from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text, counted_trials
from pytest_ascend_tune.model.verdict import Baseline, Cause, Fingerprint, GateStatus, Policy, Revision, Verdict

STALE_AFTER = timedelta(days=180)
_PRECEDENCE = {status: place for place, status in enumerate(GateStatus)}


def judge(
    tuning: TuningResult,
    baseline: Baseline | Revision | None,
    fingerprint: Fingerprint,
    policy: Policy,
    *,
    now: datetime | None = None,
) -> Verdict:
    """Judge a search and its confirmation (``tuning.confirmed``).

    `baseline`: what it is compared with; a revision has no stored numbers.
    `fingerprint`: of this machine and tool chain. `now`: for the age of the baseline; None leaves the age out.
    """
    if tuning.confirmed is None:
        return _said_of(tuning, Verdict(GateStatus.NOTHING_VALID, _why_nothing(tuning), fails=True))
    if tuning.confirmed.far_above_peak:
        return _said_of(tuning, Verdict(GateStatus.NOTHING_VALID, beyond_belief(tuning.confirmed), fails=True))
    found = list(_findings(tuning, tuning.confirmed, baseline, fingerprint, policy, now))
    verdicts = [item for item in found if isinstance(item, Verdict)]
    decisive = min(verdicts, key=lambda verdict: _PRECEDENCE[verdict.status])
    failing = decisive if decisive.fails else next((verdict for verdict in verdicts if verdict.fails), decisive)
    reason = decisive.reason
    if failing is not decisive:
        reason = Text.of("{first}; and the test fails because {second}", first=reason, second=failing.reason)
    shown = {id(decisive), id(failing)}
    notes = [item if isinstance(item, Text) else item.reason for item in found if id(item) not in shown]
    if decisive.status is GateStatus.REGRESSED or tuning.confirmed.health.busy:
        notes = [note for note in notes if note != RECORD_AGAIN]
    return _said_of(tuning, replace(decisive, reason=reason, fails=failing.fails, notes=tuple(dict.fromkeys(notes))))


def interrupted(tuning: TuningResult) -> Verdict:
    """The verdict of a run that was stopped before anything could be confirmed."""
    reason = Text.of(
        "interrupted after {trials}: nothing was confirmed or compared", trials=counted_trials(len(tuning.trials))
    )
    return _said_of(tuning, Verdict(GateStatus.INCONCLUSIVE, reason, fails=False, cause=Cause.SEARCH))


def comparable(baseline: Baseline, fingerprint: Fingerprint, simulated: bool) -> bool:
    """Whether numbers of this machine may be compared with the baseline's."""
    return not differences(baseline, fingerprint, simulated)


def differences(baseline: Baseline, fingerprint: Fingerprint, simulated: bool) -> list[Text]:
    """Each fact that forbids a comparison: simulated or not, device, and what the backend calls its identity."""
    then, now = baseline.recorded_with, fingerprint
    old = {"device": then.device, **dict(then.identity), "simulated": _yes_no(baseline.simulated)}
    new = {"device": now.device, **dict(now.identity), "simulated": _yes_no(simulated)}
    return [
        Text.of("{fact} was {then} and is {now}", fact=fact, then=old.get(fact, "?"), now=new.get(fact, "?"))
        for fact in dict.fromkeys([*old, *new])
        if old.get(fact) != new.get(fact)
    ]


def _findings(
    tuning: TuningResult,
    confirmed: Confirmation,
    baseline: Baseline | Revision | None,
    fingerprint: Fingerprint,
    policy: Policy,
    now: datetime | None,
) -> Findings:
    """All there is to say, the causes of a slower kernel in the order in which they count."""
    stored = baseline if isinstance(baseline, Baseline) else None
    forbidding = differences(stored, fingerprint, tuning.simulated) if stored is not None else []
    if baseline is None:
        yield _no_baseline(policy, fingerprint)
    elif isinstance(baseline, Revision):
        yield from code_findings(confirmed, baseline, fingerprint, policy)
    elif forbidding:
        template = "the baseline of {date} is not comparable: {facts}"
        reason = Text.of(template, date=baseline.recorded_at[:10], facts=joined(forbidding))
        yield Verdict(GateStatus.NOT_COMPARABLE, reason, fails=policy.demands_baseline)
    else:
        yield from code_findings(confirmed, baseline, fingerprint, policy)
        yield from platform_findings(confirmed, baseline, fingerprint, policy)
        yield from _baseline_notes(baseline, fingerprint, now)
    yield from peak_findings(confirmed, policy)
    yield from floor_findings(confirmed, policy)
    yield from search_findings(tuning, policy)
    yield from confirmed.health.notes
    yield from confirmed.notes


def no_baseline_here(device: str) -> Text:
    """What CI says of a run in which no problem had a comparable baseline."""
    template = (
        "no baseline for this device ({device}), so nothing was compared, which fails where CI=true: record baselines "
        "on it with {switch}=seed and commit them, or let the run be green without with {switch}=warn"
    )
    return Text.of(template, device=device, switch=switch("missing"))


def _no_baseline(policy: Policy, fingerprint: Fingerprint) -> Verdict:
    sentences = {
        "seed": Text.of("there is no baseline yet: a run that passes records one (missing=seed)"),
        "warn": Text.of(
            "there is no baseline to compare with: record one with {switch}", switch=switch("update_baseline")
        ),
        "fail": Text.of("there is no baseline to compare with, and missing=fail demands one"),
        "bare": no_baseline_here(fingerprint.device),
    }
    return Verdict(GateStatus.NO_BASELINE, sentences[policy.missing], fails=policy.demands_baseline)


def _baseline_notes(baseline: Baseline, fingerprint: Fingerprint, now: datetime | None) -> Findings:
    changed = version_changes(baseline.recorded_with, fingerprint)
    if changed is not None:
        yield Text.of("since the baseline was recorded: {changes}", changes=changed)
    if now is not None:
        age = now - baseline.recorded_moment
        if age > STALE_AFTER:
            yield Text.of("the baseline is {days} days old", days=age.days)
            yield RECORD_AGAIN


def _why_nothing(tuning: TuningResult) -> Text:
    failures = [trial.failure for trial in tuning.trials if trial.failure is not None]
    if not tuning.trials:
        return Text.of("the configuration to gate could not be built, could not run or gave a wrong result")
    if len(failures) < len(tuning.trials):
        return Text.of(
            "no finalist of {trials} worked when it was measured again", trials=counted_trials(len(tuning.trials))
        )
    kind, count = Counter(failure.kind for failure in failures).most_common(1)[0]
    message = next(failure.message for failure in failures if failure.kind is kind)
    template = "none of {tried} configurations worked, {count} of them: {kind} ({message})"
    first_line = message.strip().partition("\n")[0][:200]
    return Text.of(template, tried=len(failures), count=count, kind=kind, message=first_line)


def _said_of(tuning: TuningResult, verdict: Verdict) -> Verdict:
    """The verdict; of a simulated run it says so."""
    if not tuning.simulated:
        return verdict
    reason = Text.of("{sentence} (model only, the kernel was not exercised)", sentence=verdict.reason)
    return replace(verdict, reason=reason)


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
