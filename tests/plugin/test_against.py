"""--ascend-tune-against=REV: the kernel of a revision, built today, takes the place of a stored baseline."""

import json
import sys
from pathlib import Path

import pytest

from tests.plugin.conftest import SIMPLE, SPACE
from tests.plugin.test_gate import results, statuses
from tests.unit.files.test_git import commit, git, state

AGAINST = "--ascend-tune-against"


@pytest.fixture
def repo(project):
    """A project under git; its ``.ascend-tune`` is ignored."""
    project.pytester.makepyfile(SIMPLE)
    git(project.path, "init", "-q", "-b", "main")
    project.write(".gitignore", ".ascend-tune\n__pycache__\n")
    project.first = commit(project.path)
    return project


def slower(project, factor: float) -> None:
    project.write("tiny/tiny.cpp", f"// slowdown: {factor}\n// kernel\n")


def told(project) -> dict:
    (result,) = results(project)["results"]
    return result


def test_a_slower_kernel_is_red_without_any_stored_file(repo):
    slower(repo, 1.2)
    git(repo.path, "remote", "add", "origin", "https://me:secret@example.org/team/kernels.git")
    before = state(repo.path)
    run = repo.run(f"{AGAINST}=HEAD", "-p", "no:benchmark", budget=0)
    run.assert_outcomes(failed=1)
    assert state(repo.path) == before
    result = told(repo)
    assert (result["status"], result["cause"], result["baseline_tflops"]) == ("regressed", "code", None)
    assert "slower than HEAD (" in result["reason"]
    assert result["baseline_today_tflops"] > result["tflops"]
    short = repo.first[:10]
    assert result["against"] | {"config": {}, "config_from": ""} == {
        "revision": "HEAD", "commit": repo.first, "today": repo.first, "changed": True, "config": {}, "config_from": "",
    }  # fmt: skip
    assert not list((repo.path / ".ascend-tune/baselines").rglob("*.json"))
    run.stdout.fnmatch_lines(
        [
            f"*compared with *HEAD, commit {short}, built today; this run: commit {short} with uncommitted changes*",
            f"compared with HEAD, commit {short}, built today; this run: commit {short} with uncommitted changes*",
        ]
    )
    report = repo.path / ".ascend-tune/report"
    for name in ("index.html", "summary.md"):
        text = (report / name).read_text(encoding="utf-8")
        assert short in text
        assert "uncommitted changes of the kernel" in text
        assert f"https://example.org/team/kernels/commit/{repo.first}" in text
        assert "secret" not in text
    assert "update-baseline" not in (report / "index.html").read_text(encoding="utf-8")


def test_an_unchanged_and_a_faster_kernel_are_green(repo):
    repo.run(f"{AGAINST}=main", budget=4).assert_outcomes(passed=1)
    assert (statuses(repo), told(repo)["against"]["changed"]) == (["passed"], False)
    slower(repo, 1.2)
    second = commit(repo.path)
    slower(repo, 1.0)
    commit(repo.path)
    repo.run(f"{AGAINST}={second}", budget=4).assert_outcomes(passed=1)
    assert statuses(repo) == ["improved"]
    assert "record it with" not in told(repo)["reason"]


def test_the_configuration_is_the_stored_baselines_but_its_numbers_have_no_part(repo):
    repo.run("--ascend-tune-missing=seed", budget=6).assert_outcomes(passed=1)
    (path,) = (repo.path / ".ascend-tune/baselines").glob("main/*/tiny/*.json")
    stored = json.loads(path.read_text())
    stored["config"] = {"tile_m": 8, "tile_n": 16}
    stored["measurement"] |= {
        "time_us": stored["measurement"]["time_us"] * 0.5,
        "tflops": stored["measurement"]["tflops"] * 2,
    }
    path.write_text(json.dumps(stored))
    before = path.read_bytes()
    repo.run(f"{AGAINST}=HEAD", "--ascend-tune-missing=seed", budget=0).assert_outcomes(passed=1)
    result = told(repo)
    assert result["against"]["config_from"] == "baseline"
    assert result["against"]["config"] == result["config"] == {"tile_m": 8, "tile_n": 16}
    assert (result["status"], result["baseline_tflops"]) == ("passed", None)
    assert path.read_bytes() == before


