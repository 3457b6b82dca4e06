"""Coverage-guided fuzzing of the readers, from a corpus that is kept; the corpus itself is read in the fast lane.

ASCEND_TUNE_FUZZ_SECONDS: how long each one fuzzes (default 60). What is found goes into the corpus: run a fuzzer with
the folder as its argument, then `-merge=1` into a new one.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import fuzz_readers, fuzz_records

SECONDS = int(os.environ.get("ASCEND_TUNE_FUZZ_SECONDS", "60"))
ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
FUZZERS = {"readers": fuzz_readers.Readers, "records": fuzz_records.Readers}


@pytest.mark.parametrize("name", FUZZERS)
def test_the_kept_corpus_brings_only_our_own_errors(name, tmp_path):
    readers = FUZZERS[name](tmp_path)
    kept = sorted((CORPUS / name).iterdir())
    assert len(kept) > 20
    for path in kept:
        readers.read(path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", FUZZERS)
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_only_our_own_errors_come_out_of_the_readers(name, tmp_path):
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    (tmp_path / "found").mkdir()
    done = subprocess.run(
        [
            sys.executable,
            ROOT / f"tests/fuzz/fuzz_{name}.py",
            tmp_path / "found",
            CORPUS / name,
            f"-max_total_time={SECONDS}",
        ],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS + 300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Done " in done.stderr
