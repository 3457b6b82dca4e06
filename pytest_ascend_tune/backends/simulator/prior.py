"""Simulated candidates for a real board: good in the model, and different from each other."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS, TABLE
from pytest_ascend_tune.backends.simulator.prediction import columns_of, predict_many
from pytest_ascend_tune.model.errors import InvalidInputError, SpaceError
from pytest_ascend_tune.model.problem import Config, GemmProblem

GRID: Mapping[str, tuple[int, ...]] = {name: parameter.grid for name, parameter in TABLE.items()}
# The model's ranking of close candidates is not to be trusted; all within this share of the best are as good as it.
INDISTINGUISHABLE_SHARE = 0.05
# How strongly the predicted loss of a candidate counts against its difference from those already chosen.
LOSS_WEIGHT = 4.0


def grid(values: Mapping[str, Sequence[int]] = GRID) -> dict[str, np.ndarray]:
    """All combinations of values, as columns."""
    table = np.array(list(itertools.product(*(values[name] for name in PARAMETERS))), dtype=np.float64)
    return dict(zip(PARAMETERS, table.T, strict=True))


def best_config(problem: GemmProblem, device: str = "910B1") -> Config:
    """The configuration of the grid with the lowest predicted time. Raises SpaceError when none is legal."""
    columns = grid()
    times = predict_many(problem, columns, device)
    if np.all(np.isnan(times)):
        raise SpaceError(f"no configuration of the simulator's grid is legal for {problem.id} on {device}")
    best = int(np.nanargmin(times))
    return Config({name: int(column[best]) for name, column in columns.items()})


def top_candidates(
    problem: GemmProblem, configs: Sequence[Mapping[str, int | str]], device: str, count: int
) -> tuple[Config, ...]:
    """Up to `count` of `configs` to start a search on a real board with: the best predicted first, then good ones that
    differ from those already chosen (greedy: distance in log2 of the parameters against predicted loss).

    Configurations that the model calls illegal are left out; where the model has nothing to say (another template, a
    shape or chip outside its domain) there are no candidates, because a prior never stops a search. It only helps to
    begin in a good region.
    """
    if not configs or count < 1:
        return ()
    try:
        columns = columns_of(configs)
        times = predict_many(problem, columns, device)
    except InvalidInputError:  # another template's parameters, a shape or chip that the model does not know
        return ()
    rows = np.flatnonzero(~np.isnan(times))
    if not len(rows):
        return ()
    points = np.column_stack([np.log2(columns[name][rows] + 1) for name in PARAMETERS])
    spread = np.ptp(points, axis=0)
    points = points / np.where(spread > 0, spread, 1)
    loss = np.maximum(times[rows] / times[rows].min() - 1 - INDISTINGUISHABLE_SHARE, 0)
    chosen = [int(np.argmin(times[rows]))]
    nearest = np.full(len(rows), np.inf)
    while len(chosen) < min(count, len(rows)):
        nearest = np.minimum(nearest, np.linalg.norm(points - points[chosen[-1]], axis=1))
        score = nearest - LOSS_WEIGHT * loss
        score[chosen] = -np.inf
        chosen.append(int(np.argmax(score)))
    return tuple(Config(dict(configs[rows[i]])) for i in chosen)
