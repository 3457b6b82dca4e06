"""One take of a confirmation: the kernels that are sampled in the same rounds, and what is compared with what."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ascend_tune.execute.rounds import SampledKernel
from pytest_ascend_tune.model.confirmation import Comparison


@dataclass(eq=False)
class Take:
    """Kernels sampled in the same rounds, and what they say."""

    winner: SampledKernel
    baseline: SampledKernel | None
    reference: SampledKernel | None
    old: SampledKernel | None = None  # the baseline's own sources, built with its old tool chain
    comparison: Comparison | None = None  # winner against baseline
    platform: Comparison | None = None  # the baseline's own sources: built with today's tool chain against the old one
    takes: int = 1

    @property
    def kernels(self) -> list[SampledKernel]:
        """All that are sampled."""
        every = (self.winner, self.baseline, self.old, self.reference)
        return [kernel for kernel in every if kernel is not None]

    @property
    def rounds(self) -> int:
        """Rounds taken so far."""
        return len(self.winner.samples)

    @property
    def code(self) -> tuple[SampledKernel, SampledKernel | None]:
        """What is compared for `comparison`: today's best and the baseline's own build."""
        return self.winner, self.baseline

    @property
    def toolchains(self) -> tuple[SampledKernel, SampledKernel | None]:
        """What is compared for `platform`: the baseline's own sources, built by today's tool chain and the old one."""
        return self.baseline or self.winner, self.old

    def leave_out(self, kernel: SampledKernel) -> None:
        """Go on without the baseline's build or the reference."""
        if kernel is self.baseline:
            self.baseline = self.old = None  # the old tool chain's build has nothing to be compared with
        elif kernel is self.old:
            self.old = None
        else:
            self.reference = None
