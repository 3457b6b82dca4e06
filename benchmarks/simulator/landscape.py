"""The landscape of the seed's example, simulated: 4096^3 float16 on 910B1, and what a search of 50 trials finds in it.

python -m benchmarks.simulator landscape [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pytest_ascend_tune.backends.simulator import predict_many
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.hardware import spec
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.tuning.tuner import Tuner

PROBLEM = GemmProblem(4096, 4096, 4096, "float16")
DEVICE = "910B1"
TRIALS = 50
SEEDS = range(10)


def landscape() -> tuple[list[Config], np.ndarray]:
    """All legal configurations of the template's grid and their simulated TFLOPS."""
    _, space = load_template("catlass_gemm")
    candidates = space.bind(spec(DEVICE).facts()).candidates(PROBLEM, limit=10**6, seed=0)
    configs = [candidates.config(row) for row in range(len(candidates))]
    return configs, PROBLEM.flops / predict_many(PROBLEM, configs, DEVICE) / 1e6


def searched(values: dict[Config, float], seed: int) -> list[float]:
    """TFLOPS of the trials of one search."""
    _, space = load_template("catlass_gemm")
    tuner = Tuner(space.bind(spec(DEVICE).facts()), seed, problem=PROBLEM)
    found = []
    for _ in range(TRIALS):
        config = tuner.ask()
        found.append(values[config])
        tuner.tell(config, values[config])
    return found


def draw(rates: np.ndarray, found: list[float], path: Path) -> None:
    """Histogram of the whole landscape; dots and staircase of one search."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(f"Simulated, not measured: {PROBLEM.id} on {DEVICE}, {len(rates)} different legal configurations")
    left, right = figure.subplots(1, 2)
    left.hist(rates, bins=60, color="0.6")
    left.axvline(rates.max(), color="tab:red", linestyle="--", label=f"best {rates.max():.1f}")
    left.axvline(rates.mean(), color="tab:green", linestyle="--", label=f"mean {rates.mean():.1f}")
    left.set(xlabel="simulated TFLOPS", ylabel="configurations")
    left.legend()
    right.plot(range(1, len(found) + 1), found, ".", color="0.5", label="trial")
    right.step(range(1, len(found) + 1), np.maximum.accumulate(found), where="post", label="best so far")
    right.axhline(rates.max(), color="tab:red", linestyle="--", label="best there is")
    right.set(xlabel="trial", ylabel="simulated TFLOPS")
    right.legend(loc="lower right")
    figure.savefig(path)


def main() -> None:
    """Print the landscape's shape and what searches find; draw a picture when a file is named."""
    configs, rates = landscape()
    tiles = {tuple(config[name] for name in ("tile_m", "tile_n", "l1_k", "l0_k")) for config in configs}
    print(f"{PROBLEM.id} on {DEVICE}, simulated: {len(tiles)} tile combinations, {len(configs)} configurations")
    shape = ", ".join(f"p{p} {np.percentile(rates, p):.1f}" for p in (0, 10, 50, 90, 99, 100))
    near = np.mean(rates >= 0.95 * rates.max())
    print(f"TFLOPS: {shape}, mean {rates.mean():.1f}; within 5 % of the best: {near:.1%}")
    print("best:", configs[int(np.argmax(rates))])
    values = dict(zip(configs, rates, strict=True))
    shares = np.array([np.maximum.accumulate(searched(values, seed)) for seed in SEEDS]) / rates.max()
    rng = np.random.default_rng(0)
    chance = np.array([np.maximum.accumulate(rng.permutation(rates)[:TRIALS]) for _ in range(1000)]) / rates.max()
    print("\n| trials | search: median share of the best (worst of 10) | random: median (10th percentile) |")
    print("|---|---|---|")
    for trials in (10, 20, 34, 45, 50):
        ours, random = shares[:, trials - 1], chance[:, trials - 1]
        print(
            f"| {trials} | {np.median(ours):.1%} ({ours.min():.1%}) |"
            f" {np.median(random):.1%} ({np.percentile(random, 10):.1%}) |"
        )
    if len(sys.argv) > 1:
        draw(rates, searched(values, 42), Path(sys.argv[1]))
