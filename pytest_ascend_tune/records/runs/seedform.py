"""Reads a tuning that was recorded in the seed's form: a bare list of trials, its best configuration beside it.

The seed (AutoTuner in emprorsky/Simulation-of-Microscopic-Typical-Matrix-Computation-Patterns) writes the list to
``log/`` and the best configuration to ``results/``; both are also found in one folder. A list entry has config, time_ms
(-1 when failed), gflops, tflops, efficiency (percent), success. What a list does not hold stays unknown: device, seed,
state.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pytest_ascend_tune.files.jsontext import Document, Keys, read_document
from pytest_ascend_tune.model.errors import ProblemError, RecordError
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Origin, Trial, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.records.format.codec import read_fields

HISTORY = "jit_optimization_history_v2.json"
BEST_CONFIG = "jit_best_config_v2.json"
UNKNOWN = "unknown"
AGREEMENT_SHARE = (
    0.02  # time x rate may differ from the problem's operations by so much: both were rounded when printed
)
NOT_JUDGED = Convergence(
    ConvergenceState.BUDGET_EXHAUSTED,
    Text.of("Recorded by a tool that uses up its rounds and does not judge."),
)


def find_history(folder: Path) -> Path | None:
    """The seed's history in a folder of its results, None when there is none."""
    places = (folder, folder / "log", folder.parent / "log")
    return next((place / HISTORY for place in places if (place / HISTORY).is_file()), None)


def read(path: Path) -> TuningResult:
    """The search in a history list. Raises RecordError.

    The problem comes from ``matrix_size`` of the best configuration where that is found; else it is inferred: the
    square problem whose operations are rate x time. float16, both operands row-major, as the seed's kernel is.
    """
    document = read_document(path)
    if not isinstance(document.data, list):
        document.refuse("a list of trials is needed")
    entries = [_read_entry(document, (row,)) for row in range(len(document.data))]
    problem = _named_problem(path.parent) or _inferred_problem(document, entries)
    trials = tuple(_trial(document, row, entry, problem) for row, entry in enumerate(entries))
    state = NOT_JUDGED if any(trial.failure is None for trial in trials) else _NOTHING_VALID
    return TuningResult(
        problem=problem,
        template=UNKNOWN,
        backend=UNKNOWN,
        device=UNKNOWN,
        simulated=False,
        trials=trials,
        convergence=state,
    )


_NOTHING_VALID = Convergence(ConvergenceState.NOTHING_VALID, Text.of("No trial succeeded."))


def _read_entry(document: Document, keys: Keys) -> dict[str, Any]:
    wanted = {"config": Config, "time_ms": float, "gflops": float, "success": bool}
    fields = read_fields(document, wanted, keys)
    if fields["success"] and (fields["time_ms"] <= 0 or fields["gflops"] <= 0):
        document.refuse("a successful trial needs time_ms and gflops above 0", keys)
    return fields


def _named_problem(folder: Path) -> GemmProblem | None:
    places = (folder, folder / "results", folder.parent / "results")
    path = next((place / BEST_CONFIG for place in places if (place / BEST_CONFIG).is_file()), None)
    if path is None:
        return None
    document = read_document(path)
    size = read_fields(document, {"matrix_size": int})["matrix_size"]
    try:
        return GemmProblem(size, size, size, Dtype.FLOAT16)
    except ProblemError as error:
        document.refuse(str(error), ("matrix_size",))


def _inferred_problem(document: Document, entries: list[dict[str, Any]]) -> GemmProblem:
    """The roundest size among those that all trials allow: printed times are rounded, real sizes are round."""
    sizes = sorted((entry["gflops"] * entry["time_ms"] * 1e6 / 2) ** (1 / 3) for entry in entries if entry["success"])
    if not sizes:
        raise RecordError(
            f"{document.path}: no successful trial tells which problem was tuned;"
            f" put {BEST_CONFIG} (with matrix_size) beside it"
        )
    if not 1 <= sizes[len(sizes) // 2] < 1e7 or sizes[-1] > sizes[0] * (1 + AGREEMENT_SHARE):
        document.refuse("time_ms and gflops of the trials do not belong to one square problem")
    low, high = math.ceil(sizes[0] - 1e-3), math.floor(sizes[-1] + 1e-3)
    allowed = range(low, high + 1) or [round(sizes[len(sizes) // 2])]
    size = max(allowed, key=lambda size: size & -size)
    return GemmProblem(size, size, size, Dtype.FLOAT16)


def _trial(document: Document, row: int, entry: dict[str, Any], problem: GemmProblem) -> Trial:
    """One sample per trial: the time that belongs to the recorded rate, so that the rate drawn is the recorded one."""
    if not entry["success"]:
        outcome: Measurement | Failure = Failure(FailureKind.BUILD_ERROR, "failed; no reason recorded")
    else:
        recorded_flops = entry["gflops"] * entry["time_ms"] * 1e6
        if abs(recorded_flops / problem.flops - 1) > 3 * AGREEMENT_SHARE:
            needed = f"{problem.id} has {problem.flops:.4g}"
            document.refuse(f"time_ms x gflops is {recorded_flops:.4g} operations; {needed}", (row,))
        outcome = Measurement((problem.flops / entry["gflops"] / 1e3,))
    return Trial(index=row + 1, config=entry["config"], outcome=outcome, origin=Origin.MODEL)
