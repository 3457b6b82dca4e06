"""A built kernel inside the cpu worker: loading, one call with its time, memory limit.

Entry points (ABI 1), see kernel_templates/cpu_gemm/README.md::

    int  ascend_tune_gemm(int m, int n, int k, int a_transposed, int b_transposed,
                          const void* a, const void* b, void* c, int threads);  // 0 ok, 1 no memory, 2 bad arguments
    long ascend_tune_thread_ns[64];      // CPU time of each thread in the last call; optional with one thread
    void ascend_tune_release();          // optional: frees what is kept between calls
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

from pytest_ascend_tune.backends.build_cache import sha256_of, why_not_loaded
from pytest_ascend_tune.backends.cpu.operands import Operands
from pytest_ascend_tune.model.errors import BuildError, KernelCrashError, OutOfMemoryError

MAX_THREADS = 64
# Room for a kernel's own buffers beside the operands; packed copies of A and B are at most as large as A and B.
_SCRATCH_BYTES = 2 << 30
_SCRATCH_PER_OPERAND_BYTE = 4
_RESERVED_PER_THREAD_BYTES = 256 << 20  # stack and malloc arena: address space, hardly any memory
_GEMM = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int] * 5, *[ctypes.c_void_p] * 3, ctypes.c_int)
_RELEASE = ctypes.CFUNCTYPE(None)
_GIVEN_LIMITS = resource.getrlimit(resource.RLIMIT_AS)


class Kernel:
    """A loaded shared object. Raises BuildError when it is not what was built or lacks the entry point."""

    def __init__(self, path: str, sha256: str) -> None:
        if sha256_of(Path(path)) != sha256:
            raise BuildError(f"the built kernel {Path(path).name} was changed after it was built")
        try:
            self._library = _ctypes.dlopen(path, os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            text = str(error).replace(path, "kernel")
            raise BuildError(f"the built kernel cannot be loaded: {text}{why_not_loaded(text)}") from error
        gemm = self._address("ascend_tune_gemm")
        if gemm is None:
            raise BuildError('the kernel has no entry point: extern "C" int ascend_tune_gemm(...) is missing')
        self._gemm = _GEMM(gemm)

    def caller(self, operands: Operands, threads: int) -> Callable[[], int]:
        """A function that makes one product and returns its time in ns: CPU time of the slowest thread.

        It does little beside the call: what Python needs, a large product has pushed out of the caches.
        """
        problem, gemm = operands.problem, self._gemm
        thread_ns = self._thread_ns() if threads > 1 else None
        a_transposed, b_transposed = (letter == "t" for letter in problem.layout.value)
        arguments = (problem.m, problem.n, problem.k, a_transposed, b_transposed, *operands.addresses, threads)

        def call() -> int:
            if thread_ns is not None:
                ctypes.memset(thread_ns, 0, ctypes.sizeof(thread_ns))
            started = time.thread_time_ns()
            status = gemm(*arguments)
            around = time.thread_time_ns() - started
            if status == 1:
                raise OutOfMemoryError("the kernel could not allocate its buffers")
            if status != 0:
                raise KernelCrashError(
                    f"the kernel refused its arguments ({problem.id}, {threads} threads): status {status}"
                )
            return around if thread_ns is None else max(around, *thread_ns[:threads])

        return call

    def unload(self) -> None:
        """Free its buffers and its code."""
        release = self._address("ascend_tune_release")
        if release is not None:
            _RELEASE(release)()
        _ctypes.dlclose(self._library)

    def _thread_ns(self) -> ctypes.Array[ctypes.c_long]:
        times = self._address("ascend_tune_thread_ns")
        if times is None:
            raise BuildError("the kernel has no ascend_tune_thread_ns[64]; it is needed for more than one thread")
        return (ctypes.c_long * MAX_THREADS).from_address(times)

    def _address(self, symbol: str) -> int | None:
        try:
            return _ctypes.dlsym(self._library, symbol)
        except OSError:
            return None


def limit_memory(base_bytes: int, operand_bytes: int, available_bytes: int, threads: int) -> None:
    """Limit the address space to what this process has, and room for kernels in proportion to the operands."""
    soft, hard = _GIVEN_LIMITS
    room = min(_SCRATCH_BYTES + _SCRATCH_PER_OPERAND_BYTE * operand_bytes, available_bytes)
    limit = base_bytes + operand_bytes + room + (threads - 1) * _RESERVED_PER_THREAD_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit if soft == resource.RLIM_INFINITY else min(limit, soft), hard))


def lift_memory_limit() -> None:
    """While operands are made."""
    resource.setrlimit(resource.RLIMIT_AS, _GIVEN_LIMITS)
