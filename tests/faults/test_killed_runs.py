"""kill -9 and Ctrl-C at random moments of a run of pytest; the resumed run ends as one that nobody disturbed."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter

import pytest

from pytest_ascend_tune.records.baselines.store import BaselineStore
from tests.faults.project import BUDGET, CONFTEST, OPTIONS, assert_whole, final_trials, make_project, measured, results


@pytest.fixture(scope="module")
def undisturbed(zygote, tmp_path_factory):
    """Trials of a whole run."""
    folder = make_project(tmp_path_factory.mktemp("undisturbed") / "project")
    run = zygote.start(folder, *OPTIONS)
    assert run.wait() == 0, run.text()
    return final_trials(folder)


def wait_for(zygote, run, folder, moment):
    """Wait until so many trials more were begun (0: the session has begun), and so many seconds."""
    trials, seconds = moment
    wanted = len(measured(folder)) + trials
    while zygote.alive(run.pid) and not ((folder / "begun").exists() and len(measured(folder)) >= wanted):
        time.sleep(0.001)
    time.sleep(seconds)


def random_moment(generator):
    """Anywhere from the beginning of the session to the report."""
    trials = generator.randint(0, BUDGET)
    return trials, generator.uniform(0, 1.0 if trials == BUDGET else 0.1)


def kill_and_resume(zygote, folder, undisturbed, moments, injected):
    """Kill the run at each of the moments, then let it end."""
    make_project(folder)
    kills = 0
    options = OPTIONS
    for moment in moments:
        run = zygote.start(folder, *options)
        wait_for(zygote, run, folder, moment)
        run.kill(signal.SIGKILL)
        if run.wait() == -signal.SIGKILL:
            kills += 1
            injected("kill -9 of pytest")
        assert_whole(folder)
        options = (*OPTIONS, "--ascend-tune-resume")
    run = zygote.start(folder, *options)
    assert run.wait() == 0, run.text()
    assert final_trials(folder) == undisturbed
    again = sum(count - 1 for count in Counter(measured(folder)).values())
    assert again <= kills, "only what was being measured when the kill came is measured again"
    assert results(folder)["complete"]


def test_resume_after_a_kill_ends_as_an_undisturbed_run(zygote, tmp_path, undisturbed, injected):
    kill_and_resume(zygote, tmp_path / "project", undisturbed, [(BUDGET // 2, 0)], injected)


@pytest.mark.slow
def test_50_random_kills(zygote, tmp_path, undisturbed, injected):
    generator = random.Random(9)
    for number in range(50):
        moments = [random_moment(generator) for _ in range(generator.choice([1, 1, 2]))]
        kill_and_resume(zygote, tmp_path / str(number), undisturbed, moments, injected)


def interrupt(zygote, folder, moment, injected):
    """Ctrl-C at a moment after the session began: exit 2, said in the report, never a baseline."""
    make_project(folder)
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-missing=seed")
    wait_for(zygote, run, folder, moment)
    run.kill(signal.SIGINT)
    code = run.wait()
    if code == pytest.ExitCode.OK:
        return  # it came when all was done
    injected("Ctrl-C")
    assert_whole(folder)
    document = results(folder) if (folder / ".ascend-tune/report/results.json").exists() else None
    if code == pytest.ExitCode.INTERRUPTED:
        if not (folder / ".ascend-tune").exists():
            return  # it came while tests were collected: nothing was asked for yet
        assert document is not None, run.text()
        assert not document["complete"] or "KeyboardInterrupt" in run.text()
        for result in document["results"]:
            if result["convergence"] == "interrupted":
                assert not list((folder / ".ascend-tune/baselines").rglob("64*.json"))
    else:
        assert code != 0
    BaselineStore(folder / ".ascend-tune").validate_all("main")


def test_ctrl_c_in_the_search(zygote, tmp_path, undisturbed, injected):
    # Slow enough that the signal meets the search whatever else the machine does.
    folder = make_project(tmp_path / "project", conftest=CONFTEST.replace("0.002", "0.5"))
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-missing=seed")
    wait_for(zygote, run, folder, (2, 0))
    run.kill(signal.SIGINT)
    assert run.wait() == pytest.ExitCode.INTERRUPTED, run.text()
    injected("Ctrl-C")
    document = results(folder)
    assert not document["complete"]
    assert [result["convergence"] for result in document["results"]] == ["interrupted"]
    assert not list((folder / ".ascend-tune/baselines").rglob("64*.json"))
    resumed = zygote.start(folder, *OPTIONS, "--ascend-tune-resume")
    assert resumed.wait() == 0, resumed.text()
    assert final_trials(folder) == undisturbed


@pytest.mark.slow
def test_30_random_interrupts(zygote, tmp_path, injected):
    generator = random.Random(10)
    for number in range(30):
        interrupt(zygote, tmp_path / str(number), random_moment(generator), injected)
