"""axe-core finds no violation in the page, light and dark, narrow and wide; the page never scrolls sideways.

Needs Chromium (Debian: ``apt-get install chromium``) and axe-core: its axe.min.js out of a package of pip's, which
``bash ci/test.sh --all`` installs, or any other one, named by ASCEND_TUNE_AXE. No driver between: axe and a few lines
run inside the page and leave their findings in the DOM.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime, timezone
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_ascend_tune.model.verdict import Fingerprint, GateStatus
from pytest_ascend_tune.reports.page import html
from pytest_ascend_tune.reports.view import report_view
from pytest_ascend_tune.session.publish import predictions
from tests.factories import every_status, gate_result, missed

pytestmark = pytest.mark.slow

QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
]  # fmt: skip
SCHEME = {"light": "1", "dark": "0"}
PROBE = """
document.querySelectorAll("details").forEach((one) => { one.open = true; });
axe.run({resultTypes: ["violations"]}).then((found) => parent.postMessage(JSON.stringify({
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  clipped: [...document.querySelectorAll("article")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.id),
  width: innerWidth,
  violations: found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]),
  passes: found.passes.length,
}), "*"));
"""
# Headless windows are at least 500 wide; a frame can be as narrow as a telephone.
FRAME = """<!doctype html><html lang="en"><title>frame</title><body style="margin:0"><pre id="findings"></pre>
<script>onmessage = (event) => { document.getElementById("findings").textContent = event.data; };</script>
<iframe src="inner.html" width="WIDTH" height="4000" style="border:0"></iframe></body></html>
"""


LONG_FACTS = Fingerprint(
    "cpu",
    (("device", "sapphire-rapids-avx512-amx-2-threads"),),
    (
        ("compiler", "c++-(Debian-12.2.0-14+deb12u1)-12.2.0"),
        ("measuring protocol", "thread-CPU-time/warm/interleaved/2"),
    ),
)


class Run(NamedTuple):
    recorded_at: str
    fails: bool
    tflops: float


def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return found or pytest.skip("no Chromium here (Debian: apt-get install chromium)")


def axe() -> str:
    if named := os.environ.get("ASCEND_TUNE_AXE"):
        return Path(named).read_text("utf-8")
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("no axe-core here (pip install --no-deps axe-playwright-python, or ASCEND_TUNE_AXE=.../axe.min.js)")
    return Path(package.origin).with_name("axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def page() -> str:
    nasty = gate_result(GateStatus.REGRESSED, "96x96x96-float16-nn", nodeid="t.py::test_<b>中文🎉" + "x" * 300)
    simulated = gate_result(problem_id="1024x96x96-float16-nn", backend="simulator", device="simulated-910B1")
    nasty = replace(nasty, fingerprint=LONG_FACTS)
    results = [*every_status(count=12), nasty, simulated]
    runs = [Run(f"2026-11-{day:02d}", day == 3, 230.0 + day) for day in range(1, 9)]
    view = report_view(
        results,
        missed(),
        now=datetime(2026, 11, 30, tzinfo=timezone.utc),
        history={result.tuning.problem.id: runs for result in results},
        predictions=predictions(results),
        environment={"git commit": "abc"},
        complete=False,
    )
    text = html.page(view)
    for part in (
        "missed",
        "overview",
        "p1-trend-d",
        "-predicted-d",
        "-comparison-d",
        "trials",
        "environment",
        "accept",
    ):
        assert part in text, part
    return text


@pytest.mark.parametrize("width", [320, 360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violations(page: str, tmp_path: Path, scheme: str, width: int) -> None:
    browser, library = chromium(), axe()
    probe = f"<script>{library}</script><script>{PROBE}</script>"
    file = tmp_path / "page.html"
    (tmp_path / "inner.html").write_text(page.replace("</body>", f"{probe}</body>"), "utf-8")
    file.write_text(FRAME.replace("WIDTH", str(width)), "utf-8")
    found = findings(browser, file, tmp_path / "profile", scheme, width)
    assert found["dark"] is (scheme == "dark")
    assert found["width"] == width
    assert found["passes"] > 10
    assert found["violations"] == []
    assert found["sideways"] <= 0
    assert found["clipped"] == []


def findings(browser: str, file: Path, profile: Path, scheme: str, width: int) -> dict[str, Any]:
    """What the probe left in the page."""
    command = [
        browser, *QUIET, f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={SCHEME[scheme]}",
        f"--window-size={max(500, width)},2000", "--virtual-time-budget=60000",
        "--dump-dom", file.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    match = re.search(r'<pre id="findings">(.+?)</pre>', done.stdout, re.DOTALL)
    assert match, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(unescape(match[1]))
    return found
