"""Fit the model's constants on the published measurements and print the table of errors.

python -m benchmarks.simulator fit          errors of the constants as they stand in the package
python -m benchmarks.simulator fit --fit    fit again, print the constants to put there, and their errors
"""

from __future__ import annotations

import sys
from dataclasses import asdict

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import spearmanr

from benchmarks.simulator.measurements import PADDING_KERNEL_US, Rows, device_of, fit_rows, load_rows, problem_of
from pytest_ascend_tune.backends.simulator.constants import FITTED, Constants
from pytest_ascend_tune.backends.simulator.legality import legal
from pytest_ascend_tune.backends.simulator.pipeline import simulate
from pytest_ascend_tune.backends.simulator.prior import grid
from pytest_ascend_tune.backends.simulator.work import Work

# Published figure (or the order of magnitude where there is none) and how far, as a share, a fit may pull away from it.
PRIORS = {
    "launch_us": (10.0, 0.3),  # task overhead of small kernels, 7..15 us in profiles
    "load_bytes_per_clock": (110.0, 0.10),  # l2_rate of the platform files
    "load_latency_us": (0.12, 0.5),
    "short_row_bytes": (110.0, 0.3),  # asc-devkit: 62, 132, 150 GB/s per core with rows of 128, 256, 512 bytes
    "aliasing_factor": (1.5, 0.3),
    "feed_clocks": (80.0, 0.4),  # 47 clocks idle, about 110 under load: derived from PTO-ISA's figures
    "first_load_share": (0.1, 0.7),
    "hbm_bytes_per_clock": (32.0, 0.15),  # ddr_rate of the platform files; 1.0..1.46 TB/s measured with 24 cores
    "l2_tbyte_per_s": (4.2, 0.04),
    "contention_share": (0.36, 0.05),  # asc-devkit, shuffle K on and off: MTE2 22 % less
    "l2_usable_share": (0.9, 0.1),
}
PADDING_PRIOR = (21.0, 0.2)
RESIDUAL_SHARE = 0.12  # typical scatter between repetitions of one published measurement


def fit(rows: Rows) -> tuple[Constants, float]:
    """Maximum a posteriori constants, and the cost of the padding kernel. Groups weigh as the root of their size."""
    names = list(PRIORS)
    centre = np.log([PRIORS[name][0] for name in names] + [PADDING_PRIOR[0]])
    width = np.array([PRIORS[name][1] for name in names] + [PADDING_PRIOR[1]])
    sizes = {group: np.sum(rows.group == group) for group in set(rows.group)}
    weight = np.array([sizes[group] ** -0.25 for group in rows.group])
    weight /= np.sqrt(np.mean(weight**2))

    def residuals(logs: np.ndarray) -> np.ndarray:
        values = np.exp(logs)
        predicted = rows.predict(Constants(**dict(zip(names, values, strict=False))), values[-1])
        return np.concatenate([np.log(predicted / rows.measured_us) * weight / RESIDUAL_SHARE, (logs - centre) / width])

    found = least_squares(residuals, centre, loss="soft_l1", f_scale=1.5, diff_step=1e-3, max_nfev=60)
    values = np.exp(found.x)
    return Constants(**dict(zip(names, map(float, values), strict=False))), float(values[-1])


def errors(predicted: np.ndarray, measured: np.ndarray) -> np.ndarray:
    """Absolute errors as shares."""
    return np.abs(predicted / measured - 1)


def line(name: str, ratio: np.ndarray) -> str:
    """One row of the table."""
    error = np.abs(ratio - 1) * 100
    return (
        f"| {name} | {len(ratio)} | {np.median(error):.1f} | {np.mean(error):.1f} | {np.percentile(error, 90):.1f} |"
        f" {error.max():.0f} | {np.exp(np.mean(np.log(ratio))):.2f} |"
    )


def print_errors(rows: Rows, constants: Constants, padding_us: float) -> None:
    """Errors by group, rank correlations in tile sweeps, paired effects, worst rows."""
    predicted = rows.predict(constants, padding_us)
    ratio = predicted / rows.measured_us
    print("\n## Rows with a known tile\n")
    print("| group | rows | median % | mean % | p90 % | max % | predicted / measured |\n|---|---|---|---|---|---|---|")
    for group in dict.fromkeys(rows.group):
        print(line(f"{group} ({SOURCE_OF[group]})", ratio[rows.group == group]))
    print(line("**all**", ratio))
    print("\n## Rank correlation within tile sweeps\n\n| sweep | configurations | Spearman |\n|---|---|---|")
    for group in ("B3bas", "B4bas", "C", "B4opt", "B3opt"):
        chosen = rows.group == group
        if chosen.sum() >= 9:
            kind = " (with padding kernel)" if rows.padded[chosen].any() else ""
            print(
                f"| {group}{kind} | {chosen.sum()} | {spearmanr(predicted[chosen], rows.measured_us[chosen])[0]:.2f} |"
            )
    print_pairs(rows, predicted)
    print("\n## Worst rows\n\n| row | problem | tile | measured us | predicted us | ratio |\n|---|---|---|---|---|---|")
    for i in np.argsort(-np.abs(np.log(ratio)))[:10]:
        row = rows.rows[i]
        tile = "x".join(row[name] for name in ("tile_m", "tile_n", "l1_k", "l0_k"))
        print(
            f"| {row['id']} | {row['M']}x{row['N']}x{row['K']} {row['soc']} | {tile} | {rows.measured_us[i]:.1f} |"
            f" {predicted[i]:.1f} | {ratio[i]:.2f} |"
        )


