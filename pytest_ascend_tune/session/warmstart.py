"""Where a search starts: configurations that were best for near shapes, and on a board what the simulator thinks
best."""

from __future__ import annotations

import math
from contextlib import suppress

from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Job, WarmStarting
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
    found: list[Config] = []
    for key in keys[:NEAR_SHAPES]:
        with suppress(BaselineError):  # a damaged one of another problem: told before the run, no start of this search
            found += [baseline.config] if (baseline := store.load(key)) else []
    return tuple(dict.fromkeys(found))


def simulated_configs(job: Job) -> tuple[Config, ...]:
    """Of a backend that has such: a model's best candidates. A place to start, never a result."""
    if not isinstance(job.backend, WarmStarting):
        return ()
    candidates = job.space.candidates(job.problem, limit=MODELLED, seed=0)
    configs = [candidates.config(row) for row in range(len(candidates))]
    return job.backend.warm_starts(job.problem, configs, SIMULATED_STARTS)


def distance(one: GemmProblem, other: GemmProblem) -> float:
    """How far apart two problems are: in octaves of m, n and k; another dtype counts as far."""
    octaves = sum(abs(math.log2(getattr(one, size) / getattr(other, size))) for size in ("m", "n", "k"))
    return octaves + 10.0 * (one.dtype != other.dtype) + 1.0 * (one.layout != other.layout)
