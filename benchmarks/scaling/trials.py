"""Trials per minute of one search on 1, 2, 4 and 8 simulated devices, and on 1 and 8 actors of a local Ray cluster.

    python -m benchmarks.scaling trials [--ray] [--trials N] [--time-scale SHARE]

The simulator sleeps as long as a board would be busy (8 s for a build, 0.3 s for a check, a millisecond for a sample),
times SHARE; the search itself is real. One device builds likely next configurations ahead, as it does in use. To reach:
8 devices make >= 6 times the trials per minute of one.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import tempfile
import time
from contextlib import closing
from pathlib import Path

from pytest_ascend_tune.backends.simulator.backend import SimulatorBackend
from pytest_ascend_tune.execute import executors
from pytest_ascend_tune.execute.multi_device import LocalDevice, MultiDevice
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions, BackendRecipe, Executor, Job, Strategy
from pytest_ascend_tune.tuning.loop import trials

PROBLEM = GemmProblem(4096, 4096, 4096, "float16")
DEVICES = (1, 2, 4, 8)
TIME_SCALE = "ASCEND_TUNE_BENCHMARK_TIME_SCALE"


def per_minute(executor: Executor, count: int) -> float:
    """Trials per minute of one search, without the opening of the devices."""
    backend = SimulatorBackend()
    template, space = load_template(backend.default_template)
    job = Job(PROBLEM, template, space.bind(backend.facts(), PROBLEM), backend)
    with closing(executor):
        start = time.monotonic()
        with closing(trials(job, Strategy(count, seed=3), executor)) as search:
            made = len(list(itertools.islice(search, count)))
        return 60 * made / (time.monotonic() - start)


def local(devices: int, time_scale: float) -> Executor:
    boards = [SimulatorBackend(real_time=True, time_scale=time_scale) for _ in range(devices)]
    return (
        SingleDevice(boards[0])
        if devices == 1
        else MultiDevice([LocalDevice(str(i), board) for i, board in enumerate(boards)])
    )


def slow_boards() -> None:
    """In the processes of Ray's actors: simulators that they create take as long as a board."""
    slow = {"real_time": True, "time_scale": float(os.environ[TIME_SCALE])}
    SimulatorBackend.__init__ = functools.partialmethod(SimulatorBackend.__init__, **slow)


def on_ray(actors: int, folder: Path) -> Executor:
    recipe = BackendRecipe("simulator", BackendOptions(folder, devices=tuple(range(actors))))
    return executors.connect("ray", SimulatorBackend(), recipe, recipe.options.devices)


def print_growth(label: str, rates: dict[int, float]) -> None:
    for count, rate in rates.items():
        print(f"{label} {count}: {rate:6.1f} trials a minute, {rate / rates[1]:.2f} times one", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--time-scale", type=float, default=0.1)
    parser.add_argument("--ray", action="store_true", help="a Ray cluster of this machine instead of threads")
    options = parser.parse_args()
    if not options.ray:
        rates = {count: per_minute(local(count, options.time_scale), options.trials) for count in DEVICES}
        print_growth("devices", rates)
        return
    import ray

    with tempfile.TemporaryDirectory() as folder:
        environment = {TIME_SCALE: str(options.time_scale)}
        ray.init(
            num_cpus=1,
            include_dashboard=False,
            log_to_driver=False,
            runtime_env={"env_vars": environment, "worker_process_setup_hook": slow_boards},
        )
        rates = {count: per_minute(on_ray(count, Path(folder)), options.trials) for count in (1, 8)}
        print_growth("actors", rates)
        ray.shutdown()
