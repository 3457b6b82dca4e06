"""How the cpu worker calls a kernel: the function, the type and the value of each of its arguments."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ascend_tune.model.problem import GemmProblem

_POINTERS, _FACTORS = ("a", "b", "c"), {"alpha": 1.0, "beta": 0.0}


@dataclass(frozen=True)
class Entry:
    """As model.search.EntryPoint, which says what the words mean."""

    symbol: str
    arguments: Sequence[str]
    returns: str = "status"

    @property
    def declaration(self) -> str:
        """For messages."""
        return f"{'void' if self.returns == 'void' else 'int'} {self.symbol}({', '.join(self.arguments)})"

    def function(self, address: int) -> Any:
        """The C function, callable with :meth:`values`; what it returns is its status, None for void."""
        result = None if self.returns == "void" else ctypes.c_int
        return ctypes.CFUNCTYPE(result, *map(_type, self.arguments))(address)

    def values(self, problem: GemmProblem, addresses: Sequence[int], threads: int) -> tuple[float, ...]:
        """One value for each argument. Leading dimensions are in elements: a transposed A is stored as k rows of m."""
        a_transposed, b_transposed = (letter == "t" for letter in problem.layout.value)
        known: dict[str, float] = {
            "m": problem.m,
            "n": problem.n,
            "k": problem.k,
            "lda": problem.m if a_transposed else problem.k,
            "ldb": problem.k if b_transposed else problem.n,
            "ldc": problem.n,
            "a_transposed": a_transposed,
            "b_transposed": b_transposed,
            "threads": threads,
            **dict(zip(_POINTERS, addresses, strict=True)),
            **_FACTORS,
        }
        return tuple(known[word.partition(":")[0]] for word in self.arguments)


def _type(word: str) -> Any:
    if word in _POINTERS:
        return ctypes.c_void_p
    if word in _FACTORS:
        return ctypes.c_float
    return ctypes.c_int64 if word.endswith(":int64") else ctypes.c_int


STANDARD = Entry("ascend_tune_gemm", ("m", "n", "k", "a_transposed", "b_transposed", "a", "b", "c", "threads"))
