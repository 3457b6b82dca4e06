"""The pictures hold exactly the trials, and nothing that was not measured."""

import re
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

from pytest_ascend_tune.model.verdict import GateResult, GateStatus
from pytest_ascend_tune.reports.figures import canvas, pictures, plots, series
from pytest_ascend_tune.reports.figures.svg import to_svg
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
    status: str
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


def all_figures(result: GateResult, language: str = "en") -> dict[str, Figure]:
    convergence, distribution = series.pictures_of(result, language)
    figures = {
        "convergence": plots.convergence_figure(convergence),
        "distribution": plots.distribution_figure(distribution),
    }
    if (comparison := series.comparison_series(result, language)) is not None:
        figures["comparison"] = plots.comparison_figure(comparison)
    for bandwidth in (None, 1.6):
        if (roofline := series.roofline_series(result, language, bandwidth)) is not None:
            figures[f"roofline {bandwidth}"] = plots.roofline_figure(roofline)
    runs = [Run("2026-11-01", "passed", 200.0, 1.0), Run("2026-11-02", "regressed", 190.0)]
    assert series.trend_series(result, runs[:1], language) is None  # one point is no trend
    trend = series.trend_series(result, runs, language)
    assert trend is not None
    figures["trend"] = plots.trend_figure(trend)
    return figures


def test_each_run_of_a_trend_has_the_band_of_its_own_anchor() -> None:
    """Two days, two speeds of the machine: what was allowed on one says nothing of the other."""
    runs = [
        Run("2026-11-01", "passed", 200.0, 1.0),
        Run("2026-11-02", "passed", 100.0, 0.98),
        Run("2026-11-03", "x", 9.0),
    ]
    trend = series.trend_series(gate_result(), runs, "en")
    assert trend is not None
    assert trend.bands == (pytest.approx((195.0, 200.0)), pytest.approx((100 / 0.98 * 0.975, 100 / 0.98)), None)
    figure = plots.trend_figure(trend)
    areas = figure.findobj(lambda artist: isinstance(artist, Rectangle) and artist.get_gid() == "band")
    spans = [(area.get_x(), area.get_x() + area.get_width()) for area in areas if isinstance(area, Rectangle)]
    assert spans[:2] == [(0.5, 1.5), (1.5, 2.5)]


def test_points_are_exactly_the_trials(result: GateResult) -> None:
    figure = plots.convergence_figure(series.pictures_of(result, "en")[0])
    problem = result.tuning.problem
    measured = [(trial.index, problem.tflops(trial.time_us)) for trial in result.tuning.valid if trial.time_us]
    assert drawn(figure, "dots") == measured
    assert drawn(figure, "failed") == [(trial.index, 0.0) for trial in result.tuning.trials if trial.failure]


def test_the_staircase_is_the_best_so_far(result: GateResult) -> None:
    if not result.tuning.valid:
        return
    figure = plots.convergence_figure(series.pictures_of(result, "en")[0])
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


def test_the_histogram_holds_every_valid_trial(result: GateResult) -> None:
    _, distribution = series.pictures_of(result, "en")
    assert list(distribution.values) == [
        result.tuning.problem.tflops(trial.time_us) for trial in result.tuning.valid if trial.time_us
    ]
    bars = plots.distribution_figure(distribution).findobj(lambda artist: artist.get_gid() == "bars")
    counted = sum(bar.get_data().values.sum() for bar in bars)  # type: ignore[attr-defined]
    assert counted == len(result.tuning.valid)


def test_levels_are_those_of_the_result() -> None:
    result = gate_result(GateStatus.REGRESSED)
    convergence, distribution = series.pictures_of(result, "en")
    assert result.baseline is not None
    assert result.confirmation is not None
    first = plots.convergence_figure(convergence)
    assert {y for _, y in drawn(first, "confirmed")} == {result.tflops}
    assert {y for _, y in drawn(first, "baseline")} == {result.baseline.measurement.tflops}
    assert {y for _, y in drawn(first, "floor")} == {0.5 * result.confirmation.peak_tflops}
    stored = result.baseline.measurement.tflops
    [band] = first.findobj(lambda artist: artist.get_gid() == "band")
    assert (band.get_y(), band.get_height()) == pytest.approx((0.975 * stored, 0.025 * stored))  # type: ignore[attr-defined]
    second = plots.distribution_figure(distribution)
    assert {x for x, _ in drawn(second, "best")} == {max(distribution.values)}
    assert {x for x, _ in drawn(second, "mean")} == {fmean(distribution.values)}
    assert {x for x, _ in drawn(second, "confirmed")} == {result.tflops}


