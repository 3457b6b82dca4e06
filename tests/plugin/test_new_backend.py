"""A backend that nobody has heard of: with a file and a line in the registry the whole job runs."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from pytest_ascend_tune import backends
from pytest_ascend_tune.cli import doctor
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.readiness import Check, Status
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.plugin import xdist
from tests.fakes.backend import FakeBackend


class AbacusBackend(FakeBackend):
    """Everything that a backend may say of itself."""

    name = "abacus"
    default_dtype = Dtype.FLOAT16
    default_template = "beads"
    max_devices = 3
    opened: list[tuple[int, ...] | None] = []  # noqa: RUF012 - what the tests look at
    started_from: list[int] = []  # noqa: RUF012

    def __init__(self, options, variant=""):
        super().__init__(device=f"abacus-{variant or 'small'}", noise=0.01)
        self.opened.append(options.devices)

    def warm_starts(self, problem, configs, count):
        self.started_from.append(len(configs))
        return tuple(configs[:1])

    @staticmethod
    def devices_here():
        return 2

    @staticmethod
    def variant_of(device):
        return device.removeprefix("abacus-")

    @staticmethod
    def checks(options, *, by_name):
        yield Check("beads", Status.OK, "ten", "counting")


class PebblesBackend(FakeBackend):
    """Nothing but protocols.Backend."""

    name = "pebbles"
    default_template = "beads"

    def __init__(self, options, variant=""):
        super().__init__()


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The file and the line."""
    module = ModuleType("pytest_ascend_tune.backends.counting")
    module.AbacusBackend, module.PebblesBackend = AbacusBackend, PebblesBackend
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for home in (AbacusBackend, PebblesBackend):
        line = ("counting", home.__name__, lambda make, options, device: make(options, device))
        monkeypatch.setitem(backends._HOMES, home.name, line)
    AbacusBackend.opened.clear()
    AbacusBackend.started_from.clear()


@pytest.fixture
def project(pytester):
    beads = pytester.mkdir("beads")
    (beads / "space.toml").write_text(
        'source = "beads.cpp"\nbackends = ["abacus", "pebbles"]\ndtypes = ["float32", "float16"]\n'
        "[default]\ntile = 16\n[params]\ntile = { pow2 = [8, 128] }\n"
    )
    (beads / "beads.cpp").write_text("// counts\n")
    pytester.makeini("[pytest]\nascend_tune_template = beads\n")
    pytester.makepyfile(
        "import pytest\n@pytest.mark.ascend_tune(m=64, n=64, k=64)\ndef test_sum(ascend_tune):\n    ascend_tune()\n"
    )
    return pytester


def run(project, *options):
    return project.runpytest_inprocess("--ascend-tune", "--ascend-tune-max-iter=6", *options)


def test_the_whole_job_runs_with_it(project):
    outcome = run(project, "--ascend-tune-backend=abacus:large")
    outcome.assert_outcomes(passed=1)
    report = project.path / ".ascend-tune/report"
    (result,) = json.loads((report / "results.json").read_text())["results"]
    assert (result["backend"], result["device"], result["dtype"]) == ("abacus", "abacus-large", "float16")
    assert "--ascend-tune-backend=abacus:large " in (report / "index.html").read_text()
    assert AbacusBackend.started_from


def test_its_devices_are_named_and_shared_out(project):
    run(project, "--ascend-tune-backend=abacus", "--ascend-tune-devices=0,2").assert_outcomes(passed=1)
    assert AbacusBackend.opened == [(0, 2), (2,)]
    worker = type("Config", (), {"workerinput": {"workerid": "gw1"}})
    assert xdist.own_devices(worker, Settings(backend="abacus")) == (1,)
    assert xdist.own_devices(worker, Settings(backend="pebbles")) is None


def test_one_that_says_nothing_of_itself_does_as_well(project):
    run(project, "--ascend-tune-backend=pebbles").assert_outcomes(passed=1)
    for options, message in [
        (("--ascend-tune-backend=pebbles:small",), "'pebbles:small' is unknown; allowed: auto.*abacus, pebbles"),
        (("--ascend-tune-backend=pebbles", "--ascend-tune-devices=0"), "'pebbles' has no numbered.*simulator, abacus"),
        (("--ascend-tune-backend=abacus", "--ascend-tune-devices=3"), "'abacus' has no device 3; allowed: 0 to 2"),
    ]:
        outcome = run(project, *options)
        assert outcome.ret == pytest.ExitCode.USAGE_ERROR
        outcome.stderr.re_match_lines([f".*{message}"])


def test_its_default_dtype_names_the_problems_when_tuning_is_off(project):
    assert backends.default_dtype("abacus:large") is Dtype.FLOAT16
    outcome = project.runpytest_inprocess("--ascend-tune-backend=abacus")
    outcome.assert_outcomes(skipped=1)
    assert AbacusBackend.opened == []


def test_doctor_asks_it(tmp_path):
    assert doctor.run("abacus", tmp_path)[-1] == Check("beads", Status.OK, "ten", "counting")
    last = doctor.run("pebbles", tmp_path)[-1]
    assert (last.name, last.status) == ("pebbles", Status.OK)
    with pytest.raises(SettingsError, match="allowed: auto, ascend, cpu, simulator, abacus, pebbles"):
        doctor.run("marbles", tmp_path)
