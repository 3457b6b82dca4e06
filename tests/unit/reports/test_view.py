"""Numbers and sentences are made in one place."""

import math
import re
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.backends.ascend import kernel_clock
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Signal, SignalName
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.reports import rounding, sentences
from pytest_ascend_tune.reports.figures import convergence, roofline
from pytest_ascend_tune.reports.figures.convergence import convergence_series
from pytest_ascend_tune.reports.figures.registry import PICTURES
from pytest_ascend_tune.reports.figures.roofline import memory_bandwidth, roofline_series
from pytest_ascend_tune.reports.figures.trials import TrialPoint
from pytest_ascend_tune.reports.messages import zh
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.text import markdown
from pytest_ascend_tune.reports.text.commands import accept_command, reproduce_command
from pytest_ascend_tune.reports.view import problem_view, report_view
from tests.factories import every_status, gate_result, tuning

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (231.44, "231.4"),
        (0.023456, "0.02346"),
        (1234.5, "1234"),
        (230.0, "230.0"),
        (1.0, "1.000"),
        (0.0, "0"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert rounding.number(value).text == text


@pytest.mark.parametrize(
    ("share", "signed", "text"),
    [
        (0.654321, False, "65.4 %"),
        (-0.073, True, "-7.3 %"),
        (0.062, True, "+6.2 %"),
        (0.001, True, "+0.10 %"),
        (0.0, False, "0.0 %"),
        (None, False, "–"),
    ],
)
def test_percentages(share: float | None, signed: bool, text: str) -> None:
    assert rounding.percent(share, signed=signed).text == text


@given(st.floats(1e-9, 1e9))
def test_what_is_shown_is_what_is_stored(value: float) -> None:
    shown = rounding.number(value)
    assert shown.value is not None
    assert shown.value == pytest.approx(value, rel=1e-5)
    assert float(shown.text) == pytest.approx(shown.value, rel=6e-4)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_intervals_are_ordered(one: float, other: float) -> None:
    low, high = rounding.interval(one, other)
    assert low.value is not None
    assert high.value is not None
    assert low.value <= high.value


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.4, "0.4 s"), (0.01, "0.1 s"), (0.0, "0 s"), (65, "1 min 05 s"), (3720, "1 h 02 min"), (-3, "0 s")],
)
def test_durations(value: float, text: str) -> None:
    assert rounding.seconds(value) == text


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(8)))
def test_the_order_does_not_depend_on_the_order(places: list[int]) -> None:
    results = every_status(count=1)
    ordered = sentences.worst_first([results[place] for place in places])
    assert [result.status for result in ordered] == list(GateStatus)


def test_of_two_regressions_the_larger_comes_first() -> None:
    small, large = gate_result(GateStatus.REGRESSED, count=1), gate_result(GateStatus.REGRESSED, count=1, seed=2)
    large = replace(large, verdict=replace(large.verdict, drop=0.5))
    assert sentences.worst_first([small, large]) == (large, small)


def test_headlines() -> None:
    assert str(sentences.headline([])) == "No problem was tuned."
    assert str(sentences.headline([gate_result(count=1)])) == "The problem passed the gate."
    assert str(sentences.headline([gate_result(count=1)] * 2)) == "All 2 problems passed the gate."
    regressed = gate_result(GateStatus.REGRESSED, count=1)
    assert "regressed by 7.3 % (allowed 2.5 %)" in str(sentences.headline([regressed]))
    tolerated = replace(regressed, verdict=replace(regressed.verdict, fails=False))
    assert "1 of 2 only because the policy tolerates it" in str(sentences.headline([tolerated, gate_result(count=1)]))
    undecided = [gate_result(GateStatus.NO_BASELINE, count=1), gate_result(count=1)]
    assert "1 of 2 have no baseline." in str(sentences.headline(undecided))


@pytest.mark.parametrize(
    ("statuses", "mark"),
    [
        ([GateStatus.PASSED, GateStatus.IMPROVED], "✔"),
        ([GateStatus.PASSED, GateStatus.NO_BASELINE], "○"),
        ([GateStatus.PASSED, GateStatus.REGRESSED], "✘"),
        ([], "○"),
    ],
)
def test_a_run_is_green_only_when_everything_was_judged(statuses: list[GateStatus], mark: str) -> None:
    assert report_view([gate_result(status, count=1) for status in statuses], now=NOW).mark == mark


