"""A, B and C of one problem on the device, from a fixed seed, marked memory round C; the check of C on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.accuracy import FreivaldsCheck, full_check
from pytest_ascend_tune.backends.ascend.runtime import Runtime
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem

_SEED = 20250
_GUARD_ELEMENTS = 4096  # on both sides of C; keeps C aligned to 512 bytes
_GUARD_VALUE = 77  # exact in every dtype
_ROWS_CHECKED = 8  # rows that are compared with a float64 product in the fast check
_FULL_CHECK_FLOPS = 1 << 38  # beyond it the host's float64 product would take minutes: many random checks instead
_MANY = 12  # a wrong row escapes each with probability <= 1/4


class Operands:
    """Operands of `problem`, uniform in [-1, 1) (int8: all values). ``bytes``: what they take on the device."""

    def __init__(self, runtime: Runtime, problem: GemmProblem) -> None:
        self.problem = problem
        self._runtime = runtime
        random = np.random.default_rng((_SEED, problem.m, problem.n, problem.k))
        a_transposed, b_transposed = (letter == "t" for letter in problem.layout.value)
        a = _values(random, _stored(problem.m, problem.k, transposed=a_transposed), problem.dtype)
        b = _values(random, _stored(problem.k, problem.n, transposed=b_transposed), problem.dtype)
        self._host_a = a.T if a_transposed else a
        self._host_b = b.T if b_transposed else b
        device_a, device_b = self._upload(a), self._upload(b)
        self.a: Any = device_a.t() if a_transposed else device_a  # as torch sees them: (m, k) and (k, n)
        self.b: Any = device_b.t() if b_transposed else device_b
        count = problem.m * problem.n
        kind = self._torch_dtype(result=True)
        self._buffer: Any = runtime.torch.empty(count + 2 * _GUARD_ELEMENTS, dtype=kind, device="npu")
        self.c: Any = self._buffer[_GUARD_ELEMENTS : _GUARD_ELEMENTS + count].view(problem.m, problem.n)
        self.addresses = (device_a.data_ptr(), device_b.data_ptr(), self.c.data_ptr())
        self.bytes = problem.operand_bytes + 2 * _GUARD_ELEMENTS * problem.dtype.result_bytes
        self._checks: dict[int, FreivaldsCheck] = {}

    def poison(self) -> None:
        """Mark the memory round C and fill C, so that writes outside and elements never written show."""
        self._buffer.fill_(_GUARD_VALUE)
        self.c.fill_(_GUARD_VALUE if self.problem.dtype is Dtype.INT8 else float("nan"))

    def check(self, *, thorough: bool) -> None:
        """Raise WrongResultError when C is not the product or its surroundings were written."""
        problem = self.problem
        c = self._download(self.c)
        count = problem.m * problem.n
        for place, part in (
            ("in front of", self._buffer[:_GUARD_ELEMENTS]),
            ("behind", self._buffer[_GUARD_ELEMENTS + count :]),
        ):
            if (self._download(part) != _GUARD_VALUE).any():
                raise WrongResultError(f"the kernel wrote {place} C")
        self._freivalds(_SEED, c)
        rows = np.unique(np.linspace(0, problem.m - 1, _ROWS_CHECKED).astype(int))
        full_check(self._host_a[rows], self._host_b, c[rows], problem.dtype)
        if thorough and problem.flops <= _FULL_CHECK_FLOPS:
            full_check(self._host_a, self._host_b, c, problem.dtype)
        elif thorough:
            for number in range(1, _MANY):
                self._freivalds(_SEED + number, c)

    def _freivalds(self, seed: int, c: NDArray[Any]) -> None:
        if seed not in self._checks:
            self._checks[seed] = FreivaldsCheck(self._host_a, self._host_b, self.problem.dtype, seed=seed)
        self._checks[seed].check(c)

    def _upload(self, values: NDArray[Any]) -> Any:
        tensor = self._runtime.torch.from_numpy(values)
        if self.problem.dtype is Dtype.BFLOAT16:
            tensor = tensor.bfloat16()  # exact: the values were cut to bfloat16
        return tensor.npu()

    def _download(self, tensor: Any) -> NDArray[Any]:
        if self.problem.dtype is Dtype.BFLOAT16:
            tensor = tensor.float()
        values: NDArray[Any] = tensor.cpu().numpy()
        return values

    def _torch_dtype(self, *, result: bool) -> Any:
        names = {Dtype.HFLOAT32: "float32", Dtype.INT8: "int32" if result else "int8"}
        return getattr(self._runtime.torch, names.get(self.problem.dtype, self.problem.dtype.value))


def _stored(rows: int, columns: int, *, transposed: bool) -> tuple[int, int]:
    return (columns, rows) if transposed else (rows, columns)


def _values(random: np.random.Generator, shape: tuple[int, int], dtype: Dtype) -> NDArray[Any]:
    """Values that the dtype holds exactly; bfloat16 as float32."""
    if dtype is Dtype.INT8:
        integers: NDArray[np.int8] = random.integers(-128, 128, shape, dtype=np.int8)
        return integers
    values: NDArray[np.float32] = random.random(shape, dtype=np.float32) * np.float32(2) - np.float32(1)
    if dtype is Dtype.FLOAT16:
        return values.astype(np.float16)
    if dtype is Dtype.BFLOAT16:
        values.view(np.uint32)[...] &= np.uint32(0xFFFF0000)
    return values
