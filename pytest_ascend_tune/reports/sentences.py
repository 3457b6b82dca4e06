"""How to read each picture, in sentences that carry this run's own numbers; the order of results and the headline."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_ascend_tune.files.git import short
from pytest_ascend_tune.model.search import ConvergenceState, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, GateStatus, NotMeasured, Revision
from pytest_ascend_tune.reports.figures.pictures import (
    ConvergenceSeries,
    DistributionSeries,
    PredictedTime,
    RooflineSeries,
    TrendSeries,
)
from pytest_ascend_tune.reports.rounding import number, percent
from pytest_ascend_tune.reports.words import BAD, GOOD, STATE_WORDS, STATUS_WORDS, outcome

INCOMPLETE = Text.of(
    "Incomplete: the run was interrupted. What was confirmed until then stands, recorded baselines too; everything "
    "else is still to be measured."
)
MODEL_ERROR = 0.05  # below this change of a predicted time the simulator's own error decides


def worst_first(results: Sequence[GateResult]) -> tuple[GateResult, ...]:
    """Failing before passing, then by status, then the largest drop, then the lowest efficiency."""
    order = list(GateStatus)
    return tuple(
        sorted(
            results,
            key=lambda result: (
                not result.verdict.fails,
                order.index(result.status),
                -(result.verdict.drop or 0.0),
                result.efficiency_share or 0.0,
                result.tuning.problem.id,
            ),
        )
    )


def by_reason(missed: Sequence[NotMeasured]) -> tuple[tuple[NotMeasured, ...], ...]:
    """What was not measured, together where the reason is the same; what went wrong before what was left out."""
    groups: dict[tuple[bool, Text], list[NotMeasured]] = {}
    for one in missed:
        groups.setdefault((one.skipped, one.reason), []).append(one)
    return tuple(tuple(groups[key]) for key in sorted(groups, key=lambda key: key[0]))


def headline(results: Sequence[GateResult], missed: Sequence[NotMeasured] = ()) -> Text:
    """The run's verdict in a sentence or two. `results` are sorted worst first; `missed` were asked for, too."""
    if not missed:
        return _verdict(results)
    if not results:
        return Text.of("Nothing was measured of what was asked for (problems: {missed}).", missed=len(missed))
    if all(outcome(result.verdict).mood == GOOD for result in results):
        return Text.of(
            "{passed} of {total} problems passed the gate; not measured: {missed}.",
            passed=len(results),
            total=len(results) + len(missed),
            missed=len(missed),
        )
    return Text.of("{verdict} Not measured: {missed} more.", verdict=_verdict(results), missed=len(missed))


def _verdict(results: Sequence[GateResult]) -> Text:
    if not results:
        return Text.of("No problem was tuned.")
    failing = [result for result in results if result.verdict.fails]
    if failing:
        worst = failing[0]
        if len(results) == 1:
            return Text.of("{id} failed the gate: {status}.", id=worst.tuning.problem.id, status=_finding(worst))
        return Text.of(
            "{failing} of {total} problems failed the gate; the worst is {id}: {status}.",
            failing=len(failing),
            total=len(results),
            id=worst.tuning.problem.id,
            status=_finding(worst),
        )
    if all(result.status in (GateStatus.PASSED, GateStatus.IMPROVED) for result in results):
        if len(results) == 1:
            return Text.of("The problem passed the gate.")
        return Text.of("All {total} problems passed the gate.", total=len(results))
    tolerated = [result for result in results if STATUS_WORDS[result.status].mood == BAD]
    if tolerated:
        return Text.of(
            "No problem failed the gate, {tolerated} of {total} only because the policy tolerates it; the worst is "
            "{id}: {status}.",
            tolerated=len(tolerated),
            total=len(results),
            id=tolerated[0].tuning.problem.id,
            status=_finding(tolerated[0]),
        )
    recorded = sum(1 for result in results if result.status is GateStatus.NO_BASELINE and result.baseline_written)
    if recorded == len(results):
        return Text.of("Baselines recorded: {recorded}. The next run is compared with them.", recorded=recorded)
    unjudged = sum(1 for result in results if result.status not in (GateStatus.PASSED, GateStatus.IMPROVED))
    return Text.of(
        "No problem failed the gate; {unjudged} of {total} could not be judged.", unjudged=unjudged, total=len(results)
    )


def _finding(result: GateResult) -> Text:
    if result.status is GateStatus.REGRESSED and result.verdict.drop is not None:
        return Text.of(
            "regressed by {drop} (allowed {allowed})",
            drop=percent(result.verdict.drop),
            allowed=percent(result.verdict.allowed_drop),
        )
    return STATUS_WORDS[result.status].label


def state(tuning: TuningResult) -> Text:
    """How the search ended."""
    if not tuning.trials and tuning.convergence.state is ConvergenceState.BUDGET_EXHAUSTED:
        return Text.of("not searched")
    return STATE_WORDS[tuning.convergence.state]


