"""The main job with a real compiler: tune on the CPU, record, compare, and name the cause of a slower kernel."""

import importlib.resources
import json
import shutil
import stat
import xml.etree.ElementTree as ET

import pytest

import pytest_ascend_tune.plugin.activity  # noqa: F401 - in-process runs forget modules; numpy cannot be loaded twice

TEST = """
import pytest

@pytest.mark.ascend_tune(m=384, n=384, k=384, max_iter=4, seed=1)
def test_gemm(ascend_tune):
    assert ascend_tune().tflops > 0
"""
SLOWER = """
extern "C" int ascend_tune_gemm(int m, int n, int k, int ta, int tb,
                                const void* a, const void* b, void* c, int threads) {
  const int status = fast_gemm(m, n, k, ta, tb, a, b, c, threads);
  const long first = ascend_tune_thread_ns[0];
  fast_gemm((m + 4) / 5, n, k, ta, tb, a, b, c, threads);  // a fifth of the work once more
  ascend_tune_thread_ns[0] += first;
  return status;
}
"""


@pytest.fixture
def gate(pytester, monkeypatch):
    """Run the gate on a copy of the CPU template and give (exit code, results.json's one result)."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++")
    monkeypatch.setenv("CXX", compiler)
    pytester.makepyfile(TEST)
    source = importlib.resources.files("pytest_ascend_tune.kernel_templates") / "cpu_gemm"
    with importlib.resources.as_file(source) as folder:
        shutil.copytree(folder, pytester.path / "my_gemm", ignore=shutil.ignore_patterns("__*"))

    def run(*options):
        result = pytester.runpytest_inprocess(
            "-p", "no:cacheprovider", "--ascend-tune", "--ascend-tune-backend=cpu", "--ascend-tune-template=my_gemm",
            "--ascend-tune-missing=seed", "--junitxml=junit.xml", *options,
        )  # fmt: skip
        document = json.loads((pytester.path / ".ascend-tune/report/results.json").read_text())
        (entry,) = document["results"]
        if entry["status"] == "inconclusive":
            pytest.skip(f"this machine is too busy to judge: {entry['reason']}")
        return result.ret, entry

    return run


def failures(pytester):
    suite = ET.parse(pytester.path / "junit.xml").getroot().find("testsuite")
    return suite.get("failures"), suite.find("testcase/failure")


def test_unchanged_passes_and_a_slower_template_is_code(pytester, gate):
    assert gate()[1]["status"] == "no_baseline"
    code, entry = gate()
    assert (code, entry["status"]) in [(0, "passed"), (0, "improved")]
    source = pytester.path / "my_gemm/cpu_gemm.cpp"
    text = source.read_text()
    assert "int ascend_tune_gemm(" in text
    source.write_text(text.replace("int ascend_tune_gemm(", "int fast_gemm(") + SLOWER)
    code, entry = gate()
    assert (code, entry["status"], entry["cause"]) == (1, "regressed", "code")
    assert -0.30 < entry["change"] < -0.08
    count, failure = failures(pytester)
    assert count == "1"
    assert "cause" in failure.text
    assert "384x384x384-float32-nn" in failure.text


def test_a_compiler_that_optimises_less_is_platform(pytester, gate, monkeypatch):
    assert gate()[1]["status"] == "no_baseline"
    wrapper = pytester.path / "worse-g++"
    wrapper.write_text(f'#!/bin/sh\nexec {shutil.which("g++")} "$@" -O1\n')
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CXX", str(wrapper))
    # On a busy machine the baseline is provisional: then only the old compiler can tell, and it is still here.
    code, entry = gate(f"--ascend-tune-old-cxx={shutil.which('g++')}")
    assert (code, entry["status"], entry["cause"]) == (1, "regressed", "platform")
    assert failures(pytester)[0] == "1"


def test_pictures_show_exactly_the_trials_of_history_json(pytester, gate):
    from pytest_ascend_tune.records.runs.results import read_run
    from pytest_ascend_tune.reports.figures import convergence, distribution
    from pytest_ascend_tune.reports.figures.picture import Source

    gate()
    (folder,) = (pytester.path / ".ascend-tune/runs").glob("*/*/*")
    trials = json.loads((folder / "history.json").read_text())["trials"]
    result = read_run(folder)
    drawn = {point.index: point.rate for point in convergence.series_of(result, Source()).points}
    assert drawn == {trial["index"]: pytest.approx(trial["tflops"], rel=1e-4) for trial in trials}
    valid = sorted(trial["tflops"] for trial in trials if trial["success"])
    assert sorted(distribution.series_of(result, Source()).values) == pytest.approx(valid, rel=1e-4)
    for name in ("bo_convergence_curve.png", "bo_performance_distribution.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
