"""Configurations a minute of 4096^3 float16 (compile, read, time) and the verify of 1024^3; and ranking sanity.

``python -m benchmarks.triton speed PYTHON [--configs 40] [--workers 2]``; PYTHON has triton-ascend and ascendnpu-ir.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np

from pytest_ascend_tune.backends.hivm.chain import Chain, find_tools
from pytest_ascend_tune.backends.hivm.execute import execute
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.timeline import Simulated, simulate
from pytest_ascend_tune.model.errors import BuildError
from pytest_ascend_tune.model.hardware import spec
from tests.hivm.cases import Case

CHIP = spec("910B3")
BEST = Case(4096, 4096, 4096, (128, 256, 256), cores=20, group=3, shift_k=1, options={"multibuffer": True})


def draw(rng: random.Random) -> Case:
    """A random configuration of triton_gemm on 4096^3."""
    return replace(
        BEST,
        tile=(rng.choice([64, 128, 256]), rng.choice([64, 128, 256]), rng.choice([64, 128, 256, 512])),
        group=rng.randint(1, 4),
        along_n=rng.randint(0, 1),
        shift_k=rng.randint(0, 1),
        options={"multibuffer": rng.random() < 0.5},
    )


def time_of(chain: Chain, case: Case) -> Simulated:
    """Compile and run in virtual time."""
    return simulate(read_program(case.compile(chain)), [None] * 3, case.cores, CHIP)


def cpu_s() -> float:
    """CPU seconds of this process and of the children that have ended."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def several(python: str, seed: int, count: int) -> tuple[int, float, float]:
    """(refused, TFLOPS of the best, CPU seconds) of `count` configurations, in one process."""
    begin = cpu_s()
    rng, refused, best = random.Random(seed), 0, 0.0
    with Chain(find_tools(python)) as chain:
        for _ in range(count):
            try:
                best = max(best, 2 * 4096**3 / time_of(chain, draw(rng)).time_us / 1e6)
            except BuildError:
                refused += 1
    return refused, best, cpu_s() - begin


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python")
    parser.add_argument("--configs", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    share = given.configs // given.workers
    begin = time.perf_counter()
    with ProcessPoolExecutor(given.workers) as pool:
        told = list(
            pool.map(several, [given.python] * given.workers, range(2, 2 + given.workers), [share] * given.workers)
        )
    seconds = time.perf_counter() - begin
    done = share * given.workers
    print(f"{done} of 4096^3 in {seconds:.1f} s: {done / seconds * 60:.0f} a minute, {given.workers} at once")
    print(
        f"refused by the compiler: {sum(no for no, _, _ in told)}; best {max(best for _, best, _ in told):.0f} TFLOPS"
    )
    print(f"CPU seconds of one: {sum(used for _, _, used in told) / done:.2f}, the start of two front ends included")
    with Chain(find_tools(given.python)) as chain:
        case = replace(BEST, m=1024, n=1024, k=1024, tile=(128, 128, 128))
        program = read_program(case.compile(chain))
        operands, right = case.operands()
        times, used = [], []
        for _ in range(3):
            begin, begin_cpu = time.perf_counter(), cpu_s()
            execute(program, operands, case.cores)
            times.append(time.perf_counter() - begin)
            used.append(cpu_s() - begin_cpu)
        assert np.array_equal(operands[-1], right)
        print(f"verify of 1024^3 on all {case.cores} cores: {min(times):.2f} s, {min(used):.2f} s of CPU (best of 3)")
        for name, better, worse in (
            ("multi-buffer on > off", BEST, replace(BEST, options={"multibuffer": False})),
            ("K block 256 > 128", BEST, replace(BEST, tile=(128, 256, 128))),
            ("K block 128 > 64", replace(BEST, tile=(128, 256, 128)), replace(BEST, tile=(128, 256, 64))),
            ("K start shifted > not", BEST, replace(BEST, shift_k=0)),
            ("even > tails (4096 > 4080)", BEST, replace(BEST, m=4080, n=4080, k=4080)),
        ):
            one, other = time_of(chain, better), time_of(chain, worse)
            print(f"{name}: {one.time_us:.0f} us, {other.time_us:.0f} us")
