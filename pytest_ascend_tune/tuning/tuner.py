"""The tuner: asks for the next configuration and is told its value. Knows nothing of backends, time or pytest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np
from threadpoolctl import ThreadpoolController

from pytest_ascend_tune.model.errors import SettingsError, SpaceError
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Space
from pytest_ascend_tune.model.search import Convergence, Effect, Origin, Trial
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.tuning.acquisition import expected_improvement
from pytest_ascend_tune.tuning.candidate_set import CandidateSet, Rows
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge_search
from pytest_ascend_tune.tuning.ensemble import Ensemble, fit_size
from pytest_ascend_tune.tuning.feasibility import Feasibility
from pytest_ascend_tune.tuning.surrogate import ALIKE, FREE, GaussianProcess

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pytest_ascend_tune.tuning.posterior import Array

    Mask = NDArray[np.bool_]

START_POINTS = 6  # first and space-filling configurations before the model has a say
LEAST_VALID = 3  # measured configurations that a model needs
SPREAD_SAMPLE = 1000  # candidates among which space-filling points are chosen
SECOND_OPINION = 1e-3  # expected gain (share) below which the plain model is asked too, for every other proposal
SCOUT_BELOW, SCOUT_FROM = 5e-3, 40  # expected gain below which, measurements from which on, it is left to the scout
US_PER_UNIT = 1e6  # a told value v stands in `convergence` as a time of 1e6 / v


@dataclass(frozen=True)
class Proposal:
    """One configuration to try, why, and the gain expected of any trial then (share, None before there is a model)."""

    config: Config
    origin: Origin
    expected_gain: float | None = None


class Tuner:
    """Bayesian optimisation over the legal configurations of a space, by ask and tell; higher values are better.

    `first`: configurations to propose before all others, with their origin; illegal and repeated ones are dropped.
    The same seed and the same told values give the same proposals.
    """

    def __init__(
        self,
        space: Space,
        seed: int = 0,
        *,
        problem: GemmProblem | None = None,
        first: Sequence[tuple[Config, Origin]] = (),
        start_points: int = START_POINTS,
    ) -> None:
        self._space, self._problem = space, problem
        self._candidate_set = CandidateSet(space, problem, seed)
        self._start_points = start_points
        self._threads = ThreadpoolController()  # matrices this small are slower on several threads than on one
        rng = np.random.default_rng(seed)
        self._spread: Rows = rng.permutation(len(self._candidate_set))[:SPREAD_SAMPLE]
        default = [(space.default, Origin.DEFAULT)] if space.default is not None else []
        self._first: dict[int, Origin] = {}
        for config, origin in [*default, *first]:
            if space.why_illegal(config, problem) is None:
                self._first.setdefault(self._candidate_set.row(config), origin)
        self._pending: dict[int, Proposal] = {}  # proposed and not yet told, by row
        self._rows: list[int] = []  # told, in order
        self._values: list[float] = []  # log of the told values, nan for a failure
        self._trials: list[Trial] = []
        self._scored: Rows = np.empty(0, dtype=np.intp)
        self._scored_at = 0  # measurements when they were chosen
        self._scored_points: Array = np.empty((0, 0))
        self._ensemble = Ensemble(compressed=True, deviations=(FREE, ALIKE))
        self._plain = Ensemble(compressed=False, deviations=(FREE,))
        self._scout = Ensemble(compressed=False, deviations=(ALIKE,))  # leaves local optima; its gain is no measure
        self._feasibility: Feasibility | None = None

    @property
    def space_size(self) -> int:
        """Number of legal configurations."""
        return self._candidate_set.total

    @property
    def exhausted(self) -> bool:
        """Every candidate has been proposed or told."""
        return self._candidate_set.exhausted

    @property
    def trials(self) -> tuple[Trial, ...]:
        """What has been told, as trials (a value v as a time of 1e6 / v microseconds)."""
        return tuple(self._trials)

    @property
    def convergence(self) -> Convergence:
        """Judgement on the search so far, without a budget: running, converged, space exhausted or nothing valid."""
        return judge_search(self._trials, ConvergenceRule(max_trials=None, space_size=self.space_size))

    @property
    def effects(self) -> tuple[Effect, ...]:
        """How much each parameter mattered; empty with fewer than LEAST_VALID measured configurations."""
        points, values = self._measured()
        if len(values) < LEAST_VALID:
            return ()
        surrogate = GaussianProcess()
        with self._threads.limit(limits=1):
            surrogate.fit(points, values)
            return surrogate.effects(self._space.columns)

    @overload
    def ask(self) -> Config: ...
    @overload
    def ask(self, count: int) -> list[Config]: ...
    def ask(self, count: int | None = None) -> Config | list[Config]:
        """The next configuration, or a list of `count` different ones (fewer when the space runs out).

        What was asked is pending until told, and never proposed again. Raises SpaceError when nothing is left.
        """
        proposals = self.propose(1 if count is None else count)
        return proposals[0].config if count is None else [proposal.config for proposal in proposals]

    def propose(self, count: int = 1) -> tuple[Proposal, ...]:
        """As :meth:`ask`, with origin and expected gain."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise SettingsError(f"ask({count!r}): the number of configurations must be a whole number >= 1")
        proposals = self.peek(count)
        if not proposals:
            raise SpaceError(f"all {self.space_size} legal configurations have been proposed; nothing is left to ask")
        for proposal in proposals:
            row = self._candidate_set.row(proposal.config)
            self._candidate_set.used[row] = True
            self._pending[row] = proposal
        return proposals

    def peek(self, count: int = 1) -> tuple[Proposal, ...]:
        """What would be proposed next if all pending configurations came out as the model expects. Changes nothing."""
        with self._threads.limit(limits=1):
            return self._peek(count)

    def _peek(self, count: int) -> tuple[Proposal, ...]:
        chosen = [row for row in self._first if not self._candidate_set.used[row]][:count]
        proposals = [Proposal(self._candidate_set.config(row), self._first[row]) for row in chosen]
        room = min(count, int((~self._candidate_set.used).sum())) - len(chosen)
        starting = self._start_points - len(self._rows) - len(self._pending) - len(chosen)
        if np.isfinite(self._values).sum() < LEAST_VALID:
            starting = room
        spread = self._space_filling(min(room, starting), chosen) if min(room, starting) > 0 else []
        proposals += [Proposal(self._candidate_set.config(row), Origin.SPACE_FILLING) for row in spread]
        if room > len(spread):
            proposals += self._by_model(room - len(spread), [*chosen, *spread])
        return tuple(proposals)

    def tell(self, config: Mapping[str, int | str], value: float | None) -> None:
        """The value of a configuration (> 0, higher is better), or None when it failed.

        Raises SettingsError for a value that is no positive number, SpaceError for a configuration that is not in
        the space or was told before.
        """
        if value is not None and not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
            raise SettingsError(
                f"tell(..., {value!r}): a value must be a positive finite number (higher is better); "
                "tell None for a failure"
            )
        outcome = Failure(FailureKind.CRASH, "failed") if value is None else Measurement((US_PER_UNIT / value,))
        self.tell_trial(Config(config), outcome)

    def tell_trial(self, config: Config, outcome: Measurement | Failure, *, build_s: float = 0.0) -> Trial:
        """As :meth:`tell`, for a measured time; the trial carries the gain that was expected when it was proposed."""
        row = self._candidate_set.row(config)
        if row in self._rows:
            raise SpaceError(f"({config}) was told before; each configuration is measured once")
        asked = self._pending.pop(row, None) or Proposal(self._candidate_set.config(row), Origin.WARM_START)
        self._candidate_set.used[row] = True
        self._rows.append(row)
        self._values.append(-math.log(outcome.time_us) if isinstance(outcome, Measurement) else math.nan)
        trial = Trial(len(self._rows), asked.config, outcome, asked.origin, asked.expected_gain, build_s)
        self._trials.append(trial)
        return trial

    def _measured(self) -> tuple[Array, Array]:
        """Points and log values of what was measured."""
        values = np.array(self._values)
        valid = np.isfinite(values)
        return self._candidate_set.encoded[np.array(self._rows, dtype=np.intp)[valid]], values[valid]

    def _space_filling(self, count: int, chosen: list[int]) -> list[int]:
        """Rows that differ from all that is told, pending or chosen in as many columns as possible, and likely work."""
        picked: list[int] = []
        encoded = self._candidate_set.encoded
        rows = self._spread[~self._candidate_set.used[self._spread]]
        if len(rows) < count + len(chosen):
            rows = np.flatnonzero(~self._candidate_set.used)
        taken = [*np.flatnonzero(self._candidate_set.used), *chosen]
        distance = np.full(len(rows), np.inf)
        for row in taken:
            distance = np.minimum(distance, (encoded[rows] != encoded[row]).sum(1))
        if self._values and not np.isfinite(self._values).all():
            distance = distance * self._likely_to_work(Feasibility(encoded[rows]))
        for _ in range(count):
            best = int(np.argmax(distance))  # the first of equals: `rows` is in random order
            picked.append(int(rows[best]))
            distance = np.minimum(distance, (encoded[rows] != encoded[rows[best]]).sum(1))
        return picked

    def _likely_to_work(self, model: Feasibility) -> Array:
        """Probability that the candidates of `model` work."""
        points = self._candidate_set.encoded[np.array(self._rows, dtype=np.intp)]
        return model.probability(points, np.isfinite(self._values).astype(np.float64))

    def _by_model(self, count: int, chosen: list[int]) -> list[Proposal]:
        """Rows of largest expected improvement; pending and chosen ones count as observed at the model's mean."""
        measured = self._measured()
        values = measured[1]
        self._choose_scored(values)
        free = ~self._candidate_set.used[self._scored]
        free[np.isin(self._scored, chosen)] = False
        works: Array | float = 1.0
        if len(values) < len(self._values):
            self._feasibility = self._feasibility or Feasibility(self._scored_points)
            works = self._likely_to_work(self._feasibility)
        proposals: list[Proposal] = []
        for _ in range(min(count, int(free.sum()))):
            assumed = [*self._pending, *chosen]
            first, winner = self._best_of(self._ensemble, measured, assumed, works, free)
            gain = first
            if (len(self._rows) + len(assumed)) % 2:
                if first < SECOND_OPINION:
                    gain, winner = max((first, winner), self._best_of(self._plain, measured, assumed, works, free))
                if first < SCOUT_BELOW and len(values) >= SCOUT_FROM:
                    _, winner = self._best_of(self._scout, measured, assumed, works, free)
            free[winner] = False
            row = int(self._scored[winner])
            chosen = [*chosen, row]
            proposals.append(Proposal(self._candidate_set.config(row), Origin.MODEL, gain))
        return proposals

    def _best_of(
        self, ensemble: Ensemble, measured: tuple[Array, Array], assumed: list[int], works: Array | float, free: Mask
    ) -> tuple[float, int]:
        """Largest gain (share) that an ensemble expects of a scored candidate, and the candidate's position.

        `assumed`: rows that count as observed at the mean. `works`: probability of each. `free`: which may win.
        """
        posteriors, seen, scale = ensemble.posteriors(*measured, self._scored_points)
        positions = [np.flatnonzero(self._scored == row) for row in assumed]
        gains = np.zeros(len(self._scored))
        for posterior in posteriors:
            known = seen
            for row, position in zip(assumed, positions, strict=True):
                expected = posterior.mean(known)[position[0]] if len(position) else 0.0
                posterior.add(self._candidate_set.encoded[row : row + 1])
                known = np.append(known, expected)
            gains += expected_improvement(posterior.mean(known), posterior.std, float(seen.max()))
            posterior.drop(len(assumed))
        gains *= works
        gains[~free] = -1.0
        winner = int(np.argmax(gains))
        return float(np.expm1(gains[winner] * scale / len(posteriors))), winner

    def _choose_scored(self, values: Array) -> None:
        """The candidates that the models score; of a large space others at every fit."""
        fitted = fit_size(len(values))
        if fitted == self._scored_at:
            return
        self._scored_at = fitted
        told = np.array(self._rows, dtype=np.intp)[np.isfinite(self._values)][:fitted]
        scored = self._candidate_set.scored(told[np.argsort(-values[:fitted], kind="stable")[:3]], fitted)
        if not np.array_equal(scored, self._scored):
            self._scored, self._feasibility = scored, None
            self._scored_points = self._candidate_set.encoded[scored]
