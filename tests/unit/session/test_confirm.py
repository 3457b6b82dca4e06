"""From a search to its confirmation: who is measured again, and what is said when the machine changed meanwhile."""

import re
from dataclasses import replace

import pytest

from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.model.measurement import Health, Measurement
from pytest_ascend_tune.session.confirm import RETAKE_LIMIT_S, RETAKES, confirm_search, finalist_configs, undisturbed
from tests.fakes.backend import FakeBackend
from tests.unit.session.test_search import job, run

PLAN = ConfirmPlan(rounds=60, max_rounds=120)


def notes(confirmation):
    return [str(note) for note in confirmation.notes if "speed of the machine itself" in str(note)]


def test_the_best_three_of_the_search_are_measured_again():
    found = run(job(), 8)
    ranked = sorted(found.valid, key=lambda trial: trial.time_us)
    assert finalist_configs(job(), found, None) == tuple(trial.config for trial in ranked[:3])


@pytest.mark.parametrize(("slowdown", "said"), [(1.0, []), (1.01, []), (1.1, ["-9.1 %"]), (1 / 1.1, ["+10.0 %"])])
def test_a_machine_that_changed_its_speed_since_the_search_is_told(slowdown, said):
    backend = FakeBackend(noise=0.001)
    gated = job(backend)
    found = run(gated, 6)
    before = confirm_search(gated, found, None, None, PLAN)
    backend.device_slowdown = slowdown
    after = confirm_search(gated, found, None, None, PLAN)
    assert [share for note in notes(after) for share in re.findall(r"[+-][0-9.]+ %", note)] == said
    assert after.tflops == pytest.approx(before.tflops / slowdown, rel=0.01)
    assert after.vs_reference == pytest.approx(before.vs_reference, rel=0.01)


def test_of_a_search_on_several_devices_nothing_is_told():
    backend = FakeBackend(noise=0.001)
    found = run(job(backend), 4)
    spread = replace(found, trials=tuple(replace(trial, device="node-1") for trial in found.trials))
    backend.device_slowdown = 1.5
    assert notes(confirm_search(job(backend), found, None, None, PLAN))
    assert not notes(confirm_search(job(backend), spread, None, None, PLAN))


def test_without_a_search_or_without_a_reference_there_is_nothing_to_tell():
    backend = FakeBackend(reference_us=None)
    found = run(job(backend), 4)
    assert all(isinstance(trial.outcome, Measurement) for trial in found.trials)
    backend.device_slowdown = 2.0
    assert not notes(confirm_search(job(backend), found, None, None, PLAN))


class TestUndisturbed:
    """What is to be recorded is confirmed again while the device is disturbed, and not for ever."""

    def takes(self, *busy: bool, seconds: float = 3.0):
        backend = FakeBackend()
        quiet = confirm_search(job(backend), run(job(backend), 4), None, None, PLAN)
        made = [replace(quiet, health=Health(state), seconds=seconds) for state in busy]
        return made, iter(made)

    @pytest.mark.parametrize(
        ("busy", "taken"),
        [((False, True, True), 1), ((True, False, True), 2), ((True, True, False), 3), ((True, True, True, False), 3)],
    )
    def test_the_first_quiet_one_counts_else_the_last(self, busy, taken):
        made, left = self.takes(*busy)
        assert undisturbed(lambda: next(left)) is made[taken - 1]
        assert len(list(left)) == len(made) - taken
        assert RETAKES == 2

    def test_long_confirmations_are_not_repeated(self):
        made, left = self.takes(True, False, seconds=RETAKE_LIMIT_S + 1)
        assert undisturbed(lambda: next(left)) is made[0]

    def test_nothing_confirmed_is_nothing_to_repeat(self):
        assert undisturbed(lambda: None) is None
