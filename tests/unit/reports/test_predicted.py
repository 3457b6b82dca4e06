"""Where a simulated time goes: the picture holds the simulator's numbers, in the report's own language and colours."""

import re
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from pytest_ascend_tune import cli
from pytest_ascend_tune.backends.simulator import explanation as simexplain
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.reports.figures import canvas
from pytest_ascend_tune.reports.figures.picture import PredictedTime
from pytest_ascend_tune.reports.figures.predicted import predicted_figure, predicted_series, read
from pytest_ascend_tune.reports.figures.svg import FONT_SIZE, text_width, to_svg
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.rounding import number, percent
from pytest_ascend_tune.reports.view import report_view
from pytest_ascend_tune.session.publish import predicted_time, predictions
from tests.factories import gate_result

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
PROBLEM = GemmProblem(1024, 1024, 4096, "float16")  # type: ignore[arg-type]
SIMULATED = gate_result(problem_id=PROBLEM.id, backend="simulator", device="simulated-910B1", count=5)


@pytest.fixture(scope="module")
def told() -> PredictedTime:
    return predicted_time(PROBLEM, None, "910B1")


def texts(told: PredictedTime, language: str) -> list[str]:
    figure = predicted_figure(predicted_series(told, language))
    return re.findall(r"<text[^>]*>([^<]*)<", to_svg(figure, name="p", title="t", description=""))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_holds_the_simulators_numbers(told: PredictedTime, language: str) -> None:
    explained = simexplain.explanation(PROBLEM, None, "910B1")
    shown = texts(told, language)
    for _, us in explained.parts:
        assert f"{number(us)} µs, {percent(us / explained.prediction.time_us)}" in shown
    for step in explained.steps:
        assert (f"{step.parameter} {step.before} → {step.after}" in shown) is (step.time_ratio is not None)
        if step.time_ratio is not None:
            assert percent(step.time_ratio - 1, signed=True).text in shown
    assert any(step.time_ratio is None for step in explained.steps)
    assert ("launch" in shown) is (language == "en")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_its_words_are_as_large_as_those_of_other_pictures_and_touch_no_bar(told: PredictedTime, language: str) -> None:
    figure = predicted_figure(predicted_series(told, language))
    labels = [label for label in figure.findobj(Text) if label.get_text()]
    bars = [artist.get_x() for artist in figure.findobj(Rectangle) if artist.get_gid() == "bars"]
    ends = [artist.get_x() + artist.get_width() for artist in figure.findobj(Rectangle) if artist.get_gid() == "bars"]
    assert {label.get_size() for label in labels} == {FONT_SIZE}
    for label in labels:
        x, width = label.get_position()[0], text_width(label.get_text())
        if label.get_gid() == "ink" and label.get_ha() == "left" and label.get_weight() != "bold":
            assert x + width < min(bars), label.get_text()
        if label.get_ha() == "right" and label.get_weight() != "bold":
            assert x - width > max(ends), label.get_text()
    assert all(text_width(label.get_text()) < canvas.WIDTH - 16 for label in labels)


def test_bars_are_as_long_as_their_values(told: PredictedTime) -> None:
    series = predicted_series(told, "en")
    figure = predicted_figure(replace(series, steps=(("as it is", 0.0, "0.0 %"),)))
    widths = [artist.get_width() for artist in figure.findobj(Rectangle) if artist.get_gid() == "bars"]
    times = [us for _, us in told.parts if us]
    assert widths == pytest.approx([us * widths[0] / times[0] for us in times])


def test_the_sentence_names_the_largest_part_and_the_best_step(told: PredictedTime) -> None:
    name, us = max(told.parts, key=lambda part: part[1])
    assert f"the largest part of the {number(told.time_us)} µs is {name}, {percent(us / told.time_us)}" in str(
        read(SIMULATED, predicted_series(told, "en"))
    )
    assert "No single step" in str(read(SIMULATED, predicted_series(told, "en")))
    better = replace(told.steps[0], change=-0.2)
    words = f"One step of {better.parameter}, from {better.before} to {better.after}, saves most: 20.0 %."
    assert words in str(read(SIMULATED, predicted_series(replace(told, steps=(better, *told.steps[1:])), "en")))


def test_the_page_has_it_as_themed_svg_and_one_roofline(told: PredictedTime) -> None:
    text = html.page(report_view([SIMULATED], now=NOW, predictions={PROBLEM.id: told}))
    assert "data:image" not in text
    assert text.count("Predicted time, ") == 2  # the picture's name and the line in it
    assert text.count('id="p1-roofline-t"') == 1
    assert "class='f-bars'" in text


def test_only_simulated_results_are_explained() -> None:
    config, device = SIMULATED.config, "910B1"
    found = predictions([SIMULATED, gate_result(count=5)])
    assert list(found) == [PROBLEM.id]
    assert found[PROBLEM.id] == predicted_time(PROBLEM, config, device)


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_command_draws_the_same_picture(tmp_path, capsys, ending: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"explained.{ending}"
    assert cli.main(["explain", "--m", "1024", "--n", "1024", "--k", "4096", "--picture", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(path)
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")
