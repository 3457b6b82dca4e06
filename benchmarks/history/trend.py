"""How long a trend takes in a history of 100,000 results: with our index, and beside it without one.

    python -m benchmarks.history [--rows N] [--url URL]

Prints the median of paired, alternating runs. To reach: < 200 ms for a trend over 100,000 rows.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import sqlalchemy as sql

from pytest_ascend_tune.records.history import tables as tables
from pytest_ascend_tune.records.history.store import History

PROBLEMS = 100
PAIRS = 15
PLACE = ("910B1", "catlass_gemm")


def fill(url: str, rows: int) -> None:
    """One run a hundred results, PROBLEMS problems in turn, and as many results again of one big problem."""
    engine = sql.create_engine(url)
    common = {
        **dict(zip(("device", "template"), PLACE, strict=True)),
        "nodeid": "tests/test_gemm.py::test_gemm[4096x4096x4096-float16-nn]",
        "backend": "ascend",
        "simulated": False,
        "status": "passed",
        "fails": False,
        "tflops": 228.4,
        "tflops_low": 227.1,
        "tflops_high": 229.9,
        "efficiency_share": 0.64,
        "time_us": 601.7,
        "vs_reference": 0.98,
        "vs_baseline": 1.001,
        "config": '{"tile_m": 128, "tile_n": 256, "l1_k": 256, "l0_k": 64}',
        "trials": 50,
        "failed_trials": 9,
        "convergence": "converged",
        "seconds": 61.5,
    }
    with engine.begin() as connection:
        for start in range(0, rows, 10_000):
            count = min(10_000, rows - start)
            moments = [f"2026-{1 + n * 11 // rows:02}-01T00:00:00Z" for n in range(start, start + count)]
            names = [f"r{n}" for n in range(start, start + count)]
            ids = list(range(start + 1, start + count + 1))
            runs = [
                {"id": number, "run": name, "recorded_at": moment}
                for number, name, moment in zip(ids, names, moments, strict=True)
            ]
            connection.execute(tables.runs.insert(), runs)
            for problem in ("one", None):
                found = [
                    common
                    | {
                        "run_id": number,
                        "recorded_at": moment,
                        "problem_id": problem or f"p{number % PROBLEMS}",
                    }
                    for number, moment in zip(ids, moments, strict=True)
                ]
                connection.execute(tables.results.insert(), found)
    engine.dispose()


def milliseconds(action: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--url", help="an empty database (default: SQLite in a temporary directory)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        urls = {"with index": options.url or f"sqlite:///{Path(folder) / 'a.sqlite'}"}
        if options.url is None:
            urls["without"] = f"sqlite:///{Path(folder) / 'b.sqlite'}"
        for name, url in urls.items():
            History(url).check()
            print(f"filling {name}: {milliseconds(partial(fill, url, options.rows)) / 1e3:.1f} s")
        if "without" in urls:
            with sql.create_engine(urls["without"]).begin() as connection:
                connection.execute(sql.text("DROP INDEX ascend_tune_trend"))
        cases = {
            f"newest 200 of one problem among {PROBLEMS + 1}": ("p7", 200),
            "newest 200 of a problem with all rows": ("one", 200),
            f"all {options.rows:,} of one problem": ("one", options.rows),
            "a problem never seen": ("none", 200),
        }
        for title, (problem, limit) in cases.items():
            times: dict[str, list[float]] = {name: [] for name in urls}
            for _ in range(PAIRS):
                for name, url in urls.items():
                    trend = partial(History(url).trend, *PLACE, problem, limit=limit)
                    times[name].append(milliseconds(trend))
            medians = {name: statistics.median(found) for name, found in times.items()}
            line = "  ".join(f"{name} {median:8.1f} ms" for name, median in medians.items())
            ratio = f"  ratio {medians['without'] / medians['with index']:.1f}" if "without" in medians else ""
            print(f"{title:45} {line}{ratio}")
