"""Where the valid trials of a search lie below its best: one rule for the checklist, the picture and the glossary."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_ascend_tune.model.word import Word

NEAR = 0.05  # a rate within this share of the best is near it
SPIKE = 0.02  # share of valid trials near the best: fewer is a spike, ...
PLATEAU = 0.10  # ... more is a plateau, ...
FEW_TRIALS = 10  # ... and fewer valid trials than this tell neither
LATE_TRIALS = 10  # how many of the last valid trials count as late


class Shape(Word):
    """What the share of valid trials near the best means."""

    FEW = "too few to tell"
    SPIKE = "spike"
    SLOPE = "slope"
    PLATEAU = "plateau"


def near_share(rates: Sequence[float]) -> float:
    """Share (0..1) of rates (any unit, larger is better, at least one) within NEAR of the best."""
    floor = (1.0 - NEAR) * max(rates)
    return sum(rate >= floor for rate in rates) / len(rates)


def shape(valid: int, near: float) -> Shape:
    """The shape of `valid` trials of which the share `near` is near the best."""
    if valid < FEW_TRIALS:
        return Shape.FEW
    if near < SPIKE:
        return Shape.SPIKE
    return Shape.PLATEAU if near > PLATEAU else Shape.SLOPE
