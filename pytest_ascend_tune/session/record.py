"""What of a judged result becomes a baseline, and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Cause, Fingerprint, GateResult, GateStatus, StoredMeasurement
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.records.baselines.candidates import write_candidate
from pytest_ascend_tune.session.clock import stamp
from pytest_ascend_tune.session.confirm import runners_up
from pytest_ascend_tune.session.context import Context
from pytest_ascend_tune.session.jobs import GateJob

RECORDABLE = (GateStatus.PASSED, GateStatus.IMPROVED, GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)


def baseline_of(
    job: GateJob, tuning: TuningResult, confirmation: Confirmation, fingerprint: Fingerprint, now: datetime
) -> Baseline:
    """The baseline that a confirmed result would make."""
    low, high = confirmation.interval_us
    winner, reference = confirmation.winner, confirmation.reference
    assert winner.config is not None
    return Baseline(
        key=job.key,
        config=winner.config,
        source_hash=job.template.source_hash,
        abi=job.template.abi,
        build_id=winner.build_id,
        measurement=StoredMeasurement(
            time_us=winner.time_us,
            interval_us=confirmation.interval_us,
            tflops=confirmation.tflops,
            efficiency_share=confirmation.efficiency_share,
            rounds=len(winner.samples_us),
            noise_share=(high - low) / 2 / winner.time_us,
            reference_us=reference.time_us if reference else None,
            reference_id=reference.build_id if reference else "",
            anchors=confirmation.anchors,
        ),
        recorded_with=fingerprint,
        recorded_at=stamp(now),
        simulated=tuning.simulated,
        runners_up=tuple(runners_up(tuning, winner.config)),
        provisional=confirmation.health.busy,
    )


def provisional_note() -> Text:
    """What is said of a baseline that was recorded on a disturbed device."""
    template = (
        "recorded as provisional: the device stayed disturbed, so the numbers of this baseline decide nothing, only "
        "its sources do; record it again on a quiet device with {switch}"
    )
    return Text.of(template, switch=switch("update_baseline"))


def may_be_recorded(settings: Settings, baseline: Baseline | None) -> bool:
    """Whether the settings want a result recorded, as far as is known before it is measured."""
    return settings.update_baseline or (settings.missing == "seed" and baseline is None and not settings.against)


def record(context: Context, job: GateJob, result: GateResult, folder: Path) -> GateResult:
    """Record a baseline where the settings want one; else keep all that `baseline accept` needs to do so later."""
    if result.confirmation is None or not result.confirmation.possible or result.fingerprint is None:
        return result
    new = baseline_of(job, result.tuning, result.confirmation, result.fingerprint, context.now())
    if result.baseline is not None and not result.tuning.trials:  # nothing was searched: what is known stays known
        known = (result.baseline.config, *result.baseline.runners_up)
        new = replace(new, runners_up=tuple(config for config in known if config != new.config))
    write_candidate(folder, new, job.template)
    action, store = may_record(result, job.settings), context.store
    if not action:
        return result
    try:
        if action == "seed":
            path = store.seed(new, job.template)
        else:
            path = store.save(new, job.template, accept_regression=job.settings.accept_regression)
    except BaselineError as error:
        reason = Text.of("{verdict}; not recorded: {error}", verdict=result.verdict.reason, error=str(error))
        return replace(result, verdict=replace(result.verdict, reason=reason, fails=True))
    accepted = {
        GateStatus.REGRESSED: Text.of("the regression is accepted: it is recorded as the new baseline"),
        GateStatus.INCONCLUSIVE: Text.of("accepted without a judgement: it is recorded as the new baseline"),
    }
    if note := accepted.get(result.status):
        result = replace(result, verdict=replace(result.verdict, fails=False, notes=(note, *result.verdict.notes)))
    if new.provisional and path:
        result = replace(result, verdict=replace(result.verdict, notes=(provisional_note(), *result.verdict.notes)))
    written = f"{context.settings.dir}/{path.relative_to(context.places.folder)}" if path else ""
    return replace(result, baseline_written=written)


def may_record(result: GateResult, settings: Settings) -> str:
    """``update``, ``seed`` or nothing: what the settings want recorded of this result, by its status.

    A failed or inconclusive result is never recorded, but for a loss, proven or not, that the user accepts.
    """
    status = result.status
    if settings.update_baseline:
        doubtful = status is GateStatus.INCONCLUSIVE and result.verdict.cause is not Cause.SEARCH
        accepted = settings.accept_regression and (doubtful or status is GateStatus.REGRESSED)
        return "update" if accepted or status in RECORDABLE else ""
    if settings.missing == "seed" and status is GateStatus.NO_BASELINE and not result.verdict.fails:
        return "seed"
    return ""
