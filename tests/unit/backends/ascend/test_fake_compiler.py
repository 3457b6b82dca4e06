"""The made-up tool chain refuses what a real one refuses: else its green says nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.ascend import cann, worker
from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.backends.build_cache import sha256_of
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, KernelCrashError, WrongResultError
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.contracts.test_ascend_backend import SMALL
from tests.fakes.cann import TEMPLATE, as_this_machine

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

PROBLEM = GemmProblem(70, 50, 90, Dtype.FLOAT16)


@pytest.fixture
def machine():
    with as_this_machine() as machine:
        yield machine


@pytest.fixture
def backend(machine):
    backend = AscendBackend(BackendOptions(machine.cache, l2="hot"))
    yield backend
    backend.close()


def edited(name: str, old: str, new: str):
    template = load_template("catlass_gemm")[0]
    texts = dict(template.files)
    assert old in texts[name]
    texts[name] = texts[name].replace(old, new)
    return replace(template, files=tuple(texts.items()))


LAUNCHED = "((uint8_t*)a, (uint8_t*)b, (uint8_t*)c, m, n, k)"


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("device.hpp", (TEMPLATE / "device.hpp").read_text(), "", "error"),
        ("device.hpp", "#pragma once", "#error unfinished", "unfinished"),
        ("device.hpp", '#include "catlass/layout/layout.hpp"', '#include "catlass/layout/no.hpp"', "no.hpp"),
        ("gemm.cpp", LAUNCHED, LAUNCHED.replace(", k)", ")"), "error"),
        ("gemm.cpp", LAUNCHED, LAUNCHED.replace("(uint8_t*)c", "m"), "error"),
        ("gemm.cpp", "#undef TILE_M", "", "still a macro"),
        ("gemm.hpp", "template <class Tiling, class Binding>", "template <class Tiling>", "error"),
        ("timing.hpp", "aclrtRecordEvent(events.start", "aclrtRecordEvents(events.start", "error"),
    ],
)
def test_code_that_does_not_compile_is_refused(backend, name, old, new, words):
    with pytest.raises(BuildError, match=words):
        backend.build(edited(name, old, new), PROBLEM, Config(SMALL))


@pytest.mark.slow
@pytest.mark.parametrize(
    "new", [LAUNCHED.replace("a, (uint8_t*)b", "b, (uint8_t*)a"), LAUNCHED.replace("m, n, k", "n, m, k")]
)
def test_swapped_arguments_of_a_launch_give_a_wrong_product_or_a_fault(backend, new):
    kernel = backend.build(edited("gemm.cpp", LAUNCHED, new), PROBLEM, Config(SMALL))
    with pytest.raises((WrongResultError, KernelCrashError)):
        backend.verify(kernel, PROBLEM, timeout_s=20)


@pytest.mark.slow
def test_a_fault_of_the_kernel_is_told_in_the_devices_words(backend):
    broken = edited("device.hpp", "2 * A_BYTES + slot * B_BYTES", "Arch::L1_SIZE - 32 + slot * B_BYTES")
    kernel = backend.build(broken, PROBLEM, Config(SMALL))
    with pytest.raises(KernelCrashError, match=r"507015 .*\n.*bytes \d+ to \d+ of L1, which has 524288"):
        backend.verify(kernel, PROBLEM, timeout_s=20)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("-O2", "--no-such-option", "unknown argument: '--no-such-option'"),
        ("-fPIC", None, "needs -fPIC"),
        ("-std=c++17", None, "needs -std=c\\+\\+17"),
        ("--npu-arch=dav-2201", "--npu-arch=dav-3510", "language and architecture"),
        ("asc", "c++", "language and architecture"),
        ("-cce-aicore-record-overflow=true", "-cce-no-such", "of the back end"),
        ("-DCATLASS_ARCH=2201", None, "CATLASS_ARCH must be 2201"),
        ("-lascendcl", None, "undefined|cannot"),
        ("-ldl", "-lno_such", "cannot find -lno_such"),
        ("gemm.cpp", None, "one source file"),
        ("INCLUDE catlass", None, "catlass"),
        ("INCLUDE cann", None, "launch.hpp|kernel_operator.h"),
    ],
)
def test_a_wrong_command_line_is_refused(machine, tmp_path, old, new, words):
    tools = cann.find(machine.environment)
    for path in TEMPLATE.glob("*.[ch]pp"):
        shutil.copy(path, tmp_path)
    macros = (
        "-DGEMM_DTYPE=FLOAT16",
        "-DGEMM_LAYOUT=NN",
        *(f"-D{name.upper()}={value}" for name, value in SMALL.items()),
    )
    command = tools.command(Path("gemm.cpp"), Path("kernel.so"), macros, "kernel_1")
    if old.startswith("INCLUDE"):
        folder = {"catlass": str(machine.catlass_home), "cann": str(machine.home)}[old.split()[1]]
        wrong = [word for word in command if not word.startswith(f"-I{folder}")]
    else:
        assert old in command
        wrong = [new if word == old else word for word in command if word != old or new is not None]
    done = subprocess.run([*wrong, "-Wl,--no-undefined"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert re.search(words, done.stderr), done.stderr


@pytest.mark.slow
def test_a_compiler_that_does_not_know_the_word_cube_is_asked_in_another_way(machine, tmp_path):
    machine.set("no_cube", 1)
    backend = AscendBackend(BackendOptions(tmp_path / "cache", l2="hot"))
    assert backend.unavailable_because() is None
    assert backend._tools.spelling == "macro"
    kernel = backend.build(load_template("catlass_gemm")[0], PROBLEM, Config(SMALL))
    backend.verify(kernel, PROBLEM, timeout_s=20)
    backend.close()


def test_an_empty_kernel_that_does_not_run_is_one_error_before_any_trial(machine, tmp_path):
    machine.set("sync", 507899)
    backend = AscendBackend(BackendOptions(tmp_path))
    reason = backend.unavailable_because() or ""
    assert "an empty kernel compiles, but does not run" in reason
    assert "507899" in reason
    with pytest.raises(BackendUnavailableError):
        backend.build(load_template("catlass_gemm")[0], PROBLEM, Config(SMALL))
    backend.close()


def test_a_folder_mounted_noexec_is_named(tmp_path, monkeypatch):
    library = tmp_path / "kernel.so"
    library.write_bytes(b"x")

    def refuse(path, mode=0):
        raise OSError(f"{path}: failed to map segment from shared object")

    monkeypatch.setattr(worker.ctypes, "CDLL", refuse)
    with pytest.raises(BuildError, match="mounted noexec: choose another folder with --ascend-tune-dir"):
        worker._load(str(library), sha256_of(library))
