"""Operands of one problem in the cpu worker: A and B from a fixed seed, read-only; C; guard pages round all three."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytest_ascend_tune.backends.accuracy import FreivaldsCheck, Matrix, full_check
from pytest_ascend_tune.backends.guarded import GuardedArray
from pytest_ascend_tune.errors import WrongResultError
from pytest_ascend_tune.model import Dtype, GemmProblem

_SEED = 20250
# How the elements of A and B are stored, and those of C. A new dtype of the cpu backend starts here.
STORED: dict[Dtype, tuple[type[Any], type[Any]]] = {Dtype.FLOAT32: (np.float32, np.float32)}


class Operands:
    """A (m, k), B (k, n) and C (m, n) of a problem, uniform in [-1, 1). Raises MemoryError."""

    def __init__(self, problem: GemmProblem) -> None:
        self.problem = problem
        stored, result = STORED[problem.dtype]
        random = np.random.default_rng((_SEED, problem.m, problem.n, problem.k))
        try:
            self._a = _random_matrix(problem.m, problem.k, stored, random, transposed=problem.layout[0] == "t")
            self._b = _random_matrix(problem.k, problem.n, stored, random, transposed=problem.layout[1] == "t")
            self._c = GuardedArray((problem.m, problem.n), result)
        except OSError as error:  # mmap
            raise MemoryError(f"A, B and C of {problem.id} need {problem.operand_bytes >> 20} MiB") from error
        self.a: Matrix = self._a.array.T if problem.layout[0] == "t" else self._a.array
        self.b: Matrix = self._b.array.T if problem.layout[1] == "t" else self._b.array
        self.c: Matrix = self._c.array
        self.addresses = (self._a.address, self._b.address, self._c.address)
        self.bytes = self._a.bytes + self._b.bytes + self._c.bytes
        self._freivalds = FreivaldsCheck(self.a, self.b, problem.dtype, seed=_SEED)

    def poison(self) -> None:
        """Fill C so that an element that is not written shows."""
        self.c.fill(np.nan)

    def check(self, *, thorough: bool) -> None:
        """Raise WrongResultError when C is not the product of A and B."""
        self._freivalds.check(self.c)
        if thorough:
            full_check(self.a, self.b, self.c, self.problem.dtype)

    def check_borders(self) -> None:
        """Raise WrongResultError when something was written in front of an operand (behind it, that is a crash)."""
        if not self._c.is_intact():
            raise WrongResultError("the kernel wrote in front of the first element of C")


def _random_matrix(
    rows: int, columns: int, dtype: type[Any], random: np.random.Generator, *, transposed: bool
) -> GuardedArray:
    """Stored row by row, or column by column when transposed."""
    guarded = GuardedArray((columns, rows) if transposed else (rows, columns), dtype)
    random.random(out=guarded.array, dtype=dtype)
    guarded.array *= 2
    guarded.array -= 1
    guarded.make_read_only()
    return guarded
