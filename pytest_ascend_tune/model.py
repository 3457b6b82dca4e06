"""The words of this package: frozen values and enums, standard library only.

Times are microseconds (``_us``), rates are TFLOPS (TOPS for int8: 1e12 operations a second), shares are 0..1
(``_share``), sizes are bytes (``_bytes``). Sequences are tuples: every value is hashable and can be handed on freely.
"""

from __future__ import annotations

import math
import statistics
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pytest_ascend_tune.words import FailureKind as FailureKind
from pytest_ascend_tune.words import Word as Word


class Dtype(Word):
    """Type of A and B. hfloat32 is float32 data multiplied at the HF32 rate; int8 accumulates into int32."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    HFLOAT32 = "hfloat32"
    INT8 = "int8"

    @property
    def element_bytes(self) -> int:
        """Size of one element of A or B."""
        return {"float16": 2, "bfloat16": 2, "float32": 4, "hfloat32": 4, "int8": 1}[self.value]

    @property
    def result_bytes(self) -> int:
        """Size of one element of C: the element type itself, int32 for int8."""
        return 4 if self is Dtype.INT8 else self.element_bytes

    @property
    def rate_unit(self) -> str:
        """TFLOPS, or TOPS for integers."""
        return "TOPS" if self is Dtype.INT8 else "TFLOPS"


class Layout(Word):
    """Storage of A and B, one letter each: n = row-major, t = transposed (column-major). C is row-major."""

    NN = "nn"
    NT = "nt"
    TN = "tn"
    TT = "tt"


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


class GateStatus(Word):
    """Outcome of the gate, in order of precedence."""

    NOTHING_VALID = "nothing_valid"
    REGRESSED = "regressed"
    BELOW_EFFICIENCY = "below_efficiency"
    INCONCLUSIVE = "inconclusive"
    NO_BASELINE = "no_baseline"
    NOT_COMPARABLE = "not_comparable"
    IMPROVED = "improved"
    PASSED = "passed"


class Cause(Word):
    """What made a finding: the kernel's code, the platform (tool chain, driver), the device's state, or the search."""

    CODE = "code"
    PLATFORM = "platform"
    DEVICE = "device"
    SEARCH = "search"


class CompareStatus(Word):
    """Answer of a paired comparison of two kernels."""

    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Text:
    """A sentence for people: an English template (also the key of its translation, as in gettext) and its values.

    ``str(text)`` is English; reports translate the template and format the same values. A value may be a Text.
    """

    template: str
    values: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, template: str, /, **values: Any) -> Text:
        """Build from keyword values: ``Text.of("{drop:.1%} slower", drop=0.05)``."""
        return cls(template, tuple(values.items()))

    def __str__(self) -> str:
        return filled(self.template, dict(self.values))


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        words = super().format_field(value, format_spec)
        return f"{words[:-1]} %" if format_spec.endswith("%") else words


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A sentence's template with its values, as ``str.format`` fills it; shares are written as in tables: 2.5 %."""
    return _Formatter().vformat(template, (), values)


