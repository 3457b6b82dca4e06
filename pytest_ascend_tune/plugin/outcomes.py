"""What a test that asked came to: its result in pytest's report, a short message for a failed gate, what was missed."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_ascend_tune.model.errors import AscendTuneError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured, PerformanceRegression
from pytest_ascend_tune.options.table import MARKER
from pytest_ascend_tune.plugin import xdist
from pytest_ascend_tune.plugin.htmlreport import HtmlReport
from pytest_ascend_tune.plugin.waiting import ASKED, RESULTS, Waiting
from pytest_ascend_tune.session.run import TuneSession


class Outcomes:
    """Registered beside the activity. ``lines``: where each test begins, by node id."""

    def __init__(self, session: TuneSession, waiting: Waiting, *, is_worker: bool) -> None:
        self._session, self._waiting, self._is_worker = session, waiting, is_worker
        self.html: HtmlReport | None = None
        self.lines: dict[str, int] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """An item that is run again starts afresh."""
        if item.stash.get(RESULTS, []):
            kept = [entry for entry in item.user_properties if not entry[0].startswith("ascend_tune_")]
            item.user_properties[:] = kept
        item.stash[RESULTS] = []
        self._session.ledger.forget(item.nodeid)

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
            self._waiting.end(item.nodeid)
        error = call.excinfo.value if call.excinfo else None
        if isinstance(error, (PerformanceRegression, AscendTuneError)):
            report.longrepr = printable(str(error))
        results = item.stash.get(RESULTS, []) if call.when == "call" else []
        for result in results:
            if not result.verdict.fails:  # the message of the failed test says it
                report.sections.append(("ascend-tune", printable(self._session.reporting.sentence(result))))
        missed = [] if report.passed or call.when == "teardown" else self._missed(item, report, call)
        if self.html is not None:
            self.html.add(report, results, missed)
        if not self._is_worker:
            self._session.ledger.missed += missed
        elif results or missed:
            report.ascend_tune = xdist.pack(results), xdist.pack(missed)
        return report

    def _missed(self, item: pytest.Item, report: Any, call: pytest.CallInfo[None]) -> list[NotMeasured]:
        """The problem that a test asked for and did not get measured before it failed or was skipped, if any."""
        problem_id = item.stash.get(ASKED, "")
        measured = [result.problem_id for result in item.stash.get(RESULTS, [])]
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
            self.lines[report.nodeid] = report.location[1] + 1
        if self._is_worker or not hasattr(report, "ascend_tune"):
            return
        results = xdist.unpack(GateResult, report.ascend_tune[0])
        missed = xdist.unpack(NotMeasured, report.ascend_tune[1])
        self._session.ledger.take(report.nodeid, results, missed)
        if self.html is not None:
            self.html.add(report, results, missed)
