"""Beside other plugins and options: one report, the right exit code, never a green run that measured nothing."""

import html
import json
from pathlib import Path

import pytest

from pytest_ascend_tune.reports.rounding import number
from tests.plugin.conftest import SIMPLE

TWO = SIMPLE + SIMPLE.replace("test_gemm", "test_other").replace("m=64", "m=32")


def document(project):
    return json.loads((project.path / ".ascend-tune/report/results.json").read_text())


def results(project):
    return document(project)["results"]


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


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_pytest_html_rows_have_pictures_and_numbers(project, workers):
    pytest.importorskip("pytest_html")
    pytest.importorskip("xdist")
    refused = TWO.removeprefix(SIMPLE).replace("ascend_tune()", "ascend_tune(layout='tt')")
    project.pytester.makepyfile(SIMPLE + refused)
    options = ("--html=page.html", "--self-contained-html", *workers)
    project.run(*options, budget=3, in_process=not workers).assert_outcomes(passed=1, failed=1)
    page = html.unescape((project.path / "page.html").read_text("utf-8"))
    assert "Change</th>" in page
    assert page.count("-convergence-t") == 2  # a picture's name, and the reference to it
    assert f"{number(results(project)[0]['tflops'])} TFLOPS" in page
    assert ">not measured<" in page


def test_pytest_benchmark_gets_the_winner_in_device_time(project):
    pytest.importorskip("pytest_benchmark")
    project.pytester.makepyfile(SIMPLE.replace("(ascend_tune)", "(ascend_tune, benchmark)"))
    # pytest-benchmark 5.0.1 leaves its file open: a warning that belongs to its process
    project.run("--benchmark-json=bench.json", budget=3, in_process=False).assert_outcomes(passed=1)
    (entry,) = json.loads((project.path / "bench.json").read_text())["benchmarks"]
    assert entry["extra_info"]["status"] == "no_baseline"
    assert entry["extra_info"]["config"] == results(project)[0]["config"]
    seconds = 2 * 64**3 / (entry["extra_info"]["tflops"] * 1e12)
    assert entry["stats"]["median"] == pytest.approx(seconds, rel=0.1)


FAILING = SIMPLE.replace("k=64)", "k=64, min_efficiency='99%')")


