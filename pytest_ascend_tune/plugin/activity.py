"""What the plugin does when tuning is on: pytest's events in, calls of the session out, answers back into pytest."""

from __future__ import annotations

import dataclasses
import shutil
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import pytest

from pytest_ascend_tune.model.errors import AscendTuneError, InvalidInputError, RecordError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured, PerformanceRegression
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.options.table import MARKER
from pytest_ascend_tune.plugin import benchmark, xdist
from pytest_ascend_tune.plugin.htmlreport import HtmlReport
from pytest_ascend_tune.plugin.items import ShapeItem, item_arguments, marker_arguments, request_of
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.text.machine import junit_properties
from pytest_ascend_tune.session.run import TuneSession

RESULTS = pytest.StashKey[list[GateResult]]()
ASKED = pytest.StashKey[str]()  # id of the problem that a test wants measured; "" while its call has not named it


class AscendTune:
    """The fixture's value. Calling it tunes, confirms and gates one problem and returns the GateResult."""

    def __init__(self, activity: Activity, item: pytest.Item) -> None:
        self._activity, self._item = activity, item

    def __call__(self, **arguments: Any) -> GateResult:
        """Tune and gate; arguments override the marker's. Raises PerformanceRegression when the gate fails."""
        __tracebackhide__ = True
        return self._activity.run(self._item, arguments)


