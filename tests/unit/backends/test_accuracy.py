"""The checks of a result: right ones pass with a wide margin, wrong ones never do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.backends.accuracy import FreivaldsCheck, full_check, tolerance
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype

SIZES = st.integers(1, 70)


def operands(m: int, n: int, k: int, seed: int = 0, dtype=np.float32):
    random = np.random.default_rng(seed)
    return ((random.random(shape) * 2 - 1).astype(dtype) for shape in ((m, k), (k, n)))


def check_both(a, b, c, dtype=Dtype.FLOAT32) -> None:
    FreivaldsCheck(a, b, dtype).check(c)
    full_check(a, b, c, dtype)


def rejected_by_both(a, b, c, dtype=Dtype.FLOAT32) -> None:
    with pytest.raises(WrongResultError):
        FreivaldsCheck(a, b, dtype).check(c)
    with pytest.raises(WrongResultError):
        full_check(a, b, c, dtype)


def sequential_product(a, b):
    """The worst honest float32 kernel: one rounded product and one rounded sum at a time."""
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for p in range(a.shape[1]):
        c += np.outer(a[:, p], b[p])
    return c


@given(SIZES, SIZES, SIZES, st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_honest_float32_passes_in_every_shape(m, n, k, seed):
    a, b = operands(m, n, k, seed)
    check_both(a, b, sequential_product(a, b))
    check_both(a, b, a @ b)


@given(SIZES, SIZES, SIZES, st.integers(0, 99), st.data())
@settings(max_examples=40, deadline=None)
def test_one_wrong_element_is_found_wherever_it_is(m, n, k, seed, data):
    a, b = operands(m, n, k, seed)
    c = a @ b
    c[data.draw(st.integers(0, m - 1)), data.draw(st.integers(0, n - 1))] += 1e-3
    rejected_by_both(a, b, c)


@pytest.mark.parametrize("size", [64, 512])
def test_the_honest_error_has_margin_and_a_missing_product_has_none(size):
    a, b = operands(size, size, size)
    c = sequential_product(a, b)
    error = np.abs(c - a.astype(float) @ b.astype(float))
    allowed = tolerance(Dtype.FLOAT32, size).product * np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=0))
    assert (error / allowed).max() < 0.25
    rejected_by_both(a, b, c - np.outer(a[:, -1], b[-1]))


def test_a_kernel_that_multiplies_in_half_precision_is_not_float32():
    a, b = operands(128, 128, 128)
    rejected_by_both(a, b, (a.astype(np.float16).astype(np.float32)) @ b)


@pytest.mark.parametrize("swap", [lambda c: c.T.copy(), lambda c: c[::-1].copy(), lambda c: c * 2, lambda c: c * 0])
def test_typical_faults(swap):
    a, b = operands(64, 64, 64)
    rejected_by_both(a, b, swap(a @ b))


@pytest.mark.parametrize(("bad", "word"), [(np.nan, "never written"), (np.inf, "overflow"), (-np.inf, "overflow")])
def test_what_is_not_a_number_is_named_with_its_place(bad, word):
    a, b = operands(700, 2000, 5)
    c = a @ b
    c[650, 1999] = bad
    for check in (FreivaldsCheck(a, b, Dtype.FLOAT32).check, lambda c: full_check(a, b, c, Dtype.FLOAT32)):
        with pytest.raises(WrongResultError, match=rf"C\[650, 1999\] is {bad} .*{word}"):
            check(c)


def test_the_full_check_counts_and_names_the_worst():
    a, b = operands(300, 200, 1500)
    c = a @ b
    c[7, 3] += 1
    c[299, 199] -= 5
    with pytest.raises(WrongResultError, match=r"2 of 60000 elements.*worst is C\[299, 199\] = .*, expected"):
        full_check(a, b, c, Dtype.FLOAT32)


def test_transposed_views_are_the_same_matrices():
    a, b = operands(33, 44, 55)
    c = a @ b
    check_both(np.asfortranarray(a), np.asfortranarray(b), c)


@given(SIZES, SIZES, SIZES, st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_float16_with_float32_accumulation_passes(m, n, k, seed):
    a, b = operands(m, n, k, seed, np.float16)
    check_both(a, b, (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16), Dtype.FLOAT16)


def test_float16_rounding_of_many_rows_is_no_false_alarm():
    a, b = operands(4096, 256, 64, dtype=np.float16)
    check_both(a, b, (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16), Dtype.FLOAT16)


def test_float16_accumulated_in_float16_is_found():
    a, b = operands(64, 64, 2048, dtype=np.float16)
    c = np.zeros((64, 64), np.float16)
    for p in range(2048):
        c += np.outer(a[:, p], b[p])
    rejected_by_both(a, b, c, Dtype.FLOAT16)


def test_hfloat32_may_lose_mantissa_bits_and_no_more():
    a, b = operands(128, 128, 128)

    def keep(matrix, bits):
        factor = np.float32(2.0) ** (bits - np.floor(np.log2(np.abs(matrix))))
        return (np.round(matrix * factor) / factor).astype(np.float32)

    check_both(a, b, keep(a, 11) @ keep(b, 11), Dtype.HFLOAT32)
    rejected_by_both(a, b, keep(a, 4) @ keep(b, 4), Dtype.HFLOAT32)


def test_int8_must_be_exact():
    random = np.random.default_rng(0)
    a, b = (random.integers(-128, 128, shape, np.int8) for shape in ((40, 300), (300, 50)))
    c = a.astype(np.int32) @ b.astype(np.int32)
    check_both(a, b, c, Dtype.INT8)
    c[3, 3] += 1
    rejected_by_both(a, b, c, Dtype.INT8)


@pytest.mark.parametrize("dtype", Dtype)
def test_tolerances_grow_with_k_up_to_a_bound(dtype):
    values = [tolerance(dtype, k).product for k in (1, 10, 100, 10_000)]
    assert values == sorted(values)
    assert values[2] == values[3]


def test_float16_results_below_the_normal_range_may_lose_bits():
    a, b = np.array([[2.0**-10], [1.0]], np.float16), np.array([[2.0**-9 * 1.2, 0.5]], np.float16)
    c = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    check_both(a, b, c, Dtype.FLOAT16)
    c[0, 0] = 0
    check_both(a, b, c, Dtype.FLOAT16)
    c[0, 0] = 1e-3
    rejected_by_both(a, b, c, Dtype.FLOAT16)


@given(st.integers(2, 40), st.integers(0, 9), st.booleans())
@settings(max_examples=15, deadline=None)
def test_two_errors_that_cancel_in_one_row_escape_no_more_often_than_the_bound(n, seed, opposite):
    """The bound is on the random vectors, so it is their seed that varies. 4 deviations above 1/8 of 256 draws."""
    a, b = operands(8, n, 5, seed)
    c = a @ b
    c[3, 0] += 0.1
    c[3, n - 1] += -0.1 if opposite else 0.1
    escaped = 0
    for draw in range(256):
        try:
            FreivaldsCheck(a, b, Dtype.FLOAT32, seed=draw).check(c)
        except WrongResultError:
            continue
        escaped += 1
    assert escaped <= 256 / 8 + 4 * (256 * 7 / 64) ** 0.5
    with pytest.raises(WrongResultError):
        full_check(a, b, c, Dtype.FLOAT32)
