"""What a report shows, as frozen rows in its language: view.py fills them, the media lay them out."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ascend_tune.reports.figures.picture import ShownPicture
from pytest_ascend_tune.reports.rounding import Number


@dataclass(frozen=True)
class Count:
    """How many problems have one status."""

    status: str
    label: str
    mark: str
    tone: str
    number: int


@dataclass(frozen=True)
class Parameter:
    """One parameter of the confirmed configuration beside the baseline's; ``bar``: as long as its effect is large."""

    name: str
    value: str
    baseline: str
    differs: bool
    effect: Number
    bar: str


@dataclass(frozen=True)
class Check:
    """One line of the convergence checklist."""

    name: str
    text: str
    holds: bool


@dataclass(frozen=True)
class TrialRow:
    """One trial of the table, as measured in the search."""

    index: int
    rate: Number
    time_us: Number
    values: tuple[str, ...]
    origin: str
    device: str  # "" where the search had one only
    failure: str
    best: bool


@dataclass(frozen=True)
class Fact:
    """A fact of the environment; ``differs`` when the baseline was recorded with another value."""

    name: str
    value: str
    baseline: str = ""
    differs: bool = False


@dataclass(frozen=True)
class Missed:
    """Problems that were asked for and not measured for one reason: id (or a dash) and node id of each."""

    mark: str
    tone: str
    reason: str
    problems: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ProblemView:
    """Everything shown about one problem."""

    anchor: str
    problem_id: str
    nodeid: str
    shape: str
    dtype: str
    layout: str
    variant: str
    unit: str
    device: str
    backend: str
    template: str
    simulated: bool
    status: str
    label: str
    mark: str
    tone: str
    fails: bool
    sentence: str
    cause: str
    notes: tuple[str, ...]
    rate: Number
    rate_interval: tuple[Number, Number]
    time_us: Number
    efficiency: Number
    peak: Number
    vs_reference: Number
    baseline_rate: Number
    baseline_name: str
    baseline_date: str
    baseline_today: str
    compared_with: str  # the commits of both sides, where it was compared with a revision
    commit_pages: tuple[tuple[str, str], ...]  # hash and web address of each, where they are known
    baseline_written: str
    change: Number
    change_interval: tuple[Number, Number]
    allowed_drop: Number
    floor: Number
    config: str
    parameters: tuple[Parameter, ...]
    trials: int
    failed: int
    legal_configs: int
    search_best: Number
    duration: str
    search: str
    state_label: str
    converged: bool
    convergence_reason: str
    checks: tuple[Check, ...]
    has_effects: bool
    parameter_names: tuple[str, ...]
    devices: str  # that trials ran on, where there were several
    trial_rows: tuple[TrialRow, ...]
    differences: tuple[Fact, ...]
    reproduce: str
    accept: str
    run_dir: str
    run: str  # the run's name, where results of several are shown
    pictures: tuple[ShownPicture, ...]

    def picture(self, name: str) -> ShownPicture | None:
        """The picture of that name, None where it does not apply."""
        return next((picture for picture in self.pictures if picture.name == name), None)


@dataclass(frozen=True)
class ReportView:
    """A whole report."""

    language: str
    created_at: str
    headline: str
    mark: str
    tone: str
    complete: bool
    simulated: bool
    counts: tuple[Count, ...]
    missed: tuple[Missed, ...]
    problems: tuple[ProblemView, ...]
    environment: tuple[Fact, ...]
    version: str
