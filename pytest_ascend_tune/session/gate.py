"""One problem from its search to the kept result; what an interrupt leaves is kept too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pytest_ascend_tune.execute.locks import device_turn
from pytest_ascend_tune.gate.verdict import interrupted
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.protocols import Executor, Strategy
from pytest_ascend_tune.model.search import ConvergenceState, TuningResult
from pytest_ascend_tune.model.verdict import Baseline, GateResult
from pytest_ascend_tune.records.runs.results import write_run
from pytest_ascend_tune.reports.figures.png import write_run_pictures
from pytest_ascend_tune.reports.messages import translate
from pytest_ascend_tune.session.clock import stamp
from pytest_ascend_tune.session.context import Context
from pytest_ascend_tune.session.interrupts import held_back
from pytest_ascend_tune.session.jobs import GateJob
from pytest_ascend_tune.session.judge import judged, stored_baseline
from pytest_ascend_tune.session.record import record
from pytest_ascend_tune.session.search import Recording, recorded_search, without_search
from pytest_ascend_tune.session.warmstart import near_configs, simulated_configs
from pytest_ascend_tune.tuning.convergence import ConvergenceRule


@dataclass(frozen=True)
class Gate:
    """Gates jobs of one run. ``executor``: where trials run. ``tests``: how many problems the run judges."""

    context: Context
    executor: Executor | None
    tests: int

    def run(self, job: GateJob) -> GateResult:
        """Search, confirm, judge, record, keep. Raises RecordError before anything is measured.

        Ctrl-C in the search or confirmation keeps an interrupted result and goes on as KeyboardInterrupt.
        """
        context = self.context
        baseline = stored_baseline(context.store, job)
        folder = context.places.of_problem(job.template.name, job.problem, resume=job.settings.resume)
        with device_turn(job.search.backend, context.settings.devices, context.settings.lock_dir, context.screen.write):
            tuning = self._search(job, baseline, folder)
            try:
                if tuning.convergence.state is ConvergenceState.INTERRUPTED:
                    raise KeyboardInterrupt
                result = judged(context, job, tuning, baseline, tests=self.tests)
            except KeyboardInterrupt:
                with held_back():
                    self._keep(job, GateResult(tuning, interrupted(tuning), nodeid=job.nodeid), folder)
                raise
        with held_back():
            return self._keep(job, record(context, job, result, folder), folder)

    def _search(self, job: GateJob, baseline: Baseline | None, folder: Path) -> TuningResult:
        settings, context = job.settings, self.context
        strategy = Strategy(
            max_trials=settings.max_iter,
            seed=job.request.seed,
            baseline_configs=(baseline.config, *baseline.runners_up) if baseline else (),
            warm_configs=near_configs(context.store, job.key) + simulated_configs(job.search),
        )
        if settings.max_iter == 0:
            return without_search(job.search, strategy)
        tuning = recorded_search(
            job.search,
            strategy,
            ConvergenceRule(max_trials=settings.max_iter, patience=settings.patience),
            Recording(folder, context.screen.progress(job.problem, settings.max_iter)),
            executor=self.executor,
            time_budget_s=settings.time_budget,
        )
        context.trouble(*(translate(note, context.screen.language) for note in tuning.notes))
        return tuning

    def _keep(self, job: GateJob, result: GateResult, folder: Path) -> GateResult:
        """Into the run's folder, then into the ledger; pictures and history lose nothing when they fail."""
        context = self.context
        result = context.ledger.add(
            replace(
                result,
                run_dir=str(folder.relative_to(context.places.folder)),
                options=job.settings.options(),
                template_place=job.place,
            )
        )
        write_run(folder, result, constraints=job.constraints, now=context.now())
        try:  # the measurement is safe in the run's folder: say it, lose nothing
            write_run_pictures(result, folder, language=context.screen.language)
            if context.history is not None:
                run = context.places.run().name
                context.history.append([result], run=run, recorded_at=stamp(context.now()))
        except (OSError, RecordError) as error:
            context.troubles.append(str(error))
        return result
