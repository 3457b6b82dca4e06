"""Everything a kernel can do wrong becomes the right error with a useful message, and the next request works."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.model.errors import (
    BuildError,
    KernelCrashError,
    KernelTimeoutError,
    OutOfMemoryError,
    TrialError,
    WrongResultError,
)
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.fakes.kernels import RIGHT, kernel_template, needs_compiler, source_template

PROBLEM = GemmProblem(30, 20, 10, "float32")
CONFIG = Config({"tile_m": 16})
TIMEOUT_S = 20.0
pytestmark = needs_compiler


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    backend = CpuBackend(BackendOptions(tmp_path_factory.mktemp("cache")))
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def good(backend):
    return backend.build(kernel_template(), PROBLEM, CONFIG)


FAULTS = {
    "segmentation fault": ("*(volatile int*)8 = 1;", KernelCrashError, "SIGSEGV.*not its own"),
    "abort": ("abort();", KernelCrashError, "SIGABRT"),
    "exit": ("_exit(0);", KernelCrashError, "ended its process with exit code 0"),
    "trap": ("__builtin_trap();", KernelCrashError, "SIGILL|SIGTRAP"),
    "stack overflow": ("char top = 0; ascend_tune_thread_ns[0] = deep(&top, m);", KernelCrashError, "SIGSEGV.*stack"),
    "one row too many": (RIGHT + "memset((float*)c + (long)m * n, 0, 4 * n);", KernelCrashError, "SIGSEGV"),
    "one element too many": (RIGHT + "((volatile float*)c)[(long)m * n] = 0;", KernelCrashError, "SIGSEGV"),
    "one element too early": (RIGHT + "((volatile float*)c)[-1] = 0;", WrongResultError, "in front of"),
    "writes to its input": ("((volatile float*)a)[0] = 1; " + RIGHT, KernelCrashError, "SIGSEGV"),
    "memory bomb by new": (
        "for (;;) ascend_tune_thread_ns[1] += (long)memset(new char[1 << 26], 1, 4096);",
        OutOfMemoryError,
        "bad_alloc",
    ),
    "memory bomb by malloc": (
        "for (;;) { void* p = malloc(1 << 26); if (!p) return 1; memset(p, 1, 4096); }",
        OutOfMemoryError,
        "could not allocate",
    ),
    "refuses": ("return 2;", KernelCrashError, "refused its arguments.*30x20x10-float32-nn"),
    "wrong element": (RIGHT + "((float*)c)[5 * n + 7] += 0.01f;", WrongResultError, "row 5"),
    "never written": (RIGHT.replace("(m,", "(m - 1,"), WrongResultError, r"C\[29, 0\] is nan.*never written"),
    "infinite": (RIGHT + "((float*)c)[3] = __builtin_inff();", WrongResultError, r"C\[0, 3\] is inf"),
    "closes all files": ("for (int f = 0; f < 99999; f++) close(f); raise(SIGSTOP);", KernelCrashError, "the conn"),
    "writes to all files": (
        'for (int f = 3; f < 1 << 17; f++) if (write(f, "{\\"id\\": 1, \\"samples\\": [[1, 1]]}\\n", 33) < 0) {}',
        KernelCrashError,
        "wrote to a descriptor that is not its own",
    ),
    "a file's number as text": (
        'for (int f = 3; f < 1 << 17; f++) if (write(f, "1", 1) < 0) {}' + RIGHT,
        KernelCrashError,
        "wrote to a descriptor that is not its own",
    ),
    "kills its parent": ("kill(getppid(), SIGKILL); sleep(60);", KernelCrashError, "SIGKILL"),
    "kills its group": ("kill(0, SIGKILL); sleep(60);", KernelCrashError, "SIGKILL"),
}  # fmt: skip
DEEP = """
__attribute__((noinline)) static long deep(volatile char* above, long n) {
  volatile char page[4096];
  page[0] = above[0] + 1;
  return n ? deep(page, n + 1) + page[1] : 0;
}
"""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_kernel_is_a_failed_trial_and_the_next_one_works(backend, good, fault):
    body, error, message = FAULTS[fault]
    artifact = backend.build(kernel_template(body, DEEP), PROBLEM, CONFIG)
    with pytest.raises(error, match=f"(?s){message}") as caught:
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    assert type(caught.value) is error
    assert isinstance(caught.value, TrialError)
    assert "/" not in str(caught.value).replace("A/B", ""), "no path of this machine in a message that is stored"
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)
    assert backend.sample(good, PROBLEM, timeout_s=TIMEOUT_S).us > 0


def test_a_kernel_that_closes_the_usual_descriptors_does_not_meet_ours(backend):
    body = "for (int f = 3; f < 99; f++) close(f);"
    artifact = backend.build(kernel_template(body + RIGHT), PROBLEM, CONFIG)
    backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    assert backend.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S).us > 0


@pytest.mark.parametrize("end", ["raise(SIGSEGV);", "kill(getppid(), SIGKILL); sleep(60);", "for (;;) pause();"])
def test_what_a_kernel_leaves_in_a_session_of_its_own_ends_with_it(backend, good, end):
    left = 'if (!fork()) { setsid(); if (!fork()) execl("/bin/sleep", "sleep", "600.0625", (char*)0); _exit(0); }'
    left += " usleep(100000);"
    artifact = backend.build(kernel_template(left + end), PROBLEM, CONFIG)
    with pytest.raises((KernelCrashError, KernelTimeoutError)):
        backend.verify(artifact, PROBLEM, timeout_s=1.0)
    assert not [
        path for path in Path("/proc").glob("[0-9]*/cmdline") if b"600.0625" in read(path) and b"sleep" in read(path)
    ]
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize(
    "body", ["for (;;) ascend_tune_thread_ns[1]++;", 'for (;;) { puts("x"); fputs("y", stderr); }']
)
def test_an_endless_kernel_is_stopped_at_its_time_out(backend, good, body):
    artifact = backend.build(kernel_template(body), PROBLEM, CONFIG)
    backend.sample(good, PROBLEM, timeout_s=TIMEOUT_S)
    started = time.monotonic()
    with pytest.raises(KernelTimeoutError, match=r"did not end within 0\.3 s"):
        backend.sample(artifact, PROBLEM, timeout_s=0.3)
    assert time.monotonic() - started >= 0.3
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)


def test_each_of_several_samples_has_the_time_limit(backend, good):
    one_call = GemmProblem(216, 216, 216, "float32")  # a sample is one call
    slow = backend.build(kernel_template("usleep(400000);"), one_call, CONFIG)
    assert len(backend.samples([slow] * 4, one_call, timeout_s=1.2)) == 4
    with pytest.raises(KernelTimeoutError, match=r"within 0\.2 s"):
        backend.samples([good, slow, good], one_call, timeout_s=0.2)
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)


def on_second_call(body):
    return kernel_template(RIGHT + f"static int calls; if (++calls == 2) {{ {body} }}")


SAMPLED_FAULTS = {
    "verified": (kernel_template(RIGHT + "((float*)c)[0] += 1;"), WrongResultError, "row 0"),
    "later, in front": (on_second_call("((volatile float*)c)[-1] = 0;"), WrongResultError, "in front of"),
    "later, too many": (on_second_call("((volatile float*)c)[m * n] = 0;"), KernelCrashError, "SIGSEGV"),
    "later, endless": (on_second_call("for (;;) usleep(1000);"), KernelTimeoutError, r"within 1 s"),
}


@pytest.mark.parametrize("fault", SAMPLED_FAULTS)
def test_a_fault_in_a_request_that_verifies_and_samples(backend, good, fault):
    template, error, message = SAMPLED_FAULTS[fault]
    bad = backend.build(template, PROBLEM, CONFIG)
    with pytest.raises(error, match=message):
        backend.samples([good, good, bad], PROBLEM, timeout_s=1.0, verify=True)
    assert len(backend.samples([good, good], PROBLEM, timeout_s=TIMEOUT_S, verify=True)) == 2


def test_a_crash_among_several_samples(backend, good):
    bad = backend.build(kernel_template("abort();"), PROBLEM, CONFIG)
    with pytest.raises(KernelCrashError, match="SIGABRT"):
        backend.samples([good, bad, good], PROBLEM, timeout_s=TIMEOUT_S)
    assert len(backend.samples([good, good], PROBLEM, timeout_s=TIMEOUT_S)) == 2


def test_a_kernel_is_not_blamed_for_what_another_did_to_the_process(backend):
    culprit = backend.build(kernel_template(RIGHT + 'setenv("DAMAGED", "1", 1);'), PROBLEM, CONFIG)
    victim = backend.build(kernel_template(RIGHT + 'if (getenv("DAMAGED")) abort();'), PROBLEM, CONFIG)
    backend.verify(culprit, PROBLEM, timeout_s=TIMEOUT_S)
    generation = backend._worker.generation
    backend.verify(victim, PROBLEM, timeout_s=TIMEOUT_S)
    assert backend._worker.generation == generation + 1, "it was tried again in a process of its own"


def test_what_a_kernel_prints_does_not_reach_us(backend, capfd):
    body = RIGHT + r'for (int i = 0; i < 20000; i++) printf("{\"id\": 1}\n"); fflush(stdout); fputs("loud\n", stderr);'
    artifact = backend.build(kernel_template(body), PROBLEM, CONFIG)
    backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    assert capfd.readouterr() == ("", "")


def test_last_words_of_a_crash_are_in_the_message(backend):
    chatty = backend.build(kernel_template('fputs("of another kernel\\n", stderr);' + RIGHT), PROBLEM, CONFIG)
    backend.verify(chatty, PROBLEM, timeout_s=TIMEOUT_S)
    artifact = backend.build(kernel_template('fputs("tile too large\\n", stderr); abort();'), PROBLEM, CONFIG)
    with pytest.raises(KernelCrashError, match="tile too large") as caught:
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    assert "another" not in str(caught.value)


def test_a_kernel_without_the_entry_point(backend, good):
    artifact = backend.build(source_template('extern "C" int gemm() { return 0; }\n'), PROBLEM, CONFIG)
    with pytest.raises(BuildError, match=r"no entry point.*ascend_tune_gemm"):
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)


def test_a_kernel_with_an_undefined_symbol(backend, good):
    source = 'extern "C" int nowhere(); extern "C" int ascend_tune_gemm() { return nowhere(); }\n'
    artifact = backend.build(source_template(source), PROBLEM, CONFIG)
    with pytest.raises(BuildError, match=r"cannot be loaded: .*undefined symbol: nowhere"):
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)


def test_a_compile_error_shows_the_compilers_message(backend):
    with pytest.raises(BuildError, match=r"(?s)exit code 1.*kernel\.cpp:\d+:\d+: error: .*nonsense"):
        backend.build(kernel_template("nonsense;"), PROBLEM, CONFIG)


def test_a_kernel_that_was_changed_on_disk_is_not_loaded(tmp_path):
    backend = CpuBackend(BackendOptions(tmp_path))
    try:
        artifact = backend.build(kernel_template(), PROBLEM, CONFIG)
        assert artifact.file is not None
        artifact.file.path.write_bytes(artifact.file.path.read_bytes() + b"x")
        with pytest.raises(BuildError, match="was changed after it was built"):
            backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    finally:
        backend.close()


def test_an_evicted_kernel_is_built_again(tmp_path):
    backend = CpuBackend(BackendOptions(tmp_path))
    try:
        artifact = backend.build(kernel_template(), PROBLEM, CONFIG)
        assert artifact.file is not None
        artifact.file.path.unlink()
        backend.verify(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    finally:
        backend.close()


@pytest.mark.parametrize("when", ["between requests", "during a request"])
def test_a_worker_killed_from_outside(backend, good, when):
    backend.sample(good, PROBLEM, timeout_s=TIMEOUT_S)
    pid = backend._worker.pid
    if when == "between requests":
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    else:
        artifact = backend.build(kernel_template("kill(getpid(), SIGKILL);"), PROBLEM, CONFIG)
        with pytest.raises(KernelCrashError, match=r"SIGKILL.*from outside"):
            backend.sample(artifact, PROBLEM, timeout_s=TIMEOUT_S)
    backend.verify(good, PROBLEM, timeout_s=TIMEOUT_S)
    assert backend._worker.pid != pid
