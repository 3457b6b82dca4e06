"""The kernel template cpu_gemm: right in every layout and shape, every parameter alive, clean under sanitisers."""

import platform
import shutil
import subprocess

import numpy as np
import pytest

from pytest_ascend_tune.model.problem import Dtype
from tests.integration.cpu_kernels import (
    BF16,
    ODD_SHAPES,
    SPACE,
    Kernel,
    check_with_driver,
    compile_kernel,
    random_configs,
    runs,
)

DEFAULT = SPACE.default
SANITISE = ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-march=native")
OTHER = {
    "tile_m": 64,
    "tile_n": 128,
    "l1_k": 192,
    "l0_k": 64,
    "enable_unit": 0,
    "enable_shuffle_k": 0,
    "enable_abba": 1,
    "swizzle_offset": 2,
    "swizzle_direction": 0,
}


@pytest.fixture(scope="module")
def default_kernel(tmp_path_factory):
    return Kernel(compile_kernel(tmp_path_factory.mktemp("default"), DEFAULT, "-march=native"))


def integers(rng, *shape):
    return rng.integers(-4, 5, shape).astype(np.float32)


# 100 x 20 x 20000: packed panels of B of that depth are above the limit of what is kept
@pytest.mark.parametrize("shape", [*ODD_SHAPES, (200, 1100, 800), (100, 20, 20000)])
def test_product_is_exact_and_stays_inside_of_c(default_kernel, shape):
    m, n, k = shape
    rng = np.random.default_rng(m)
    a, b = integers(rng, m, k), integers(rng, k, n)
    expected = a @ b
    for run in runs([shape], threads=(1, 3)):
        c = np.full((m + 2, n), np.nan, np.float32)
        stored_a, stored_b = (np.ascontiguousarray(x.T if run[i] else x) for x, i in ((a, 3), (b, 4)))
        assert default_kernel(stored_a, stored_b, c[1:], run) == 0
        assert np.array_equal(c[1:-1], expected), run
        assert np.isnan(c[[0, -1]]).all(), run
        used = run[-1]
        assert all(ns > 0 for ns in default_kernel.thread_ns[:used])
        assert not any(default_kernel.thread_ns[used:])
    default_kernel.release()


@pytest.mark.parametrize(
    "run", [(0, 1, 1, 0, 0, 1), (1, -1, 1, 0, 0, 1), (1, 1, 0, 0, 0, 1), (1, 1, 1, 0, 0, 0), (1, 1, 1, 0, 0, 65)]
)
def test_bad_arguments_are_refused(default_kernel, run):
    one = np.ones((1, 1), np.float32)
    assert default_kernel(one, one, one, run) == 2


def test_real_numbers_are_as_accurate_as_their_type_allows(default_kernel):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((300, 300)).astype(np.float32) for _ in range(2))
    c = np.empty_like(a)
    assert default_kernel(a, b, c, (300, 300, 300, 0, 0, 1)) == 0
    exact = a.astype(np.float64) @ b
    assert np.abs(c - exact).max() < 300 * 2**-24 * (np.abs(a).astype(np.float64) @ np.abs(b)).max()


def object_code(path):
    """Instructions with their operands, without symbol names."""
    dump = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True
    ).stdout
    return [line.split("\t")[1].split("<")[0] for line in dump.splitlines() if "\t" in line]


@pytest.mark.parametrize("options", [("-march=native",), pytest.param(("-march=native", BF16), marks=pytest.mark.slow)])
def test_every_parameter_changes_the_object_code(tmp_path, options):
    if not shutil.which("objdump"):
        pytest.skip("objdump is missing: install binutils")
    assert set(OTHER) == set(SPACE.names)
    codes = {"default": object_code(compile_kernel(tmp_path, DEFAULT, *options))}
    for name, value in OTHER.items():
        codes[name] = object_code(compile_kernel(tmp_path, {**DEFAULT, name: value}, *options))
        assert DEFAULT[name] != value
    dead = [name for name in OTHER if codes[name] == codes["default"]]
    assert dead == []


def test_sanitisers_find_nothing_in_the_default(tmp_path):
    executable = compile_kernel(tmp_path, DEFAULT, *SANITISE, driver=True)
    check_with_driver(executable, runs([(17, 33, 129), (100, 70, 300)]))


@pytest.mark.parametrize("options", [("-march=native",), ("-mno-avx512f", "-mno-amx-bf16")], ids=["native", "fallback"])
@pytest.mark.skipif(platform.machine() != "x86_64", reason="options of x86-64")
def test_bfloat16(tmp_path, options):
    executable = compile_kernel(tmp_path, DEFAULT, "-march=native", *options, BF16, driver=True)
    check_with_driver(executable, runs([*ODD_SHAPES, (300, 200, 800)], threads=(2,)))


@pytest.mark.slow
@pytest.mark.parametrize("config", random_configs(8, seed=5, dtype=Dtype.BFLOAT16), ids=str)
def test_sanitisers_find_nothing_in_bfloat16(tmp_path, config):
    check_with_driver(compile_kernel(tmp_path, config, *SANITISE, BF16, driver=True), runs(ODD_SHAPES))


@pytest.mark.slow
@pytest.mark.parametrize("config", random_configs(12, seed=7), ids=str)
def test_sanitisers_find_nothing_in_random_configurations(tmp_path, config):
    check_with_driver(compile_kernel(tmp_path, config, *SANITISE, driver=True), runs(ODD_SHAPES))


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="vector widths of x86-64")
@pytest.mark.parametrize(
    "width", [("-march=x86-64",), ("-mavx",), ("-mavx2", "-mfma"), ("-march=x86-64-v4",)], ids="".join
)
def test_other_vector_widths(tmp_path, width):
    with open("/proc/cpuinfo", encoding="ascii") as cpuinfo:
        flags = cpuinfo.read().split()
    needed = {"-mavx": "avx", "-mavx2": "fma", "-march=x86-64-v4": "avx512vl"}.get(width[0], "sse2")
    if needed not in flags:
        pytest.skip(f"this CPU has no {needed}")
    for config in random_configs(3, seed=11):
        check_with_driver(compile_kernel(tmp_path, config, *width, driver=True), runs(ODD_SHAPES))
    check_with_driver(compile_kernel(tmp_path, DEFAULT, *width, BF16, driver=True), runs(ODD_SHAPES))


@pytest.mark.slow
def test_neon_under_qemu(tmp_path):
    cxx, qemu = (
        shutil.which("aarch64-linux-gnu-g++"),
        shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static"),
    )
    if not cxx or not qemu:
        pytest.skip("needs aarch64-linux-gnu-g++ and qemu-aarch64: Debian packages g++-aarch64-linux-gnu and qemu-user")
    for config in (DEFAULT, *random_configs(3, seed=13)):
        executable = compile_kernel(tmp_path, config, "-static", driver=True, cxx=cxx)
        check_with_driver(executable, runs(ODD_SHAPES), qemu)
    check_with_driver(compile_kernel(tmp_path, DEFAULT, "-static", BF16, driver=True, cxx=cxx), runs(ODD_SHAPES), qemu)
