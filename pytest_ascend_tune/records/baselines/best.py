"""The best configuration of every problem, as rows for whoever dispatches kernels by shape."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.records.baselines.store import BaselineStore


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
    """What a set of baselines holds of tuned problems, sorted by device, template, dtype, layout and shape."""
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
        if not baseline.key.variant
    )
    return tuple(sorted(rows, key=_order))


def _order(row: BestConfig) -> tuple[str, str, str, str, int, int, int]:
    problem = row.problem
    return row.device, row.template, problem.dtype.value, problem.layout.value, problem.m, problem.n, problem.k
