"""From a finished search to a confirmation: which kernels are measured again, and the baseline's own build among
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_ascend_tune.execute.confirm import ConfirmPlan, OldBuild, confirm
from pytest_ascend_tune.gate.floors import beyond_belief
from pytest_ascend_tune.kernels.template import from_source
from pytest_ascend_tune.model.confirmation import Confirmation, OldToolchain
from pytest_ascend_tune.model.errors import TemplateError, TrialError
from pytest_ascend_tune.model.measurement import Failure, Measurement, fastest_quarter_mean
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Artifact, Banded, Job, TwoToolchains
from pytest_ascend_tune.model.search import Template, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Revision
from pytest_ascend_tune.model.word import FailureKind

STEADY_SHARE = 0.02  # change of the machine's speed from the search to the confirmation that is told
RETAKES = 2  # more confirmations of a result that is to be recorded, while others disturb the device
RETAKE_LIMIT_S = 120.0  # none begins after so many seconds of confirming
DEFAULT = "default"  # where a revision's configuration is from
FINALISTS = 3  # best trials of a search that are measured again: the raw best is a lucky sample more often than not


def finalist_configs(job: Job, tuning: TuningResult, baseline: Baseline | Revision | None) -> tuple[Config, ...]:
    """Best trials of the search and the baseline's configuration; without a search, the baseline's or the default.

    Default meets default: with a revision at its own default, today's may be another one, and is what ships.
    """
    at_default = isinstance(baseline, Revision) and baseline.config_from == DEFAULT
    if at_default and not tuning.trials and job.space.default is not None:
        return (job.space.default,)
    ranked = sorted(tuning.valid, key=lambda trial: (trial.time_us, trial.index))
    configs = [trial.config for trial in ranked[:FINALISTS]]
    failed = {trial.config for trial in tuning.trials if trial.failure}
    if baseline and baseline.config not in failed and job.space.why_illegal(baseline.config, job.problem) is None:
        configs.append(baseline.config)
    if not configs and not tuning.trials and job.space.default is not None:
        configs.append(job.space.default)
    return tuple(dict.fromkeys(configs))


def confirm_search(
    job: Job,
    tuning: TuningResult,
    baseline: Baseline | Revision | None,
    own: Artifact | Failure | None,
    plan: ConfirmPlan,
    *,
    old: OldBuild | None = None,
) -> Confirmation | None:
    """Measure the finalists again on fresh samples, beside the baseline's `own` build, its `old` one and the reference.

    None when no finalist could be built and run.
    """
    finalists = []
    for config in finalist_configs(job, tuning, baseline):
        try:
            finalists.append(job.backend.build(job.template, job.problem, config))
        except TrialError:
            continue  # an unstable build: the next finalist takes its place
    preferred = baseline.config if baseline else None
    reference = job.backend.reference(job.problem)
    confirmation = confirm(job.backend, job.problem, finalists, own, reference, plan, old=old, preferred=preferred)
    if confirmation is None:
        return None
    if confirmation.winner.config is not None and isinstance(job.backend, Banded):
        # Samples of a model repeat themselves: what is uncertain is the model, and its band says so.
        low, high = job.backend.band_us(job.problem, confirmation.winner.config)
        fast, slow = confirmation.interval_us
        confirmation = replace(confirmation, interval_us=(min(low, fast), max(high, slow)))
    return replace(confirmation, notes=(*confirmation.notes, *_wander(tuning, confirmation)))


def _wander(tuning: TuningResult, confirmation: Confirmation) -> Iterator[Text]:
    """Did the machine itself change its speed? Then a rate belongs to its minute, and only ratios last.

    Nothing is told of a search on several devices, which differ anyway.
    """
    outcomes = [trial.outcome for trial in tuning.trials if not trial.device]
    earlier_us = [us for outcome in outcomes if isinstance(outcome, Measurement) for us in outcome.reference_us]
    if confirmation.reference is None or not earlier_us:
        return
    change = fastest_quarter_mean(tuple(earlier_us)) / confirmation.reference.time_us - 1
    if abs(change) > STEADY_SHARE:
        template = (
            "from the search to the confirmation the speed of the machine itself changed by {change:+.1%} (reference "
            "kernel): rates of different minutes differ as much, ratios to the reference do not"
        )
        yield Text.of(template, change=change)


def with_confirmation(tuning: TuningResult, confirmation: Confirmation | None) -> TuningResult:
    """The search with its confirmation. A winner far above the peak is no result: its trial has failed.

    A note says so, and nothing is confirmed.
    """
    if confirmation is None or not confirmation.far_above_peak:
        return replace(tuning, confirmed=confirmation)
    why = beyond_belief(confirmation)
    failed = Failure(FailureKind.WRONG_RESULT, str(why))
    trials = tuple(
        replace(trial, outcome=failed) if trial.config == confirmation.winner.config and not trial.failure else trial
        for trial in tuning.trials
    )
    return replace(tuning, trials=trials, confirmed=None, notes=(*tuning.notes, why))


def undisturbed(take: Callable[[], Confirmation | None]) -> Confirmation | None:
    """A confirmation that is to be recorded: taken again, a bounded number of times, while the device is disturbed.

    Only the state of the device says whether, never what was measured: nobody picks the result that suits him.
    """
    confirmation, spent_s = take(), 0.0
    for _ in range(RETAKES):
        if confirmation is None or not confirmation.health.busy:
            break
        spent_s += confirmation.seconds
        if spent_s > RETAKE_LIMIT_S:
            break
        confirmation = take()
    return confirmation


def own_build(job: Job, template: Template | Failure, config: Config) -> Artifact | Failure:
    """Exact sources of a baseline or revision with its configuration, built with today's tool chain; why not, when
    that fails."""
    if isinstance(template, Failure):
        return template
    if template.abi != job.template.abi:
        return Failure(
            FailureKind.BUILD_ERROR,
            f"its sources have entry point version {template.abi}, the template has {job.template.abi}",
        )
    try:
        artifact: Artifact = job.backend.build(template, job.problem, config)
        return artifact
    except TrialError as error:
        return Failure(error.kind, f"its own sources do not build any more: {error}")


def old_build(job: Job, baseline: Baseline, sources: Template | Failure, own: Artifact | Failure) -> OldBuild:
    """The same as `own_build`, built with the old tool chain that the backend was given, or why there is none."""
    backend = job.backend
    assert isinstance(backend, TwoToolchains)
    told, recorded = OldToolchain(backend.old_versions()), dict(baseline.recorded_with.versions)
    if isinstance(sources, Failure) or isinstance(own, Failure):
        return _no_witness(told, Text.of("the baseline's own build is missing"))
    for name, now in told.versions:
        if now != recorded.get(name):
            template = "it is not the one of the baseline: {name} is {now}, {then} was recorded"
            return _no_witness(told, Text.of(template, name=name, now=now, then=recorded.get(name, "?")))
    try:
        artifact: Artifact = backend.build_old(sources, job.problem, baseline.config)
    except TrialError as error:
        return _no_witness(told, Text.of("it does not build the baseline's sources: {error}", error=str(error)))
    if artifact.build_id == own.build_id:
        return _no_witness(told, Text.of("it is the one of today"))
    return OldBuild(told, artifact)


def _no_witness(told: OldToolchain, why: Text) -> OldBuild:
    return OldBuild(replace(told, why=why))


def own_sources(job: Job, baseline: Baseline, kept: Path | None) -> Template | Failure:
    """The baseline's exact sources: today's where nothing has changed, else those that were kept with it."""
    if baseline.source_hash == job.template.source_hash:
        return job.template
    if kept is None:
        return Failure(FailureKind.BUILD_ERROR, "the sources that the baseline was built from are not kept any more")
    try:
        return from_source(kept, name=job.template.name)[0]
    except TemplateError as error:
        return Failure(FailureKind.BUILD_ERROR, f"the baseline's sources cannot be loaded: {error}")


def runners_up(tuning: TuningResult, winner: Config | None, count: int = 4) -> Sequence[Config]:
    """Next best configurations of a search: where a later search starts."""
    ranked = sorted(tuning.valid, key=lambda trial: (trial.time_us, trial.index))
    return tuple(trial.config for trial in ranked if trial.config != winner)[:count]
