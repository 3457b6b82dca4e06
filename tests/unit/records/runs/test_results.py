from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import numpy as np
import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.measurement import Measurement
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.search import ConvergenceState, Trial
from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.records.runs import folders
from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader
from pytest_ascend_tune.records.runs.results import read_history, read_run, write_history, write_run
from tests import factories

NOW = datetime(2026, 11, 30, 8, 31, 5, tzinfo=timezone.utc)
FILES = ("best_config.json", "convergence.json", "history.json")


@pytest.mark.parametrize("result", factories.every_status(), ids=lambda result: result.status.value)
def test_a_result_of_every_status_comes_back_equal(tmp_path, result):
    write_run(tmp_path, result, constraints=["l1_k % l0_k == 0"], now=NOW)
    assert read_run(tmp_path) == result
    assert read_history(tmp_path) == result.tuning
    assert read_history(tmp_path / "history.json") == result.tuning
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)


def test_odd_values_come_back_too(tmp_path):
    made = factories.gate_result(backend="simulator", nodeid="tests/测试.py::test[<b>-\\N-\"']\n")
    trials = (
        Trial(
            1,
            Config({"kind": "中文", "tile": 1}),
            Measurement((2.0,), (1.0, 1.5), 1.25, noisy=True),
            device="10.0.0.2/3",
        ),
        *made.tuning.trials[1:],
    )
    result = replace(made, tuning=replace(made.tuning, trials=trials), baseline_written="baselines/x.json")
    write_run(tmp_path, result, now=NOW)
    assert read_run(tmp_path) == result
    assert all(json.loads((tmp_path / name).read_text())["simulated"] is True for name in FILES)


def test_numbers_of_numpy_become_plain_ones(tmp_path):
    made = factories.gate_result(count=3)
    config = Config({name: np.int64(value) for name, value in made.config.items()})
    winner = replace(made.confirmation.winner, config=config)
    confirmed = replace(made.confirmation, winner=winner, peak_tflops=np.float64(353.9))
    tuning = replace(
        made.tuning, confirmed=confirmed, seed=np.int64(7), legal_configs=np.int64(9), seconds=np.float32(1.5)
    )
    write_run(tmp_path, replace(made, tuning=tuning), now=NOW)
    assert read_run(tmp_path) == replace(made, tuning=tuning)


def test_the_seed_reads_its_own_keys_in_our_files(tmp_path):
    """The forms of the public contract: the seed's keys with the seed's units, and ours beside them."""
    result = factories.gate_result(problem_id="4096x4096x4096-float16-nn", count=30, failed_share=0.4)
    write_run(tmp_path, result, constraints=["l1_k % l0_k == 0"], now=NOW)
    history, convergence, best = (
        json.loads((tmp_path / name).read_text()) for name in ("history.json", "convergence.json", "best_config.json")
    )
    assert (history["schema"], history["simulated"], history["problem"]) == (1, False, "4096x4096x4096-float16-nn")
    for entry, trial in zip(history["trials"], result.tuning.trials, strict=True):
        assert entry["config"] == dict(trial.config)
        assert entry["success"] is (trial.failure is None)
        if trial.failure:
            assert (entry["time_ms"], entry["gflops"], entry["tflops"], entry["efficiency"]) == (-1, 0, 0, 0)
            assert entry["failure"] == {"kind": trial.failure.kind, "message": trial.failure.message}
        else:
            assert entry["time_ms"] == pytest.approx(trial.time_us / 1000, rel=1e-5)
            assert entry["tflops"] == pytest.approx(result.tuning.problem.tflops(trial.time_us), rel=1e-5)
            assert entry["gflops"] == pytest.approx(1000 * entry["tflops"], rel=1e-5)
            assert entry["efficiency"] == pytest.approx(
                100 * entry["tflops"] / result.confirmation.peak_tflops, rel=1e-5
            )
    rates = [entry["tflops"] for entry in history["trials"]]
    assert convergence["iterations"] == list(range(1, 31))
    assert convergence["best_tflops"] == pytest.approx([max(rates[: n + 1]) for n in range(30)])
    assert convergence["constraints_used"] == ["l1_k % l0_k == 0"]
    assert convergence["state"] == "converged"
    assert best["matrix_size"] == 4096
    assert best["best_params"] == dict(result.config)
    assert best["best_tflops"] == pytest.approx(result.tflops, rel=1e-5)
    assert best["best_gflops"] == pytest.approx(1000 * result.tflops, rel=1e-5)
    assert best["efficiency_percent"] == pytest.approx(100 * result.efficiency_share, rel=1e-5)
    assert best["total_evaluations"] == 30
    assert best["successful_evaluations"] == sum(rate > 0 for rate in rates)
    assert best["timestamp"] == "2026-11-30T08:31:05+00:00"
    assert best["interval"] == pytest.approx(result.interval, rel=1e-5)
    assert best["verdict"]["reason"]["text"] == str(result.verdict.reason)


