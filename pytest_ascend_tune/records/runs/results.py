"""The folder of a run: what was found, in the seed's forms and with all that a report needs to be made again.

``DIR/runs/<run>/<template>/<problem-id>/`` holds history.json (every trial), convergence.json (best so far, checklist)
and best_config.json (the confirmed result and the verdict); no fact of ours stands twice. best_config.json is written
last: a folder without it belongs to a run that was killed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pytest_ascend_tune.files import atomic, jsontext
from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Effect, Trial, TuningResult
from pytest_ascend_tune.model.secreturl import hide_urls
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.records.format.codec import check_schema, read_fields, read_value, to_json, types_of
from pytest_ascend_tune.records.runs import seedform
from pytest_ascend_tune.records.runs.folders import BEST_CONFIG, CONVERGENCE, HISTORY, JOURNAL, NOT_MEASURED
from pytest_ascend_tune.records.runs.journal import read_journal

SCHEMA = 1
DIGITS = 6  # significant digits of numbers that are derived from samples kept beside them
INTERRUPTED = Convergence(
    ConvergenceState.INTERRUPTED, Text.of("The search was interrupted; these are the trials up to then.")
)


# --- writing ---------------------------------------------------------------------------------------------------------


def write_run(
    folder: Path, result: GateResult, *, constraints: Sequence[str] = (), now: datetime | None = None
) -> None:
    """Write the three files. `constraints`: conditions that the searched configurations had to meet, as text."""
    moment = (now or datetime.now(timezone.utc)).astimezone(timezone.utc).isoformat(timespec="seconds")
    write_history(folder, result.tuning)
    atomic.write_text(folder / CONVERGENCE, jsontext.dump(_convergence_members(result.tuning, constraints)))
    atomic.write_text(folder / BEST_CONFIG, jsontext.dump(_best_members(result, moment)))


def write_history(folder: Path, tuning: TuningResult) -> None:
    """Write history.json alone: what there is to write when a search was interrupted."""
    atomic.write_text(folder / HISTORY, jsontext.dump(_history_members(tuning)))


def write_missed(run: Path, missed: Sequence[NotMeasured]) -> None:
    """Write what a run was asked for and has no result of, beside the folders of what it has."""
    members = {"schema": SCHEMA, "not_measured": [to_json(one) for one in missed]}
    atomic.write_text(run / NOT_MEASURED, jsontext.dump(members))


def _head(tuning: TuningResult) -> dict[str, Any]:
    return {"schema": SCHEMA, "simulated": tuning.simulated, "problem": tuning.problem.id}


def _history_members(tuning: TuningResult) -> dict[str, Any]:
    return {
        **_head(tuning),
        "template": tuning.template,
        "backend": tuning.backend,
        "device": tuning.device,
        "seed": int(tuning.seed),
        "legal_configs": int(tuning.legal_configs),
        "seconds": float(tuning.seconds),
        "notes": [to_json(note) for note in tuning.notes],
        "trials": [_trial_members(trial, tuning) for trial in tuning.trials],
    }


def _trial_members(trial: Trial, tuning: TuningResult) -> dict[str, Any]:
    """The seed's keys, derived (a failure is 0 TFLOPS here, and only here), then ours, exact."""
    ours = to_json(trial, skip_defaults=True)
    config, outcome = ours.pop("config"), ours.pop("outcome")
    tflops = tuning.problem.tflops(trial.time_us) if trial.time_us else 0.0
    peak = tuning.confirmed.peak_tflops if tuning.confirmed else None
    derived = {
        "time_ms": trial.time_us / 1e3 if trial.time_us else -1,
        "gflops": tflops * 1e3,
        "tflops": tflops,
        "efficiency": None if peak is None and tflops else 100 * tflops / (peak or 1.0),
        "success": trial.failure is None,
    }
    return {
        "config": config,
        **jsontext.rounded(derived, DIGITS),
        **ours,
        ("failure" if trial.failure else "measurement"): outcome,
    }


