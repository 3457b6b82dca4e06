"""Triton templates on the simulator: the vendor's compiler builds them, executing them checks and times them."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.hivm.chain import Chain, KernelSource, Tools, find_tools
from pytest_ascend_tune.backends.hivm.execute import execute
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.program import Program
from pytest_ascend_tune.backends.hivm.timeline import Simulated, simulate
from pytest_ascend_tune.backends.hivm.views import to_bfloat16
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, WrongResultError
from pytest_ascend_tune.model.hardware import HardwareSpec
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.search import Template, TritonKernel

_TYPES = {Dtype.FLOAT16: "*fp16", Dtype.BFLOAT16: "*bf16", Dtype.FLOAT32: "*fp32", Dtype.INT8: "*i8"}
_OPTIONS_THAT_COUNT = ("set_workspace_multibuffer", "tile_mix_vector_loop", "tile_mix_cube_loop")
# Above this a verify runs some blocks only: it is to take about a second on one core of a host.
FULL_VERIFY_FLOP = 1.2e10
_SAMPLED = 20_000  # elements of C that are compared when not all of the product is computed


@dataclass(frozen=True)
class TritonArtifact:
    """A compiled kernel (protocols.Artifact): its schedule, how it is launched, and the compiler's notes."""

    build_id: str
    config: Config | None
    program: Program
    order: tuple[str, ...]  # of the operands a, b, c in the kernel's arguments
    grid: int
    notes: tuple[str, ...]


class TritonKernels:
    """All Triton kernels of one simulated chip. ``build`` may be called from several threads; each has its own chain.

    `python`: a Python that has triton-ascend and ascendnpu-ir; None: the running one.
    """

    def __init__(self, chip: HardwareSpec, python: str | None = None) -> None:
        self._chip, self._python = chip, python
        self._lock = threading.Lock()
        self._tools: Tools | None = None
        self._idle: list[Chain] = []
        self._built: dict[str, TritonArtifact] = {}
        self._times: dict[tuple[str, str], Simulated] = {}

    @property
    def device(self) -> str:
        """The chip's name, ``910B3``."""
        return self._chip.name

    def tools(self) -> Tools:
        """The compiler. Raises BackendUnavailableError: it, or the parser of what it writes, is not here."""
        try:
            import xdsl  # noqa: F401  # start-up: is it here?
        except ImportError:
            raise BackendUnavailableError(
                'a template in Triton needs xdsl beside this package: pip install "pytest-ascend-tune[triton]"'
            ) from None
        with self._lock:
            if self._tools is None:
                self._tools = find_tools(self._python)
            return self._tools

    def build(self, template: Template, problem: GemmProblem, config: Config, *, timeout_s: float) -> TritonArtifact:
        """Compile for this chip. Raises BuildError in the compiler's words, BuildTimeoutError, CannotExecuteError.

        A kernel that compiles only after the compiler has changed what it was asked for keeps the compiler's notes.
        """
        kernel = template.triton
        assert kernel is not None
        tools = self.tools()
        values = {**_facts(problem, self._chip), **config}
        parts = (self._chip.name, tools.version, template.source_hash, problem.id, str(config))
        build_id = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        if build_id in self._built:
            return self._built[build_id]
        with self._lock:
            chain = self._idle.pop() if self._idle else Chain(tools)
        try:
            with tempfile.TemporaryDirectory(prefix="ascend-tune-source-") as folder:
                for name, text in template.files:
                    path = Path(folder) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
                source = _source(kernel, Path(folder) / template.source, problem, values)
                options = {name: _option(name, _value(value, values)) for name, value in kernel.options}
                made = chain.compile(source, target=f"Ascend{self._chip.name}", options=options, timeout_s=timeout_s)
        finally:
            with self._lock:
                self._idle.append(chain)
        order = tuple(str(value) for _, value in kernel.arguments if value in ("a", "b", "c"))
        grid = int(_value(kernel.grid, values))
        artifact = TritonArtifact(build_id, config, read_program(made.module), order, grid, made.notes)
        self._built[build_id] = artifact
        return artifact

    def verify(self, artifact: TritonArtifact, problem: GemmProblem) -> None:
        """Execute the schedule and compare bit for bit. Raises WrongResultError, ScheduleError, CannotExecuteError.

        Operands are small whole numbers, whose sums are exact. A problem of more than ``FULL_VERIFY_FLOP`` is executed
        on some cores: the first, the last, and others, as many as fit; then the written elements are compared.
        """
        whole = 2.0 * problem.m * problem.n * problem.k <= FULL_VERIFY_FLOP
        share = FULL_VERIFY_FLOP / (2.0 * problem.m * problem.n * problem.k)
        count = artifact.grid if whole else min(artifact.grid, max(2, int(artifact.grid * share)))
        blocks = sorted({round(i * (artifact.grid - 1) / max(count - 1, 1)) for i in range(count)})
        rng = np.random.default_rng(0)
        a = rng.integers(-3, 4, (problem.m, problem.k)).astype(np.float32)
        b = rng.integers(-3, 4, (problem.k, problem.n)).astype(np.float32)
        layout = problem.layout.value
        stored = {
            "a": _stored(a.T if layout[0] == "t" else a, problem.dtype),
            "b": _stored(b.T if layout[1] == "t" else b, problem.dtype),
        }
        stored["c"] = np.full((problem.m, problem.n), 99, _RESULTS.get(problem.dtype, stored["a"].dtype))
        told = execute(artifact.program, [stored[name] for name in artifact.order], artifact.grid, blocks=blocks)
        written = told.written[artifact.order.index("c")]
        if whole and not written.all():
            row, column = np.argwhere(~written)[0]
            raise WrongResultError(f"wrong result: C[{row}, {column}] is never written ({(~written).sum()} in all)")
        _compare(a, b, stored["c"], written, problem)

    def simulated(self, artifact: TritonArtifact, problem: GemmProblem, *, record_clocks: float = 0.0) -> Simulated:
        """The run on pipe timelines; with its instructions up to `record_clocks`."""
        operands = [None] * len(artifact.order)
        if record_clocks:
            return simulate(artifact.program, operands, artifact.grid, self._chip, record_clocks=record_clocks)
        key = (artifact.build_id, problem.id)
        if key not in self._times:
            self._times[key] = simulate(artifact.program, operands, artifact.grid, self._chip)
        return self._times[key]

    def close(self) -> None:
        """End the compilers."""
        while self._idle:
            with suppress(OSError):
                self._idle.pop().close()


