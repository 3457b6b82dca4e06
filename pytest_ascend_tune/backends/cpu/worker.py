"""The process in which CPU kernels run: keeps operands and loaded kernels, checks results, takes the time.

Every request names its kernel and its problem in full; what is missing is loaded. So a new child needs no history.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import math
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pytest_ascend_tune.backends import worker_child
from pytest_ascend_tune.backends.build_cache import why_not_loaded
from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.cpu.kernel import Kernel, lift_memory_limit, limit_memory
from pytest_ascend_tune.backends.cpu.operands import Operands
from pytest_ascend_tune.backends.loaded import Kept
from pytest_ascend_tune.model.errors import BuildError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import is_given_up

MAX_KERNELS = 12  # a confirmation holds about six side by side
MAX_PROBLEMS = 4
# One sample is at least about this long: clock, call and answer cost a few microseconds each.
SAMPLE_US = 200.0
# About what one AVX-512 core reaches (170 GFLOPS of FMA peak were measured); a slower core has longer samples.
FAST_CORE_FLOPS_PER_US = 100e3
CALL_OVERHEAD_US = 1.0
RECHECK_VECTORS = 16  # a wrong row escapes once in 65,536 times, for a tenth of the cost of comparing every element
PEAK_RUNS = 40  # of a quarter of a millisecond: together about as long as a call that is compared with them

STREAM_BYTES = 32 << 20  # of each of two arrays: beyond the private caches of any core
STREAM_RUNS = 3

KernelFile = dict[str, Any] | None  # arguments of Kernel; None is the reference


def calls_per_sample(problem: GemmProblem) -> int:
    """How many calls make one sample. Depends on the problem only, so that all kernels are treated alike."""
    return math.ceil(SAMPLE_US / (problem.flops / FAST_CORE_FLOPS_PER_US + CALL_OVERHEAD_US))


class CpuWorker:
    """The handlers of the requests."""

    def __init__(self) -> None:
        self._kernels: Kept[Kernel] = Kept(MAX_KERNELS, drop=Kernel.unload)
        self._operands: Kept[Operands] = Kept(MAX_PROBLEMS)
        self._base_bytes = cpu_facts.address_space_bytes()
        self._flush: np.ndarray[Any, np.dtype[np.float64]] | None = None
        self._stream: tuple[np.ndarray[Any, np.dtype[np.float64]], ...] = ()

    def describe(self) -> dict[str, Any]:
        """Libraries of the reference."""
        return {"numpy": np.__version__, "blas": _blas_name()}

    def prepare(self, problem: str, threads: int) -> dict[str, Any]:
        """Make the operands of a problem."""
        self._operands_of(problem, threads)
        return {}

    def verify(
        self, *, kernels: Sequence[KernelFile], order: Sequence[int], problem: str, threads: int, thorough: bool
    ) -> worker_child.Steps:
        """One call on a poisoned C, then the check of C; how long the call took, and poison and check together."""
        operands = self._operands_of(problem, threads)
        call = self._caller(kernels[order[-1]], operands, threads)
        return (yield from _verify(call, operands, thorough=thorough))

    def refill(self, problem: str, threads: int) -> dict[str, Any]:
        """Other operands in the same memory, that nobody can know before."""
        self._operands_of(problem, threads).refill(secrets.randbits(64), vectors=RECHECK_VECTORS)
        return {}

    def recheck(
        self,
        *,
        kernels: Sequence[KernelFile],
        order: Sequence[int],
        problem: str,
        threads: int,
        thorough: bool,
        most: int,
    ) -> worker_child.Steps:
        """Two to `most` calls as of a sample, then the result of the last one is checked.

        Nothing in C tells which one that is: it holds numbers that look like a product and are none.
        """
        operands = self._operands_of(problem, threads)
        call = self._caller(kernels[order[-1]], operands, threads)
        call()
        for _ in range(1 + secrets.randbelow(most - 1)):
            operands.spoil(secrets.randbits(64))
            call()
        yield
        operands.check_borders()
        operands.check(thorough=thorough)
        return {}

    def sample(
        self,
        *,
        kernels: Sequence[KernelFile],
        order: Sequence[int],
        problem: str,
        threads: int,
        cold_bytes: int,
        alive_s: float,
        verify: bool,
        give_up: tuple[int, float] | None,
    ) -> worker_child.Steps:
        """One timed sample of each, in the given order, per call. At most MAX_KERNELS kernels.

        `cold_bytes`: how much memory to walk through before each call. `alive_s`: a step is that long, or one sample.
        `verify`, `give_up`: see protocols.Batching.
        """
        operands = self._operands_of(problem, threads)
        if len(kernels) > MAX_KERNELS:
            raise ValueError(f"{len(kernels)} kernels in one request; at most {MAX_KERNELS} stay loaded")
        callers = [self._caller(kernel, operands, threads) for kernel in kernels]
        calls = calls_per_sample(operands.problem)
        samples: list[tuple[float, float, float]] = []
        step_ns = time.perf_counter_ns()
        verified = (yield from _verify(callers[order[-1]], operands, thorough=False)) if verify else {}
        for index in order:
            call = callers[index]
            total_ns = wall_ns = process_ns = 0
            for _ in range(calls):
                if cold_bytes:
                    self._walk(cold_bytes)
                worked = time.process_time_ns()
                started = time.perf_counter_ns()
                total_ns += call()
                ended = time.perf_counter_ns()
                wall_ns += ended - started
                process_ns += time.process_time_ns() - worked
            samples.append((total_ns / calls / 1000, wall_ns / calls / 1000, process_ns / calls / 1000))
            if is_given_up([us for us, *_ in samples], order, give_up):
                break
            if ended - step_ns > alive_s * 1e9:
                yield
                step_ns = ended
        operands.check_borders()
        return {"samples": samples, **verified}

    def peak(self, path: str) -> dict[str, Any]:
        """Best of several short runs of the FMA loop, one thread."""
        try:
            run = ctypes.CDLL(path).ascend_tune_fma_peak
        except OSError as error:
            text = str(error).replace(path, "library")
            raise BuildError(f"a built library cannot be loaded: {text}{why_not_loaded(text)}") from error
        run.argtypes, run.restype = [], ctypes.c_double
        return {"gflops": max(run() for _ in range(PEAK_RUNS))}

    def stream(self) -> dict[str, Any]:
        """Best of a few copies from memory to memory, one thread, on its CPU clock; read and written bytes count."""
        if not self._stream:
            self._stream = (np.ones(STREAM_BYTES // 8), np.ones(STREAM_BYTES // 8))
            self._base_bytes += 2 * STREAM_BYTES
        source, target = self._stream
        times_ns = []
        for _ in range(STREAM_RUNS):
            started = time.thread_time_ns()
            np.copyto(target, source)
            times_ns.append(time.thread_time_ns() - started)
        return {"gbytes_per_s": 2 * STREAM_BYTES / min(times_ns)}

    def jitter(self) -> dict[str, Any]:
        """How much an empty call may seem to take: 99 % quantile of the clock read twice in a row."""
        steps = []
        for _ in range(2000):
            started = time.thread_time_ns()
            steps.append(time.thread_time_ns() - started)
        return {"us": float(np.quantile(steps, 0.99)) / 1000}

    def _operands_of(self, problem: str, threads: int) -> Operands:
        return self._operands.get(problem, lambda: self._new_operands(GemmProblem.from_id(problem), threads))

    def _new_operands(self, problem: GemmProblem, threads: int) -> Operands:
        lift_memory_limit()
        available_bytes = cpu_facts.memory_bytes()
        while self._operands and self._operand_bytes() > available_bytes // 2 - problem.operand_bytes:
            self._operands.drop_oldest()
        new_bytes = 0
        try:
            operands = Operands(problem)
            new_bytes = operands.bytes
        finally:  # when there is no room for these, the kernels of the others stay limited
            limit_memory(self._base_bytes, self._operand_bytes() + new_bytes, available_bytes, threads)
        return operands

    def _caller(self, kernel: KernelFile, operands: Operands, threads: int) -> Callable[[], int]:
        if kernel is None:
            return lambda: _timed_matmul(operands, threads)
        return self._kernels.get(kernel["path"], lambda: Kernel(**kernel)).caller(operands, threads)

    def _operand_bytes(self) -> int:
        return sum(operands.bytes for operands in self._operands)

    def _walk(self, size: int) -> None:
        """Push the operands out of the private caches."""
        if self._flush is None or self._flush.nbytes < size:
            self._flush = np.ones(-(-size // 8))
            self._base_bytes += self._flush.nbytes
        self._flush += 1.0


def _verify(call: Callable[[], int], operands: Operands, *, thorough: bool) -> worker_child.Steps:
    poisoning = time.perf_counter_ns()
    operands.poison()
    calling = time.perf_counter_ns()
    call()
    called = time.perf_counter_ns()
    yield
    checking = time.perf_counter_ns()
    operands.check_borders()
    operands.check(thorough=thorough)
    check_ns = calling - poisoning + time.perf_counter_ns() - checking
    return {"wall_us": (called - calling) / 1000, "check_us": check_ns / 1000}


def _timed_matmul(operands: Operands, threads: int) -> int:
    """The reference: numpy's BLAS. Its own threads are read from the kernel's scheduler statistics."""
    before = _thread_ns() if threads > 1 else {}
    started = time.thread_time_ns()
    np.matmul(operands.a, operands.b, out=operands.c)
    own = time.thread_time_ns() - started
    if threads > 1:
        return max([own, *(ns - before.get(thread, 0) for thread, ns in _thread_ns().items())])
    return own


def _thread_ns() -> dict[str, int]:
    """CPU time of every thread of this process, from /proc (first field of schedstat); empty where there is none."""
    times = {}
    for task in Path("/proc/self/task").iterdir():
        try:
            times[task.name] = int((task / "schedstat").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            continue
    return times


def _blas_name() -> str:
    """``OpenBLAS 0.3.31 SkylakeX``: library, version and its kernels for this CPU, as far as they can be known."""
    try:
        pools = importlib.import_module("threadpoolctl").threadpool_info()
    except ImportError:
        pools = []
    for pool in pools:
        if pool.get("user_api") == "blas":
            names = {"openblas": "OpenBLAS", "mkl": "MKL", "blis": "BLIS", "flexiblas": "FlexiBLAS"}
            name = names.get(pool["internal_api"], pool["internal_api"])
            return " ".join(part for part in (name, pool.get("version"), pool.get("architecture")) if part)
    return f"BLAS of numpy {np.__version__}"


if __name__ == "__main__":
    worker = CpuWorker()
    gc.disable()  # nothing here makes cycles, and a collection would fall into a timed call
    worker_child.limit_stderr()
    worker_child.serve(
        {
            "describe": worker.describe,
            "prepare": worker.prepare,
            "verify": worker.verify,
            "refill": worker.refill,
            "recheck": worker.recheck,
            "sample": worker.sample,
            "peak": worker.peak,
            "jitter": worker.jitter,
            "stream": worker.stream,
        }
    )
