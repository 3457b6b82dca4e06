"""What the plugin does when tuning is on: pytest's events in, calls of the session out, answers back into pytest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_ascend_tune.model.errors import BackendUnavailableError, InvalidInputError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.verdict import GateResult, PerformanceRegression
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.options.table import MARKER
from pytest_ascend_tune.plugin import benchmark, xdist
from pytest_ascend_tune.plugin.ending import Ending
from pytest_ascend_tune.plugin.htmlreport import HtmlReport
from pytest_ascend_tune.plugin.items import ShapeItem
from pytest_ascend_tune.plugin.marker import Asked
from pytest_ascend_tune.plugin.outcomes import Outcomes
from pytest_ascend_tune.plugin.screen import screen_of
from pytest_ascend_tune.plugin.waiting import ASKED, RESULTS, Waiting
from pytest_ascend_tune.reports.text.machine import junit_properties
from pytest_ascend_tune.session.jobs import GateJob
from pytest_ascend_tune.session.run import TuneSession


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
        with usage_errors():
            settings = dataclasses.replace(settings, devices=xdist.own_devices(config, settings))
        self.settings = settings
        self.session = TuneSession(
            settings,
            config.rootpath,
            here=config.invocation_params.dir,
            screen=screen_of(config),
            run=xdist.run_of(config),
        )
        self._waiting = Waiting()
        self._requests: dict[str, Request] = {}
        self._jobs: dict[str, GateJob] = {}
        self._outcomes = Outcomes(self.session, self._waiting, is_worker=xdist.is_worker(config))
        self._ending = Ending(config, self.session, self._waiting, self._outcomes)
        config.pluginmanager.register(self._ending, "ascend_tune_ending")
        config.pluginmanager.register(self._outcomes, "ascend_tune_outcomes")

    # -- what the door asks -------------------------------------------------------------------------------------------

    @property
    def default_dtype(self) -> Dtype:
        """Dtype of problems that name none."""
        return self.session.backend.default_dtype

    def expect(self, items: Sequence[pytest.Item], requests: Mapping[str, Request]) -> None:
        """Take all known requests; skip what this backend cannot do."""
        self._requests = dict(requests)
        option = self.config.option
        named = self.config.args_source is pytest.Config.ArgsSource.ARGS
        self.session.ledger.whole_suite = not (named or option.keyword or option.markexpr)
        for item in items:
            if isinstance(item, ShapeItem):
                item.run_request = lambda item: self.run(item, {})
            request = self._requests.get(item.nodeid)
            item.stash[ASKED] = request.id if request else ""
            reason = self.session.cannot(request.problem) if request else None
            if reason:
                item.add_marker(pytest.mark.skip(reason=printable(reason)))
                del self._requests[item.nodeid]
            if request or MARKER in getattr(item, "fixturenames", ()):
                self._waiting.add(item.nodeid, item.stash[ASKED])
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
        known = None if call else self._jobs.get(item.nodeid)
        result = self.session.gate(known or self._called(item, call))
        item.stash.setdefault(RESULTS, []).append(result)
        item.user_properties.extend((name, printable(value)) for name, value in junit_properties(result))
        self.config.hook.pytest_ascend_tune_result(item=item, result=result)
        if result.verdict.fails:
            raise PerformanceRegression(printable(self.session.reporting.failure_message(result)), result)
        if benchmark.wants(item):
            benchmark.run(item, result, self.session.sampler(result))
        return result

    def _called(self, item: pytest.Item, call: Mapping[str, Any]) -> GateJob:
        """The job of a call that says more than is known before it. Raises InvalidInputError."""
        item.stash[ASKED] = ""
        request = Asked.by(item, self.settings).called(call).request(self.default_dtype)
        item.stash[ASKED] = request.id
        reason = self.session.cannot(request.problem)
        if reason:
            pytest.skip(reason)
        return self.session.jobs.of(request)

    # -- hooks --------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Open the backend: one that was asked for and cannot run ends the session here."""
        backend = self.config.hook.pytest_ascend_tune_backend(config=self.config, name=self.settings.backend)
        with usage_errors():
            self.session.open(backend)
        plugins = self.config.pluginmanager
        if not xdist.is_worker(self.config) and plugins.hasplugin("html") and self.config.getoption("htmlpath", None):
            self._outcomes.html = HtmlReport(self.session.screen.language)
            plugins.register(self._outcomes.html, "ascend_tune_html")
        if xdist.has_workers(self.config):
            self._ending.controller = xdist.Controller(self.session.places.run().name)
            plugins.register(self._ending.controller, "ascend_tune_xdist")
            self.session.close()  # it can be used, and belongs to a worker now

    def pytest_report_header(self) -> str:
        """One line: what will be tuned where."""
        return printable(f"ascend-tune: {self.session.describe()}")

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """What -k, -m, --lf or another plugin takes out is not waited for."""
        for item in items:
            self.session.ledger.whole_suite = False
            self._requests.pop(item.nodeid, None)
            self._waiting.drop(item.nodeid)

    def pytest_collection_finish(self) -> None:
        """Everything that can be known to fail is found here, before anything is measured."""
        if self._waiting and not self.config.option.collectonly:
            with usage_errors():
                self._jobs = {job.nodeid: job for job in self._checked()}

    def _checked(self) -> tuple[GateJob, ...]:
        requests = tuple(self._requests.values())
        return self.session.check(requests, more=len(self._waiting) > len(requests))

    def pytest_unconfigure(self) -> None:
        """Let go of processes and devices."""
        self.session.close()


@contextmanager
def usage_errors() -> Iterator[None]:
    """Bad input becomes pytest's usage error, exit code 4."""
    try:
        yield
    except (InvalidInputError, BackendUnavailableError) as error:
        raise pytest.UsageError(printable(f"ascend-tune: {error}")) from None
