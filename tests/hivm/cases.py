"""Small kernels of our own, their operands and their right results; recorded compiled in tests/data/hivm.

``python -m tests.hivm.cases PYTHON`` compiles and records them again; PYTHON has triton-ascend and ascendnpu-ir.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.chain import Chain, KernelSource, find_tools
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.program import Program
from pytest_ascend_tune.backends.hivm.views import to_bfloat16, to_float32

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "data" / "hivm"
TARGET = "Ascend910B3"
_TRITON = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "int8": "i8", "int32": "i32"}


@dataclass(frozen=True)
class Case:
    """One kernel on one problem. ``out``: type of C; ``epilogue``: of examples/triton_epilogue (None: triton_gemm)."""

    m: int
    n: int
    k: int
    tile: tuple[int, int, int]
    dtype: str = "float16"
    layout: str = "nn"
    out: str = ""
    cores: int = 2
    group: int = 1
    along_n: int = 0
    shift_k: int = 0
    epilogue: tuple[int, int, str] | None = None  # bias, scale (0 none, 1 columns, 2 rows), activation
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def result(self) -> str:
        """Type of C."""
        return self.out or ("int32" if self.dtype == "int8" and self.epilogue is None else self.dtype)

    def source(self) -> KernelSource:
        """What is compiled."""
        a, c = "*" + _TRITON[self.dtype], "*" + _TRITON[self.result]
        tile_m, tile_n, tile_k = self.tile
        shape = {"M": self.m, "N": self.n, "K": self.k, "TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k}
        common = {**shape, "CORES": self.cores, "INTEGER": int(self.dtype == "int8")}
        if self.epilogue is not None:
            bias, scale, activation = self.epilogue
            return KernelSource(
                ROOT / "examples" / "triton_epilogue" / "kernel.py",
                "gemm_epilogue",
                {"a_ptr": a, "b_ptr": a, "bias_ptr": "*fp32", "scale_ptr": "*fp32", "c_ptr": c},
                {**common, "BIAS": bias, "SCALE": scale, "ACTIVATION": activation},
            )
        swizzle = {"SWIZZLE_GROUP": self.group, "SWIZZLE_ALONG_N": self.along_n, "SHIFT_K": self.shift_k}
        transposed = {"A_TRANSPOSED": int(self.layout[0] == "t"), "B_TRANSPOSED": int(self.layout[1] == "t")}
        return KernelSource(
            ROOT / "kernel_templates" / "triton_gemm" / "kernel.py",
            "gemm",
            {"a_ptr": a, "b_ptr": a, "c_ptr": c},
            {**common, **swizzle, **transposed},
        )

    def operands(self, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
        """The arguments of the kernel, C full of garbage, and the right C: small whole numbers, so sums are exact."""
        rng = np.random.default_rng(seed)
        a = rng.integers(-3, 4, (self.m, self.k)).astype(np.float32)
        b = rng.integers(-3, 4, (self.k, self.n)).astype(np.float32)
        total = a @ b
        given = [_stored(x.T if how == "t" else x, self.dtype) for x, how in ((a, self.layout[0]), (b, self.layout[1]))]
        if self.epilogue is not None:
            with_bias, scaled, activation = self.epilogue
            bias = rng.integers(-3, 4, self.n).astype(np.float32)
            scale = rng.choice([0.5, 1.0, 2.0], self.m if scaled == 2 else self.n).astype(np.float32)
            given += [bias, scale]
            total = total * (scale[:, None] if scaled == 2 else scale) if scaled else total
            total = total + bias if with_bias else total
            total = _ACTIVATIONS[activation](total)
        right = _stored(total, self.result)
        return [*given, np.full_like(right, 99)], right

    def compile(self, chain: Chain) -> str:
        """The module in generic form."""
        return chain.compile(self.source(), target=TARGET, options=self.options).module


def _sigmoid(x: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.float32(1) / (np.float32(1) + np.exp(-x))


_ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "half": lambda x: x * np.float32(0.5),
    "gelu": lambda x: x * _sigmoid(np.float32(1.702) * x),
    "silu": lambda x: x * _sigmoid(x),
}


def _stored(values: np.ndarray, dtype: str) -> np.ndarray:
    whole = np.ascontiguousarray(values, np.float32)
    return to_bfloat16(whole) if dtype == "bfloat16" else whole.astype(dtype)


def error(got: np.ndarray, right: np.ndarray, dtype: str) -> float:
    """Largest difference, in last places of the type for floating types. 0 is bit for bit the same."""
    if (got == right).all():
        return 0.0
    if dtype == "bfloat16":
        got, right = to_float32(got), to_float32(right)
    one, other = got.astype(np.float64), right.astype(np.float64)
    if dtype.startswith("int"):
        return float(np.abs(one - other).max())
    last = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23}[dtype]
    worst = np.abs(one - other) / (last * np.maximum(np.abs(other), 2.0**-14))
    return float(worst.max()) if np.isfinite(worst).all() else float("inf")


CASES = {
    "nn_float16": Case(40, 72, 80, (32, 32, 32)),
    "nn_float16_even": Case(64, 64, 128, (32, 32, 32), group=2),
    "tt_bfloat16_shifted": Case(40, 72, 80, (32, 32, 32), "bfloat16", "tt", group=2, along_n=1, shift_k=1),
    "nt_float32_single": Case(40, 56, 40, (32, 32, 16), "float32", "nt", options={"multibuffer": False}),
    "tn_int8": Case(40, 72, 80, (32, 32, 32), "int8", "tn"),
    "bias_relu_float16": Case(40, 72, 80, (32, 32, 32), epilogue=(1, 0, "relu")),
    "bias_in_the_cube_float32": Case(40, 40, 29, (32, 32, 32), "float32", epilogue=(1, 0, "relu")),
    "gelu_bfloat16": Case(40, 72, 48, (32, 32, 32), "bfloat16", epilogue=(0, 0, "gelu")),
    "dequantised_int8": Case(40, 72, 80, (32, 32, 32), "int8", out="float16", epilogue=(1, 2, "none")),
}


def recorded(name: str) -> str:
    """The compiled module of a case as it was recorded."""
    return (RECORDED / f"{name}.mlir").read_text(encoding="utf-8")


@lru_cache
def program(name: str) -> Program:
    """The same, read: a program is frozen."""
    return read_program(recorded(name))


def main() -> None:
    with Chain(find_tools(sys.argv[1])) as chain:
        for name, case in CASES.items():
            (RECORDED / f"{name}.mlir").write_text(case.compile(chain), encoding="utf-8")


if __name__ == "__main__":
    main()
