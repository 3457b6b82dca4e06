"""Confirms: a race of the finalists, then the winner beside the baseline's own build, on fresh samples.

The winner is never judged on the samples it was picked by, everything that is compared was sampled in the same
rounds, and a finding of "slower" is taken again in new processes and buffers before anyone hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_ascend_tune.execute.confirm_plan import ConfirmPlan
from pytest_ascend_tune.execute.confirmation import Run
from pytest_ascend_tune.execute.rounds import Clock, KernelFailedError, SampledKernel, wall_clock
from pytest_ascend_tune.model.confirmation import ArmRole, Confirmation, OldToolchain
from pytest_ascend_tune.model.measurement import Failure
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Artifact, Backend, Restartable

__all__ = ["ConfirmPlan", "OldBuild", "confirm", "confirm_no_change", "race"]


@dataclass(frozen=True)
class OldBuild:
    """The baseline's own sources, built with its old tool chain: ``told`` names it, and says why there is no build."""

    told: OldToolchain
    artifact: Artifact | None = None


def confirm(
    backend: Backend,
    problem: GemmProblem,
    finalists: Sequence[Artifact],
    baseline: Artifact | Failure | None,
    reference: Artifact | None,
    plan: ConfirmPlan,
    *,
    old: OldBuild | None = None,
    preferred: Config | None = None,
    clock: Clock = wall_clock,
) -> Confirmation | None:
    """Race the finalists and measure the winner beside the baseline's own build; None when no finalist works.

    `finalists`: today's builds, the baseline's configuration among them. `baseline`: the baseline's own build, or why
    there is none. `old`: the same sources built with the baseline's old tool chain, one more arm. `preferred`: the
    configuration that wins ties, by default the baseline's: kept when nothing is clearly faster, it makes an unchanged
    kernel an identical build, with nothing to misjudge. A finalist that fails is dropped and the next takes its place.
    `clock` counts seconds and only limits the length.
    """
    own_build = None if isinstance(baseline, Failure) else baseline
    if preferred is None and own_build is not None:
        preferred = own_build.config
    run = Run(backend, problem, plan, clock)
    run.failed_baseline = baseline if isinstance(baseline, Failure) else None
    kernels = [SampledKernel(ArmRole.FINALIST, artifact) for artifact in _distinct(finalists)]
    others = [] if own_build is None else [SampledKernel(ArmRole.BASELINE, own_build)]
    if own_build is not None and old is not None and old.artifact is not None:
        others.append(SampledKernel(ArmRole.OLD_TOOLCHAIN, old.artifact))
    if reference is not None:
        others.append(SampledKernel(ArmRole.REFERENCE, reference, plan.reference_every))
    run.start(kernels, others)
    for finalist in run.race(preferred):
        identical = own_build is not None and own_build.build_id == finalist.artifact.build_id
        try:
            take = run.confirm_winner(finalist.fresh(), with_baseline=not identical)
        except KernelFailedError as failed:
            run.drop(failed)
            continue
        return run.summary(take, identical_build=identical, old=old.told if old else None)
    return None


def race(
    backend: Backend,
    problem: GemmProblem,
    builds: Sequence[Artifact],
    plan: ConfirmPlan,
    *,
    preferred: Config | None = None,
    clock: Clock = wall_clock,
) -> Artifact | None:
    """The fastest of some builds on fresh samples, as the finalists of a confirmation race; None when none works."""
    run = Run(backend, problem, plan, clock)
    run.start([SampledKernel(ArmRole.FINALIST, artifact) for artifact in _distinct(builds)], [])
    return next((kernel.artifact for kernel in run.race(preferred)), None)


def confirm_no_change(
    backend: Backend,
    problem: GemmProblem,
    artifact: Artifact,
    reference: Artifact | None,
    plan: ConfirmPlan,
    *,
    clock: Clock = wall_clock,
) -> Confirmation:
    """Compare a kernel with itself, in new buffers where the backend can: what `calibrate` learns the noise from.

    Raises TrialError when the kernel fails.
    """
    if isinstance(backend, Restartable):
        backend.restart()
    run = Run(backend, problem, plan, clock)
    winner = SampledKernel(ArmRole.FINALIST, artifact)
    others = [SampledKernel(ArmRole.BASELINE, artifact)]
    if reference is not None:
        others.append(SampledKernel(ArmRole.REFERENCE, reference, plan.reference_every))
    try:
        run.start([winner], others)
        take = run.first_take(winner, with_baseline=True)
    except KernelFailedError as failed:
        raise failed.error from None
    return run.summary(take, identical_build=False)


def _distinct(finalists: Sequence[Artifact]) -> list[Artifact]:
    """Each build once, in the given order."""
    return list({artifact.build_id: artifact for artifact in reversed(finalists)}.values())[::-1]
