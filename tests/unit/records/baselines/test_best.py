from __future__ import annotations

from pytest_ascend_tune.records.baselines.best import best_of_baselines
from pytest_ascend_tune.records.baselines.store import BaselineStore
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
