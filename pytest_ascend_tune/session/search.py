"""One search from start to end: pulls trials and stops by the convergence rule; recorded, it survives a kill."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from threadpoolctl import threadpool_limits

from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Backend, Executor, Job, Strategy
from pytest_ascend_tune.model.search import Convergence, ConvergenceState, Trial, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.records.runs.folders import JOURNAL
from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader
from pytest_ascend_tune.reports.text.terminal import ProgressLine
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge_search
from pytest_ascend_tune.tuning.loop import effects, space_size, trials

ONLY_THIS = Text.of("not searched (config=...): exactly this configuration is gated")
Observer = Callable[[Trial, Convergence], None]


def unsupported(backend: Backend, problem: GemmProblem) -> str | None:
    """Why a problem cannot be tuned on a backend, None when it can."""
    if problem.dtype in backend.dtypes:
        return None
    return f"backend {backend.name} has no {problem.dtype} (it has {', '.join(backend.dtypes)})"


def search(  # noqa: PLR0913 - keywords
    job: Job,
    strategy: Strategy,
    rule: ConvergenceRule,
    *,
    executor: Executor | None = None,
    told: Sequence[Trial] = (),
    observe: Observer = lambda trial, convergence: None,
    time_budget_s: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> TuningResult:
    """Search until the rule says stop. `executor`: where trials run, None for the job's backend in this thread. `told`:
    trials of an interrupted run, counted and not repeated.

    `observe` sees every new trial with the judgement after it. Ctrl-C ends the search in good order: the result's state
    is ``interrupted`` and what was measured is in it; the caller decides what to do then.
    """
    started = clock()
    legal = space_size(job, strategy)
    rule = replace(rule, space_size=legal)
    done = list(told)
    convergence = judge_search(done, rule)
    executor = executor or SingleDevice(job.backend)
    try:
        with (
            closing(trials(job, strategy, executor, told)) as running,
            threadpool_limits(1, "blas"),  # more threads would spin beside the kernel that is being measured
        ):
            while convergence.state is ConvergenceState.RUNNING:
                trial = next(running, None)
                if trial is None:
                    convergence = judge_search(done, replace(rule, space_size=len(done)))
                    break
                done.append(trial)
                late = time_budget_s is not None and clock() - started >= time_budget_s
                convergence = judge_search(done, rule, out_of_time=late)
                observe(trial, convergence)
    except KeyboardInterrupt:
        convergence = judge_search(done, rule, interrupted=True)
    return TuningResult(
        problem=job.problem,
        template=job.template.name,
        backend=job.backend.name,
        device=job.backend.device,
        simulated=job.backend.simulated,
        trials=tuple(done),
        convergence=convergence,
        effects=effects(job, strategy, done),
        legal_configs=legal,
        seed=strategy.seed,
        seconds=clock() - started,
        notes=tuple(executor.notes),
    )


@dataclass(frozen=True)
class Recording:
    """Where a search leaves its journal, and the line that shows how it goes."""

    folder: Path
    progress: ProgressLine


def recorded_search(
    job: Job,
    strategy: Strategy,
    rule: ConvergenceRule,
    recording: Recording,
    *,
    executor: Executor | None = None,
    time_budget_s: float | None = None,
) -> TuningResult:
    """As :func:`search`, with every trial in the journal as soon as it is told, and progress shown.

    Where the folder has a journal already (of an interrupted run, or of a test that is run again), the search goes on
    from it. Raises RecordError for a journal of another job.
    """
    header = JournalHeader(
        problem=job.problem,
        template=job.template.name,
        source_hash=job.template.source_hash,
        backend=job.backend.name,
        device=job.backend.device,
        simulated=job.backend.simulated,
        seed=strategy.seed,
    )
    path = recording.folder / JOURNAL
    told: tuple[Trial, ...] = ()
    if path.exists():
        journal, told = Journal.resume(path, header)
    else:
        journal = Journal.create(path, header)
    recording.progress.told(told)

    def observe(trial: Trial, convergence: Convergence) -> None:
        journal.append(trial)
        recording.progress.trial(trial, convergence)

    with journal:
        tuning = search(job, strategy, rule, executor=executor, told=told, observe=observe, time_budget_s=time_budget_s)
    recording.progress.done(tuning)
    return tuning


def without_search(job: Job, strategy: Strategy, reason: Text | None = None) -> TuningResult:
    """What max_iter=0 asks for: no trial; the baseline's (or the default) configuration is confirmed and judged.

    `reason`: why there is no search, where it is another.
    """
    stored = strategy.baseline_configs[:1]  # then come its runners-up
    usable = [config for config in stored if job.space.why_illegal(config, job.problem) is None]
    reason = reason or (
        Text.of("not searched (max_iter=0): only the baseline's configuration is gated")
        if usable
        else Text.of("not searched (max_iter=0): only the default configuration is measured")
    )
    return TuningResult(
        problem=job.problem,
        template=job.template.name,
        backend=job.backend.name,
        device=job.backend.device,
        simulated=job.backend.simulated,
        trials=(),
        convergence=Convergence(ConvergenceState.BUDGET_EXHAUSTED, reason),
        seed=strategy.seed,
    )
