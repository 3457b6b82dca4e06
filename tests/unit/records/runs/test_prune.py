from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from pytest_ascend_tune.files import workspace
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import ConvergenceState
from pytest_ascend_tune.records.baselines.candidates import write_candidate
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.runs import folders, prune
from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader
from pytest_ascend_tune.records.runs.prune import prune_runs
from pytest_ascend_tune.records.runs.results import INTERRUPTED, write_missed, write_run
from pytest_ascend_tune.reports.figures.png import CONVERGENCE_PNG, DISTRIBUTION_PNG
from tests import factories
from tests.contracts.store_contract import SOURCES, baseline

PROBLEM = GemmProblem.from_id("512x512x512-float32-nn")
START = datetime(2026, 1, 1, 8, tzinfo=timezone.utc)
RESULT = factories.gate_result(problem_id=PROBLEM.id, count=3)
HEADER = JournalHeader(PROBLEM, "tiny", SOURCES.source_hash, "cpu", "cpu-x", simulated=False, seed=1)


def make_run(root, day, *, candidate=False, state=ConvergenceState.CONVERGED):
    """A whole run, as a session leaves it; its problem's folder."""
    run = folders.make_run(root, START + timedelta(days=day))
    folder = folders.problem_folder(run, "tiny", PROBLEM)
    with Journal.create(folder / folders.JOURNAL, HEADER):
        pass
    convergence = INTERRUPTED if state is ConvergenceState.INTERRUPTED else RESULT.tuning.convergence
    write_run(folder, replace(RESULT, tuning=replace(RESULT.tuning, convergence=convergence)))
    for name in folders.PICTURES:
        (folder / name).write_bytes(b"png")
    write_missed(run, [])
    if candidate:
        moment = (START + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        write_candidate(folder, replace(baseline(), recorded_at=moment), SOURCES)
    return folder


def left(root):
    return sorted(path.name for path in (root / "runs").iterdir())


def day(number):
    return (START + timedelta(days=number)).strftime("%Y%m%d-%H%M%S")


def test_the_newest_are_kept(tmp_path):
    for number in range(5):
        make_run(tmp_path, number)
    pruned = prune_runs(tmp_path, 2)
    assert left(tmp_path) == [day(3), day(4)]
    assert sorted(run.name for run in pruned.deleted) == [day(0), day(1), day(2)]
    assert prune_runs(tmp_path, 2) == prune.Pruned()


def test_a_dry_run_deletes_nothing(tmp_path):
    for number in range(3):
        make_run(tmp_path, number)
    assert len(prune_runs(tmp_path, 0, dry_run=True).deleted) == 3
    assert len(left(tmp_path)) == 3


def test_where_there_are_no_runs_nothing_is_made(tmp_path):
    assert prune_runs(tmp_path / "none", 1) == prune.Pruned()
    assert not (tmp_path / "none").exists()


def test_the_names_of_pictures_are_those_that_are_drawn():
    assert folders.PICTURES == (CONVERGENCE_PNG, DISTRIBUTION_PNG)


OPEN = {
    "killed": lambda folder: (folder / folders.BEST_CONFIG).unlink(),
    "killed before its result": lambda folder: (folder / folders.CONVERGENCE).unlink(),
}


@pytest.mark.parametrize("how", OPEN)
def test_a_search_that_was_killed_is_kept(tmp_path, how):
    OPEN[how](make_run(tmp_path, 0))
    pruned = prune_runs(tmp_path, 0)
    assert "--ascend-tune-resume" in pruned.kept[0][1]
    assert left(tmp_path) == [day(0)]


def test_a_search_that_was_interrupted_is_kept(tmp_path):
    make_run(tmp_path, 0, state=ConvergenceState.INTERRUPTED)
    assert "was not finished" in prune_runs(tmp_path, 0).kept[0][1]


def test_a_search_that_is_under_way_is_kept(tmp_path):
    folder = make_run(tmp_path, 0)
    journal, _ = Journal.resume(folder / folders.JOURNAL, HEADER)
    with journal:
        assert "was not finished" in prune_runs(tmp_path, 0).kept[0][1]
    assert len(prune_runs(tmp_path, 0).deleted) == 1


def test_the_newest_result_that_can_be_accepted_is_kept_until_a_baseline_is_recorded(tmp_path):
    for number in range(3):
        make_run(tmp_path, number, candidate=True)
    make_run(tmp_path, 3)
    pruned = prune_runs(tmp_path, 1)
    assert [(run.name, "accepted" in reason) for run, reason in pruned.kept] == [(day(2), True)]
    assert left(tmp_path) == [day(2), day(3)]
    store = BaselineStore(tmp_path)
    store.accept(tmp_path / "runs" / day(2) / "tiny" / PROBLEM.id)
    prune_runs(tmp_path, 1)
    assert left(tmp_path) == [day(3)]


def test_a_result_of_another_device_is_another_one_to_accept(tmp_path):
    other = make_run(tmp_path, 0)
    write_candidate(other, replace(baseline(), key=replace(baseline().key, device="cpu-y")), SOURCES)
    make_run(tmp_path, 1, candidate=True)
    assert len(prune_runs(tmp_path, 0).kept) == 2


STRANGERS = {
    "a note in the run": lambda run, folder: (run / "notes.txt").write_text("mine"),
    "a note beside the result": lambda run, folder: (folder / "notes.txt").write_text("mine"),
    "a folder in the run": lambda run, folder: (run / "thesis/chapter").mkdir(parents=True),
    "a link": lambda run, folder: (folder / "link").symlink_to(run),
    "a link in place of a file": lambda run, folder: (folder / "candidate.json").symlink_to(run.parent.parent / "x"),
    "a folder named as a file": lambda run, folder: (folder / "candidate.json").mkdir(),
    "sources without candidate": lambda run, folder: (folder / "sources").mkdir(),
    "no marker": lambda run, folder: (run / workspace.MARKER).unlink(),
    "a marker of somebody else": lambda run, folder: (run / workspace.MARKER).write_text("mine"),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_run_that_holds_anything_of_somebody_elses_is_left_whole(tmp_path, stranger):
    folder = make_run(tmp_path, 0)
    run = folder.parent.parent
    STRANGERS[stranger](run, folder)
    before = sorted(run.rglob("*"))
    pruned = prune_runs(tmp_path, 0)
    assert [place for place, _ in pruned.kept] == [run]
    assert sorted(run.rglob("*")) == before


def test_sources_that_somebody_works_on_are_left(tmp_path):
    folder = make_run(tmp_path, 0, candidate=True)
    (folder / "sources/tiny.cpp").write_text("int mine;")
    assert "sources is not ours" in prune_runs(tmp_path, 0).kept[0][1]


def test_other_names_are_nobodys_business(tmp_path):
    make_run(tmp_path, 0)
    for name in ("thesis", "20260101", ".20250101-080000.deleted", "20260101-080000-mine"):
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "letter").write_text("dear")
    assert len(prune_runs(tmp_path, 0).deleted) == 1
    assert len(left(tmp_path)) == 4


@pytest.mark.parametrize("linked", ["runs", "run"])
def test_nothing_is_deleted_through_a_link(tmp_path, linked):
    folder = make_run(tmp_path / "root", 0)
    run = folder.parent.parent
    moved = run.parent if linked == "runs" else run
    moved.rename(tmp_path / "outside")
    moved.symlink_to(tmp_path / "outside")
    before = sorted((tmp_path / "outside").rglob("*"))
    assert prune_runs(tmp_path / "root", 0).deleted == ()
    assert sorted((tmp_path / "outside").rglob("*")) == before


def test_a_kill_half_way_leaves_what_the_next_one_finishes(tmp_path, monkeypatch):
    """The marker goes last, and nobody takes half a run for a run."""
    make_run(tmp_path, 0)

    def killed(path):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prune.shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            prune_runs(tmp_path, 0)
    assert left(tmp_path) == [f".{day(0)}.deleted"]
    assert workspace.is_marked(tmp_path / "runs" / f".{day(0)}.deleted")
    prune_runs(tmp_path, 0)
    assert os.listdir(tmp_path / "runs") == []
