"""The cpu backend with the real template: identity of builds, samples, threads, layouts."""

from __future__ import annotations

import shutil
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.backends.cpu.worker import MAX_KERNELS, MAX_PROBLEMS, calls_per_sample
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BuildTimeoutError, WrongResultError
from pytest_ascend_tune.model.problem import Config, GemmProblem, Layout
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.fakes.kernels import RIGHT, kernel_template, needs_compiler

PROBLEM = GemmProblem(96, 130, 70, "float32")
TIMEOUT_S = 60.0
pytestmark = needs_compiler


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("cache") / "ein Ordner, größer & $HOME"


@pytest.fixture(scope="module")
def backend(cache_dir):
    backend = CpuBackend(BackendOptions(cache_dir))
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def cpu_gemm():
    return load_template("cpu_gemm")


def script(path: Path, text: str) -> str:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("layout", Layout)
def test_the_template_is_right_in_every_layout(backend, cpu_gemm, layout):
    template, space = cpu_gemm
    problem = replace(PROBLEM, layout=layout)
    artifact = backend.build(template, problem, space.default)
    for one in (artifact, backend.reference(problem)):
        backend.verify(one, problem, timeout_s=TIMEOUT_S, thorough=True)
        assert backend.sample(one, problem, timeout_s=TIMEOUT_S).us > 0


def test_the_build_does_not_depend_on_shape_layout_or_the_description_of_the_space(backend):
    template = kernel_template()
    config = Config({"tile_m": 16})
    described = replace(template, files=(*template.files, ("space.toml", "title = 'x'")), source_hash="another")
    ids = {
        backend.build(template, PROBLEM, config).build_id,
        backend.build(template, GemmProblem(5, 5, 5, "float32", "tt"), config).build_id,
        backend.build(described, PROBLEM, config).build_id,
    }
    assert len(ids) == 1


def test_headers_of_a_template_are_found_and_count(backend):
    template = kernel_template(RIGHT, '#include "parts/tile.hpp"\nint tile = tile_rows;')
    files = {*template.files, ("parts/tile.hpp", "constexpr int tile_rows = 4;\n")}
    changed = {*template.files, ("parts/tile.hpp", "constexpr int tile_rows = 8;\n")}
    artifacts = [
        backend.build(replace(template, files=tuple(sorted(version))), PROBLEM, Config({}))
        for version in (files, changed)
    ]
    assert artifacts[0].build_id != artifacts[1].build_id
    backend.verify(artifacts[1], PROBLEM, timeout_s=TIMEOUT_S)


def test_a_wrapper_that_optimises_less_is_another_build_and_is_slower(backend, cache_dir, tmp_path, monkeypatch):
    plain = backend.build(kernel_template(), PROBLEM, Config({}))
    monkeypatch.setenv("CXX", script(tmp_path / "cxx", f'exec {shutil.which("g++")} "$@" -O0\n'))
    wrapped_backend = CpuBackend(BackendOptions(cache_dir))
    try:
        wrapped = wrapped_backend.build(kernel_template(), PROBLEM, Config({}))
        assert wrapped.build_id != plain.build_id
        assert wrapped_backend.fingerprint().identity == backend.fingerprint().identity, "still comparable"
        assert wrapped_backend.fingerprint().versions != backend.fingerprint().versions, "shown as a difference"
        fast, slow = (
            statistics.median(backend.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S).us for _ in range(15))
            for artifact in (plain, wrapped)
        )
        assert slow > 1.5 * fast
    finally:
        wrapped_backend.close()


def test_a_second_backend_finds_the_builds_of_the_first(backend, cache_dir, monkeypatch):
    first = backend.build(kernel_template(), PROBLEM, Config({"tile_m": 77}))
    second_backend = CpuBackend(BackendOptions(cache_dir))
    monkeypatch.setattr(
        "pytest_ascend_tune.backends.cpu.backend.compile_to", lambda *_, **__: pytest.fail("compiled again")
    )
    second = second_backend.build(kernel_template(), PROBLEM, Config({"tile_m": 77}))
    second_backend.close()
    assert second.build_id == first.build_id
    assert second.file == first.file


def test_a_compiler_that_hangs_is_a_build_time_out(tmp_path, monkeypatch):
    hanging = script(
        tmp_path / "cxx", f'case "$*" in *kernel.so*) exec sleep 600;; esac; exec {shutil.which("g++")} "$@"\n'
    )
    monkeypatch.setenv("CXX", hanging)
    backend = CpuBackend(BackendOptions(tmp_path / "cache", build_timeout_s=0.5))
    with pytest.raises(BuildTimeoutError, match=r"within 0\.5 s"):
        backend.build(kernel_template(), PROBLEM, Config({}))
    backend.close()
    assert not [path for path in (tmp_path / "cache").iterdir() if not path.name.startswith(".")]


def test_a_machine_without_a_compiler_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    backend = CpuBackend(BackendOptions(tmp_path / "cache"))
    assert "apt-get install g++" in (backend.unavailable_because() or "")
    backend.close()


