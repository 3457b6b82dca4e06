"""Contenders, one process each: thread pools of several BLAS libraries in one process disturb each other.

The parent sends requests through a pipe. A contender makes its operands once, as the product's worker does (large ones
on huge pages: which small pages a process happens to get would decide between contenders); it answers with times.
"""

from __future__ import annotations

import ctypes
import importlib.util
import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from pytest_ascend_tune.backends.cpu.operands import Operands
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout

# Both steer OpenBLAS away from the kernel that it would choose for this CPU.
FOREIGN_SETTINGS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


@dataclass(frozen=True)
class Task:
    m: int
    n: int
    k: int
    a_transposed: bool = False
    b_transposed: bool = False
    threads: int = 1
    dtype: str = "float32"

    @property
    def problem(self) -> GemmProblem:
        letters = ("t" if transposed else "n" for transposed in (self.a_transposed, self.b_transposed))
        return GemmProblem(self.m, self.n, self.k, Dtype(self.dtype), Layout("".join(letters)))

    def __str__(self) -> str:
        return f"{self.m}x{self.n}x{self.k}"


class Contender:
    """A process that times one implementation: ``openblas``, ``torch`` or ``ours`` (any kernel given by `load`)."""

    def __init__(self, kind: str, task: Task) -> None:
        for name in FOREIGN_SETTINGS:
            os.environ.pop(name, None)
        for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ[name] = str(task.threads)
        # Who waits must not spin on a core that the next contender needs; 4 is the shortest spin of OpenBLAS.
        os.environ |= {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_THREAD_TIMEOUT": "4"}
        context = multiprocessing.get_context("spawn")
        self._pipe, child = context.Pipe()
        self._process = context.Process(target=_serve, args=(child, kind, task), daemon=True)
        self._process.start()
        self.about = self._answer()

    def load(self, path: str) -> None:
        """Use this kernel from now on; raises when its result is wrong."""
        self._request("load", path)

    def time_us(self, calls: int = 1) -> list[float]:
        """Times of single calls after one that is not timed: CPU time with one thread, else wall time."""
        answer: list[float] = self._request("time", calls)
        return answer

    def close(self) -> None:
        self._pipe.close()
        self._process.join(10)

    def _request(self, *request: Any) -> Any:
        self._pipe.send(request)
        return self._answer()

    def _answer(self) -> Any:
        answer = self._pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _serve(pipe: Connection, kind: str, task: Task) -> None:
    contender = _CONTENDERS[kind](task)
    clock = time.thread_time_ns if task.threads == 1 else time.perf_counter_ns
    pipe.send(contender.about)
    while True:
        try:
            name, argument = pipe.recv()
        except EOFError:
            return
        try:
            if name == "load":
                pipe.send(contender.load(argument))
                continue
            call, times = contender.call, []
            call()
            for _ in range(argument):
                started = clock()
                call()
                times.append((clock() - started) / 1e3)
            pipe.send(times)
        except Exception as error:
            pipe.send(error)


class _Blas:
    def __init__(self, task: Task) -> None:
        import numpy as np

        operands = Operands(task.problem)
        self.call: Callable[[], Any] = lambda: np.matmul(operands.a, operands.b, out=operands.c)
        self.about = _blas_name()


class _Torch:
    def __init__(self, task: Task) -> None:
        import torch

        torch.set_num_threads(task.threads)
        operands = Operands(task.problem)
        bits = "float32" if task.dtype == "float32" else "int16"
        a, b, c = (
            torch.from_numpy(matrix.view(bits)).view(getattr(torch, task.dtype))
            for matrix in (*operands.stored, operands.c)
        )
        a, b = a.T if task.a_transposed else a, b.T if task.b_transposed else b
        self.call: Callable[[], Any] = lambda: torch.mm(a, b, out=c)
        self.about = f"torch {torch.__version__}, MKL {torch.backends.mkl.is_available()}"


class _Ours:
    about = "cpu_gemm"

    def __init__(self, task: Task) -> None:
        self._task = task
        self._library: ctypes.CDLL | None = None
        self._operands = Operands(task.problem)

    def load(self, path: str) -> None:
        task, pointer = self._task, ctypes.c_void_p
        if self._library is not None:
            self._library.ascend_tune_release()
        self._library = ctypes.CDLL(path)
        gemm = self._library.ascend_tune_gemm
        gemm.argtypes = [ctypes.c_int] * 5 + [pointer] * 3 + [ctypes.c_int]
        arguments = (task.m, task.n, task.k, task.a_transposed, task.b_transposed, *self._operands.addresses)
        self.call: Callable[[], Any] = lambda: gemm(*arguments, task.threads)
        self._operands.poison()
        if status := self.call():
            raise ArithmeticError(f"{path}: the kernel answers {status}")
        self._operands.check(thorough=False)


_CONTENDERS: dict[str, Callable[[Task], Any]] = {"openblas": _Blas, "torch": _Torch, "ours": _Ours}


def _blas_name() -> str:
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return "numpy's BLAS (install threadpoolctl to see which)"
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return ", ".join(f"{p['internal_api']} {p['version']} {p.get('architecture', '')}" for p in pools)