def search(tuning: TuningResult) -> Text:
    """How long the search was and how it ended."""
    if not tuning.trials:
        return state(tuning)
    return Text.of(
        "{trials} trials ({failed} failed), {state}",
        trials=len(tuning.trials),
        failed=len(tuning.trials) - len(tuning.valid),
        state=state(tuning),
    )


def read_convergence(result: GateResult, series: ConvergenceSeries) -> Text:
    """Picture 1: is it still rising?"""
    if not series.points:
        return Text.of("Nothing was searched in this run: the configuration was given.")
    if not series.jumps:
        return Text.of(
            "All {total} trials failed (red crosses): there is no best so far. The trial table names the reasons.",
            total=len(series.points),
        )
    return Text.of(
        "Each grey dot is a trial, {failures}, the blue staircase is the best so far. It started at {first} {unit}, "
        "{growth} and {flat}; {gaps}; {below} of the last {late} dots lie below the line. {confirmed}",
        failures=Text.of("red crosses are the {failed} failed ones", failed=len(series.failed))
        if series.failed
        else Text.of("none failed"),
        first=number(series.jumps[0][1]),
        unit=result.tuning.problem.dtype.rate_unit,
        growth=_growth(series),
        flat=_flat(series),
        gaps=_gaps(series),
        below=series.late_below,
        late=series.late_total,
        confirmed=_confirmed(result),
    )


def _growth(series: ConvergenceSeries) -> Text:
    """How often best-so-far grew after the first valid trial, and to what."""
    times, best = len(series.jumps) - 1, number(series.jumps[-1][1])
    if times == 0:
        return Text.of("never grew")
    if times == 1:
        return Text.of("grew once, to {best},", best=best)
    return Text.of("grew {times} times to {best}", times=times, best=best)


def _flat(series: ConvergenceSeries) -> Text:
    """Since when best-so-far is flat; the checklist leaves out growth within the noise, which the line shows."""
    if series.flat_trials > series.points[-1].index - series.jumps[-1][0]:
        return Text.of("grew by no more than the noise in the last {flat} trials", flat=series.flat_trials)
    if series.flat_trials == 0:
        return Text.of("still grew at the last trial")
    if series.flat_trials == 1:
        return Text.of("has been flat for one trial")
    return Text.of("has been flat for the last {flat} trials", flat=series.flat_trials)


def _gaps(series: ConvergenceSeries) -> Text:
    """The last gap between jumps against the usual one, where there is one."""
    if series.median_gap is None:
        return Text.of("without a second jump there is no usual gap to compare that with")
    return Text.of(
        "gaps between jumps, in trials: last {last_gap}, median {median_gap:g}",
        last_gap=series.last_gap,
        median_gap=series.median_gap,
    )


def _confirmed(result: GateResult) -> Text:
    if result.confirmation is None:
        return Text.of("Nothing was confirmed.")
    raw = Text.of(
        "These are raw search values; the winner re-measured on fresh samples is the separate line at {rate} {unit}.",
        rate=number(result.confirmation.tflops),
        unit=result.tuning.problem.dtype.rate_unit,
    )
    if result.baseline is None:
        return raw
    return Text.of("{raw} The narrow band under the baseline is what the gate allows.", raw=raw)


def read_distribution(result: GateResult, series: DistributionSeries) -> Text:
    """Picture 2: how far is the ceiling?"""
    if not series.values:
        return Text.of("No trial was valid, so there is no distribution.")
    best, mean = series.lines[0].value, series.lines[1].value
    advice = {
        "spike": Text.of("good configurations are rare spikes: more random search pays little."),
        "plateau": Text.of("there is a wide plateau near the best: a few more trials may still pay a little."),
        "slope": Text.of("good configurations are neither rare nor everywhere."),
        "few": Text.of("these are too few trials to tell a spike from a plateau."),
    }[series.shape]
    return Text.of(
        "The bars are the {valid} successful trials ({failures}). The best, {best} {unit}, is {ratio:.2f} times the "
        "mean, {mean} {unit}; {near} of the valid trials are within 5 % of the best: {advice}",
        valid=len(series.values),
        failures=Text.of(
            "the {failed} failed ones, {share} of all, are left out",
            failed=series.failed,
            share=percent(series.failed / series.total),
        )
        if series.failed
        else Text.of("none failed"),
        best=number(best),
        unit=result.tuning.problem.dtype.rate_unit,
        ratio=best / mean,
        mean=number(mean),
        near=percent(series.near_best_share),
        advice=advice,
    )


def baseline_today(result: GateResult) -> Text | None:
    """What the change is relative to; None when nothing was sampled beside the winner."""
    if result.baseline_today_tflops is None:
        return None
    return Text.of(
        "{rate} {unit}: its own build, measured in the same rounds",
        rate=number(result.baseline_today_tflops),
        unit=result.tuning.problem.dtype.rate_unit,
    )


