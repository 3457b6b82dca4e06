"""Search spaces whose every value is known: recorded on GPUs, or predicted by the 910B model.

The recorded ones (AutoTuningAssociation/benchmark_hub, MIT, DOI 10.5281/zenodo.15364124) are .npz files with `names`,
`X` (one row a configuration) and `y` (milliseconds, inf = failed) in the folder tuning_spaces/ of ASCEND_TUNE_DATA,
by default ../shared/data beside the checkout.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pytest_ascend_tune.model.problem import Config

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ASCEND_TUNE_DATA", ROOT.parent / "shared" / "data"))
RECORDED = ("gemm_RTX_3090", "gemm_RTX_2080_Ti", "gemm_RTX_3090+hidden", "pnpoly_3090")
SIMULATED = {"910b_4096": (4096, 4096, 4096), "910b_16384": (16384,) * 3, "910b_odd": (7271, 11584, 6016)}
GEMM_RULES = (
    "MWG % (MDIMC * VWM) == 0",
    "NWG % (NDIMC * VWN) == 0",
    "MWG % (MDIMA * VWM) == 0",
    "NWG % (NDIMB * VWN) == 0",
)
HIDDEN_RULES = ("KWG % ((MDIMC * NDIMC) / MDIMA) == 0", "KWG % ((MDIMC * NDIMC) / NDIMB) == 0")


class KnownSpace:
    """A space (protocols.Space and Candidates in one) together with the value of each configuration.

    `share`: optimum's time / time, 0 where it fails. `levels`: values of each parameter.
    """

    default = None

    def __init__(self, name: str, names: list[str], values: np.ndarray, time: np.ndarray) -> None:
        self.name = name
        self.names = self.columns = tuple(names)
        self.values, self.time = values, time
        self.levels = [sorted(set(column.tolist())) for column in values.T]
        self.codes = np.stack(
            [np.searchsorted(levels, column) for levels, column in zip(self.levels, values.T, strict=True)], axis=1
        )
        self.encoded = self.codes / np.maximum(1, self.codes.max(axis=0))
        self.total = len(time)
        self.share = np.where(np.isfinite(time), time[np.isfinite(time)].min() / time, 0.0)
        self.rows = {tuple(code): row for row, code in enumerate(self.codes.tolist())}

    def __len__(self) -> int:
        return self.total

    def candidates(self, problem: object, *, limit: int, seed: int) -> KnownSpace:
        return self

    def config(self, row: int) -> Config:
        return Config({name: int(value) for name, value in zip(self.names, self.values[row], strict=True)})

    def row(self, config: Config) -> int | None:
        if any(config.get(name) not in levels for name, levels in zip(self.names, self.levels, strict=True)):
            return None
        return self.rows.get(self.code(config))

    def code(self, config: Mapping[str, float]) -> tuple[int, ...]:
        """Level numbers of a configuration."""
        return tuple(levels.index(config[name]) for name, levels in zip(self.names, self.levels, strict=True))

    def encode(self, config: Config) -> np.ndarray:
        return self.encoded[self.row(config)]

    def why_illegal(self, config: Config, problem: object) -> str | None:
        return None if self.row(config) is not None else "not recorded"


def load(name: str) -> KnownSpace:
    """A space by name: a file name, with ``+hidden`` two of its restrictions are unknown and fail; or 910b_..."""
    if name in SIMULATED:
        return simulated(name, SIMULATED[name])
    base, _, variant = name.partition("+")
    file = np.load(DATA / "tuning_spaces" / f"{base}.npz")
    names, values, time = [str(n) for n in file["names"]], np.asarray(file["X"]), file["y"]
    if variant == "hidden":
        measured = dict(zip(map(tuple, values.tolist()), time.tolist(), strict=True))
        levels = [sorted(set(column)) for column in values.T.tolist()]
        everything = np.array(list(itertools.product(*levels)))
        known = {n: everything[:, column] for column, n in enumerate(names)}
        legal = np.all([eval(rule, {}, known) for rule in GEMM_RULES], axis=0)
        values = everything[legal]
        time = np.array([measured.get(tuple(row), np.inf) for row in values.tolist()])
    return KnownSpace(name, names, values, time)


def simulated(name: str, shape: tuple[int, int, int]) -> KnownSpace:
    """The default template's legal configurations on a 910B1 with the times that the analytical model predicts."""
    from pytest_ascend_tune import GemmProblem, legal_configs, predict

    problem = GemmProblem(*shape, "float16")
    configs = legal_configs(problem)
    names = list(configs[0])
    values = np.array([[config[n] for n in names] for config in configs])
    return KnownSpace(name, names, values, np.array([predict(problem, config).time_us for config in configs]))
