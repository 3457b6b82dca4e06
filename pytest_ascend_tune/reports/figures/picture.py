"""What a picture is, and what it may be made of beside the result: add one as a file here and a line in registry.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from matplotlib.figure import Figure

from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.messages import translate


@dataclass(frozen=True)
class PredictedStep:
    """One parameter moved by one step. ``change`` of the predicted time (share), None when the step is not legal."""

    parameter: str
    before: int
    after: int
    change: float | None


@dataclass(frozen=True)
class PredictedTime:
    """A simulator's time taken apart: parts that add up to it, and what one step of each parameter would change."""

    problem: GemmProblem
    time_us: float
    parts: tuple[tuple[Text, float], ...]
    steps: tuple[PredictedStep, ...]


class RecordedRun(Protocol):
    """One earlier run of a problem as the history keeps it. ``tflops`` is the confirmed rate."""

    @property
    def recorded_at(self) -> str:
        """ISO 8601, UTC."""

    @property
    def fails(self) -> bool:
        """Whether the test failed under its policy."""

    @property
    def tflops(self) -> float:
        """Confirmed rate."""

    @property
    def vs_baseline(self) -> float | None:
        """Speed relative to the baseline's own build, in the same run."""


@dataclass(frozen=True)
class Source:
    """What a report knows beside a result. ``runs``: earlier ones of the problem and this one, oldest first.
    ``prediction``: where a simulated time goes."""

    language: str = "en"
    runs: Sequence[RecordedRun] = ()
    prediction: PredictedTime | None = None


@dataclass(frozen=True)
class Table:
    """The numbers of a picture for those who cannot see it, in the report's language."""

    summary: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Series(Protocol):
    """What a picture holds: points, levels and labels, and nothing that was not measured."""

    @property
    def title(self) -> str:
        """First line of the picture."""


S = TypeVar("S", bound=Series)


def _no_tips(series: Any) -> Mapping[str, Sequence[str]]:
    return {}


@dataclass(frozen=True)
class Picture(Generic[S]):
    """One kind of picture. ``name`` is part of its ids in the page.

    ``series``: what it holds, None where it does not apply. ``read``: how to read it, with this run's own numbers.
    ``tips``: hover texts of the markers that carry a gid. ``table``: its numbers, where no other table has them.
    """

    name: str
    series: Callable[[GateResult, Source], S | None]
    figure: Callable[[S], Figure]
    read: Callable[[GateResult, S], Text]
    tips: Callable[[S], Mapping[str, Sequence[str]]] = _no_tips
    table: Callable[[S, str], Table] | None = None

    def of(self, result: GateResult, source: Source) -> ShownPicture | None:
        """The picture of a result in the report's language, None where it does not apply."""
        series = self.series(result, source)
        if series is None:
            return None
        return ShownPicture(
            self.name,
            series,
            lambda: self.figure(series),
            translate(self.read(result, series), source.language),
            self.tips(series),
            self.table(series, source.language) if self.table else None,
        )


@dataclass(frozen=True)
class ShownPicture:
    """One picture of one result. ``words``: how to read it; ``draw`` makes the figure when it is needed."""

    name: str
    series: Any
    draw: Callable[[], Figure]
    words: str
    tips: Mapping[str, Sequence[str]]
    table: Table | None
