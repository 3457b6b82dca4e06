"""Do the clocks of a kernel agree? Time that the device's clock does not see is no speed.

The time of a call is the CPU time of its slowest thread. Work in a thread that nobody declared shows in the CPU time of
the whole process; sleeping, or waiting for another process, shows on the wall clock. That one also counts what
neighbours take of the CPU: the interleaved reference kernel, in the same rounds, says how much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median, quantiles

from pytest_ascend_tune.model.measurement import Sample

OWN_THREADS_FACTOR = 1.1  # CPU time of the process over that of its declared threads; two clocks are read in turn
WAITING_FACTOR = 1.5  # wall over CPU time, beside the reference's own: chance and short spells of the neighbours
UNKNOWN_NEIGHBOUR = 4.0  # without a reference: as if three others wanted the same CPU all the time
NEGLIGIBLE_US = 20.0  # a call: reading the clocks; the shortest sleep takes 50


def disbelief(samples: Sequence[Sample], reference: Sequence[Sample]) -> str | None:
    """Why the times of `samples` cannot be believed, None when they can.

    Only the fastest quarter is looked at: the time of a kernel is made of it. Nothing is said of backends whose samples
    have no CPU time of the process.
    """
    fastest = sorted(samples, key=lambda sample: sample.us)[: max(1, math.ceil(len(samples) / 4))]
    if not fastest or any(sample.process_us is None for sample in fastest):
        return None
    threads = fastest[0].threads
    own_us = median(sample.us for sample in fastest)
    process_us = median(sample.process_us or 0.0 for sample in fastest)
    # One that waits does so in each of its fast calls; neighbours leave at least one of an honest kernel's alone.
    wall_us = min(sample.wall_us * own_us / sample.us for sample in fastest if sample.us > 0) if own_us > 0 else 0.0
    if process_us > OWN_THREADS_FACTOR * threads * own_us + NEGLIGIBLE_US:
        return (
            f"its time cannot be believed: its {_threads(threads)} worked {own_us:.4g} us a call and the whole process "
            f"{process_us:.4g} us: it works in threads that are not declared. Declared are as many as "
            "the backend is given, and each tells its CPU time in ascend_tune_thread_ns"
        )
    explained_us = own_us if threads == 1 else max(own_us, process_us)
    neighbour = _waiting(reference) if reference else UNKNOWN_NEIGHBOUR
    if wall_us > WAITING_FACTOR * neighbour * explained_us + NEGLIGIBLE_US:
        beside = (
            f"{neighbour:.3g} times for the reference kernel beside it" if reference else "with no reference kernel"
        )
        return (
            f"its time cannot be believed: it worked {own_us:.4g} us a call and took {wall_us:.4g} us on the wall "
            f"clock, {wall_us / own_us:.3g} times as long ({beside}): it sleeps, or waits for work done elsewhere"
        )
    return None


def _waiting(reference: Sequence[Sample]) -> float:
    """Wall over CPU time of the reference in its slow quarter of samples: what neighbours do at times."""
    ratios = [
        sample.wall_us / (sample.us if sample.threads == 1 else max(sample.us, sample.process_us or 0.0))
        for sample in reference
        if sample.us > 0
    ]
    if not ratios:
        return UNKNOWN_NEIGHBOUR
    return max(1.0, quantiles(ratios, n=4, method="inclusive")[2] if len(ratios) > 1 else ratios[0])


def _threads(count: int) -> str:
    return "thread" if count == 1 else f"slowest of {count} threads"
