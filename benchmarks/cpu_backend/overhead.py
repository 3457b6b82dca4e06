"""What the cpu backend costs beside the kernels: builds, overhead per trial, restart after a crash, trials a minute.

Run on an otherwise idle machine: ``python -m benchmarks.cpu_backend [--size 1024] [--trials 40]``.
Overhead is wall time of a trial (verification and all samples; operands are there, the kernel is built) without the
time inside kernels; restarts and trials a minute are wall time, too, and of a busy machine they say little: the load
average is printed with the result.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.backends.cpu.worker import calls_per_sample
from pytest_ascend_tune.execute import measure as measuring
from pytest_ascend_tune.execute.measure import measure, nominal_reference
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import TrialError
from pytest_ascend_tune.model.measurement import MeasurePlan
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.search import Template

TIMEOUT_S = 60.0
CRASHING = 'extern "C" int ascend_tune_gemm() { __builtin_trap(); }\n'


def timed_s(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


@contextmanager
def cpu_backend(cache: Path) -> Iterator[CpuBackend]:
    backend = CpuBackend(BackendOptions(cache))
    try:
        yield backend
    finally:
        backend.close()


def configurations(problem: GemmProblem, backend: CpuBackend, count: int) -> tuple[Template, list[Config]]:
    template, space = load_template("cpu_gemm")
    candidates = space.bind(backend.facts()).candidates(problem, limit=count, seed=0)
    return template, [candidates.config(row) for row in range(min(count, len(candidates)))]


def builds(backend: CpuBackend, problem: GemmProblem, template: Template, configs: list[Config]) -> None:
    cpu_s, wall_s = [], []
    for config in configs:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall_s.append(timed_s(lambda config=config: backend.build(template, problem, config)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    again = statistics.median(timed_s(lambda: backend.build(template, problem, configs[0])) for _ in range(20))
    print(f"build: {statistics.median(cpu_s):.2f} s CPU, {statistics.median(wall_s):.2f} s wall (goal <= 0.5 s CPU)")
    print(f"build found in the cache: {again * 1e3:.2f} ms")


def overhead(backend: CpuBackend, problem: GemmProblem, template: Template, configs: list[Config]) -> None:
    """Whole trials on the wall clock, less the time inside kernels; the check of the result is a line of its own.

    No block is repeated, so that all trials have the same number of samples.
    """
    measuring.EXTRA_BLOCKS, extra = 0, measuring.EXTRA_BLOCKS
    reference, plan = backend.reference(problem), MeasurePlan()
    nominal_us = nominal_reference(backend, reference, problem, plan)
    answers: list[dict[str, Any]] = []
    request = backend._worker.request

    def recorded(*positional: Any, **named: Any) -> dict[str, Any]:
        answers.append(request(*positional, **named))
        return answers[-1]

    backend._worker.request = recorded  # type: ignore[method-assign]
    rest_ms, checks_ms, samples = [], [], []
    for config in configs:
        artifact = backend.build(template, problem, config)
        answers.clear()
        trial_ms = timed_s(partial(measure, backend, artifact, reference, problem, plan, nominal_us)) * 1e3
        calls = [wall_us for answer in answers for _, wall_us in answer.get("samples", ())]
        verified = next(answer for answer in answers if "check_us" in answer)
        kernels_ms = (verified["wall_us"] + calls_per_sample(problem) * sum(calls)) / 1e3
        checks_ms.append(verified["check_us"] / 1e3)
        rest_ms.append(trial_ms - kernels_ms - checks_ms[-1])
        samples.append(len(calls))
    backend._worker.request = request  # type: ignore[method-assign]
    print(f"worker overhead of a trial: {statistics.median(rest_ms):.2f} ms (goal <= 3 ms),", end=" ")
    print(
        f"of {len(rest_ms)} trials {min(rest_ms):.2f} to {max(rest_ms):.2f}; {statistics.median(samples)} samples each"
    )
    measuring.EXTRA_BLOCKS = extra
    print(f"check of its result, C filled with NaN and compared: {statistics.median(checks_ms):.2f} ms")


def restart(backend: CpuBackend, problem: GemmProblem, template: Template, config: Config) -> None:
    good = backend.build(template, problem, config)
    bad = backend.build(
        Template("crash", "", "c.cpp", (("c.cpp", CRASHING),), "c", 1, ("cpu",), (Dtype.FLOAT32,), (Layout.NN,)),
        problem,
        Config({}),
    )
    for name, pause_s in (("a warm spare", 1.0), ("no spare ready", 0.0)):
        times = []
        for _ in range(6):
            kernel_s = backend.sample(good, problem, timeout_s=TIMEOUT_S).wall_us / 1e6
            time.sleep(pause_s)
            with suppress(TrialError):
                backend.sample(bad, problem, timeout_s=TIMEOUT_S)
            if not pause_s:
                with suppress(TrialError):
                    backend.sample(bad, problem, timeout_s=TIMEOUT_S)
            times.append(timed_s(lambda: backend.sample(good, problem, timeout_s=TIMEOUT_S)) - kernel_s)
        print(f"first sample after a crash, {name}: {statistics.median(times):.3f} s beside the call (goal < 0.3 s)")


def trials(
    backend: CpuBackend, problem: GemmProblem, template: Template, configs: list[Config], *, ahead: bool
) -> float:
    reference, plan = backend.reference(problem), MeasurePlan()
    nominal_us = nominal_reference(backend, reference, problem, plan)

    def build(config: Config):
        return backend.build(template, problem, config)

    def try_out(artifact) -> None:
        measure(backend, artifact, reference, problem, plan, nominal_us)

    started = time.perf_counter()
    if ahead:
        with ThreadPoolExecutor(1) as builder:
            coming = builder.submit(build, configs[0])
            for config in [*configs[1:], None]:
                artifact = coming.result()
                if config is not None:
                    coming = builder.submit(build, config)
                try_out(artifact)
    else:
        for config in configs:
            try_out(build(config))
    per_minute = 60 * len(configs) / (time.perf_counter() - started)
    print(f"trials a minute, {'built ahead' if ahead else 'one after the other'}: {per_minute:.0f} (goal >= 40)")
    return per_minute


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024, help="m = n = k")
    parser.add_argument("--trials", type=int, default=40)
    arguments = parser.parse_args()
    problem = GemmProblem(arguments.size, arguments.size, arguments.size, Dtype.FLOAT32)
    with tempfile.TemporaryDirectory() as folder, cpu_backend(Path(folder)) as backend:
        reason = backend.unavailable_because()
        if reason is not None:
            raise SystemExit(reason)
        cpus = len(os.sched_getaffinity(0))
        print(f"{problem.id} on {backend.device}, {cpus} CPUs, load average {os.getloadavg()[0]:.1f}")
        template, configs = configurations(problem, backend, 10 + 2 * arguments.trials)
        builds(backend, problem, template, configs[:10])
        overhead(backend, problem, template, configs[:10])
        restart(backend, problem, template, configs[0])
        half = arguments.trials
        serial = trials(backend, problem, template, configs[10 : 10 + half], ahead=False)
        piped = trials(backend, problem, template, configs[10 + half :], ahead=True)
        print(f"built ahead against one after the other: x{piped / serial:.2f}")
        print(f"load average at the end {os.getloadavg()[0]:.1f}", *backend.health().notes, sep="; ")
