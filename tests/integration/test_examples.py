"""The examples run as they stand, on the CPU or the simulator, with small budgets."""

import configparser
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run(folder, *arguments):
    """pytest or a script from the examples; what it prints and results.json's results."""
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = folder / "out/report/results.json"
    return done.stdout, json.loads(report.read_text())["results"] if report.is_file() else []


def gate(folder, example, *options):
    return run(
        folder,
        *("-m", "pytest", EXAMPLES / example, "--ascend-tune", f"--ascend-tune-dir={folder / 'out'}"),
        *("--ascend-tune-missing=seed", *options),
    )


LLM = ("test_llm_shapes.py", "--ascend-tune-backend=simulator", "--ascend-tune-max-iter=2")


def test_llm_attention_output_on_the_simulator(tmp_path):
    _, results = gate(tmp_path, *LLM, "-k", "4096x4096")
    assert {result["problem"] for result in results} == {"32x4096x4096-float16-nt", "2048x4096x4096-float16-nt"}
    assert all(result["simulated"] and result["tflops"] for result in results)


@pytest.mark.slow
def test_all_llm_shapes_on_the_simulator(tmp_path):
    _, results = gate(tmp_path, *LLM)
    assert len(results) == 16
    assert {result["layout"] for result in results} == {"nt"}
    assert {result["m"] for result in results} == {32, 2048}


@pytest.mark.slow
def test_the_case_of_the_seed(tmp_path):
    _, (result,) = gate(tmp_path, "test_seed_4096.py", "--ascend-tune-backend=simulator")
    assert (result["problem"], result["seed"]) == ("4096x4096x4096-float16-nn", 42)
    assert result["convergence"] == "converged"


@pytest.mark.slow
def test_own_template(tmp_path):
    _, (result,) = gate(tmp_path, "own_template", "--ascend-tune-backend=cpu")
    assert result["template"] == "own_template"
    assert set(result["config"]) == {"block_m", "block_n", "block_k"}
    assert result["failed_trials"] == 0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_own_build(tmp_path):
    _, (result,) = gate(tmp_path, "own_build", "--ascend-tune-backend=cpu", "--ascend-tune-max-iter=1")
    assert (result["template"], set(result["config"]), result["failed_trials"]) == ("own_build", {"block_k"}, 0)


@pytest.mark.slow
def test_shapes_to_copy(tmp_path):
    options = ("--ascend-tune-backend=cpu", "--ascend-tune-max-iter=2", "-k", "777 or 64")
    _, results = gate(tmp_path, "test_shapes.py", *options)
    assert len(results) == 2


@pytest.mark.slow
def test_together_with_pytest_benchmark(tmp_path):
    pytest.importorskip("pytest_benchmark")
    text, (result,) = gate(
        tmp_path, "test_with_benchmark.py", "--ascend-tune-backend=cpu", "--benchmark-json=benchmark.json"
    )
    (entry,) = json.loads((tmp_path / "benchmark.json").read_text())["benchmarks"]
    assert entry["extra_info"]["problem"] == result["problem"]
    assert "benchmark: 1 tests" in text


@pytest.mark.slow
def test_shapes_from_csv(tmp_path):
    shapes = EXAMPLES / "shapes.csv"
    options = (f"--ascend-tune-shapes={shapes}", "--ascend-tune-backend=cpu", "--ascend-tune-max-iter=3")
    _, results = gate(tmp_path, "shapes.csv", *options)
    assert {(result["m"], result["layout"]) for result in results} == {(256, "nn"), (64, "nt"), (333, "tn")}
    assert {result["nodeid"].rsplit("::")[-1] for result in results} == {result["problem"] for result in results}


@pytest.mark.slow
def test_without_pytest(tmp_path):
    text, _ = run(tmp_path, EXAMPLES / "tune_without_pytest.py")
    assert "confirmed:" in text


def test_examples_are_not_collected_with_the_tests():
    tox = configparser.ConfigParser()
    tox.read(ROOT / "tox.ini")
    assert tox["pytest"]["testpaths"].split() == ["tests"]