def test_a_level_far_above_is_named_and_does_not_squash_the_dots() -> None:
    points = [pictures.TrialPoint(1, 1.0), pictures.TrialPoint(2, 2.0)]
    far, near = pictures.Line("floor", 50.0, "floor 50"), pictures.Line("baseline", 3.0, "baseline 3")
    figure = plots.convergence_figure(
        series.convergence_series(points, title="", unit="", language="en", simulated=False, lines=(far, near))
    )
    assert not figure.findobj(lambda artist: isinstance(artist, Line2D) and artist.get_gid() == "floor")
    assert {y for _, y in drawn(figure, "baseline")} == {3.0}
    svg = to_svg(figure, name="p", title="", description="")
    assert ">floor 50 ↑<" in svg


def test_the_best_is_red_dashed_and_the_mean_green_dashed() -> None:
    figure = plots.distribution_figure(series.pictures_of(gate_result(), "en")[1])
    for gid, colour in (("best", plots.COLOURS["best"]), ("mean", plots.COLOURS["mean"])):
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
        assert plots.png(figure).startswith(b"\x89PNG")


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
    convergence, _ = series.pictures_of(gate_result(), "en")
    tips = [f"trial {point.index}" for point in convergence.valid]
    svg = to_svg(plots.convergence_figure(convergence), name="p", title="", description="", tips={"dots": tips})
    found = re.findall(r"cx='([\d.]+)'[^>]*><title>trial (\d+)</title>", svg)
    assert [int(index) for _, index in found] == [point.index for point in convergence.valid]
    places = [float(place) for place, _ in found]
    assert places == sorted(places)


def test_pictures_are_the_same_bytes_again(tmp_path: Path) -> None:
    result = gate_result()
    first = [path.read_bytes() for path in plots.write_run_pictures(result, tmp_path)]
    assert first == [path.read_bytes() for path in plots.write_run_pictures(result, tmp_path)]
    assert sorted(path.name for path in tmp_path.iterdir()) == [plots.CONVERGENCE_PNG, plots.DISTRIBUTION_PNG]


def test_chinese_needs_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "chinese_font", lambda: None)
    assert plots.picture_language("zh") == "en"
    monkeypatch.setattr(plots, "chinese_font", lambda: "Some CJK")
    assert plots.picture_language("zh") == "zh"


def test_pictures_from_the_bare_points_of_a_file() -> None:
    points = [pictures.TrialPoint(1, 100.0), pictures.TrialPoint(2, None), pictures.TrialPoint(3, 120.0)]
    first = series.convergence_series(points, title="seed", unit="TFLOPS", language="en", simulated=False)
    second = series.distribution_series(points, title="seed", unit="TFLOPS", language="en", simulated=False)
    assert first.jumps == ((1, 100.0), (3, 120.0))
    assert drawn(plots.convergence_figure(first), "failed") == [(2.0, 0.0)]
    assert second.caption.startswith("1 of 3 trials failed (33.3 %)")


@pytest.mark.parametrize(
    ("near", "shape"), [(1, "spike"), (5, "slope"), (30, "plateau")], ids=["spike", "slope", "plateau"]
)
def test_spike_or_plateau(near: int, shape: str) -> None:
    points = [pictures.TrialPoint(i, 100.0 if i <= near else 50.0) for i in range(1, 101)]
    found = series.distribution_series(points, title="", unit="", language="en", simulated=False)
    assert found.shape == shape
    assert str(series.SHAPES[shape]) in found.caption


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(1e-6, 1e6) | st.none(), max_size=30))
def test_any_trials_can_be_drawn(rates: list[float | None]) -> None:
    points = [pictures.TrialPoint(index, rate) for index, rate in enumerate(rates, start=1)]
    first = series.convergence_series(points, title="t", unit="u", language="en", simulated=True)
    second = series.distribution_series(points, title="t", unit="u", language="en", simulated=True)
    ElementTree.fromstring(to_svg(plots.convergence_figure(first), name="p", title="", description=""))
    ElementTree.fromstring(to_svg(plots.distribution_figure(second), name="p", title="", description=""))


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
