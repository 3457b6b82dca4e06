"""The process in which kernels run on one NPU: keeps operands and loaded kernels, checks results, takes the time.

Every request names its device, kernel and problem in full; what is missing is loaded. So a new child needs no history.
"""

from __future__ import annotations

import ctypes
import functools
import os
import time
from collections.abc import Callable
from typing import Any

from pytest_ascend_tune.backends import worker_child
from pytest_ascend_tune.backends.ascend import codes
from pytest_ascend_tune.backends.ascend.operands import Operands
from pytest_ascend_tune.backends.ascend.runtime import Runtime, as_trial_error, preload
from pytest_ascend_tune.backends.loaded import Kept, load
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem

ABI = 1
MAX_KERNELS = 16
MAX_PROBLEMS = 2
SAMPLE_MS = 1.0  # launches between two events last at least about this long: the clock and a launch cost microseconds
MAX_LAUNCHES = 1000
MAX_COLD_LAUNCHES = 10
# An idle chip runs at half its clock and needs some rounds of launches to speed up (as CATLASS's own tuner does,
# hicann/catlass:tools/tuner/src/catlass_tuner.cpp).
WARM_UP_LAUNCHES = 10
WARM_UP_ROUNDS = 10
WARM_UP_MS = 100.0  # enough for any chip; ten rounds of a large problem would take seconds
IDLE_S = 0.05
_EMPTY_PAIRS = 20

# Anchors: large enough for tens of microseconds on all cores, small enough to be read within a millisecond or two.
ANCHOR_SIDE = 2048
ANCHOR_BYTES = 64 << 20
ANCHOR_CALLS = 4
ANCHOR_RUNS = 3


class Kernel:
    """A loaded library. Raises BuildError when it is not what was built or is not of this ABI."""

    def __init__(self, path: str, sha256: str) -> None:
        library = load(path, sha256, lambda path: ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL))
        for name in ("ascend_tune_abi", "ascend_tune_launch", "ascend_tune_sample"):
            if not hasattr(library, name):
                raise BuildError(f'the kernel has no entry point: extern "C" {name} is missing')
        if library.ascend_tune_abi() != ABI:
            raise BuildError(f"the kernel has ABI {library.ascend_tune_abi()}; this version calls ABI {ABI}")
        shared: list[Any] = [ctypes.c_uint32, *[ctypes.c_void_p] * 4, *[ctypes.c_uint32] * 3]
        self._launch, self._sample = library.ascend_tune_launch, library.ascend_tune_sample
        self._launch.argtypes = shared
        self._sample.argtypes = [*shared, ctypes.c_uint32, ctypes.c_int32, ctypes.POINTER(ctypes.c_float)]

    def launch(self, blocks: int, stream: int, operands: Operands) -> None:
        """Queue one product."""
        problem = operands.problem
        code = self._launch(blocks, stream, *operands.addresses, problem.m, problem.n, problem.k)
        if code != 0:
            raise codes.error_of(code, "the launch of the kernel")

    def time_ms(self, blocks: int, stream: int, operands: Operands, launches: int, timeout_ms: int) -> float:
        """Device time of `launches` products, together."""
        problem, total = operands.problem, ctypes.c_float()
        code = self._sample(
            blocks,
            stream,
            *operands.addresses,
            problem.m,
            problem.n,
            problem.k,
            launches,
            timeout_ms,
            ctypes.byref(total),
        )
        if code != 0:
            raise codes.error_of(code, "the timed run of the kernel")
        return total.value


