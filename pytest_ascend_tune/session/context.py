"""What the parts of one run share: its settings, places and clock, and where they keep what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pytest_ascend_tune.execute.locks import Waiting
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.session.ledger import Ledger
from pytest_ascend_tune.session.places import Places
from pytest_ascend_tune.session.screen import Screen


@dataclass
class Context:
    """``settings``: of the run, which a job's own may differ from. ``history``: open when the run was checked.

    ``old_toolchain``: whether the backend was given the baseline's. ``troubles``: what went wrong after a problem was
    measured and lost nothing; said at the end. ``ci``: nobody watches this run. ``bare``: it is known beforehand that
    no problem of it has a comparable baseline.
    """

    settings: Settings
    places: Places
    screen: Screen
    now: Callable[[], datetime]
    ledger: Ledger
    store: BaselineStore
    history: History | None = None
    old_toolchain: bool = False
    waiting: Waiting = field(default_factory=Waiting)
    ci: bool = False
    bare: bool = False
    troubles: list[str] = field(default_factory=list)

    @property
    def wants_comparison(self) -> bool:
        """Whether a run in which nothing is compared fails: in CI, where nobody said what is to happen then."""
        return self.ci and self.settings.missing is None and not self.settings.update_baseline

    @property
    def compared_nothing(self) -> bool:
        """Whether the run is over, fails for that reason, and has results."""
        return self.wants_comparison and bool(self.ledger.results) and not self.ledger.compared

    def trouble(self, *said: str) -> None:
        """Keep what has not been said yet."""
        self.troubles += [words for words in said if words not in self.troubles]
