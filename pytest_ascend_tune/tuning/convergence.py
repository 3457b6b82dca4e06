"""Has the search converged, or should it go on? Pure: trials and a rule in, a judgement with its evidence out."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_ascend_tune.model.distribution import LATE_TRIALS, NEAR, Shape, near_share, shape
from pytest_ascend_tune.model.measurement import Measurement, fastest_quarter_mean
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Origin, Signal, SignalName, Trial
from pytest_ascend_tune.model.text import Text, counted_trials


@dataclass(frozen=True)
class ConvergenceRule:
    """When a search ends. Shares are 0..1.

    ``max_trials``: the budget. ``patience``: the user's simple rule, off by default. ``space_size``: legal
    configurations. The other fields are the evidence that ``converged`` needs: all five signals of the checklist; what
    is late, near, a spike and a plateau stands in model/distribution.py.

    Measured (benchmarks/tuner): said below 95 % of the optimum in 0 to 3 % of the runs on the recorded GEMM spaces,
    where "10 trials without growth" stops 50 to 67 % there; on the simulated 910B spaces within 45 trials in 83 to 97 %
    of the runs, 97 % of all runs then above 98 % of the optimum.
    """

    max_trials: int | None = 50
    patience: int | None = None
    space_size: int | None = None
    flat_trials: int = 12  # staircase: trials without growth
    gain_trials: int = 7  # model proposals in a row that must promise less than ...
    gain: float = 0.001  # ... this share, or ...
    gain_per_noise: float = 0.5  # ... this multiple of the noise of one trial: less could not be seen
    plateau_trials: int = 20  # trials that the model must have chosen before a plateau counts as explored
    failures: int = 15  # failed trials, and nothing but failed ones, after which the search gives up


def judge_search(
    trials: Sequence[Trial],
    rule: ConvergenceRule,
    *,
    noise: float | None = None,
    out_of_time: bool = False,
    interrupted: bool = False,
) -> Convergence:
    """Judge a search after any number of trials.

    `noise`: relative noise of one trial's time, estimated from its samples when None. `out_of_time`: the user's time
    budget is used up. `interrupted`: the user or an error ended the search.
    """
    valid = [trial for trial in trials if trial.time_us is not None]
    whole = rule.space_size is not None and len(trials) >= rule.space_size
    budget_used = rule.max_trials is not None and len(trials) >= rule.max_trials
    ended = whole or budget_used or out_of_time or interrupted
    if not valid:
        return _without_valid(trials, rule, ended=ended, interrupted=interrupted)

    noise = trial_noise(valid) if noise is None else noise
    signals = _Signals.of(trials, rule, noise)
    checklist = signals.checklist()
    remaining = signals.promised
    numbers = {
        "trials": counted_trials(len(trials)),
        "flat": counted_trials(signals.flat),
        "gain": remaining if remaining is not None else 1.0,
    }
    left = _left(remaining)

    def judgement(state: ConvergenceState, template: str, **values: object) -> Convergence:
        return Convergence(state, Text.of(template, **{**numbers, "left": left, **values}), checklist, remaining)

    if interrupted:
        return judgement(ConvergenceState.INTERRUPTED, "interrupted after {trials}; {left}; it can be resumed")
    if whole:
        return Convergence(
            ConvergenceState.SPACE_EXHAUSTED,
            Text.of("all {trials} legal configurations were tried: nothing is left to find", trials=len(trials)),
            checklist,
            0.0,
        )
    if all(signal.holds for signal in checklist):
        return judgement(
            ConvergenceState.CONVERGED,
            "converged: no growth for {flat}, late trials stay below the best, "
            "and the model expects no further trial to gain more than {gain:.2%}",
        )
    if rule.patience is not None and _since_growth(trials, 0.0) >= rule.patience:
        return judgement(
            ConvergenceState.STOPPED,
            "stopped, not converged: {patience} without growth, as asked; {left}",
            patience=counted_trials(rule.patience),
        )
    if out_of_time:
        return judgement(
            ConvergenceState.STOPPED, "stopped, not converged: the time budget is used up after {trials}; {left}"
        )
    if budget_used:
        return judgement(
            ConvergenceState.BUDGET_EXHAUSTED,
            "not converged: the budget of {trials} is used up; {left}; resume with a larger budget to go on from here",
        )
    return judgement(ConvergenceState.RUNNING, "still searching after {trials}; {left}")


def trial_noise(valid: Sequence[Trial]) -> float:
    """Relative noise of one trial's time: median over the trials of (median - time) / time / sqrt(samples / 4)."""
    shares = []
    for trial in valid:
        if isinstance(trial.outcome, Measurement) and len(trial.outcome.samples_us) >= 4:
            samples = trial.outcome.samples_us
            fast = fastest_quarter_mean(samples)
            shares.append((statistics.median(samples) - fast) / fast / (len(samples) / 4) ** 0.5)
    return statistics.median(shares) if shares else 0.0


def _left(remaining: float | None) -> Text:
    if remaining is None:
        return Text.of("too few trials to say what more could bring")
    return Text.of("the model expects no single further trial to gain more than {gain:.2%}", gain=remaining)


