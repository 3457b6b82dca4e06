"""Rules that call a run slower: ours, and those of gates that people use, on the same sessions.

A paired rule looks at two arms of one session. A stored rule looks at one arm of a session and at arm A of another
session, as gates do that keep yesterday's number. Both answer True for "slower".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
from scipy import stats

from pytest_ascend_tune.gate.statistics import (
    CONFIDENCE,
    compare_samples,
    loses,
    quarter_means,
    required_confidence,
    speed_ratios,
)
from pytest_ascend_tune.gate.stored import StoredDrop, drop_against_stored
from pytest_ascend_tune.model.confirmation import Arm, ArmRole
from pytest_ascend_tune.model.verdict import StoredMeasurement

Session = dict[str, np.ndarray]
PAIRS = {"none": (("A", "B"), ("B", "A")), "5": (("B5", "A"), ("B5", "B")), "10": (("B10", "A"), ("B10", "B"))}
HISTORY = 10  # sessions that a z-score looks back on


def ours(candidate: np.ndarray, baseline: np.ndarray, seed: int = 0, confidence: float = CONFIDENCE) -> bool:
    if not loses(*speed_ratios(candidate, baseline), 0.025):  # spares the bootstrap
        return False
    return compare_samples(candidate, baseline, seed=seed, confidence=confidence).status == "slower"


def over(statistic: Callable[[np.ndarray], float], limit: float) -> Callable[[np.ndarray, np.ndarray], bool]:
    return lambda candidate, baseline: bool(statistic(candidate) > statistic(baseline) * (1 + limit))


def mann_whitney(candidate: np.ndarray, baseline: np.ndarray) -> bool:
    return bool(stats.mannwhitneyu(candidate, baseline, alternative="greater").pvalue < 0.05)


def wilcoxon(candidate: np.ndarray, baseline: np.ndarray) -> bool:
    significant = stats.wilcoxon(candidate, baseline, alternative="greater").pvalue < 0.01
    return bool(significant and np.median(candidate / baseline) > 1.025)


PAIRED = {
    "this package: compare_samples, 2.5 %": ours,
    "same rounds, ratio of means > 5 %": over(np.mean, 0.05),
    "same rounds, ratio of medians > 5 %": over(np.median, 0.05),
    "same rounds, ratio of minima > 5 %": over(np.min, 0.05),
    "same rounds, fastest quarter > 2.5 % alone": over(quarter_means, 0.025),
    "same rounds, Wilcoxon p < 0.01 and median > 2.5 %": wilcoxon,
    "same rounds, Mann-Whitney p < 0.05": mann_whitney,
}
STORED = {
    "stored mean, `--benchmark-compare-fail=mean:5%`": over(np.mean, 0.05),
    "stored median, `median:5%`": over(np.median, 0.05),
    "stored minimum, `min:5%`": over(np.min, 0.05),
    "stored samples, Mann-Whitney p < 0.05": mann_whitney,
}


def paired_rates(rule: Callable[[np.ndarray, np.ndarray], bool], sessions: Sequence[Session]) -> dict[str, list[bool]]:
    """Answers with no change (both directions), +5 % and +10 % work (against both twins)."""
    return {
        change: [rule(session[one], session[other]) for session in sessions for one, other in arms]
        for change, arms in PAIRS.items()
    }


def gate_rates(sessions: Sequence[Session], seed: int = 0) -> dict[str, list[bool]]:
    """Our rule as the gate applies it in a session of 50 tests: a finding is taken again, with new buffers.

    The sessions that follow stand for the second take; as in the gate, samples are added until all of them together
    say slower with the confidence that is asked for, or do not say slower any more, or there are 1000 rounds. `seed`:
    of the bootstrap.
    """
    confidence = required_confidence(50)

    def slower(index: int, one: str, other: str) -> bool:
        following = [sessions[(index + step) % len(sessions)] for step in range(4)]
        if not ours(following[0][one], following[0][other], seed):
            return False
        candidate, baseline = (np.concatenate([session[arm] for session in following]) for arm in (one, other))
        for rounds in range(375, len(candidate) + 1, 125):
            pair = candidate[:rounds], baseline[:rounds]
            if ours(*pair, seed, confidence):
                return True
            if not ours(*pair, seed):
                return False
        return False

    return {
        change: [slower(index, one, other) for index in range(len(sessions)) for one, other in arms]
        for change, arms in PAIRS.items()
    }


def stored_rates(rule: Callable[[np.ndarray, np.ndarray], bool], sessions: Sequence[Session]) -> dict[str, list[bool]]:
    """Answers over all ordered pairs of different sessions."""
    return {
        change: [rule(now[arm], then["A"]) for then, now in permutations(sessions, 2)]
        for change, arm in (("none", "A"), ("5", "B5"), ("10", "B10"))
    }


def z_score_rates(sessions: Sequence[Session]) -> dict[str, list[bool]]:
    """z > 3 of a session's median against the ten sessions before it."""
    medians = {arm: np.array([np.median(session[arm]) for session in sessions]) for arm in ("A", "B5", "B10")}
    answers: dict[str, list[bool]] = {"none": [], "5": [], "10": []}
    for index in range(HISTORY, len(sessions)):
        history = medians["A"][index - HISTORY : index]
        for change, arm in (("none", "A"), ("5", "B5"), ("10", "B10")):
            answers[change].append(bool((medians[arm][index] - history.mean()) / history.std(ddof=1) > 3))
    return answers


def platform_rates(sessions: Sequence[Session]) -> dict[str, list[bool]]:
    """The coarse comparison of gate.stored: relative to the reference, 10 %, and more than the noise."""
    measured = {
        (index, name): Arm(ArmRole.FINALIST, None, name, tuple(session[name][:: 4 if name == "R" else 1]))
        for index, session in enumerate(sessions)
        for name in ("A", "B5", "B10", "R")
    }
    noises = [
        drop_against_stored(measured[index, "A"], None, StoredMeasurement(1.0, (1.0, 1.0), 1.0, 1.0, 250, 0.0))
        for index in range(len(sessions))
    ]
    answers: dict[str, list[bool]] = {"none": [], "5": [], "10": []}
    for then, now in permutations(range(len(sessions)), 2):
        old, reference, noise = measured[then, "A"], measured[then, "R"], noises[then]
        assert isinstance(noise, StoredDrop)
        stored = StoredMeasurement(old.time_us, (0.0, 0.0), 1.0, 1.0, 250, noise.noise, reference.time_us, "R")
        for change, name in (("none", "A"), ("5", "B5"), ("10", "B10")):
            drop = drop_against_stored(measured[now, name], measured[now, "R"], stored)
            assert isinstance(drop, StoredDrop)
            answers[change].append(drop.drop > 0.10 and drop.drop > drop.noise)
    return answers
