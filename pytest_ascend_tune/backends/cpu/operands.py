"""Operands of one problem in the cpu worker: A and B from a seed, read-only; C; guard pages round all three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.accuracy import VECTORS, FreivaldsCheck, Matrix, full_check
from pytest_ascend_tune.backends.guarded import GuardedArray
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem

_SEED = 20250
_STRIP_ELEMENTS = 1 << 18  # random values made at once: 1 MiB, beside what kernels may have taken of the memory


@dataclass(frozen=True)
class Storage:
    """How the elements of a dtype lie in memory. A new dtype of the cpu backend starts here."""

    type: type[Any]
    nan: float | int
    encode: Callable[[Matrix], Matrix]  # from float32
    decode: Callable[[Matrix], Matrix]  # to float32


def _upper_half(matrix: Matrix) -> Matrix:
    return (matrix.view(np.uint32) >> 16).astype(np.uint16)


def _from_upper_half(matrix: Matrix) -> Matrix:
    return (matrix.astype(np.uint32) << 16).view(np.float32)


STORAGE = {
    Dtype.FLOAT32: Storage(np.float32, np.nan, lambda matrix: matrix, lambda matrix: matrix),
    # bfloat16 is the upper half of a float32; numpy has no such type.
    Dtype.BFLOAT16: Storage(np.uint16, 0x7FC0, _upper_half, _from_upper_half),
}


class Operands:
    """A (m, k), B (k, n) and C (m, n) of a problem, uniform in [-1, 1). Raises MemoryError.

    ``a`` and ``b`` are float32 matrices of the values that the kernel reads; ``addresses`` are those of the stored
    A, B and C; ``bytes`` is the address space taken.
    """

    def __init__(self, problem: GemmProblem) -> None:
        self.problem = problem
        self._storage = STORAGE[problem.dtype]
        a_transposed, b_transposed = (letter == "t" for letter in problem.layout.value)
        try:
            self._a = self._matrix(problem.m, problem.k, transposed=a_transposed)
            self._b = self._matrix(problem.k, problem.n, transposed=b_transposed)
            self._c = GuardedArray((problem.m, problem.n), self._storage.type)
        except OSError as error:  # mmap
            raise MemoryError(f"A, B and C of {problem.id} need {problem.operand_bytes >> 20} MiB") from error
        a, b = self._decoded = [self._storage.decode(stored.array) for stored in (self._a, self._b)]
        self.a: Matrix = a.T if a_transposed else a
        self.b: Matrix = b.T if b_transposed else b
        self.addresses = (self._a.address, self._b.address, self._c.address)
        self.bytes = self._a.bytes + self._b.bytes + self._c.bytes
        if problem.dtype is not Dtype.FLOAT32:  # decoded copies
            self.bytes += a.nbytes + b.nbytes
        self.refill(_SEED)

    @property
    def stored(self) -> tuple[Matrix, Matrix]:
        """A and B as they lie in memory."""
        return self._a.array, self._b.array

    @property
    def c(self) -> Matrix:
        """The stored C."""
        return self._c.array

    def refill(self, seed: int, *, vectors: int = VECTORS) -> None:
        """Other random A and B, in the same memory. `vectors`: of the fast check, see FreivaldsCheck."""
        problem = self.problem
        random = np.random.default_rng((seed, problem.m, problem.n, problem.k))
        for stored, decoded in zip((self._a, self._b), self._decoded, strict=True):
            stored.make_writable()
            self._randomize(stored.array, random)
            stored.make_read_only()
            if decoded is not stored.array:
                decoded[:] = self._storage.decode(stored.array)
        self._freivalds = FreivaldsCheck(self.a, self.b, problem.dtype, seed=seed, vectors=vectors)

    def poison(self) -> None:
        """Fill C so that an element that is not written shows."""
        self.c.fill(self._storage.nan)

    def spoil(self, seed: int) -> None:
        """Fill C with numbers that look like a result and are none, so that nothing tells that it will be checked."""
        self._randomize(self.c, np.random.default_rng(seed))

    def check(self, *, thorough: bool) -> None:
        """Raise WrongResultError when C is not the product of A and B."""
        result = self._storage.decode(self.c)
        self._freivalds.check(result)
        if thorough:
            full_check(self.a, self.b, result, self.problem.dtype)

    def check_borders(self) -> None:
        """Raise WrongResultError when something was written in front of an operand (behind it, that is a crash)."""
        if not self._c.is_intact():
            raise WrongResultError("the kernel wrote in front of the first element of C")

    def _matrix(self, rows: int, columns: int, *, transposed: bool) -> GuardedArray:
        """Stored row by row, or column by column when transposed."""
        return GuardedArray((columns, rows) if transposed else (rows, columns), self._storage.type)

    def _randomize(self, array: Matrix, random: np.random.Generator) -> None:
        """Uniform in [-1, 1)."""
        for top in range(0, array.shape[0], rows := max(1, _STRIP_ELEMENTS // array.shape[1])):
            strip = array[top : top + rows]
            values = random.random(strip.shape, dtype=np.float32)
            values *= 2
            values -= 1
            strip[:] = self._storage.encode(values)
