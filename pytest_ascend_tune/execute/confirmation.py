"""One confirmation in progress: race, first take, second take, within a budget of time."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import fmean

from pytest_ascend_tune.execute.clocks import disbelief
from pytest_ascend_tune.execute.confirm_plan import ConfirmPlan
from pytest_ascend_tune.execute.rounds import Clock, KernelFailedError, Rounds, SampledKernel
from pytest_ascend_tune.execute.take import Take
from pytest_ascend_tune.gate.statistics import (
    CONFIDENCE,
    MIN_ROUNDS,
    bootstrap_interval,
    compare_samples,
    noise_share,
    required_confidence,
)
from pytest_ascend_tune.model.confirmation import Arm, ArmRole, CompareStatus, Comparison, Confirmation, OldToolchain
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.measurement import Failure, Health, fastest_quarter_mean
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Anchored, Backend, ClockLimits, Restartable
from pytest_ascend_tune.model.text import Text

RACE_BUDGET_SHARE = 0.25
FIRST_TAKE_BUDGET_SHARE = 0.7  # race and first take; the rest is for more rounds or for the second take
SECOND_TAKE_BUDGET_SHARE = 0.33  # that a second take has in any case
MIN_ROUNDS_BUDGET_SHARE = 0.5  # of the budget that `ConfirmPlan.min_rounds` rounds may need before it is scaled up
RACE_SEMIFINAL = 2  # finalists that stay in the race after its first rounds, beside the preferred one
TIE_SHARE = 0.01  # the preferred configuration is kept unless another one is faster by more than this
LOOK_EVERY = 50  # rounds between looks at a comparison that is still open
PEAK_EVERY = 10  # rounds between readings of the peak: with fewer, a share of the peak is 3 % off instead of 2 %
PEAK_AGAIN = 3  # times that it is read again, while others disturb it, before a rate is far above it
RECHECK_SHARE = 0.05  # of the readings of the peak that a check of the winner follows: one in 200 rounds
UNCERTAIN = "uncertain"  # reason of a finding that more rounds may still settle
DRIFT_SHARE = 0.05  # change of the reference between the halves of a confirmation that counts as drift


class Run:
    """One confirmation in progress: its budget, its shuffles, and what it noted on the way."""

    def __init__(self, backend: Backend, problem: GemmProblem, plan: ConfirmPlan, clock: Clock) -> None:
        self.backend, self.problem, self.plan, self.clock = backend, problem, plan, clock
        self.started_s = clock()
        self.budget_s = plan.budget_s
        self.confidence = required_confidence(plan.tests)
        self.resolution_us = backend.resolution_us() if isinstance(backend, ClockLimits) else 0.0
        self.health = backend.health()
        self.racers: list[SampledKernel] = []
        self.baseline: SampledKernel | None = None
        self.reference: SampledKernel | None = None
        self.old: SampledKernel | None = None
        self.failed_baseline: Failure | None = None
        self.peaks_tflops: list[float] = []
        self.anchors: dict[str, list[float]] = {}
        self.notes: list[Text] = []
        self._unforeseen = random.SystemRandom()  # moments that a kernel cannot know; they change no number

    def start(self, finalists: list[SampledKernel], others: list[SampledKernel]) -> None:
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
            elif kernel.role is ArmRole.OLD_TOOLCHAIN:
                self.old = kernel
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
        elif kernel.role is ArmRole.OLD_TOOLCHAIN:
            self.old = None
        template = "the {role} {name} failed in the confirmation ({kind}) and was dropped"
        name = str(kernel.artifact.config or kernel.artifact.build_id)
        self.notes.append(Text.of(template, role=kernel.role, name=name, kind=failed.failure.kind))

    def race(self, preferred: Config | None) -> list[SampledKernel]:
        """The finalists, best first: a few rounds of all, then more of the fastest two and of the preferred one."""
        rounds, until_s = self.rounds("race"), self.until(RACE_BUDGET_SHARE)
        ranked = self._heat(rounds, self.racers, MIN_ROUNDS, at_least=MIN_ROUNDS, until_s=until_s)
        leading = [kernel for place, kernel in enumerate(ranked) if place < RACE_SEMIFINAL or _is(kernel, preferred)]
        leading = self._heat(rounds, leading, self.plan.race_rounds - MIN_ROUNDS, at_least=0, until_s=until_s)
        if len(ranked) > 1:
            self._recheck_racers(rounds)
            leading = [kernel for kernel in leading if kernel in self.racers]
        kept = next((kernel for kernel in leading[1:] if _is(kernel, preferred)), None)
        if kept is not None and not _clearly_faster(leading[0], kept):
            leading = [kept, *(kernel for kernel in leading if kernel is not kept)]
        return leading + [kernel for kernel in ranked if kernel in self.racers and kernel not in leading]

    def _recheck_racers(self, rounds: Rounds) -> None:
        """Drop who gives wrong results now that it was called often."""
        for kernel in list(self.racers):
            try:
                rounds.recheck(kernel, thorough=False)
            except KernelFailedError as failed:
                self.drop(failed)
                self.racers.remove(kernel)

    def _heat(
        self, rounds: Rounds, kernels: list[SampledKernel], count: int, *, at_least: int, until_s: float
    ) -> list[SampledKernel]:
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

    def confirm_winner(self, winner: SampledKernel, *, with_baseline: bool) -> Take:
        """Check the winner's result and measure it; a finding of "slower" is taken again. Raises KernelFailedError.

        Before, between and after the samples it is checked, and the baseline's own build after them.
        """
        self.rounds("check").verify(winner)
        take = self.first_take(winner, with_baseline=with_baseline)
        self._recheck(take)
        if CompareStatus.SLOWER in (_status(take.comparison), _status(take.platform)):
            self._second_take(take)
            self._recheck(take)
            return take
        if _status(take.comparison) is CompareStatus.FASTER:
            take.comparison = self._compared(*take.code, self.confidence)
        if _status(take.platform) is CompareStatus.FASTER:
            take.platform = self._compared(*take.toolchains, self.confidence)
        return take

    def first_take(self, winner: SampledKernel, *, with_baseline: bool) -> Take:
        """About ``plan.rounds`` rounds; more while they are inconclusive and the budget lasts."""
        plan, rounds = self.plan, self.rounds("first take")
        baseline = self.baseline.fresh() if self.baseline and with_baseline else None
        reference = self.reference.fresh() if self.reference else None
        if reference and not baseline:  # nothing else tells how fast the winner is: more of it
            reference.every = max(1, reference.every // 2)
        old = self.old.fresh() if self.old and (baseline or not with_baseline) else None
        take = Take(winner, baseline, reference, old)
        usual_s, longest_s = self.until(FIRST_TAKE_BUDGET_SHARE), self.until(1.0)
        while self._sample(take, rounds, plan.rounds, at_least=MIN_ROUNDS, until_s=usual_s):
            pass
        self._sample(take, rounds, plan.min_rounds, at_least=0, until_s=longest_s)
        self._compare(take, CONFIDENCE)
        going = True
        while going and CompareStatus.INCONCLUSIVE in (_status(take.comparison), _status(take.platform)):
            going = self._sample(take, rounds, plan.max_rounds, at_least=0, until_s=longest_s)
            self._compare(take, CONFIDENCE)
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
            take.comparison, take.platform = self._certain(*take.code), self._certain(*take.toolchains)
            if not going or UNCERTAIN not in {one.reason for one in (take.comparison, take.platform) if one}:
                break
            going = self._sample(take, rounds, 2 * self.plan.max_rounds, at_least=0, until_s=until_s)
        take.comparison, take.platform = _settled(take.comparison), _settled(take.platform)

    def _certain(self, candidate: SampledKernel, base: SampledKernel | None) -> Comparison | None:
        """The comparison with the session's confidence where it says slower; reason UNCERTAIN when that fails."""
        usual = self._compared(candidate, base, CONFIDENCE)
        if usual is None or usual.status is not CompareStatus.SLOWER:
            return usual
        certain = self._compared(candidate, base, self.confidence)
        if certain is not None and certain.status is CompareStatus.SLOWER:
            return certain
        return replace(usual, status=CompareStatus.INCONCLUSIVE, reason=UNCERTAIN)

    def _sample(self, take: Take, rounds: Rounds, target: int, *, at_least: int, until_s: float) -> bool:
        """Take the next rounds; False when `target` or the time is reached."""
        if take.rounds >= target:
            return False
        if isinstance(self.backend, Anchored):  # seldom: reading them empties the caches
            for name, rate in self.backend.anchors(self.problem):
                self.anchors.setdefault(name, []).append(rate)
        look = min(target, take.rounds + LOOK_EVERY)
        taken = 1
        while take.rounds < look and taken:
            self.peaks_tflops.append(self.backend.peak_tflops(self.problem))
            count, lacking = min(PEAK_EVERY, look - take.rounds), at_least - take.rounds
            with self._surviving(take):
                taken = rounds.take(take.kernels, count, at_least=lacking, until_s=until_s)
                if self._unforeseen.random() < RECHECK_SHARE:
                    rounds.recheck(take.winner, thorough=False)
        return look <= take.rounds < target

    def _recheck(self, take: Take) -> None:
        """Check what decides, in the process of its samples. A baseline that fails is left out, a winner raises."""
        baseline = take.baseline
        self._recheck_one(take, take.winner)
        if baseline is not None:
            with self._surviving(take):
                self._recheck_one(take, baseline)
            if take.baseline is None:
                self._compare(take, CONFIDENCE)

    def _recheck_one(self, take: Take, kernel: SampledKernel) -> None:
        """Its times and its results. Raises KernelFailedError."""
        reference = take.reference.samples if take.reference else []
        reason = disbelief(kernel.samples, reference)
        if reason is not None:
            raise KernelFailedError(kernel, WrongResultError(reason))
        self.rounds("check").recheck(kernel, thorough=kernel is take.winner)

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

    def _compare(self, take: Take, confidence: float) -> None:
        take.comparison = self._compared(*take.code, confidence)
        take.platform = self._compared(*take.toolchains, confidence)

    def _compared(self, candidate: SampledKernel, base: SampledKernel | None, confidence: float) -> Comparison | None:
        if base is None:
            return None
        return compare_samples(
            candidate.times_us,
            base.times_us,
            self.plan.threshold,
            self.plan.seed,
            confidence=confidence,
            resolution_us=self.resolution_us,
        )

    def _old_toolchain(self, take: Take, given: OldToolchain | None) -> OldToolchain | None:
        """What its arm of this take says, or why it has none."""
        if given is None or given.why is not None:
            return given
        if take.old is None:
            return replace(given, why=Text.of("its build could not be measured beside today's"))
        return replace(given, arm=take.old.arm(), comparison=take.platform)

    def summary(self, take: Take, *, identical_build: bool, old: OldToolchain | None = None) -> Confirmation:
        """The confirmation as a value, with the reason of an inconclusive comparison."""
        health = _together(self.health, self.backend.health())
        winner, reference = take.winner.arm(), take.reference.arm() if take.reference else None
        comparison = take.comparison
        if comparison is not None and comparison.reason == "noise":
            comparison = replace(comparison, reason=_reason(health, reference))
        confirmation = Confirmation(
            self.problem,
            winner,
            bootstrap_interval(winner.samples_us, seed=self.plan.seed),
            _best_quarter(self.peaks_tflops),
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
            anchors=tuple((name, _best_quarter(rates)) for name, rates in self.anchors.items()),
            old_toolchain=self._old_toolchain(take, old),
            takes=take.takes,
            notes=tuple(self.notes),
        )
        return self._peak_again(confirmation) if confirmation.far_above_peak else confirmation

    def _peak_again(self, confirmation: Confirmation) -> Confirmation:
        """Before a rate far above the peak is held against the kernel: the peak on a quiet device, or its best."""
        again: list[float] = []
        for _ in range(PEAK_AGAIN):
            again += [self.backend.peak_tflops(self.problem) for _ in range(PEAK_EVERY)]
            if not self.backend.health().busy:
                break
        return replace(confirmation, peak_tflops=max(confirmation.peak_tflops, *again))


def _settled(comparison: Comparison | None) -> Comparison | None:
    return replace(comparison, reason="noise") if comparison and comparison.reason == UNCERTAIN else comparison


def _best_quarter(rates: list[float]) -> float:
    """Mean of the highest quarter: of rates what the fastest quarter is of times."""
    return fmean(sorted(rates, reverse=True)[: math.ceil(len(rates) / 4)])


def _is(kernel: SampledKernel, preferred: Config | None) -> bool:
    return preferred is not None and kernel.artifact.config == preferred


def _clearly_faster(challenger: SampledKernel, kept: SampledKernel) -> bool:
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