def test_results_of_several_runs_name_theirs() -> None:
    one = gate_result(count=2)
    other = replace(one, run_dir=one.run_dir.replace("20261130-083000", "20261201-091500"))
    assert {problem.run for problem in report_view([one, one], now=NOW).problems} == {""}
    view = report_view([one, other], now=NOW)
    for shown in (html.page(view), markdown.summary(view)):
        for run in ("20261130-083000", "20261201-091500"):
            assert re.search(rf"float16.{{0,9}}nn (· )?{run}", shown), run


def test_counts_add_up() -> None:
    view = report_view([*every_status(count=2), gate_result(count=2)], now=NOW)
    assert sum(count.number for count in view.counts) == 9
    assert {count.status: count.number for count in view.counts}["passed"] == 2


def test_the_sentences_carry_the_numbers_of_the_run() -> None:
    view = problem_view(gate_result(GateStatus.REGRESSED), "en")
    words = {picture.name: picture.words for picture in view.pictures}
    assert list(words) == [picture.name for picture in PICTURES if picture.name in words]
    assert f"{view.pictures[0].series.flat_trials} trials" in words["convergence"]
    assert str(view.search_best) in words["convergence"]
    assert str(view.rate) in words["convergence"]
    assert f"the {view.failed} failed ones" in words["distribution"]
    assert "0.92" in words["comparison"]
    assert "1365" in words["roofline"]  # 2 n^3 operations over 3 n^2 float16 elements = n / 3 a byte


def test_parameters_are_compared_with_the_baseline() -> None:
    result = gate_result(GateStatus.REGRESSED)
    view = problem_view(result, "en")
    assert result.config is not None
    assert result.baseline is not None
    differing = {row.name for row in view.parameters if row.differs}
    assert differing == {name for name in result.config if result.config[name] != result.baseline.config[name]}
    assert [row.effect.value for row in view.parameters] == sorted(
        (row.effect.value for row in view.parameters), key=lambda share: -(share or 0)
    )


def test_notes_hold_everything_once() -> None:
    result = gate_result(GateStatus.INCONCLUSIVE)
    assert result.confirmation is not None
    confirmed = replace(
        result.confirmation, identical_build=True, baseline_failure=Failure(FailureKind.CRASH, "signal 11")
    )
    note = Text.of("made-up note")
    view = problem_view(replace(result, tuning=replace(result.tuning, confirmed=confirmed, notes=(note, note))), "en")
    assert view.notes.count("made-up note") == 1
    assert any("same binary" in text for text in view.notes)
    assert any("signal 11" in text for text in view.notes)


def test_commands_are_quoted_for_a_shell() -> None:
    import shlex

    nodeid = "t.py::test_x['a b'-$(rm)]"
    result = gate_result(GateStatus.REGRESSED, nodeid=nodeid)
    assert shlex.split(reproduce_command(result))[-1] == nodeid
    assert shlex.split(accept_command(result))[-1] == nodeid
    simulated = reproduce_command(gate_result(backend="simulator", device="simulated-910B2"))
    assert "--ascend-tune-backend=simulator:910B2 " in simulated
    alone = shlex.split(reproduce_command(gate_result(nodeid="")))
    assert alone[:2] == ["ascend-tune", "tune"]
    assert alone[alone.index("--m") + 1] == "4096"


def test_the_memory_roof_is_drawn_for_known_chips_only() -> None:
    assert memory_bandwidth(tuning(count=1)) == 1.6
    assert memory_bandwidth(tuning(count=1, backend="simulator", device="simulated-910B1")) == 1.6
    assert memory_bandwidth(tuning(count=1, backend="cpu", device="cpu-x86_64-avx2-amd-epyc")) is None
    assert memory_bandwidth(tuning(count=1, backend="simulator", device="unheard-of")) is None


def test_the_policy_decides_what_has_a_cross() -> None:
    demanded, tolerated = gate_result(GateStatus.NO_BASELINE, count=1), gate_result(GateStatus.REGRESSED, count=1)
    demanded = replace(demanded, verdict=replace(demanded.verdict, fails=True))
    tolerated = replace(tolerated, verdict=replace(tolerated.verdict, fails=False))
    assert [problem_view(result, "en").mark for result in (demanded, tolerated)] == ["✘", "!"]
    view = report_view([tolerated, demanded], now=NOW)
    assert [(problem.status, problem.tone) for problem in view.problems] == [
        ("no_baseline", "bad"),
        ("regressed", "doubtful"),
    ]