def test_without_a_search_default_meets_default(repo):
    repo.write("tiny/space.toml", SPACE.replace("tile_m = 4\ntile_n = 4", "tile_m = 32\ntile_n = 32"))
    repo.run(f"{AGAINST}=HEAD", budget=0).assert_outcomes(passed=1)
    result = told(repo)
    assert (result["status"], result["against"]["config_from"]) == ("improved", "default")
    assert result["config"] == {"tile_m": 32, "tile_n": 32}
    assert result["against"]["config"] == {"tile_m": 4, "tile_n": 4}


def test_one_search_serves_both_sides(repo):
    repo.run(f"{AGAINST}=HEAD", budget=12).assert_outcomes(passed=1)
    result = told(repo)
    assert (result["status"], result["against"]["config_from"]) == ("passed", "search")
    assert result["against"]["config"] == result["config"]


def test_a_renamed_template_is_found_by_its_earlier_name(repo):
    git(repo.path, "mv", "tiny", "renamed")
    commit(repo.path)
    slower(repo, 1.0)
    repo.write("renamed/tiny.cpp", "// slowdown: 1.3\n// kernel\n")
    repo.run(f"{AGAINST}={repo.first}", "--ascend-tune-template=renamed", budget=0).assert_outcomes(failed=1)
    assert statuses(repo) == ["regressed"]


def test_a_kernel_that_was_broken_then_is_nothing_to_compare_with(repo):
    repo.write("tiny/space.toml", SPACE + "\nabi = 2\n".replace("\nabi", "# abi"))
    repo.write("tiny/space.toml", SPACE.replace('source = "tiny.cpp"', 'source = "tiny.cpp"\nabi = 2'))
    broken = commit(repo.path)
    repo.write("tiny/space.toml", SPACE)
    repo.run(f"{AGAINST}={broken}", budget=0).assert_outcomes(passed=1)
    assert statuses(repo) == ["not_comparable"]
    assert "could not be measured (its sources have entry point version 2" in told(repo)["reason"]
    repo.run(f"{AGAINST}={broken}", "--ascend-tune-missing=fail", budget=0).assert_outcomes(failed=1)


@pytest.mark.slow
def test_the_ini_twin_and_the_report_made_again(repo):
    slower(repo, 1.2)
    repo.pytester.makeini("[pytest]\nascend_tune_against = HEAD\n")
    repo.run(budget=0).assert_outcomes(failed=1)
    (run,) = (repo.path / ".ascend-tune/runs").iterdir()
    again = repo.pytester.run(sys.executable, "-m", "pytest_ascend_tune", "report", run, "--output", "again")
    assert again.ret == 0, again.stderr.str()
    assert "compared with" in (repo.path / "again/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_under_xdist(repo, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    pytest.importorskip("xdist")
    slower(repo, 1.2)
    run = repo.run(f"{AGAINST}=HEAD", "-n1", budget=0, in_process=False)
    run.assert_outcomes(failed=1)
    assert told(repo)["against"]["commit"] == repo.first


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([f"{AGAINST}=nosuch"], "*--ascend-tune-against=nosuch: there is no revision nosuch in *git fetch*"),
        ([f"{AGAINST}="], "*--ascend-tune-against: '' is not allowed*"),
        ([f"{AGAINST}=--upload-pack=x"], "*'--upload-pack=x' names no revision; allowed: a branch, tag or commit*"),
        ([f"{AGAINST}=main..HEAD"], "*'main..HEAD' names no revision*"),
        (
            [f"{AGAINST}=HEAD", "--ascend-tune-update-baseline"],
            "*and --ascend-tune-update-baseline exclude each other*",
        ),
        ([f"{AGAINST}=HEAD", "--ascend-tune-old-cxx=g++"], "*and --ascend-tune-old-cxx exclude each other*"),
        ([f"{AGAINST}=HEAD", "--ascend-tune-template=cpu_gemm"], "*template cpu_gemm is part of pytest-ascend-tune*"),
        (
            [f"{AGAINST}=HEAD", "--ascend-tune-template=fresh"],
            "*template fresh is not there: * has no fresh/space.toml*",
        ),
    ],
)
def test_what_cannot_be_read_is_a_usage_error_before_anything_is_measured(repo, options, words):
    repo.write("fresh/space.toml", SPACE)
    repo.write("fresh/tiny.cpp", "// kernel\n")
    refused = repo.run(*options, budget=2)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines([words])
    assert not repo.runs()
