"""What the ``explain`` command prints and draws: the model's explanation of one configuration."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from pytest_ascend_tune.backends.simmodel.explain import Explanation, explain
from pytest_ascend_tune.backends.simmodel.prior import best_config
from pytest_ascend_tune.model import GemmProblem

NAMES = {
    "launch": "launch",
    "cube": "cube multiplies",
    "mte1": "cube waits for L0 (MTE1)",
    "mte2": "cube waits for L1 (MTE2, L2, HBM)",
    "fixpipe": "write-back (FixPipe)",
    "waiting": "fill and drain of the pipeline",
}


def explanation(problem: GemmProblem, config: Mapping[str, int | str] | None, device: str = "910B1") -> Explanation:
    """Of `config`, or of the best predicted configuration when it is None."""
    return explain(problem, config if config is not None else best_config(problem, device), device)


def lines(problem: GemmProblem, config: Mapping[str, int | str] | None, device: str = "910B1") -> list[str]:
    """The explanation as text, a line each."""
    told = explanation(problem, config, device)
    total, unit = told.prediction.time_us, problem.dtype.rate_unit
    roof = told.roofline
    filled = told.tiles / (told.rounds * told.cores)
    text = [
        f"Simulated, not measured: {problem.id} on {told.prediction.device}",
        "configuration: "
        + ", ".join(f"{name}={value}" for name, value in told.config.items())
        + ("" if config is not None else "  (the best predicted of the grid)"),
        f"predicted: {total:.1f} us, {told.prediction.tflops:.1f} {unit} "
        f"({told.prediction.tflops / roof.peak_tflops:.0%} of the peak of {roof.peak_tflops:.1f}); "
        f"band {told.prediction.low_us:.0f} .. {told.prediction.high_us:.0f} us",
        "",
        "where the time goes",
        *(f"  {NAMES[name]:<35} {us:>10.1f} us  {us / total:>6.1%}" for name, us in told.parts),
        "",
        f"tiles: {told.tiles} on {told.cores} cores, {told.rounds} rounds, {filled:.0%} of their places filled",
        "",
        "busy times (units work at the same time)",
        *(f"  {name:<35} {us:>10.1f} us  {us / total:>6.1%}" for name, us in told.busy),
        "",
        f"roofline: {roof.hbm_bytes / 1e6:.1f} MB of HBM traffic, {roof.intensity:.0f} operations per byte, ridge at "
        f"{roof.ridge:.0f}: bound by {'the cube unit' if roof.intensity > roof.ridge else 'HBM'}, "
        f"{roof.achieved_tflops / roof.roof_tflops:.0%} of the roof of {roof.roof_tflops:.1f} {unit}",
        "",
        "one step of one parameter (change of predicted time; below 5 % is within the model's error)",
    ]
    for step in told.steps:
        change = f"illegal: {step.because} must hold" if step.time_ratio is None else f"{step.time_ratio - 1:+.1%}"
        text.append(f"  {step.parameter:<20} {step.before:>5} -> {step.after:<5} {change}")
    return text


def draw(told: Explanation, path: Path) -> Path:
    """Write the picture of an explanation as the kind that `path` ends with. Returns `path`."""
    _figure(told).savefig(path)
    return path


def png(told: Explanation) -> bytes:
    """The picture of an explanation for a page, about 12 kB: sixteen colours are enough."""
    drawn, small = BytesIO(), BytesIO()
    _figure(told).savefig(drawn, format="png", dpi=80)
    Image.open(drawn).convert("P", palette=Image.Palette.ADAPTIVE, colors=16).save(small, format="png", optimize=True)
    return small.getvalue()


def _figure(told: Explanation) -> Figure:
    """Parts of the time, roofline with the point on it, steps of one parameter."""
    figure = Figure(figsize=(8, 6.5), layout="constrained")
    FigureCanvasAgg(figure)
    unit, roof = told.problem.dtype.rate_unit, told.roofline
    figure.suptitle(f"Simulated, not measured: {told.problem.id} on {told.prediction.device}")
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 2.4))

    axes = figure.add_subplot(grid[0, :])
    left = 0.0
    for name, us in told.parts:
        axes.barh([0], [us], left=left, label=f"{NAMES[name]}: {us:.1f} us")
        left += us
    axes.set(xlabel="predicted time, us", yticks=[], xlim=(0, left))
    axes.legend(ncols=2, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1.0))

    axes = figure.add_subplot(grid[1, 0])
    low, high = min(roof.intensity, roof.ridge) / 8, max(roof.intensity, roof.ridge) * 8
    axes.loglog([low, roof.ridge, high], [low * roof.hbm_gbyte_per_s / 1e3, roof.peak_tflops, roof.peak_tflops], "k-")
    axes.loglog([roof.intensity], [roof.achieved_tflops], "o")
    axes.set(xlabel="operations per byte of HBM traffic", ylabel=unit, title="roofline")

    axes = figure.add_subplot(grid[1, 1])
    steps = [step for step in told.steps if step.time_ratio is not None]
    changes = [100 * (step.time_ratio - 1) for step in steps if step.time_ratio is not None]
    axes.barh(range(len(steps)), changes)
    axes.set_yticks(range(len(steps)), [f"{step.parameter} {step.before} -> {step.after}" for step in steps])
    axes.invert_yaxis()
    axes.axvline(0, color="k", linewidth=0.8)
    axes.set(xlabel="change of predicted time, %", title="one step of one parameter")
    return figure
