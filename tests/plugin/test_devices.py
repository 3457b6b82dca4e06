"""Several devices in one run of pytest, and ways to ask for them that make no sense."""

import json
from types import SimpleNamespace

import pytest

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.plugin import xdist
from tests.plugin.conftest import SIMPLE

GATE = """
import pytest

@pytest.mark.ascend_tune(m=2048, n=2048, k=2048)
def test_gemm(ascend_tune):
    ascend_tune()
"""
SIMULATED = ("--ascend-tune", "--ascend-tune-backend=simulator", "--ascend-tune-max-iter=12")


def test_a_search_on_four_simulated_devices(project):
    project.write("test_it.py", GATE)
    result = project.run(*SIMULATED, "--ascend-tune-devices=0-3", on=False)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["ascend-tune: backend simulator (simulated*), 4 devices simulated-910B1, *"])
    (folder,) = project.runs()
    trials = json.loads((folder / "history.json").read_text())["trials"]
    assert [trial["index"] for trial in trials] == list(range(1, 13))
    assert {trial["device"] for trial in trials} == {"0", "1", "2", "3"}
    lines = (folder / "journal.jsonl").read_text().splitlines()[1:]
    assert [json.loads(line)["device"] for line in lines] == [trial["device"] for trial in trials]


def test_a_resumed_search_may_have_another_number_of_devices(project):
    project.write("test_it.py", GATE)
    for devices, budget in (("0-3", 5), ("0", 8), ("0-1", 12)):
        options = (f"--ascend-tune-devices={devices}", f"--ascend-tune-max-iter={budget}", "--ascend-tune-resume")
        project.run("--ascend-tune", "--ascend-tune-backend=simulator", *options, on=False).assert_outcomes(passed=1)
    (folder,) = project.runs()
    trials = json.loads((folder / "history.json").read_text())["trials"]
    assert [trial["index"] for trial in trials] == list(range(1, 13))
    assert len({json.dumps(trial["config"]) for trial in trials}) == 12
    assert [trial.get("device") for trial in trials][5:8] == [None] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--ascend-tune-backend=cpu", "--ascend-tune-devices=0-3"),
            "--ascend-tune-devices=0,1,2,3: the backend 'cpu'",
        ),
        (
            ("--ascend-tune-backend=simulator", "--ascend-tune-devices=8"),
            "'simulator' has no device 8; allowed: 0 to 7",
        ),
        (("--ascend-tune-executor=ray",), "'cpu' that a hook or a caller gave is one device"),
        (("--ascend-tune-executor=slurm",), "allowed: local, ray, ray://ADDRESS"),
        (
            ("--ascend-tune-backend=simulator", "--ascend-tune-executor=ray", "-n2"),
            "and pytest-xdist (-n): * choose one",
        ),
    ],
)
def test_requests_that_make_no_sense_are_usage_errors(project, options, message):
    if "-n2" in options:
        pytest.importorskip("xdist")
    project.write("test_it.py", SIMPLE)
    result = project.run("--ascend-tune", *options, on=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{message}*"])


def config(worker=None, dist="no"):
    made = SimpleNamespace(option=SimpleNamespace(dist=dist))
    if worker is not None:
        made.workerinput = {"workerid": worker}
    return made


def test_each_worker_of_xdist_has_a_device_of_its_own_and_the_controller_the_first():
    settings = Settings(backend="ascend", devices=(4, 5, 6))
    assert xdist.own_devices(config(), settings) == (4, 5, 6)
    assert xdist.own_devices(config(dist="load"), settings) == (4,)
    assert [xdist.own_devices(config(f"gw{n}"), settings) for n in range(4)] == [(4,), (5,), (6,), (4,)]


def test_devices_that_nobody_named_are_dealt_out_where_there_are_npus(monkeypatch):
    monkeypatch.setattr("pytest_ascend_tune.backends.npu_device_nodes", lambda: ["/dev/davinci0", "/dev/davinci1"])
    assert xdist.own_devices(config(), Settings()) is None
    assert xdist.own_devices(config("gw1"), Settings(backend="ascend")) == (1,)
    assert xdist.own_devices(config("gw1"), Settings(backend="cpu")) is None
    with pytest.raises(SettingsError, match="choose one"):
        xdist.own_devices(config("gw0"), Settings(executor="ray"))