_RESULTS = {Dtype.INT8: np.dtype(np.int32)}


def _facts(problem: GemmProblem, chip: HardwareSpec) -> dict[str, int | str]:
    """What a [triton] table may name beside the parameters."""
    layout = problem.layout.value
    return {
        "m": problem.m,
        "n": problem.n,
        "k": problem.k,
        "bytes": problem.dtype.element_bytes,
        "element_bytes": problem.dtype.element_bytes,
        "result_bytes": problem.dtype.result_bytes,
        "accumulator_bytes": 4,
        "a_transposed": int(layout[0] == "t"),
        "b_transposed": int(layout[1] == "t"),
        "dtype": problem.dtype.value,
        "layout": layout,
        "cores": chip.cube_cores,
        "integer": int(problem.dtype is Dtype.INT8),
    }


def _value(value: str | int, values: Mapping[str, int | str]) -> int | str:
    return values[value] if isinstance(value, str) else value


def _option(name: str, value: int | str) -> int | str | bool:
    """0 and 1 mean off and on, for the options that are no counts."""
    return bool(value) if name not in _OPTIONS_THAT_COUNT and value in (0, 1) else value


def _source(kernel: TritonKernel, file: Path, problem: GemmProblem, values: Mapping[str, int | str]) -> KernelSource:
    if problem.dtype not in _TYPES:
        raise BuildError(f"Triton kernels take {', '.join(_TYPES)}; not {problem.dtype}")
    element = _TYPES[problem.dtype]
    types = {"a": element, "b": element, "c": "*i32" if problem.dtype is Dtype.INT8 else element}
    signature = {name: types[str(value)] for name, value in kernel.arguments if value in types}
    constants = {name: _value(value, values) for name, value in kernel.arguments if value not in types}
    return KernelSource(file, kernel.kernel, signature, constants)


def _stored(values: NDArray[np.float32], dtype: Dtype) -> NDArray[Any]:
    whole = np.ascontiguousarray(values)
    if dtype is Dtype.BFLOAT16:
        return to_bfloat16(whole)
    return whole.astype(dtype.value)


def _compare(
    a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[Any], written: NDArray[np.bool_], problem: GemmProblem
) -> None:
    """All of C, or a seeded sample of what was written."""
    if written.all():
        rows, columns = np.indices(c.shape).reshape(2, -1)
        expected = (a @ b).reshape(-1)
    else:
        places = np.flatnonzero(written)
        chosen = np.random.default_rng(1).choice(places, min(len(places), _SAMPLED), replace=False)
        rows, columns = np.unravel_index(np.sort(chosen), c.shape)
        expected = np.concatenate(
            [
                np.einsum("ij,ji->i", a[rows[first : first + 1024]], b[:, columns[first : first + 1024]])
                for first in range(0, len(rows), 1024)
            ]
        )
    right = to_bfloat16(expected) if problem.dtype is Dtype.BFLOAT16 else expected.astype(c.dtype)
    got = c[rows, columns]
    wrong = np.flatnonzero(got != right)
    if len(wrong):
        at = wrong[0]
        raise WrongResultError(
            f"wrong result: {len(wrong)} of {len(right)} compared elements of C are not the product; the first is "
            f"C[{rows[at]}, {columns[at]}] = {got[at]}, expected {right[at]} (the compiled schedule, executed)"
        )
