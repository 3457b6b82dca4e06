"""How each status of the gate is shown: one table; schema, docs and README are checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateStatus, NotMeasured, Verdict

GOOD, BAD, DOUBTFUL, NEUTRAL = "good", "bad", "doubtful", "neutral"


@dataclass(frozen=True)
class StatusLook:
    """How a status is shown: never by colour alone, but by word and shape; ``ascii_mark`` where shapes cannot be.

    ``fails``: whether a test of this status fails when no policy says otherwise.
    """

    label: Text
    mark: str
    ascii_mark: str
    tone: str
    fails: bool = False


STATUSES: Mapping[GateStatus, StatusLook] = {
    GateStatus.NOTHING_VALID: StatusLook(Text.of("nothing valid"), "✘", "X", BAD, fails=True),
    GateStatus.REGRESSED: StatusLook(Text.of("regressed"), "✘", "X", BAD, fails=True),
    GateStatus.BELOW_EFFICIENCY: StatusLook(Text.of("below the floor"), "✘", "X", BAD, fails=True),
    GateStatus.INCONCLUSIVE: StatusLook(Text.of("inconclusive"), "?", "?", DOUBTFUL),
    GateStatus.NO_BASELINE: StatusLook(Text.of("no baseline"), "○", "o", NEUTRAL),
    GateStatus.NOT_COMPARABLE: StatusLook(Text.of("not comparable"), "≠", "/", NEUTRAL),
    GateStatus.IMPROVED: StatusLook(Text.of("improved"), "▲", "^", GOOD),
    GateStatus.PASSED: StatusLook(Text.of("passed"), "✔", ".", GOOD),
}


@dataclass(frozen=True)
class Outcome:
    """Mark and tone of one result: its status's own, unless the policy made more or less of it."""

    mark: str
    ascii_mark: str
    tone: str


def outcome(verdict: Verdict) -> Outcome:
    """What fails has a cross, whatever its status; what is bad but tolerated by the policy has an exclamation mark."""
    words = STATUSES[verdict.status]
    if verdict.fails:
        return Outcome("✘", "X", BAD)
    if words.tone == BAD:
        return Outcome("!", "!", DOUBTFUL)
    return Outcome(words.mark, words.ascii_mark, words.tone)


MISSED_LABEL = Text.of("not measured")


def missed_outcome(missed: NotMeasured) -> Outcome:
    """What has no result: a cross when its test failed, a dash when it was left out."""
    return Outcome("–", "-", NEUTRAL) if missed.skipped else Outcome("✘", "X", BAD)
