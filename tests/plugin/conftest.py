"""A small project that tunes a two-parameter template on the fake backend: what a user's repository looks like."""

from __future__ import annotations

import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import pytest

# In-process runs forget the modules that they load; these cannot be loaded twice.
import sqlalchemy.dialects.postgresql  # noqa: F401

import pytest_ascend_tune.plugin.activity  # noqa: F401
import tests.fakes.backend  # noqa: F401
from pytest_ascend_tune.execute import locks as turns

with suppress(ImportError):
    import psycopg  # noqa: F401

CONFTEST = """
import pytest
from tests.fakes.backend import FakeBackend

BACKENDS = []

def pytest_ascend_tune_backend(config, name):
    if name == "auto":
        backend = FakeBackend(noise=0.01)
        backend.name = "cpu"  # what the template is made for
        BACKENDS.append(backend)
        return backend
"""
SPACE = """
title = "tiny"
source = "tiny.cpp"
backends = ["cpu"]
dtypes = ["float32"]
layouts = ["nn", "nt"]

[default]
tile_m = 4
tile_n = 4

[params]
tile_m = {pow2 = [4, 64]}
tile_n = {pow2 = [4, 64]}

[[constraint]]
require = "tile_m * tile_n <= 1024"
because = "the tile must fit"
"""
SIMPLE = """
import pytest

@pytest.mark.ascend_tune(m=64, n=64, k=64)
def test_gemm(ascend_tune):
    result = ascend_tune()
    assert result.tflops > 0
"""


class Project:
    """The project and how to run it."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester, self.path = pytester, pytester.path
        pytester.makeconftest(CONFTEST)
        self.write("tiny/space.toml", SPACE)
        self.write("tiny/tiny.cpp", "// kernel\n")

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def run(
        self, *arguments: str, on: bool = True, budget: int = 8, in_process: bool = True, **how: bool
    ) -> pytest.RunResult:
        options = ("--ascend-tune", "--ascend-tune-template=tiny", f"--ascend-tune-max-iter={budget}") if on else ()
        run = self.pytester.runpytest_inprocess if in_process else self.pytester.runpytest_subprocess
        if not in_process and "--ascend-tune" in (*options, *arguments):
            options += (f"--ascend-tune-lock-dir={turns.MACHINE_FOLDER}",)
        return run("-p", "no:cacheprovider", *options, *arguments, **how)

    def runs(self) -> list[Path]:
        return sorted((self.path / ".ascend-tune").glob("runs/*/*/*"))


@pytest.fixture
def project(
    pytester: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Project:
    """Its locks of devices lie apart: other runs of these tests on this machine are not waited for.

    No byte code is kept: a test file that is written again in the same second, as long as before, would not be read.
    """
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(turns, "MACHINE_FOLDER", tmp_path_factory.mktemp("locks"))
    return Project(pytester)
