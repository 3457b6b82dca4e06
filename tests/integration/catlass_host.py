"""Builds and runs the host binding of kernel_templates/catlass_gemm for tests: many configurations in one library."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import numpy as np

from pytest_ascend_tune.backends.accuracy import full_check
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout

FOLDER = Path(str(resources.files("pytest_ascend_tune.kernel_templates"))) / "catlass_gemm"
FLAGS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
ORDER = (
    "tile_m",
    "tile_n",
    "l1_k",
    "l0_k",
    "enable_unit",
    "enable_shuffle_k",
    "enable_abba",
    "swizzle_offset",
    "swizzle_direction",
)
# Act of host.hpp
LOAD_A, LOAD_B, FEED_A, FEED_B, MULTIPLY, STORE, SET, WAIT = range(8)


def config_of(*values: int) -> dict[str, int]:
    """A configuration from its nine values in ORDER."""
    return dict(zip(ORDER, values, strict=True))


@dataclass(frozen=True)
class Case:
    """A configuration, dtype and layout; `edit`: (text, what it becomes) in gemm.hpp's class Gemm."""

    config: Mapping[str, int]
    dtype: Dtype = Dtype.FLOAT16
    layout: Layout = Layout.NN
    edit: tuple[str, str] | None = None

    @property
    def arguments(self) -> str:
        tiling = ", ".join(str(self.config[name]) for name in ORDER)
        return f"Tiling<{tiling}>, Dtype::{self.dtype.name}, Layout::{self.layout.name}"

    def __str__(self) -> str:
        values = "-".join(str(self.config[name]) for name in ORDER)
        return f"{self.dtype}-{self.layout}-{values}"


@dataclass(frozen=True)
class Run:
    """What one emulated product gave."""

    fault: str
    c: np.ndarray = field(repr=False)
    trace: np.ndarray = field(repr=False)  # (operations, 9): core, pipe, act, six arguments


class HostLibrary:
    """A library of several cases, chosen by number."""

    def __init__(self, path: Path, cases: Sequence[Case]) -> None:
        self.cases = tuple(cases)
        self._library = ctypes.CDLL(str(path))
        self._library.ascend_tune_host_fault.restype = ctypes.c_char_p
        self._library.ascend_tune_host_trace.restype = ctypes.c_uint64

    @classmethod
    def build(cls, folder: Path, cases: Sequence[Case]) -> HostLibrary:
        source, output = folder / "cases.cpp", folder / "cases.so"
        source.write_text(source_of(cases))
        subprocess.run(
            ["g++", *FLAGS, "-Wno-unused-parameter", f"-I{FOLDER}", str(source), "-o", str(output)],
            check=True,
            timeout=300,
        )
        return cls(output, cases)

    def run(self, number: int, shape: tuple[int, int, int], *, cores: int = 3, schedule: int = 0, seed: int = 0) -> Run:
        case = self.cases[number]
        problem = GemmProblem(*shape, case.dtype, case.layout)
        a, b = operands(problem, seed)
        c = empty_result(problem)
        select = ctypes.c_uint32.in_dll(self._library, "selected_case")
        select.value = number
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (a, b, c))
        code = self._library.ascend_tune_host_run(cores, *pointers, *shape, schedule)
        fault = self._library.ascend_tune_host_fault().decode()
        assert bool(code) == bool(fault)
        trace = np.zeros((self._library.ascend_tune_host_trace(None), 9), dtype=np.uint32)
        self._library.ascend_tune_host_trace(trace.ctypes.data_as(ctypes.c_void_p))
        return Run(fault, c, trace)

    def check(self, number: int, shape: tuple[int, int, int], **how: int) -> Run:
        """Run, expect no fault, and compare every element with a float64 product."""
        case = self.cases[number]
        run = self.run(number, shape, **how)
        assert run.fault == "", f"{case} at {shape} with {how}: {run.fault}"
        problem = GemmProblem(*shape, case.dtype, case.layout)
        a, b = operands(problem, how.get("seed", 0))
        a, b = as_matrix(a, problem, "a"), as_matrix(b, problem, "b")
        full_check(a, b, as_numbers(run.c, case.dtype), case.dtype)
        return run


def source_of(cases: Sequence[Case]) -> str:
    """One translation unit with all cases; edited loops get a namespace of their own."""
    loop = re.search(r"^template <class Tiling, class Binding>\nclass Gemm \{.*?^\};\n", gemm_text(), re.S | re.M)
    assert loop
    lines = ['#include "host.hpp"', ""]
    branches = []
    for number, case in enumerate(cases):
        arguments = case.arguments
        if case.edit:
            old, new = case.edit
            assert loop[0].count(old) == 1, f"{old!r} occurs {loop[0].count(old)} times in class Gemm"
            text = loop[0].replace(old, new)
            lines += [f"namespace edited_{number} {{", "using namespace ascend_tune;", text, "}", ""]
            arguments += f", edited_{number}::Gemm"
        branches.append(f"    case {number}: return emulate<{arguments}>(shape, operands, cores, schedule);")
    lines += [
        'extern "C" { uint32_t selected_case = 0; }',
        "namespace ascend_tune {",
        "Machine run_host(Shape const& shape, Operands const& operands, uint32_t cores, uint32_t schedule) {",
        "  switch (selected_case) {",
        *branches,
        "  }",
        "  __builtin_trap();",
        "}",
        "}",
        '#include "host_entry.hpp"',
        "",
    ]
    return "\n".join(lines)


def gemm_text() -> str:
    return (FOLDER / "gemm.hpp").read_text()


def operands(problem: GemmProblem, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A and B as they lie in memory, mean zero."""
    random = np.random.default_rng(seed)
    made = []
    for transposed, (rows, columns) in (
        (problem.layout.value[0] == "t", (problem.m, problem.k)),
        (problem.layout.value[1] == "t", (problem.k, problem.n)),
    ):
        shape = (columns, rows) if transposed else (rows, columns)
        if problem.dtype is Dtype.INT8:
            made.append(random.integers(-128, 128, shape, dtype=np.int8))
        elif problem.dtype is Dtype.BFLOAT16:
            made.append((random.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16))
        else:
            kind = np.float16 if problem.dtype is Dtype.FLOAT16 else np.float32
            made.append(random.standard_normal(shape).astype(kind))
    return made[0], made[1]


def empty_result(problem: GemmProblem) -> np.ndarray:
    """C before the product: nothing in it is a possible result by chance."""
    shape = (problem.m, problem.n)
    kinds = {Dtype.INT8: np.int32, Dtype.FLOAT16: np.float16, Dtype.BFLOAT16: np.uint16}
    kind = kinds.get(problem.dtype, np.float32)
    return np.full(shape, np.nan if np.issubdtype(kind, np.floating) else 0x7FC1, dtype=kind)


def as_numbers(array: np.ndarray, dtype: Dtype) -> np.ndarray:
    """bfloat16 words as float32, everything else as it is."""
    return (array.astype(np.uint32) << 16).view(np.float32) if dtype is Dtype.BFLOAT16 else array


def as_matrix(array: np.ndarray, problem: GemmProblem, which: str) -> np.ndarray:
    """An operand as (rows, columns) of numbers, whatever its layout."""
    letter = problem.layout.value["ab".index(which)]
    numbers = as_numbers(array, problem.dtype)
    return numbers.T if letter == "t" else numbers
