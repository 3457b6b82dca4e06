"""Compares the stored results of two runs, outside any test: coarse, because the runs were not interleaved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_ascend_tune.model.verdict import GateResult


@dataclass(frozen=True)
class Compared:
    """One problem of two runs: a line for people, and whether it is slower or missing in the second."""

    line: str
    bad: bool


def compare_runs(older: Sequence[GateResult], newer: Sequence[GateResult], threshold: float) -> list[Compared]:
    """Every problem of either run, by problem id. `threshold`: drop (share) that counts as slower."""
    before, after = _by_problem(older), _by_problem(newer)
    return [_compare(key, before.get(key), after.get(key), threshold) for key in sorted({*before, *after})]


def _by_problem(results: Sequence[GateResult]) -> dict[str, GateResult]:
    return {f"{result.problem_id} {result.tuning.template} {result.tuning.device}": result for result in results}


def _compare(key: str, old: GateResult | None, new: GateResult | None, threshold: float) -> Compared:
    if old is None or old.confirmation is None:
        return Compared(f"new       {key}", bad=False)
    if new is None or new.confirmation is None:
        return Compared(f"missing   {key}: not confirmed in the second run", bad=True)
    if old.tuning.simulated != new.tuning.simulated:
        return Compared(f"differs   {key}: one run is simulated, the other measured", bad=True)
    speed = old.confirmation.winner.time_us / new.confirmation.winner.time_us
    was, now = old.confirmation.reference, new.confirmation.reference
    relative = was is not None and now is not None and was.build_id == now.build_id
    if relative and was is not None and now is not None:
        speed *= now.time_us / was.time_us
    word = "slower" if speed < 1 - threshold else "faster" if speed > 1 + threshold else "same"
    unit = new.tuning.problem.dtype.rate_unit
    basis = "relative to the reference" if relative else "absolute"
    rates = f"{old.confirmation.tflops:.4g} -> {new.confirmation.tflops:.4g} {unit}"
    return Compared(f"{word:9} {key}: {speed - 1:+.1%} ({basis}; {rates})", bad=word == "slower")
