"""`python -m benchmarks.cpu_gemm compare|effects|builds`: see README.md."""

from __future__ import annotations

import argparse
import ctypes
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.cpu_gemm.contenders import Contender, Task, has_torch
from benchmarks.cpu_gemm.statistics import fastest_quarter, speed_ratio
from pytest_ascend_tune import GemmProblem, Tuner
from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.session.confirm import FINALISTS

SHAPES = ("1024x1024x1024", "2048x2048x2048", "777x1111x513", "16x4096x4096", "2048x2048x64")
SEARCH_CALLS = 16  # of each configuration, about as many as the product takes
RACE_ROUNDS = 40
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
PEAK_SOURCE = Path(cpu_facts.__file__).with_name("fma_peak.cpp")
TEMPLATE, SPACE = load_template("cpu_gemm")


class Builder:
    """Compiles configurations into a temporary folder; each once."""

    def __init__(self, folder: Path, dtype: str = "float32") -> None:
        self._folder, self._dtype = folder, dtype
        self._built: dict[Config, Path] = {}
        self.cpu_s: list[float] = []
        for name, text in TEMPLATE.files:
            (folder / name).write_text(text)

    def build(self, config: Config) -> str:
        if config not in self._built:
            target = self._folder / f"{len(self._built)}.so"
            macros = (*TEMPLATE.macros(config), f"-DDTYPE_{self._dtype.upper()}")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = ["g++", *FLAGS, *macros, str(self._folder / TEMPLATE.source), "-o", str(target)]
            subprocess.run(command, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.cpu_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            self._built[config] = target
        return str(self._built[config])


def fma_peak(folder: Path) -> Callable[[], float]:
    """GFLOPS of multiply-adds on registers, one thread."""
    target = folder / "peak.so"
    subprocess.run(["g++", *FLAGS, str(PEAK_SOURCE), "-o", str(target)], check=True)
    function = ctypes.CDLL(str(target)).ascend_tune_fma_peak
    function.restype = ctypes.c_double
    return lambda: float(function())


def tuned(task: Task, space: SearchSpace, builder: Builder, trials: int, seed: int) -> Config:
    """Search with the product's own tuner on the ratio to a library, then race the best on fresh samples."""
    problem = task.problem
    tuner, reference, ours = (
        Tuner(space, seed, problem=problem),
        Contender(libraries(task)[0], task),
        Contender("ours", task),
    )
    values: dict[Config, float] = {}
    for _ in range(min(trials, space.candidates(problem).total)):
        config = tuner.ask()
        ours.load(builder.build(config))
        before, own, after = reference.time_us(4), ours.time_us(SEARCH_CALLS), reference.time_us(4)
        values[config] = min(before + after) / float(fastest_quarter(np.array(own)))
        tuner.tell(config, values[config])
    reference.close()
    ours.close()
    finalists = sorted(values, key=lambda config: -values[config])[:FINALISTS]
    arms = {str(config): with_kernel(task, builder.build(config)) for config in finalists}
    samples, _ = interleaved(arms, RACE_ROUNDS, lambda: 0.0)
    for contender in arms.values():
        contender.close()
    return min(finalists, key=lambda config: float(fastest_quarter(samples[str(config)])))


def interleaved(
    arms: dict[str, Contender], rounds: int, peak: Callable[[], float]
) -> tuple[dict[str, np.ndarray], float]:
    """One call of every arm in each round, in shuffled order; and the peak, measured in between."""
    rng = np.random.default_rng(1)
    samples: dict[str, list[float]] = {name: [] for name in arms}
    peaks = []
    for _ in range(rounds):
        for name in rng.permutation(list(arms)):
            samples[name] += arms[name].time_us()
        peaks.append(peak())
    return {name: np.array(times) for name, times in samples.items()}, -float(fastest_quarter(-np.array(peaks)))


def with_kernel(task: Task, path: str) -> Contender:
    contender = Contender("ours", task)
    contender.load(path)
    return contender


def compare(options: argparse.Namespace, folder: Path) -> None:
    """Default and best tuned configuration against the libraries, fresh samples in one run."""
    builder, peak = Builder(folder, options.dtype), fma_peak(folder)
    for task in tasks(options):
        space = SPACE.bind(facts(task.threads), task.problem)
        best = tuned(task, space, builder, options.trials, options.seed)
        assert space.default is not None
        arms = {
            "default": with_kernel(task, builder.build(space.default)),
            "tuned": with_kernel(task, builder.build(best)),
        }
        others = {name: Contender(name, task) for name in libraries(task)}
        samples, peak_gflops = interleaved({**arms, **others}, options.rounds, peak)
        print(f"\n{task}, {task.threads} thread(s), {options.trials} trials, {options.rounds} rounds; tuned: {best}")
        for name, times in samples.items():
            gflops = task.problem.flops / float(fastest_quarter(times)) / 1e3
            line = f"  {name:9}{gflops:8.1f} GFLOPS"
            if task.dtype == "float32":
                line += f" {gflops / peak_gflops / task.threads:6.1%} of the FMA peak"
            if name in arms:
                for library in others:
                    ratio, low, high = speed_ratio(times, samples[library])
                    line += f"   {ratio:.3f} [{low:.3f}, {high:.3f}] of {library}"
            else:
                line += f"   ({others[name].about})"
            print(line, flush=True)
        for contender in (*arms.values(), *others.values()):
            contender.close()


def effects(options: argparse.Namespace, folder: Path) -> None:
    """One parameter changed at a time, paired with its base in every round."""
    builder = Builder(folder, options.dtype)
    for task in tasks(options):
        problem = task.problem
        space = SPACE.bind(facts(task.threads), problem)
        own, other = Contender("ours", task), Contender("ours", task)
        print(f"\n{task}, {task.threads} thread(s): change of speed against the base of each parameter")
        for parameter in space.parameters:
            base, levels = living_levels(space, problem, parameter.name)
            if not levels:
                print(f"  {parameter.name:18}dead here: every value does the same work for this shape")
                continue
            own.load(builder.build(base))
            print(f"  {parameter.name} of ({base})")
            for value in levels:
                other.load(builder.build(Config({**base, parameter.name: value})))
                pairs = np.array([(own.time_us()[0], other.time_us()[0]) for _ in range(options.rounds)])
                ratio, low, high = speed_ratio(pairs[:, 1], pairs[:, 0])
                sure = "" if low > 1 or high < 1 else "  not significant"
                print(f"  {value:24}{ratio - 1:+8.1%} [{low - 1:+.1%}, {high - 1:+.1%}]{sure}", flush=True)
        own.close()
        other.close()


# Bases beside the default, for what is dead or hardly free with it: short steps, several tiles along n, short blocks.
OTHER_BASES = ({"l0_k": 64}, {"tile_n": 256}, {"l1_k": 32, "l0_k": 32})


def living_levels(space: SearchSpace, problem: GemmProblem, name: str) -> tuple[Config, list[int | str]]:
    """A base with which other values of the parameter do other work for the problem, and those values.

    The first with two such values (one, for a flag), else the first with any.
    """
    rows, default = space.candidates(problem), space.default
    assert default is not None
    (parameter,) = (parameter for parameter in space.parameters if parameter.name == name)
    found: tuple[Config, list[int | str]] = (default, [])
    for changes in ({}, *OTHER_BASES):
        base = Config({**default, **changes})
        levels = [
            level
            for level in parameter.levels
            if not space.why_illegal(config := Config({**base, name: level}), problem)
            and rows.row(config) != rows.row(base)
        ]
        if len(levels) > 1 or len(levels) == len(parameter.levels) - 1:
            return base, levels
        found = found if found[1] else (base, levels)
    return found


def builds(options: argparse.Namespace, folder: Path) -> None:
    """CPU time of a build, and how many fit into a minute of one core."""
    builder = Builder(folder, options.dtype)
    rows = SPACE.bind(facts(1)).candidates(Task(1024, 1024, 1024, dtype=options.dtype).problem, limit=options.trials)
    started = time.perf_counter()
    for config in rows:
        builder.build(config)
    wall_s = (time.perf_counter() - started) / len(rows)
    low, median, high = np.quantile(builder.cpu_s, [0.1, 0.5, 0.9])
    print(f"{len(rows)} builds: {median:.2f} s CPU time each (10 % {low:.2f}, 90 % {high:.2f});")
    print(f"{wall_s:.2f} s on the wall clock, {60 / wall_s:.0f} a minute one after the other")


def libraries(task: Task) -> list[str]:
    """numpy's BLAS knows no bfloat16."""
    return ["openblas"] * (task.dtype == "float32") + ["torch"] * has_torch()


def facts(threads: int) -> dict[str, int]:
    return {**cpu_facts.cache_bytes(), "threads": threads}


def tasks(options: argparse.Namespace) -> list[Task]:
    sizes = [tuple(map(int, shape.split("x"))) for shape in options.shape]
    return [Task(m, n, k, threads=options.threads, dtype=options.dtype) for m, n, k in sizes]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cpu_gemm", description=__doc__)
    commands = {"compare": compare, "effects": effects, "builds": builds}
    parser.add_argument("command", choices=commands)
    parser.add_argument("--shape", action="append", help=f"MxNxK, may be repeated (default: {' '.join(SHAPES)})")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--trials", type=int, default=40, help="trials of the tuner, or number of builds")
    parser.add_argument("--rounds", type=int, default=60, help="interleaved rounds")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.shape = options.shape or list(SHAPES)
    with tempfile.TemporaryDirectory() as folder:
        commands[options.command](options, Path(folder))


if __name__ == "__main__":
    main()
