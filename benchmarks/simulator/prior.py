"""What the simulator saves as a prior: replay of the published tile sweeps.

    python -m benchmarks.simulator prior

Each sweep is a set of configurations whose measured times are public. Counted: trials until one within 5 % of the
sweep's best has been measured, in the order of ``top_candidates`` and, for comparison, in random order (exact
expectation). The constants are fitted without the sweep's own source.
"""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np

from benchmarks.simulator.fit import fit
from benchmarks.simulator.measurements import Rows, config_of, device_of, fit_rows, problem_of
from pytest_ascend_tune.backends.simulator import pipeline, prediction, prior

SWEEPS = ("B3bas", "B4bas", "C", "B4opt", "B3opt")
GOOD_SHARE = 0.05


def trials_until_good(order: Sequence[int], times: np.ndarray) -> int:
    """Trials until the first configuration within GOOD_SHARE of the best."""
    good = times <= times.min() * (1 + GOOD_SHARE)
    return next(i for i, row in enumerate(order, start=1) if good[row])


def order_of(rows: Rows) -> list[int]:
    """All configurations of a sweep in the order in which the prior proposes them; what it refuses comes last."""
    configs = [config_of(row) for row in rows.rows]
    proposed = prior.top_candidates(problem_of(rows.rows[0]), configs, device_of(rows.rows[0]).name, len(configs))
    order = [configs.index(dict(config)) for config in proposed]
    return order + [i for i in range(len(configs)) if i not in order]


def main() -> None:
    """Print the table."""
    rows = fit_rows()
    print("| sweep | configurations | good ones | random order | prior's order | first proposal, slower than best by |")
    print("|---|---|---|---|---|---|")
    for group in SWEEPS:
        sweep = rows.where(rows.group == group)
        if not sweep.rows:
            continue
        constants, _ = fit(rows.where(rows.source != sweep.source[0]))

        def simulate(work: pipeline.Work, constants: pipeline.Constants = constants) -> pipeline.Timeline:
            return pipeline.simulate(work, constants)

        with mock.patch.object(prediction, "simulate", simulate):
            order = order_of(sweep)
        times = sweep.measured_us
        good = int(np.sum(times <= times.min() * (1 + GOOD_SHARE)))
        print(
            f"| {group} | {len(times)} | {good} | {(len(times) + 1) / (good + 1):.1f} |"
            f" {trials_until_good(order, times)} | {times[order[0]] / times.min() - 1:.0%} |"
        )
