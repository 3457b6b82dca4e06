"""The best configuration of every problem, as rows for whoever dispatches kernels by shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.model import Config, GemmProblem
from pytest_ascend_tune.records.baselines import BaselineStore
from pytest_ascend_tune.records.folders import result_folders
from pytest_ascend_tune.records.runs import read_run


@dataclass(frozen=True)
class BestConfig:
    """A confirmed configuration. ``source_hash`` names the kernel sources it belongs to, "" when not recorded."""

    device: str
    template: str
    problem: GemmProblem
    config: Config
    tflops: float
    simulated: bool
    source_hash: str = ""


def best_of_baselines(store: BaselineStore, name: str) -> tuple[BestConfig, ...]:
    """What a set of baselines holds, sorted by device, template, dtype, layout and shape."""
    rows = (
        BestConfig(
            baseline.key.device,
            baseline.key.template,
            GemmProblem.from_id(baseline.key.problem_id),
            baseline.config,
            baseline.measurement.tflops,
            baseline.simulated,
            baseline.source_hash,
        )
        for baseline in store.validate_all(name)
    )
    return tuple(sorted(rows, key=_order))


def best_of_runs(path: Path) -> tuple[BestConfig, ...]:
    """The fastest confirmed result of each problem in a run's folder, or in all runs below `path`."""
    best: dict[tuple[str, str, str], BestConfig] = {}
    for folder in result_folders(path):
        result = read_run(folder)
        if result.config is None or result.tflops is None:
            continue
        tuning = result.tuning
        row = BestConfig(tuning.device, tuning.template, tuning.problem, result.config, result.tflops, tuning.simulated)
        key = (row.device, row.template, row.problem.id)
        if key not in best or row.tflops > best[key].tflops:
            best[key] = row
    return tuple(sorted(best.values(), key=_order))


def _order(row: BestConfig) -> tuple[str, str, str, str, int, int, int]:
    problem = row.problem
    return row.device, row.template, problem.dtype.value, problem.layout.value, problem.m, problem.n, problem.k