CONFIG_FROM = {
    "baseline": Text.of("its configuration is the stored baseline's"),
    "default": Text.of("its configuration is its own default"),
    "search": Text.of("its configuration is the fastest there of the search's best"),
}


def compared_with(revision: Revision) -> Text:
    """Which commits stand against each other."""
    return Text.of(
        "{asked}, commit {commit}, built today; this run: {today}; {config_from}",
        asked=revision.asked,
        commit=short(revision.commit),
        today=_today(revision),
        config_from=CONFIG_FROM.get(revision.config_from, ""),
    )


def commits(revision: Revision) -> Text:
    """Both commits, for a whole run."""
    template = "compared with {asked}, commit {commit}, built today; this run: {today}"
    return Text.of(template, asked=revision.asked, commit=short(revision.commit), today=_today(revision))


def commit_pages(revision: Revision) -> tuple[tuple[str, str], ...]:
    """Hash and web address of both commits, each once, where there is one that a browser opens."""
    both = zip((revision.commit, revision.today), revision.pages, strict=True)
    return tuple(dict.fromkeys((short(commit), page) for commit, page in both if page.startswith("https://")))


def _today(revision: Revision) -> Text:
    template = "commit {commit} with uncommitted changes of the kernel" if revision.changed else "commit {commit}"
    return Text.of(template, commit=short(revision.today))


def read_comparison(result: GateResult) -> Text:
    """The confirmation's samples, this run against the baseline's own build."""
    confirmation = result.confirmation
    assert confirmation is not None
    assert confirmation.baseline is not None
    problem, comparison = result.tuning.problem, confirmation.comparison
    text = Text.of(
        "Both kernels were measured in the same {rounds} shuffled rounds. If the gate sees a change, the filled bars "
        "(this run, {rate} {unit}) and the outline ({own} own build, {baseline} {unit}) stand apart.",
        own=Text.of("the revision's") if result.revision else Text.of("the baseline's"),
        rounds=comparison.rounds if comparison else len(confirmation.winner.samples_us),
        rate=number(confirmation.tflops),
        baseline=number(result.baseline_today_tflops),
        unit=problem.dtype.rate_unit,
    )
    if comparison is None:
        return text
    low, high = comparison.interval
    return Text.of(
        "{text} The median of the per-round ratios is {ratio:.3f} [{low:.3f}, {high:.3f}] (1 = equal, less is slower).",
        text=text,
        ratio=comparison.ratio,
        low=low,
        high=high,
    )


def read_roofline(series: RooflineSeries) -> Text:
    """Where the kernel stands under the roofs."""
    share = percent(series.rate / series.bound)
    if series.bandwidth is None:
        return Text.of(
            "The problem offers {intensity} operations per byte; the kernel reaches {share} of the peak. The memory "
            "bandwidth of this device is not known here, so only the compute roof is drawn.",
            intensity=number(series.intensity),
            share=share,
        )
    kind = (
        Text.of("the compute roof limits it")
        if series.bound == series.peak
        else Text.of("the memory roof limits it before the compute roof does")
    )
    return Text.of(
        "The problem offers {intensity} operations per byte, so {kind}: at most {bound} {unit}. {reached}",
        intensity=number(series.intensity),
        kind=kind,
        bound=number(series.bound),
        unit=series.y_label,
        reached=Text.of("The kernel reaches {share} of that.", share=share)
        if series.rate <= series.bound
        else Text.of(
            "The kernel is faster than that: not all of its operands come from memory, some are still in a cache."
        ),
    )


def read_predicted(told: PredictedTime) -> Text:
    """Where a simulated time goes."""
    name, us = max(told.parts, key=lambda part: part[1])
    best = min(
        (step for step in told.steps if step.change is not None), key=lambda step: step.change or 0.0, default=None
    )
    if best is None or best.change is None or best.change > -MODEL_ERROR:
        advice = Text.of(
            "No single step of a parameter saves more than the {error} that the model may be wrong by.",
            error=percent(MODEL_ERROR),
        )
    else:
        advice = Text.of(
            "One step of {parameter}, from {before} to {after}, saves most: {change}.",
            parameter=best.parameter,
            before=best.before,
            after=best.after,
            change=percent(-best.change),
        )
    return Text.of(
        "A model's prediction, no measurement: the largest part of the {time} µs is {part}, {share}. {advice}",
        time=number(told.time_us),
        part=name,
        share=percent(us / told.time_us),
        advice=advice,
    )


def read_trend(series: TrendSeries) -> Text:
    """The last runs of a problem."""
    first, last = series.points[0], series.points[-1]
    return Text.of(
        "Confirmed rates of the last {runs} runs, from {first} to {last} {unit}; crosses failed the gate. Across days "
        "the machine's own drift is in it: the trend is advice, never the gate.",
        runs=len(series.points),
        first=number(first.rate),
        last=number(last.rate),
        unit=series.y_label,
    )