@pytest.mark.parametrize(
    "options",
    [
        ["-W", "error"],
        ["--strict-markers", "--strict-config"],
        ["-p", "no:cacheprovider"],
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
    project.pytester.makepyfile(FAILING)
    assert project.run(*options, budget=3).ret == pytest.ExitCode.TESTS_FAILED
    assert results(project)[0]["status"] == "below_efficiency"


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--collect-only"], ["--co", "-q"]], ids=" ".join)
def test_collecting_lists_and_measures_nothing(project, options):
    project.pytester.makepyfile(SIMPLE)
    result = project.run(*options)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_gemm*"])
    assert not (project.path / ".ascend-tune").exists()


@pytest.mark.slow
def test_last_failed_runs_what_failed_and_waits_for_nothing_else(project):
    project.pytester.makepyfile(TWO.replace("m=32", "min_efficiency='99%', m=32"))
    project.run("-p", "cacheprovider", budget=3).assert_outcomes(passed=1, failed=1)
    result = project.run("-p", "cacheprovider", "--lf", budget=3)
    result.assert_outcomes(failed=1)
    assert [entry["problem"] for entry in results(project)] == ["32x64x64-float32-nn"]


@pytest.mark.slow
def test_stopped_at_the_first_failure_the_report_is_not_complete(project):
    project.pytester.makepyfile(FAILING + SIMPLE.replace("test_gemm", "test_other").replace("m=64", "m=32"))
    assert project.run("-x", "-p", "no:randomly", budget=3).ret == pytest.ExitCode.TESTS_FAILED
    assert not document(project)["complete"]
    assert project.run(budget=3).ret == pytest.ExitCode.TESTS_FAILED
    assert document(project)["complete"]


def test_deselected_tests_are_not_waited_for(project):
    project.pytester.makepyfile(SIMPLE + "\ndef test_plain():\n    pass\n")
    project.run("-k", "plain", budget=3).assert_outcomes(passed=1, deselected=1)
    assert project.run("-k", "plain", budget=3).ret == 0
    assert not (project.path / ".ascend-tune").exists()


@pytest.mark.slow
def test_rerunfailures_measures_again_and_says_so(project):
    pytest.importorskip("pytest_rerunfailures")
    text = SIMPLE.replace("    assert result.tflops > 0", "    TRIES.append(1)\n    assert len(TRIES) == 2")
    project.pytester.makepyfile(text.replace("import pytest", "import pytest\nTRIES = []"))
    result = project.run("--reruns=2", "--junitxml=junit.xml", budget=3)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*1 rerun*"])
    (entry,) = results(project)
    assert any("run again" in note for note in entry["notes"])
    assert entry["trials"] == 3
    for attempt in (project.path / "junit.xml").read_text().split("<testcase")[1:]:
        assert attempt.count('"ascend_tune_status"') == 1


@pytest.mark.slow
def test_rerunfailures_of_a_gate_that_fails(project):
    pytest.importorskip("pytest_rerunfailures")
    project.pytester.makepyfile(FAILING)
    result = project.run("--reruns=1", budget=3)
    result.assert_outcomes(failed=1)
    assert "was tuned by" not in result.stdout.str()
    assert [entry["status"] for entry in results(project)] == ["below_efficiency"]


@pytest.mark.slow
def test_randomly_changes_the_order_and_no_result(project):
    pytest.importorskip("pytest_randomly")
    project.pytester.makepyfile(TWO)
    found = []
    for seed in (1, 2):
        assert project.run(f"--randomly-seed={seed}", budget=4).ret == 0
        found.append({entry["problem"]: entry["config"] for entry in results(project)})
    assert found[0] == found[1]


@pytest.mark.slow
def test_timeout_ends_a_test_and_the_next_one_works(project):
    pytest.importorskip("pytest_timeout")
    slow = "import time\n@pytest.mark.timeout(0.2)\n@pytest.mark.ascend_tune(m=64, n=64, k=64)\n"
    slow += "def test_slow(ascend_tune):\n    time.sleep(5)\n    ascend_tune()\n"
    project.pytester.makepyfile("import pytest\n" + slow + SIMPLE.replace("m=64", "m=32"))
    project.run(budget=3).assert_outcomes(passed=1, failed=1)
    assert [entry["problem"] for entry in results(project)] == ["32x64x64-float32-nn"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "options", "file"),
    [
        ("pytest_cov", ["--cov=.", "--cov-report=xml"], "coverage.xml"),
        ("pytest_reportlog", ["--report-log=log.jsonl"], "log.jsonl"),
        ("pytest_metadata", ["--metadata", "chip", "x"], None),
        ("pytest_codspeed", [], None),
    ],
)
def test_other_plugins(project, module, options, file):
    pytest.importorskip(module)
    project.pytester.makepyfile(SIMPLE)
    result = project.run(*options, budget=3, in_process=False)
    result.assert_outcomes(passed=1)
    assert results(project)[0]["status"] == "no_baseline"
    assert file is None or (project.path / file).stat().st_size > 0


@pytest.mark.slow
def test_codspeed_measures_its_own_tests_only(project):
    pytest.importorskip("pytest_codspeed")
    project.pytester.makepyfile(SIMPLE + "\n@pytest.mark.benchmark\ndef test_plain():\n    pass\n")
    result = project.run("--codspeed", budget=3, in_process=False)
    result.assert_outcomes(passed=1, deselected=1)
    assert result.ret == 0


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
def test_without_home_and_without_git(project, monkeypatch):
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    project.pytester.makepyfile(SIMPLE)
    assert project.run(budget=3, in_process=False).ret == 0


@pytest.mark.slow
def test_nothing_is_written_into_the_source_tree(project, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))  # matplotlib's
    project.pytester.makepyfile(SIMPLE)
    folder, place = project.path, tmp_path_factory.mktemp("elsewhere")
    before = sorted(folder.rglob("*"))
    folder.chmod(0o555)  # root may write all the same: therefore the comparison
    try:
        options = (f"--ascend-tune-dir={place}", "--ascend-tune-missing=seed", "-p", "no:benchmark")
        result = project.run(*options, budget=3, in_process=False)
    finally:
        folder.chmod(0o755)
    assert result.ret == 0
    ours = ("stdout", "stderr", "runpytest-0", "runpytest-current")  # of pytester
    assert [path for path in sorted(folder.rglob("*")) if path not in before and path.name not in ours] == []
    assert (place / "report/index.html").exists()
    assert list(place.glob("baselines/main/*/tiny/*.json"))
