"""Is the result of a kernel right? Tolerance from dtype and k, a fast check (Freivalds) and a full check. Pure numpy.

What error is allowed. A sum of k products, each operation rounded with unit roundoff u, differs from the exact value by
at most about (k + 1) u (|A| |B|)_ij (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5).
That worst case is useless for finding faults at k = 4096: one whole product could be missing. The operands here are
random with mean zero, for which the error stays a small multiple of u (|A| |B|)_ij whatever k is (Higham & Mary,
"Sharper Probabilistic Backward Error Analysis for Basic Linear Algebra Kernels with Random Data", SIAM J. Sci. Comput.
42(5), 2020). ``ROUNDINGS`` = 16 is that multiple: simple sequential float32 sums of such operands reach about 0.6.
(|A| |B|)_ij is bounded by the norms of row and column (Cauchy-Schwarz), which cost next to nothing.

Freivalds' check ("Probabilistic machines can use less running time", IFIP 1977): for random x of +1 and -1, compare
C x with A (B x): O(n^2). One wrong element always shows; a row with several wrong ones escapes one vector with
probability <= 1/2 (two errors of equal size: exactly 1/2), and all ``VECTORS`` = 3 with <= 1/8. What a search lets
through is found in the confirmation, where every element is compared.

The rounding errors of a row add up with random signs, so their sum is measured against the 2-norm of their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype

Matrix = NDArray[Any]

ROUNDINGS = 16
VECTORS = 3
_STRIP_ELEMENTS = 1 << 16  # float64 copies of rows for O(n^2) sums: 512 KiB, which stay in L2
_BLOCK_ELEMENTS = 1 << 20  # of blocks for the full product: 8 MiB


@dataclass(frozen=True)
class Tolerance:
    """Allowed error of C[i, j]: ``product`` |A[i,:]| |B[:,j]| (2-norms) + ``result`` |C[i, j]| + ``absolute``."""

    product: float
    result: float = 0.0
    absolute: float = 0.0


# Unit roundoffs: IEEE 754 binary32 and binary16; bfloat16 has 8 significant bits. Products of 16-bit operands are exact
# in float32, in which all floating types accumulate. HF32 keeps 11 bits of the mantissa (CANN documentation, atc option
# --allow_hf32); the rounding mode is not fixed, so a whole last place is allowed.
_UNIT = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
_HFLOAT32_INPUT = 2.0**-11
_SMALLEST_FLOAT16 = 2.0**-14  # normal; what is smaller has fewer bits, or may be flushed to zero


def tolerance(dtype: Dtype, k: int) -> Tolerance:
    """What a right kernel may be off by, for operands of mean zero. int8 must be exact."""
    if dtype is Dtype.INT8:
        return Tolerance(0.0)
    accumulate = min(k + 1, ROUNDINGS) * _UNIT["float32"]
    if dtype is Dtype.HFLOAT32:  # both operands of each product are rounded on the way into the multiplier
        return Tolerance(accumulate + 2 * _HFLOAT32_INPUT)
    if dtype is Dtype.FLOAT32:
        return Tolerance(accumulate)
    # Twice the rounding of the result: a truncated result is as good as a rounded one.
    return Tolerance(accumulate, 2 * _UNIT[dtype.value], _SMALLEST_FLOAT16 if dtype is Dtype.FLOAT16 else 0.0)


class FreivaldsCheck:
    """The fast check of one pair of operands; what does not depend on C is computed once.

    `a`: (m, k), `b`: (k, n), any strides; values as the kernel reads them (bfloat16 as float32 that holds such values).
    `vectors`: random ones; a row with several errors escapes with probability <= 2^-vectors.
    """

    def __init__(self, a: Matrix, b: Matrix, dtype: Dtype, *, seed: int = 0, vectors: int = VECTORS) -> None:
        n = b.shape[1]
        self._signs = np.random.default_rng(seed).choice(np.array([-1.0, 1.0]), size=(n, vectors))
        self._expected = _times(a, _times(b, self._signs))
        allowed = tolerance(dtype, a.shape[1])
        # At least ROUNDINGS also for tiny k: here the bound is statistical, over the columns of a row.
        product = allowed.product and max(allowed.product, ROUNDINGS * _UNIT["float32"])
        self._allowed = product * _row_norms(a) * float(np.sqrt((_row_norms(b) ** 2).sum()))
        self._allowed += allowed.absolute * np.sqrt(b.shape[1])
        # A rounded result is off by 0.58 units (standard deviation, at worst); 4 units are 7 deviations.
        self._allowed_result = 2 * allowed.result

    def check(self, c: Matrix) -> None:
        """Raise WrongResultError when `c` (m, n) is not the product."""
        actual = _times(c, self._signs)
        allowed = self._allowed + (self._allowed_result * _row_norms(c) if self._allowed_result else 0.0)
        error = np.abs(actual - self._expected).max(axis=1)
        bad = ~(error <= allowed)  # NaN counts as bad
        if bad.any():
            _reject_not_finite(c)
            rows = np.flatnonzero(bad)
            row = int(rows[np.argmax(error[rows])])
            raise WrongResultError(
                f"wrong result: {len(rows)} of {len(bad)} rows of C are not the product (random check of row sums); "
                f"worst is row {row}: off by {error[row]:.3g}, allowed {allowed[row]:.3g}"
            )


def full_check(a: Matrix, b: Matrix, c: Matrix, dtype: Dtype) -> None:
    """Compare every element with a float64 product. Raises WrongResultError that names the worst element."""
    _reject_not_finite(c)
    allowed = tolerance(dtype, a.shape[1])
    rows, columns = _row_norms(a), _row_norms(b.T)
    depth, width = b.shape
    wrong, worst, excess = 0, (0, 0), 0.0
    block_columns = max(1, _BLOCK_ELEMENTS // depth)
    for left in range(0, width, block_columns):
        b_block = b[:, left : left + block_columns].astype(np.float64)
        block_rows = max(1, _BLOCK_ELEMENTS // max(depth, b_block.shape[1]))
        for top in range(0, a.shape[0], block_rows):
            expected = a[top : top + block_rows].astype(np.float64) @ b_block
            actual = c[top : top + block_rows, left : left + block_columns]
            bound = allowed.product * np.outer(rows[top : top + block_rows], columns[left : left + block_columns])
            bound += allowed.result * np.abs(expected) + allowed.absolute
            over = np.abs(actual - expected) - bound
            wrong += int((over > 0).sum())
            if over.max() > excess:
                i, j = np.unravel_index(int(over.argmax()), over.shape)
                excess, worst = float(over.max()), (top + int(i), left + int(j))
    if wrong:
        row, column = worst
        expected_value = float(a[row].astype(np.float64) @ b[:, column].astype(np.float64))
        raise WrongResultError(
            f"wrong result: {wrong} of {c.size} elements of C are not the product; "
            f"worst is C[{row}, {column}] = {c[row, column]:.6g}, expected {expected_value:.6g}"
        )


def _reject_not_finite(c: Matrix) -> None:
    """C is filled with NaN before a checked call, so an element that was never written is one, too."""
    for top in range(0, c.shape[0], rows := max(1, _STRIP_ELEMENTS // c.shape[1])):
        bad = ~np.isfinite(c[top : top + rows])
        if bad.any():
            i, j = np.unravel_index(int(bad.argmax()), bad.shape)
            value = c[top + i, j]
            cause = "never written, or computed from NaN" if np.isnan(value) else "overflow, or garbage"
            raise WrongResultError(f"wrong result: C[{top + i}, {j}] is {value} ({cause})")


def _times(matrix: Matrix, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """matrix @ vectors in float64, without a float64 copy of the whole matrix."""
    out = np.empty((matrix.shape[0], vectors.shape[1]))
    for top in range(0, matrix.shape[0], rows := max(1, _STRIP_ELEMENTS // matrix.shape[1])):
        np.matmul(matrix[top : top + rows].astype(np.float64), vectors, out=out[top : top + rows])
    return out


def _row_norms(matrix: Matrix) -> NDArray[np.float64]:
    """2-norm of every row."""
    out = np.empty(matrix.shape[0])
    for top in range(0, matrix.shape[0], rows := max(1, _STRIP_ELEMENTS // matrix.shape[1])):
        block = matrix[top : top + rows].astype(np.float64)
        np.sqrt(np.einsum("ij,ij->i", block, block), out=out[top : top + rows])
    return out
