"""``config=`` in the marker: exactly one configuration is gated, beside a tuned test of the same problem."""

import json

import pytest

from tests.plugin.conftest import SPACE
from tests.plugin.test_gate import results

DEFAULT = """
import pytest

@pytest.mark.ascend_tune(m=64, n=64, k=64, config="default")
def test_default(ascend_tune):
    ascend_tune()
"""
TUNED = """
@pytest.mark.ascend_tune(m=64, n=64, k=64)
def test_tuned(ascend_tune):
    ascend_tune()
"""
BOTH = DEFAULT + TUNED
SMALL = DEFAULT.replace('"default"', "{'tile_m': 8, 'tile_n': 8}")


def by_id(project):
    return {result["variant"] or "tuned": result for result in results(project)["results"]}


def recorded(project):
    return {path.stem: path for path in (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")}


def best_known(project):
    return [note for note in by_id(project)["default"]["notes"] if "best known" in note]


def test_only_the_default_is_gated_with_results_and_a_baseline_of_its_own(project):
    project.pytester.makepyfile(DEFAULT)
    project.run("--ascend-tune-missing=seed").assert_outcomes(passed=1)
    (result,) = results(project)["results"]
    assert (result["trials"], result["config"], result["variant"]) == (0, {"tile_m": 4, "tile_n": 4}, "default")
    assert set(recorded(project)) == {"64x64x64-float32-nn-default"}
    (folder,) = project.runs()
    assert folder.name == "64x64x64-float32-nn-default"
    project.run().assert_outcomes(passed=1)
    assert results(project)["results"][0]["status"] == "passed"


def test_it_stands_beside_a_tuned_test_and_never_moves_its_baseline(project):
    project.pytester.makepyfile(BOTH)
    project.run("--ascend-tune-missing=seed", budget=20).assert_outcomes(passed=2)
    kept = recorded(project)["64x64x64-float32-nn"].read_bytes()
    run = project.run("--ascend-tune-update-baseline", "-k", "default")
    run.assert_outcomes(passed=1)
    assert recorded(project)["64x64x64-float32-nn"].read_bytes() == kept
    below = 1 - by_id(project)["default"]["tflops"] / json.loads(kept)["measurement"]["tflops"]
    (note,) = best_known(project)
    assert below > 0.05
    assert note.startswith("default is ")
    assert float(note.split()[2]) == pytest.approx(100 * below, abs=3)
    assert "tuned baseline of" in note
    run.stdout.fnmatch_lines(["64x64x64-float32-nn-default: default is * below the best known*"])


def test_without_a_tuned_baseline_the_history_is_what_is_known(project):
    project.pytester.makepyfile(DEFAULT)
    project.run()
    assert not best_known(project)
    project.pytester.makepyfile(BOTH)
    project.run("-k", "tuned", budget=20)
    project.run("-k", "default")
    (note,) = best_known(project)
    assert "of the history" in note


def test_a_changed_default_is_seen(project):
    """The tuned best is as ever; what ships is not."""
    project.pytester.makepyfile(BOTH)
    project.run("--ascend-tune-missing=seed", budget=20)
    project.write("tiny/space.toml", SPACE.replace("tile_m = 4\ntile_n = 4\n", "tile_m = 4\ntile_n = 64\n"))
    project.run(budget=20)
    found = by_id(project)
    assert found["tuned"]["status"] in ("passed", "improved")
    assert found["default"]["status"] in ("regressed", "improved")
    assert "the default configuration has changed: tile_n 4 -> 64" in found["default"]["reason"]


def test_two_configurations_of_one_problem_have_names_of_their_own(project):
    project.pytester.makepyfile(test_one=SMALL, test_two=SMALL.replace("8", "16"))
    project.run("--ascend-tune-missing=seed").assert_outcomes(passed=2)
    assert len(recorded(project)) == 2
    assert all(name.startswith("64x64x64-float32-nn-fixed-") for name in recorded(project))
    assert {len(name.rpartition("-")[2]) for name in recorded(project)} == {8}


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("{'tile_m': 8}", "needed are tile_m, tile_n"),
        ("{'tile_m': 64, 'tile_n': 64}", "the tile must fit"),
        ("'best'", "allowed: 'default', or a configuration"),
        ("{'tile_m': True, 'tile_n': 8}", "a whole number or a text"),
    ],
)
def test_what_cannot_be_gated_is_said_before_anything_is_measured(project, config, words):
    project.pytester.makepyfile(DEFAULT.replace('"default"', config))
    run = project.run()
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert words in run.stderr.str()


def test_the_same_configuration_twice_is_a_mistake(project):
    project.pytester.makepyfile(test_one=SMALL, test_two=SMALL)
    run = project.run()
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert "is tuned by" in run.stderr.str()
