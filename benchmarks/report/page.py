"""How large is a report, how long does it take, how much memory, and how fast does a browser open it?

    python -m benchmarks.report                          200 problems x 50 trials
    python -m benchmarks.report --problems 1 --trials 50
    python -m benchmarks.report --simulated              each with the picture of where its predicted time goes

Goals: 200 x 50 below 10 MB, 20 s and 600 MB on two cores, DOMContentLoaded below 2 s; one problem at most 40 kB, what a
page has once not counted.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.session.publish import Publication, publish_all
from tests.factories import STATUSES, gate_result

QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
LEGAL = Config(
    {
        "tile_m": 128,
        "tile_n": 256,
        "l1_k": 256,
        "l0_k": 64,
        "enable_unit": 0,
        "enable_shuffle_k": 1,
        "enable_abba": 0,
        "swizzle_offset": 3,
        "swizzle_direction": 0,
    }
)
PROBE = """<script>addEventListener("load", () => setTimeout(() => {
  const times = performance.getEntriesByType("navigation")[0];
  document.title = `opened ${Math.round(times.domContentLoadedEventEnd)} ${Math.round(times.loadEventEnd)}`;
}));</script></body>"""


def main() -> None:
    options = arguments()
    make = simulated if options.simulated else made
    results = [make(number, options.trials) for number in range(options.problems)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = time.perf_counter(), time.process_time()
        page, document = written(results, folder)
        wall, cpu = time.perf_counter() - before[0], time.process_time() - before[1]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        count = max(1, options.problems)
        once = written([], folder / "empty")[0].stat().st_size
        each = (page.stat().st_size - once) / count / 1e3
        print(f"problems {options.problems}, trials {options.trials}{', simulated' if options.simulated else ''}")
        print(f"page     {page.stat().st_size / 1e6:.2f} MB: {each:.1f} kB a problem, {once / 1e3:.1f} kB once")
        print(
            f"json     {document.stat().st_size / 1e6:.2f} MB, {document.stat().st_size / count / 1e3:.1f} kB a problem"
        )
        print(f"built in {wall:.1f} s ({cpu:.1f} s of CPU), peak memory {memory:.0f} MB")
        print(opened(page, folder))


def written(results: Sequence[GateResult], folder: Path) -> tuple[Path, Path]:
    """The page and results.json of results."""
    page, document, _ = publish_all(
        Publication(results, (), datetime.now(timezone.utc), "en"),
        folder / "index.html",
        folder / "results.json",
        folder / "summary.md",
    )
    return page, document


def made(number: int, trials: int) -> GateResult:
    """A result of a status and a shape of its own."""
    problem_id = f"{128 + 8 * number}x4096x{512 + 8 * number}-float16-nn"
    return gate_result(STATUSES[number % len(STATUSES)], problem_id, count=trials, seed=number)


def simulated(number: int, trials: int) -> GateResult:
    """A simulated result of a shape of its own; its configuration is one that the simulator can explain."""
    problem_id = f"{128 + 8 * number}x4096x{512 + 8 * number}-float16-nn"
    result = gate_result(
        problem_id=problem_id, count=trials, seed=number, backend="simulator", device="simulated-910B1"
    )
    assert result.confirmation is not None
    winner = replace(result.confirmation.winner, config=LEGAL)
    return replace(result, tuning=replace(result.tuning, confirmed=replace(result.confirmation, winner=winner)))


def opened(page: Path, folder: Path) -> str:
    """How long Chromium takes to open the page."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        return "opened   (no Chromium here)"
    probed = folder / "probed.html"
    probed.write_text(page.read_text("utf-8").replace("</body>", PROBE), "utf-8")
    command = [
        browser,
        *QUIET,
        f"--user-data-dir={folder / 'profile'}",
        "--timeout=60000",
        "--dump-dom",
        probed.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = re.search(r"<title>opened (\d+) (\d+)</title>", done.stdout)
    if found is None:
        return f"opened   not measured: {done.stderr[-300:]}"
    return f"opened   DOMContentLoaded {int(found[1]) / 1000:.2f} s, loaded {int(found[2]) / 1000:.2f} s"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--simulated", action="store_true")
    return parser.parse_args()
