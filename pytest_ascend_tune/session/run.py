"""One run: opens the backend, checks what is asked for, takes job after job; has never heard of pytest."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune import backends
from pytest_ascend_tune.execute import executors
from pytest_ascend_tune.execute.locks import lock_folder
from pytest_ascend_tune.gate.verdict import comparable
from pytest_ascend_tune.model.errors import BackendUnavailableError, InvalidInputError, RecordError, SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Backend, BackendOptions, BackendRecipe, Executor, Strategy
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.records.baselines.calibrations import load_calibration
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.records.runs import folders
from pytest_ascend_tune.reports.messages import pick_language, translate
from pytest_ascend_tune.session.clock import utc_now
from pytest_ascend_tune.session.context import Context
from pytest_ascend_tune.session.gate import Gate
from pytest_ascend_tune.session.jobs import Claims, GateJob, Jobs, claim
from pytest_ascend_tune.session.judge import stored_baseline
from pytest_ascend_tune.session.ledger import Ledger
from pytest_ascend_tune.session.oldtoolchain import use_old_toolchain
from pytest_ascend_tune.session.places import Places
from pytest_ascend_tune.session.reporting import Reporting
from pytest_ascend_tune.session.screen import SILENT, Screen
from pytest_ascend_tune.session.search import unsupported


class TuneSession:
    """One run over any number of problems: opens the backend once, gates job after job, then reports.

    `here`: the working directory, for relative paths of the command line; default `root`. `run`: name of the run's
    folder where somebody else chose it.
    """

    def __init__(
        self,
        settings: Settings,
        root: Path,
        *,
        here: Path | None = None,
        screen: Screen = SILENT,
        now: Callable[[], datetime] = utc_now,
        run: str | None = None,
    ) -> None:
        places = Places(settings, root, here, run, now)
        screen = replace(screen, language=pick_language(settings.lang, os.environ))
        ci = os.environ.get("CI", "").lower() in ("true", "1")
        self._context = Context(settings, places, screen, now, Ledger(), BaselineStore(places.folder), ci=ci)
        self._context.waiting.left_s = 60 * settings.wait
        self._context.waiting.lock_dir = settings.lock_dir
        self.now = now
        self.settings, self.places, self.screen, self.ledger = settings, places, screen, self._context.ledger
        self.reporting = Reporting(self._context)
        self._backend: Backend | None = None
        self._executor: Executor | None = None
        self._jobs: Jobs | None = None
        self._expected = 0

    # -- before measuring ---------------------------------------------------------------------------------------------

    def open(self, backend: Backend | None = None) -> None:
        """Take `backend`, or create the one that the settings name. Raises BackendUnavailableError, SettingsError."""
        name = self.settings.backend
        options = BackendOptions(
            self.places.folder / "cache",
            l2=self.settings.l2,
            devices=self.settings.devices,
            triton_python=self.settings.triton_python,
        )
        self._backend = used = backend or backends.create(name, options=options)
        reason = used.unavailable_because()
        if reason:
            raise BackendUnavailableError(f"backend {used.name!r} cannot run here: {reason}")
        self._context.old_toolchain = use_old_toolchain(used, self.settings, self.places)
        recipe = None if backend else BackendRecipe(used.name if name == "auto" else name, options)
        self._executor = executors.connect(self.settings.executor, used, recipe, self.settings.devices)

    @property
    def backend(self) -> Backend:
        """The open backend."""
        if self._backend is None:
            self.open()
        assert self._backend is not None
        return self._backend

    @property
    def jobs(self) -> Jobs:
        """Makes this run's jobs."""
        if self._jobs is None:
            self._jobs = Jobs(self.backend, self.places)
        return self._jobs

    def describe(self) -> str:
        """What will be tuned where, in one line."""
        count, device = self._executor.devices if self._executor else 1, self.backend.device
        text = Text.of(
            "backend {backend}{simulated}, {devices}, template {template} and up to {trials} trials unless a marker "
            "says otherwise, {judged_by}",
            backend=self.backend.name,
            simulated=Text.of(" (simulated: no kernel runs)") if self.backend.simulated else "",
            devices=Text.of("device {device}", device=device)
            if count == 1
            else Text.of("{count} devices {device}", count=count, device=device),
            template=self.settings.template or self.backend.default_template,
            trials=self.settings.max_iter,
            judged_by=Text.of("against {revision}", revision=self.settings.against)
            if self.settings.against
            else Text.of("baseline {baseline!r}", baseline=self.settings.baseline),
        )
        return translate(text, self.screen.spoken)

    def cannot(self, problem: GemmProblem) -> str | None:
        """Why a problem cannot be tuned on this backend (a reason to skip), None when it can."""
        return unsupported(self.backend, problem)

    def check(self, requests: Sequence[Request], *, more: bool = False) -> tuple[GateJob, ...]:
        """The jobs of all requests; everything that can be known to fail is found here, before anything is measured.

        `more`: further problems may come that are not known yet.
        Raises InvalidInputError.
        """
        folders.prepare_root(self.places.folder)
        self._context.store.check_writable()
        self._context.history = History(self.places.history)
        self._context.history.check()
        jobs, claims, compared = [], Claims(), False
        for request in requests:
            try:
                job = self.jobs.of(request)
                claim(claims, job)
                compared |= self._compares(job)
            except RecordError:
                raise  # names its file
            except InvalidInputError as error:
                raise SettingsError(f"{request.nodeid or request.id}: {error}") from None
            jobs.append(job)
        self._tell_damaged(requests)
        self.places.check_reports()
        load_calibration(self.places.folder, self.backend.device)
        if not self.backend.simulated:
            lock_folder(self.settings.lock_dir)
        self._expected = len(jobs)
        self._context.bare = self._context.wants_comparison and not (compared or more)
        return tuple(jobs)

    def _compares(self, job: GateJob) -> bool:
        """Whether a job has a comparable baseline. Raises BaselineError."""
        baseline = stored_baseline(self._context.store, job)
        return baseline is not None and comparable(baseline, self.backend.fingerprint(), self.backend.simulated)

    @property
    def compared_nothing(self) -> bool:
        """The run is over and no test of it may be called green: nothing could be compared, and nobody allowed that."""
        return self._context.compared_nothing

    def _tell_damaged(self, requests: Sequence[Request]) -> None:
        """Note baselines that cannot be read and that nobody asked for; those that tests ask for were refused."""
        for name in dict.fromkeys([self.settings.baseline, *(request.settings.baseline for request in requests)]):
            for error in self._context.store.damaged(name).values():  # raises for files that name no problem
                text = Text.of("a baseline that no test of this run asks for cannot be read: {error}", error=error)
                self._context.trouble(translate(text, self.screen.language))

    # -- one problem --------------------------------------------------------------------------------------------------

    def gate(self, job: GateJob) -> GateResult:
        """Search, confirm, judge and keep one problem. Raises InvalidInputError before anything is measured.

        Ctrl-C in the search or confirmation keeps what was measured as an interrupted result and goes on as
        KeyboardInterrupt; the problem is among the results then, or among what was missed.
        """
        kept = len(self.ledger.results)
        try:
            self.ledger.claim(job)
            return Gate(self._context, self._executor, max(1, self._expected)).run(job)
        except KeyboardInterrupt:
            if len(self.ledger.results) == kept:
                self.ledger.interrupted(job)
            raise

    def sampler(self, result: GateResult) -> Callable[[], float]:
        """Microseconds of one fresh call of a result's confirmed kernel, for other tools that time."""
        problem, config, template = result.tuning.problem, result.config, self.jobs.template(result.template_place)
        assert config is not None
        artifact = self.backend.build(template, problem, config)
        return lambda: self.backend.sample(artifact, problem, timeout_s=Strategy().plan.timeout_s).us

    def close(self) -> None:
        """Let go of the backend's processes and devices. May be called twice."""
        for held in (self._executor, self._backend):
            if held is not None:
                held.close()
