"""What of a judged result becomes a baseline, and when."""

from __future__ import annotations

from datetime import datetime

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.search import Template, TuningResult
from pytest_ascend_tune.model.verdict import (
    Baseline,
    BaselineKey,
    Fingerprint,
    GateResult,
    GateStatus,
    StoredMeasurement,
)
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.session.confirm import runners_up

RECORDABLE = (GateStatus.PASSED, GateStatus.IMPROVED, GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)


def baseline_of(
    key: BaselineKey,
    template: Template,
    tuning: TuningResult,
    confirmation: Confirmation,
    fingerprint: Fingerprint,
    now: datetime,
) -> Baseline:
    """The baseline that a confirmed result would make."""
    low, high = confirmation.interval_us
    winner, reference = confirmation.winner, confirmation.reference
    assert winner.config is not None
    return Baseline(
        key=key,
        config=winner.config,
        source_hash=template.source_hash,
        abi=template.abi,
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
        ),
        recorded_with=fingerprint,
        recorded_at=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        simulated=tuning.simulated,
        runners_up=tuple(runners_up(tuning, winner.config)),
    )


def may_record(result: GateResult, settings: Settings) -> str:
    """``update``, ``seed`` or nothing: what the settings want recorded of this result, by its status.

    A failed or inconclusive result is never recorded, but for a regression that the user accepts.
    """
    status = result.status
    if settings.update_baseline:
        accepted = status is GateStatus.REGRESSED and settings.accept_regression
        return "update" if accepted or status in RECORDABLE else ""
    if settings.missing == "seed" and status is GateStatus.NO_BASELINE and not result.verdict.fails:
        return "seed"
    return ""