def _convergence_members(tuning: TuningResult, constraints: Sequence[str]) -> dict[str, Any]:
    best, staircase = 0.0, []
    for trial in tuning.trials:
        best = max(best, tuning.problem.tflops(trial.time_us) if trial.time_us else 0.0)
        staircase.append(best)
    return {
        **_head(tuning),
        "iterations": [trial.index for trial in tuning.trials],
        "best_tflops": jsontext.rounded(staircase, DIGITS),
        "constraints_used": list(constraints),
        **to_json(tuning.convergence),
        "effects": [to_json(effect) for effect in tuning.effects],
    }


def _best_members(result: GateResult, moment: str) -> dict[str, Any]:
    tuning, confirmed = result.tuning, result.confirmation
    problem = tuning.problem
    derived = {
        "best_gflops": confirmed.tflops * 1e3 if confirmed else None,
        "best_tflops": confirmed.tflops if confirmed else None,
        "efficiency_percent": confirmed.efficiency_share * 100 if confirmed else None,
        "interval": list(confirmed.interval) if confirmed else None,
    }
    return {
        **_head(tuning),
        **({"matrix_size": problem.m} if problem.m == problem.n == problem.k else {}),
        "best_params": to_json(result.config) if result.config is not None else None,
        **jsontext.rounded(derived, DIGITS),
        "total_evaluations": len(tuning.trials),
        "successful_evaluations": len(tuning.valid),
        "timestamp": moment,
        "verdict": to_json(result.verdict),
        "policy": to_json(result.policy),
        "nodeid": result.nodeid,
        "baseline_written": result.baseline_written,
        "run_dir": result.run_dir,
        "options": list(result.options),
        "template_place": result.template_place,
        **({"variant": result.variant} if result.variant else {}),
        **({"changed_files": list(result.changed_files)} if result.changed_files else {}),
        "fingerprint": to_json(result.fingerprint) if result.fingerprint else None,
        "baseline": to_json(result.baseline) if result.baseline else None,
        **({"revision": to_json(result.revision)} if result.revision else {}),
        "confirmation": to_json(confirmed, skip_defaults=True) if confirmed else None,
    }


# --- reading ---------------------------------------------------------------------------------------------------------


def read_missed(run: Path) -> tuple[NotMeasured, ...]:
    """What :func:`write_missed` wrote; nothing where it wrote nothing. Raises RecordError for a damaged file."""
    if not (run / NOT_MEASURED).is_file():
        return ()
    document = jsontext.read_document(run / NOT_MEASURED)
    check_schema(document, SCHEMA)
    missed: tuple[NotMeasured, ...] = read_fields(document, {"not_measured": tuple[NotMeasured, ...]})["not_measured"]
    return missed


def read_run(folder: Path) -> GateResult:
    """The whole result of one problem's folder. Raises RecordError when a file is missing or damaged."""
    document = jsontext.read_document(folder / BEST_CONFIG)
    check_schema(document, SCHEMA)
    wanted = types_of(
        GateResult, "verdict", "policy", "nodeid", "baseline_written", "run_dir", "options", "fingerprint", "baseline"
    )
    later = [name for name in ("template_place", "variant", "changed_files", "revision") if name in document.data]
    wanted |= types_of(GateResult, *later)  # runs of before have none
    tuning = read_history(folder)
    if document.data.get("problem") != tuning.problem.id:
        document.refuse(f"belongs to another problem than {HISTORY} ({tuning.problem.id})", ("problem",))
    fields = read_fields(document, wanted)
    fields["options"] = tuple(map(hide_urls, fields["options"]))  # early versions wrote them as they were given
    return GateResult(tuning=tuning, **fields)


