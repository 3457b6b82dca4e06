"""The public face of the model: one prediction, many predictions, and the shapes that it refuses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_ascend_tune.backends.simulator.legality import legal, why_illegal
from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS
from pytest_ascend_tune.backends.simulator.pipeline import simulate
from pytest_ascend_tune.backends.simulator.work import Work
from pytest_ascend_tune.model.errors import ProblemError, SpaceError
from pytest_ascend_tune.model.hardware import HardwareSpec, spec
from pytest_ascend_tune.model.problem import Dtype, GemmProblem

# measured / predicted of published rows whose source was left out of the fit: 90 % lie within these factors.
# Source: benchmarks/simulator/fit.py, "Leave one source out".
BAND = (0.74, 1.29)
# Few (float32) or no (int8, hfloat32) rows with a known tile: the band is raised to this power, which is a judgement,
# not a measurement.
BAND_WIDENING = {Dtype.FLOAT32: 1.25, Dtype.HFLOAT32: 1.5, Dtype.INT8: 1.5}

CHUNK_ROWS = 16384  # predicted at a time, so that the columns stay in the processor's cache

# The model is about the cube unit. Below these sizes a product is a matrix-vector product, bound by other things: on 50
# published GEMV rows the model's median error is 46 %.
MIN_M, MIN_N, MIN_K = 2, 16, 16


@dataclass(frozen=True)
class Prediction:
    """A simulated time; the band low_us .. high_us held 90 % of the published measurements that a fit had not seen."""

    time_us: float
    tflops: float
    low_us: float
    high_us: float
    device: str = ""
    simulated: bool = True


def why_outside(problem: GemmProblem) -> str | None:
    """Why the model says nothing about a problem, None when it does."""
    for name, size, least in (("m", problem.m, MIN_M), ("n", problem.n, MIN_N), ("k", problem.k, MIN_K)):
        if size < least:
            return (
                f"{problem.id} is outside the simulator's domain: {name}={size}, at least {least} is needed. "
                "Matrix-vector products are bound by other things than the cube unit; measure them on a board"
            )
    return None


def check(problem: GemmProblem, device: str) -> HardwareSpec:
    """The chip, when the model can say something about the problem. Raises ProblemError, SettingsError."""
    if not isinstance(problem, GemmProblem):
        raise ProblemError(f"problem={problem!r} is a {type(problem).__name__}; a GemmProblem is needed")
    if because := why_outside(problem):
        raise ProblemError(because)
    chip = spec(device)
    if problem.operand_bytes > chip.hbm_bytes:
        raise ProblemError(
            f"{problem.id} needs {problem.operand_bytes / 2**30:.1f} GiB of memory for A, B and C; "
            f"{chip.name} has {chip.hbm_bytes / 2**30:.1f} GiB"
        )
    return chip


def columns_of(configs: Mapping[str, ArrayLike] | Sequence[Mapping[str, int | str]]) -> dict[str, NDArray[np.float64]]:
    """The parameters as columns. Raises SpaceError for a missing or unknown one, or a value that is no number."""
    one_each = isinstance(configs, Sequence) and all(isinstance(config, Mapping) for config in configs)
    if not isinstance(configs, Mapping) and not one_each:
        raise SpaceError("a configuration is a mapping of the parameters' names to their values")
    if isinstance(configs, Mapping):
        names, columns = set(configs), dict(configs)
    else:
        names = {name for config in configs for name in config}
        if any(len(config) != len(names) for config in configs):
            raise SpaceError("the configurations do not have the same parameters")
        columns = {name: [config[name] for config in configs] for name in names}
    if missing := [name for name in PARAMETERS if name not in names]:
        raise SpaceError(f"the simulator needs the parameters {', '.join(PARAMETERS)}; missing: {', '.join(missing)}")
    if unknown := sorted(names - set(PARAMETERS)):
        raise SpaceError(f"the simulator does not know {', '.join(unknown)}; its parameters: {', '.join(PARAMETERS)}")
    try:
        return {name: np.atleast_1d(np.asarray(columns[name], dtype=np.float64)) for name in PARAMETERS}
    except (TypeError, ValueError) as error:
        raise SpaceError(f"the simulator's parameters are numbers: {error}") from error


def predict_many(
    problem: GemmProblem,
    configs: Mapping[str, ArrayLike] | Sequence[Mapping[str, int | str]],
    device: str = "910B1",
) -> NDArray[np.float64]:
    """Predicted times in us, one for each configuration, NaN for an illegal one.

    `configs` are columns (name -> values) of the parameters, or a sequence of configurations.
    """
    chip = check(problem, device)
    columns = columns_of(configs)
    fine = np.atleast_1d(legal(columns, problem.dtype, chip))
    times = np.full(fine.shape, math.nan)
    rows = np.flatnonzero(fine)
    for start in range(0, len(rows), CHUNK_ROWS):
        chunk = rows[start : start + CHUNK_ROWS]
        chosen = {name: np.broadcast_to(column, fine.shape)[chunk] for name, column in columns.items()}
        times[chunk] = simulate(Work.of(problem, chosen, chip)).total_us
    return times


def predict(problem: GemmProblem, config: Mapping[str, int | str], device: str = "910B1") -> Prediction:
    """What the model says about one configuration of catlass_gemm (all nine parameters), with its error band.

    Raises SpaceError for a configuration that does not fit the chip, ProblemError for a shape outside the model's
    domain, SettingsError for an unknown device.
    """
    chip = check(problem, device)
    columns = columns_of([config])
    if because := why_illegal(columns, problem.dtype, chip):
        listed = ", ".join(f"{name}={config[name]}" for name in PARAMETERS)
        raise SpaceError(f"{listed} cannot run on {chip.name} in {problem.dtype}: it must hold that {because}")
    time_us = float(simulate(Work.of(problem, columns, chip)).total_us[0])
    low, high = band_us(problem, time_us, chip)
    return Prediction(time_us, problem.tflops(time_us), low, high, chip.name)


def band_us(problem: GemmProblem, time_us: float, chip: HardwareSpec) -> tuple[float, float]:
    """The stated error band around a predicted time.

    It ends at the peak, which no measurement passes: the model's error cannot make a kernel faster than the chip.
    """
    widening = BAND_WIDENING.get(problem.dtype, 1.0)
    at_peak_us = problem.flops / chip.peak_tflops(problem.dtype) / 1e6
    return max(at_peak_us, time_us * BAND[0] ** widening), time_us * BAND[1] ** widening