@pytest.mark.parametrize(
    ("rates", "words"),
    [
        ((5.0, 4.0, 3.0), "never grew and has been flat for the last 2 trials"),
        ((4.0, 5.0, 3.0), "grew once, to 5.000, and has been flat for one trial"),
        ((3.0, 4.0, 5.0), "grew 2 times to 5.000 and still grew at the last trial"),
    ],
)
def test_how_the_staircase_went(rates: tuple[float, ...], words: str) -> None:
    points = [TrialPoint(index, rate) for index, rate in enumerate(rates, start=1)]
    series = convergence_series(points, title="t", unit="TFLOPS", language="en", simulated=False)
    assert words in str(convergence.read(gate_result(), series))


def test_no_usual_gap_is_shown_before_a_second_jump() -> None:
    for rates, usual in (((5.0, 4.0, 3.0), None), ((5.0, 5.001, 3.0), None), ((3.0, 5.0, 3.0), 1.0)):
        result = gate_result()
        checklist = (
            Signal(SignalName.STAIRCASE_FLAT, 2.0, False, Text.of("flat")),
            Signal(SignalName.GAPS_LENGTHEN, usual and 2 / usual, False, Text.of("gaps"), usual),
        )
        trials = tuple(
            replace(trial, index=index, outcome=Measurement((result.tuning.problem.flops / rate / 1e6,)))
            for index, (rate, trial) in enumerate(zip(rates, result.tuning.trials, strict=False), start=1)
        )
        judged = replace(result.tuning.convergence, checklist=checklist)
        view = problem_view(replace(result, tuning=replace(result.tuning, trials=trials, convergence=judged)), "en")
        shown = view.pictures[0]
        assert ("without a second jump" in shown.words) is (usual is None)
        assert ("median 1" in shown.words) is (usual is not None)
        assert shown.series.signals[1].label == ("2 no gap yet" if usual is None else "2 gap 2 vs 1")


def test_growth_within_the_noise_is_named_where_the_line_shows_it() -> None:
    points = [TrialPoint(index, rate) for index, rate in enumerate((4.0, 5.0, 5.001, 3.0), start=1)]
    flat = Signal(SignalName.STAIRCASE_FLAT, 2.0, False, Text.of("flat"))
    judged = Convergence(ConvergenceState.RUNNING, Text.of("r"), (flat,))
    series = convergence_series(points, title="t", unit="TFLOPS", language="en", simulated=False, checklist=judged)
    words = "grew 2 times to 5.001 and grew by no more than the noise in the last 2 trials"
    assert words in str(convergence.read(gate_result(), series))


def test_facts_are_chinese() -> None:
    """Every fact that a backend's fingerprint names, and every value that is a word; but proper names."""
    import ast
    from pathlib import Path

    import pytest_ascend_tune.backends

    proper = {"cann", "catlass", "numpy", "torch", "torch_npu"}
    named = set()
    for path in Path(pytest_ascend_tune.backends.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            value = None
            if isinstance(node, ast.keyword) and node.arg in ("identity", "versions"):
                value = node.value
            elif isinstance(node, ast.FunctionDef) and node.name.endswith("_versions"):
                value = node.body[-1].value
            if isinstance(value, ast.Tuple):
                pairs = [pair for pair in value.elts if isinstance(pair, ast.Tuple)]
                named |= {word.value for pair in pairs for word in pair.elts if isinstance(word, ast.Constant)}
    named |= {kernel_clock.RECORDS, kernel_clock.EVENTS}
    assert {"soc", "cpu", "l2", "compiler", "thread CPU time"} <= named
    assert {str(name) for name in named} - proper <= set(zh.WORDS)
    view = report_view([gate_result(count=1)], now=NOW, language="zh")
    assert "编译器" in [fact.name for fact in view.environment]
    assert "冷" in [fact.value for fact in view.environment]


@pytest.mark.parametrize(("rate", "words"), [(50.0, "reaches 97.7 % of that"), (60.0, "faster than that: not all")])
def test_the_memory_roof_is_none_for_what_stays_in_a_cache(rate: float, words: str) -> None:
    result = gate_result(problem_id="96x96x96-float16-nn", tflops=rate)
    series = roofline_series(result, "en", 1.6)
    assert series is not None
    assert words in str(roofline.read(result, replace(series, rate=rate)))
