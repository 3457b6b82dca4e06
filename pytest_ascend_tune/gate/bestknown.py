"""A configuration that is gated as it is, beside the best that is known of its problem; advice, pure."""

from __future__ import annotations

from pytest_ascend_tune.gate.stored import StoredDrop, drop_against_stored
from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline

BELOW = Text.of("{variant} is {share:.1%} below the best known, {rate:.4g} {unit} ({source})")
REACHED = Text.of("{variant} is as fast as the best known, {rate:.4g} {unit} ({source})")


def beside_baseline(confirmed: Confirmation, variant: str, tuned: Baseline) -> Text:
    """Beside the tuned baseline's stored numbers, relative to the reference kernel where both days have the same."""
    against = drop_against_stored(confirmed.winner, confirmed.reference, tuned.measurement, confirmed.anchors)
    stored = tuned.measurement
    share = against.drop if isinstance(against, StoredDrop) else 1 - stored.time_us / confirmed.winner.time_us
    source = Text.of("tuned baseline of {date}", date=tuned.recorded_at[:10])
    return _said(confirmed, variant, share, stored.tflops, source)


def beside_run(confirmed: Confirmation, variant: str, *, tflops: float, vs_reference: float | None, run: str) -> Text:
    """Beside a run of the history, relative to the reference kernel where both have one."""
    if vs_reference is not None and confirmed.vs_reference is not None:
        share = 1 - confirmed.vs_reference / vs_reference
    else:
        share = 1 - confirmed.tflops / tflops
    return _said(confirmed, variant, share, tflops, Text.of("run {run} of the history", run=run))


def _said(confirmed: Confirmation, variant: str, share: float, rate: float, source: Text) -> Text:
    unit = confirmed.problem.dtype.rate_unit
    said = BELOW if share > 0 else REACHED
    return Text.of(said.template, variant=variant, share=share, rate=rate, unit=unit, source=source)
