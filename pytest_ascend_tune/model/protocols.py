"""The seams: what a backend, a space and a store must offer. Types, and one rule for both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pytest_ascend_tune.model.measurement import Failure, Health, Measurement, MeasurePlan, Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.readiness import Check
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey, Fingerprint

if TYPE_CHECKING:
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class BackendOptions:
    """What a backend is created with. ``cache_dir`` keeps built kernels; None of the others is needed by every backend.

    ``l2``: cache state between samples (None = the backend's default); ``devices``: the first is this backend's;
    ``threads``: threads of a kernel on the host; ``cache_limit_bytes``: above it the least recently used are deleted.
    """

    cache_dir: Path
    l2: str | None = None
    devices: tuple[int, ...] | None = None
    threads: int = 1
    build_timeout_s: float = 120.0
    triton_python: str | None = None  # a Python that has the Triton compiler; None: the running one
    cache_limit_bytes: int = 512 << 20


class Artifact(Protocol):
    """A built kernel, loadable by the backend that built it."""

    @property
    def build_id(self) -> str:
        """Hash of all that makes the binary: equal ids are the same kernel."""

    @property
    def config(self) -> Config | None:
        """The configuration it was built for, None for a reference kernel."""


class Backend(Protocol):
    """Where kernels run. ``build`` may be called from other threads while ``sample`` runs; the rest from one thread."""

    name: str
    simulated: bool
    default_dtype: Dtype
    dtypes: tuple[Dtype, ...]
    default_template: str

    @property
    def device(self) -> str:
        """Stable name of the device for paths: letters, digits, ``-``, ``_``; no host name, no clock."""

    def unavailable_because(self) -> str | None:
        """Why it can't run here and how to fix that; None when it can."""

    def facts(self) -> Mapping[str, int]:
        """Hardware facts that a template's constraints may name, in bytes or counts (``l1_bytes``, ``cores`` ...)."""

    def memory_bytes(self) -> int:
        """Memory that operands may use."""

    def fingerprint(self) -> Fingerprint:
        """Identity and versions of this machine and tool chain."""

    def build(self, template: Template, problem: GemmProblem, config: Config) -> Artifact:
        """Compile (or take from the cache). Raises BuildError, BuildTimeoutError."""

    def verify(self, artifact: Artifact, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """Run once and check the result (`thorough`: every element).

        Raises WrongResultError and the errors of `sample`.
        """

    def sample(self, artifact: Artifact, problem: GemmProblem, *, timeout_s: float) -> Sample:
        """One timed call.

        Several artifacts stay loaded side by side. Raises KernelCrashError, KernelTimeoutError, OutOfMemoryError.
        """

    def reference(self, problem: GemmProblem) -> Artifact | None:
        """The vendor's kernel for the problem, for `sample`; None where there is none.

        Its build_id names library and version.
        """

    def peak_tflops(self, problem: GemmProblem) -> float:
        """Highest possible rate for the problem's dtype (measured now, where the backend measures it)."""

    def health(self) -> Health:
        """Is the device disturbed right now?"""

    def close(self) -> None:
        """Free processes and devices. May be called twice."""


@runtime_checkable
class Restartable(Protocol):
    """Optional part of a backend: a finding of "slower" is taken again in fresh processes and buffers."""

    def restart(self) -> None:
        """End the processes that hold kernels; the next use of an artifact loads it anew, into new buffers."""


@runtime_checkable
class Rechecking(Protocol):
    """Optional part of a backend: what a kernel does after many calls is checked where it did them."""

    def recheck(self, artifact: Artifact, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """As `Backend.verify`, in the process of the samples, on operands that changed; nothing in C tells of a check.

        Raises WrongResultError and the errors of `Backend.sample`.
        """


@runtime_checkable
class Placed(Protocol):
    """Optional part of a backend: its devices have names that all sessions and containers of the machine share."""

    def lock_names(self, devices: tuple[int, ...] | None) -> tuple[str, ...]:
        """Names of the lock files of `devices` (None: the backend's own), each once, in one order for everybody."""


@runtime_checkable
class Batching(Protocol):
    """Optional part of a backend: several samples at the cost of asking once."""

    def samples(
        self,
        artifacts: Sequence[Artifact],
        problem: GemmProblem,
        *,
        timeout_s: float,
        verify: bool = False,
        give_up: tuple[int, float] | None = None,
    ) -> tuple[Sample, ...]:
        """As `sample` of one after the other; `timeout_s` is the limit of each. The first error ends them.

        `verify`: the last artifact is verified first. `give_up` (count, us): the first `count` are all when each sample
        of the last artifact among them is longer than `us`: see :func:`is_given_up`.
        """


def is_given_up(times_us: Sequence[float], kernels: Sequence[object], give_up: tuple[int, float] | None) -> bool:
    """Whether a batch of `kernels` ends after the samples of `times_us` so far: the rule of :class:`Batching`."""
    if give_up is None or len(times_us) != give_up[0]:
        return False
    return min(us for us, kernel in zip(times_us, kernels, strict=False) if kernel == kernels[-1]) > give_up[1]


@runtime_checkable
class ClockLimits(Protocol):
    """Optional part of a backend: what its clock can tell apart."""

    def resolution_us(self) -> float:
        """Larger of the clock's step and the jitter of an empty launch; smaller differences are never a finding."""


@runtime_checkable
class Particular(Protocol):
    """Optional part of a backend: some templates need more than the backend itself."""

    def check_template(self, template: Template) -> None:
        """Raises BackendUnavailableError for a template that cannot be built here; before anything is measured."""


@runtime_checkable
class Anchored(Protocol):
    """Optional part of a backend: rates of the device itself, which tell its speed beside the reference kernel."""

    def anchors(self, problem: GemmProblem) -> tuple[tuple[str, float], ...]:
        """(name, rate) of each, read now in a few milliseconds; higher is faster, the unit is the name's own."""


@runtime_checkable
class TwoToolchains(Protocol):
    """Optional part of a backend: it can also build with an older tool chain, to be compared with today's."""

    old_option: str  # name of the option that says where the old one is

    def use_old(self, place: str) -> None:
        """Take the tool chain at `place` as the old one, tried by a compilation. Raises SettingsError."""

    def old_versions(self) -> tuple[tuple[str, str], ...]:
        """Its versions, named as in the fingerprint. After `use_old`."""

    def build_old(self, template: Template, problem: GemmProblem, config: Config) -> Artifact:
        """As `build`, with the old tool chain. After `use_old`."""


@runtime_checkable
class Banded(Protocol):
    """Optional part of a simulated backend: how wrong its predictions may be."""

    def band_us(self, problem: GemmProblem, config: Config) -> tuple[float, float]:
        """Low and high time that nine of ten published measurements lie between."""


@runtime_checkable
class Advising(Protocol):
    """Optional part of a backend: what a reader of a result should know about the device and the shape."""

    def notes(self, problem: GemmProblem, config: Config | None = None) -> tuple[Text, ...]:
        """Sentences for ``TuningResult.notes``; `config` is the best one found."""


@runtime_checkable
class Numbered(Protocol):
    """Optional part of a backend's class: devices that a user may name by number.

    ``max_devices``: numbers below it are allowed, None: what the machine has.
    """

    max_devices: int | None

    @staticmethod
    def devices_here() -> int:
        """How many this machine has for processes to share out; 0: none, or as many as anybody wants."""


@runtime_checkable
class Variants(Protocol):
    """Optional part of a backend's class: one of several chips, named behind a colon as in ``simulator:910B2``."""

    @staticmethod
    def variant_of(device: str) -> str:
        """What stands behind the colon for a device (`Backend.device`)."""


@runtime_checkable
class Clustered(Protocol):
    """Optional part of a backend: a cluster hands its devices out itself, as units of a resource of its nodes."""

    cluster_resource: str


@runtime_checkable
class WarmStarting(Protocol):
    """Optional part of a backend: something that was not measured knows where a search may start."""

    def warm_starts(self, problem: GemmProblem, configs: Sequence[Config], count: int) -> tuple[Config, ...]:
        """Up to `count` of the legal `configs`, none when nothing is known. A place to start, never a result."""


@runtime_checkable
class Examined(Protocol):
    """Optional part of a backend's class: what it needs of a machine, one thing after the other."""

    @staticmethod
    def checks(options: BackendOptions, *, by_name: bool) -> Iterator[Check]:
        """What is there and what is missing. `by_name`: not only because ``auto`` may come to it."""


class Candidates(Protocol):
    """Legal configurations of one problem, as rows. ``total`` counts all legal ones, also when only some are held."""

    total: int

    @property
    def encoded(self) -> NDArray[np.float64]:
        """(n, d) matrix, every column scaled to [0, 1] in the parameter's own order."""

    def __len__(self) -> int: ...

    def config(self, row: int) -> Config:
        """The configuration of a row."""

    def row(self, config: Config) -> int | None:
        """Row of a configuration, None when it is not among the candidates."""


class Space(Protocol):
    """A search space: what may be tried."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Parameter name of each encoded column (an unordered parameter may have several)."""

    @property
    def default(self) -> Config | None:
        """A configuration known to work, tried first."""

    def candidates(self, problem: GemmProblem | None, *, limit: int, seed: int) -> Candidates:
        """The legal configurations (a seeded uniform sample when there are more than `limit`).

        Raises SpaceError when none is.
        """

    def why_illegal(self, config: Config, problem: GemmProblem | None) -> str | None:
        """The violated constraint with its reason, None when legal."""

    def encode(self, config: Config) -> NDArray[np.float64]:
        """One configuration as a row of `Candidates.encoded`."""


class Store(Protocol):
    """Keeps baselines."""

    def load(self, key: BaselineKey) -> Baseline | None:
        """The stored baseline, None when there is none. Raises BaselineError for a damaged one."""

    def save(self, baseline: Baseline, sources: Template, *, accept_regression: bool = False) -> Path:
        """Write atomically. Raises BaselineError when a rule forbids it."""

    def load_sources(self, source_hash: str) -> Path | None:
        """Folder of the exact sources of a baseline, None when they are gone."""


@dataclass(frozen=True)
class Job:
    """What is tuned."""

    problem: GemmProblem
    template: Template
    space: Space
    backend: Backend


@dataclass(frozen=True)
class Strategy:
    """How it is tuned.

    ``baseline_configs``, ``warm_configs``: tried in this order before the model has a say.
    """

    max_trials: int = 50
    seed: int = 0
    plan: MeasurePlan = MeasurePlan()
    baseline_configs: tuple[Config, ...] = ()
    warm_configs: tuple[Config, ...] = ()


@dataclass(frozen=True)
class BackendRecipe:
    """How a backend is made, for making another one like it: name as of --ascend-tune-backend, and options."""

    name: str
    options: BackendOptions


@dataclass(frozen=True)
class TrialSetup:
    """What a device needs to know of a search: plain data, which can travel to another machine."""

    problem: GemmProblem
    template: Template
    plan: MeasurePlan


@dataclass(frozen=True)
class TrialRun:
    """What came of one configuration. ``device``: which one of several it ran on."""

    outcome: Measurement | Failure
    build_s: float = 0.0
    device: str = ""


class Executor(Protocol):
    """Where the trials of a search run: on one device, or on several, of this machine or of others.

    Searches follow each other: begin, submit as often as wanted, end. All of it is called from one thread.
    """

    @property
    def width(self) -> int:
        """Trials that it wants in flight; fewer when a device was lost."""

    @property
    def devices(self) -> int:
        """Devices that work."""

    @property
    def notes(self) -> Sequence[Text]:
        """What a reader of this search's result should know about the devices."""

    def begin(self, setup: TrialSetup, nominal_us: float | None = None) -> None:
        """Get ready for a search. Raises BackendUnavailableError.

        All its measurements are on one scale, whatever device they are taken on. `nominal_us`: usual time of the
        reference kernel on the scale of the earlier part of this search.
        """

    def submit(
        self, config: Config, *, best_us: float | None, likely: Callable[[], Sequence[Config]]
    ) -> Future[TrialRun]:
        """Build, verify and measure a configuration; a TrialError becomes a Failure.

        `best_us`: best time so far. `likely`: what will probably follow, for building ahead. The future raises what
        ends a search: BackendUnavailableError when no device is left, and whatever is no TrialError.
        """

    def end(self) -> None:
        """Drop what has not begun and wait for what runs. May be called twice."""

    def close(self) -> None:
        """Let go of the devices. May be called twice."""
