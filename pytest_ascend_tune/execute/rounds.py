"""Takes shuffled rounds: one sample of every kernel, in a new random order each time.

Noise of a machine comes in bursts and drifts. Short calls in shuffled order let it hit all kernels alike, and the
samples of one round stay together, so that ratios within a round are free of what all of them shared.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_ascend_tune.model.confirmation import Arm, ArmRole
from pytest_ascend_tune.model.errors import TrialError
from pytest_ascend_tune.model.measurement import Failure, Sample
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Artifact, Backend

Clock = Callable[[], float]
wall_clock: Clock = time.monotonic


@dataclass(eq=False)
class SampledKernel:
    """An artifact while it is sampled, in every round or in every ``every``-th."""

    role: ArmRole
    artifact: Artifact
    every: int = 1
    samples: list[Sample] = field(default_factory=list)

    @property
    def times_us(self) -> list[float]:
        """Device times so far, in order of the rounds."""
        return [sample.us for sample in self.samples]

    def arm(self) -> Arm:
        """What has been sampled so far, as a value."""
        walls_us = tuple(sample.wall_us for sample in self.samples)
        return Arm(self.role, self.artifact.config, self.artifact.build_id, tuple(self.times_us), walls_us)

    def fresh(self) -> SampledKernel:
        """The same kernel without samples."""
        return SampledKernel(self.role, self.artifact, self.every)


class KernelFailedError(Exception):
    """A kernel crashed, hung or gave a wrong result; ``failure`` says how."""

    def __init__(self, kernel: SampledKernel, error: TrialError) -> None:
        super().__init__(str(error))
        self.kernel = kernel
        self.error = error
        self.failure = Failure(error.kind, str(error))


class Rounds:
    """Takes rounds of kernels on one backend and problem. `seed` decides the shuffles and nothing else."""

    def __init__(
        self, backend: Backend, problem: GemmProblem, *, timeout_s: float, seed: str, clock: Clock = wall_clock
    ) -> None:
        self._backend, self._problem, self._timeout_s, self._clock = backend, problem, timeout_s, clock
        self._random = random.Random(seed)
        self._taken = 0

    def warm_up(self, kernel: SampledKernel, calls: int) -> float:
        """Make calls that do not count; the seconds that the last one took, without what other processes cost it.

        Raises KernelFailedError.
        """
        last_s = 0.0
        for _ in range(calls):
            before_s = self._clock()
            sample = self._sample(kernel)
            last_s = min(self._clock() - before_s, sample.us / 1e6)
        return last_s

    def verify(self, kernel: SampledKernel) -> None:
        """Check every element of the result. Raises KernelFailedError."""
        try:
            self._backend.verify(kernel.artifact, self._problem, timeout_s=self._timeout_s, thorough=True)
        except TrialError as error:
            raise KernelFailedError(kernel, error) from error

    def take(
        self, kernels: Sequence[SampledKernel], count: int, *, at_least: int = 0, until_s: float = float("inf")
    ) -> int:
        """Take up to `count` rounds, but only `at_least` of them after `until_s`; how many it were.

        Raises KernelFailedError; the round of the failure is left out for all kernels, so that they stay paired.
        """
        for done in range(count):
            if done >= at_least and self._clock() >= until_s:
                return done
            order = [kernel for kernel in kernels if self._taken % kernel.every == 0]
            self._random.shuffle(order)
            samples = [self._sample(kernel) for kernel in order]
            for kernel, sample in zip(order, samples, strict=True):
                kernel.samples.append(sample)
            self._taken += 1
        return count

    def _sample(self, kernel: SampledKernel) -> Sample:
        try:
            return self._backend.sample(kernel.artifact, self._problem, timeout_s=self._timeout_s)
        except TrialError as error:
            raise KernelFailedError(kernel, error) from error
