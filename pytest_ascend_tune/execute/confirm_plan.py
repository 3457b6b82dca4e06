"""How long and how strictly a confirmation samples."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ascend_tune.gate.statistics import MIN_ROUNDS
from pytest_ascend_tune.model.errors import SettingsError


@dataclass(frozen=True)
class ConfirmPlan:
    """How long and how strictly a confirmation samples.

    `threshold`: allowed drop (share). `tests`: gated tests of the session; the more there are, the more confidence a
    finding needs. `budget_s` is kept when `min_rounds` rounds fit into half of it (on a CPU: up to about 1024^3);
    for longer calls it is scaled up until they do, and the confirmation says so. When others slow the machine down so
    much that they do not fit, fewer are taken. A second take may add a third of the budget. `seed`: of shuffles and
    bootstrap.
    """

    threshold: float = 0.025
    tests: int = 1
    rounds: int = 250
    max_rounds: int = 500
    min_rounds: int = 40
    race_rounds: int = 40
    reference_every: int = 4
    warmup: int = 2
    budget_s: float = 10.0
    timeout_s: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not MIN_ROUNDS <= self.min_rounds <= self.rounds <= self.max_rounds:
            raise SettingsError(
                f"min_rounds={self.min_rounds}, rounds={self.rounds}, max_rounds={self.max_rounds}: each must be at "
                f"least the one before it, and min_rounds at least {MIN_ROUNDS}"
            )
