"""What today's kernel is compared with in a revision: which configuration, and that its result is right."""

from dataclasses import replace

import pytest

from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.measurement import Failure
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.session.against import Against, opponent
from tests.fakes.backend import FakeBackend
from tests.unit.gate.doubles import template
from tests.unit.session.test_search import job, run
from tests.unit.tuning.doubles import GridSpace

PLAN = ConfirmPlan(rounds=60, max_rounds=120)


class Space(GridSpace):
    def default_for(self, problem):
        return self.default


class Checking(FakeBackend):
    """Gives wrong results with one configuration of the revision's sources."""

    wrong = None

    def verify(self, artifact, problem, *, timeout_s, thorough=False):
        if artifact.config == self.wrong and artifact.slowdown == 0.5:
            raise WrongResultError("element (0, 0) is 1, not 2")
        super().verify(artifact, problem, timeout_s=timeout_s, thorough=thorough)


def against(backend, levels, default):
    space = Space(levels, default=default)
    return Against(template(slowdown=0.5), space, "main", "a" * 40, "b" * 40, changed=True)


@pytest.fixture
def gated():
    return job(Checking(noise=0.001))


def test_a_wrong_kernel_is_no_opponent_however_quick(gated):
    found = run(gated, 4)
    best = min(found.valid, key=lambda trial: trial.time_us).config
    levels = {name: tuple({config[name] for config in (trial.config for trial in found.trials)}) for name in best}
    revision, build = opponent(gated, against(gated.backend, levels, best), found, None, PLAN)
    assert (revision.config_from, build.config) == ("search", revision.config)
    gated.backend.wrong = revision.config
    other, build = opponent(gated, against(gated.backend, levels, best), found, None, PLAN)
    assert other.config != revision.config
    assert build.config == other.config
    alone = replace(found, trials=())
    revision, build = opponent(gated, against(gated.backend, levels, gated.backend.wrong), alone, None, PLAN)
    assert revision.config_from == "default"
    assert isinstance(build, Failure)
    assert (build.kind, build.message) == (FailureKind.WRONG_RESULT, "element (0, 0) is 1, not 2")