def read_history(path: Path) -> TuningResult:
    """The search that a file or folder tells of: ours, finished or not, a journal, or one in the seed's form."""
    source = _find_history(path) if path.is_dir() else path
    if source.suffix == ".jsonl":
        return _from_journal(source)
    document = jsontext.read_document(source)
    if isinstance(document.data, list):
        return seedform.read(source)
    check_schema(document, SCHEMA)
    return _tuning(document, source.parent)


def _find_history(folder: Path) -> Path:
    """The one history in a folder: a problem's, the only one of a run, or the seed's."""
    for name in (HISTORY, JOURNAL):
        if (folder / name).is_file():
            return folder / name
    if seeds := seedform.find_history(folder):
        return seeds
    below = sorted(found.parent for found in folder.glob(f"*/*/{HISTORY}"))
    if len(below) > 1:
        problems = ", ".join(str(found.relative_to(folder)) for found in below)
        raise RecordError(f"{folder}: holds {len(below)} problems; name the folder of one of them: {problems}")
    if not below:
        raise RecordError(f"{folder}: holds neither {HISTORY} nor {JOURNAL} nor {seedform.HISTORY}")
    return below[0] / HISTORY


def _tuning(document: jsontext.Document, folder: Path) -> TuningResult:
    wanted = types_of(
        TuningResult,
        *("problem", "simulated", "template", "backend", "device", "seed", "legal_configs", "seconds", "notes"),
    )
    fields = read_fields(document, wanted)
    entries = document.data.get("trials")
    if not isinstance(entries, list):
        document.refuse("a list of trials is needed", ("trials",))
    trials = tuple(_trial(document, entry, ("trials", row)) for row, entry in enumerate(entries))
    convergence, effects = _read_convergence(folder / CONVERGENCE, fields["problem"])
    return TuningResult(
        trials=trials,
        convergence=convergence,
        effects=effects,
        confirmed=_read_confirmation(folder / BEST_CONFIG, fields["problem"]),
        **fields,
    )


def _trial(document: jsontext.Document, entry: Any, keys: jsontext.Keys) -> Trial:
    fields = read_fields(document, types_of(Trial, "index", "config"), keys)
    kinds: dict[str, Any] = {"failure": Failure, "measurement": Measurement}
    kind = next((name for name in kinds if name in entry), None)
    if kind is None:
        document.refuse("neither a measurement nor a failure", keys)
    fields["outcome"] = read_value(kinds[kind], document, entry[kind], (*keys, kind))
    given = [name for name in ("origin", "expected_gain", "build_s", "device") if name in entry]
    return Trial(**fields, **read_fields(document, types_of(Trial, *given), keys))


def _read_convergence(path: Path, problem: GemmProblem) -> tuple[Convergence, tuple[Effect, ...]]:
    if not path.is_file():
        return INTERRUPTED, ()
    document = _sibling(path, problem)
    fields = read_fields(document, types_of(Convergence, "state", "reason", "checklist", "remaining_gain"))
    return Convergence(**fields), read_fields(document, types_of(TuningResult, "effects"))["effects"]


def _read_confirmation(path: Path, problem: GemmProblem) -> Confirmation | None:
    if not path.is_file():
        return None
    confirmed: Confirmation | None = read_fields(_sibling(path, problem), {"confirmation": Confirmation | None})[
        "confirmation"
    ]
    return confirmed


def _sibling(path: Path, problem: GemmProblem) -> jsontext.Document:
    document = jsontext.read_document(path)
    check_schema(document, SCHEMA)
    if document.data.get("problem") != problem.id:
        document.refuse(f"belongs to another problem than {HISTORY} ({problem.id})", ("problem",))
    return document


def _from_journal(path: Path) -> TuningResult:
    header, trials = read_journal(path)
    return TuningResult(
        problem=header.problem,
        template=header.template,
        backend=header.backend,
        device=header.device,
        simulated=header.simulated,
        trials=trials,
        convergence=INTERRUPTED,
        seed=header.seed,
    )
