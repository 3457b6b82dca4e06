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
from pytest_ascend_tune.backends.ascend import codes, kernel_clock
from pytest_ascend_tune.backends.ascend.operands import Operands
from pytest_ascend_tune.backends.ascend.runtime import Runtime, as_trial_error, preload
from pytest_ascend_tune.backends.loaded import Kept, load
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, KernelCrashError
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
SETTLE_SIZE = 1024  # m = n = k of the float16 matmul that comes before the first sample after a pause
_EMPTY_PAIRS = 20

# Anchors: large enough for tens of microseconds on all cores, small enough to be read within a millisecond or two.
ANCHOR_SIDE = 2048
ANCHOR_BYTES = 64 << 20
ANCHOR_CALLS = 4
ANCHOR_RUNS = 3


def _load(path: str, sha256: str) -> ctypes.CDLL:
    return load(path, sha256, lambda path: ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL))


class Kernel:
    """A loaded library. Raises BuildError when it is not what was built or is not of this ABI."""

    def __init__(self, path: str, sha256: str) -> None:
        library = _load(path, sha256)
        for name in ("ascend_tune_abi", "ascend_tune_launch", "ascend_tune_sample"):
            if not hasattr(library, name):
                raise BuildError(f'the kernel has no entry point: extern "C" {name} is missing')
        if library.ascend_tune_abi() != ABI:
            raise BuildError(f"the kernel has ABI {library.ascend_tune_abi()}; this version calls ABI {ABI}")
        shared: list[Any] = [ctypes.c_uint32, *[ctypes.c_void_p] * 4, *[ctypes.c_uint32] * 3]
        self._launch, self._sample = library.ascend_tune_launch, library.ascend_tune_sample
        self._launch.argtypes = shared
        self._sample.argtypes = [*shared, ctypes.c_uint32, ctypes.c_int32, ctypes.POINTER(ctypes.c_float)]

    def launch(self, blocks: int, runtime: Runtime, operands: Operands) -> None:
        """Queue one product."""
        problem = operands.problem
        code = self._launch(blocks, runtime.stream(), *operands.addresses, problem.m, problem.n, problem.k)
        if code != 0:
            raise codes.error_of(code, "the launch of the kernel", runtime.recent_error())

    def time_ms(self, blocks: int, runtime: Runtime, operands: Operands, launches: int, timeout_ms: int) -> float:
        """Device time of `launches` products, together."""
        problem, total = operands.problem, ctypes.c_float()
        code = self._sample(
            blocks,
            runtime.stream(),
            *operands.addresses,
            problem.m,
            problem.n,
            problem.k,
            launches,
            timeout_ms,
            ctypes.byref(total),
        )
        if code != 0:
            raise codes.error_of(code, "the timed run of the kernel", runtime.recent_error())
        return total.value