class AscendWorker:
    """The handlers of the requests."""

    def __init__(self) -> None:
        self._runtime: Runtime | None = None
        # One that goes stays mapped: its registration with the runtime cannot be undone.
        self._kernels: Kept[Kernel] = Kept(MAX_KERNELS)
        self._operands: Kept[Operands] = Kept(MAX_PROBLEMS)
        self._launches: dict[tuple[str, str], int] = {}
        self._flush: Any = None
        self._anchors: tuple[Any, ...] = ()
        self._last_run_s = 0.0

    def open(self, device: int) -> dict[str, Any]:
        """Take the device; what it is, or why it cannot be used."""
        try:
            return self._open(device).describe()
        except BackendUnavailableError as error:
            return {"unavailable": str(error)}

    def prepare(self, device: int, problem: str) -> dict[str, Any]:
        """Make the operands of a problem."""
        self._operands_of(device, problem)
        return {}

    def verify(
        self, *, device: int, kernel: dict[str, str], problem: str, blocks: int, thorough: bool, kernel_timeout_s: float
    ) -> dict[str, Any]:
        """One launch on a poisoned C, then the check."""
        runtime, operands = self._open(device), self._operands_of(device, problem)
        loaded = self._kernel(kernel)
        operands.poison()
        loaded.launch(blocks, runtime.stream(), operands)
        runtime.synchronize(kernel_timeout_s)
        operands.check(thorough=thorough)
        return {}

    def sample(
        self,
        device: int,
        kernel: dict[str, str] | None,
        problem: str,
        blocks: int,
        cold_bytes: int,
        kernel_timeout_s: float,
    ) -> dict[str, Any]:
        """One timed sample, per launch. `cold_bytes`: memory to clear before each launch; 0: operands stay in L2."""
        runtime, operands = self._open(device), self._operands_of(device, problem)
        timeout_ms = max(1, int(kernel_timeout_s * 1000))
        if kernel is None:
            timed: Callable[[int], float] = functools.partial(_time_matmul, runtime, operands)
        else:
            timed = functools.partial(_time_kernel, runtime, operands, self._kernel(kernel), blocks, timeout_ms)
        key = (kernel["path"] if kernel else "", problem)
        if key not in self._launches or time.monotonic() - self._last_run_s > IDLE_S:
            once_ms = self._warm_up(runtime, timed)
            self._launches.setdefault(key, max(1, min(MAX_LAUNCHES, round(SAMPLE_MS / max(once_ms, 1e-6)))))
        launches = self._launches[key]
        started = time.perf_counter_ns()
        if cold_bytes:
            launches = min(launches, MAX_COLD_LAUNCHES)
            total_ms = sum(self._cold(runtime, cold_bytes, timed) for _ in range(launches))
        else:
            timed(1)  # brings A and B into L2 and wakes the clock
            started = time.perf_counter_ns()
            total_ms = timed(launches)
        wall_ns = time.perf_counter_ns() - started
        self._last_run_s = time.monotonic()
        return {
            "us": total_ms * 1000 / launches,
            "wall_us": wall_ns / launches / 1000,
            "mhz": runtime.current_mhz(),
        }

    def anchors(self, device: int) -> dict[str, Any]:
        """Rates of the device itself: a product of a fixed size by torch, and a copy; read and written bytes count."""
        runtime = self._open(device)
        torch = runtime.torch
        if not self._anchors:
            sizes = (ANCHOR_SIDE**2,) * 3
            a, b, c = (torch.empty(size, dtype=torch.float16, device="npu") for size in sizes)
            source, target = (torch.empty(ANCHOR_BYTES, dtype=torch.int8, device="npu") for _ in range(2))
            a.fill_(1), b.fill_(1), source.fill_(1)
            square = (ANCHOR_SIDE, ANCHOR_SIDE)
            self._anchors = (a.view(*square), b.view(*square), c.view(*square), source, target)
        a, b, c, source, target = self._anchors

        def multiply() -> None:
            for _ in range(ANCHOR_CALLS):
                torch.matmul(a, b, out=c)

        def copy() -> None:
            for _ in range(ANCHOR_CALLS):
                target.copy_(source)

        multiply_ms, copy_ms = (
            min(runtime.between_events(work) for _ in range(ANCHOR_RUNS)) / ANCHOR_CALLS for work in (multiply, copy)
        )
        return {
            "tflops": 2 * ANCHOR_SIDE**3 / multiply_ms / 1e9,
            "gbytes_per_s": 2 * ANCHOR_BYTES / copy_ms / 1e6,
        }

    def jitter(self, device: int) -> dict[str, Any]:
        """How much an empty pair of events may seem to take."""
        runtime = self._open(device)
        return {"us": 1000 * max(runtime.between_events(lambda: None) for _ in range(_EMPTY_PAIRS))}

    def _open(self, device: int) -> Runtime:
        if self._runtime is None:
            self._runtime = Runtime(device)
        return self._runtime

    def _operands_of(self, device: int, problem: str) -> Operands:
        runtime = self._open(device)
        return self._operands.get(problem, lambda: Operands(runtime, GemmProblem.from_id(problem)))

    def _kernel(self, kernel: dict[str, str]) -> Kernel:
        return self._kernels.get(kernel["path"], lambda: Kernel(**kernel))

    def _warm_up(self, runtime: Runtime, timed: Callable[[int], float]) -> float:
        """Run until the clock has its rated value (or long enough, where it cannot be read). Time of one launch."""
        rated = runtime.rated_mhz()
        once_ms = spent_ms = timed(1)
        for _ in range(WARM_UP_ROUNDS):
            if spent_ms >= WARM_UP_MS or (rated is not None and (runtime.current_mhz() or 0) >= rated):
                break
            round_ms = timed(WARM_UP_LAUNCHES)
            once_ms, spent_ms = round_ms / WARM_UP_LAUNCHES, spent_ms + round_ms
        return once_ms

    def _cold(self, runtime: Runtime, cold_bytes: int, timed: Callable[[int], float]) -> float:
        """One launch after more memory than L2 holds was written.

        The device is still busy with that while the launch is queued: no delay of the host falls between the events.
        """
        if self._flush is None or self._flush.numel() < cold_bytes:
            self._flush = runtime.torch.empty(cold_bytes, dtype=runtime.torch.int8, device="npu")
        self._flush.zero_()
        return timed(1)


def _time_kernel(
    runtime: Runtime, operands: Operands, kernel: Kernel, blocks: int, timeout_ms: int, launches: int
) -> float:
    """Device time of `launches` products in ms."""
    return kernel.time_ms(blocks, runtime.stream(), operands, launches, timeout_ms)


def _time_matmul(runtime: Runtime, operands: Operands, launches: int) -> float:
    """The reference: torch.matmul on the same stream, between events of the same clock."""
    runtime.torch.npu.matmul.allow_hf32 = operands.problem.dtype is Dtype.HFLOAT32

    def multiply() -> None:
        for _ in range(launches):
            runtime.torch.matmul(operands.a, operands.b, out=operands.c)

    return runtime.between_events(multiply)


def guarded(handler: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Exceptions of torch_npu that mean a failed trial become one."""

    @functools.wraps(handler)
    def handle(**arguments: Any) -> dict[str, Any]:
        try:
            return handler(**arguments)
        except RuntimeError as error:
            known = as_trial_error(error)
            if known is None:
                raise
            raise known from error

    return handle


if __name__ == "__main__":
    worker = AscendWorker()
    preload()  # a spare process is then ready at once when a kernel has killed this one
    worker_child.serve(
        {name: guarded(getattr(worker, name)) for name in ("open", "prepare", "verify", "sample", "jitter", "anchors")}
    )