class Activity:
    """Registered as a plugin by --ascend-tune; owns the session of this run."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.config = config
        self._is_worker = xdist.is_worker(config)
        with usage_errors():
            settings = dataclasses.replace(settings, devices=xdist.own_devices(config, settings))
        self.settings = settings
        self.session = TuneSession(
            settings,
            config.rootpath,
            here=config.invocation_params.dir,
            write=self._write,
            is_terminal=self._is_terminal(),
            encoding=getattr(sys.__stdout__, "encoding", None) or "ascii",
            run=xdist.run_of(config),
        )
        self._controller: xdist.Controller | None = None
        self._html: HtmlReport | None = None
        self._expected: dict[str, Request] = {}
        self._waiting: set[str] = set()
        self._ended: set[str] = set()
        self._lines: dict[str, int] = {}  # where each test begins
        self._trouble = ""
        self._at_line_start = True

    # -- what plugin.py asks ------------------------------------------------------------------------------------------

    @property
    def default_dtype(self) -> Dtype:
        """Dtype of problems that name none."""
        return self.session.backend.default_dtype

    def expect(self, items: Sequence[pytest.Item], requests: Mapping[str, Request]) -> None:
        """Take all known requests; skip what this backend cannot do."""
        self._expected = dict(requests)
        option = self.config.option
        named = self.config.args_source is pytest.Config.ArgsSource.ARGS
        self.session.complete_suite = not (named or option.keyword or option.markexpr)
        for item in items:
            if isinstance(item, ShapeItem):
                item.run_request = lambda item: self.run(item, {})
            request = requests.get(item.nodeid)
            item.stash[ASKED] = request.problem.id if request else ""
            reason = self.session.cannot(request.problem) if request else None
            if reason:
                item.add_marker(pytest.mark.skip(reason=printable(reason)))
                del self._expected[item.nodeid]
            if request or MARKER in getattr(item, "fixturenames", ()):
                self._waiting.add(item.nodeid)
                if self.config.pluginmanager.hasplugin("benchmark") and benchmark.wants(item):
                    benchmark.prepare(item)

    def fixture(self, item: pytest.Item) -> AscendTune:
        """The fixture's value for one test."""
        return AscendTune(self, item)

    def run(self, item: pytest.Item, call: Mapping[str, Any]) -> GateResult:
        """Tune and gate what a test asks for.

        Raises PerformanceRegression, or InvalidInputError for bad call arguments.
        """
        __tracebackhide__ = True
        request = self._expected.get(item.nodeid)
        if request is None or call:
            item.stash[ASKED] = ""
            arguments = item_arguments(item, marker_arguments(item) or {})
            request = request_of(arguments, call, self.settings, item.nodeid, self.default_dtype)
            item.stash[ASKED] = request.problem.id
            reason = self.session.cannot(request.problem)
            if reason:
                pytest.skip(printable(reason))
        result = self.session.gate(request)
        item.stash.setdefault(RESULTS, []).append(result)
        item.user_properties.extend((name, printable(value)) for name, value in junit_properties(result))
        self.config.hook.pytest_ascend_tune_result(item=item, result=result)
        if result.verdict.fails:
            raise PerformanceRegression(printable(self.session.failure_message(result)), result)
        if benchmark.wants(item):
            benchmark.run(item, result, self.session.sampler(result))
        return result

    # -- hooks --------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Open the backend: one that was asked for and cannot run ends the session here."""
        backend = self.config.hook.pytest_ascend_tune_backend(config=self.config, name=self.settings.backend)
        with usage_errors():
            self.session.open(backend)
        plugins = self.config.pluginmanager
        if not self._is_worker and plugins.hasplugin("html") and self.config.getoption("htmlpath", None):
            self._html = HtmlReport(self.session.language)
            plugins.register(self._html, "ascend_tune_html")
        if xdist.has_workers(self.config):
            self._controller = xdist.Controller(self.session.run_folder().name)
            plugins.register(self._controller, "ascend_tune_xdist")
            self.session.close()  # it can be used, and belongs to a worker now

    def pytest_report_header(self) -> str:
        """One line: what will be tuned where."""
        return printable(f"ascend-tune: {self.session.describe()}")

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """What -k, -m, --lf or another plugin takes out is not waited for."""
        for item in items:
            self.session.complete_suite = False
            self._expected.pop(item.nodeid, None)
            self._waiting.discard(item.nodeid)

    def pytest_collection_finish(self) -> None:
        """Everything that can be known to fail is found here, before anything is measured."""
        if self._waiting and not self.config.option.collectonly:
            with usage_errors():
                self.session.check(tuple(self._expected.values()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """An item that is run again starts afresh."""
        if item.stash.get(RESULTS, []):
            kept = [entry for entry in item.user_properties if not entry[0].startswith("ascend_tune_")]
            item.user_properties[:] = kept
        item.stash[RESULTS] = []
        self.session.forget(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """A test that asked for the fixture and passed without calling it measured nothing: it fails."""
        yield
        if MARKER in getattr(item, "fixturenames", ()) and not item.stash.get(RESULTS, []):
            pytest.fail("the test requested ascend_tune but never called it: nothing was measured", pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        """A failed gate is a short message, not a traceback; the numbers stand in the report's section."""
        report = yield
        if call.when == "teardown":
            self._ended.add(item.nodeid)
        error = call.excinfo.value if call.excinfo else None
        if isinstance(error, (PerformanceRegression, AscendTuneError)):
            report.longrepr = printable(str(error))
        results = item.stash.get(RESULTS, []) if call.when == "call" else []
        for result in results:
            report.sections.append(("ascend-tune", printable(self.session.sentence(result))))
        missed = [] if report.passed or call.when == "teardown" else self._missed(item, report, call)
        if self._html is not None:
            self._html.add(report, results, missed)
        if not self._is_worker:
            self.session.missed += missed
        elif results or missed:
            report.ascend_tune = xdist.pack(results), xdist.pack(missed)
        return report

    def _missed(self, item: pytest.Item, report: Any, call: pytest.CallInfo[None]) -> list[NotMeasured]:
        """The problem that a test asked for and did not get measured before it failed or was skipped, if any."""
        problem_id = item.stash.get(ASKED, "")
        measured = [result.tuning.problem.id for result in item.stash.get(RESULTS, [])]
        if item.nodeid not in self._waiting or problem_id in measured or call.excinfo is None:
            return []
        error = call.excinfo.value
        plain = isinstance(error, (AscendTuneError, pytest.skip.Exception, pytest.fail.Exception))
        reason = str(error) if plain else call.excinfo.exconly().partition("\n")[0]
        return [NotMeasured(item.nodeid, problem_id, Text.of("{reason}", reason=reason), skipped=report.skipped)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Where a test stands; on a controller, take over what a worker measured, before pytest-html looks at it."""
        if report.location[1] is not None:
            self._lines[report.nodeid] = report.location[1] + 1
        if self._is_worker or not hasattr(report, "ascend_tune"):
            return
        results = xdist.unpack(GateResult, report.ascend_tune[0])
        missed = xdist.unpack(NotMeasured, report.ascend_tune[1])
        self.session.forget(report.nodeid)
        self.session.results += results
        self.session.missed += missed
        if self._html is not None:
            self._html.add(report, results, missed)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the reports; a run that was to tune and measured nothing is not green."""
        results = self.session.results
        if self.config.option.collectonly:
            return
        if self._is_worker:
            self.config.workeroutput[xdist.WAITING_KEY] = len(self._waiting)  # type: ignore[attr-defined]
            return
        extra = [facts for facts in self.config.hook.pytest_ascend_tune_environment(config=self.config) if facts]
        facts = {key: str(value) for facts in extra for key, value in facts.items()}
        asked = self._waiting or self._controller
        stopped = session.shouldstop or session.shouldfail if self._controller else self._waiting - self._ended
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
            self.session.missed += self._not_run()
        if results or self.session.missed or (asked and exitstatus == pytest.ExitCode.INTERRUPTED):
            try:
                self.session.publish(facts, exitstatus == pytest.ExitCode.INTERRUPTED or bool(stopped))
            except RecordError as error:
                self._trouble = str(error)
        green = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if green and (self._trouble or self._measured_nothing()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """One row a problem, and where the report is."""
        if self.config.option.collectonly:
            return
        lines = self.session.summary(shutil.get_terminal_size().columns)
        lines += [self._trouble] if self._trouble else []
        if self._measured_nothing():
            lines.append(
                say(
                    "nothing was measured although tests asked for ascend_tune: the run counts as failed",
                    self.session.spoken,
                )
            )
        if lines:
            terminalreporter.section("ascend-tune")
            for line in [*map(printable, lines), *self.session.annotations(self._lines)]:
                terminalreporter.write_line(line)

    def _not_run(self) -> list[NotMeasured]:
        """What asks for a problem and did not run, because the run was stopped or interrupted."""
        told = {result.nodeid for result in self.session.results} | {one.nodeid for one in self.session.missed}
        left = sorted(self._waiting - self._ended - told)
        reason = Text.of("the run ended before it")
        return [
            NotMeasured(nodeid, request.problem.id if request else "", reason, skipped=True)
            for nodeid, request in ((nodeid, self._expected.get(nodeid)) for nodeid in left)
        ]

    def _measured_nothing(self) -> bool:
        waiting = self._controller.waiting if self._controller else len(self._waiting)
        return waiting > 0 and not self.session.results

    def pytest_unconfigure(self) -> None:
        """Let go of processes and devices."""
        self.session.close()

    # -- terminal -----------------------------------------------------------------------------------------------------

    def _is_terminal(self) -> bool:
        return sys.__stdout__ is not None and sys.__stdout__.isatty()

    def _write(self, text: str) -> None:
        """Progress goes past pytest's capturing; without a terminal reporter nobody wants it."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or self.config.option.verbose < 0:
            return
        capture = self.config.pluginmanager.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            if self._at_line_start:
                reporter.ensure_newline()
            reporter.write(text, flush=True)
        self._at_line_start = text.endswith("\n")


class usage_errors:  # noqa: N801 - reads as a statement: with usage_errors():
    """Bad input becomes pytest's usage error, exit code 4."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        from pytest_ascend_tune.model.errors import BackendUnavailableError

        if isinstance(error, (InvalidInputError, BackendUnavailableError)):
            raise pytest.UsageError(printable(f"ascend-tune: {error}")) from None
