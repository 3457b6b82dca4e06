"""The end of a run: its reports, the terminal's summary, and an exit code that is not green for nothing."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.plugin import xdist
from pytest_ascend_tune.plugin.outcomes import Outcomes
from pytest_ascend_tune.plugin.waiting import Waiting
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.session.run import TuneSession


class Ending:
    """Registered beside the activity."""

    def __init__(self, config: pytest.Config, session: TuneSession, waiting: Waiting, outcomes: Outcomes) -> None:
        self._config, self._session = config, session
        self._waiting, self._outcomes = waiting, outcomes
        self.controller: xdist.Controller | None = None
        self._trouble = ""

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the reports; a run that was to tune and measured nothing is not green."""
        if self._config.option.collectonly:
            return
        if xdist.is_worker(self._config):
            self._config.workeroutput[xdist.WAITING_KEY] = len(self._waiting)  # type: ignore[attr-defined]
            return
        ledger = self._session.ledger
        asked = len(self._waiting) or self.controller
        stopped = session.shouldstop or session.shouldfail if self.controller else self._waiting.left()
        interrupted = exitstatus == pytest.ExitCode.INTERRUPTED
        if interrupted or exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            ledger.end(self._waiting.left())
        if ledger or (asked and interrupted):
            try:
                self._session.reporting.publish(self._environment(), interrupted=interrupted or bool(stopped))
            except RecordError as error:
                self._trouble = str(error)
        green = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if green and (self._trouble or self._measured_nothing() or self._session.compared_nothing):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """One row a problem, and where the report is."""
        if self._config.option.collectonly:
            return
        lines = self._session.reporting.summary(shutil.get_terminal_size().columns)
        lines += [self._trouble] if self._trouble else []
        if self._measured_nothing():
            spoken = self._session.screen.spoken
            lines.append(
                say("nothing was measured although tests asked for ascend_tune: the run counts as failed", spoken)
            )
        if lines:
            terminalreporter.section("ascend-tune")
            for line in [*map(printable, lines), *self._session.reporting.annotations(self._outcomes.lines)]:
                terminalreporter.write_line(line)

    def _environment(self) -> dict[str, str]:
        """More facts for the report, as conftest files give them."""
        found = self._config.hook.pytest_ascend_tune_environment(config=self._config)
        return {key: str(value) for facts in found if facts for key, value in facts.items()}

    def _measured_nothing(self) -> bool:
        waiting = self.controller.waiting if self.controller else len(self._waiting)
        return waiting > 0 and not self._session.ledger.results