def test_tiny_problems_are_called_several_times_per_sample(backend):
    assert calls_per_sample(GemmProblem(1024, 1024, 1024, "float32")) == 1
    assert calls_per_sample(GemmProblem(64, 64, 64, "float32")) > 10
    counting = "static int calls; calls++; if (n == 1) for (int i = 0; i < m; i++) ((float*)c)[i] = calls; else "
    artifact = backend.build(kernel_template(counting + RIGHT), PROBLEM, Config({}))
    tiny = GemmProblem(8, 8, 8, "float32")
    backend.verify(artifact, tiny, timeout_s=TIMEOUT_S)
    sample = backend.sample(artifact, tiny, timeout_s=TIMEOUT_S)
    whole = calls_per_sample(tiny) * sample.wall_us
    assert sample.us < whole / 3, "the time is that of one call"


def test_time_is_taken_from_the_slowest_thread(tmp_path):
    body = RIGHT + "for (int t = 0; t < threads; t++) ascend_tune_thread_ns[t] = 1000000 * (t + 1); return 0;"
    backend = CpuBackend(BackendOptions(tmp_path, threads=2))
    try:
        artifact = backend.build(kernel_template(body), PROBLEM, Config({}))
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
        assert backend.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S).us == 2000
        reference = backend.reference(PROBLEM)
        assert reference.build_id.endswith("2 threads")
        assert backend.sample(reference, PROBLEM, timeout_s=TIMEOUT_S).us > 0
        assert dict(backend.fingerprint().identity)["threads"] == "2"
        assert backend.facts()["threads"] == 2
    finally:
        backend.close()


def test_a_kernel_without_its_own_clock_is_timed_from_outside(backend):
    template = kernel_template()
    files = tuple((name, text.replace("ascend_tune_thread_ns", "renamed")) for name, text in template.files)
    artifact = backend.build(replace(template, files=files), PROBLEM, Config({}))
    own = backend.build(template, PROBLEM, Config({}))
    ratio = (
        backend.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S).us / backend.sample(own, PROBLEM, timeout_s=TIMEOUT_S).us
    )
    assert 0.2 < ratio < 5


def test_cold_caches_are_another_measurement(tmp_path):
    cold, hot = (CpuBackend(BackendOptions(tmp_path, l2=mode)) for mode in ("cold", "hot"))
    try:
        assert cold.fingerprint().identity != hot.fingerprint().identity
        artifact = cold.build(kernel_template(), PROBLEM, Config({}))
        assert cold.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S).us > 0
    finally:
        cold.close()
        hot.close()


def test_many_kernels_and_problems_take_turns(backend, tmp_path):
    artifact = backend.build(kernel_template(), PROBLEM, Config({}))
    backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    pid = backend._worker.pid
    copies = []
    for number in range(MAX_KERNELS + 2):
        path = Path(shutil.copy(artifact.file.path, tmp_path / f"{number}.so"))
        copies.append(replace(artifact, file=replace(artifact.file, path=path)))
    problems = [GemmProblem(16 + number, 8, 8, "float32") for number in range(MAX_PROBLEMS + 2)]
    for turn in range(2 * len(copies)):
        backend.verify(copies[turn % len(copies)], problems[turn % len(problems)], timeout_s=TIMEOUT_S)
    assert backend._worker.pid == pid, "no crash on the way"


def test_the_peak_is_above_what_blas_reaches(backend):
    problem = GemmProblem(384, 384, 384, "float32")
    reference = backend.reference(problem)
    best = min(backend.sample(reference, problem, timeout_s=TIMEOUT_S).us for _ in range(10))
    peak = max(backend.peak_tflops(problem) for _ in range(3))
    assert 0.3 < problem.tflops(best) / peak < 1.1


BF16 = """
static float widen(unsigned short x) { unsigned u = (unsigned)x << 16; float f; memcpy(&f, &u, 4); return f; }
static unsigned short narrow(float f) { unsigned u; memcpy(&u, &f, 4); return (u + 0x7fff + (u >> 16 & 1)) >> 16; }
static void multiply_bf16(int m, int n, int k, int ta, int tb, const unsigned short* a, const unsigned short* b,
                          unsigned short* c, float factor) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++)
        sum += widen(a[ta ? p * m + i : i * k + p]) * widen(b[tb ? j * k + p : p * n + j]);
      c[i * n + j] = narrow(sum * factor);
    }
}
#ifndef DTYPE_BFLOAT16
#error "built for another dtype"
#endif
"""
BF16_BODY = (
    "multiply_bf16(m, n, k, a_transposed, b_transposed, (const unsigned short*)a, (const unsigned short*)b, "
    "(unsigned short*)c, %s);"
)


@pytest.mark.parametrize("layout", ["nn", "tt"])
def test_bfloat16_kernels_get_bfloat16_operands(backend, layout):
    problem = GemmProblem(40, 30, 200, "bfloat16", layout)
    right, wrong, unwritten = (
        backend.build(kernel_template(body, BF16), problem, Config({}))
        for body in (BF16_BODY % "1", BF16_BODY % "1.02f", "")
    )
    backend.verify(right, problem, timeout_s=TIMEOUT_S, thorough=True)
    assert backend.sample(right, problem, timeout_s=TIMEOUT_S).us > 0
    for artifact in (wrong, unwritten):
        with pytest.raises(WrongResultError):
            backend.verify(artifact, problem, timeout_s=TIMEOUT_S)
    assert backend.reference(problem) is None
    assert backend.peak_tflops(problem) > 0.5 * backend.peak_tflops(PROBLEM)
