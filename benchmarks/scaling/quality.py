"""What trials in flight cost a search: its best after 50 trials on eight simulated devices, over the best of all.

python -m benchmarks.scaling quality
"""

from __future__ import annotations

import itertools
import statistics
from contextlib import closing

from pytest_ascend_tune.backends.simulator.backend import SimulatorBackend
from pytest_ascend_tune.execute.multi_device import LocalDevice, MultiDevice
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Job, Strategy
from pytest_ascend_tune.tuning.loop import trials

PROBLEMS = ("4096x4096x4096-float16-nn", "128x11008x4096-bfloat16-nt")
DEVICES, TRIALS, SEEDS, WINDOWS = 8, 50, 8, (1, 8, 10, 16)


class Window(MultiDevice):
    """So many trials in flight, whatever the number of devices."""

    def __init__(self, width: int) -> None:
        super().__init__([LocalDevice(str(number), SimulatorBackend()) for number in range(DEVICES)])
        self._width = width

    @property
    def width(self) -> int:
        return self._width


def best_tflops(problem: GemmProblem, width: int, seed: int) -> float:
    backend = SimulatorBackend()
    template, space = load_template(backend.default_template)
    job = Job(problem, template, space.bind(backend.facts(), problem), backend)
    executor = SingleDevice(backend) if width == 1 else Window(width)
    with closing(trials(job, Strategy(TRIALS, seed), executor)) as search:
        times_us = [trial.time_us for trial in itertools.islice(search, TRIALS)]
    return problem.tflops(min(time_us for time_us in times_us if time_us))


def main() -> None:
    for name in PROBLEMS:
        problem = GemmProblem.from_id(name)
        best = {width: [best_tflops(problem, width, seed) for seed in range(SEEDS)] for width in WINDOWS}
        top = max(map(max, best.values()))
        for width, found in best.items():
            median, worst = statistics.median(found) / top, min(found) / top
            print(
                f"{name}, {width:2d} in flight: median {median:.2%} of the best of all, worst {worst:.2%}", flush=True
            )
