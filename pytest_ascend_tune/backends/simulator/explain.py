"""Where a predicted time goes, where it stands on the roofline, and what one step of each parameter would change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pytest_ascend_tune.backends.simulator.legality import why_illegal
from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS, TABLE
from pytest_ascend_tune.backends.simulator.pipeline import hbm_gbyte_per_s, simulate
from pytest_ascend_tune.backends.simulator.prediction import Prediction, check, columns_of, predict, predict_many
from pytest_ascend_tune.backends.simulator.work import Work
from pytest_ascend_tune.model.problem import GemmProblem


@dataclass(frozen=True)
class Step:
    """One parameter moved by one step. ``time_ratio``: predicted time / time before, None when illegal (`because`)."""

    parameter: str
    before: int
    after: int
    time_ratio: float | None
    because: str = ""


@dataclass(frozen=True)
class Roofline:
    """The point and the roof: rates in TFLOPS (TOPS for int8), intensity in operations per byte of HBM traffic."""

    intensity: float
    achieved_tflops: float
    peak_tflops: float
    hbm_gbyte_per_s: float  # sustained
    hbm_bytes: float

    @property
    def ridge(self) -> float:
        """Intensity at which the roof's two parts meet."""
        return self.peak_tflops * 1e3 / self.hbm_gbyte_per_s

    @property
    def roof_tflops(self) -> float:
        """What the roof allows at the point's intensity."""
        return min(self.peak_tflops, self.intensity * self.hbm_gbyte_per_s / 1e3)


@dataclass(frozen=True)
class Explanation:
    """A prediction taken apart. ``parts`` add up to the predicted time, ``busy`` are times of units that overlap."""

    problem: GemmProblem
    config: Mapping[str, int]
    prediction: Prediction
    parts: tuple[tuple[str, float], ...]
    busy: tuple[tuple[str, float], ...]
    tiles: int
    cores: int
    rounds: int  # tiles that a core computes one after the other
    roofline: Roofline
    steps: tuple[Step, ...]


def explain(problem: GemmProblem, config: Mapping[str, int | str], device: str = "910B1") -> Explanation:
    """Take the prediction of one configuration apart. Raises what :func:`predict` raises."""
    prediction = predict(problem, config, device)
    chip = check(problem, device)
    work = Work.of(problem, columns_of([config]), chip)
    timeline = simulate(work)
    values = {name: int(config[name]) for name in PARAMETERS}
    tiles = -(-problem.m // values["tile_m"]) * -(-problem.n // values["tile_n"])
    hbm_bytes = float(timeline.hbm_bytes[0])
    return Explanation(
        problem,
        values,
        prediction,
        parts=tuple(
            (name, float(getattr(timeline, f"{name}_us")[0]))
            for name in ("launch", "cube", "mte1", "mte2", "fixpipe", "waiting")
        ),
        busy=(
            ("HBM", float(timeline.busy_hbm_us[0])),
            ("L2", float(timeline.busy_l2_us[0])),
            ("MTE2", float(timeline.busy_load_us[0])),
            ("MTE1", float(timeline.busy_mte1_us[0])),
            ("cube", float(timeline.cube_us[0])),
            ("FixPipe", float(timeline.busy_fixpipe_us[0])),
        ),
        tiles=tiles,
        cores=chip.cube_cores,
        rounds=-(-tiles // chip.cube_cores),
        roofline=Roofline(
            problem.flops / hbm_bytes,
            prediction.tflops,
            chip.peak_tflops(problem.dtype),
            float(hbm_gbyte_per_s(work)[0]),
            hbm_bytes,
        ),
        steps=tuple(_steps(problem, values, device, prediction.time_us)),
    )


def _steps(problem: GemmProblem, values: Mapping[str, int], device: str, time_us: float) -> list[Step]:
    chip = check(problem, device)
    moves = [
        (name, after)
        for name, parameter in TABLE.items()
        for after in (
            max((value for value in parameter.ladder if value < values[name]), default=None),
            min((value for value in parameter.ladder if value > values[name]), default=None),
        )
        if after is not None
    ]
    moved = [{**values, name: after} for name, after in moves]
    times = predict_many(problem, moved, device)
    return [
        Step(name, values[name], after, None, why_illegal(columns_of([config]), problem.dtype, chip) or "")
        if np.isnan(time)
        else Step(name, values[name], after, float(time) / time_us)
        for (name, after), config, time in zip(moves, moved, times, strict=True)
    ]