@dataclass(frozen=True)
class GemmProblem:
    """C[m, n] = A[m, k] B[k, n] in one dtype and layout. Raises ProblemError for anything that is no such problem."""

    m: int
    n: int
    k: int
    dtype: Dtype
    layout: Layout = Layout.NN

    def __post_init__(self) -> None:
        from pytest_ascend_tune.errors import ProblemError

        for name in ("m", "n", "k"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ProblemError(f"{name}={value!r} is a {type(value).__name__}; a whole number >= 1 is needed")
            if value < 1:
                raise ProblemError(f"{name}={value} is out of range; a whole number >= 1 is needed")
        for name, kind in (("dtype", Dtype), ("layout", Layout)):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError:
                allowed = ", ".join(member.value for member in kind)
                raise ProblemError(f"{name}={value!r} is unknown; allowed: {allowed}") from None

    @property
    def id(self) -> str:
        """``4096x4096x4096-float16-nn``: stands in node ids, file names and JSON."""
        return f"{self.m}x{self.n}x{self.k}-{self.dtype}-{self.layout}"

    @property
    def flops(self) -> int:
        """Operations of one product: a multiply and an add per m n k."""
        return 2 * self.m * self.n * self.k

    @property
    def operand_bytes(self) -> int:
        """Bytes of A, B and C together."""
        inputs = (self.m * self.k + self.k * self.n) * self.dtype.element_bytes
        return inputs + self.m * self.n * self.dtype.result_bytes

    def tflops(self, time_us: float) -> float:
        """Rate in 1e12 operations a second when one product takes `time_us`."""
        return self.flops / time_us / 1e6

    @classmethod
    def from_id(cls, text: str) -> GemmProblem:
        """Inverse of :attr:`id`. Raises ProblemError."""
        from pytest_ascend_tune.errors import ProblemError

        shape, _, rest = text.partition("-")
        dtype, _, layout = rest.partition("-")
        sizes = shape.split("x")
        if len(sizes) != 3 or not all(size.isascii() and size.isdigit() for size in sizes):
            raise ProblemError(f"{text!r} is no problem id; the form is MxNxK-dtype-layout: 4096x4096x4096-float16-nn")
        m, n, k = map(int, sizes)
        return cls(m, n, k, Dtype(dtype) if dtype in set(Dtype) else dtype, layout)  # type: ignore[arg-type]


class Config(Mapping[str, "int | str"]):
    """One setting of every tunable parameter; hashable and independent of order."""

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Mapping[str, int | str]) -> None:
        self._values = dict(sorted(values.items()))
        self._hash = hash(tuple(self._values.items()))

    def __getitem__(self, name: str) -> int | str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Config):
            return self._values == other._values
        return isinstance(other, Mapping) and self._values == dict(other)

    def __repr__(self) -> str:
        return f"Config({self})"

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self._values.items())

    def __reduce__(self) -> tuple[type[Config], tuple[dict[str, int | str]]]:
        return Config, (self._values,)


def fastest_quarter_mean(samples_us: tuple[float, ...]) -> float:
    """Mean of the fastest quarter (at least one) of the samples: this package's one estimator of a time.

    Low, because noise only ever adds time; a mean, because single minima are not stable (design measurements:
    the minimum of 3 ms calls varied three times as much between sessions).
    """
    fastest = sorted(samples_us)[: max(1, math.ceil(len(samples_us) / 4))]
    return statistics.fmean(fastest)


@dataclass(frozen=True)
class MeasurePlan:
    """How one trial is measured: untimed calls first, then timed calls with reference calls between them."""

    warmup: int = 1
    repeats: int = 12
    timeout_s: float = 60.0


@dataclass(frozen=True)
class Sample:
    """One timed sample: time of one call on the device's clock and, beside it, on the wall clock."""

    us: float
    wall_us: float


@dataclass(frozen=True)
class Measurement:
    """Raw samples of one trial.

    ``reference_us``: calls of the reference kernel taken between them; ``nominal_reference_us``: what that kernel takes
    at the machine's usual speed. Together they remove slow spells of the machine.
    """

    samples_us: tuple[float, ...]
    reference_us: tuple[float, ...] = ()
    nominal_reference_us: float | None = None
    noisy: bool = False

    @cached_property
    def time_us(self) -> float:
        """Fastest-quarter mean, scaled by the interleaved reference where there is one."""
        time = fastest_quarter_mean(self.samples_us)
        if self.nominal_reference_us and self.reference_us:
            time *= self.nominal_reference_us / fastest_quarter_mean(self.reference_us)
        return time

    @property
    def median_us(self) -> float:
        """Median of the raw samples."""
        return statistics.median(self.samples_us)


@dataclass(frozen=True)
class Failure:
    """Why a trial has no measurement."""

    kind: FailureKind
    message: str


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


@dataclass(frozen=True)
class Signal:
    """One line of the convergence checklist: what was looked at, its value, and whether it speaks for convergence."""

    name: str
    value: float | None
    holds: bool
    text: Text


@dataclass(frozen=True)
class Convergence:
    """Judgement on a search.

    ``remaining_gain``: estimate of what more trials could still bring (share), None if unknown.
    """

    state: ConvergenceState
    reason: Text
    checklist: tuple[Signal, ...] = ()
    remaining_gain: float | None = None


@dataclass(frozen=True)
class Effect:
    """How much one parameter mattered: its share (0..1) of the modelled variation of log time."""

    parameter: str
    share: float


