"""A minute of coverage-guided fuzzing of the readers; the fast lane has its own in tests/unit/records/test_fuzz.py."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = int(os.environ.get("ASCEND_TUNE_FUZZ_SECONDS", "60"))
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_only_our_own_errors_come_out_of_the_readers(tmp_path):
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, ROOT / "tests/fuzz/fuzz_records.py", f"-max_total_time={SECONDS}"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS + 300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Done " in done.stderr
