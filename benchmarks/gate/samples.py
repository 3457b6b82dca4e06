"""Sessions of paired samples: recorded ones, when they are at hand, and fresh ones taken in this run.

A session is a dict of arms, each an array of microseconds, sample i of all arms from the same shuffled round:
A and B do the same work, B5 does 5 % and B10 10 % more, R is another kernel that serves as reference.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROUNDS = 250
ARMS = {"A": (480, 480, 480), "B": (480, 480, 480), "B5": (480, 504, 480), "B10": (480, 528, 480), "R": (384, 384, 384)}


def shared_folder() -> Path:
    """Where recorded data lies: ASCEND_TUNE_SHARED, else `shared` beside the checkout."""
    return Path(os.environ.get("ASCEND_TUNE_SHARED", Path(__file__).parents[3] / "shared"))


def recorded_file() -> Path:
    """Where the recorded sessions lie."""
    return shared_folder() / "data" / "gate_samples_fine.npz"


def load(file: Path) -> list[dict[str, np.ndarray]]:
    """Sessions of a file of arrays (sessions, rounds), one per arm."""
    with np.load(file) as data:
        arms = {name: data[name] for name in ARMS}
    return [{name: arms[name][session] for name in ARMS} for session in range(len(arms["A"]))]


def save(file: Path, sessions: list[dict[str, np.ndarray]]) -> None:
    """The form that `load` reads."""
    np.savez_compressed(file, **{name: np.array([session[name] for session in sessions]) for name in ARMS})


def fresh(sessions: int, seed: int = 0, pause_s: float = 0.0) -> Iterator[dict[str, dict[str, np.ndarray]]]:
    """Take sessions of matrix products (m, k, n) with new buffers each: {"wall": arms, "thread CPU": arms}.

    `pause_s` between two sessions spreads them over more states of the machine.
    """
    generator = np.random.default_rng(seed)
    for _ in range(sessions):
        operands = {
            name: (
                generator.standard_normal((m, k), dtype=np.float32),
                generator.standard_normal((k, n), dtype=np.float32),
                np.empty((m, n), dtype=np.float32),
            )
            for name, (m, k, n) in ARMS.items()
        }
        wall = {name: np.empty(ROUNDS) for name in ARMS}
        cpu = {name: np.empty(ROUNDS) for name in ARMS}
        for index in range(-3, ROUNDS):  # negative rounds warm up
            for name in generator.permutation(list(ARMS)):
                a, b, c = operands[name]
                cpu_ns, wall_ns = time.thread_time_ns(), time.perf_counter_ns()
                np.matmul(a, b, out=c)
                wall_ns, cpu_ns = time.perf_counter_ns() - wall_ns, time.thread_time_ns() - cpu_ns
                if index >= 0:
                    wall[name][index], cpu[name][index] = wall_ns / 1e3, cpu_ns / 1e3
        yield {"wall": wall, "thread CPU": cpu}
        time.sleep(pause_s)