class AscendWorker:
    """The handlers of the requests."""

    def __init__(self) -> None:
        self._runtime: Runtime | None = None
        # One that goes stays mapped: its registration with the runtime cannot be undone.
        self._kernels: Kept[Kernel] = Kept(MAX_KERNELS)
        self._operands: Kept[Operands] = Kept(MAX_PROBLEMS)
        self._launches: dict[tuple[str, str], int] = {}
        self._flush: Any = None  # as large as L2
        self._clear: Any = None  # the function that reads it
        self._settling: list[Any] | None = None
        self._anchors: tuple[Any, ...] = ()
        self._last_run_s = 0.0

    def open(self, device: int) -> dict[str, Any]:
        """Take the device; what it is, or why it cannot be used."""
        try:
            return self._open(device).describe()
        except BackendUnavailableError as error:
            return {"unavailable": str(error)}

    def probe(self, device: int, path: str, sha256: str) -> dict[str, Any]:
        """Load the empty kernel and run it once. ``clock``: what tells the time of a kernel here."""
        runtime = self._open(device)
        library = _load(path, sha256)
        library.ascend_tune_probe.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

        def run() -> float:
            code = library.ascend_tune_probe(runtime.stream(), None)
            if code != 0:
                raise codes.error_of(code, "the run of an empty kernel", runtime.recent_error())
            return 0.0

        make = kernel_clock.monitor()
        if make is None:
            run()
            return {"clock": kernel_clock.EVENTS}
        _, found = kernel_clock.record(make, run)
        seen = [ms for name, ms in found if name.startswith(kernel_clock.OWN_PREFIX) and ms > 0]
        return {"clock": kernel_clock.RECORDS if len(seen) == 1 else kernel_clock.EVENTS}

    def prepare(self, device: int, problem: str) -> dict[str, Any]:
        """Make the operands of a problem."""
        self._operands_of(device, problem)
        return {}

    def verify(
        self, *, device: int, kernel: dict[str, str], problem: str, blocks: int, thorough: bool, kernel_timeout_s: float
    ) -> dict[str, Any]:
        """One launch on a poisoned C, then the check."""
        runtime, operands = self._open(device), self._operands_of(device, problem)
        loaded = self._kernel({"path": kernel["path"], "sha256": kernel["sha256"]})
        operands.poison()
        loaded.launch(blocks, runtime, operands)
        runtime.synchronize(kernel_timeout_s)
        operands.check(thorough=thorough)
        return {}

    def sample(
        self,
        device: int,
        kernel: dict[str, str] | None,
        problem: str,
        blocks: int,
        way: dict[str, Any],
        kernel_timeout_s: float,
    ) -> dict[str, Any]:
        """One timed sample, per launch.

        `way`: "cold", the library that empties L2 before each (None: operands stay there), and "clock", what tells it.
        """
        cold, clock = way["cold"], way["clock"]
        runtime, operands = self._open(device), self._operands_of(device, problem)
        timeout_ms = max(1, int(kernel_timeout_s * 1000))
        if kernel is None:
            timed: Callable[[int], float] = functools.partial(_time_matmul, runtime, operands)
        else:
            loaded = self._kernel({"path": kernel["path"], "sha256": kernel["sha256"]})
            timed = functools.partial(_time_kernel, runtime, operands, loaded, blocks, timeout_ms)
        if clock == kernel_clock.RECORDS:
            timed = functools.partial(_by_records, timed, kernel["symbol"] if kernel else "")
        key = (kernel["path"] if kernel else "", problem)
        if key not in self._launches or time.monotonic() - self._last_run_s > IDLE_S:
            self._settle(runtime)
            once_ms = self._warm_up(runtime, timed)
            self._launches.setdefault(key, max(1, min(MAX_LAUNCHES, round(SAMPLE_MS / max(once_ms, 1e-6)))))
        launches = self._launches[key]
        before_mhz = runtime.current_mhz()
        started = time.perf_counter_ns()
        if cold is not None:
            launches = min(launches, MAX_COLD_LAUNCHES)
            total_ms = sum(self._cold(runtime, blocks, cold, timed) for _ in range(launches))
        else:
            timed(1)  # brings A and B into L2 and wakes the clock
            started = time.perf_counter_ns()
            total_ms = timed(launches)
        wall_ns = time.perf_counter_ns() - started
        self._last_run_s = time.monotonic()
        after_mhz = runtime.current_mhz()
        return {
            "us": total_ms * 1000 / launches,
            "wall_us": wall_ns / launches / 1000,
            "clock_mhz": [before_mhz, after_mhz] if before_mhz and after_mhz else None,
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

    def recent_error(self) -> str:
        """CANN's own account of the last call that failed."""
        return self._runtime.recent_error() if self._runtime is not None else ""

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

    def _settle(self, runtime: Runtime) -> None:
        """One matmul of a fixed size before the first sample after a pause: each kernel starts on the same chip."""
        if self._settling is None:
            kind = runtime.torch.float16
            count = SETTLE_SIZE * SETTLE_SIZE
            self._settling = [
                runtime.torch.empty(count, dtype=kind, device="npu").fill_(1).view(SETTLE_SIZE, SETTLE_SIZE)
                for _ in range(3)
            ]
        a, b, c = self._settling
        runtime.torch.matmul(a, b, out=c)

    def _cold(self, runtime: Runtime, blocks: int, cold: dict[str, Any], timed: Callable[[int], float]) -> float:
        """One launch after as much memory as L2 holds was read through it.

        The device is still busy with that while the launch is queued: no delay of the host falls between the events.
        """
        if self._flush is None or self._flush.numel() < cold["bytes"]:
            self._flush = runtime.torch.empty(cold["bytes"], dtype=runtime.torch.int8, device="npu")
        if self._clear is None:
            self._clear = _load(cold["path"], cold["sha256"]).ascend_tune_clear_l2
            self._clear.argtypes = [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64]
        code = self._clear(blocks, runtime.stream(), self._flush.data_ptr(), cold["bytes"])
        if code != 0:
            raise codes.error_of(code, "emptying L2", runtime.recent_error())
        return timed(1)


def _time_kernel(
    runtime: Runtime, operands: Operands, kernel: Kernel, blocks: int, timeout_ms: int, launches: int
) -> float:
    """Device time of `launches` products in ms."""
    return kernel.time_ms(blocks, runtime, operands, launches, timeout_ms)


def _by_records(timed: Callable[[int], float], symbol: str, launches: int) -> float:
    """As `timed`, but the device's time of the kernels alone, by MSPTI. It was there when the tool chain was tried."""
    make = kernel_clock.monitor()
    if make is None:
        raise KernelCrashError("MSPTI is gone: it was preloaded when this run began")
    return kernel_clock.time_ms(make, functools.partial(timed, launches), symbol=symbol, launches=launches)


def _time_matmul(runtime: Runtime, operands: Operands, launches: int) -> float:
    """The reference: torch.matmul on the same stream, between events of the same clock."""
    runtime.torch.npu.matmul.allow_hf32 = operands.problem.dtype is Dtype.HFLOAT32

    def multiply() -> None:
        for _ in range(launches):
            runtime.torch.matmul(operands.a, operands.b, out=operands.c)

    return runtime.between_events(multiply)


def guarded(worker: AscendWorker, name: str) -> Callable[..., dict[str, Any]]:
    """The handler `name`; exceptions of torch_npu that mean a failed trial become one."""
    handler: Callable[..., dict[str, Any]] = getattr(worker, name)

    @functools.wraps(handler)
    def handle(**arguments: Any) -> dict[str, Any]:
        try:
            return handler(**arguments)
        except RuntimeError as error:
            known = as_trial_error(error, worker.recent_error())
            if known is None:
                raise
            raise known from error

    return handle


if __name__ == "__main__":
    worker = AscendWorker()
    preload()  # a spare process is then ready at once when a kernel has killed this one
    worker_child.serve(
        {name: guarded(worker, name) for name in ("open", "probe", "prepare", "verify", "sample", "jitter", "anchors")}
    )