@dataclass(frozen=True)
class Template:
    """A kernel template: its files and what they can do. Built only by ``kernels.template``."""

    name: str
    title: str
    source: str  # name of the translation unit among files
    files: tuple[tuple[str, str], ...]  # (relative name, text), sorted, space.toml included
    source_hash: str  # sha256 over files
    abi: int  # version of the entry point that a backend calls
    backends: tuple[str, ...]
    dtypes: tuple[Dtype, ...]
    layouts: tuple[Layout, ...]

    def macros(self, config: Config) -> tuple[str, ...]:
        """Compiler definitions of a configuration: ``tile_m=128`` becomes ``-DTILE_M=128``."""
        return tuple(f"-D{name.upper()}={value}" for name, value in config.items())


@dataclass(frozen=True)
class Comparison:
    """Paired comparison of a candidate with a baseline. Ratios are speeds: candidate / baseline, 0.9 = 10 % slower.

    ``ratio`` is the median of the per-round ratios and ``interval`` its block bootstrap interval; ``quarter_ratio`` is
    the ratio of the fastest-quarter means. ``reason`` is a code when inconclusive: busy, clock, noise, drift.
    """

    status: CompareStatus
    ratio: float
    interval: tuple[float, float]
    quarter_ratio: float
    rounds: int
    reason: str = ""


class ArmRole(Word):
    """Part that a kernel plays in a confirmation."""

    FINALIST = "finalist"
    BASELINE = "baseline"
    REFERENCE = "reference"


@dataclass(frozen=True)
class Arm:
    """One kernel of a confirmation with its samples, one per round it took part in."""

    role: ArmRole
    config: Config | None
    build_id: str
    samples_us: tuple[float, ...]
    wall_us: tuple[float, ...] = ()

    @cached_property
    def time_us(self) -> float:
        """Fastest-quarter mean of the samples."""
        return fastest_quarter_mean(self.samples_us)


@dataclass(frozen=True)
class Health:
    """State of the device: ``busy`` when others disturb it or its clock is below its rated value; notes say how.

    ``slow_clock``: the disturbance is the clock.
    """

    busy: bool = False
    notes: tuple[Text, ...] = ()
    slow_clock: bool = False


@dataclass(frozen=True)
class Confirmation:
    """The winner re-measured on fresh samples, beside the baseline's own build (same rounds) and the reference."""

    problem: GemmProblem
    winner: Arm
    interval_us: tuple[float, float]  # block bootstrap interval of winner.time_us
    peak_tflops: float
    race: tuple[Arm, ...] = ()
    baseline: Arm | None = None
    reference: Arm | None = None
    comparison: Comparison | None = None  # winner against baseline; None when there is nothing to compare
    identical_build: bool = False  # the baseline's own build is the winner's
    baseline_failure: Failure | None = None  # why the baseline's own build could not be measured
    health: Health = Health()
    seconds: float = 0.0
    budget_s: float = 0.0  # what it was allowed to take: scaled up for problems whose calls are long
    peak_noise: float = 0.0  # half width of the interval of peak_tflops (share); 0 where the peak is a rated number
    takes: int = 1  # 2 when a finding of "slower" was taken again; the samples are those of all takes
    notes: tuple[Text, ...] = ()  # finalists that were dropped and why, a scaled budget

    @property
    def tflops(self) -> float:
        """Confirmed rate."""
        return self.problem.tflops(self.winner.time_us)

    @property
    def interval(self) -> tuple[float, float]:
        """Bootstrap interval of the confirmed rate."""
        fast, slow = self.interval_us
        return self.problem.tflops(slow), self.problem.tflops(fast)

    @property
    def efficiency_share(self) -> float:
        """Confirmed rate / peak."""
        return self.tflops / self.peak_tflops

    @property
    def efficiency_interval(self) -> tuple[float, float]:
        """Interval of the efficiency, with the noise of both rates in it."""
        share = self.efficiency_share
        low, high = (math.hypot(rate / self.tflops - 1, self.peak_noise) for rate in self.interval)
        return share * (1 - low), share * (1 + high)

    @property
    def possible(self) -> bool:
        """Whether the rate is one that the device can reach; above the peak, time or peak was measured wrong."""
        return self.efficiency_share <= 1

    @property
    def vs_reference(self) -> float | None:
        """Speed relative to the reference kernel (1.2 = 20 % faster), None without one."""
        return self.reference.time_us / self.winner.time_us if self.reference else None


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


