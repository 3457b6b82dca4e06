"""Which configurations the kernel can be compiled for: the rules of catlass_gemm's space.toml, over columns.

That file decides what a search tries; a test keeps both in step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.simulator.parameters import TABLE, Column, Parameter
from pytest_ascend_tune.model.hardware import HardwareSpec
from pytest_ascend_tune.model.problem import Dtype

Columns = Mapping[str, Column]

ACCUMULATOR_BYTES = 4  # float32, int32 for int8

_Rule = tuple[str, Callable[[Columns, int, HardwareSpec], NDArray[np.bool_]]]


def _values(name: str, parameter: Parameter) -> _Rule:
    return f"{name} {parameter.because}", lambda c, s, h: parameter.allowed(c[name])


# Reason for refusing, and the rule that has to hold: (columns, bytes of an element, chip).
_RULES: tuple[_Rule, ...] = (
    *(_values(name, parameter) for name, parameter in TABLE.items()),
    (
        "2 * (tile_m + tile_n) * l1_k elements fit into L1",
        lambda c, s, h: 2 * (c["tile_m"] + c["tile_n"]) * c["l1_k"] * s <= h.l1_bytes,
    ),
    ("2 * tile_m * l0_k elements fit into L0A", lambda c, s, h: 2 * c["tile_m"] * c["l0_k"] * s <= h.l0a_bytes),
    ("2 * tile_n * l0_k elements fit into L0B", lambda c, s, h: 2 * c["tile_n"] * c["l0_k"] * s <= h.l0b_bytes),
    (
        "tile_m * tile_n accumulators fit into L0C",
        lambda c, s, h: c["tile_m"] * c["tile_n"] * ACCUMULATOR_BYTES <= h.l0c_bytes,
    ),
    ("l0_k is at most l1_k", lambda c, s, h: c["l0_k"] <= c["l1_k"]),
    ("l1_k is a multiple of l0_k", lambda c, s, h: c["l1_k"] % c["l0_k"] == 0),
    (
        "rows of tile_m, tile_n and l0_k elements are multiples of 32 bytes",
        lambda c, s, h: np.all([c[name] * s % 32 == 0 for name in ("tile_m", "tile_n", "l0_k")], axis=0),
    ),
    ("enable_unit is 0 for int8", lambda c, s, h: (s > 1) | (c["enable_unit"] == 0)),
)


def legal(columns: Columns, dtype: Dtype, chip: HardwareSpec) -> NDArray[np.bool_]:
    """Which rows can be compiled."""
    size = dtype.element_bytes
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.all(np.broadcast_arrays(*(rule(columns, size, chip) for _, rule in _RULES)), axis=0))


def why_illegal(columns: Columns, dtype: Dtype, chip: HardwareSpec) -> str | None:
    """The first rule that a single configuration (columns of one row) breaks, None when it is legal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return next((because for because, rule in _RULES if not np.all(rule(columns, dtype.element_bytes, chip))), None)
