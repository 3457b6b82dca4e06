"""How the package's words are shown to people: labels to translate, and a shape for each status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_ascend_tune.model import Cause, ConvergenceState, FailureKind, GateStatus, Origin, Text

GOOD, BAD, DOUBTFUL, NEUTRAL = "good", "bad", "doubtful", "neutral"


@dataclass(frozen=True)
class StatusWords:
    """How a status is shown: never by colour alone, but by word and shape; ``ascii_mark`` where shapes cannot be."""

    label: Text
    mark: str
    ascii_mark: str
    mood: str


STATUS_WORDS: Mapping[GateStatus, StatusWords] = {
    GateStatus.NOTHING_VALID: StatusWords(Text.of("nothing valid"), "✘", "X", BAD),
    GateStatus.REGRESSED: StatusWords(Text.of("regressed"), "✘", "X", BAD),
    GateStatus.BELOW_EFFICIENCY: StatusWords(Text.of("below the floor"), "✘", "X", BAD),
    GateStatus.INCONCLUSIVE: StatusWords(Text.of("inconclusive"), "?", "?", DOUBTFUL),
    GateStatus.NO_BASELINE: StatusWords(Text.of("no baseline"), "○", "o", NEUTRAL),
    GateStatus.NOT_COMPARABLE: StatusWords(Text.of("not comparable"), "≠", "/", NEUTRAL),
    GateStatus.IMPROVED: StatusWords(Text.of("improved"), "▲", "^", GOOD),
    GateStatus.PASSED: StatusWords(Text.of("passed"), "✔", ".", GOOD),
}
STATE_WORDS: Mapping[ConvergenceState, Text] = {
    ConvergenceState.RUNNING: Text.of("still running"),
    ConvergenceState.CONVERGED: Text.of("converged"),
    ConvergenceState.STOPPED: Text.of("stopped by the user's limit"),
    ConvergenceState.BUDGET_EXHAUSTED: Text.of("trials used up"),
    ConvergenceState.SPACE_EXHAUSTED: Text.of("whole space tried"),
    ConvergenceState.INTERRUPTED: Text.of("interrupted"),
    ConvergenceState.NOTHING_VALID: Text.of("nothing valid"),
}
CAUSE_WORDS: Mapping[Cause, Text] = {
    Cause.CODE: Text.of("the kernel's code"),
    Cause.PLATFORM: Text.of("the platform (tool chain, driver, libraries)"),
    Cause.DEVICE: Text.of("the device's state"),
    Cause.SEARCH: Text.of("the search"),
}
ORIGIN_WORDS: Mapping[Origin, Text] = {
    Origin.DEFAULT: Text.of("default"),
    Origin.BASELINE: Text.of("baseline"),
    Origin.WARM_START: Text.of("warm start"),
    Origin.SPACE_FILLING: Text.of("space-filling"),
    Origin.MODEL: Text.of("model"),
}
FAILURE_WORDS: Mapping[FailureKind, Text] = {
    FailureKind.BUILD_ERROR: Text.of("build error"),
    FailureKind.BUILD_TIMEOUT: Text.of("build time-out"),
    FailureKind.CRASH: Text.of("crash"),
    FailureKind.TIMEOUT: Text.of("time-out"),
    FailureKind.WRONG_RESULT: Text.of("wrong result"),
    FailureKind.OUT_OF_MEMORY: Text.of("out of memory"),
}
