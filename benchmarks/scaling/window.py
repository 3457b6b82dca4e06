"""How busy eight devices are when results are told in order: share of the time, by trials in flight. Arithmetic only.

    python -m benchmarks.scaling window

The trial after next can only be proposed when the oldest has been told, so a device that is done early may wait. It is
what execute/multi_device.py's SPARE_SHARE is chosen by.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable

DEVICES, TRIALS, WINDOWS = 8, 5000, (8, 9, 10, 12, 16)
DURATIONS: dict[str, Callable[[random.Random], float]] = {
    "all the same": lambda chance: 1.0,
    "0.7 to 1.3": lambda chance: chance.uniform(0.7, 1.3),
    "lognormal, sigma 0.3": lambda chance: chance.lognormvariate(0.0, 0.3),
    "every fifth fails at once": lambda chance: 0.1 if chance.random() < 0.2 else chance.uniform(0.8, 1.2),
    "every hundredth takes 6": lambda chance: 6.0 if chance.random() < 0.01 else chance.uniform(0.8, 1.2),
}


def busy_share(window: int, duration: Callable[[random.Random], float]) -> float:
    chance = random.Random(1)
    free = [0.0] * DEVICES  # when each device has nothing to do
    told: list[float] = []  # when each trial was told
    busy = 0.0
    for number in range(TRIALS):
        proposed = told[number - window] if number >= window else 0.0
        took = duration(chance)
        end = max(heapq.heappop(free), proposed) + took
        heapq.heappush(free, end)
        told.append(max(end, told[-1] if told else 0.0))
        busy += took
    return busy / (DEVICES * told[-1])


def main() -> None:
    print(f"{'in flight':28s}" + "".join(f"{window:7d}" for window in WINDOWS))
    for name, duration in DURATIONS.items():
        print(f"{name:28s}" + "".join(f"{busy_share(window, duration):7.0%}" for window in WINDOWS))
