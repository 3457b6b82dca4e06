"""How the package's words are shown to people: labels to translate, and a shape for each status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_ascend_tune.model.search import ConvergenceState, Origin
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Cause, GateStatus, NotMeasured, Verdict
from pytest_ascend_tune.model.word import FailureKind

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


@dataclass(frozen=True)
class Outcome:
    """Mark and mood of one result: its status's own, unless the policy made more or less of it."""

    mark: str
    ascii_mark: str
    mood: str


def outcome(verdict: Verdict) -> Outcome:
    """What fails has a cross, whatever its status; what is bad but tolerated by the policy has an exclamation mark."""
    words = STATUS_WORDS[verdict.status]
    if verdict.fails:
        return Outcome("✘", "X", BAD)
    if words.mood == BAD:
        return Outcome("!", "!", DOUBTFUL)
    return Outcome(words.mark, words.ascii_mark, words.mood)


MISSED_LABEL = Text.of("not measured")


def missed_outcome(missed: NotMeasured) -> Outcome:
    """What has no result: a cross when its test failed, a dash when it was left out."""
    return Outcome("–", "-", NEUTRAL) if missed.skipped else Outcome("✘", "X", BAD)


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
SIGNAL_WORDS: Mapping[str, Text] = {
    "staircase_flat": Text.of("picture 1: the staircase is flat"),
    "gaps_lengthen": Text.of("picture 1: gaps between jumps lengthen"),
    "late_dots_below": Text.of("picture 1: late dots lie under the line"),
    "distribution": Text.of("picture 2: distance of the ceiling"),
    "expected_gain": Text.of("model: what more trials could bring"),
}
GLOSSARY: tuple[tuple[Text, Text], ...] = (
    (
        Text.of("trial"),
        Text.of("One configuration built, checked and measured in the search. Its rate is a raw search value."),
    ),
    (
        Text.of("confirmed"),
        Text.of(
            "The search's winner measured again on fresh samples, interleaved with what it is compared to. Only "
            "confirmed numbers are reported, stored and judged: the best raw value of a search is the luckiest of many."
        ),
    ),
    (
        Text.of("rate"),
        Text.of(
            "2 m n k operations divided by the time of one call, in TFLOPS (TOPS for int8). The time is the mean of "
            "the fastest quarter of the samples."
        ),
    ),
    (
        Text.of("interval"),
        Text.of(
            "Bootstrap interval of the confirmed rate: where it would be expected again in the same minute. Of a "
            "simulated rate: the band that nine of ten published measurements lie in."
        ),
    ),
    (
        Text.of("share of the peak"),
        Text.of("Confirmed rate divided by the highest possible rate of the device for this dtype."),
    ),
    (
        Text.of("baseline"),
        Text.of(
            "What an earlier run recorded on request: configuration, exact sources, numbers. Its own build is measured "
            "again today, in the same minute as this run's winner."
        ),
    ),
    (
        Text.of("change"),
        Text.of("Confirmed rate against the baseline: negative is slower. The gate fails beyond the allowed drop."),
    ),
    (
        Text.of("converged"),
        Text.of("Every line of the checklist holds: more trials are not expected to bring anything worth their time."),
    ),
    (
        Text.of("spike, plateau"),
        Text.of(
            "Fewer than 2 % of the valid trials within 5 % of the best: a rare spike. More than 10 %: a wide plateau."
        ),
    ),
    (
        Text.of("roofline"),
        Text.of(
            "The rate that compute units (flat) and memory (slope) allow for the operations per byte of a problem."
        ),
    ),
    (
        Text.of("parameter effect"),
        Text.of("Share of the variation of log time that the search's model explains by one parameter."),
    ),
)
