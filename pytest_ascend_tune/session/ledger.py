"""What a run was asked for and what came of it: results, what was missed, and who tuned what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_ascend_tune.gate.verdict import comparable
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, NotMeasured
from pytest_ascend_tune.session.jobs import Claims, GateJob, claim


class Ledger:
    """The book of one run. ``whole_suite``: nothing was left out of it, so that a baseline can be called an orphan."""

    def __init__(self) -> None:
        self.results: list[GateResult] = []
        self.missed: list[NotMeasured] = []  # what was asked for and has no result
        self.whole_suite = False
        self._claims: Claims = {}
        self._earlier: dict[str, GateResult] = {}  # of tests that are run again, by node id

    def __bool__(self) -> bool:
        return bool(self.results or self.missed)

    @property
    def compared(self) -> bool:
        """Whether any result had a baseline that it could be compared with."""
        return any(
            comparable(result.baseline, result.fingerprint, result.tuning.simulated)
            for result in self.results
            if result.baseline is not None and result.fingerprint is not None
        )

    def claim(self, job: GateJob) -> None:
        """A job begins. Raises SettingsError when its problem and template were tuned already."""
        claim(self._claims, job)

    def add(self, result: GateResult) -> GateResult:
        """Take a result; of a test that is run again it says so."""
        earlier = self._earlier.get(result.nodeid)
        if earlier is not None:
            note = Text.of("the test was run again; before, it ended with: {reason}", reason=earlier.verdict.reason)
            result = replace(result, verdict=replace(result.verdict, notes=(*result.verdict.notes, note)))
        self.results.append(result)
        return result

    def take(self, nodeid: str, results: Sequence[GateResult], missed: Sequence[NotMeasured]) -> None:
        """Take over what another process measured for a test."""
        self.forget(nodeid)
        self.results += results
        self.missed += missed

    def forget(self, nodeid: str) -> None:
        """A test is run again (pytest-rerunfailures): its next result takes the place of this one, and says so.

        Its search is not repeated: it goes on from the journal. The confirmation is made of fresh samples.
        """
        self._earlier |= {result.nodeid: result for result in self.results if result.nodeid == nodeid}
        self.results = [result for result in self.results if result.nodeid != nodeid]
        self.missed = [one for one in self.missed if one.nodeid != nodeid]
        self._claims = {what: holder for what, holder in self._claims.items() if holder != nodeid}

    def interrupted(self, job: GateJob) -> None:
        """Ctrl-C came before there was a result of a job."""
        reason = Text.of("the run was interrupted while it was measured")
        self.missed.append(NotMeasured(job.nodeid, job.id, reason, skipped=True))

    def refused(self, job: GateJob, error: Exception) -> None:
        """An error came before there was a result of a job."""
        self.missed.append(NotMeasured(job.nodeid, job.id, Text.of("{reason}", reason=str(error))))

    def end(self, asked: Iterable[tuple[str, str]]) -> None:
        """The run is over; what was `asked` for (node id, problem id) and of which nothing is told came too late.

        A test (a node id that is not "") of which anything is told has had its turn.
        """
        told = {(result.nodeid, result.problem_id) for result in self.results}
        told |= {(one.nodeid, one.problem_id) for one in self.missed}
        tests = {nodeid for nodeid, _ in told if nodeid}
        reason = Text.of("the run ended before it")
        self.missed += [
            NotMeasured(nodeid, problem_id, reason, skipped=True)
            for nodeid, problem_id in asked
            if nodeid not in tests and (nodeid, problem_id) not in told
        ]
