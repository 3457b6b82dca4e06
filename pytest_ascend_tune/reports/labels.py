"""Labels of the package's enums for people, to translate."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_ascend_tune.model.search import ConvergenceState, Origin, SignalName
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Cause
from pytest_ascend_tune.model.word import FailureKind

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
SIGNAL_WORDS: Mapping[SignalName, Text] = {
    SignalName.STAIRCASE_FLAT: Text.of("picture 1: the staircase is flat"),
    SignalName.GAPS_LENGTHEN: Text.of("picture 1: gaps between jumps lengthen"),
    SignalName.LATE_DOTS_BELOW: Text.of("picture 1: late dots lie under the line"),
    SignalName.DISTRIBUTION: Text.of("picture 2: distance of the ceiling"),
    SignalName.EXPECTED_GAIN: Text.of("model: what more trials could bring"),
}