def test_matrix_size_is_only_there_for_squares(tmp_path):
    write_run(tmp_path, factories.gate_result(problem_id="8192x64x1024-float16-nn"))
    assert "matrix_size" not in json.loads((tmp_path / "best_config.json").read_text())


def test_without_a_valid_trial_nothing_is_the_best(tmp_path):
    result = factories.gate_result(GateStatus.NOTHING_VALID)
    write_run(tmp_path, result)
    best = json.loads((tmp_path / "best_config.json").read_text())
    assert best["best_params"] is best["best_tflops"] is best["interval"] is None
    assert best["successful_evaluations"] == 0
    assert set(json.loads((tmp_path / "convergence.json").read_text())["best_tflops"]) == {0.0}


def test_without_a_confirmation_the_peak_is_unknown(tmp_path):
    tuning = factories.tuning(count=5, failed_share=0)
    write_history(tmp_path, tuning)
    entries = json.loads((tmp_path / "history.json").read_text())["trials"]
    assert [entry["efficiency"] for entry in entries] == [None] * 5
    found = read_history(tmp_path)
    assert found.trials == tuning.trials
    assert found.confirmed is None
    assert found.convergence.state is ConvergenceState.INTERRUPTED


def test_a_trial_is_one_line(tmp_path):
    write_run(tmp_path, factories.gate_result(count=50))
    lines = (tmp_path / "history.json").read_text().splitlines()
    assert sum(line.startswith('    {"config":') for line in lines) == 50
    assert len(lines) < 70


def test_a_journal_alone_is_an_interrupted_search(tmp_path):
    tuning = factories.tuning(count=5)
    header = JournalHeader(tuning.problem, "tiny", "ab", "cpu", "cpu-x", simulated=False, seed=7)
    with Journal.create(tmp_path / "journal.jsonl", header) as journal:
        for trial in tuning.trials:
            journal.append(trial)
    for place in (tmp_path, tmp_path / "journal.jsonl"):
        found = read_history(place)
        assert found.trials == tuning.trials
        assert (found.device, found.seed, found.convergence.state) == ("cpu-x", 7, ConvergenceState.INTERRUPTED)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(tmp_path, name):
    write_run(tmp_path, factories.gate_result())
    (tmp_path / name).unlink()
    if name == "convergence.json":
        assert read_run(tmp_path).tuning.convergence.state is ConvergenceState.INTERRUPTED
    else:
        with pytest.raises(RecordError, match=name):
            read_run(tmp_path)


OTHER_PROBLEM = (r'"4096x4096x4096-float16-nn"', '"1x1x1-float16-nn"', "another problem")
DAMAGE = [
    *((name, r'"schema": 1', '"schema": 2', "newer version") for name in FILES),
    *((name, r'"schema": 1,', "", "no schema number") for name in FILES),
    *((name, r"(?s).{200}$", "", "no valid JSON") for name in FILES),
    *((name, r"(?s).*", "", "empty") for name in FILES),
    *((name, *OTHER_PROBLEM) for name in FILES),
    ("history.json", r'"samples_us": \[', '"samples_us": [-1.0, ', r"trials\[0\]\.measurement\.samples_us.*above 0"),
    ("history.json", r'"trials": \[', '"trials": 1, "x": [', "a list of trials is needed"),
    ("history.json", r'"measurement"', '"measured"', "neither a measurement nor a failure"),
    ("convergence.json", '"holds": true', '"holds": 1', "true or false"),
    ("best_config.json", '"status": "passed"', '"status": "splendid"', "allowed: nothing_valid"),
    ("best_config.json", r'"samples_us": \[', '"samples_us": [-1.0, ', "above 0"),
]


