"""Where a search starts: configurations that were best for near shapes, and on a board what the simulator thinks
best."""

from __future__ import annotations

import math

from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Job
from pytest_ascend_tune.model.verdict import BaselineKey
from pytest_ascend_tune.records.baselines.store import BaselineStore

NEAR_SHAPES = 3  # baselines of other shapes whose configurations a search tries early
SIMULATED_STARTS = 3  # candidates of the simulator (benchmarks/simulator/prior.py shows what they save)
MODELLED = 20_000  # legal configurations that the simulator ranks


def near_configs(store: BaselineStore, own: BaselineKey) -> tuple[Config, ...]:
    """Configurations of the nearest shapes' baselines, of what is on disk: the order of tests changes nothing."""
    problem = GemmProblem.from_id(own.problem_id)
    keys = [
        key
        for key in store.list(own.name)
        if (key.device, key.template) == (own.device, own.template)
        and key.problem_id != own.problem_id
        and not key.variant
    ]
    keys.sort(key=lambda key: (distance(problem, GemmProblem.from_id(key.problem_id)), key.problem_id))
    near = (store.load(key) for key in keys[:NEAR_SHAPES])
    return tuple(dict.fromkeys(baseline.config for baseline in near if baseline))


def simulated_configs(job: Job) -> tuple[Config, ...]:
    """On a real board: the simulator's best candidates, spread out. A place to start, never a result."""
    if job.backend.name != "ascend":
        return ()
    from pytest_ascend_tune.backends.simulator import top_candidates

    candidates = job.space.candidates(job.problem, limit=MODELLED, seed=0)
    configs = [candidates.config(row) for row in range(len(candidates))]
    return top_candidates(job.problem, configs, job.backend.device, SIMULATED_STARTS)


def distance(one: GemmProblem, other: GemmProblem) -> float:
    """How far apart two problems are: in octaves of m, n and k; another dtype counts as far."""
    octaves = sum(abs(math.log2(getattr(one, size) / getattr(other, size))) for size in ("m", "n", "k"))
    return octaves + 10.0 * (one.dtype != other.dtype) + 1.0 * (one.layout != other.layout)
