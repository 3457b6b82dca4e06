"""Builds and runs cpu_gemm kernels directly, without the cpu backend: these tests are about the kernel's source."""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem

TEMPLATE, SPACE = load_template("cpu_gemm")
FACTS = {"l1d_bytes": 48 << 10, "l2_bytes": 2 << 20, "threads": 2}  # a recent server core
DRIVER = Path(__file__).with_name("cpu_gemm_driver.cpp")
SHAPE = (777, 1111, 513)
BF16 = "-DDTYPE_BFLOAT16"
ODD_SHAPES = ((1, 1, 1), (1, 300, 7), (129, 1, 65), (17, 33, 129), (100, 70, 300), (257, 129, 97), (13, 600, 40))

Run = tuple[int, int, int, int, int, int]  # m n k a_transposed b_transposed threads


def random_configs(count: int, seed: int, dtype: Dtype = Dtype.FLOAT32) -> list[Config]:
    rows = SPACE.bind(FACTS).candidates(GemmProblem(*SHAPE, dtype))
    return [rows.config(int(row)) for row in np.random.default_rng(seed).choice(len(rows), count, replace=False)]


def runs(shapes: Iterable[tuple[int, int, int]], threads: Sequence[int] = (1, 2)) -> list[Run]:
    return [(*shape, *rest) for shape in shapes for rest in itertools.product((0, 1), (0, 1), threads)]


def compiler() -> str:
    found = os.environ.get("CXX") or shutil.which("g++")
    if not found:
        pytest.skip("no C++ compiler: install g++, or set CXX")
    return found


def compile_kernel(
    folder: Path, config: Mapping[str, int | str], *options: str, driver: bool = False, cxx: str = ""
) -> Path:
    """A shared object, or with `driver` an executable that checks the kernel."""
    for name, text in TEMPLATE.files:
        (folder / name).write_text(text)
    target = folder / f"kernel-{abs(hash((Config(config), options, driver)))}"
    mode = [str(DRIVER)] if driver else ["-shared", "-fPIC"]
    command = [cxx or compiler(), "-O3", *options, *TEMPLATE.macros(Config(config)), "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run(
        [*command, str(folder / TEMPLATE.source), *mode, "-o", str(target)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return target


def check_with_driver(executable: Path, wanted: Sequence[Run], *launcher: str) -> None:
    arguments = [str(value) for run in wanted for value in run]
    done = subprocess.run([*launcher, str(executable), *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "right"), done.stdout + done.stderr


class Kernel:
    """A loaded kernel, called with numpy matrices."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._gemm = self._library.ascend_tune_gemm
        self._gemm.argtypes = [ctypes.c_int] * 5 + [ctypes.c_void_p] * 3 + [ctypes.c_int]
        self._ns = (ctypes.c_long * 64).in_dll(self._library, "ascend_tune_thread_ns")

    def __call__(self, a: np.ndarray, b: np.ndarray, c: np.ndarray, run: Run) -> int:
        m, n, k, a_transposed, b_transposed, threads = run
        pointers = (matrix.ctypes.data for matrix in (a, b, c))
        return int(self._gemm(m, n, k, a_transposed, b_transposed, *pointers, threads))

    @property
    def thread_ns(self) -> list[int]:
        return list(self._ns)

    def release(self) -> None:
        self._library.ascend_tune_release()
