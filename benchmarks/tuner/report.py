"""Tables of the runs: python -m benchmarks.tuner report RESULTS.jsonl ... [--stop] [--peer METHOD].

Trials to 95 and 99 % of the optimum: a miss counts MISS. `--stop` adds our stop rule, replayed with
convergence.judge_search on the recorded trials, beside "N trials without growth".
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.search import ConvergenceState, Origin, Trial
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge_search

MISS = 200
Run = dict[str, Any]


def load(files: list[Path], seeds: range) -> dict[tuple[str, str], list[Run]]:
    """Runs by (space, method), one for each of `seeds`."""
    runs: dict[tuple[str, str], dict[int, Run]] = defaultdict(dict)
    for file in files:
        for line in file.read_text().splitlines():
            run = json.loads(line)
            if run["seed"] not in seeds:
                continue
            space = run["space"] + (f" noise {run['noise']:g}" if run["noise"] else "")
            space += f" warm {run['warm']:g}" if run.get("warm") else ""
            short = run["method"] != "ours" and run["budget"] < MISS
            method = run["method"] + (f", {run['budget']} trials" if short else "")
            runs[space, method][run["seed"]] = run
    return {key: list(by_seed.values()) for key, by_seed in runs.items()}


def trials_to(run: Run, share: float) -> int:
    """Trials until `share` of the optimum is reached, MISS when it never is."""
    hits = np.flatnonzero(np.array(run["shares"]) >= share)
    return int(hits[0]) + 1 if len(hits) else MISS


def best_after(run: Run, trials: int) -> float:
    """Best share after `trials`; a run that ended early had settled."""
    return max(run["shares"][:trials])


def as_trials(run: Run) -> list[Trial]:
    """The recorded run as trials, for the stop rule."""
    trials = []
    for index, (time, gain) in enumerate(zip(run["times"], run["gains"], strict=True), start=1):
        outcome = Failure(FailureKind.BUILD_ERROR, "recorded") if time is None else Measurement((time,))
        origin = Origin.MODEL if gain is not None else Origin.SPACE_FILLING
        trials.append(Trial(index, Config({"row": index}), outcome, origin, gain))
    return trials


def stopped_at(run: Run, rule: ConvergenceRule, noise: float) -> int | None:
    """Trials after which the rule says converged, None when it never does."""
    trials = as_trials(run)
    for count in range(11, len(trials) + 1):
        if judge_search(trials[:count], rule, noise=noise).state is ConvergenceState.CONVERGED:
            return count
    return None


def patience_at(run: Run, patience: int) -> int:
    """Trials after which `patience` of them (counted after the first ten) brought no growth."""
    shares, last = run["shares"], 0
    for index in range(1, len(shares)):
        if shares[index] > max(shares[:index]):
            last = index
        if index - max(last, 9) >= patience:
            return index + 1
    return len(shares)


def search_table(runs: dict[tuple[str, str], list[Run]], peer: str) -> None:
    """Quality and cost of the search."""
    print(
        "| space | method | seeds | @20 | @50 | @100 | p10 @100 | trials to 95 % mean / median | to 99 % mean / median "
        "| failed of first 100 | CPU s a suggestion |"
    )
    print("|" + "---|" * 11)
    for (space, method), group in sorted(runs.items()):
        at = {n: np.array([best_after(run, n) for run in group]) for n in (20, 50, 100)}
        to = {s: np.array([trials_to(run, s) for run in group]) for s in (0.95, 0.99)}
        failed = np.mean([np.mean(np.array(run["shares"][:100]) == 0) for run in group])
        print(
            f"| {space} | {method} | {len(group)} | "
            + " | ".join(f"{at[n].mean():.3f}" for n in at)
            + f" | {np.percentile(at[100], 10):.3f} | "
            + " | ".join(f"{to[s].mean():.1f} / {np.median(to[s]):.0f}" for s in to)
            + f" | {failed:.1%} | {np.mean([run['cpu_s'] for run in group]):.3f} |"
        )
    shared = [space for space, method in runs if method == "ours" and (space, peer) in runs and "gemm" in space]
    for share in (0.95, 0.99) if shared else ():
        trials = [
            [np.array([trials_to(run, share) for run in runs[space, method]]) for method in (peer, "ours")]
            for space in shared
        ]
        ratios = [theirs.mean() / ours.mean() for theirs, ours in trials]
        low, high = np.percentile([geometric_mean(resampled(trials, seed)) for seed in range(1000)], (5, 95))
        each = ", ".join(f"{space}: {ratio:.2f}" for space, ratio in zip(shared, ratios, strict=True))
        print(
            f"\ntrials to {share:.0%}, {peer} / ours: {geometric_mean(ratios):.2f}, "
            f"90 % bootstrap interval {low:.2f}-{high:.2f} ({each})"
        )


def resampled(trials: list[list[np.ndarray]], seed: int) -> list[float]:
    """Ratios of mean trials on seeds drawn with replacement."""
    rng = np.random.default_rng(seed)
    means = [[rng.choice(counts, len(counts)).mean() for counts in pair] for pair in trials]
    return [theirs / ours for theirs, ours in means]


def geometric_mean(ratios: list[float]) -> float:
    """As it says."""
    return float(np.exp(np.mean(np.log(ratios))))


def stop_table(runs: dict[tuple[str, str], list[Run]]) -> None:
    """When our rule stops, and what it then has."""
    print(
        "\n| space | rule | stops within 45 / 60 / 100 / 200 trials | median trials | share of the optimum, mean "
        "| runs stopped below 95 % | below 98 % |"
    )
    print("|" + "---|" * 7)
    for (space, method), group in sorted(runs.items()):
        if method != "ours":
            continue
        noise = group[0]["noise"]
        for name in ("ours", "10 without growth", "30 without growth"):
            if name == "ours":
                ends = [stopped_at(run, ConvergenceRule(max_trials=None), noise) for run in group]
            else:
                ends = [patience_at(run, int(name.split()[0])) for run in group]
            fired = [(end, best_after(run, end)) for end, run in zip(ends, group, strict=True) if end is not None]
            if not fired:
                print(f"| {space} | {name} | never | | | | |")
                continue
            counts, shares = (np.array(column) for column in zip(*fired, strict=True))
            within = " / ".join(f"{np.sum(counts <= n) / len(group):.0%}" for n in (45, 60, 100, 200))
            print(
                f"| {space} | {name} | {within} | {np.median(counts):.0f} | {shares.mean():.3f} | "
                f"{np.sum(shares < 0.95) / len(group):.0%} | {np.sum(shares < 0.98) / len(group):.0%} |"
            )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("--peer", default="kt:adaptive_tabu_greywolf")
    parser.add_argument("--seeds", default="0-1000000", help="FIRST-LAST, last excluded")
    arguments = parser.parse_args()
    runs = load(arguments.files, range(*map(int, arguments.seeds.split("-"))))
    search_table(runs, arguments.peer)
    if arguments.stop:
        stop_table(runs)
