"""What the installed but unused plugin costs at the start of pytest: paired, alternating runs with and without it.

    python -m benchmarks.startup [--pairs N]

"Without" blocks the plugin by ``-p no:ascend_tune``, which keeps pytest from importing it. A run collects and passes
one empty test. CPU time of the process stands beside the time on the wall, because it holds still on a busy machine.
To reach: the median of the differences is <= 10 ms. Measured: +4.5 ms on the wall, +4.4 ms of CPU time, ratio
1.01 (30 pairs, 2 busy cores, Python 3.11, pytest 9.2).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    wall_ms: float
    cpu_ms: float


def run_once(folder: Path, *options: str) -> Cost:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    started = time.perf_counter()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_ms = 1e3 * (time.perf_counter() - started)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"pytest ended with exit code {process.returncode}")
    return Cost(wall_ms, 1e3 * (usage.ru_utime + usage.ru_stime))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_empty.py").write_text("def test_empty():\n    pass\n")
        arms = {"with": (), "without": ("-p", "no:ascend_tune")}
        for options in arms.values():
            run_once(folder, *options)  # compiles what is to be compiled
        costs: dict[str, list[Cost]] = {arm: [] for arm in arms}
        for number in range(pairs):
            for arm in sorted(arms, reverse=bool(number % 2)):
                costs[arm].append(run_once(folder, *arms[arm]))
    print(f"{pairs} pairs, median     with  without  difference  ratio")
    for field in Cost._fields:
        having, lacking = ([getattr(cost, field) for cost in costs[arm]] for arm in ("with", "without"))
        differences = [one - other for one, other in zip(having, lacking, strict=True)]
        ratio = statistics.median(one / other for one, other in zip(having, lacking, strict=True))
        print(
            f"{field.replace('_', ' ('):>12})   {statistics.median(having):9.1f}{statistics.median(lacking):9.1f}"
            f"{statistics.median(differences):+12.1f}{ratio:7.3f}"
        )
