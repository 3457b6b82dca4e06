from __future__ import annotations

import json

import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.search import ConvergenceState
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.records.runs.results import read_history
from pytest_ascend_tune.records.runs.seedform import BEST_CONFIG, HISTORY

CONFIG = {
    "tile_m": 128,
    "tile_n": 256,
    "l1_k": 256,
    "l0_k": 64,
    "enable_unit": 1,
    "enable_shuffle_k": 0,
    "enable_abba": 0,
    "swizzle_offset": 3,
    "swizzle_direction": 1,
}


def entry(tflops, size=4096, digits=None):
    time_ms = 2 * size**3 / tflops / 1e9 if tflops else -1
    return {
        "config": CONFIG,
        "time_ms": time_ms if digits is None else round(time_ms, digits),
        "gflops": tflops * 1000,
        "tflops": tflops,
        "efficiency": tflops / 352 * 100 if tflops else 0,
        "success": tflops > 0,
    }


def write(folder, entries, name=HISTORY):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(entries, indent=2))
    return path


RATES = [234.0, 0, 208.1, 350.7, 266.0]


def test_a_list_becomes_trials_with_the_recorded_rates(tmp_path):
    found = read_history(write(tmp_path, [entry(rate) for rate in RATES]))
    assert found.problem.id == "4096x4096x4096-float16-nn"
    assert [trial.index for trial in found.trials] == [1, 2, 3, 4, 5]
    assert [
        0 if trial.failure else pytest.approx(found.problem.tflops(trial.time_us)) for trial in found.trials
    ] == RATES
    assert found.trials[1].failure.kind is FailureKind.BUILD_ERROR
    assert dict(found.trials[0].config) == CONFIG
    assert found.best.index == 4
    assert found.convergence.state is ConvergenceState.BUDGET_EXHAUSTED
    assert found.confirmed is None


def test_its_folders_are_found_from_anywhere_in_them(tmp_path):
    history = write(tmp_path / "log", [entry(rate, size=1000) for rate in RATES])
    write(tmp_path / "results", {"matrix_size": 1000, "best_params": CONFIG}, BEST_CONFIG)
    for place in (tmp_path, tmp_path / "log", tmp_path / "results", history):
        assert read_history(place).problem.m == 1000


def test_the_named_size_wins_and_must_agree(tmp_path):
    path = write(tmp_path, [entry(rate, size=1001) for rate in RATES])
    write(tmp_path, {"matrix_size": 1000}, BEST_CONFIG)
    assert read_history(path).problem.m == 1000
    write(tmp_path, {"matrix_size": 2000}, BEST_CONFIG)
    with pytest.raises(RecordError, match="operations; 2000x2000x2000"):
        read_history(path)


@pytest.mark.parametrize("size", [1, 33, 1000, 4096, 16384])
def test_the_size_is_inferred_exactly(tmp_path, size):
    path = write(tmp_path, [entry(rate, size=size) for rate in (0.001, 0.0015)])
    assert read_history(path).problem.m == size


def test_rounded_times_are_taken_for_the_round_size_that_they_allow(tmp_path):
    path = write(tmp_path, [entry(rate, digits=3) for rate in RATES])
    assert read_history(path).problem.m == 4096


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "no successful trial tells"),
        ([entry(0)], "no successful trial tells"),
        ({}, "no schema number"),
        ([None], r"\[0\]: found None; an object is needed"),
        ([entry(1.0), {**entry(1.0), "time_ms": 0}], r"\[1\]: a successful trial needs"),
        ([entry(1.0), {**entry(1.0), "gflops": -1}], r"\[1\]: a successful trial needs"),
        ([{**entry(1.0), "config": None}], r"\[0\]\.config"),
        ([{**entry(1.0), "success": "yes"}], r"\[0\]\.success: found 'yes'"),
        ([{"config": CONFIG}], "'time_ms' is missing"),
        ([entry(1.0, size=1000), entry(1.0, size=1500)], "one square problem"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, entries, message):
    path = write(tmp_path, entries)
    with pytest.raises(RecordError, match=message) as caught:
        read_history(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("size", [0, -1, "4096", None, 1.5])
def test_a_size_that_is_none_is_refused(tmp_path, size):
    path = write(tmp_path, [entry(1.0)])
    write(tmp_path, {"matrix_size": size}, BEST_CONFIG)
    with pytest.raises(RecordError, match="matrix_size"):
        read_history(path)
