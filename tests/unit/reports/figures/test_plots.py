"""The pictures hold exactly the trials, and nothing that was not measured."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from pytest_ascend_tune.model.measurement import Failure
from pytest_ascend_tune.model.search import Origin
from pytest_ascend_tune.model.verdict import GateResult, GateStatus
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.reports.figures import canvas, comparison, convergence, distribution, png, roofline, trend
from pytest_ascend_tune.reports.figures.levels import COLOURS, Line
from pytest_ascend_tune.reports.figures.picture import Source
from pytest_ascend_tune.reports.figures.svg import to_svg
from pytest_ascend_tune.reports.figures.trials import TrialPoint
from tests.factories import gate_result

KINDS = {
    "usual": {"status": GateStatus.REGRESSED},
    "nothing valid": {"status": GateStatus.NOTHING_VALID},
    "one trial": {"count": 1},
    "no trial": {"count": 0},
    "500 trials": {"count": 500},
    "no failure": {"failed_share": 0.0},
    "simulated": {"backend": "simulator"},
    "no baseline": {"status": GateStatus.NO_BASELINE},
}


class Run(NamedTuple):
    recorded_at: str
    fails: bool
    tflops: float
    vs_baseline: float | None = None


@pytest.fixture(params=KINDS, ids=lambda kind: kind.replace(" ", "_"))
def result(request: pytest.FixtureRequest) -> GateResult:
    return gate_result(**KINDS[request.param])  # type: ignore[arg-type]


def drawn(figure: Figure, gid: str) -> list[tuple[float, float]]:
    """Data of the one line of that name."""
    [line] = figure.findobj(lambda artist: isinstance(artist, Line2D) and artist.get_gid() == gid)
    assert isinstance(line, Line2D)
    return list(zip(map(float, line.get_xdata()), map(float, line.get_ydata()), strict=True))  # type: ignore[arg-type]


def search_series(
    result: GateResult, language: str = "en"
) -> tuple[convergence.ConvergenceSeries, distribution.DistributionSeries]:
    return convergence.series_of(result, Source(language)), distribution.series_of(result, Source(language))


def all_figures(result: GateResult, language: str = "en") -> dict[str, Figure]:
    first, second = search_series(result, language)
    figures = {
        "convergence": convergence.convergence_figure(first),
        "distribution": distribution.distribution_figure(second),
    }
    if (compared := comparison.comparison_series(result, Source(language))) is not None:
        figures["comparison"] = comparison.comparison_figure(compared)
    for bandwidth in (None, 1.6):
        if (under := roofline.roofline_series(result, language, bandwidth)) is not None:
            figures[f"roofline {bandwidth}"] = roofline.roofline_figure(under)
    runs = [Run("2026-11-01", False, 200.0, 1.0), Run("2026-11-02", True, 190.0)]
    assert trend.trend_series(result, Source(language, runs[:1])) is None  # one point is no trend
    series = trend.trend_series(result, Source(language, runs))
    assert series is not None
    figures["trend"] = trend.trend_figure(series)
    return figures


def test_each_run_of_a_trend_has_the_band_of_its_own_anchor() -> None:
    """Two days, two speeds of the machine: what was allowed on one says nothing of the other."""
    runs = [
        Run("2026-11-01", False, 200.0, 1.0),
        Run("2026-11-02", False, 100.0, 0.98),
        Run("2026-11-03", False, 9.0),
    ]
    drawn_runs = trend.trend_series(gate_result(), Source("en", runs))
    assert drawn_runs is not None
    assert drawn_runs.bands == (pytest.approx((195.0, 200.0)), pytest.approx((100 / 0.98 * 0.975, 100 / 0.98)), None)
    figure = trend.trend_figure(drawn_runs)
    areas = figure.findobj(lambda artist: isinstance(artist, Rectangle) and artist.get_gid() == "band")
    spans = [(area.get_x(), area.get_x() + area.get_width()) for area in areas if isinstance(area, Rectangle)]
    assert spans[:2] == [(0.5, 1.5), (1.5, 2.5)]


def test_points_are_exactly_the_trials(result: GateResult) -> None:
    figure = convergence.convergence_figure(search_series(result)[0])
    problem = result.tuning.problem
    measured = [(trial.index, problem.tflops(trial.time_us)) for trial in result.tuning.valid if trial.time_us]
    assert drawn(figure, "dots") == measured
    assert drawn(figure, "failed") == [(trial.index, 0.0) for trial in result.tuning.trials if trial.failure]


def test_the_staircase_is_the_best_so_far(result: GateResult) -> None:
    first_series = search_series(result)[0]
    figure = convergence.convergence_figure(first_series)
    if not result.tuning.valid:
        assert first_series.staircase == ()
        assert not figure.findobj(lambda artist: artist.get_gid() == "stair")
        return
    stairs = drawn(figure, "stair")
    problem = result.tuning.problem
    for trial in result.tuning.trials:
        so_far = [
            problem.tflops(other.time_us)
            for other in result.tuning.valid[:]
            if other.time_us and other.index <= trial.index
        ]
        if so_far:
            assert max(rate for index, rate in stairs if index <= trial.index) == max(so_far)


def test_a_jump_is_growth_and_the_late_dots_are_the_last_ten_valid_ones() -> None:
    rates = [1.0, None, 2.0, 2.0, 1.5, 3.0, 3.0, 2.9, None, *[2.5] * 8]
    points = [TrialPoint(index, rate) for index, rate in enumerate(rates, start=1)]
    drawn_series = convergence.convergence_series(points, title="", unit="", language="en", simulated=False)
    assert drawn_series.jumps == ((1, 1.0), (3, 2.0), (6, 3.0))  # equal to the best is no growth
    assert drawn_series.staircase == (*drawn_series.jumps, (17, 3.0))
    assert (drawn_series.flat_trials, drawn_series.last_gap, drawn_series.median_gap) == (11, 11, 2.5)
    assert (drawn_series.late_below, drawn_series.late_total) == (9, 10)
    assert drawn_series.signals[2].spans == ((7, 17),)


@pytest.mark.parametrize(
    ("near", "shape"), [(1, "a rare spike"), (2, "neither spike nor plateau"), (6, "neither"), (7, "a wide plateau")]
)
def test_within_five_per_cent_of_the_best_is_near(near: int, shape: str) -> None:
    rates = [100.0, *[95.0] * (near - 1), *[94.9] * (60 - near)]
    points = [TrialPoint(index, rate) for index, rate in enumerate(rates, start=1)]
    found = distribution.distribution_series(points, title="", unit="", language="en", simulated=False)
    assert found.near_best_share == pytest.approx(near / 60)
    assert shape in found.caption


def test_the_histogram_holds_every_valid_trial(result: GateResult) -> None:
    _, second_series = search_series(result)
    assert list(second_series.values) == [
        result.tuning.problem.tflops(trial.time_us) for trial in result.tuning.valid if trial.time_us
    ]
    bars = distribution.distribution_figure(second_series).findobj(lambda artist: artist.get_gid() == "bars")
    counted = sum(bar.get_data().values.sum() for bar in bars)  # type: ignore[attr-defined]
    assert counted == len(result.tuning.valid)


def test_levels_are_those_of_the_result() -> None:
    result = gate_result(GateStatus.REGRESSED)
    first_series, second_series = search_series(result)
    assert result.baseline is not None
    assert result.confirmation is not None
    first = convergence.convergence_figure(first_series)
    assert {y for _, y in drawn(first, "confirmed")} == {result.tflops}
    assert {y for _, y in drawn(first, "baseline")} == {result.baseline.measurement.tflops}
    assert {y for _, y in drawn(first, "floor")} == {0.5 * result.confirmation.peak_tflops}
    stored = result.baseline.measurement.tflops
    [band] = first.findobj(lambda artist: artist.get_gid() == "band")
    assert (band.get_y(), band.get_height()) == pytest.approx((0.975 * stored, 0.025 * stored))  # type: ignore[attr-defined]
    second = distribution.distribution_figure(second_series)
    assert {x for x, _ in drawn(second, "best")} == {max(second_series.values)}
    assert {x for x, _ in drawn(second, "mean")} == {fmean(second_series.values)}
    assert {x for x, _ in drawn(second, "confirmed")} == {result.tflops}


def test_a_level_far_above_is_named_and_does_not_squash_the_dots() -> None:
    points = [TrialPoint(1, 1.0), TrialPoint(2, 2.0)]
    far, near = Line("floor", 50.0, "floor 50"), Line("baseline", 3.0, "baseline 3")
    figure = convergence.convergence_figure(
        convergence.convergence_series(points, title="", unit="", language="en", simulated=False, lines=(far, near))
    )
    assert not figure.findobj(lambda artist: isinstance(artist, Line2D) and artist.get_gid() == "floor")
    assert {y for _, y in drawn(figure, "baseline")} == {3.0}
    svg = to_svg(figure, name="p", title="", description="")
    assert ">floor 50 ↑<" in svg


def test_the_best_is_red_dashed_and_the_mean_green_dashed() -> None:
    figure = distribution.distribution_figure(search_series(gate_result())[1])
    for gid, colour in (("best", COLOURS["best"]), ("mean", COLOURS["mean"])):
        [line] = figure.findobj(lambda artist, gid=gid: isinstance(artist, Line2D) and artist.get_gid() == gid)
        assert isinstance(line, Line2D)
        assert line.get_color() == colour
        assert line.get_linestyle() == "--"


def test_every_picture_becomes_small_svg(result: GateResult) -> None:
    for name, figure in all_figures(result).items():
        svg = to_svg(figure, name="p1", title="<title> & 中文", description="d")
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert root[0].text == "<title> & 中文"
        limit = 12_000 if len(result.tuning.trials) <= 100 else 60_000
        assert len(svg.encode()) < limit, name


@pytest.mark.parametrize("status", [GateStatus.REGRESSED, GateStatus.NOTHING_VALID])
def test_every_picture_becomes_png(status: GateStatus) -> None:
    for figure in all_figures(gate_result(status)).values():
        assert png.png(figure).startswith(b"\x89PNG")


def test_simulated_is_written_into_every_picture() -> None:
    for simulated in (True, False):
        result = gate_result(GateStatus.REGRESSED, backend="simulator" if simulated else "ascend")
        for name, figure in all_figures(result).items():
            svg = to_svg(figure, name="p", title="", description="")
            assert (">simulated<" in svg) is simulated, name


def test_the_curve_of_the_trend_crosses_no_words() -> None:
    figure = all_figures(gate_result(GateStatus.REGRESSED))["trend"]
    [label] = [text for text in figure.findobj(Text) if text.get_text() == "allowed below the baseline of each run"]
    assert label.get_position()[1] > canvas.HEIGHT - 46, "above the scale's box"


def test_tips_stand_at_their_points() -> None:
    first_series, _ = search_series(gate_result())
    tips = [f"trial {point.index}" for point in first_series.valid]
    svg = to_svg(convergence.convergence_figure(first_series), name="p", title="", description="", tips={"dots": tips})
    found = re.findall(r"cx='([\d.]+)'[^>]*><title>trial (\d+)</title>", svg)
    assert [int(index) for _, index in found] == [point.index for point in first_series.valid]
    places = [float(place) for place, _ in found]
    assert places == sorted(places)


def test_pictures_are_the_same_bytes_again(tmp_path: Path) -> None:
    result = gate_result()
    first = [path.read_bytes() for path in png.write_run_pictures(result, tmp_path)]
    assert first == [path.read_bytes() for path in png.write_run_pictures(result, tmp_path)]
    assert sorted(path.name for path in tmp_path.iterdir()) == [png.CONVERGENCE_PNG, png.DISTRIBUTION_PNG]


def test_chinese_needs_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "chinese_font", lambda: None)
    assert png.picture_language("zh") == "en"
    monkeypatch.setattr(png, "chinese_font", lambda: "Some CJK")
    assert png.picture_language("zh") == "zh"


def test_pictures_from_the_bare_points_of_a_file() -> None:
    points = [TrialPoint(1, 100.0), TrialPoint(2, None), TrialPoint(3, 120.0)]
    first = convergence.convergence_series(points, title="seed", unit="TFLOPS", language="en", simulated=False)
    second = distribution.distribution_series(points, title="seed", unit="TFLOPS", language="en", simulated=False)
    assert first.jumps == ((1, 100.0), (3, 120.0))
    assert drawn(convergence.convergence_figure(first), "failed") == [(2.0, 0.0)]
    assert second.caption.startswith("1 of 3 trials failed (33.3 %)")


@pytest.mark.parametrize(
    ("near", "shape"), [(1, "spike"), (5, "slope"), (30, "plateau")], ids=["spike", "slope", "plateau"]
)
def test_spike_or_plateau(near: int, shape: str) -> None:
    points = [TrialPoint(i, 100.0 if i <= near else 50.0) for i in range(1, 101)]
    found = distribution.distribution_series(points, title="", unit="", language="en", simulated=False)
    assert found.shape == shape
    assert str(distribution.SHAPES[shape]) in found.caption


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(1e-6, 1e6) | st.none(), max_size=30))
def test_any_trials_can_be_drawn(rates: list[float | None]) -> None:
    points = [TrialPoint(index, rate) for index, rate in enumerate(rates, start=1)]
    first = convergence.convergence_series(points, title="t", unit="u", language="en", simulated=True)
    second = distribution.distribution_series(points, title="t", unit="u", language="en", simulated=True)
    ElementTree.fromstring(to_svg(convergence.convergence_figure(first), name="p", title="", description=""))
    ElementTree.fromstring(to_svg(distribution.distribution_figure(second), name="p", title="", description=""))


@given(st.lists(st.floats(0, 100), max_size=6))
def test_labels_are_moved_apart(places: list[float]) -> None:
    moved = canvas.apart(sorted(places), 10.0, 100.0)
    assert all(after - before >= 10.0 - 1e-9 for before, after in pairwise(moved))
    assert all(place <= 100.0 for place in moved)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_few_and_inside(low: float, length: float) -> None:
    high = low + length
    ticks = canvas.round_steps(low, high)
    air = 1e-6 * max(abs(low), abs(high))
    assert all(low - air <= tick <= high + air for tick in ticks)
    assert len(ticks) <= 8


def test_untuned_is_what_the_search_measured_with_the_default_or_not_drawn() -> None:
    result = gate_result(GateStatus.REGRESSED)
    default = result.tuning.trials[0]
    assert default.origin is Origin.DEFAULT
    assert default.time_us is not None
    rate, best = result.tuning.problem.tflops(default.time_us), max(search_series(result)[1].values)
    shown = distribution.PICTURE.of(result, Source("en"))
    assert shown is not None
    assert {x for x, _ in drawn(shown.draw(), "untuned")} == {rate}
    assert f"the best is {best / rate:.2f} times that." in shown.words
    failed = replace(default, outcome=Failure(FailureKind.CRASH, "signal 11"))
    for trials in (result.tuning.trials[1:], (failed, *result.tuning.trials[1:])):
        without = distribution.PICTURE.of(replace(result, tuning=replace(result.tuning, trials=trials)), Source("en"))
        assert without is not None
        assert not without.draw().findobj(lambda artist: artist.get_gid() == "untuned")
        assert "Untuned" not in without.words


def test_a_trend_draws_what_was_tolerated_as_tolerated() -> None:
    runs = [Run("2026-11-01", False, 200.0), Run("2026-11-02", True, 190.0), Run("2026-11-03", False, 150.0)]
    series = trend.trend_series(gate_result(), Source("en", runs))
    assert series is not None
    figure = trend.trend_figure(series)
    assert drawn(figure, "failed") == [(2.0, 190.0)]
    assert drawn(figure, "stair-dots") == [(1.0, 200.0), (3.0, 150.0)]
    assert [row[-1] for row in trend.table(series, "en").rows] == ["–", "✘", "–"]
