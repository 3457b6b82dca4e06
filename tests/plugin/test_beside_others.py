"""Beside other plugins and options: one report, the right exit code, never a green run that measured nothing."""

import json
from pathlib import Path

import pytest

from tests.plugin.conftest import SIMPLE

TWO = SIMPLE + SIMPLE.replace("test_gemm", "test_other").replace("m=64", "m=32")


def results(project):
    return json.loads((project.path / ".ascend-tune/report/results.json").read_text())["results"]


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def test_xdist_measures_in_workers_and_reports_once(project):
    pytest.importorskip("xdist")
    project.pytester.makepyfile(TWO)
    result = project.run("-n2", in_process=False, budget=3)
    result.assert_outcomes(passed=2)
    assert {entry["problem"] for entry in results(project)} == {"64x64x64-float32-nn", "32x64x64-float32-nn"}
    assert len({folder.parent.parent for folder in project.runs()}) == 1


def test_xdist_never_green_without_measuring(project):
    pytest.importorskip("xdist")
    project.pytester.makepyfile(SIMPLE.replace("m=64", "dtype='int8', m=64"))
    result = project.run("-n1", in_process=False, budget=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*nothing was measured*"])


def test_xdist_a_failed_gate_fails(project):
    pytest.importorskip("xdist")
    project.pytester.makepyfile(SIMPLE.replace("k=64)", "k=64, min_efficiency='99%')"))
    result = project.run("-n1", in_process=False, budget=3)
    result.assert_outcomes(failed=1)
    assert results(project)[0]["status"] == "below_efficiency"


def test_pytest_html_rows_have_pictures_and_numbers(project):
    pytest.importorskip("pytest_html")
    project.pytester.makepyfile(SIMPLE)
    project.run("--html=page.html", "--self-contained-html", budget=3).assert_outcomes(passed=1)
    page = (project.path / "page.html").read_text()
    assert "Change</th>" in page
    assert "svg" in page
    assert f"{results(project)[0]['tflops']:.4g} TFLOPS" in page


def test_pytest_benchmark_gets_the_winner_in_device_time(project):
    pytest.importorskip("pytest_benchmark")
    project.pytester.makepyfile(SIMPLE.replace("(ascend_tune)", "(ascend_tune, benchmark)"))
    project.run("--benchmark-json=bench.json", budget=3).assert_outcomes(passed=1)
    (entry,) = json.loads((project.path / "bench.json").read_text())["benchmarks"]
    assert entry["extra_info"]["status"] == "no_baseline"
    assert entry["extra_info"]["config"] == results(project)[0]["config"]
    seconds = 2 * 64**3 / (entry["extra_info"]["tflops"] * 1e12)
    assert entry["stats"]["median"] == pytest.approx(seconds, rel=0.1)


@pytest.mark.parametrize(
    "options",
    [
        ["-W", "error"],
        ["--strict-markers", "--strict-config"],
        ["-p", "no:terminal"],
        ["-q"],
        ["--tb=no"],
        ["-x"],
        ["-s"],
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_common_options(project, options):
    project.pytester.makepyfile(SIMPLE.replace("k=64)", "k=64, min_efficiency='99%')"))
    assert project.run(*options, budget=3).ret == pytest.ExitCode.TESTS_FAILED
    assert results(project)[0]["status"] == "below_efficiency"


@pytest.mark.slow
def test_a_folder_with_spaces_and_other_letters(project, monkeypatch):
    folder = project.path / "ein Ordner 中文"
    folder.mkdir()
    for name in ("conftest.py", "tiny"):
        (project.path / name).rename(folder / name)
    (folder / "test_x.py").write_text(SIMPLE)
    monkeypatch.chdir(folder)
    assert project.run(budget=3).ret == 0
    assert (folder / ".ascend-tune/report/index.html").exists()


@pytest.mark.slow
def test_without_home(project, monkeypatch):
    monkeypatch.delenv("HOME", raising=False)
    project.pytester.makepyfile(SIMPLE)
    assert project.run(budget=3, in_process=False).ret == 0
