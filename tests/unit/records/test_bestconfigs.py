from __future__ import annotations

from dataclasses import replace

from pytest_ascend_tune.model import GateStatus
from pytest_ascend_tune.records.baselines import BaselineStore
from pytest_ascend_tune.records.bestconfigs import best_of_baselines, best_of_runs
from pytest_ascend_tune.records.runs import write_run
from tests import factories
from tests.contracts.store_contract import SOURCES, baseline


def test_baselines_become_rows_in_order_of_shape(tmp_path):
    store = BaselineStore(tmp_path)
    for problem_id in ("1024x64x64-float32-nn", "64x64x64-float32-nt", "256x64x64-float32-nn"):
        store.save(baseline(problem_id), SOURCES)
    rows = best_of_baselines(store, "main")
    assert [row.problem.id for row in rows] == [
        "256x64x64-float32-nn",
        "1024x64x64-float32-nn",
        "64x64x64-float32-nt",
    ]
    assert {(row.device, row.template, row.source_hash) for row in rows} == {("cpu-x", "tiny", SOURCES.source_hash)}
    assert rows[0].config == baseline("256x64x64-float32-nn").config
    assert best_of_baselines(store, "other") == ()


def test_of_many_runs_the_fastest_confirmed_result_of_each_problem_counts(tmp_path):
    for number, tflops in enumerate((200.0, 228.0, 210.0)):
        write_run(tmp_path / f"r{number}" / "a", factories.gate_result(tflops=tflops, seed=number))
    write_run(tmp_path / "r0" / "b", factories.gate_result(GateStatus.NOTHING_VALID))
    (row,) = best_of_runs(tmp_path)
    assert row.tflops > 225
    assert row.source_hash == ""
    other = factories.gate_result(device="910B2")
    write_run(tmp_path / "r3" / "a", replace(other, nodeid=""))
    assert [row.device for row in best_of_runs(tmp_path)] == ["910B1", "910B2"]
