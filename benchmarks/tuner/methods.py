"""Our tuner and its peers as ask/tell: `make(name, space, seed)` returns an object with

ask() -> row of the space, tell(row, time or None), and `gain`: expected gain of the last proposal, None without one.
Peers that know nothing of restrictions are answered free of charge for proposals that are illegal or repeated.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.tuner.spaces import KnownSpace
from pytest_ascend_tune.model.search import Origin
from pytest_ascend_tune.tuning.tuner import Tuner


class Ours:
    """pytest_ascend_tune.Tuner. `warm`: share of the optimum of a configuration known before, as from a baseline."""

    def __init__(self, space: KnownSpace, seed: int, warm: float | None = None) -> None:
        first = []
        if warm is not None:  # one of the three that are closest to it
            near = np.argsort(np.abs(space.share - warm), kind="stable")[:3]
            first = [(space.config(int(near[seed % 3])), Origin.BASELINE)]
        self.space, self.tuner, self.gain = space, Tuner(space, seed, first=first), None

    def ask(self) -> int:
        (proposal,) = self.tuner.propose()
        self.gain = proposal.expected_gain
        return self.space.row(proposal.config)

    def tell(self, row: int, time: float | None) -> None:
        self.tuner.tell(self.space.config(row), None if time is None else 1.0 / time)


class Random:
    """Legal configurations in random order."""

    gain = None

    def __init__(self, space: KnownSpace, seed: int) -> None:
        self.order = iter(np.random.default_rng(seed).permutation(space.total).tolist())

    def ask(self) -> int:
        return next(self.order)

    def tell(self, row: int, time: float | None) -> None:
        pass


class Guessing:
    """Base of peers that propose level numbers in the whole grid."""

    gain = None
    tries = 25

    def __init__(self, space: KnownSpace, seed: int) -> None:
        self.space, self.rng = space, np.random.default_rng(seed)
        self.known: dict[int, float] = {}
        self.worst, self.point = 0.0, ()

    def ask(self) -> int:
        for _ in range(self.tries):
            self.point = tuple(int(code) for code in self.propose())
            row = self.space.rows.get(self.point)
            if row is not None and row not in self.known:
                return row
            self.report(self.point, self.worst if row is None else self.known[row])
        row = int(self.rng.choice([row for row in range(self.space.total) if row not in self.known]))
        self.point = tuple(self.space.codes[row].tolist())
        return row

    def tell(self, row: int, time: float | None) -> None:
        value = math.log(time) if time is not None else self.worst
        self.worst = max(self.worst, value)
        self.known[row] = value
        self.report(self.point, value)


class SkoptOptimizer(Guessing):
    """skopt.Optimizer with a Gaussian process, expected improvement, integer dimensions and log time."""

    tries = 4

    def __init__(self, space: KnownSpace, seed: int) -> None:
        super().__init__(space, seed)
        from skopt import Optimizer
        from skopt.space import Integer

        self.optimizer = Optimizer(
            [Integer(0, max(1, len(levels) - 1)) for levels in space.levels],
            base_estimator="GP",
            acq_func="EI",
            acq_optimizer="sampling",
            n_initial_points=10,
            random_state=seed,
            space_constraint=lambda point: tuple(int(code) for code in point) in space.rows,
        )

    def propose(self) -> list[int]:
        return self.optimizer.ask()

    def report(self, point: tuple[int, ...], value: float) -> None:
        self.optimizer.tell(list(point), value)


class OptunaTpe(Guessing):
    """Optuna's TPE sampler with log time."""

    def __init__(self, space: KnownSpace, seed: int) -> None:
        super().__init__(space, seed)
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna = optuna
        self.ranges = {
            name: optuna.distributions.IntDistribution(0, len(levels) - 1)
            for name, levels in zip(space.names, space.levels, strict=True)
        }
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))

    def propose(self) -> list[int]:
        trial = self.study.ask(self.ranges)
        self.trial = trial
        return [trial.params[name] for name in self.ranges]

    def report(self, point: tuple[int, ...], value: float) -> None:
        if tuple(self.trial.params.values()) == point and self.trial is not getattr(self, "told", None):
            self.study.tell(self.trial, value)
            self.told = self.trial
        else:
            params = dict(zip(self.ranges, point, strict=True))
            self.study.add_trial(self.optuna.trial.create_trial(params=params, distributions=self.ranges, value=value))


METHODS = {"ours": Ours, "random": Random, "skopt": SkoptOptimizer, "optuna": OptunaTpe}
