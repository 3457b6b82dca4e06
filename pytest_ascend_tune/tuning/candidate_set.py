"""The candidate set of one search: legal configurations as rows of a matrix, which are used up, and which are scored.

All legal configurations are held up to HELD_ROWS; of more than SCORED_ROWS only a seeded sample and the neighbours of
the best are scored by the model at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.model.errors import SpaceError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Space

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array

Rows = NDArray[np.intp]

HELD_ROWS = 300_000  # 9 columns of 8 bytes: 22 MB
SCORED_ROWS = 50_000  # one exact pass with 100 observations: about 0.2 s of one core
SAMPLED_ROWS = 15_000
NEIGHBOUR_CHANGES = 2  # parameters in which a neighbour differs


class CandidateSet:
    """Rows are stable numbers: a row keeps its configuration for the life of the set."""

    def __init__(self, space: Space, problem: GemmProblem | None, seed: int) -> None:
        self._space, self._problem = space, problem
        self._candidates = space.candidates(problem, limit=HELD_ROWS, seed=seed)
        self.encoded: Array = np.asarray(self._candidates.encoded, dtype=np.float64)
        self.total = self._candidates.total
        self.used = np.zeros(len(self.encoded), dtype=bool)
        self._added: list[Config] = []
        self._seed = seed

    def __len__(self) -> int:
        return len(self.encoded)

    @property
    def exhausted(self) -> bool:
        """Every candidate is used up."""
        return bool(self.used.all())

    def config(self, row: int) -> Config:
        """The configuration of a row."""
        held = len(self._candidates)
        return self._candidates.config(row) if row < held else self._added[row - held]

    def row(self, config: Config) -> int:
        """Row of a legal configuration; one that the sample missed gets a new row. Raises SpaceError."""
        row = self._candidates.row(config)
        if row is not None:
            return row
        if config in self._added:
            return len(self._candidates) + self._added.index(config)
        reason = self._space.why_illegal(config, self._problem)
        if reason is not None or len(self._candidates) >= self.total:
            raise SpaceError(
                f"({config}) is not in the search space: {reason or 'it is none of its configurations'}. "
                "Only legal configurations can be told; see `ascend-tune space`"
            )
        self.encoded = np.vstack([self.encoded, self._space.encode(config)])
        self.used = np.append(self.used, False)
        self._added.append(config)
        return len(self.encoded) - 1

    def scored(self, best: Rows, step: int) -> Rows:
        """Rows that the model scores: all, or the sample of this `step` with the neighbours of `best`."""
        if len(self) <= SCORED_ROWS:
            return np.arange(len(self))
        scored = np.zeros(len(self), dtype=bool)
        for row in best:
            scored |= (np.abs(self.encoded - self.encoded[row]) > 1e-9).sum(1) <= NEIGHBOUR_CHANGES
        rng = np.random.default_rng([self._seed, step])
        scored[rng.choice(len(self), SAMPLED_ROWS, replace=False)] = True
        return np.flatnonzero(scored)
