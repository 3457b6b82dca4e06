"""The loop of a search: ask, build, verify, measure, yield a trial. The caller pulls and decides when to stop."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from pytest_ascend_tune.errors import TrialError
from pytest_ascend_tune.model import Config, Effect, Failure, Measurement, MeasurePlan, Origin, Trial
from pytest_ascend_tune.protocols import Artifact, Job, Strategy
from pytest_ascend_tune.tuning.measure import measure, nominal_reference
from pytest_ascend_tune.tuning.pool import HELD_ROWS
from pytest_ascend_tune.tuning.tuner import START_POINTS, Tuner

HOPELESS = 1000.0  # a kernel this many times slower than the reference is taken for an endless loop, ...
SHORTEST_LIMIT_S = 5.0  # ... but not before this, which leaves room for loading it on a busy machine
BUILT_AHEAD = 2  # likely next configurations that are built while one is measured


def make_tuner(job: Job, strategy: Strategy, told: Sequence[Trial] = ()) -> Tuner:
    """The tuner of a job, with the strategy's first configurations and all that is already known.

    Small budgets start with fewer space-filling configurations, so that the model has at least half of the trials.
    """
    first = [(config, Origin.BASELINE) for config in strategy.baseline_configs]
    first += [(config, Origin.WARM_START) for config in strategy.warm_configs]
    tuner = Tuner(
        job.space,
        strategy.seed,
        problem=job.problem,
        first=first,
        start_points=min(START_POINTS, max(1, strategy.max_trials // 2)),
    )
    for trial in told:
        tuner.tell_trial(trial.config, trial.outcome)
    return tuner


def trials(job: Job, strategy: Strategy, told: Sequence[Trial] = ()) -> Generator[Trial, None, None]:
    """Measure configurations until the space is exhausted or the caller stops pulling; indices go on after `told`.

    `told` (the journal of an interrupted run) is learnt from, never measured again and not yielded. A TrialError
    becomes a failed trial; every other error ends the search. Likely next configurations are built ahead where a core
    is spare; which ones are tried, and in what order, depends on the seed and the measured values only.
    """
    tuner = make_tuner(job, strategy, told)
    backend, problem, plan = job.backend, job.problem, strategy.plan
    reference = backend.reference(problem)
    nominal_us = _nominal_of(told)
    if nominal_us is None:
        nominal_us = nominal_reference(backend, reference, problem, plan)
    plan = replace(plan, timeout_s=time_limit_s(plan, nominal_us))
    best_us = min((trial.time_us for trial in told if trial.time_us is not None), default=None)
    with _Builder(job) as builder:
        while not tuner.exhausted:
            (proposal,) = tuner.propose()
            started, build_s = time.monotonic(), 0.0
            outcome: Measurement | Failure
            try:
                artifact = builder.build(proposal.config)
                build_s = time.monotonic() - started
                builder.build_ahead(tuner)
                backend.verify(artifact, problem, timeout_s=plan.timeout_s)
                outcome = measure(backend, artifact, reference, problem, plan, nominal_us, best_us=best_us)
            except TrialError as error:
                outcome = Failure(error.kind, str(error))
            trial = tuner.tell_trial(proposal.config, outcome, build_s=build_s)
            if trial.time_us is not None:
                best_us = trial.time_us if best_us is None else min(best_us, trial.time_us)
            yield trial


def time_limit_s(plan: MeasurePlan, nominal_reference_us: float | None) -> float:
    """Seconds after which a call is stopped: relative to the reference's time, and never above the plan's limit."""
    if nominal_reference_us is None:
        return plan.timeout_s
    return min(plan.timeout_s, max(SHORTEST_LIMIT_S, HOPELESS * nominal_reference_us / 1e6))


def legal_configs(job: Job, strategy: Strategy) -> int:
    """Number of legal configurations of the job's problem, for a ConvergenceRule. Raises SpaceError when none is."""
    return job.space.candidates(job.problem, limit=HELD_ROWS, seed=strategy.seed).total


def effects(job: Job, strategy: Strategy, told: Sequence[Trial]) -> tuple[Effect, ...]:
    """How much each parameter mattered in a finished search; empty when too little was measured."""
    return make_tuner(job, strategy, told).effects


def _nominal_of(told: Sequence[Trial]) -> float | None:
    """Usual reference time of an earlier part of this search: all its trials are on one scale."""
    for trial in told:
        if isinstance(trial.outcome, Measurement) and trial.outcome.nominal_reference_us is not None:
            return trial.outcome.nominal_reference_us
    return None


class _Builder:
    """Builds configurations, likely ones ahead in one background thread when the machine has a core for it.

    A wrong guess costs only a build: the proposal itself is made after the measurement, so guesses, their failures
    and the thread's timing never change the search.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="build-ahead") if _spare_core() else None
        self._ahead: dict[Config, Future[Artifact]] = {}

    def __enter__(self) -> _Builder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)

    def build(self, config: Config) -> Artifact:
        """The artifact; raises what its build raised."""
        guess = self._ahead.pop(config, None)
        if guess is None or guess.cancel():  # not begun: this thread is free to do it
            return self._job.backend.build(self._job.template, self._job.problem, config)
        return guess.result()

    def build_ahead(self, tuner: Tuner) -> None:
        """Start building what will probably be proposed next."""
        if self._thread is None:
            return
        for waiting, future in list(self._ahead.items()):
            if future.cancel():  # an older guess that was never begun
                del self._ahead[waiting]
        for proposal in tuner.peek(BUILT_AHEAD):
            if proposal.config not in self._ahead:
                self._ahead[proposal.config] = self._thread.submit(
                    self._job.backend.build, self._job.template, self._job.problem, proposal.config
                )


def _spare_core() -> bool:
    """A core beside the one that measures. Platforms without affinity are asked for their number of cores."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) > 1 if affinity is not None else (os.cpu_count() or 1) > 1
