"""A baseline of a disturbed device: confirmed again, recorded as provisional, said so, replaced by an update."""

import json

from tests.plugin.conftest import CONFTEST, SIMPLE
from tests.plugin.test_gate import results, slow_template, statuses

BUSY = """
    from pytest_ascend_tune.model.measurement import Health
    from pytest_ascend_tune.model.text import Text
    backend.health_now = Health(True, (Text.of("load 458"),))
    """
HEALTH_CALLS = """
    looks = []
    def health():
        looks.append(1)
        return Health(len(looks) <= {busy}, (Text.of("load 458"),) if len(looks) <= {busy} else ())
    backend.health = health
    """


def set_up(project, *lines: str) -> None:
    """The conftest with more `lines` where its backend is made."""
    text = "".join(lines).replace("\n    ", "\n        ")
    project.pytester.makeconftest(CONFTEST.replace("        BACKENDS.append(backend)\n", f"{text}\n"))


def baseline(project):
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-float32-nn.json")
    return json.loads(path.read_text())


def notes(project) -> str:
    return json.dumps(results(project)["results"][0]["notes"])


def test_a_disturbed_device_gives_a_provisional_baseline_and_an_update_replaces_it(project):
    project.pytester.makepyfile(SIMPLE)
    set_up(project, BUSY, "backend.toolchain_slowdown = 0.9\n")  # faster than it will ever be again
    project.run("--ascend-tune-missing=seed", budget=2).assert_outcomes(passed=1)
    assert baseline(project)["provisional"] is True
    assert "recorded as provisional" in notes(project)

    set_up(project)
    project.run(budget=2).assert_outcomes(passed=1)
    assert statuses(project) == ["passed"]
    assert "is provisional, recorded on a disturbed device" in notes(project)
    assert baseline(project)["provisional"] is True, "never by itself"

    project.run("--ascend-tune-update-baseline", budget=2).assert_outcomes(passed=1)
    assert "provisional" not in baseline(project)
    project.run(budget=2).assert_outcomes(passed=1)
    assert "provisional" not in notes(project)


def test_its_sources_still_decide(project):
    project.pytester.makepyfile(SIMPLE)
    set_up(project, BUSY)
    project.run("--ascend-tune-update-baseline", budget=2)
    assert baseline(project)["provisional"] is True
    set_up(project)
    slow_template(project, 1.2)
    project.run(budget=2).assert_outcomes(failed=1)
    assert (statuses(project), results(project)["results"][0]["cause"]) == (["regressed"], "code")


def test_a_disturbance_that_passes_is_waited_out(project):
    """The confirmation is taken again, so what is recorded is of a quiet device."""
    project.pytester.makepyfile(SIMPLE)
    set_up(project, BUSY, HEALTH_CALLS.format(busy=2))
    project.run("--ascend-tune-missing=seed", budget=2).assert_outcomes(passed=1)
    assert "provisional" not in baseline(project)


def test_accepting_a_disturbed_run_says_so(project, capsys):
    from pytest_ascend_tune.cli import main

    project.pytester.makepyfile(SIMPLE)
    set_up(project, BUSY)
    project.run(budget=2).assert_outcomes(passed=1)
    assert main(["baseline", "accept", str(project.runs()[-1])]) == 0
    assert "recorded as provisional" in capsys.readouterr().out
    assert baseline(project)["provisional"] is True
    assert main(["baseline", "list"]) == 0
    assert "provisional" in capsys.readouterr().out
