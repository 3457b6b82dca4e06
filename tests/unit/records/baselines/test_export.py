from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace

import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.records.baselines.best import BestConfig, best_of_baselines
from pytest_ascend_tune.records.baselines.export import as_header, as_json, export_header, export_json
from pytest_ascend_tune.records.baselines.store import BaselineStore
from tests.contracts.store_contract import SOURCES, baseline

ROW = BestConfig(
    "910B1",
    "catlass_gemm",
    GemmProblem.from_id("4096x64x1024-float16-nt"),
    Config({"tile_m": 128, "pipeline": 'ping "pong"\\'}),
    228.4321,
    simulated=False,
    source_hash="ab",
)
MAIN = """
#include "best.hpp"
#include <cstring>
int main() {{ const auto& entry = ascend_tune::best_910B1_catlass_gemm[0]; return !({condition}); }}
"""


def test_json_holds_one_problem_a_line(tmp_path):
    text = as_json([ROW, ROW])
    data = json.loads(text)
    assert data["schema"] == 1
    assert data["configs"][0] == {
        "device": "910B1",
        "template": "catlass_gemm",
        "problem": "4096x64x1024-float16-nt",
        "m": 4096,
        "n": 64,
        "k": 1024,
        "dtype": "float16",
        "layout": "nt",
        "config": {"pipeline": 'ping "pong"\\', "tile_m": 128},
        "tflops": 228.43,
        "simulated": False,
        "source_hash": "ab",
    }
    assert len(text.splitlines()) == 7


@pytest.mark.parametrize("export", [export_json, export_header])
def test_nothing_to_export_is_an_error_that_names_what_there_is(tmp_path, export):
    with pytest.raises(RecordError, match=r"set 'main' .*there are: none"):
        export(tmp_path, "main")
    assert list(tmp_path.iterdir()) == []
    BaselineStore(tmp_path).save(baseline(), SOURCES)
    with pytest.raises(RecordError, match=r"set 'mian' .*there are: main"):
        export(tmp_path, "mian")


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_the_header_compiles_and_says_what_was_recorded(tmp_path):
    rows = [
        ROW,
        replace(ROW, device="910-B2"),
        replace(ROW, device="910_B2"),
        replace(ROW, config=Config({"other": 1})),
    ]
    (tmp_path / "best.hpp").write_text(as_header(rows))
    condition = (
        "entry.problem.m == 4096 && entry.problem.n == 64 && entry.problem.k == 1024"
        ' && !std::strcmp(entry.problem.dtype, "float16") && !std::strcmp(entry.problem.layout, "nt")'
        " && entry.config.tile_m == 128 && entry.tflops == 228.43"
        ' && !std::strcmp(entry.config.pipeline, "ping \\"pong\\"\\\\")'
    )
    (tmp_path / "main.cpp").write_text(MAIN.format(condition=condition))
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["g++", *flags, "main.cpp", "-o", "main"], cwd=tmp_path, check=True, timeout=120)
    assert subprocess.run([tmp_path / "main"], check=False, timeout=60).returncode == 0


def test_a_parameter_that_is_no_name_in_cpp_is_refused():
    with pytest.raises(RecordError, match="cannot be a name in C"):
        as_header([replace(ROW, config=Config({"x; } int main() {": 1}))])


def test_a_set_of_baselines_is_exported(tmp_path):
    store = BaselineStore(tmp_path)
    store.save(baseline(), SOURCES)
    assert export_json(tmp_path, "main") == as_json(best_of_baselines(store, "main"))
    assert "best_cpu_x_tiny" in export_header(tmp_path, "main")
