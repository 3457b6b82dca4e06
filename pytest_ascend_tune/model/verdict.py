"""What the gate stores and says: baselines, policy, verdicts, results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timezone

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import Word


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


@dataclass(frozen=True)
class Fingerprint:
    """Where numbers come from. ``identity`` facts must be equal for numbers to be comparable; ``versions`` (tool chain,
    driver, libraries) are recorded and shown as differences, because comparing across them is the point of a gate."""

    device: str
    identity: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()


def with_variant(problem_id: str, variant: str) -> str:
    """What a problem is called in paths, rows and messages: ``64x64x64-float32-nn-default``."""
    return f"{problem_id}-{variant}" if variant else problem_id


@dataclass(frozen=True)
class BaselineKey:
    """Names one baseline; also its path: name/device/template/id.json.

    ``variant``: "" of a tuned problem, ``default`` or ``fixed-HASH8`` of one configuration that is gated as it is.
    """

    name: str
    device: str
    template: str
    problem_id: str
    variant: str = ""

    @property
    def id(self) -> str:
        """Problem id, and the variant where there is one."""
        return with_variant(self.problem_id, self.variant)


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
    anchors: tuple[tuple[str, float], ...] = ()  # rates of the device itself, read meanwhile; higher is faster


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
    provisional: bool = False  # recorded on a disturbed device: its numbers decide nothing, its sources do

    @property
    def recorded_moment(self) -> datetime:
        """``recorded_at`` to the second; without a zone it is UTC. Raises ValueError for a date that does not exist."""
        moment = datetime.fromisoformat(re.sub(r"\.\d+", "", self.recorded_at).replace("Z", "+00:00"))
        return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


@dataclass(frozen=True)
class Revision:
    """What a run is compared with in place of a stored baseline: the template's sources of a commit, built today.

    ``asked``: the revision as the option named it; ``commit``, ``today``: hashes of that commit and of today's HEAD;
    ``changed``: whether today's sources are other ones than those of ``today``. ``config``: the configuration that the
    revision is built with, and ``config_from`` where it comes from: baseline, default or search.
    """

    asked: str
    commit: str
    today: str
    changed: bool
    config: Config
    config_from: str
    pages: tuple[str, str] = ("", "")  # web addresses of both commits, where they can be known


@dataclass(frozen=True)
class Policy:
    """What the gate allows and what it makes of the doubtful cases. Thresholds are shares (0.025 = 2.5 %)."""

    threshold: float = 0.025
    min_efficiency: float | None = None
    min_vs_reference: float | None = None
    missing: str = "warn"  # seed | warn | fail | bare: fails, for CI is to compare and this run has nothing to do so
    inconclusive: str = "warn"  # warn | fail
    platform: str = "fail"  # warn | fail
    unconverged: str = "note"  # note | fail
    platform_threshold: float = 0.10  # coarse comparison with stored numbers; calibrate may widen or narrow it

    @property
    def demands_baseline(self) -> bool:
        """Whether a result without a comparable baseline fails."""
        return self.missing in ("fail", "bare")


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
    because: Text | None = None  # what is known of the cause


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
    template_place: str = ""  # the template as an option names it: built-in, or a folder relative to rootdir
    variant: str = ""  # of its baseline's key: one configuration was gated, without a search
    changed_files: tuple[str, ...] = ()  # of the template, since the baseline was recorded
    revision: Revision | None = None  # what it was compared with in place of a baseline

    @property
    def problem_id(self) -> str:
        """Names it among the results of a run and of a history."""
        return with_variant(self.tuning.problem.id, self.variant)

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


class PerformanceRegression(AssertionError):  # noqa: N818 - the contract's public name
    """The gate failed. ``str()`` is the short message for people; ``result`` holds all evidence."""

    def __init__(self, message: str, result: GateResult | None = None) -> None:
        super().__init__(message)
        self.result = result
