"""Kernels built by a script of their own, on the cpu backend: built, called, refused and stopped as with g++."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.kernels.template import from_source
from pytest_ascend_tune.model.errors import BuildError, BuildTimeoutError, TrialError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.fakes.kernels import needs_compiler
from tests.unit.files.test_git import commit, git

pytestmark = needs_compiler

PROBLEM = GemmProblem(30, 20, 10, "float32")
CONFIG = Config({"step": 4})
SPACE = """
title = "scripted"
backends = ["cpu"]
dtypes = ["float32"]
sources = ["build.sh", "src/*"]
build = ["./build.sh", "{builddir}", "{dtype}"]
library = "build/libmy.so"

[environment]
STEP = "{step}"

[entry]
symbol = "my_gemm"
arguments = [
    "c", "a", "lda", "b", "ldb:int64", "ldc", "m", "k:int64", "n", "alpha", "beta", "a_transposed", "b_transposed",
]
returns = "void"

[default]
step = 4

[params]
step = {pow2 = [1, 8]}
"""
BUILD = """#!/bin/sh
set -e
test -z "$(ls "$1")"
test "$2" = float32
$CXX -O2 -shared -fPIC -DSTEP=$STEP src/my.cpp -o build/libmy.so
"""
KERNEL = """
#include <cstdint>
extern "C" void my_gemm(float* c, const float* a, int lda, const float* b, int64_t ldb, int ldc, int m, int64_t k,
                        int n, float alpha, float beta, int at, int bt) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++)
        sum += (at ? a[p * lda + i] : a[i * lda + p]) * (bt ? b[j * ldb + p] : b[p * ldb + j]);
      c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);
    }
  for (volatile int waste = 0; waste < WASTE; waste++) {}
}
""".replace("WASTE", "0")


def make(folder: Path, *, space: str = SPACE, build: str = BUILD, kernel: str = KERNEL) -> Path:
    for name, text in (("space.toml", space), ("build.sh", build), ("src/my.cpp", kernel)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def backend(tmp_path):
    backend = CpuBackend(BackendOptions(tmp_path / "cache", build_timeout_s=60))
    yield backend
    backend.close()


def built(backend, folder, config=CONFIG, problem=PROBLEM):
    return backend.build(from_source(folder)[0], problem, config)


def test_it_is_built_by_its_script_and_called_as_described(backend, tmp_path):
    folder = make(tmp_path / "scripted")
    for layout in ("nn", "nt", "tn", "tt"):
        problem = GemmProblem(30, 20, 10, "float32", layout)
        backend.verify(built(backend, folder, problem=problem), problem, timeout_s=20, thorough=True)
    one, other = built(backend, folder), built(backend, folder, Config({"step": 8}))
    assert one.build_id != other.build_id
    assert backend.sample(one, PROBLEM, timeout_s=20).us > 0
    assert not list((tmp_path / "cache").glob("build-*"))
    assert sorted(path.name for path in folder.rglob("*")) == ["build.sh", "my.cpp", "space.toml", "src"]


def test_what_it_is_built_with_and_how_it_is_called_make_the_build(backend, tmp_path, monkeypatch):
    builds = {built(backend, make(tmp_path / "scripted")).build_id}
    monkeypatch.setenv("CXXFLAGS", "-O0")
    builds.add(built(backend, tmp_path / "scripted").build_id)
    make(tmp_path / "scripted", space=SPACE.replace('"alpha"', '"beta"'))
    builds.add(built(backend, tmp_path / "scripted").build_id)
    make(tmp_path / "scripted", space=SPACE.replace('STEP = "{step}"', 'STEP = "{step}"\nMORE = "1"'))
    builds.add(built(backend, tmp_path / "scripted").build_id)
    assert len(builds) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"build": "#!/bin/sh\necho 'my.cpp: error: no'; exit 3\n"}, "build command failed with exit code 3: my.cpp"),
        ({"build": "#!/bin/sh\necho done\n"}, r"the build reported success but did not write build/libmy\.so\ndone"),
        ({"build": "#!/bin/sh\nkill -9 $$\n"}, "the build command was ended by SIGKILL"),
        ({"build": "#!/bin/sh\nln -s /etc/hostname build/libmy.so\n"}, "leads out of its folder"),
        ({"space": SPACE.replace("./build.sh", "nosuch")}, "cannot start the build command nosuch: No such file"),
        ({"build": "#!/bin/sh\npwd; exit 1\n"}, r"exit code 1: no message\n\.$"),
    ],
)  # fmt: skip
def test_a_build_that_fails_is_a_build_error_without_paths_of_this_machine(backend, tmp_path, change, words):
    with pytest.raises(BuildError, match=words) as failed:
        built(backend, make(tmp_path / "scripted", **change))
    assert str(tmp_path) not in str(failed.value)


def test_a_missing_function_is_named_with_its_arguments(backend, tmp_path):
    artifact = built(backend, make(tmp_path / "scripted", space=SPACE.replace('"my_gemm"', '"other"')))
    with pytest.raises(TrialError, match=r'no entry point: extern "C" void other\(c, a, lda, b, ldb:int64, ldc, m'):
        backend.verify(artifact, PROBLEM, timeout_s=20)


def test_a_build_without_end_is_stopped_with_all_that_it_started(tmp_path):
    backend = CpuBackend(BackendOptions(tmp_path / "cache", build_timeout_s=1.0))
    script = f"#!/bin/sh\n(sleep 300 & echo $! > {tmp_path}/pid; wait) &\nwait\n"
    try:
        with pytest.raises(BuildTimeoutError, match="the build command did not end within"):
            built(backend, make(tmp_path / "scripted", build=script))
    finally:
        backend.close()
    process = Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}")
    for _ in range(100):
        if not process.exists() or "zombie" in (process / "status").read_text():
            return
        time.sleep(0.05)
    pytest.fail("what the build started still runs")


def test_the_gate_against_a_revision_builds_its_sources_with_its_own_script(tmp_path):
    """A slower kernel is red against HEAD: no stored file, both sides built by their scripts."""
    make(tmp_path / "scripted")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    make(tmp_path / "scripted", kernel=KERNEL.replace("waste < 0", "waste < 2 * m * n * k / 4"))
    command = [sys.executable, "-m", "pytest_ascend_tune", "ab", "HEAD", "--template", "scripted", "--backend", "cpu"]
    done = subprocess.run(
        [*command, "--matrix-size", "64", "--max-iter", "0"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "regressed" in done.stdout
    assert "slower than HEAD (" in done.stdout
    assert "with uncommitted changes of the kernel" in done.stdout
