"""One confirmation in progress: race, first take, second take, within a budget of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import fmean

from pytest_ascend_tune.execute.rounds import Clock, Kernel, KernelFailedError, Rounds
from pytest_ascend_tune.gate.statistics import (
    CONFIDENCE,
    MIN_ROUNDS,
    bootstrap_interval,
    compare_samples,
    noise_share,
    required_confidence,
)
from pytest_ascend_tune.model.confirmation import Arm, ArmRole, CompareStatus, Comparison, Confirmation
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.measurement import Failure, Health, fastest_quarter_mean
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Backend, ClockLimits, Restartable
from pytest_ascend_tune.model.text import Text

RACE_BUDGET_SHARE = 0.25
FIRST_TAKE_BUDGET_SHARE = 0.7  # race and first take; the rest is for more rounds or for the second take
SECOND_TAKE_BUDGET_SHARE = 0.33  # that a second take has in any case
MIN_ROUNDS_BUDGET_SHARE = 0.5  # of the budget that `ConfirmPlan.min_rounds` rounds may need before it is scaled up
RACE_SEMIFINAL = 2  # finalists that stay in the race after its first rounds, beside the preferred one
TIE_SHARE = 0.01  # the preferred configuration is kept unless another one is faster by more than this
LOOK_EVERY = 50  # rounds between looks at a comparison that is still open
PEAK_EVERY = 10  # rounds between readings of the peak: with fewer, a share of the peak is 3 % off instead of 2 %
DRIFT_SHARE = 0.05  # change of the reference between the halves of a confirmation that counts as drift


@dataclass(frozen=True)
class ConfirmPlan:
    """How long and how strictly a confirmation samples.

    `threshold`: allowed drop (share). `tests`: gated tests of the session; the more there are, the more confidence a
    finding needs. `budget_s` is kept when `min_rounds` rounds fit into half of it (on a CPU: up to about 1024^3);
    for longer calls it is scaled up until they do, and the confirmation says so. When others slow the machine down so
    much that they do not fit, fewer are taken. A second take may add a third of the budget. `seed`: of shuffles and
    bootstrap.
    """

    threshold: float = 0.025
    tests: int = 1
    rounds: int = 250
    max_rounds: int = 500
    min_rounds: int = 40
    race_rounds: int = 40
    reference_every: int = 4
    warmup: int = 2
    budget_s: float = 10.0
    timeout_s: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not MIN_ROUNDS <= self.min_rounds <= self.rounds <= self.max_rounds:
            raise SettingsError(
                f"min_rounds={self.min_rounds}, rounds={self.rounds}, max_rounds={self.max_rounds}: each must be at "
                f"least the one before it, and min_rounds at least {MIN_ROUNDS}"
            )


@dataclass(eq=False)
class Take:
    """Kernels sampled in the same rounds, and what they say."""

    winner: Kernel
    baseline: Kernel | None
    reference: Kernel | None
    comparison: Comparison | None = None
    takes: int = 1

    @property
    def kernels(self) -> list[Kernel]:
        """All that are sampled."""
        return [kernel for kernel in (self.winner, self.baseline, self.reference) if kernel is not None]

    @property
    def rounds(self) -> int:
        """Rounds taken so far."""
        return len(self.winner.samples)

    def leave_out(self, kernel: Kernel) -> None:
        """Go on without the baseline's build or the reference."""
        if kernel is self.baseline:
            self.baseline = None
        else:
            self.reference = None


