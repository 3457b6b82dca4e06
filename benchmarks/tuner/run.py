"""Run tuners on known spaces, one JSON line a run.

    python -m benchmarks.tuner run OUT.jsonl METHOD,... SPACE,... FIRST-LAST [options]

METHOD: ours, random, skopt, optuna, or kt:STRATEGY of Kernel Tuner (kt:adaptive_tabu_greywolf). A run ends at
--budget trials, or SETTLED trials after the optimum was found: what follows changes no figure of report.py.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np

from benchmarks.tuner.methods import METHODS, Ours
from benchmarks.tuner.spaces import KnownSpace, load

SETTLED = 45


def run(space: KnownSpace, method: str, seed: int, budget: int, noise: float, warm: float | None) -> dict[str, object]:
    """Shares of the optimum that one run measured, trial by trial, with what the model expected.

    `warm`: start from a configuration at this share of the optimum (ours only). `noise`: half-normal relative noise
    (it only ever adds time); shares are of the true time, `times` as told.
    """
    began = time.process_time()
    gains: list[float | None] = []
    times: list[float | None] = []
    shares: list[float] = []
    if method.startswith("kt:"):
        from kernel_tuner_peer import visited

        rows = visited(space, method[3:], seed, budget)
        shares = [float(space.share[row]) for row in rows]
    else:
        tuner = METHODS[method](space, seed) if warm is None else Ours(space, seed, warm)
        rng = np.random.default_rng(10_000 + seed)
        while len(shares) < min(budget, space.total):
            row = tuner.ask()
            true = float(space.time[row])
            told = true * (1.0 + noise * abs(rng.standard_normal())) if np.isfinite(true) else None
            shares.append(float(space.share[row]))
            gains.append(tuner.gain)
            times.append(told)
            tuner.tell(row, told)
            if len(shares) >= shares.index(max(shares)) + 1 + SETTLED and max(shares) > 0.9999:
                break
    seconds = (time.process_time() - began) / max(1, len(shares))
    return {
        "space": space.name, "method": method, "seed": seed, "budget": budget, "noise": noise, "warm": warm,
        "shares": [round(share, 5) for share in shares], "gains": gains, "times": times, "cpu_s": round(seconds, 5),
    }  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("methods")
    parser.add_argument("spaces")
    parser.add_argument("seeds", help="FIRST-LAST, last excluded")
    parser.add_argument("--budget", type=int, default=200)
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--warm", type=float)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    first, last = map(int, arguments.seeds.split("-"))
    for name in arguments.spaces.split(","):
        space = load(name)
        for method in arguments.methods.split(","):
            for seed in range(first, last):
                result = run(space, method, seed, arguments.budget, arguments.noise, arguments.warm)
                with arguments.out.open("a") as out:
                    out.write(json.dumps(result) + "\n")
