"""What a search is made of and finds: template, trials, convergence, effects."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import Word


class Origin(Word):
    """Why a configuration was tried."""

    DEFAULT = "default"
    BASELINE = "baseline"
    WARM_START = "warm_start"
    SPACE_FILLING = "space_filling"
    MODEL = "model"


class ConvergenceState(Word):
    """How a search ended; only ``converged`` claims evidence."""

    RUNNING = "running"
    CONVERGED = "converged"
    STOPPED = "stopped"
    BUDGET_EXHAUSTED = "budget_exhausted"
    SPACE_EXHAUSTED = "space_exhausted"
    INTERRUPTED = "interrupted"
    NOTHING_VALID = "nothing_valid"


@dataclass(frozen=True)
class Trial:
    """One configuration built and measured in the search. ``index`` counts from 1.

    ``expected_gain``: the largest gain over the best so far (share, 0.01 = 1 %) that the model expected of any
    remaining configuration when this one was proposed; None before there is a model. ``device``: the one it ran on,
    where the search had several.
    """

    index: int
    config: Config
    outcome: Measurement | Failure
    origin: Origin = Origin.MODEL
    expected_gain: float | None = None
    build_s: float = 0.0
    device: str = ""

    @property
    def time_us(self) -> float | None:
        """Time of one call, None when the trial failed."""
        return self.outcome.time_us if isinstance(self.outcome, Measurement) else None

    @property
    def failure(self) -> Failure | None:
        """The failure, None when the trial was measured."""
        return self.outcome if isinstance(self.outcome, Failure) else None


class SignalName(Word):
    """The lines of the convergence checklist, in its order."""

    STAIRCASE_FLAT = "staircase_flat"
    GAPS_LENGTHEN = "gaps_lengthen"
    LATE_DOTS_BELOW = "late_dots_below"
    DISTRIBUTION = "distribution"
    EXPECTED_GAIN = "expected_gain"


@dataclass(frozen=True)
class Signal:
    """One line of the convergence checklist: what was looked at, its value, and whether it speaks for convergence.

    ``usual``: what this search itself gives to compare with (the median gap between jumps, in trials), None where it
    gives nothing. ``value`` is None where there is nothing to say yet.
    """

    name: SignalName
    value: float | None
    holds: bool
    text: Text
    usual: float | None = None


@dataclass(frozen=True)
class Convergence:
    """Judgement on a search.

    ``remaining_gain``: estimate of what more trials could still bring (share), None if unknown.
    """

    state: ConvergenceState
    reason: Text
    checklist: tuple[Signal, ...] = ()
    remaining_gain: float | None = None

    def signal(self, name: SignalName) -> Signal | None:
        """The checklist's line of that name, None where the search was not judged by it."""
        return next((signal for signal in self.checklist if signal.name == name), None)


@dataclass(frozen=True)
class Effect:
    """How much one parameter mattered: its share (0..1) of the modelled variation of log time."""

    parameter: str
    share: float


@dataclass(frozen=True)
class TritonKernel:
    """How a ``@triton.jit`` kernel is compiled and launched: what space.toml says in its ``[triton]`` table.

    ``arguments``: each argument of the kernel, in order, and what it gets: an operand (``a``, ``b``, ``c``: a pointer),
    or a constant: a whole number, or the name of a parameter or fact. ``options``: the compiler's, in the same way.
    ``grid``: how many programs are launched, in the same way.
    """

    kernel: str
    grid: str | int
    arguments: tuple[tuple[str, str | int], ...]
    options: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True)
class BuildRecipe:
    """How a kernel's own build system makes its library: commands without a shell, in a copy of the sources.

    ``library``: what they must write, relative to that copy. In commands and ``environment``, ``{name}`` is a
    parameter's value, ``{dtype}`` that of A and B, ``{builddir}`` an empty folder of this configuration alone.
    """

    commands: tuple[tuple[str, ...], ...]
    library: str
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class EntryPoint:
    """The C function that makes one product: its symbol, what each argument is, and what it returns.

    ``arguments``: of m, n, k, lda, ldb, ldc (elements), a_transposed, b_transposed, threads, each a C int, or an
    int64_t as ``m:int64``; a, b, c (pointers); alpha (1) and beta (0), each a float. ``returns``: ``status`` (int, 0 is
    well) or ``void``.
    """

    symbol: str
    arguments: tuple[str, ...]
    returns: str = "status"


@dataclass(frozen=True)
class Template:
    """A kernel template: its files and what they can do. Built only by ``kernels.template``."""

    name: str
    title: str
    source: str  # name of the translation unit among files; "" where the template has a build of its own
    files: tuple[tuple[str, str], ...]  # (relative name, text), sorted, space.toml included
    source_hash: str  # sha256 over files
    abi: int  # version of the entry point that a backend calls
    backends: tuple[str, ...]
    dtypes: tuple[Dtype, ...]
    layouts: tuple[Layout, ...]
    language: str = "c++"  # or "triton"
    triton: TritonKernel | None = None
    build: BuildRecipe | None = None
    entry: EntryPoint | None = None  # None: ascend_tune_gemm, see kernel_templates/cpu_gemm/README.md

    def macros(self, config: Config) -> tuple[str, ...]:
        """Compiler definitions of a configuration: ``tile_m=128`` becomes ``-DTILE_M=128``."""
        return tuple(f"-D{name.upper()}={value}" for name, value in config.items())


def source_hash(files: Mapping[str, str]) -> str:
    """sha256 over the names and texts of a template's files; the same on every platform, whatever the line ends."""
    digest = hashlib.sha256()
    for name, text in sorted(files.items()):
        for part in (name.encode(), text.replace("\r\n", "\n").encode()):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


@dataclass(frozen=True)
class TuningResult:
    """All that a search found. ``best`` is a raw search value; only ``confirmed`` may be reported, stored or judged."""

    problem: GemmProblem
    template: str
    backend: str
    device: str
    simulated: bool
    trials: tuple[Trial, ...]
    convergence: Convergence
    effects: tuple[Effect, ...] = ()
    legal_configs: int = 0
    seed: int = 0
    seconds: float = 0.0
    confirmed: Confirmation | None = None
    notes: tuple[Text, ...] = ()

    @property
    def valid(self) -> tuple[Trial, ...]:
        """Trials that were measured."""
        return tuple(trial for trial in self.trials if trial.failure is None)

    @property
    def devices(self) -> tuple[str, ...]:
        """Devices that trials ran on, where the search had several."""
        names = {trial.device for trial in self.trials if trial.device}
        return tuple(sorted(names, key=lambda name: (len(name), name)))

    @cached_property
    def best(self) -> Trial | None:
        """Fastest trial of the search (the earlier one when equal), None when nothing valid ran."""
        return min(self.valid, key=lambda trial: (trial.time_us, trial.index), default=None)