# Pairs of published rows that differ in one thing: (slower, faster, what).
PAIRS = (
    ("J2-011", "J3-011", "swizzle, 1152x16384x16384"),
    ("J2-014", "J3-014", "swizzle, 2688x16384x16384"),
    ("J2-017", "J3-017", "swizzle, 4224x16384x16384"),
    ("G-010", "G-011", "order of tiles, 30720x4096x1024"),
    ("F-003", "F-006", "l1_k 64 -> 256, 8192^3"),
    ("G-002", "G-003", "l1_k 64 -> 256, 4096x5120x4096 (MTE2)"),
    ("G-008", "G-009", "l1_k 64 -> 256, 128x30720x1024"),
    ("B3bas-003", "B3bas-005", "l1_k 128 -> 512, 64x128 tile"),
    ("B3bas-009", "B3bas-011", "l1_k 128 -> 512, 128x128 tile"),
    ("B3bas-002", "B3bas-010", "l0_k 64 -> 128, 128x128 tile"),
    ("G-001", "G-003", "tile 64x64 -> 128x256"),
)


def print_pairs(rows: Rows, predicted: np.ndarray) -> None:
    """Does the model get the direction of each measured effect right?"""
    index = {row["id"]: i for i, row in enumerate(rows.rows)}
    print("\n## Paired effects (time ratio)\n\n| effect | measured | predicted | sign |\n|---|---|---|---|")
    for slow, fast, what in PAIRS:
        if slow in index and fast in index:
            one, two = index[slow], index[fast]
            measured, model = rows.measured_us[two] / rows.measured_us[one], predicted[two] / predicted[one]
            sign = "right" if (measured - 1) * (model - 1) > 0 else "**wrong**"
            print(f"| {what} | {measured:.2f} | {model:.2f} | {sign} |")


def print_library(constants: Constants) -> None:
    """Library calls choose their own tile: the model's best of its grid stands for them. Not fitted on."""
    rows = [row for row in load_rows() if row["known_tile"] != "1" and row["use"] == "check"]
    columns = grid()
    print("\n## Library calls, tile unknown\n\n| row | kernel | problem | measured us | predicted us | ratio |")
    print("|---|---|---|---|---|---|")
    ratios = []
    for row in rows:
        problem, chip = problem_of(row), device_of(row)
        fine = legal(columns, problem.dtype, chip)
        work = Work.of(problem, {name: column[fine] for name, column in columns.items()}, chip)
        predicted, measured = simulate(work, constants).total_us.min(), float(row["time_us"])
        ratios.append(predicted / measured)
        print(
            f"| {row['id']} | {row['kernel']} | {problem.id} {row['soc']} | {measured:.1f} | {predicted:.1f} |"
            f" {ratios[-1]:.2f} |"
        )
    print(f"\nmedian error {np.median(np.abs(np.array(ratios) - 1)):.1%} of {len(ratios)} rows")


def print_left_out(rows: Rows) -> None:
    """Each source predicted by constants that were fitted without it."""
    print("\n## Leave one source out\n")
    print("| source | rows | median % | mean % | p90 % | max % | predicted / measured |\n|---|---|---|---|---|---|---|")
    ratios = []
    for source in dict.fromkeys(rows.source):
        constants, padding_us = fit(rows.where(rows.source != source))
        left = rows.where(rows.source == source)
        ratios.append(left.predict(constants, padding_us) / left.measured_us)
        print(line(source, ratios[-1]))
    every = np.concatenate(ratios)
    print(line("**all**", every))
    low, high = np.percentile(1 / every, [5, 95])
    print(f"\n90 % of measured / predicted lie in {low:.2f} .. {high:.2f}: the band of a prediction.")


SOURCE_OF: dict[str, str] = {}


def main() -> None:
    """Print everything."""
    rows = fit_rows()
    SOURCE_OF.update(zip(rows.group, rows.source, strict=True))
    constants, padding_us = fit(rows) if "--fit" in sys.argv[1:] else (FITTED, PADDING_KERNEL_US)
    print("Constants:", ", ".join(f"{name}={value:.4g}" for name, value in asdict(constants).items()))
    print(f"Padding kernel: {padding_us:.1f} us")
    print_errors(rows, constants, padding_us)
    print_library(constants)
    print_left_out(rows)
