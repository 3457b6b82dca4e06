"""Where a run says how it goes: a terminal or a log, its encoding, and the language that it can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.reports.text.terminal import ProgressLine, readable


@dataclass(frozen=True)
class Screen:
    """`write` gets text as it is to be printed, line ends included. `language`: what the run's files speak."""

    write: Callable[[str], None] = lambda text: None
    is_terminal: bool = False
    encoding: str = "utf-8"
    language: str = "en"

    @property
    def spoken(self) -> str:
        """The language on the screen; files hold any."""
        return readable(self.language, self.encoding)

    def progress(self, problem: GemmProblem, max_trials: int) -> ProgressLine:
        """The line that shows how a search goes."""
        return ProgressLine(problem, max_trials, self.write, self.is_terminal, self.spoken, encoding=self.encoding)


SILENT = Screen()
