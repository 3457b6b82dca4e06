"""A tiny search space, and templates and jobs on the fake backend, for tests of the search."""

import itertools

import numpy as np

from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.protocols import Job
from pytest_ascend_tune.model.search import Template
from tests.fakes.backend import FakeBackend

LEVELS = {"tile_m": (32, 64, 128), "tile_n": (32, 64, 128), "l1_k": (64, 128, 256), "swizzle": (0, 1)}
PROBLEM = GemmProblem(256, 256, 256, Dtype.FLOAT32)
TEMPLATE = Template(
    "fake_gemm", "fake", "k.cpp", (("k.cpp", "//"),), "ab" * 32, 1, ("fake",), (Dtype.FLOAT32,), (Layout.NN,)
)


class GridSpace:
    """All combinations of LEVELS that `legal` accepts; holds at most `limit` of them."""

    def __init__(self, levels=LEVELS, legal=lambda config: True, default=None, held=None):
        self.names = self.columns = tuple(levels)
        self.levels, self.legal, self.held = levels, legal, held
        self.default = Config(default) if default else None
        everything = (Config(dict(zip(levels, row, strict=True))) for row in itertools.product(*levels.values()))
        self.configs = [config for config in everything if legal(config)]

    def candidates(self, problem, *, limit, seed):
        held = self.configs[: min(limit, self.held or limit)]
        return GridCandidates(self, held)

    def why_illegal(self, config, problem):
        if any(config.get(name) not in values for name, values in self.levels.items()):
            return "a value is not allowed"
        return None if self.legal(config) else "the rule of the test"

    def encode(self, config):
        return np.array([v.index(config[n]) / max(1, len(v) - 1) for n, v in self.levels.items()])


class GridCandidates:
    def __init__(self, space, configs):
        self.total, self._configs = len(space.configs), configs
        self._rows = {config: row for row, config in enumerate(configs)}
        self.encoded = np.array([space.encode(config) for config in configs]).reshape(-1, len(space.names))

    def __len__(self):
        return len(self._configs)

    def config(self, row):
        return self._configs[row]

    def row(self, config):
        return self._rows.get(config)


def bowl(config):
    """A smooth value (higher is better) with one optimum: 128, 64, 128, 1."""
    return 100.0 / (
        1.0
        + abs(config["tile_m"] - 128) / 100
        + abs(config["tile_n"] - 64) / 100
        + abs(config["l1_k"] - 128) / 200
        + 0.3 * (config["swizzle"] == 0)
    )


def job(space=None, **backend):
    """A job on the fake backend whose times follow `bowl`, unless told otherwise."""
    backend.setdefault("time_us", lambda problem, config: 1e4 / bowl(config))
    return Job(PROBLEM, TEMPLATE, space or GridSpace(), FakeBackend(**backend))