class Run:
    """One confirmation in progress: its budget, its shuffles, and what it noted on the way."""

    def __init__(self, backend: Backend, problem: GemmProblem, plan: ConfirmPlan, clock: Clock) -> None:
        self.backend, self.problem, self.plan, self.clock = backend, problem, plan, clock
        self.started_s = clock()
        self.budget_s = plan.budget_s
        self.confidence = required_confidence(plan.tests)
        self.resolution_us = backend.resolution_us() if isinstance(backend, ClockLimits) else 0.0
        self.health = backend.health()
        self.racers: list[Kernel] = []
        self.baseline: Kernel | None = None
        self.reference: Kernel | None = None
        self.failed_baseline: Failure | None = None
        self.peaks_tflops: list[float] = []
        self.notes: list[Text] = []

    def start(self, finalists: list[Kernel], others: list[Kernel]) -> None:
        """Warm up, leave out what fails, and scale the budget to the length of a round."""
        rounds = self.rounds("start")
        seconds: dict[ArmRole, float] = {}
        for kernel in [*finalists, *others]:
            try:
                call_s = rounds.warm_up(kernel, self.plan.warmup)
            except KernelFailedError as failed:
                self.drop(failed)
                continue
            seconds[kernel.role] = max(seconds.get(kernel.role, 0.0), call_s / kernel.every)
            if kernel.role is ArmRole.FINALIST:
                self.racers.append(kernel)
            elif kernel.role is ArmRole.BASELINE:
                self.baseline = kernel
            else:
                self.reference = kernel
        needed_s = self.plan.min_rounds * sum(seconds.values()) / MIN_ROUNDS_BUDGET_SHARE
        if needed_s > self.budget_s:
            self.budget_s = needed_s
            self.notes.append(
                Text.of("calls of this problem are long: its confirmation may take {seconds:.0f} s", seconds=needed_s)
            )

    def rounds(self, purpose: str) -> Rounds:
        """A source of rounds with its own shuffle."""
        seed = f"{self.plan.seed} {self.problem.id} {purpose}"
        return Rounds(self.backend, self.problem, timeout_s=self.plan.timeout_s, seed=seed, clock=self.clock)

    def until(self, share: float) -> float:
        """The time at which a share of the budget is used up."""
        return self.started_s + share * self.budget_s

    def drop(self, failed: KernelFailedError) -> None:
        """Note a kernel that failed and go on without it."""
        kernel = failed.kernel
        if kernel.role is ArmRole.BASELINE:
            self.failed_baseline, self.baseline = failed.failure, None
            return
        if kernel.role is ArmRole.REFERENCE:
            self.reference = None
        template = "the {role} {name} failed in the confirmation ({kind}) and was dropped"
        name = str(kernel.artifact.config or kernel.artifact.build_id)
        self.notes.append(Text.of(template, role=kernel.role, name=name, kind=failed.failure.kind))

    def race(self, preferred: Config | None) -> list[Kernel]:
        """The finalists, best first: a few rounds of all, then more of the fastest two and of the preferred one."""
        rounds, until_s = self.rounds("race"), self.until(RACE_BUDGET_SHARE)
        ranked = self._heat(rounds, self.racers, MIN_ROUNDS, at_least=MIN_ROUNDS, until_s=until_s)
        leading = [kernel for place, kernel in enumerate(ranked) if place < RACE_SEMIFINAL or _is(kernel, preferred)]
        leading = self._heat(rounds, leading, self.plan.race_rounds - MIN_ROUNDS, at_least=0, until_s=until_s)
        kept = next((kernel for kernel in leading[1:] if _is(kernel, preferred)), None)
        if kept is not None and not _clearly_faster(leading[0], kept):
            leading = [kept, *(kernel for kernel in leading if kernel is not kept)]
        return leading + [kernel for kernel in ranked if kernel in self.racers and kernel not in leading]

    def _heat(
        self, rounds: Rounds, kernels: list[Kernel], count: int, *, at_least: int, until_s: float
    ) -> list[Kernel]:
        """Sample `kernels` in the same rounds; those that survive, fastest first."""
        running = list(kernels)
        while len(running) > 1:
            try:
                rounds.take(running, count, at_least=at_least, until_s=until_s)
            except KernelFailedError as failed:
                self.drop(failed)
                running.remove(failed.kernel)
                self.racers.remove(failed.kernel)
                continue
            return sorted(running, key=lambda kernel: fastest_quarter_mean(tuple(kernel.times_us)))
        return running

    def confirm_winner(self, winner: Kernel, *, with_baseline: bool) -> Take:
        """Check the winner's result and measure it; a finding of "slower" is taken again. Raises KernelFailedError."""
        self.rounds("check").verify(winner)
        take = self.first_take(winner, with_baseline=with_baseline)
        if _status(take.comparison) is CompareStatus.SLOWER:
            self._second_take(take)
        elif _status(take.comparison) is CompareStatus.FASTER:
            take.comparison = self._compare(take, self.confidence)
        return take

    def first_take(self, winner: Kernel, *, with_baseline: bool) -> Take:
        """About ``plan.rounds`` rounds; more while they are inconclusive and the budget lasts."""
        plan, rounds = self.plan, self.rounds("first take")
        baseline = self.baseline.fresh() if self.baseline and with_baseline else None
        reference = self.reference.fresh() if self.reference else None
        if reference and not baseline:  # nothing else tells how fast the winner is: more of it
            reference.every = max(1, reference.every // 2)
        take = Take(winner, baseline, reference)
        usual_s, longest_s = self.until(FIRST_TAKE_BUDGET_SHARE), self.until(1.0)
        while self._sample(take, rounds, plan.rounds, at_least=MIN_ROUNDS, until_s=usual_s):
            pass
        self._sample(take, rounds, plan.min_rounds, at_least=0, until_s=longest_s)
        take.comparison = self._compare(take, CONFIDENCE)
        going = True
        while going and _status(take.comparison) is CompareStatus.INCONCLUSIVE:
            going = self._sample(take, rounds, plan.max_rounds, at_least=0, until_s=longest_s)
            take.comparison = self._compare(take, CONFIDENCE)
        return take

    def _second_take(self, take: Take) -> None:
        """Sample again, in new processes where the backend can, until all samples together say slower or not.

        They must say so with the confidence that the session asks for; when the budget ends before: inconclusive.
        """
        if isinstance(self.backend, Restartable):
            self.backend.restart()
        rounds, first = self.rounds("second take"), take.rounds
        for kernel in take.kernels:
            with self._surviving(take):
                rounds.warm_up(kernel, self.plan.warmup)
        take.takes = 2
        until_s = max(self.until(1.0), self.clock() + SECOND_TAKE_BUDGET_SHARE * self.budget_s)
        target = first + max(self.plan.min_rounds, first // 2)
        while self._sample(take, rounds, target, at_least=first + MIN_ROUNDS, until_s=until_s):
            pass
        going = True
        while True:
            take.comparison = self._compare(take, CONFIDENCE)
            if _status(take.comparison) is not CompareStatus.SLOWER or take.comparison is None:
                return
            certain = self._compare(take, self.confidence)
            if certain is not None and certain.status is CompareStatus.SLOWER:
                take.comparison = certain
                return
            if not going:
                take.comparison = replace(take.comparison, status=CompareStatus.INCONCLUSIVE, reason="noise")
                return
            going = self._sample(take, rounds, 2 * self.plan.max_rounds, at_least=0, until_s=until_s)

    def _sample(self, take: Take, rounds: Rounds, target: int, *, at_least: int, until_s: float) -> bool:
        """Take the next rounds; False when `target` or the time is reached."""
        if take.rounds >= target:
            return False
        look = min(target, take.rounds + LOOK_EVERY)
        taken = 1
        while take.rounds < look and taken:
            self.peaks_tflops.append(self.backend.peak_tflops(self.problem))
            count, lacking = min(PEAK_EVERY, look - take.rounds), at_least - take.rounds
            with self._surviving(take):
                taken = rounds.take(take.kernels, count, at_least=lacking, until_s=until_s)
        return look <= take.rounds < target

    @contextmanager
    def _surviving(self, take: Take) -> Iterator[None]:
        """Go on without the baseline's build or the reference when they fail; a winner that fails ends the take."""
        try:
            yield
        except KernelFailedError as failed:
            if failed.kernel is take.winner:
                raise
            self.drop(failed)
            take.leave_out(failed.kernel)

    def _compare(self, take: Take, confidence: float) -> Comparison | None:
        if take.baseline is None:
            return None
        return compare_samples(
            take.winner.times_us,
            take.baseline.times_us,
            self.plan.threshold,
            self.plan.seed,
            confidence=confidence,
            resolution_us=self.resolution_us,
        )

    def summary(self, take: Take, *, identical_build: bool) -> Confirmation:
        """The confirmation as a value, with the reason of an inconclusive comparison."""
        health = _together(self.health, self.backend.health())
        winner, reference = take.winner.arm(), take.reference.arm() if take.reference else None
        comparison = take.comparison
        if comparison is not None and comparison.reason == "noise":
            comparison = replace(comparison, reason=_reason(health, reference))
        best_peaks = sorted(self.peaks_tflops, reverse=True)[: math.ceil(len(self.peaks_tflops) / 4)]
        return Confirmation(
            self.problem,
            winner,
            bootstrap_interval(winner.samples_us, seed=self.plan.seed),
            fmean(best_peaks),
            race=tuple(kernel.arm() for kernel in self.racers if kernel.samples),
            baseline=take.baseline.arm() if take.baseline else None,
            reference=reference,
            comparison=comparison,
            identical_build=identical_build,
            baseline_failure=self.failed_baseline,
            health=health,
            seconds=self.clock() - self.started_s,
            budget_s=self.budget_s,
            peak_noise=noise_share([1 / reading for reading in self.peaks_tflops]),
            takes=take.takes,
            notes=tuple(self.notes),
        )


def _is(kernel: Kernel, preferred: Config | None) -> bool:
    return preferred is not None and kernel.artifact.config == preferred


def _clearly_faster(challenger: Kernel, kept: Kernel) -> bool:
    return compare_samples(challenger.times_us, kept.times_us, TIE_SHARE).status is CompareStatus.FASTER


def _status(comparison: Comparison | None) -> CompareStatus | None:
    return comparison.status if comparison else None


def _together(before: Health, after: Health) -> Health:
    """Disturbed when it was disturbed before or after; what both say is told once, with the later numbers."""
    said = {note.template for note in after.notes}
    notes = tuple(note for note in before.notes if note.template not in said) + after.notes
    return Health(before.busy or after.busy, notes, before.slow_clock or after.slow_clock)


def _reason(health: Health, reference: Arm | None) -> str:
    """Why samples may be too noisy to decide."""
    if health.slow_clock:
        return "clock"
    if health.busy:
        return "busy"
    if reference is not None and len(reference.samples_us) >= MIN_ROUNDS:
        middle = len(reference.samples_us) // 2
        halves = (fastest_quarter_mean(part) for part in (reference.samples_us[:middle], reference.samples_us[middle:]))
        earlier, later = halves
        if abs(later / earlier - 1) > DRIFT_SHARE:
            return "drift"
    return "noise"
