"""The embedded default backend: C++ kernels on the host's CPU, really measured on the thread's own CPU clock."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from pytest_ascend_tune.backends.build_cache import CachedFile
from pytest_ascend_tune.backends.built import Builder, BuiltKernel, compiled_files
from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.cpu.checks import checks
from pytest_ascend_tune.backends.cpu.load import LoadWatch
from pytest_ascend_tune.backends.ownbuild import OwnBuild
from pytest_ascend_tune.backends.toolchain import Compiler, compile_to, find_compiler
from pytest_ascend_tune.backends.worker import Worker
from pytest_ascend_tune.model.errors import (
    BackendUnavailableError,
    KernelCrashError,
    OutOfMemoryError,
    SettingsError,
    WrongResultError,
)
from pytest_ascend_tune.model.measurement import Health, Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.readiness import Check
from pytest_ascend_tune.model.search import EntryPoint, Template
from pytest_ascend_tune.model.verdict import Fingerprint

# Raise it when samples of the same kernel would come out differently: it makes old numbers not comparable.
PROTOCOL = "1"
MAX_THREADS = 64  # of the kernel ABI
RECHECK_CALLS = 3  # of a kernel in one recheck, at most; at least two
REQUEST_TIMEOUT_S = 300.0  # for requests that run no kernel; large operands take a while to fill
# A sign of life costs tens of microseconds; this share of its time limit a sample may lose when none is given between.
SIGN_OF_LIFE = 0.1


class CpuBackend:
    """Implements protocols.Backend with g++ (or CXX) and a killable worker process."""

    name = "cpu"
    simulated = False
    default_dtype = Dtype.FLOAT32
    dtypes: tuple[Dtype, ...] = (Dtype.FLOAT32, Dtype.BFLOAT16)
    default_template = "cpu_gemm"
    old_option = "old_cxx"

    def __init__(self, options: BackendOptions) -> None:
        """Raises SettingsError for options that make no sense here; starts nothing."""
        if options.l2 not in (None, "cold", "hot"):
            raise SettingsError(f"l2={options.l2!r} is unknown; allowed: cold, hot")
        if not 1 <= options.threads <= MAX_THREADS:
            raise SettingsError(f"threads={options.threads} is out of range; allowed: 1 to {MAX_THREADS}")
        self._options = options
        self._threads = options.threads
        self._model = cpu_facts.cpu_model()
        self._caches = cpu_facts.cache_bytes()
        # Twice the private caches; emptying a shared L3 of hundreds of MiB would take longer than the call.
        self._cold_bytes = 2 * self._caches["l2_bytes"] if options.l2 == "cold" else 0
        self._builder = Builder(options)
        self._worker = Worker("pytest_ascend_tune.backends.cpu.worker", environment=_library_environment(self._threads))
        self._prepared: set[tuple[int, str]] = set()  # (generation of the worker, problem id)
        self._called: set[tuple[int, str]] = set()  # (generation of the worker, build id)
        self._load = LoadWatch()
        self._old_compiler: Compiler | None = None

    @property
    def device(self) -> str:
        """From the CPU model only."""
        return self._model.device

    @cached_property
    def _compiler(self) -> Compiler:
        return find_compiler()

    @cached_property
    def _libraries(self) -> dict[str, str]:
        return self._worker.request("describe", timeout_s=REQUEST_TIMEOUT_S)

    def unavailable_because(self) -> str | None:
        """No compiler, or the worker process does not start."""
        try:
            _ = self._compiler, self._libraries
        except BackendUnavailableError as error:
            return str(error)
        return None

    def facts(self) -> Mapping[str, int]:
        """Cache sizes of one core, and the number of threads that a kernel runs with."""
        return {**self._caches, "threads": self._threads}

    def memory_bytes(self) -> int:
        """What the system or our cgroup still has."""
        return cpu_facts.memory_bytes()

    def fingerprint(self) -> Fingerprint:
        """CPU and protocol identify; compiler, numpy, BLAS and Linux are versions."""
        return Fingerprint(
            self.device,
            identity=(
                ("cpu", self._model.name),
                ("threads", str(self._threads)),
                ("clock", "thread CPU time"),
                ("l2", self._options.l2 or "hot"),
                ("protocol", PROTOCOL),
            ),
            versions=(
                *_compiler_versions(self._compiler),
                ("numpy", self._libraries["numpy"]),
                ("blas", self._libraries["blas"]),
                ("linux", platform.release()),
            ),
        )

    def build(self, template: Template, problem: GemmProblem, config: Config) -> BuiltKernel:
        """Compile for this CPU. The shape is an argument of the kernel: one build serves all problems of a dtype."""
        return self._build(self._compiler, template, problem, config)

    def use_old(self, place: str) -> None:
        """`place`: as in CXX (protocols.TwoToolchains)."""
        try:
            self._old_compiler = find_compiler({**os.environ, "CXX": place}, named="the old compiler")
        except BackendUnavailableError as error:
            raise SettingsError(str(error)) from None

    def old_versions(self) -> tuple[tuple[str, str], ...]:
        """Of the old compiler."""
        return _compiler_versions(self._old)

    def build_old(self, template: Template, problem: GemmProblem, config: Config) -> BuiltKernel:
        """As `build`, with the old compiler."""
        return self._build(self._old, template, problem, config)

    @property
    def _old(self) -> Compiler:
        assert self._old_compiler is not None, "use_old comes first"
        return self._old_compiler

    def _build(self, compiler: Compiler, template: Template, problem: GemmProblem, config: Config) -> BuiltKernel:
        files, called = compiled_files(template), _words(template.entry)
        if template.build is not None:
            values = {**{name: str(value) for name, value in config.items()}, "dtype": problem.dtype.value}
            own = OwnBuild(template.build, files, values, compiler, self._options.build_timeout_s)
            identity = ("cpu", compiler.identity, self._model.identity, *own.identity, *called)
            key, file = self._builder.build(identity, own.sources, own.run)
        else:
            macros = (*template.macros(config), _dtype_macro(problem))
            key, file = self._compile(compiler, macros, template.source, files, called)
        return BuiltKernel(key, config, template, file, old_toolchain=compiler is not self._compiler)

    def verify(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """Random check of every row; `thorough`: every element."""
        self._run("verify", (artifact,), problem, timeout_s, then_s=REQUEST_TIMEOUT_S, thorough=thorough)

    def recheck(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """In the same process, on other operands in the same memory (protocols.Rechecking)."""
        self._request("refill", problem, REQUEST_TIMEOUT_S, threads=self._threads)
        limit_s = RECHECK_CALLS * timeout_s
        self._run(
            "recheck", (artifact,), problem, limit_s, then_s=REQUEST_TIMEOUT_S, thorough=thorough, most=RECHECK_CALLS
        )

    def sample(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float) -> Sample:
        """CPU time of the slowest thread, per call; tiny problems are called several times."""
        (sample,) = self.samples((artifact,), problem, timeout_s=timeout_s)
        return sample

    def samples(
        self,
        artifacts: Sequence[BuiltKernel],
        problem: GemmProblem,
        *,
        timeout_s: float,
        verify: bool = False,
        give_up: tuple[int, float] | None = None,
    ) -> tuple[Sample, ...]:
        """One sample after another, in one request to the worker (protocols.Batching)."""
        answer = self._run(
            "sample",
            artifacts,
            problem,
            timeout_s,
            cold_bytes=self._cold_bytes,
            alive_s=SIGN_OF_LIFE * timeout_s,
            verify=verify,
            give_up=give_up,
        )
        return tuple(Sample(us, wall_us, process_us, self._threads) for us, wall_us, process_us in answer["samples"])

    def reference(self, problem: GemmProblem) -> BuiltKernel | None:
        """numpy's matmul, with as many threads as the kernel; numpy has no bfloat16."""
        if problem.dtype is not Dtype.FLOAT32:
            return None
        threads = f"{self._threads} thread" + ("s" if self._threads > 1 else "")
        return BuiltKernel(f"numpy {self._libraries['numpy']}, {self._libraries['blas']}, {threads}", None)

    def peak_tflops(self, problem: GemmProblem) -> float:
        """Measured now: multiply-adds on registers, one core, times the number of threads."""
        file = self._peak_kernel(problem)
        answer = self._worker.request("peak", timeout_s=REQUEST_TIMEOUT_S, path=str(file.path))
        return float(answer["gflops"]) * self._threads / 1000

    def anchors(self, problem: GemmProblem) -> tuple[tuple[str, float], ...]:
        """GFLOPS of multiply-adds on registers and GB/s of a copy in memory, one thread (protocols.Anchored)."""
        answer = self._worker.request("stream", timeout_s=REQUEST_TIMEOUT_S)
        gflops = self.peak_tflops(problem) / self._threads * 1000
        return (("fma_peak", gflops), ("memory_stream", float(answer["gbytes_per_s"])))

    def health(self) -> Health:
        """What others did on our CPUs since the last call (since the backend was made, the first time)."""
        return self._load.since_last(self._worker.children())

    def restart(self) -> None:
        """New process, new buffers (protocols.Restartable)."""
        self._worker.discard()

    def resolution_us(self) -> float:
        """Jitter of an empty call on the thread's CPU clock (protocols.ClockLimits)."""
        return float(self._worker.request("jitter", timeout_s=REQUEST_TIMEOUT_S)["us"])

    def close(self) -> None:
        """End the worker processes."""
        self._worker.close()

    @staticmethod
    def checks(options: BackendOptions, *, by_name: bool) -> Iterator[Check]:
        """For doctor (protocols.Examined)."""
        backend = CpuBackend(options)
        try:
            yield from checks(backend)
        finally:
            backend.close()

    def _run(
        self, action: str, artifacts: Sequence[BuiltKernel], problem: GemmProblem, timeout_s: float, **arguments: Any
    ) -> dict[str, Any]:
        distinct = {artifact.build_id: artifact for artifact in artifacts}
        files = {build_id: self._file(artifact, problem) for build_id, artifact in distinct.items()}
        # what the worker loads; None is its reference
        kernels = {key: file and _loaded(file, distinct[key].template) for key, file in files.items()}
        numbers = {build_id: number for number, build_id in enumerate(kernels)}
        # Filling the operands is not the kernel's time.
        if (self._worker.generation, problem.id) not in self._prepared:
            self._request("prepare", problem, REQUEST_TIMEOUT_S, threads=self._threads)
            self._prepared.add((self._worker.generation, problem.id))
        generation = self._worker.generation
        self._called |= {(generation, build_id) for build_id in kernels}
        try:
            return self._request(
                action,
                problem,
                timeout_s,
                kernels=list(kernels.values()),
                order=[numbers[artifact.build_id] for artifact in artifacts],
                threads=self._threads,
                **arguments,
            )
        except KernelCrashError:
            others = any(number == generation and build_id not in kernels for number, build_id in self._called)
            if self._worker.generation == generation or not others:
                raise
        # Another kernel ran in that process before and may have damaged it: the blame needs a process of one's own.
        return self._run(action, artifacts, problem, timeout_s, **arguments)

    def _file(self, artifact: BuiltKernel, problem: GemmProblem) -> CachedFile | None:
        return artifact.file_now(self.build_old if artifact.old_toolchain else self.build, problem)

    def _request(self, action: str, problem: GemmProblem, timeout_s: float, **arguments: Any) -> dict[str, Any]:
        try:
            return self._worker.request(action, timeout_s=timeout_s, problem=problem.id, **arguments)
        except (WrongResultError, OutOfMemoryError):
            self._worker.discard()  # what else may it have written, what does it still hold?
            raise

    def _flags(self, compiler: Compiler) -> tuple[str, ...]:
        threads = ("-fopenmp",) if self._threads > 1 else ()  # for templates that use it; ours has its own threads
        return ("-O3", "-std=gnu++17", *compiler.native_flags, *threads, "-pthread", "-shared", "-fPIC")

    def _compile(
        self,
        compiler: Compiler,
        macros: tuple[str, ...],
        source: str,
        files: Mapping[str, str],
        called: tuple[str, ...] = (),
    ) -> tuple[str, CachedFile]:
        command = (*self._flags(compiler), *macros)

        def compile_in(key: str, folder: Path, output: Path) -> None:
            line = (*compiler.command, *command, source, "-o", output.name)
            hidden = compiler.command[1:]
            compile_to(line, output, timeout_s=self._options.build_timeout_s, cwd=folder, hidden=hidden)

        identity = ("cpu", compiler.identity, self._model.identity, *command, source, *called)
        return self._builder.build(identity, files, compile_in)

    def _peak_kernel(self, problem: GemmProblem) -> CachedFile:
        source = "fma_peak.cpp"
        text = resources.files(__package__).joinpath(source).read_text(encoding="utf-8")
        return self._compile(self._compiler, (_dtype_macro(problem),), source, {source: text})[1]


def _compiler_versions(compiler: Compiler) -> tuple[tuple[str, str], ...]:
    """The identity differs when a wrapper adds an option, too."""
    return (("compiler", compiler.version), ("compiler_identity", compiler.identity[:12]))


def _library_environment(threads: int) -> dict[str, str]:
    """How many threads the libraries use. The pools of several of them live in one process: who waits must not spin."""
    environment = {f"{name}_NUM_THREADS": str(threads) for name in ("OPENBLAS", "OMP", "MKL", "BLIS")}
    if threads > 1:
        environment |= {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_THREAD_TIMEOUT": "4"}  # 4: its shortest spin
    return environment


def _words(entry: EntryPoint | None) -> tuple[str, ...]:
    """A described entry point as part of a build's identity: called otherwise, the same library is another kernel."""
    return () if entry is None else (entry.symbol, *entry.arguments, entry.returns)


def _loaded(file: CachedFile, template: Template | None) -> dict[str, Any]:
    """What the worker's Kernel is made of."""
    entry = template.entry if template else None
    return {"path": str(file.path), "sha256": file.sha256, **({"entry": vars(entry)} if entry else {})}


def _dtype_macro(problem: GemmProblem) -> str:
    return f"-DDTYPE_{problem.dtype.name}"
