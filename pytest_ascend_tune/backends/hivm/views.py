"""Views of memory: (memory, first byte, sizes, strides in elements, element type), and what is computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.hivm.program import ITEM_BITS, CannotExecuteError

View = tuple[Any, int, tuple[int, ...], tuple[int, ...], str]

DTYPES = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32}
DTYPES |= {"i64": np.int64, "i1": np.uint8}


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of a contiguous array."""
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(sizes)])


def collapse(view: View, groups: tuple[tuple[int, ...], ...]) -> View:
    """Each group of dimensions as one. A group of more than one long dimension must be contiguous."""
    memory, byte, sizes, strides, element = view
    new_sizes, new_strides = [], []
    for group in groups:
        size, stride = 1, None
        for dimension in reversed(group):
            length = sizes[dimension]
            if np.ndim(length) == 0 and length == 1:
                continue
            if stride is None:
                stride = strides[dimension]
            size = size * length
        new_sizes.append(size)
        new_strides.append(1 if stride is None else stride)
    return memory, byte, tuple(new_sizes), tuple(new_strides), element


def expand(view: View, groups: tuple[tuple[int, ...], ...], sizes: tuple[int, ...]) -> View:
    """Each dimension as a group of dimensions, the last one the fastest."""
    memory, byte, _, strides, element = view
    made: list[int] = []
    for group, stride in zip(groups, strides, strict=True):
        inner = stride
        of_group: list[int] = []
        for dimension in reversed(group):
            of_group.insert(0, inner)
            inner = inner * sizes[dimension]
        made += of_group
    return memory, byte, sizes, tuple(made), element


def elements_of(value: Any) -> Any:
    """What of an argument of a library function its time can depend on: a number, or sizes and strides of a view.

    The byte of an on-chip view counts, too: it says which buffer of a multi-buffer is meant.
    """
    if not isinstance(value, tuple):
        return value
    memory, byte, sizes, strides, _ = value
    return (*sizes, *strides) if memory.space == "GM" else (byte, *sizes, *strides)


def last_byte(view: View) -> int:
    """One past the last byte that the view touches; its first byte when it is empty."""
    _, byte, sizes, strides, element = view
    if 0 in sizes or min(sizes, default=1) < 0:
        return byte
    last = sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    return byte + ((last + 1) * ITEM_BITS[element] + 7) // 8


def array_of(view: View) -> NDArray[Any]:
    """The bytes of the view as a numpy array that shares them (bfloat16 as its bits)."""
    memory, byte, sizes, strides, element = view
    dtype = np.dtype(DTYPES[element])
    if element == "i1":
        if len(sizes) != 1 or strides[0] != 1:
            raise CannotExecuteError("a mask that is not one contiguous row")
        sizes, strides = ((sizes[0] + 7) // 8,), (1,)
    array: NDArray[Any] = np.ndarray(sizes, dtype, memory.bytes, byte, [stride * dtype.itemsize for stride in strides])
    return array


def to_float32(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """bfloat16 bits as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bfloat16(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """float32 as bfloat16 bits, rounded to nearest, ties to even; NaN stays NaN."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)


def runs_of(view: View) -> NDArray[np.int64]:
    """The bytes of the view as sorted, disjoint half-open runs: an array (runs, 2)."""
    _, byte, sizes, strides, element = view
    if 0 in sizes:
        return np.zeros((0, 2), np.int64)
    bits = ITEM_BITS[element]
    if bits < 8:
        return np.array([[byte, last_byte(view)]], np.int64)
    order = sorted(range(len(sizes)), key=lambda dimension: strides[dimension])
    length = bits // 8
    starts = np.array([byte], np.int64)
    for dimension in order:
        size, stride = sizes[dimension], strides[dimension] * bits // 8
        if size == 1:
            continue
        if stride == length and len(starts) == 1:
            length *= size
        else:
            starts = (starts[:, None] + np.arange(size, dtype=np.int64) * stride).ravel()
    starts = np.unique(starts)
    return np.stack([starts, starts + length], axis=1)
