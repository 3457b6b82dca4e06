"""What noise costs, as a user gets it: a whole search on noisy samples, then the race of its finalists.

python -m benchmarks.tuner noise SPACE,... FIRST-LAST [--trials 100] [--noise 0.1] [--spells 0.1]

Every call takes longer by --noise times a half-normal number. With --spells each trial as a whole is off by a further
factor (log-normal), which no repetition within the trial can remove; the race shuffles its rounds and is free of it.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np

from benchmarks.tuner.spaces import KnownSpace, load
from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BuildError, TrialError
from pytest_ascend_tune.model.measurement import Sample
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Job, Strategy
from pytest_ascend_tune.session.confirm import confirm_search
from pytest_ascend_tune.session.search import search
from pytest_ascend_tune.tuning.convergence import ConvergenceRule
from tests.fakes.backend import FakeArtifact, FakeBackend


class NoisyBackend(FakeBackend):
    """Recorded times with noise; ``spells`` is set to 0 when the search is over."""

    def __init__(self, space: KnownSpace, noise: float, spells: float, seed: int) -> None:
        def time_us(problem: GemmProblem, config: Config) -> float:
            return 1000.0 * float(space.time[space.row(config)])

        def failures(problem: GemmProblem, config: Config) -> TrialError | None:
            return None if np.isfinite(space.time[space.row(config)]) else BuildError("recorded as failed")

        super().__init__(time_us, failures, noise=noise, seed=seed, reference_us=None)
        self.spells, self.spell_of = spells, np.random.default_rng(seed).standard_normal(space.total)
        self.space = space

    def sample(self, artifact: FakeArtifact, problem: GemmProblem, *, timeout_s: float) -> Sample:
        us = super().sample(artifact, problem, timeout_s=timeout_s).us
        us *= float(np.exp(self.spells * self.spell_of[self.space.row(artifact.config)]))
        return Sample(us, us)


def shares(space: KnownSpace, seed: int, trials: int, noise: float, spells: float) -> tuple[float, float, float]:
    """True share of the optimum of the best visited configuration, of the search's best, and of the race's winner."""
    problem = GemmProblem(4096, 4096, 4096, "float32")
    backend = NoisyBackend(space, noise, spells, seed)
    job = Job(problem, load_template("cpu_gemm")[0], space, backend)
    found = search(job, Strategy(max_trials=trials, seed=seed), ConvergenceRule(max_trials=trials))
    backend.spells = 0.0
    plan = ConfirmPlan(rounds=40, max_rounds=40, seed=seed)  # the race comes first; how long the winner is then
    confirmed = confirm_search(job, found, None, None, plan)  # measured changes nothing here
    rows = [space.row(trial.config) for trial in found.valid]
    winner, best = confirmed.winner.config, found.best.config
    return space.share[rows].max(), space.share[space.row(best)], space.share[space.row(winner)]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spaces")
    parser.add_argument("seeds", help="FIRST-LAST, last excluded")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--spells", type=float, default=0.0)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    first, last = map(int, arguments.seeds.split("-"))
    print("| space | noise / spells | seeds | best visited | search's best | confirmed winner | loss, mean / worst |")
    print("|" + "---|" * 7)
    for name in arguments.spaces.split(","):
        space = load(name)
        runs = [shares(space, seed, arguments.trials, arguments.noise, arguments.spells) for seed in range(first, last)]
        visited, raw, winner = np.array(runs).T
        loss = 100.0 * (visited - winner)
        print(
            f"| {name} | {arguments.noise:.0%} / {arguments.spells:.0%} | {len(runs)} | {visited.mean():.3f} | "
            f"{raw.mean():.3f} | {winner.mean():.3f} | {loss.mean():.1f} / {loss.max():.1f} points |",
            flush=True,
        )
