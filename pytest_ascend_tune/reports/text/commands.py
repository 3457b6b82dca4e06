"""Shell commands that a report offers: run the same search again, accept a lower number."""

from __future__ import annotations

import shlex

from pytest_ascend_tune import backends
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.verdict import GateResult


def reproduce_command(result: GateResult) -> str:
    """A shell command that runs the same search again."""
    tuning = result.tuning
    if not result.nodeid:
        problem = tuning.problem
        return (
            f"ascend-tune tune --m {problem.m} --n {problem.n} --k {problem.k} --dtype {problem.dtype} "
            f"--layout {problem.layout} --backend {_backend_option(tuning)} "
            f"--max-iter {len(tuning.trials)} --seed {tuning.seed}" + _options(result).replace("--ascend-tune-", "--")
        )
    return (
        f"pytest --ascend-tune --ascend-tune-backend={_backend_option(tuning)} "
        f"--ascend-tune-max-iter={len(tuning.trials)} --ascend-tune-seed={tuning.seed}{_options(result)} "
        f"{shlex.quote(result.nodeid)}"
    )


def accept_command(result: GateResult) -> str:
    """A shell command that makes today's number the baseline although it is lower."""
    if not result.nodeid:
        return f"{reproduce_command(result)} --update-baseline --accept-regression"
    options = f"--ascend-tune --ascend-tune-backend={_backend_option(result.tuning)}"
    options += f"{_options(result)} --ascend-tune-update-baseline --ascend-tune-accept-regression"
    return f"pytest {options} {shlex.quote(result.nodeid)}"


def _options(result: GateResult) -> str:
    return "".join(f" {shlex.quote(option)}" for option in result.options)


def chip(tuning: TuningResult) -> str:
    """Name of the chip without the mark that simulated devices carry."""
    return tuning.device.removeprefix("simulated-")


def _backend_option(tuning: TuningResult) -> str:
    return backends.option(tuning.backend, tuning.device)
