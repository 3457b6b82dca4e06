"""One search from start to end: pulls trials, keeps the journal, shows progress, and stops by the convergence rule."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from threadpoolctl import threadpool_limits

from pytest_ascend_tune.model import Convergence, ConvergenceState, Trial, TuningResult
from pytest_ascend_tune.protocols import Job, Strategy
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge
from pytest_ascend_tune.tuning.loop import make_tuner, trials

Observer = Callable[[Trial, Convergence], None]


def search(
    job: Job,
    strategy: Strategy,
    rule: ConvergenceRule,
    *,
    told: Sequence[Trial] = (),
    observe: Observer = lambda trial, convergence: None,
    time_budget_s: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> TuningResult:
    """Search until the rule says stop. `told`: trials of an interrupted run, counted and not repeated.

    `observe` sees every new trial with the judgement after it. Ctrl-C ends the search in good order: the result's state
    is ``interrupted`` and what was measured is in it; the caller decides what to do then.
    """
    started = clock()
    legal = make_tuner(job, strategy).legal_configs
    rule = replace(rule, legal_configs=legal)
    done = list(told)
    convergence = judge(done, rule)
    running = trials(job, strategy, told)
    try:
        with threadpool_limits(1, "blas"):  # more threads would spin beside the kernel that is being measured
            while convergence.state is ConvergenceState.RUNNING:
                trial = next(running, None)
                if trial is None:
                    convergence = judge(done, replace(rule, legal_configs=len(done)))
                    break
                done.append(trial)
                late = time_budget_s is not None and clock() - started >= time_budget_s
                convergence = judge(done, rule, out_of_time=late)
                observe(trial, convergence)
    except KeyboardInterrupt:
        convergence = judge(done, rule, interrupted=True)
    finally:
        running.close()
    return TuningResult(
        problem=job.problem,
        template=job.template.name,
        backend=job.backend.name,
        device=job.backend.device,
        simulated=job.backend.simulated,
        trials=tuple(done),
        convergence=convergence,
        effects=make_tuner(job, strategy, done).effects,
        legal_configs=legal,
        seed=strategy.seed,
        seconds=clock() - started,
    )
