"""Has the search converged, or should it go on? Pure: trials and a rule in, a judgement with its evidence out."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_ascend_tune.model.measurement import Measurement, fastest_quarter_mean
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Origin, Signal, Trial
from pytest_ascend_tune.model.text import Text


@dataclass(frozen=True)
class ConvergenceRule:
    """When a search ends. Shares are 0..1.

    ``max_trials``: the budget. ``patience``: the user's simple rule, off by default. ``legal_configs``: size of the
    space. The other fields are the evidence that ``converged`` needs: all five signals of the checklist.

    Measured (benchmarks/tuner): said below 95 % of the optimum in 0 to 3 % of the runs on the recorded GEMM spaces,
    where "10 trials without growth" stops 50 to 67 % there; on the simulated 910B spaces within 45 trials in 83 to 97 %
    of the runs, 97 % of all runs then above 98 % of the optimum.
    """

    max_trials: int | None = 50
    patience: int | None = None
    legal_configs: int | None = None
    flat_trials: int = 12  # staircase: trials without growth
    window: int = 10  # how many of the last trials count as late
    gain_trials: int = 7  # model proposals in a row that must promise less than ...
    gain: float = 0.001  # ... this share, or ...
    gain_per_noise: float = 0.5  # ... this multiple of the noise of one trial: less could not be seen
    spike: float = 0.02  # share of valid trials within `near` of the best: fewer is a spike, ...
    plateau: float = 0.10  # ... more is a plateau
    plateau_trials: int = 20  # trials that the model must have chosen before a plateau counts as explored
    near: float = 0.05
    failures: int = 15  # failed trials, and nothing but failed ones, after which the search gives up


def judge(
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
    whole = rule.legal_configs is not None and len(trials) >= rule.legal_configs
    budget_used = rule.max_trials is not None and len(trials) >= rule.max_trials
    ended = whole or budget_used or out_of_time or interrupted
    if not valid:
        return _without_valid(trials, rule, ended=ended, interrupted=interrupted)

    noise = noise_share(valid) if noise is None else noise
    checklist = _checklist(trials, rule, noise)
    remaining = checklist[-1].value
    flat = checklist[0].value or 0
    numbers = {"trials": len(trials), "flat": int(flat), "gain": remaining if remaining is not None else 1.0}
    left = _left(remaining)

    def judgement(state: ConvergenceState, template: str, **values: object) -> Convergence:
        return Convergence(state, Text.of(template, **{**numbers, "left": left, **values}), checklist, remaining)

    if interrupted:
        return judgement(ConvergenceState.INTERRUPTED, "interrupted after {trials} trials; {left}; it can be resumed")
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
            "converged: no growth for {flat} trials, late trials stay below the best, "
            "and the model expects no further trial to gain more than {gain:.2%}",
        )
    if rule.patience is not None and _since_growth(trials, 0.0) >= rule.patience:
        return judgement(
            ConvergenceState.STOPPED,
            "stopped, not converged: {patience} trials without growth, as asked; {left}",
            patience=rule.patience,
        )
    if out_of_time:
        return judgement(
            ConvergenceState.STOPPED, "stopped, not converged: the time budget is used up after {trials} trials; {left}"
        )
    if budget_used:
        return judgement(
            ConvergenceState.BUDGET_EXHAUSTED,
            "not converged: the budget of {trials} trials is used up; {left}; "
            "resume with a larger budget to go on from here",
        )
    return judgement(ConvergenceState.RUNNING, "still searching after {trials} trials; {left}")


def noise_share(valid: Sequence[Trial]) -> float:
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
        "none of {trials} configurations worked; most frequent failure ({count} times): {kind}: {message}",
        trials=len(trials),
        count=count,
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


def _checklist(trials: Sequence[Trial], rule: ConvergenceRule, noise: float) -> tuple[Signal, ...]:
    times = [trial.time_us for trial in trials if trial.time_us is not None]
    best = min(times)
    threshold = max(rule.gain, rule.gain_per_noise * noise)
    jumps = _jumps(trials, threshold)
    flat = len(trials) - jumps[-1]
    gaps = [later - earlier for earlier, later in itertools.pairwise(jumps)]
    usual_gap = statistics.median(gaps) if gaps else float(rule.flat_trials)
    late = times[-rule.window :]
    below = sum(time > best * (1.0 + noise) for time in late) / len(late)
    near = sum(time <= best / (1.0 - rule.near) for time in times) / len(times)
    promises = [trial.expected_gain for trial in trials if trial.expected_gain is not None][-rule.gain_trials :]
    promised = max(promises) if promises else None
    modelled = sum(trial.origin is Origin.MODEL for trial in trials)
    shape = "spike" if near < rule.spike else "plateau" if near > rule.plateau else "slope"
    return (
        Signal(
            "staircase_flat",
            float(flat),
            flat >= rule.flat_trials,
            Text.of("best so far has not grown for {flat} trials (needed: {need})", flat=flat, need=rule.flat_trials),
        ),
        Signal(
            "gaps_lengthen",
            flat / usual_gap,
            flat >= usual_gap,
            Text.of("{flat} trials since the last jump; the usual gap is {usual:g}", flat=flat, usual=usual_gap)
            if gaps
            else Text.of(
                "it has not grown since trial {first}: without a usual gap, {need} trials are waited for",
                first=trials[jumps[-1] - 1].index,
                need=rule.flat_trials,
            ),
        ),
        Signal(
            "late_dots_below",
            below,
            flat >= rule.window,
            Text.of(
                "{share:.0%} of the last {window} valid trials lie below the best (needed: no growth for {need} "
                "trials)",
                share=below,
                window=len(late),
                need=rule.window,
            ),
        ),
        Signal(
            "distribution",
            near,
            shape != "plateau" or modelled >= rule.plateau_trials,
            Text.of(
                "{shape}: {share:.0%} of the valid trials within {near:.0%} of the best; "
                "best is {ratio:.2f} times the mean",
                shape=shape,
                share=near,
                near=rule.near,
                ratio=1.0 / (best * statistics.fmean(1.0 / time for time in times)),
            ),
        ),
        Signal(
            "expected_gain",
            promised,
            promised is not None and len(promises) >= rule.gain_trials and promised <= threshold,
            Text.of("the model expects no gain yet")
            if promised is None
            else Text.of(
                "the model expects no further trial to gain more than {gain:.2%} (needed: {need:.2%} in {all} "
                "proposals in a row; seen: {count})",
                gain=promised,
                need=threshold,
                all=rule.gain_trials,
                count=len(promises),
            ),
        ),
    )
