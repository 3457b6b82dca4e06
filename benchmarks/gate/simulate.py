"""Seeded simulation of confirmations under three kinds of noise: how often is an unchanged kernel called slower?

Every test goes through the product's own ``confirm`` (all looks, the second take, the session's confidence) on a
backend that replays simulated times. Nearly all of 20,000 unchanged tests cannot become a finding, because the two
estimates that a finding needs stay below their limits at every look; those are told apart in bulk first, so that the
simulation takes minutes. The kinds of noise are worse than what was recorded: bursts of 20 samples that last over
several rounds, a machine whose speed walks away, and a kernel that is fast or slow by turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm
from pytest_ascend_tune.execute.confirmation import LOOK_EVERY
from pytest_ascend_tune.gate.statistics import loses, speed_ratios
from pytest_ascend_tune.model.confirmation import CompareStatus
from pytest_ascend_tune.model.measurement import Health, Sample
from pytest_ascend_tune.model.problem import Config, GemmProblem

PROBLEM = GemmProblem(1024, 1024, 1024, "float32")
BATCH = 1000
TESTS_OF_A_SESSION = 50


def in_bursts(
    generator: np.random.Generator, shape: tuple[int, int], long: np.ndarray, apart: np.ndarray
) -> np.ndarray:
    """Two states in time, `long` and `apart` samples on average: True within a burst."""
    states = np.empty(shape, dtype=bool)
    state = generator.random(shape[0]) < long / (long + apart)
    for column in range(shape[1]):
        turn = generator.random(shape[0])
        state = np.where(state, turn > 1 / long, turn < 1 / apart)
        states[:, column] = state
    return states


def times(kind: str, generator: np.random.Generator, tests: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Times of two equal kernels, each (tests, rounds), in shuffled order within each round."""
    shape = (tests, 2 * rounds)
    base = generator.lognormal(0, generator.uniform(0.01, 0.08, (tests, 1)), shape)
    if kind == "bursty":
        burst = in_bursts(generator, shape, np.full(tests, 20.0), generator.uniform(10, 60, tests))
        series = base * np.where(burst, 1 + generator.exponential(0.6, shape), 1)
    elif kind == "drifting":
        series = base * np.exp(np.abs(np.cumsum(generator.normal(0, 0.01, shape), axis=1)))
    elif kind == "bimodal":
        slow = in_bursts(generator, shape, generator.uniform(1, 8, tests), generator.uniform(1, 8, tests))
        series = base * np.where(slow, generator.uniform(1.1, 1.6, (tests, 1)), 1)
    else:
        raise ValueError(kind)
    pairs = series.reshape(tests, rounds, 2)
    first = generator.random((tests, rounds)) < 0.5
    return np.where(first, pairs[..., 0], pairs[..., 1]), np.where(first, pairs[..., 1], pairs[..., 0])


KINDS = ("bursty", "drifting", "bimodal")


@dataclass(frozen=True)
class Kernel:
    build_id: str
    config: Config | None


@dataclass
class Replay:
    """A backend whose kernels take the given times, one after the other."""

    series: dict[str, Iterator[float]]
    log: list[str] = field(default_factory=list)

    def sample(self, artifact: Kernel, problem: GemmProblem, *, timeout_s: float) -> Sample:
        time_us = next(self.series[artifact.build_id])
        return Sample(time_us, time_us)

    def verify(self, artifact: Kernel, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None: ...

    def health(self) -> Health:
        return Health()

    def peak_tflops(self, problem: GemmProblem) -> float:
        return 1.0


def status(candidate: np.ndarray, baseline: np.ndarray, plan: ConfirmPlan) -> CompareStatus:
    """What the product's confirmation says of two series."""
    config = Config({"tile": 1})
    new, old = Kernel("new", config), Kernel("old", config)
    backend = Replay({"new": iter(candidate.tolist()), "old": iter(baseline.tolist())})
    confirmed = confirm(backend, PROBLEM, [new], old, None, plan, clock=lambda: 0.0)  # type: ignore[arg-type]
    assert confirmed is not None
    assert confirmed.comparison is not None
    return confirmed.comparison.status


@dataclass(frozen=True)
class Rate:
    """How many of how many, with the one-sided 95 % upper bound of the rate (Clopper-Pearson)."""

    found: int
    tests: int

    @property
    def upper(self) -> float:
        return float(stats.binomtest(self.found, self.tests).proportion_ci(0.90, method="exact").high)

    def upper_of_session(self, tests: int = TESTS_OF_A_SESSION) -> float:
        return float(1 - (1 - self.upper) ** tests)


def false_alarms(kind: str, tests: int, *, seed: int = 0) -> Rate:
    """Unchanged kernels that a session of 50 tests calls slower."""
    plan = ConfirmPlan(tests=TESTS_OF_A_SESSION, warmup=0)
    longest = 2 * plan.max_rounds
    generator = np.random.default_rng([seed, KINDS.index(kind)])
    found = 0
    for _ in range(tests // BATCH):
        candidate, baseline = times(kind, generator, BATCH, longest)
        suspects = np.zeros(BATCH, dtype=bool)
        for rounds in range(plan.rounds, plan.max_rounds + 1, LOOK_EVERY):
            suspects |= loses(*speed_ratios(candidate[:, :rounds], baseline[:, :rounds]), plan.threshold)
        for test in np.flatnonzero(suspects):
            found += status(candidate[test], baseline[test], plan) is CompareStatus.SLOWER
    return Rate(found, tests // BATCH * BATCH)


def detections(kind: str, drop: float, tests: int, *, seed: int = 1) -> Rate:
    """Kernels that lost `drop` of their speed and are called slower."""
    plan = ConfirmPlan(tests=TESTS_OF_A_SESSION, warmup=0)
    generator = np.random.default_rng([seed, KINDS.index(kind)])
    candidate, baseline = times(kind, generator, tests, 2 * plan.max_rounds)
    found = sum(
        status(slow, fast, plan) is CompareStatus.SLOWER
        for slow, fast in zip(candidate / (1 - drop), baseline, strict=True)
    )
    return Rate(found, tests)
