"""The judgement of one search: its baseline, the confirmation beside that baseline's own build, the gate's verdict."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.gate.bestknown import beside_baseline, beside_run
from pytest_ascend_tune.gate.verdict import comparable, judge
from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.errors import BaselineError, RecordError
from pytest_ascend_tune.model.protocols import Advising
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, GateResult, Policy, Revision
from pytest_ascend_tune.records.baselines.calibrations import load_calibration
from pytest_ascend_tune.records.baselines.sources import read_sources
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.session.against import opponent
from pytest_ascend_tune.session.confirm import (
    confirm_search,
    old_build,
    own_build,
    own_sources,
    undisturbed,
    with_confirmation,
)
from pytest_ascend_tune.session.context import Context
from pytest_ascend_tune.session.jobs import GateJob
from pytest_ascend_tune.session.record import may_be_recorded


def stored_baseline(store: BaselineStore, job: GateJob) -> Baseline | None:
    """The stored baseline. Raises BaselineError for a damaged one, or one that its own sources do not allow."""
    baseline, search = store.load(job.key), job.search
    if baseline is not None and baseline.source_hash != job.template.source_hash:
        store.load_sources(baseline.source_hash)  # raises for sources that are not what they were
    elif baseline is not None:
        reason = search.space.why_illegal(baseline.config, job.problem)
        if reason is not None and comparable(baseline, search.backend.fingerprint(), search.backend.simulated):
            raise BaselineError(
                f"{store.path(job.key)}: its configuration is not legal for its own template: {reason}; "
                "record it again, or put back the file that was reviewed"
            )
    return baseline


def judged(
    context: Context, job: GateJob, tuning: TuningResult, baseline: Baseline | None, *, tests: int
) -> GateResult:
    """Confirm what a search found and judge it. `tests`: how many problems the run judges."""
    backend = job.search.backend
    policy = policy_of(context, job)
    plan = ConfirmPlan(threshold=policy.threshold, tests=tests, seed=job.request.seed)
    rival: Baseline | Revision | None = baseline
    own, old, fingerprint = None, None, backend.fingerprint()
    if job.against is not None:
        rival, own = opponent(job.search, job.against, tuning, baseline, plan)
        baseline = None
    elif baseline is not None and comparable(baseline, fingerprint, tuning.simulated):
        sources = own_sources(job.search, baseline, context.store.load_sources(baseline.source_hash))
        own = own_build(job.search, sources, baseline.config)
        old = old_build(job.search, baseline, sources, own) if context.old_toolchain else None
    take = partial(confirm_search, job.search, tuning, rival, own, plan, old=old)
    kept = may_be_recorded(job.settings, baseline)
    confirmation = undisturbed(take) if kept else take()
    verdict = judge(replace(tuning, confirmed=confirmation), rival, fingerprint, policy, now=context.now())
    tuning = with_confirmation(tuning, confirmation)
    if isinstance(backend, Advising):
        config = tuning.confirmed.winner.config if tuning.confirmed else None
        tuning = replace(tuning, notes=(*tuning.notes, *backend.notes(job.problem, config)))
    if job.key.variant and tuning.confirmed is not None:
        verdict = replace(verdict, notes=(*_best_known(context, job, tuning.confirmed), *verdict.notes))
    changed = _changed_files(context, job, baseline)
    revision = rival if isinstance(rival, Revision) else None
    result = GateResult(tuning, verdict, policy, baseline, fingerprint, job.nodeid, changed_files=changed)
    return replace(result, revision=revision)


def _changed_files(context: Context, job: GateJob, baseline: Baseline | None) -> tuple[str, ...]:
    """Files of the template that are not what the baseline was built from, where its sources are kept."""
    if baseline is None or baseline.source_hash == job.template.source_hash:
        return ()
    kept = context.store.load_sources(baseline.source_hash)
    try:
        then, now = dict(read_sources(kept) if kept else ()), dict(job.template.files)
    except BaselineError:  # damaged: the verdict has said that they were not built
        return ()
    return tuple(name for name in sorted({*then, *now}) if then.get(name) != now.get(name)) if then else ()


def _best_known(context: Context, job: GateJob, confirmed: Confirmation) -> tuple[Text, ...]:
    """What tuning reached: the tuned baseline's number, else the history's best; nothing where neither is there."""
    key, backend = replace(job.key, variant=""), job.search.backend
    tuned = context.store.load(key)
    if tuned is not None and comparable(tuned, backend.fingerprint(), backend.simulated) and not tuned.provisional:
        return (beside_baseline(confirmed, job.key.variant, tuned),)
    if context.history is None:
        return ()
    try:
        points = context.history.trend(key.device, key.template, key.problem_id)
    except RecordError as error:  # advice: said, and nothing is lost
        context.trouble(str(error))
        return ()
    best = max(points, key=lambda point: point.vs_reference or point.tflops, default=None)
    if best is None:
        return ()
    return (beside_run(confirmed, job.key.variant, run=best.run, tflops=best.tflops, vs_reference=best.vs_reference),)


def policy_of(context: Context, job: GateJob) -> Policy:
    """What the gate allows, with the threshold for stored numbers that a calibration of the device gave."""
    calibration = load_calibration(context.places.folder, job.search.backend.device)
    policy = job.settings.policy
    if context.bare:
        policy = replace(policy, missing="bare")
    if calibration is None or not calibration.enough:
        return policy
    return replace(policy, platform_threshold=calibration.platform_threshold)