def _without_valid(trials: Sequence[Trial], rule: ConvergenceRule, *, ended: bool, interrupted: bool) -> Convergence:
    messages = Counter((trial.failure.kind, trial.failure.message) for trial in trials if trial.failure)
    if not messages:
        state = ConvergenceState.INTERRUPTED if interrupted else ConvergenceState.RUNNING
        if ended and not interrupted:
            state = ConvergenceState.NOTHING_VALID
        return Convergence(state, Text.of("nothing was tried yet"))
    (kind, message), count = messages.most_common(1)[0]
    reason = Text.of(
        "none of {trials} worked; most frequent failure ({count}): {kind}: {message}",
        trials=Text.counted("{count} configuration", "{count} configurations", len(trials)),
        count=Text.counted("{count} time", "{count} times", count),
        kind=kind.value,
        message=message,
    )
    over = ended or len(trials) >= rule.failures
    return Convergence(ConvergenceState.NOTHING_VALID if over else ConvergenceState.RUNNING, reason)


def _jumps(trials: Sequence[Trial], tolerance: float) -> list[int]:
    """Positions (from 1) of the trials at which best-so-far grew by more than `tolerance` (share)."""
    best, jumps = float("inf"), []
    for position, trial in enumerate(trials, start=1):
        time = trial.time_us
        if time is not None and time < best * (1.0 - tolerance):
            best = time
            jumps.append(position)
    return jumps


def _since_growth(trials: Sequence[Trial], tolerance: float) -> int:
    return len(trials) - _jumps(trials, tolerance)[-1]


@dataclass(frozen=True)
class _Signals:
    """The numbers of the checklist. Times in us, shares 0..1, the rest in trials."""

    rule: ConvergenceRule
    times_us: tuple[float, ...]  # of the valid trials
    noise: float
    threshold: float  # growth and gains up to this share count as none
    last_jump: int  # index of the trial at which best-so-far grew last
    flat: int  # trials since then
    usual_gap: float | None  # median gap between jumps, None before a second one
    promises: tuple[float, ...]  # expected gains of the last proposals of the model
    modelled: int  # trials that the model chose

    @classmethod
    def of(cls, trials: Sequence[Trial], rule: ConvergenceRule, noise: float) -> _Signals:
        """Count them. At least one trial must be valid."""
        threshold = max(rule.gain, rule.gain_per_noise * noise)
        jumps = _jumps(trials, threshold)
        gaps = [later - earlier for earlier, later in itertools.pairwise(jumps)]
        promises = [trial.expected_gain for trial in trials if trial.expected_gain is not None]
        return cls(
            rule,
            tuple(trial.time_us for trial in trials if trial.time_us is not None),
            noise,
            threshold,
            trials[jumps[-1] - 1].index,
            len(trials) - jumps[-1],
            statistics.median(gaps) if gaps else None,
            tuple(promises[-rule.gain_trials :]),
            sum(trial.origin is Origin.MODEL for trial in trials),
        )

    @property
    def promised(self) -> float | None:
        """The most that the model expected of one further trial, None before it expected anything."""
        return max(self.promises, default=None)

    def checklist(self) -> tuple[Signal, ...]:
        """A line per SignalName, in that order."""
        return (self._staircase(), self._gaps(), self._late_dots(), self._distribution(), self._expected_gain())

    def _staircase(self) -> Signal:
        need = self.rule.flat_trials
        text = Text.of(
            "best so far has not grown for {flat} (needed: {need})", flat=counted_trials(self.flat), need=need
        )
        return Signal(SignalName.STAIRCASE_FLAT, float(self.flat), self.flat >= need, text)

    def _gaps(self) -> Signal:
        name, usual = SignalName.GAPS_LENGTHEN, self.usual_gap
        if usual is None:
            text = Text.of(
                "it has not grown since trial {first}: without a usual gap, {need} trials are waited for",
                first=self.last_jump,
                need=self.rule.flat_trials,
            )
            return Signal(name, None, self.flat >= self.rule.flat_trials, text)
        text = Text.of(
            "{flat} since the last jump; the usual gap is {usual:g}", flat=counted_trials(self.flat), usual=usual
        )
        return Signal(name, self.flat / usual, self.flat >= usual, text, usual)

    def _late_dots(self) -> Signal:
        late = self.times_us[-LATE_TRIALS:]
        below = sum(time > min(self.times_us) * (1.0 + self.noise) for time in late) / len(late)
        text = Text.of(
            "{share:.0%} of the last {window} lie below the best (needed: no growth for {need} trials)",
            share=below,
            window=Text.counted("{count} valid trial", "{count} valid trials", len(late)),
            need=LATE_TRIALS,
        )
        return Signal(SignalName.LATE_DOTS_BELOW, below, self.flat >= LATE_TRIALS, text)

    def _distribution(self) -> Signal:
        rates = [1.0 / time for time in self.times_us]
        near = near_share(rates)
        found = shape(len(rates), near)
        text = Text.of(
            "{shape}: {share:.0%} of the valid trials within {near:.0%} of the best; best is {ratio:.2f} times the "
            "mean",
            shape=found,
            share=near,
            near=NEAR,
            ratio=max(rates) / statistics.fmean(rates),
        )
        explored = self.modelled >= self.rule.plateau_trials
        return Signal(SignalName.DISTRIBUTION, near, explored or found in (Shape.SPIKE, Shape.SLOPE), text)

    def _expected_gain(self) -> Signal:
        name, promised = SignalName.EXPECTED_GAIN, self.promised
        if promised is None:
            return Signal(name, None, False, Text.of("the model expects no gain yet"))
        text = Text.of(
            "the model expects no further trial to gain more than {gain:.2%} (needed: {need:.2%} in {all} "
            "proposals in a row; seen: {count})",
            gain=promised,
            need=self.threshold,
            all=self.rule.gain_trials,
            count=len(self.promises),
        )
        holds = len(self.promises) >= self.rule.gain_trials and promised <= self.threshold
        return Signal(name, promised, holds, text)