@pytest.mark.parametrize(("name", "pattern", "replacement", "message"), DAMAGE)
def test_damage_is_refused_by_name(tmp_path, name, pattern, replacement, message):
    write_run(tmp_path, factories.gate_result())
    path = tmp_path / name
    changed = re.sub(pattern, replacement, path.read_text(), count=1)
    path.write_text(changed)
    with pytest.raises(RecordError, match=message) as caught:
        read_run(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert path.read_text() == changed


def test_a_folder_with_nothing_of_ours_is_said_so(tmp_path):
    with pytest.raises(RecordError, match=r"holds neither history\.json nor journal\.jsonl nor jit_optimization"):
        read_history(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        read_history(tmp_path / "none.json")


def test_a_run_of_one_problem_needs_no_longer_path(tmp_path):
    first, second, *_ = factories.every_status()
    write_run(folders.problem_folder(tmp_path, "tiny", first.tuning.problem), first)
    assert read_history(tmp_path) == first.tuning
    write_run(folders.problem_folder(tmp_path, "tiny", second.tuning.problem), second)
    with pytest.raises(RecordError, match=f"holds 2 problems; name .* one of them: .*tiny/{second.tuning.problem.id}"):
        read_history(tmp_path)


# --- folders ---------------------------------------------------------------------------------------------------------


def test_runs_are_named_by_their_start_in_utc(tmp_path):
    beijing = timezone(timedelta(hours=8))
    assert folders.make_run(tmp_path, NOW.astimezone(beijing)).name == "20261130-083105"


@pytest.mark.parametrize("step", [timedelta(0), timedelta(hours=-9), timedelta(minutes=1)])
def test_the_newest_run_sorts_last_whatever_the_clock_does(tmp_path, step):
    (tmp_path / "runs" / "notes of mine").mkdir(parents=True)
    made = [folders.make_run(tmp_path, NOW + number * step).name for number in range(12)]
    assert made == sorted(set(made))


def test_a_run_that_cannot_be_made_is_a_record_error(tmp_path):
    (tmp_path / "runs").write_text("")
    with pytest.raises(RecordError, match="cannot be made"):
        folders.make_run(tmp_path, NOW)


@pytest.mark.parametrize("template", ["", "..", "a/b", "/x", ".x"])
def test_a_template_name_cannot_leave_the_run(tmp_path, template):
    with pytest.raises(RecordError, match="cannot name a file"):
        folders.problem_folder(tmp_path, template, GemmProblem.from_id("1x1x1-int8-nn"))


def test_results_are_found_below_a_run_or_in_it(tmp_path):
    run = folders.make_run(tmp_path, NOW)
    made = [
        folders.problem_folder(run, result.tuning.template, result.tuning.problem)
        for result in factories.every_status()
    ]
    for folder, result in zip(made, factories.every_status(), strict=True):
        write_run(folder, result)
    assert folders.result_folders(tmp_path) == tuple(sorted(made))
    assert folders.result_folders(made[0]) == (made[0],)
    assert folders.result_folders(tmp_path / "none") == ()


def test_git_sees_the_baselines_and_nothing_else(tmp_path):
    root = tmp_path / "repo" / ".ascend-tune"
    folders.prepare_root(root)
    for name in (
        "baselines/main/x.json",
        "baselines/.x.json.1.tmp",
        "runs/r/history.json",
        "history.sqlite",
        ".baselines.lock",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    subprocess.run(["git", "init", "-q", root.parent], check=True)
    listed = subprocess.run(
        ["git", "-C", root.parent, "ls-files", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert sorted(listed) == [".ascend-tune/.gitignore", ".ascend-tune/baselines/main/x.json"]
    (root / ".gitignore").write_text("# mine\n")
    folders.prepare_root(root)
    assert (root / ".gitignore").read_text() == "# mine\n"
