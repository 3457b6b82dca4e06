"""Parts of the hall that are a few lines each: comparing runs, near shapes, what is recorded."""

from dataclasses import replace

import pytest

from pytest_ascend_tune.cli.comparing import compare_runs
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import Cause, GateStatus
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.session.record import may_be_recorded, may_record
from pytest_ascend_tune.session.warmstart import distance
from tests.factories import gate_result


def slower(result, factor):
    confirmed = result.confirmation
    winner = replace(confirmed.winner, samples_us=tuple(factor * us for us in confirmed.winner.samples_us))
    return replace(result, tuning=replace(result.tuning, confirmed=replace(confirmed, winner=winner)))


@pytest.mark.parametrize(
    ("factor", "word", "bad"), [(1.0, "same", False), (1.3, "slower", True), (0.7, "faster", False)]
)
def test_comparing_two_runs(factor, word, bad):
    old = gate_result(GateStatus.PASSED)
    (row,) = compare_runs([old], [slower(old, factor)], 0.1)
    assert row.line.startswith(word)
    assert row.bad is bad


def test_what_is_missing_or_new_is_said():
    result = gate_result(GateStatus.PASSED)
    assert [row.bad for row in compare_runs([result], [], 0.1)] == [True]
    assert [row.line.split()[0] for row in compare_runs([], [result], 0.1)] == ["new"]


def test_near_shapes_are_counted_in_octaves():
    base = GemmProblem(1024, 1024, 1024, "float32")
    assert distance(base, base) == 0
    assert distance(base, GemmProblem(2048, 1024, 512, "float32")) == 2
    assert distance(base, GemmProblem(1024, 1024, 1024, "float16")) > distance(
        base, GemmProblem(8, 1024, 1024, "float32")
    )


@pytest.mark.parametrize("status", list(GateStatus))
def test_only_good_results_are_recorded_unless_accepted(status):
    result = gate_result(status)
    good = status in (GateStatus.PASSED, GateStatus.IMPROVED, GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)
    assert may_record(result, Settings()) == ""
    assert may_record(result, Settings(update_baseline=True)) == ("update" if good else "")
    accepted = Settings(update_baseline=True, accept_regression=True)
    doubtful = status in (GateStatus.REGRESSED, GateStatus.INCONCLUSIVE)
    assert may_record(result, accepted) == ("update" if good or doubtful else "")
    unconverged = replace(result, verdict=replace(result.verdict, cause=Cause.SEARCH))
    if status is GateStatus.INCONCLUSIVE:
        assert may_record(unconverged, accepted) == ""


def test_what_may_be_recorded_is_known_before_it_is_measured():
    stored = gate_result(GateStatus.PASSED).baseline
    for settings, first, later in (
        (Settings(), False, False),
        (Settings(missing="seed"), True, False),
        (Settings(update_baseline=True), True, True),
    ):
        assert may_be_recorded(settings, None) is first
        assert may_be_recorded(settings, stored) is later
