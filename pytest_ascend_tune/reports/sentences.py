"""How to read each picture, in sentences that carry this run's own numbers; the order of results and the headline."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_ascend_tune.files.git import short
from pytest_ascend_tune.model.search import ConvergenceState, TuningResult
from pytest_ascend_tune.model.text import Text, counted_trials
from pytest_ascend_tune.model.verdict import GateResult, GateStatus, NotMeasured, Revision
from pytest_ascend_tune.reports.labels import STATE_WORDS
from pytest_ascend_tune.reports.rounding import number, percent
from pytest_ascend_tune.reports.statuses import BAD, GOOD, STATUSES, outcome

INCOMPLETE = Text.of(
    "Incomplete: the run was interrupted. What was confirmed until then stands, recorded baselines too; everything "
    "else is still to be measured."
)


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
                result.problem_id,
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
        return _with_missing(_verdict(results), results)
    if not results:
        return Text.of("Nothing was measured of what was asked for (problems: {missed}).", missed=len(missed))
    if all(outcome(result.verdict).tone == GOOD for result in results):
        return Text.of(
            "{passed} of {total} problems passed the gate; not measured: {missed}.",
            passed=len(results),
            total=len(results) + len(missed),
            missed=len(missed),
        )
    verdict = _with_missing(_verdict(results), results)
    return Text.of("{verdict} Not measured: {missed} more.", verdict=verdict, missed=len(missed))


def _with_missing(verdict: Text, results: Sequence[GateResult]) -> Text:
    """The verdict, and how many results had nothing to be compared with; not where it is said of all of them."""
    bare = [result for result in results if result.status in (GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)]
    recorded = sum(1 for result in bare if result.baseline_written)
    if not bare or recorded == len(results):
        return verdict
    values = {"verdict": verdict, "count": len(bare), "total": len(results)}
    if recorded == len(bare):
        return Text.of("{verdict} {count} of {total} had no baseline: recorded.", **values)
    if recorded:
        template = "{verdict} {count} of {total} have no baseline, {recorded} of these were recorded."
        return Text.of(template, recorded=recorded, **values)
    return Text.of("{verdict} {count} of {total} have no baseline.", **values)


def _verdict(results: Sequence[GateResult]) -> Text:
    if not results:
        return Text.of("No problem was tuned.")
    failing = [result for result in results if result.verdict.fails]
    if failing:
        worst = failing[0]
        if len(results) == 1:
            return Text.of("{id} failed the gate: {status}.", id=worst.problem_id, status=_finding(worst))
        return Text.of(
            "{failing} of {total} problems failed the gate; the worst is {id}: {status}.",
            failing=len(failing),
            total=len(results),
            id=worst.problem_id,
            status=_finding(worst),
        )
    if all(STATUSES[result.status].tone == GOOD for result in results):
        if len(results) == 1:
            return Text.of("The problem passed the gate.")
        return Text.of("All {total} problems passed the gate.", total=len(results))
    tolerated = [result for result in results if STATUSES[result.status].tone == BAD]
    if tolerated:
        return Text.of(
            "No problem failed the gate, {tolerated} of {total} only because the policy tolerates it; the worst is "
            "{id}: {status}.",
            tolerated=len(tolerated),
            total=len(results),
            id=tolerated[0].problem_id,
            status=_finding(tolerated[0]),
        )
    bare = [result for result in results if result.status in (GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)]
    if all(result.baseline_written for result in bare) and len(bare) == len(results):
        return Text.of("Baselines recorded: {recorded}. The next run is compared with them.", recorded=len(bare))
    unjudged = sum(1 for result in results if result.status is GateStatus.INCONCLUSIVE)
    if not unjudged:
        return Text.of("No problem failed the gate.")
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
    return STATUSES[result.status].label


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
        "{trials} ({failed} failed), {state}",
        trials=counted_trials(len(tuning.trials)),
        failed=len(tuning.trials) - len(tuning.valid),
        state=state(tuning),
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
