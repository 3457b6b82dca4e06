"""``ascend-tune init`` and ``doctor``: a start in a repository, and is this machine ready."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from pytest_ascend_tune.cli import bundle, doctor
from pytest_ascend_tune.cli.base import Command, tell
from pytest_ascend_tune.files.workspace import check_links, write_new

_TEST = '''"""GEMM shapes that this project cares about; run with: pytest --ascend-tune"""

import pytest


@pytest.mark.ascend_tune(max_iter=24, shapes=[(1024, 1024, 1024), (16, 4096, 4096)])
def test_gemm(ascend_tune):
    result = ascend_tune()
    assert result.tflops > 0
'''
_SHAPES = "m,n,k\n2048,2048,64\n777,1111,513\n"
_INI = """[pytest]
# pytest-ascend-tune: see the table of options in its README
ascend_tune_threshold = 2.5%
ascend_tune_missing = seed
"""
_PIPELINE = """#!/usr/bin/env bash
# What CI runs: exit code 0 = no regression. BACKEND=cpu tries it without an NPU.
set -euo pipefail
ascend-tune doctor --backend "${{BACKEND:-auto}}"
python -m pytest {test} --ascend-tune "--ascend-tune-backend=${{BACKEND:-auto}}" \\
    --ascend-tune-shapes={shapes} --junitxml=ascend-tune.xml
"""


def _init_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", help="repository to write into (default: here)")


def _init(options: Namespace) -> int:
    folder = Path(options.folder)
    test, shapes, script = "tests/perf/test_gemm_performance.py", "tests/perf/shapes.csv", "ci/ascend-tune.sh"
    files = {test: _TEST, shapes: _SHAPES, script: _PIPELINE.format(test=test, shapes=shapes)}
    configured = ("pytest.ini", ".pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg")
    has_ini = any((folder / name).exists() for name in configured)
    if not has_ini:
        files["pytest.ini"] = _INI
    for name, text in files.items():
        check_links(folder, folder / Path(name).parent)
        tell(f"written  {name}" if write_new(folder / name, text) else f"kept     {name} (exists)")
    if has_ini:
        tell("add to your pytest configuration what you want to hold for every run:")
        tell("\n".join(f"    {line}" for line in _INI.splitlines()[2:]))
    tell(f"try it:  pytest {test} --ascend-tune")
    return 0


INIT = Command(
    "init", "write a starter test, shapes file, ini section and CI script; overwrites nothing", _init_arguments, _init
)


def _doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--backend", default="auto", help="auto, ascend, cpu or simulator (default auto)")
    parser.add_argument("--dir", default=".ascend-tune", help="folder to be written to (default .ascend-tune)")
    parser.add_argument("--json", action="store_true", help="machine-readable, to send with a question")
    parser.add_argument("--bundle", metavar="FOLDER", help="write all that is known of this machine and its last run")


def _doctor(options: Namespace) -> int:
    checks = doctor.run(options.backend, Path(options.dir))
    if options.json:
        tell(json.dumps(doctor.as_json(checks), indent=2, ensure_ascii=False))
    else:
        for line in doctor.as_lines(checks):
            tell(line)
    if options.bundle:
        names = bundle.write(Path(options.bundle), checks, Path(options.dir))
        if not options.json:
            tell(f"written  {options.bundle}: {', '.join(names)}")
    return int(not doctor.ready(checks))


DOCTOR = Command(
    "doctor", "is this machine ready to tune, and if not, why and how to fix it", _doctor_arguments, _doctor
)
