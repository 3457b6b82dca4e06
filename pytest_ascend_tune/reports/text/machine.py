"""For machines: results.json (schema/results-1.schema.json) and JUnit properties, with the numbers of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from pytest_ascend_tune import __version__
from pytest_ascend_tune.model.confirmation import Comparison
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured, Revision
from pytest_ascend_tune.records.format.codec import to_json
from pytest_ascend_tune.reports.rounding import significant
from pytest_ascend_tune.reports.sentences import by_reason, headline, worst_first

SCHEMA = 1


def results_json(
    results: Sequence[GateResult],
    missed: Sequence[NotMeasured] = (),
    *,
    now: datetime,
    environment: Mapping[str, str] | None = None,
    complete: bool = True,
) -> dict[str, Any]:
    """The document of a run, worst first as in the page; `missed`: what was asked for without a result.

    Sentences are English: machines need one language.
    """
    ordered = worst_first(results)
    return {
        "schema": SCHEMA,
        "generator": f"pytest-ascend-tune {__version__}",
        "created_at": now.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "complete": complete,
        "failed": any(result.verdict.fails for result in ordered) or not all(one.skipped for one in missed),
        "headline": str(headline(ordered, missed)),
        "environment": dict(environment or {}),
        "results": [result_json(result) for result in ordered],
        "not_measured": [
            {
                "nodeid": one.nodeid,
                "problem": one.problem_id or None,
                "reason": str(one.reason),
                "skipped": one.skipped,
            }
            for group in by_reason(missed)
            for one in group
        ],
    }


def result_json(result: GateResult) -> dict[str, Any]:
    """One problem: what was found, confirmed, compared and judged. Trials are only counted: history.json holds them."""
    tuning, verdict, confirmation, baseline = result.tuning, result.verdict, result.confirmation, result.baseline
    today = result.baseline_today_tflops
    problem, best = tuning.problem, tuning.best
    drop = verdict.drop
    return {
        "nodeid": result.nodeid,
        "problem": problem.id,
        "m": problem.m,
        "n": problem.n,
        "k": problem.k,
        "dtype": str(problem.dtype),
        "layout": str(problem.layout),
        "unit": problem.dtype.rate_unit,
        "backend": tuning.backend,
        "device": tuning.device,
        "template": tuning.template,
        "variant": result.variant or None,
        "simulated": tuning.simulated,
        "status": str(result.status),
        "fails": verdict.fails,
        "cause": None if verdict.cause is None else str(verdict.cause),
        "reason": str(verdict.reason),
        "notes": [str(note) for note in verdict.notes],
        "tflops": significant(result.tflops),
        "tflops_interval": _pair(result.interval),
        "time_us": significant(confirmation.winner.time_us) if confirmation else None,
        "peak_tflops": significant(confirmation.peak_tflops) if confirmation else None,
        "efficiency_share": significant(result.efficiency_share),
        "vs_reference": significant(confirmation.vs_reference) if confirmation else None,
        "baseline_tflops": significant(baseline.measurement.tflops) if baseline else None,
        "baseline_today_tflops": None if today is None else significant(today),
        "baseline_recorded_at": baseline.recorded_at if baseline else None,
        "against": _against(result.revision) if result.revision else None,
        "baseline_written": result.baseline_written or None,
        "change": None if drop is None else significant(-drop),
        "change_interval": _pair(verdict.drop_interval and (-verdict.drop_interval[1], -verdict.drop_interval[0])),
        "allowed_drop": significant(verdict.allowed_drop),
        "min_efficiency": significant(result.policy.min_efficiency),
        "comparison": _comparison(confirmation.comparison) if confirmation and confirmation.comparison else None,
        "config": None if result.config is None else dict(result.config),
        "baseline_config": dict(baseline.config) if baseline else None,
        "trials": len(tuning.trials),
        "failed_trials": len(tuning.trials) - len(tuning.valid),
        "legal_configs": tuning.legal_configs,
        "search_best_tflops": significant(problem.tflops(best.time_us)) if best and best.time_us else None,
        "seed": tuning.seed,
        "seconds": significant(tuning.seconds + (confirmation.seconds if confirmation else 0.0)),
        "convergence": str(tuning.convergence.state),
        "checklist": [
            {"name": signal.name, "value": significant(signal.value), "holds": signal.holds, "text": str(signal.text)}
            for signal in tuning.convergence.checklist
        ],
        "effects": {effect.parameter: significant(effect.share) for effect in tuning.effects},
        "trial_devices": list(tuning.devices),
        "fingerprint": to_json(result.fingerprint) if result.fingerprint else None,
        "run_dir": result.run_dir,
    }


def junit_properties(result: GateResult) -> list[tuple[str, str]]:
    """``(name, value)`` pairs for JUnit's ``<properties>``; what is not known is left out."""
    facts = result_json(result)
    names = (
        "problem", "status", "cause", "tflops", "efficiency_share", "baseline_tflops", "change", "allowed_drop",
        "convergence", "trials", "failed_trials", "backend", "device", "template", "variant", "simulated", "seed",
        "run_dir",
    )  # fmt: skip
    pairs = [(f"ascend_tune_{name}", _plain(facts[name])) for name in names if facts[name] not in (None, "")]
    if result.config is not None:
        pairs.append(("ascend_tune_config", str(result.config)))
    return pairs


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pair(interval: tuple[float, float] | None) -> list[float | None] | None:
    return None if interval is None else [significant(end) for end in interval]


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "status": str(comparison.status),
        "ratio": significant(comparison.ratio),
        "interval": _pair(comparison.interval),
        "quarter_ratio": significant(comparison.quarter_ratio),
        "rounds": comparison.rounds,
        "reason": comparison.reason,
    }


def _against(revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.asked,
        "commit": revision.commit,
        "today": revision.today,
        "changed": revision.changed,
        "config": dict(revision.config),
        "config_from": revision.config_from,
    }
