"""The loop of a search: ask, run, tell, yield a trial. The caller pulls and decides when to stop."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace

from pytest_ascend_tune.model.errors import AscendTuneError
from pytest_ascend_tune.model.measurement import Measurement
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Executor, Job, Strategy, TrialRun, TrialSetup
from pytest_ascend_tune.model.search import Effect, Origin, Trial
from pytest_ascend_tune.tuning.candidate_set import HELD_ROWS
from pytest_ascend_tune.tuning.tuner import START_POINTS, Proposal, Tuner

LIKELY = 2  # configurations that will probably be proposed next, for building ahead
LONGEST_TRIAL_S = 3600.0  # builds and calls have time-outs of their own: nothing that works takes this long


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


def trials(
    job: Job, strategy: Strategy, executor: Executor, told: Sequence[Trial] = ()
) -> Generator[Trial, None, None]:
    """Measure configurations until the space is exhausted or the caller stops pulling; indices go on after `told`.

    `told` (the journal of an interrupted run) is learnt from, never measured again and not yielded. A TrialError
    becomes a failed trial; every other error, and Ctrl-C, ends the search: what is finished by then is yielded first.
    As many configurations are in flight as the executor wants, and results are told in the order proposed. So which
    ones are tried depends on the seed, that number and the measured values, and never on which device was faster.
    """
    tuner = make_tuner(job, strategy, told)
    best_us = min((trial.time_us for trial in told if trial.time_us is not None), default=None)
    asked = len(told)
    flying: deque[tuple[Proposal, Future[TrialRun]]] = deque()

    def likely() -> list[Config]:
        return [proposal.config for proposal in tuner.peek(LIKELY)]

    def land() -> Trial:
        nonlocal best_us
        proposal, future = flying[0]
        if not wait([future], LONGEST_TRIAL_S).done:
            raise AscendTuneError(f"nothing was heard of ({proposal.config}) for an hour: its device hangs")
        ran = future.result()
        flying.popleft()
        trial = replace(tuner.tell_trial(proposal.config, ran.outcome, build_s=ran.build_s), device=ran.device)
        if trial.time_us is not None:
            best_us = trial.time_us if best_us is None else min(best_us, trial.time_us)
        return trial

    def landed() -> Iterator[Trial]:
        """What is finished of that which was in flight when the search broke off."""
        while flying:
            future = flying[0][1]
            if future.done() and not future.cancelled() and future.exception() is None:
                yield land()
            else:
                flying.popleft()

    try:
        executor.begin(TrialSetup(job.problem, job.template, strategy.plan), _nominal_of(told))
        while not tuner.exhausted or flying:
            while not tuner.exhausted and (
                not flying or (len(flying) < executor.width and asked < strategy.max_trials)
            ):
                (proposal,) = tuner.propose()
                asked += 1
                flying.append((proposal, executor.submit(proposal.config, best_us=best_us, likely=likely)))
            yield land()
    except KeyboardInterrupt as interrupt:
        try:
            yield from landed()
        finally:  # even when the caller has all it wanted now
            raise interrupt
    except Exception:
        yield from landed()
        raise
    finally:
        executor.end()


def space_size(job: Job, strategy: Strategy) -> int:
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
