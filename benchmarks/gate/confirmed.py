"""Is a confirmed speed what the kernel really has? Short confirmations between the blocks of one long measurement.

python -m benchmarks.gate confirmed [--sizes 512 1024] [--repeats 10] [--block-s 3] [--hogs 0]

Each confirmation is the product's own (`gate.sampling.confirm`) in a new process with new buffers. Before, between and
after them the same build is sampled in the same way for `--block-s` seconds: one call a round, every other round one
of the reference too, every tenth a reading of the peak. The mean over all blocks is the long measurement, some ten
times as long as a confirmation and spread over the same minutes. Compared with it:

- relative: the kernel's speed over the reference's, both from the same rounds (`Confirmation.vs_reference`)
- efficiency: the share of the peak, read in the same rounds (`Confirmation.efficiency_share`)
- rate: TFLOPS alone; it moves with the machine's clock, so the wander of the reference's own rate from block to block,
  in which our kernel has no part, is printed beside it

Times of a confirmation or a block are fastest-quarter means; its peak is the mean of the highest quarter of readings.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pytest_ascend_tune import GemmProblem, backends
from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm
from pytest_ascend_tune.execute.rounds import Rounds, SampledKernel
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.confirmation import ArmRole
from pytest_ascend_tune.model.protocols import Artifact, Backend, BackendOptions, Rechecking, Restartable

REFERENCE_EVERY, PEAK_EVERY = 2, 10  # as a confirmation that has no baseline to compare with
TIMEOUT_S = 60.0
HOG = "import itertools; all(True for _ in itertools.count())"


@dataclass(frozen=True)
class Figures:
    """What a confirmation or a block says: speed over the reference's, share of the peak, TFLOPS."""

    relative: float
    efficiency: float
    rate: float


def measured(backend: Backend, kernel: Artifact, reference: Artifact, problem: GemmProblem, seconds: float) -> Figures:
    """A block of the long measurement."""
    rounds, until_s = Rounds(backend, problem, timeout_s=TIMEOUT_S, seed="long"), time.monotonic() + seconds
    sampled = SampledKernel(ArmRole.FINALIST, kernel), SampledKernel(ArmRole.REFERENCE, reference, REFERENCE_EVERY)
    peaks_tflops = []
    for one in sampled:
        rounds.warm_up(one, ConfirmPlan.warmup)
    while time.monotonic() < until_s:
        peaks_tflops.append(backend.peak_tflops(problem))
        rounds.take(sampled, PEAK_EVERY)
    kernel_us, reference_us = (one.arm().time_us for one in sampled)
    best = sorted(peaks_tflops, reverse=True)[: math.ceil(len(peaks_tflops) / 4)]
    rate = problem.tflops(kernel_us)
    return Figures(reference_us / kernel_us, rate / fmean(best), rate)


@contextmanager
def hogs(count: int) -> Iterator[None]:
    """So many processes that only use up CPU."""
    processes = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def run(size: int, repeats: int, block_s: float, backend: Backend) -> None:
    problem = GemmProblem(size, size, size, "float32")
    template, space = load_template(backend.default_template)
    default = space.bind(backend.facts(), problem).default
    reference = backend.reference(problem)
    assert default is not None
    assert reference is not None
    assert isinstance(backend, Restartable)
    kernel = backend.build(template, problem, default)
    assert isinstance(backend, Rechecking)
    blocks, found, seconds, checks = [measured(backend, kernel, reference, problem, block_s)], [], [], []
    recheck = backend.recheck

    def timed(*positional: Any, **named: Any) -> None:
        started = time.monotonic()
        recheck(*positional, **named)
        checks.append(time.monotonic() - started)

    backend.recheck = timed  # type: ignore[method-assign]
    for seed in range(repeats):
        backend.restart()
        confirmation = confirm(backend, problem, [kernel], None, reference, ConfirmPlan(seed=seed))
        assert confirmation is not None
        assert confirmation.vs_reference is not None
        found.append(Figures(confirmation.vs_reference, confirmation.efficiency_share, confirmation.tflops))
        seconds.append(confirmation.seconds)
        blocks.append(measured(backend, kernel, reference, problem, block_s))
    print(f"\n{problem.id} on {backend.device}, load average {os.getloadavg()[0]:.1f}: {repeats} confirmations of "
          f"{min(seconds):.1f} to {max(seconds):.1f} s, {len(blocks)} blocks of {block_s:g} s")  # fmt: skip
    backend.recheck = recheck  # type: ignore[method-assign]
    print(f"  checks after the samples: {sum(checks) / sum(seconds):.1%} of the time of a confirmation (goal <= 10 %), "
          f"{len(checks) / repeats:.1f} a confirmation, {sum(checks) / len(checks) * 1e3:.0f} ms each")  # fmt: skip
    for name in ("relative", "efficiency", "rate"):
        truth = fmean(getattr(block, name) for block in blocks)
        off = [getattr(one, name) / truth - 1 for one in found]
        each = " ".join(f"{share:+.1%}" for share in off)
        print(f"  {name:10} worst {max(map(abs, off)):.2%}, rms {math.hypot(*off) / len(off) ** 0.5:.2%}  ({each})")
    rates = [block.rate / block.relative for block in blocks]
    wander = [rate / fmean(rates) - 1 for rate in rates]
    print(f"  the reference's own rate, block by block: {min(wander):+.1%} to {max(wander):+.1%} of its mean")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[512, 1024])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--block-s", type=float, default=3.0, help="seconds of each block of the long measurement")
    parser.add_argument("--hogs", type=int, default=0, help="CPU hogs beside it")
    options = parser.parse_args()
    backend = backends.create("cpu", options=BackendOptions(Path(tempfile.gettempdir()) / "ascend-tune-benchmark"))
    with hogs(options.hogs):
        for size in options.sizes:
            run(size, options.repeats, options.block_s, backend)
    backend.close()
