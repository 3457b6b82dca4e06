"""Where a run reads and writes: the root of everything, the reports, the folder of the run and of each problem."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pytest_ascend_tune.files.atomic import check_writable
from pytest_ascend_tune.files.workspace import check_links
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import with_variant
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.records.runs import folders
from pytest_ascend_tune.reports.publishing import check_paths


class Places:
    """`root`: rootdir. `here`: the working directory, for relative paths of the command line; None: the same.

    `run`: name of the run's folder where somebody else chose it.
    """

    def __init__(
        self, settings: Settings, root: Path, here: Path | None, run: str | None, now: Callable[[], datetime]
    ) -> None:
        self.root, self._here, self._now = root, here or root, now
        self.folder = root / settings.dir
        self.report = self.base(settings, "report") / (settings.report or self.folder / "report/index.html")
        self.json = self.base(settings, "json") / (settings.json or self.folder / "report/results.json")
        self.markdown = self.folder / "report/summary.md"
        self.history = settings.history or f"sqlite:///{self.folder / 'history.sqlite'}"
        self._run = self.folder / "runs" / run if run else None

    def base(self, settings: Settings, option: str) -> Path:
        """What a relative path in an option is relative to."""
        return settings.base(option, here=self._here, root=self.root)

    def from_root(self, settings: Settings, option: str, value: str) -> str:
        """A relative path that an option gives, spelt from rootdir; an absolute one or a home is left alone."""
        base = self.base(settings, option)
        if base == self.root or value.startswith("~") or Path(value).is_absolute():
            return value
        return os.path.relpath(base / value, self.root)

    @property
    def has_run(self) -> bool:
        """Whether a folder of this run was made."""
        return self._run is not None

    def run(self) -> Path:
        """Folder of this run, made on first use."""
        if self._run is None:
            self._run = folders.make_run(self.folder, self._now())
        return self._run

    def of_problem(self, template: str, problem: GemmProblem, *, variant: str = "", resume: bool) -> Path:
        """A problem's folder: of this run, or with resume the newest that has a journal of it."""
        if resume:
            name = with_variant(problem.id, variant)
            found = sorted(self.folder.glob(f"runs/*/{template}/{name}/{folders.JOURNAL}"))
            if found:
                check_links(self.folder, found[-1])
                return found[-1].parent
        return folders.problem_folder(self.run(), template, problem, variant)

    def check_reports(self) -> None:
        """Raise InvalidInputError unless the reports can be written and replace nothing of somebody else's."""
        folders.claim_report(self.folder)
        check_paths(self.report, self.json, self.markdown)
        for path in (self.report, self.json, self.markdown):
            check_writable(path.parent)
