"""How fast the model is: configurations per second, for one call with many and many calls with one.

python -m benchmarks.simulator speed
"""

from __future__ import annotations

import time

import numpy as np

from pytest_ascend_tune.backends.simulator import predict, predict_many
from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS
from pytest_ascend_tune.backends.simulator.prior import GRID, grid
from pytest_ascend_tune.model.problem import GemmProblem

PROBLEM = GemmProblem(4096, 4096, 4096, "float16")
FINE = {**GRID, "tile_m": range(16, 513, 16), "tile_n": range(16, 513, 16), "l0_k": range(16, 257, 16)}
LEGAL = 200_000


def main() -> None:
    """Print the rates."""
    columns = grid(FINE)
    fine = np.flatnonzero(~np.isnan(predict_many(PROBLEM, columns)))
    chosen = {name: column[fine[:LEGAL]] for name, column in columns.items()}
    for name, problem in (("4096^3", PROBLEM), ("another shape", GemmProblem(3001, 5000, 777, "bfloat16", "tn"))):
        start = time.perf_counter()
        times = predict_many(problem, chosen)
        seconds = time.perf_counter() - start
        print(f"{name}: {len(times)} configurations in {seconds:.2f} s, {len(times) / seconds:,.0f} a second")
    one = {name: int(chosen[name][0]) for name in PARAMETERS}
    start = time.perf_counter()
    for _ in range(200):
        predict(PROBLEM, one)
    print(f"one at a time: {200 / (time.perf_counter() - start):,.0f} a second")
