"""The hall: wires settings, backend, search, confirmation, verdict, records and reports; has never heard of pytest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from pytest_ascend_tune import backends
from pytest_ascend_tune.execute import executors
from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.execute.locks import device_turn, lock_folder
from pytest_ascend_tune.files.atomic import check_writable
from pytest_ascend_tune.gate.verdict import comparable, interrupted, judge
from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import (
    BackendUnavailableError,
    BaselineError,
    InvalidInputError,
    ProblemError,
    RecordError,
    SettingsError,
)
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Advising, Backend, BackendOptions, BackendRecipe, Executor, Job, Strategy
from pytest_ascend_tune.model.search import ConvergenceState, Template, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey, GateResult, GateStatus, NotMeasured, Policy
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.records.baselines.calibrations import load_calibration
from pytest_ascend_tune.records.baselines.candidates import write_candidate
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.records.runs import folders
from pytest_ascend_tune.records.runs.results import write_missed, write_run
from pytest_ascend_tune.reports.figures.plots import write_run_pictures
from pytest_ascend_tune.reports.messages import pick_language, translate
from pytest_ascend_tune.reports.text.markdown import failure_annotations
from pytest_ascend_tune.reports.text.terminal import ProgressLine, failure_message, readable, summary_lines
from pytest_ascend_tune.reports.view import report_view
from pytest_ascend_tune.session.confirm import confirm_search, own_build
from pytest_ascend_tune.session.interrupts import held_back
from pytest_ascend_tune.session.publish import publish_all
from pytest_ascend_tune.session.record import baseline_of, may_record
from pytest_ascend_tune.session.search import recorded_search, unsupported, without_search
from pytest_ascend_tune.session.warmstart import near_configs, simulated_configs
from pytest_ascend_tune.tuning.convergence import ConvergenceRule


def utc_now() -> datetime:
    """The time, for records."""
    return datetime.now(timezone.utc)


def stamp(now: datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


class TuneSession:
    """One run over any number of problems: opens the backend once, gates request after request, then reports.

    `here`: the working directory, for relative paths of the command line; default `root`.
    """

    def __init__(
        self,
        settings: Settings,
        root: Path,
        *,
        here: Path | None = None,
        write: Callable[[str], None] = lambda text: None,
        is_terminal: bool = False,
        encoding: str = "utf-8",
        now: Callable[[], datetime] = utc_now,
        run: str | None = None,
    ) -> None:
        self.settings = settings
        self._root, self._here = root, here or root
        self.folder = root / settings.dir
        self.language = pick_language(settings.lang, os.environ)
        self._report_path = self._base(settings, "report") / (settings.report or self.folder / "report/index.html")
        self._json_path = self._base(settings, "json") / (settings.json or self.folder / "report/results.json")
        self._published = False
        self._complete = True  # False when the run was interrupted
        self.results: list[GateResult] = []
        self.missed: list[NotMeasured] = []  # what was asked for and has no result
        self.complete_suite = False  # whether nothing was deselected: only then can a baseline be called an orphan
        self._write, self._is_terminal, self._encoding, self.now = write, is_terminal, encoding, now
        self.spoken = readable(self.language, encoding)  # on the terminal; files hold any language
        self._backend: Backend | None = None
        self._executor: Executor | None = None
        self._templates: dict[tuple[str, Path], tuple[Template, SearchSpace]] = {}
        self._troubles: list[str] = []
        self._gated: dict[tuple[GemmProblem, str], str] = {}
        self._earlier: dict[str, GateResult] = {}  # of tests that are run again, by node id
        self._store = BaselineStore(self.folder)
        self._run = self.folder / "runs" / run if run else None
        self._history: History | None = None
        self._expected: tuple[Request, ...] = ()

    # -- before measuring ---------------------------------------------------------------------------------------------

    def open(self, backend: Backend | None = None) -> None:
        """Take `backend`, or create the one that the settings name. Raises BackendUnavailableError, SettingsError."""
        name = self.settings.backend
        options = BackendOptions(self.folder / "cache", l2=self.settings.l2, devices=self.settings.devices)
        self._backend = used = backend or backends.create(name, options=options)
        reason = used.unavailable_because()
        if reason:
            raise BackendUnavailableError(f"backend {used.name!r} cannot run here: {reason}")
        recipe = None if backend else BackendRecipe(used.name if name == "auto" else name, options)
        self._executor = executors.connect(self.settings.executor, used, recipe, self.settings.devices)

    @property
    def backend(self) -> Backend:
        """The open backend."""
        if self._backend is None:
            self.open()
        assert self._backend is not None
        return self._backend

    def describe(self) -> str:
        """What will be tuned where, in one line."""
        count, device = self._executor.devices if self._executor else 1, self.backend.device
        text = Text.of(
            "backend {backend}{simulated}, {devices}, template {template} and up to {trials} trials unless a marker "
            "says otherwise, baseline {baseline!r}",
            backend=self.backend.name,
            simulated=Text.of(" (simulated: no kernel runs)") if self.backend.simulated else "",
            devices=Text.of("device {device}", device=device)
            if count == 1
            else Text.of("{count} devices {device}", count=count, device=device),
            template=self.settings.template or self.backend.default_template,
            trials=self.settings.max_iter,
            baseline=self.settings.baseline,
        )
        return translate(text, self.spoken)

    def cannot(self, problem: GemmProblem) -> str | None:
        """Why a problem cannot be tuned on this backend (a reason to skip), None when it can."""
        return unsupported(self.backend, problem)

    def check(self, requests: Sequence[Request]) -> None:
        """Everything that can be known to fail is found here, before anything is measured. Raises InvalidInputError."""
        folders.prepare_root(self.folder)
        self._store.check_writable()
        self._history = History(self.settings.history or f"sqlite:///{self.folder / 'history.sqlite'}")
        self._history.check()
        self._expected = tuple(requests)
        for request in requests:
            try:
                self._baseline(request, self.job(request))
            except RecordError:
                raise  # names its file
            except InvalidInputError as error:
                raise SettingsError(f"{request.nodeid or request.problem.id}: {error}") from None
        self._store.list(self.settings.baseline)  # raises for files that name no problem
        for path in (self._report_path, self._json_path):
            if path.is_dir():
                raise SettingsError(f"{path} is a folder; name a file to write the report to")
            check_writable(path.parent)
        load_calibration(self.folder, self.backend.device)
        if not self.backend.simulated:
            lock_folder(self.settings.lock_dir)

    # -- one problem --------------------------------------------------------------------------------------------------

    def gate(self, request: Request) -> GateResult:
        """Search, confirm, judge and keep one problem. Raises InvalidInputError before anything is measured.

        Ctrl-C in the search or confirmation keeps what was measured as an interrupted result and goes on as
        KeyboardInterrupt; the problem is among the results then, or among what was missed.
        """
        kept = len(self.results)
        try:
            return self._gate(request)
        except KeyboardInterrupt:
            if len(self.results) == kept:
                reason = Text.of("the run was interrupted while it was measured")
                self.missed.append(NotMeasured(request.nodeid, request.problem.id, reason, skipped=True))
            raise

    def _gate(self, request: Request) -> GateResult:
        job = self.job(request)
        key = (request.problem, job.template.name)
        if key in self._gated:
            raise SettingsError(
                f"{request.problem.id} with {key[1]} was tuned by {self._gated[key]} already; each problem once a run"
            )
        self._gated[key] = request.nodeid or request.problem.id
        baseline = self._baseline(request, job)
        folder = self._problem_folder(request, job)
        with device_turn(self.backend, self.settings.devices, self.settings.lock_dir, self._write):
            tuning = self._search(request, job, baseline, folder)
            try:
                if tuning.convergence.state is ConvergenceState.INTERRUPTED:
                    raise KeyboardInterrupt
                result = self._judge(request, job, tuning, baseline)
            except KeyboardInterrupt:
                with held_back():
                    self._keep(request, GateResult(tuning, interrupted(tuning), nodeid=request.nodeid), folder)
                raise
        with held_back():
            return self._keep(request, self._record(request, job.template, result, folder), folder)

    def _baseline(self, request: Request, job: Job) -> Baseline | None:
        """The stored baseline. Raises BaselineError for a damaged one, or one that its own sources do not allow."""
        key = self._key(request, job.template)
        baseline = self._store.load(key)
        if baseline is not None and baseline.source_hash == job.template.source_hash:
            reason = job.space.why_illegal(baseline.config, job.problem)
            if reason is not None and comparable(baseline, self.backend.fingerprint(), self.backend.simulated):
                raise BaselineError(
                    f"{self._store.path(key)}: its configuration is not legal for its own template: {reason}; "
                    "record it again, or put back the file that was reviewed"
                )
        return baseline

    def forget(self, nodeid: str) -> None:
        """A test is run again (pytest-rerunfailures): its next result takes the place of this one, and says so.

        Its search is not repeated: it goes on from the journal. The confirmation is made of fresh samples.
        """
        self._earlier |= {result.nodeid: result for result in self.results if result.nodeid == nodeid}
        self.results = [result for result in self.results if result.nodeid != nodeid]
        self.missed = [one for one in self.missed if one.nodeid != nodeid]
        self._gated = {key: holder for key, holder in self._gated.items() if holder != nodeid}

    def sampler(self, result: GateResult) -> Callable[[], float]:
        """Microseconds of one fresh call of a result's confirmed kernel, for other tools that time."""
        problem, config, template = result.tuning.problem, result.config, self._template(self.settings)[0]
        assert config is not None
        artifact = self.backend.build(template, problem, config)
        return lambda: self.backend.sample(artifact, problem, timeout_s=Strategy().plan.timeout_s).us

    def job(self, request: Request) -> Job:
        """Problem, template, space and backend of a request. Raises InvalidInputError."""
        template, space = self._template(request.settings)
        self._check_problem(request, template)
        bound = space.bind(self.backend.facts(), request.problem)
        if bound.default is None:
            bound.candidates(request.problem, limit=1)  # raises when nothing is legal
        return Job(request.problem, template, bound, self.backend)

    def _search(self, request: Request, job: Job, baseline: Baseline | None, folder: Path) -> TuningResult:
        settings = request.settings
        strategy = Strategy(
            max_trials=settings.max_iter,
            seed=request.seed,
            baseline_configs=(baseline.config, *baseline.runners_up) if baseline else (),
            warm_configs=near_configs(self._store, self._key(request, job.template)) + simulated_configs(job),
        )
        if settings.max_iter == 0:
            return without_search(job, strategy)
        tuning = recorded_search(
            job,
            strategy,
            ConvergenceRule(max_trials=settings.max_iter, patience=settings.patience),
            folder,
            ProgressLine(
                job.problem,
                settings.max_iter,
                self._write,
                self._is_terminal,
                self.spoken,
                encoding=self._encoding,
            ),
            executor=self._executor,
            time_budget_s=settings.time_budget,
        )
        notes = [translate(note, self.language) for note in tuning.notes]
        self._troubles += [note for note in notes if note not in self._troubles]
        return tuning

    def _judge(self, request: Request, job: Job, tuning: TuningResult, baseline: Baseline | None) -> GateResult:
        own, fingerprint = None, job.backend.fingerprint()
        if baseline is not None and comparable(baseline, fingerprint, tuning.simulated):
            own = own_build(job, baseline, self._store.load_sources(baseline.source_hash))
        policy = self._policy(request)
        plan = ConfirmPlan(threshold=policy.threshold, tests=max(1, len(self._expected)), seed=request.seed)
        tuning = replace(tuning, confirmed=confirm_search(job, tuning, baseline, own, plan))
        if isinstance(job.backend, Advising):
            config = tuning.confirmed.winner.config if tuning.confirmed else None
            tuning = replace(tuning, notes=(*tuning.notes, *job.backend.notes(job.problem, config)))
        verdict = judge(tuning, baseline, fingerprint, policy, now=self.now())
        return GateResult(tuning, verdict, policy, baseline, fingerprint, request.nodeid)

    def _policy(self, request: Request) -> Policy:
        calibration = load_calibration(self.folder, self.backend.device)
        policy = request.settings.policy
        return replace(policy, platform_threshold=calibration.platform_threshold) if calibration else policy

    def _record(self, request: Request, template: Template, result: GateResult, folder: Path) -> GateResult:
        """Record a baseline where the settings want one; else keep all that `baseline accept` needs to do so later."""
        if result.confirmation is None or not result.confirmation.possible or result.fingerprint is None:
            return result
        key = self._key(request, template)
        new = baseline_of(key, template, result.tuning, result.confirmation, result.fingerprint, self.now())
        write_candidate(folder, new, template)
        action = may_record(result, request.settings)
        if not action:
            return result
        try:
            if action == "seed":
                path = self._store.seed(new, template)
            else:
                path = self._store.save(new, template, accept_regression=request.settings.accept_regression)
        except BaselineError as error:
            reason = Text.of("{verdict}; not recorded: {error}", verdict=result.verdict.reason, error=str(error))
            return replace(result, verdict=replace(result.verdict, reason=reason, fails=True))
        if result.status is GateStatus.REGRESSED:
            note = Text.of("the regression is accepted: it is recorded as the new baseline")
            result = replace(result, verdict=replace(result.verdict, fails=False, notes=(note, *result.verdict.notes)))
        return replace(result, baseline_written=f"{self.settings.dir}/{path.relative_to(self.folder)}" if path else "")

    def _keep(self, request: Request, result: GateResult, folder: Path) -> GateResult:
        space = self._template(request.settings)[1]
        run_dir = str(folder.relative_to(self.folder))
        result = replace(result, run_dir=run_dir, options=request.settings.options())
        earlier = self._earlier.get(result.nodeid)
        if earlier is not None:
            note = Text.of("the test was run again; before, it ended with: {reason}", reason=earlier.verdict.reason)
            result = replace(result, verdict=replace(result.verdict, notes=(*result.verdict.notes, note)))
        self.results.append(result)
        constraints = [constraint.condition.text for constraint in space.constraints]
        write_run(folder, result, constraints=constraints, now=self.now())
        try:  # the measurement is safe in the run's folder: say it, lose nothing
            write_run_pictures(result, folder, language=self.language)
            if self._history is not None:
                self._history.append([result], run=self.run_folder().name, recorded_at=stamp(self.now()))
        except (OSError, RecordError) as error:
            self._troubles.append(str(error))
        return result

    # -- after measuring ----------------------------------------------------------------------------------------------

    def publish(self, environment: Mapping[str, str] | None = None, interrupted: bool = False) -> None:
        """Write report, results.json and the Markdown summary of all results. `environment`: more facts to show.

        Raises RecordError when they cannot be written; the folders of the run hold all that was measured.
        """
        folder = self.folder / "report"
        self._complete = not interrupted
        if self.missed:
            write_missed(self.run_folder(), self.missed)
        publish_all(
            self.results,
            self._report_path,
            self._json_path,
            folder / "summary.md",
            missed=self.missed,
            now=self.now(),
            language=self.language,
            history=self._history,
            environment=environment,
            complete=self._complete,
        )
        self._published = True
        step_summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if step_summary:
            with open(step_summary, "a", encoding="utf-8") as file:
                file.write((folder / "summary.md").read_text(encoding="utf-8"))

    def annotations(self, lines: Mapping[str, int]) -> list[str]:
        """On GitHub: workflow commands that show each failure beside the code. `lines`: of the tests, by node id."""
        if os.environ.get("GITHUB_ACTIONS") != "true":
            return []
        view = report_view(self.results, self.missed, now=self.now(), language=self.spoken)
        nodeids = [result.nodeid for result in self.results] + [one.nodeid for one in self.missed]
        files = {nodeid.partition("::")[0] for nodeid in nodeids}
        return failure_annotations(view, [name for name in files if (self._root / name).is_file()], lines)

    def summary(self, width: int) -> list[str]:
        """What stands at the end of the terminal output; nothing when nothing was asked for."""
        if not (self.results or self.missed):
            return []
        report = str(self._report_path) if self._published else ""
        lines = summary_lines(
            self.results,
            self.missed,
            width=width,
            encoding=self._encoding,
            language=self.spoken,
            report=report,
            complete=self._complete,
        )
        lines += self._troubles
        orphans = self._orphans()
        if orphans:
            text = Text.of("baselines that no collected test matches: {names}", names=", ".join(orphans))
            lines.append(translate(text, self.spoken))
        return lines

    def _orphans(self) -> list[str]:
        """Problem ids of stored baselines that nothing asked for, when all that the suite holds is known."""
        if not self.complete_suite or not all(one.problem_id for one in self.missed):
            return []
        asked = {one.problem_id for one in self.missed}
        wanted = [
            BaselineKey(self.settings.baseline, result.tuning.device, result.tuning.template, result.tuning.problem.id)
            for result in self.results
        ]
        return [key.problem_id for key in self._store.orphans(wanted) if key.problem_id not in asked]

    def sentence(self, result: GateResult) -> str:
        """The verdict's sentence, for people."""
        return translate(result.verdict.reason, self.spoken)

    def failure_message(self, result: GateResult) -> str:
        """What a failed test says."""
        return failure_message(result, language=self.spoken, report=str(self._report_path))

    def close(self) -> None:
        """Let go of the backend's processes and devices. May be called twice."""
        for held in (self._executor, self._backend):
            if held is not None:
                held.close()

    # -- where things are ---------------------------------------------------------------------------------------------

    def _base(self, settings: Settings, option: str) -> Path:
        return settings.base(option, here=self._here, root=self._root)

    def _template(self, settings: Settings) -> tuple[Template, SearchSpace]:
        name, base = settings.template or self.backend.default_template, self._base(settings, "template")
        if (name, base) not in self._templates:
            template, space = load_template(name, base)
            if self.backend.name not in template.backends:
                raise SettingsError(
                    f"template {template.name} is made for {', '.join(template.backends)}, "
                    f"not for {self.backend.name}; choose another template or another backend"
                )
            self._templates[name, base] = template, space
        return self._templates[name, base]

    def _check_problem(self, request: Request, template: Template) -> None:
        problem, available = request.problem, self.backend.memory_bytes()
        if problem.operand_bytes > available:
            raise ProblemError(
                f"{problem.id} needs {problem.operand_bytes / 2**30:.1f} GiB of memory for A, B and C; "
                f"{self.backend.device} has {available / 2**30:.1f} GiB for them"
            )
        if problem.layout not in template.layouts:
            raise ProblemError(
                f"template {template.name} has no layout {problem.layout} (it has {', '.join(template.layouts)})"
            )

    def _key(self, request: Request, template: Template) -> BaselineKey:
        return BaselineKey(request.settings.baseline, self.backend.device, template.name, request.problem.id)

    def run_folder(self) -> Path:
        """Folder of this run, made on first use."""
        if self._run is None:
            self._run = folders.make_run(self.folder, self.now())
        return self._run

    def _problem_folder(self, request: Request, job: Job) -> Path:
        """The problem's folder: of this run, or with resume the newest that has a journal of it."""
        if request.settings.resume:
            pattern = f"runs/*/{job.template.name}/{job.problem.id}/{folders.JOURNAL}"
            found = sorted(self.folder.glob(pattern))
            if found:
                return found[-1].parent
        return folders.problem_folder(self.run_folder(), job.template.name, job.problem)
