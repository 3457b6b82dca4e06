"""Time one built kernel: warm-up, then blocks of one reference call and a few timed calls."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pytest_ascend_tune.model.measurement import Measurement, MeasurePlan, fastest_quarter_mean
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Artifact, Backend, Batching, is_given_up

BLOCKS = 4  # reference calls at four moments see slow spells of about a quarter of the trial's length
SLOW_REFERENCE = 1.15  # a block whose reference call takes this much longer than usual is measured again
EXTRA_BLOCKS = 4  # at most so many repeated or added blocks; after that the measurement is marked noisy
STEADY = 0.02  # spread of the fast half (median over fastest quarter, minus 1) that needs no more samples
GIVE_UP_FACTOR = 3.0  # after one block, a kernel this many times slower than the best so far needs no precision

Block = tuple[float | None, Sequence[float]]  # time of the reference call, times of the kernel


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
    """Verify and measure `artifact`. Raises the TrialErrors of the backend.

    `nominal_reference_us`: time of the reference at the machine's usual speed; without it, or without a reference,
    nothing is scaled. `best_us`: best time so far; a kernel far slower is measured with one block only.
    """
    pattern = [*([] if reference is None else [reference]), *[artifact] * max(1, -(-plan.repeats // BLOCKS))]
    kept: list[Block] = []
    slow: list[Block] = []
    extra = EXTRA_BLOCKS
    untimed = [artifact] * plan.warmup
    give_up = None if best_us is None else (len(untimed) + len(pattern), GIVE_UP_FACTOR * best_us)
    times_us = _times_us(backend, untimed + pattern * BLOCKS, problem, plan, verify=True, give_up=give_up)
    times_us = times_us[len(untimed) :]
    while True:
        for start in range(0, len(times_us), len(pattern)):
            block = _block(times_us[start : start + len(pattern)], reference)
            disturbed = block[0] and nominal_reference_us and block[0] > SLOW_REFERENCE * nominal_reference_us
            (slow if disturbed else kept).append(block)
        if len(kept) + len(slow) < BLOCKS:  # given up
            return _measurement([*kept, *slow], nominal_reference_us, noisy=False)
        if len(kept) >= BLOCKS and _spread(kept) <= STEADY:
            return _measurement(kept, nominal_reference_us, noisy=False)
        if not extra:
            break
        extra -= 1
        times_us = _times_us(backend, pattern, problem, plan)
    enough = len(kept) >= BLOCKS
    return _measurement(kept if enough else [*kept, *slow], nominal_reference_us, noisy=True)


def _block(times_us: Sequence[float], reference: Artifact | None) -> Block:
    return (None, times_us) if reference is None else (times_us[0], times_us[1:])


def _times_us(
    backend: Backend,
    kernels: Sequence[Artifact],
    problem: GemmProblem,
    plan: MeasurePlan,
    *,
    verify: bool = False,
    give_up: tuple[int, float] | None = None,
) -> list[float]:
    """Time of one call of each, in one request where the backend can; `verify`, `give_up`: see protocols.Batching."""
    if isinstance(backend, Batching):
        samples = backend.samples(kernels, problem, timeout_s=plan.timeout_s, verify=verify, give_up=give_up)
        return [sample.us for sample in samples]
    if verify:
        backend.verify(kernels[-1], problem, timeout_s=plan.timeout_s)
    times_us: list[float] = []
    for kernel in kernels:
        times_us.append(backend.sample(kernel, problem, timeout_s=plan.timeout_s).us)
        if is_given_up(times_us, kernels, give_up):
            break
    return times_us


def _spread(blocks: Sequence[Block]) -> float:
    samples = tuple(sample for _, block in blocks for sample in block)
    return statistics.median(samples) / fastest_quarter_mean(samples) - 1.0


def _measurement(blocks: Sequence[Block], nominal_reference_us: float | None, *, noisy: bool) -> Measurement:
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
    calls = plan.warmup + max(plan.repeats, BLOCKS)
    return fastest_quarter_mean(tuple(_times_us(backend, [reference] * calls, problem, plan)[plan.warmup :]))
