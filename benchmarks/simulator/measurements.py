"""Published GEMM measurements on Ascend 910B as columns for the model.

The file (``measured_910b_open.csv``, every row with its public source) is found through the environment variable
ASCEND_TUNE_SHARED or in ``../shared`` beside the checkout.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.simulator.constants import FITTED, Constants
from pytest_ascend_tune.backends.simulator.pipeline import simulate
from pytest_ascend_tune.backends.simulator.work import Work
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout

Row = dict[str, str]

# Group of rows -> the document it comes from: what "leave one source out" leaves out.
SOURCES = {
    "A": "CATLASS docs",
    "A32": "CATLASS docs",
    "D": "CATLASS docs",
    "C": "CATLASS docs",
    "B3bas": "CATLASS 910B3",
    "B3opt": "CATLASS 910B3",
    "B4bas": "CATLASS 910B4",
    "B4old": "CATLASS 910B4",
    "B4opt": "CATLASS 910B4",
    "Esk": "CATLASS ex. 34",
    "F": "CANN 8192^3",
    "G": "CANN guide",
    "H": "PTO-ISA",
    "Ia": "pto-dsl",
    "Im": "pto-dsl",
    "J2": "pto-dsl",
    "J3": "pto-dsl",
    "J4": "pto-dsl",
    "K2": "pto-kernels",
    "K4": "pto-kernels",
}
DTYPES = {
    "fp16": Dtype.FLOAT16,
    "bf16": Dtype.BFLOAT16,
    "fp32": Dtype.FLOAT32,
    "hf32": Dtype.HFLOAT32,
    "int8": Dtype.INT8,
}
# "910B?" does not name its chip; 910B2 is the middle of the family.
DEVICES = {"910B?": "910B2", "A3 die (910C)": "910_93xx"}
# 06_optimized_matmul pads its operands on the vector cores first: a second kernel in front, which our template has not.
PADDING_KERNEL_US = 20.0


def find_data() -> Path | None:
    """The measurements file, None when it is not here."""
    shared = os.environ.get("ASCEND_TUNE_SHARED")
    root = Path(shared) if shared else Path(__file__).resolve().parents[2].parent / "shared"
    path = root / "data" / "measured_910b_open.csv"
    return path if path.is_file() else None


def load_rows() -> list[Row]:
    """All rows. Ends the program with a reason when the file is not here."""
    path = find_data()
    if path is None:
        sys.exit("measured_910b_open.csv not found: set ASCEND_TUNE_SHARED to the folder that holds data/")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def problem_of(row: Row) -> GemmProblem:
    """The problem of a row."""
    a, b, _ = row["layout"].split(",")
    layout = Layout(("n" if a == "row" else "t") + ("n" if b == "row" else "t"))
    return GemmProblem(int(row["M"]), int(row["N"]), int(row["K"]), DTYPES[row["dtype"]], layout)


def config_of(row: Row) -> dict[str, int]:
    """The nine parameters of a row; 0 where the kernel does not have one."""
    names = (
        "tile_m",
        "tile_n",
        "l1_k",
        "l0_k",
        "unit_flag",
        "shuffle_k",
        "abba",
        "swizzle_offset",
        "swizzle_direction",
    )
    values = [int(float(row[name] or 0)) for name in names]
    return dict(
        zip(
            ("tile_m", "tile_n", "l1_k", "l0_k", "enable_unit", "enable_shuffle_k", "enable_abba"),
            values[:7],
            strict=True,
        ),
        swizzle_offset=values[7],
        swizzle_direction=values[8],
    )


def device_of(row: Row) -> hardware.HardwareSpec:
    """The chip of a row."""
    return hardware.spec(DEVICES.get(row["soc"], row["soc"]))


@dataclass(frozen=True)
class Rows:
    """Measured rows with a known tile, ready for the model."""

    rows: tuple[Row, ...]
    work: Work
    measured_us: NDArray[np.float64]
    source: NDArray[np.str_]
    group: NDArray[np.str_]
    padded: NDArray[np.bool_]
    metric: NDArray[np.str_]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Rows:
        parts = [Work.of(problem_of(row), config_of(row), device_of(row)) for row in rows]
        columns = {f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Work)}
        columns["cores"] = np.array([float(row["cores"]) for row in rows])  # some sources do not use all
        columns["result_bytes"] = np.array([4.0 if row["out_dtype"] == "fp32" else 2.0 for row in rows])
        return cls(
            tuple(rows),
            Work(**columns),
            np.array([float(row["time_us"]) for row in rows]),
            np.array([SOURCES[row["grp"]] for row in rows]),
            np.array([row["grp"] for row in rows]),
            np.array([row["kernel"].startswith("06_") for row in rows]),
            np.array([row["metric"] for row in rows]),
        )

    def where(self, wanted: Callable[[Row], bool] | NDArray[np.bool_]) -> Rows:
        """The rows for which `wanted` holds."""
        if callable(wanted):
            wanted = np.array([wanted(row) for row in self.rows])
        index = np.flatnonzero(wanted)
        kept = tuple(self.rows[i] for i in index)
        columns = (self.measured_us, self.source, self.group, self.padded, self.metric)
        return Rows(kept, self.work.take(index), *(column[index] for column in columns))

    def predict(self, constants: Constants = FITTED, padding_us: float = PADDING_KERNEL_US) -> NDArray[np.float64]:
        """Times as each source measured them: whole task, without the launch (aic), or the MTE2 pipe alone (mte2)."""
        timeline = simulate(self.work, constants)
        launched = np.where(self.metric == "aic", 0.4, 1.0) * timeline.launch_us + self.padded * padding_us
        loading = np.maximum.reduce([timeline.busy_load_us, timeline.busy_l2_us, timeline.busy_hbm_us])
        return np.where(self.metric == "mte2", loading, timeline.total_us - timeline.launch_us + launched)


def fit_rows() -> Rows:
    """The rows that the model is fitted on: tile known, one plain GEMM, B not in the zN layout (we do not offer it)."""
    return Rows.of(
        [row for row in load_rows() if row["use"] == "fit" and row["known_tile"] == "1" and "zN" not in row["layout"]]
    )
