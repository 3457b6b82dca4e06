"""The parameters of the simulated kernel, one row each. A new one starts here: columns, rules, prior, explanation and
the stand-in for the vendor's library take it from its row. What it does to the time stands in schedule.py and
pipeline.py, a rule that joins several parameters in legality.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]


@dataclass(frozen=True)
class Parameter:
    """``because``: the rule that every value ``allowed`` obeys; ``grid``: values that the prior combines; ``ladder``:
    values that an explanation steps through, one between two of them to its neighbours; ``usual``: a library's choice.
    """

    because: str
    allowed: Callable[[Column], NDArray[np.bool_]]
    grid: tuple[int, ...]
    ladder: tuple[int, ...]
    usual: int


def _size(grid: tuple[int, ...], usual: int) -> Any:
    """A tile or a depth, in elements."""
    because, ladder = "is a multiple of 16, at least 16", tuple(2**power for power in range(4, 11))
    return _row(Parameter(because, lambda size: (size >= 16) & (size % 16 == 0), grid, ladder, usual))


def _switch(usual: int) -> Any:
    return _row(Parameter("is 0 or 1", lambda value: np.isin(value, (0, 1)), (0, 1), (0, 1), usual))


def _count(grid: tuple[int, ...], usual: int) -> Any:
    because, ladder = "is a whole number, at least 1", tuple(range(1, 9))
    return _row(Parameter(because, lambda count: (count >= 1) & (count == np.floor(count)), grid, ladder, usual))


def _row(parameter: Parameter) -> Any:
    return field(metadata={"parameter": parameter})


@dataclass(frozen=True)
class Parameters:
    """Columns of equal length, and in the fields' metadata the table. The grid is that of catlass_gemm, extended by
    small tiles for small shapes. ``swizzle_offset`` 0 is plain row-major order (only published kernels use it).
    """

    tile_m: Column = _size((16, 32, 64, 128, 256), usual=128)
    tile_n: Column = _size((16, 32, 64, 128, 256), usual=256)
    l1_k: Column = _size((64, 128, 256, 512), usual=256)
    l0_k: Column = _size((16, 32, 64, 128, 256), usual=64)
    enable_unit: Column = _switch(usual=1)
    enable_shuffle_k: Column = _switch(usual=1)
    enable_abba: Column = _switch(usual=0)
    swizzle_offset: Column = _count((1, 2, 3, 4), usual=3)
    swizzle_direction: Column = _switch(usual=0)


TABLE: Mapping[str, Parameter] = {row.name: row.metadata["parameter"] for row in fields(Parameters)}
PARAMETERS = tuple(TABLE)
