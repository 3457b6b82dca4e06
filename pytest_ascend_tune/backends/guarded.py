"""Arrays between inaccessible pages: a write or read beyond their end is a crash instead of silent damage."""

from __future__ import annotations

import ctypes
import mmap
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_PROT_NONE, _PROT_READ, _PROT_WRITE = 0, 1, 2  # <sys/mman.h>, the same on every Linux
_GUARD_BYTES = 1 << 20  # address space only; more than one row of any usual matrix
_CANARY = 0xA5
_HUGE_PAGE_BYTES = 2 << 20

_mprotect = ctypes.CDLL(None, use_errno=True).mprotect
_mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class GuardedArray:
    """A two-dimensional C-ordered array that ends exactly where an inaccessible page begins.

    Bytes between the inaccessible page in front and the first element (less than a page) hold a pattern that
    ``is_intact`` looks at. ``address`` is that of the first element, ``bytes`` the address space taken. Arrays
    of 2 MiB and more lie on huge pages (a rest at the end on small ones), so that times do not depend on which pages
    the system happened to give.
    """

    def __init__(self, shape: tuple[int, int], dtype: DTypeLike) -> None:
        page = mmap.PAGESIZE
        size = shape[0] * shape[1] * np.dtype(dtype).itemsize
        row = shape[1] * np.dtype(dtype).itemsize
        body = -(-size // page) * page
        guard = -(-(_GUARD_BYTES + row) // page) * page
        huge = body >= _HUGE_PAGE_BYTES
        self.bytes = guard + body + guard + (_HUGE_PAGE_BYTES if huge else 0)
        # private: Linux gives shared memory no huge pages by default
        self._map = mmap.mmap(-1, self.bytes, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        start = guard + (-(first + guard) % _HUGE_PAGE_BYTES if huge else 0)
        _protect(first, start, _PROT_NONE)
        _protect(first + start + body, self.bytes - start - body, _PROT_NONE)
        if huge and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel without transparent huge pages
                self._map.madvise(mmap.MADV_HUGEPAGE, start, body)
        self._pages = (first + start, body)
        slack = body - size
        self.address = first + start + slack
        self._front = slice(start, start + slack)
        self._map[self._front] = self._pattern = bytes([_CANARY]) * slack
        flat: NDArray[Any] = np.frombuffer(self._map, dtype, shape[0] * shape[1], start + slack)
        self.array = flat.reshape(shape)

    def make_read_only(self) -> None:
        """From now on a write is a crash: a kernel must not change its inputs."""
        _protect(*self._pages, _PROT_READ)

    def make_writable(self) -> None:
        """Again, for new values."""
        _protect(*self._pages, _PROT_READ | _PROT_WRITE)

    def is_intact(self) -> bool:
        """Whether the bytes in front of the array are as they were."""
        return self._map[self._front] == self._pattern


def _protect(address: int, size: int, protection: int) -> None:
    if _mprotect(address, size, protection):
        raise OSError(ctypes.get_errno(), "mprotect failed")
