"""Time one built kernel: warm-up, then blocks of one reference call and a few timed calls."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pytest_ascend_tune.model import GemmProblem, Measurement, MeasurePlan, fastest_quarter_mean
from pytest_ascend_tune.protocols import Artifact, Backend

BLOCKS = 4  # reference calls at four moments see slow spells of about a quarter of the trial's length
SLOW_REFERENCE = 1.15  # a block whose reference call takes this much longer than usual is measured again
EXTRA_BLOCKS = 4  # at most so many repeated or added blocks; after that the measurement is marked noisy
STEADY = 0.02  # spread of the fast half (median over fastest quarter, minus 1) that needs no more samples
HOPELESS = 3.0  # after one block, a kernel this many times slower than the best so far needs no precision


def measure(
    backend: Backend,
    artifact: Artifact,
    reference: Artifact | None,
    problem: GemmProblem,
    plan: MeasurePlan,
    nominal_reference_us: float | None,
    *,
    best_us: float | None = None,
) -> Measurement:
    """Measure `artifact`. Raises the TrialErrors of the backend.

    `nominal_reference_us`: time of the reference at the machine's usual speed; without it, or without a reference,
    nothing is scaled. `best_us`: best time so far; a kernel far slower is measured with one block only.
    """

    def call(kernel: Artifact) -> float:
        return backend.sample(kernel, problem, timeout_s=plan.timeout_s).us

    for _ in range(plan.warmup):
        call(artifact)
    per_block = max(1, -(-plan.repeats // BLOCKS))
    kept: list[tuple[float | None, list[float]]] = []
    slow: list[tuple[float | None, list[float]]] = []
    extra = EXTRA_BLOCKS
    while True:
        reference_us = call(reference) if reference is not None else None
        block = (reference_us, [call(artifact) for _ in range(per_block)])
        disturbed = bool(reference_us and nominal_reference_us and reference_us > SLOW_REFERENCE * nominal_reference_us)
        (slow if disturbed else kept).append(block)
        if best_us is not None and fastest_quarter_mean(tuple(block[1])) > HOPELESS * best_us:
            return _measurement([*kept, *slow], nominal_reference_us, noisy=False)
        if len(kept) + len(slow) < BLOCKS:
            continue
        if len(kept) >= BLOCKS and _spread(kept) <= STEADY:
            return _measurement(kept, nominal_reference_us, noisy=False)
        if not extra:
            break
        extra -= 1
    enough = len(kept) >= BLOCKS
    return _measurement(kept if enough else [*kept, *slow], nominal_reference_us, noisy=True)


def _spread(blocks: Sequence[tuple[float | None, list[float]]]) -> float:
    samples = tuple(sample for _, block in blocks for sample in block)
    return statistics.median(samples) / fastest_quarter_mean(samples) - 1.0


def _measurement(
    blocks: Sequence[tuple[float | None, list[float]]], nominal_reference_us: float | None, *, noisy: bool
) -> Measurement:
    return Measurement(
        samples_us=tuple(sample for _, block in blocks for sample in block),
        reference_us=tuple(reference for reference, _ in blocks if reference is not None),
        nominal_reference_us=nominal_reference_us,
        noisy=noisy,
    )


def nominal_reference(
    backend: Backend, reference: Artifact | None, problem: GemmProblem, plan: MeasurePlan
) -> float | None:
    """Usual time of the reference kernel, None without one: measured once at the start of a search."""
    if reference is None:
        return None
    for _ in range(plan.warmup):
        backend.sample(reference, problem, timeout_s=plan.timeout_s)
    return fastest_quarter_mean(
        tuple(backend.sample(reference, problem, timeout_s=plan.timeout_s).us for _ in range(max(plan.repeats, BLOCKS)))
    )
