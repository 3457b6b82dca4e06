"""``ascend-tune init`` and ``doctor``: a start in a repository, and is this machine ready."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from pytest_ascend_tune.cli import bundle, doctor
from pytest_ascend_tune.cli.base import Command, tell
from pytest_ascend_tune.files.workspace import check_links, write_new
from pytest_ascend_tune.model.errors import TemplateError

_TEST = '''"""GEMM shapes that this project cares about; run with: pytest --ascend-tune"""

import pytest


@pytest.mark.ascend_tune(max_iter=24, shapes=[(1024, 1024, 1024), (16, 4096, 4096)])
def test_gemm(ascend_tune):
    result = ascend_tune()
    assert result.tflops > 0
'''
_SEED = "--ascend-tune-missing=seed"
_SHAPES = "m,n,k\n2048,2048,64\n777,1111,513\n"
_INI = """[pytest]
# pytest-ascend-tune: see the table of options in its README
ascend_tune_threshold = 2.5%
"""
_PIPELINE = """#!/usr/bin/env bash
# What CI runs: exit code 0 = no regression. BACKEND=cpu tries it without an NPU. Further options go to pytest:
#   --ascend-tune-max-iter=0      quick, for pull requests: gate the baselines' configurations, no search
#   --ascend-tune-missing=seed    once, by hand, on the machine that CI uses: record baselines; then commit them
set -euo pipefail
backend="${{BACKEND:-{backend}}}"
ascend-tune doctor --backend "$backend"
python -m pytest {test} --ascend-tune "--ascend-tune-backend=$backend" \\
    --ascend-tune-shapes={shapes} --junitxml=ascend-tune.xml "$@"
"""
_KERNELS = "kernels"  # folder in the user's repository that a template is copied into


def _init_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", help="repository to write into (default: here)")
    parser.add_argument(
        "--template", metavar="NAME", help="copy this built-in template into the repository: the kernel that is gated"
    )


def _init(options: Namespace) -> int:
    folder = Path(options.folder)
    test, shapes, script = "tests/perf/test_gemm_performance.py", "tests/perf/shapes.csv", "ci/ascend-tune.sh"
    kernel, backend, ini = _kernel(options.template) if options.template else ({}, "auto", "")
    files = {test: _TEST, shapes: _SHAPES, **kernel}
    files[script] = _PIPELINE.format(test=test, shapes=shapes, backend=backend)
    configured = ("pytest.ini", ".pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg")
    has_ini = any((folder / name).exists() for name in configured)
    if not has_ini:
        files["pytest.ini"] = _INI + ini
    for name, text in files.items():
        check_links(folder, folder / Path(name).parent)
        tell(f"written  {name}" if write_new(folder / name, text) else f"kept     {name} (exists)")
    if has_ini:
        tell("add to your pytest configuration what you want to hold for every run:")
        tell("\n".join(f"    {line}" for line in (_INI + ini).splitlines()[2:]))
    tell(f"try it:  pytest {test} --ascend-tune")
    tell(f"record baselines, once, on the machine that CI uses, and commit them:  bash {script} {_SEED}")
    if not options.template:
        tell("to gate a kernel of your own from the start:  ascend-tune init --template cpu_gemm (or catlass_gemm)")
    return 0


def _kernel(name: str) -> tuple[dict[str, str], str, str]:
    """A built-in template's files as they stand in a user's repository, its backend, its line of the ini file.

    Raises TemplateError.
    """
    from pytest_ascend_tune.kernels.template import builtin_folder, builtin_templates, load_template  # start-up: numpy

    if name not in builtin_templates():
        raise TemplateError(f"template {name!r} is no built-in one; there are: {', '.join(builtin_templates())}")
    template, _ = load_template(name)
    readme = {"README.md": (builtin_folder(name) / "README.md").read_text(encoding="utf-8")}
    files = {f"{_KERNELS}/{name}/{file}": text for file, text in (*template.files, *readme.items())}
    return files, template.backends[0], f"ascend_tune_template = {_KERNELS}/{name}\n"


INIT = Command(
    "init",
    "write a starter test, shapes file, ini section, CI script and kernel; overwrites nothing",
    _init_arguments,
    _init,
)


def _doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--backend", default="auto", help="auto, ascend, cpu, simulator or simulator:910B2 (default auto)"
    )
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
