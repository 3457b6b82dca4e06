"""Builds of one's own: each in a folder of its own, few at once, with one job each."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.built import write_files
from pytest_ascend_tune.backends.ownbuild import MOST_AT_ONCE, OwnBuild
from pytest_ascend_tune.backends.toolchain import Compiler
from pytest_ascend_tune.model.search import BuildRecipe

COMPILER = Compiler(("/usr/bin/env", "true"), "1", "1", ())
SCRIPT = """#!/bin/sh
mkdir {here}/running.$STEP
ls {here} | grep -c running >> {here}/counts
sleep 0.2
rmdir {here}/running.$STEP
echo "$STEP $CXX $CMAKE_BUILD_PARALLEL_LEVEL $MAKEFLAGS $1" > build/lib.so
"""


def own(here: Path, step: int) -> OwnBuild:
    recipe = BuildRecipe((("./build.sh", "{builddir}"),), "build/lib.so", (("STEP", "{step}"),))
    files = {"build.sh": SCRIPT.replace("{here}", str(here)), "build/notes.txt": "of the sources\n"}
    return OwnBuild(recipe, files, {"step": str(step)}, COMPILER, 30.0)


def made_in(folder: Path, output: Path, build: OwnBuild) -> None:
    write_files(folder, build.sources)
    build.run("key", folder, output)


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name in ("CMAKE_BUILD_PARALLEL_LEVEL", "MAKEFLAGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_few_run_at_once_each_in_its_own_folder(here):
    def run(step: int) -> str:
        workdir = here / f"work{step}"
        workdir.mkdir()
        made_in(workdir, workdir / "out.so", own(here, step))
        return (workdir / "out.so").read_text()

    with ThreadPoolExecutor(6) as threads:
        made = list(threads.map(run, range(6)))
    assert made == [f"{step} /usr/bin/env true 1 -j1 {here}/work{step}/kernel/build\n" for step in range(6)]
    counts = list(map(int, (here / "counts").read_text().split()))
    assert len(counts) == 6
    assert max(counts) <= MOST_AT_ONCE


def test_the_users_own_number_of_jobs_holds(here, monkeypatch):
    monkeypatch.setenv("CMAKE_BUILD_PARALLEL_LEVEL", "7")
    (here / "work").mkdir()
    made_in(here / "work", here / "out.so", own(here, 1))
    assert " 7 -j1 " in (here / "out.so").read_text()


def test_what_changes_the_outcome_is_part_of_the_identity(here, monkeypatch):
    found = {own(here, 1).identity, own(here, 2).identity}
    monkeypatch.setenv("LDFLAGS", "-s")
    found.add(own(here, 1).identity)
    assert len(found) == 3
    assert not any(str(here) in word for identity in found for word in identity)