@dataclass(frozen=True)
class Fingerprint:
    """Where numbers come from. ``identity`` facts must be equal for numbers to be comparable; ``versions`` (tool chain,
    driver, libraries) are recorded and shown as differences, because comparing across them is the point of a gate."""

    device: str
    identity: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class BaselineKey:
    """Names one baseline; also its path: name/device/template/problem_id.json."""

    name: str
    device: str
    template: str
    problem_id: str


@dataclass(frozen=True)
class StoredMeasurement:
    """The confirmed numbers of a baseline. ``noise_share``: half width of the interval over the time."""

    time_us: float
    interval_us: tuple[float, float]
    tflops: float
    efficiency_share: float
    rounds: int
    noise_share: float
    reference_us: float | None = None
    reference_id: str = ""


@dataclass(frozen=True)
class Baseline:
    """What later runs are compared with: configuration, exact sources (by hash), confirmed numbers and where they
    come from."""

    key: BaselineKey
    config: Config
    source_hash: str
    abi: int
    build_id: str
    measurement: StoredMeasurement
    recorded_with: Fingerprint
    recorded_at: str  # ISO 8601, UTC
    simulated: bool = False
    runners_up: tuple[Config, ...] = ()  # next best configurations, for a warm start


@dataclass(frozen=True)
class Policy:
    """What the gate allows and what it makes of the doubtful cases. Thresholds are shares (0.025 = 2.5 %)."""

    threshold: float = 0.025
    min_efficiency: float | None = None
    min_vs_reference: float | None = None
    missing: str = "warn"  # seed | warn | fail
    inconclusive: str = "warn"  # warn | fail
    platform: str = "fail"  # warn | fail
    unconverged: str = "note"  # note | fail
    platform_threshold: float = 0.10  # coarse comparison with stored numbers; calibrate may widen or narrow it


@dataclass(frozen=True)
class Verdict:
    """The gate's judgement. ``fails``: whether the test fails under the policy. ``drop``: loss of TFLOPS (share) of the
    comparison that decided, negative when faster."""

    status: GateStatus
    reason: Text
    fails: bool
    cause: Cause | None = None
    drop: float | None = None
    drop_interval: tuple[float, float] | None = None
    allowed_drop: float | None = None
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class GateResult:
    """Everything about one gated problem: the search, the confirmation, the baseline it met and the verdict."""

    tuning: TuningResult
    verdict: Verdict
    policy: Policy = field(default_factory=Policy)
    baseline: Baseline | None = None
    fingerprint: Fingerprint | None = None
    nodeid: str = ""
    baseline_written: str = ""  # where a baseline was recorded in this run, "" when none was
    run_dir: str = ""  # the run's folder, relative to the root of everything written
    options: tuple[str, ...] = ()  # further command-line options that the run was given, for doing it again

    @property
    def confirmation(self) -> Confirmation | None:
        """The confirmed measurement, None when nothing valid ran."""
        return self.tuning.confirmed

    @property
    def status(self) -> GateStatus:
        """Shortcut for ``verdict.status``."""
        return self.verdict.status

    @property
    def tflops(self) -> float | None:
        """Confirmed rate."""
        return self.confirmation.tflops if self.confirmation else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bootstrap interval of the confirmed rate."""
        return self.confirmation.interval if self.confirmation else None

    @property
    def efficiency_share(self) -> float | None:
        """Confirmed rate / peak."""
        return self.confirmation.efficiency_share if self.confirmation else None

    @property
    def baseline_today_tflops(self) -> float | None:
        """Rate of the baseline's own build in this confirmation, None when it was not sampled."""
        arm = self.confirmation.baseline if self.confirmation else None
        return None if arm is None else self.tuning.problem.tflops(arm.time_us)

    @property
    def config(self) -> Config | None:
        """The confirmed configuration."""
        return self.confirmation.winner.config if self.confirmation else None


@dataclass(frozen=True)
class NotMeasured:
    """A problem that a run was asked for and has no result of. ``skipped``: it was left out, and nothing went wrong."""

    nodeid: str
    problem_id: str  # "" when the test had not said its shape yet
    reason: Text
    skipped: bool = False
