"""What is to be predicted, as numpy columns: shapes, configurations and chips may all differ from row to row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS, Column, Parameters
from pytest_ascend_tune.model.hardware import CUBE_MACS_PER_CLOCK, HardwareSpec
from pytest_ascend_tune.model.problem import Dtype, GemmProblem


@dataclass(frozen=True, kw_only=True)
class Work(Parameters):
    """The parameters, and beside them problem and chip: columns of equal length."""

    m: Column
    n: Column
    k: Column
    element_bytes: Column
    result_bytes: Column
    macs_per_clock: Column
    k_granule: Column  # K of one fractal: 32 bytes of elements
    a_row_bytes: Column  # pitch between the rows (columns when transposed) of A in memory
    b_row_bytes: Column
    a_along_k: Column  # 1: A is contiguous along K
    b_along_k: Column
    cores: Column
    clock_mhz: Column
    l2_bytes: Column
    hbm_gbyte_per_s: Column

    def __len__(self) -> int:
        return len(self.m)

    @classmethod
    def of(cls, problem: GemmProblem, columns: Mapping[str, ArrayLike], chip: HardwareSpec) -> Work:
        """One problem on one chip with many configurations."""
        size = problem.dtype.element_bytes
        a_along_k, b_along_k = problem.layout.value[0] == "n", problem.layout.value[1] == "t"
        facts = {
            "m": problem.m,
            "n": problem.n,
            "k": problem.k,
            "element_bytes": size,
            "result_bytes": problem.dtype.result_bytes,
            "macs_per_clock": CUBE_MACS_PER_CLOCK[Dtype(problem.dtype)],
            "k_granule": 32 // size,
            "a_along_k": a_along_k,
            "b_along_k": b_along_k,
            "a_row_bytes": (problem.k if a_along_k else problem.m) * size,
            "b_row_bytes": (problem.k if b_along_k else problem.n) * size,
            "cores": chip.cube_cores,
            "clock_mhz": chip.clock_mhz,
            "l2_bytes": chip.l2_bytes,
            "hbm_gbyte_per_s": chip.hbm_gbyte_per_s,
        }
        values = {name: np.atleast_1d(np.asarray(columns[name], dtype=np.float64)) for name in PARAMETERS}
        rows = max(len(value) for value in values.values())
        values |= {name: np.array([fact], dtype=np.float64) for name, fact in facts.items()}
        return cls(**{name: np.broadcast_to(value, (rows,)) for name, value in values.items()})

    def take(self, rows: NDArray[np.intp]) -> Work:
        """The given rows."""
        return Work(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})
