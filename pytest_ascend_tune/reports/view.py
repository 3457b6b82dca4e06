"""Results -> what a report shows: rows and sentences with every number computed, rounded and worded here, worst first.

The media (html, terminal, markdown, machine) lay these out; none of them calculates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from pytest_ascend_tune import __version__
from pytest_ascend_tune.model.search import ConvergenceState, Trial, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Fingerprint, GateResult, GateStatus, NotMeasured
from pytest_ascend_tune.reports import rounding, sentences
from pytest_ascend_tune.reports.figures.picture import PredictedTime, RecordedRun, Source
from pytest_ascend_tune.reports.figures.registry import PICTURES
from pytest_ascend_tune.reports.labels import CAUSE_WORDS, FAILURE_WORDS, ORIGIN_WORDS, SIGNAL_WORDS
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import MISSING, NOTHING, number, percent
from pytest_ascend_tune.reports.rows import (
    Check,
    Count,
    Fact,
    Missed,
    Parameter,
    ProblemView,
    ReportView,
    TrialRow,
)
from pytest_ascend_tune.reports.statuses import BAD, GOOD, MISSED_LABEL, NEUTRAL, STATUSES, missed_outcome, outcome
from pytest_ascend_tune.reports.text.commands import accept_command, reproduce_command

BAR_LENGTH = 12  # letters, of an effect of 100 %
MESSAGE_LENGTH = 300  # of a failure or reason in a table; history.json and results.json hold all of it


def report_view(
    results: Sequence[GateResult],
    missed: Sequence[NotMeasured] = (),
    *,
    now: datetime,
    environment: Mapping[str, str] | None = None,
    language: str = "en",
    complete: bool = True,
    history: Mapping[str, Sequence[RecordedRun]] | None = None,
    advice: Mapping[str, Text] | None = None,
    predictions: Mapping[str, PredictedTime] | None = None,
) -> ReportView:
    """The report of a run; `missed`: what was asked for without a result; `complete` is False when it was interrupted.

    By problem id: `history`, the runs up to this one, oldest first; `advice`, a sentence on their trend;
    `predictions`, where a simulated time goes.
    """
    ordered = sentences.worst_first(results)
    several_runs = len(set(map(_run, ordered))) > 1
    return ReportView(
        language,
        now.strftime("%Y-%m-%d %H:%M:%S %Z").strip(),
        translate(sentences.headline(ordered, missed), language),
        *_outcome(ordered, missed),
        complete,
        any(result.tuning.simulated for result in ordered),
        _counts(ordered, missed, language),
        tuple(_missed(group, language) for group in sentences.by_reason(missed)),
        tuple(
            problem_view(
                result,
                language,
                anchor=f"p{position}",
                history=(history or {}).get(result.problem_id, ()),
                advice=(advice or {}).get(result.problem_id),
                prediction=(predictions or {}).get(result.problem_id),
                run=_run(result) if several_runs else "",
            )
            for position, result in enumerate(ordered, start=1)
        ),
        _environment(ordered, environment or {}, language),
        __version__,
    )


def problem_view(
    result: GateResult,
    language: str,
    *,
    anchor: str = "p1",
    history: Sequence[RecordedRun] = (),
    advice: Text | None = None,
    prediction: PredictedTime | None = None,
    run: str = "",
) -> ProblemView:
    """All that is shown about one result."""
    source = Source(language, history, prediction)
    tuning, verdict, confirmation, baseline = result.tuning, result.verdict, result.confirmation, result.baseline
    problem, shown = tuning.problem, outcome(verdict)
    failed = len(tuning.trials) - len(tuning.valid)
    rate_interval = rounding.interval(*result.interval) if result.interval else (NOTHING, NOTHING)
    low, high = verdict.drop_interval or (None, None)
    best = tuning.best
    return ProblemView(
        anchor=anchor,
        problem_id=result.problem_id,
        nodeid=result.nodeid,
        shape=f"{problem.m} × {problem.n} × {problem.k}",
        dtype=str(problem.dtype),
        layout=str(problem.layout),
        variant=result.variant,
        unit=problem.dtype.rate_unit,
        device=tuning.device,
        backend=tuning.backend,
        template=tuning.template,
        simulated=tuning.simulated,
        status=str(result.status),
        label=translate(STATUSES[result.status].label, language),
        mark=shown.mark,
        tone=shown.tone,
        fails=verdict.fails,
        sentence=translate(verdict.reason, language),
        cause=translate(CAUSE_WORDS[verdict.cause], language) if verdict.cause else "",
        notes=_notes(result, advice, language),
        rate=number(result.tflops),
        rate_interval=rate_interval,
        time_us=number(confirmation.winner.time_us if confirmation else None),
        efficiency=percent(result.efficiency_share),
        peak=number(confirmation.peak_tflops if confirmation else None),
        vs_reference=number(confirmation.vs_reference if confirmation else None),
        baseline_rate=number(baseline.measurement.tflops if baseline else None),
        baseline_name=baseline.key.name if baseline else "",
        baseline_date=rounding.date(baseline.recorded_at) if baseline else "",
        baseline_today=translate(today, language) if (today := sentences.baseline_today(result)) else "",
        compared_with=translate(sentences.compared_with(result.revision), language) if result.revision else "",
        commit_pages=sentences.commit_pages(result.revision) if result.revision else (),
        baseline_written=result.baseline_written,
        change=percent(None if verdict.drop is None else -verdict.drop, signed=True),
        change_interval=(
            percent(None if high is None else -high, signed=True),
            percent(None if low is None else -low, signed=True),
        ),
        allowed_drop=percent(verdict.allowed_drop),
        floor=percent(result.policy.min_efficiency),
        config="" if result.config is None else str(result.config),
        parameters=_parameters(result),
        trials=len(tuning.trials),
        failed=failed,
        legal_configs=tuning.legal_configs,
        search_best=number(problem.tflops(best.time_us) if best and best.time_us else None),
        duration=rounding.seconds(tuning.seconds + (confirmation.seconds if confirmation else 0.0)),
        search=translate(sentences.search(tuning), language),
        state_label=translate(sentences.state(tuning), language),
        converged=tuning.convergence.state in (ConvergenceState.CONVERGED, ConvergenceState.SPACE_EXHAUSTED),
        convergence_reason=translate(tuning.convergence.reason, language),
        checks=tuple(
            Check(
                translate(SIGNAL_WORDS[signal.name], language),
                translate(signal.text, language),
                signal.holds,
            )
            for signal in tuning.convergence.checklist
        ),
        has_effects=bool(tuning.effects),
        parameter_names=tuple(tuning.trials[0].config) if tuning.trials else (),
        devices=", ".join(tuning.devices),
        trial_rows=tuple(_trial_row(trial, tuning, best, language) for trial in tuning.trials),
        differences=tuple(fact for fact in _facts(result.fingerprint, baseline, language) if fact.differs),
        reproduce=reproduce_command(result),
        accept=accept_command(result)
        if result.status is GateStatus.REGRESSED and result.nodeid and result.revision is None
        else "",
        run_dir=result.run_dir,
        run=run,
        pictures=tuple(filter(None, (picture.of(result, source) for picture in PICTURES))),
    )


def _run(result: GateResult) -> str:
    """Name of the run that a result is of: 20261130-083000."""
    return "".join(PurePosixPath(result.run_dir).parts[1:2])


def _outcome(results: Sequence[GateResult], missed: Sequence[NotMeasured]) -> tuple[str, str]:
    """Mark and tone of the whole run."""
    if any(result.verdict.fails for result in results) or not all(one.skipped for one in missed):
        return "✘", BAD
    judged = results and not missed and all(outcome(result.verdict).tone == GOOD for result in results)
    return ("✔", GOOD) if judged else ("○", NEUTRAL)


def _missed(group: Sequence[NotMeasured], language: str) -> Missed:
    """Problems that share a reason."""
    shown = missed_outcome(group[0])
    problems = tuple((one.problem_id or MISSING, one.nodeid) for one in group)
    return Missed(shown.mark, shown.tone, _cut(translate(group[0].reason, language)), problems)


def _counts(results: Sequence[GateResult], missed: Sequence[NotMeasured], language: str) -> tuple[Count, ...]:
    counts = []
    if missed:
        shown = missed_outcome(min(missed, key=lambda one: one.skipped))  # the worst of them
        label = translate(MISSED_LABEL, language)
        counts.append(Count("not_measured", label, shown.mark, shown.tone, len(missed)))
    for status, words in STATUSES.items():
        found = [result for result in results if result.status is status]
        if found:
            shown = outcome(found[0].verdict)  # the worst of them
            counts.append(Count(str(status), translate(words.label, language), shown.mark, shown.tone, len(found)))
    return tuple(counts)


def _notes(result: GateResult, advice: Text | None, language: str) -> tuple[str, ...]:
    confirmation = result.confirmation
    given = [*result.verdict.notes, *result.tuning.notes]
    if confirmation is not None:
        given += confirmation.health.notes
    if advice is not None:
        given.append(advice)
    own = [translate(note, language) for note in given]
    if result.revision is not None:
        return tuple(dict.fromkeys(own))  # the sentence says it
    if confirmation is not None and confirmation.identical_build:
        own.append(say("The baseline's own build is today's winner: the same binary, nothing to compare.", language))
    if confirmation is not None and confirmation.baseline_failure is not None:
        failure = confirmation.baseline_failure
        own.append(say("The baseline's own build could not be measured: {message}", language, message=failure.message))
    return tuple(dict.fromkeys(own))


def _parameters(result: GateResult) -> tuple[Parameter, ...]:
    """Parameters of the confirmed configuration, the most important first where the search knows."""
    rival = result.baseline or result.revision
    old: Mapping[str, int | str] = rival.config if rival else {}
    shares = {effect.parameter: effect.share for effect in result.tuning.effects}
    return tuple(
        Parameter(
            name,
            str(value),
            str(old.get(name, "")),
            rival is not None and old.get(name) != value,
            percent(shares.get(name)),
            "█" * round(BAR_LENGTH * min(1.0, max(0.0, shares.get(name, 0.0)))),
        )
        for name, value in sorted((result.config or {}).items(), key=lambda item: (-shares.get(item[0], 0.0), item[0]))
    )


def _trial_row(trial: Trial, tuning: TuningResult, best: Trial | None, language: str) -> TrialRow:
    time_us = trial.time_us
    failure = trial.failure
    return TrialRow(
        trial.index,
        number(None if time_us is None else tuning.problem.tflops(time_us)),
        number(time_us),
        tuple(str(value) for value in trial.config.values()),
        translate(ORIGIN_WORDS[trial.origin], language),
        trial.device,
        f"{translate(FAILURE_WORDS[failure.kind], language)}: {_cut(failure.message)}" if failure else "",
        best is not None and trial.index == best.index,
    )


def _cut(message: str) -> str:
    return message if len(message) <= MESSAGE_LENGTH else message[:MESSAGE_LENGTH] + " …"


def _facts(fingerprint: Fingerprint | None, baseline: Baseline | None, language: str) -> tuple[Fact, ...]:
    if fingerprint is None:
        return ()
    now = dict(fingerprint.identity) | dict(fingerprint.versions)
    then = dict(baseline.recorded_with.identity) | dict(baseline.recorded_with.versions) if baseline else {}
    return tuple(
        Fact(
            say("{name}", language, name=name),
            say("{value}", language, value=now.get(name, "")),
            say("{value}", language, value=then.get(name, "")),
            baseline is not None and now.get(name) != then.get(name),
        )
        for name in dict.fromkeys([*now, *then])
    )


def _environment(results: Sequence[GateResult], given: Mapping[str, str], language: str) -> tuple[Fact, ...]:
    """Facts of the whole run: the machine's, each with the baselines' value where it differs, then what was given."""
    facts: dict[str, Fact] = {}
    for result in results:
        for fact in _facts(result.fingerprint, result.baseline, language):
            known = facts.get(fact.name)
            if known is None or (fact.differs and not known.differs):
                facts[fact.name] = fact
    for name, value in given.items():
        facts.setdefault(name, Fact(name, value))
    return tuple(facts.values())
