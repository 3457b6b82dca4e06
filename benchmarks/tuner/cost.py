"""CPU seconds of a suggestion, one thread: python -m benchmarks.tuner cost [LEGAL ...]."""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.tuner.spaces import KnownSpace
from pytest_ascend_tune.tuning.tuner import Tuner

LEVELS = (4, 4, 5, 5, 2, 2, 5, 4, 8)  # nine parameters, 256,000 combinations


def made_up(legal: int) -> KnownSpace:
    """`legal` random combinations with a smooth, uneven time."""
    rng = np.random.default_rng(0)
    rows = rng.choice(int(np.prod(LEVELS)), legal, replace=False)
    values = np.stack(np.unravel_index(rows, LEVELS), axis=1)
    scaled = values / (np.array(LEVELS) - 1)
    time_us = np.exp((scaled - 0.6) ** 2 @ np.linspace(0.3, 2.0, len(LEVELS)) + 0.5 * scaled[:, 0] * scaled[:, 3])
    return KnownSpace(f"made_up_{legal}", [f"p{number}" for number in range(len(LEVELS))], values, time_us)


def main() -> None:
    """Command line."""
    print("| legal | a suggestion, mean of trials 11-100 | largest | ask(4), mean |\n|---|---|---|---|")
    for legal in [int(argument) for argument in sys.argv[1:]] or [20_000, 250_000]:
        space = made_up(legal)
        tuner, single, batch = Tuner(space), [], []
        for trial in range(100):
            began = time.process_time()
            config = tuner.ask()
            single.append(time.process_time() - began)
            tuner.tell(config, 1.0 / float(space.time[space.row(config)]))
            if trial % 10 == 9:
                began = time.process_time()
                tuner.peek(4)
                batch.append(time.process_time() - began)
        late = single[10:]
        print(f"| {legal:,} | {np.mean(late):.3f} s | {max(late):.3f} s | {np.mean(batch):.3f} s |", flush=True)
