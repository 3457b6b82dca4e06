"""What the ``explain`` command prints and reports draw: the model's explanation of one configuration."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_ascend_tune.backends.simulator.explain import Explanation, explain
from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS
from pytest_ascend_tune.backends.simulator.prior import best_config
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.text import Text

NAMES: Mapping[str, Text] = {
    "launch": Text.of("launch"),
    "cube": Text.of("cube multiplies"),
    "mte1": Text.of("cube waits for L0 (MTE1)"),
    "mte2": Text.of("cube waits for L1 (MTE2, L2, HBM)"),
    "fixpipe": Text.of("write-back (FixPipe)"),
    "waiting": Text.of("fill and drain of the pipeline"),
}


def describes(config: Mapping[str, int | str]) -> bool:
    """Whether the analytical model knows this kernel's parameters; a template in Triton has others."""
    return set(PARAMETERS) <= set(config)


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
        *(f"  {NAMES[name]!s:<35} {us:>10.1f} us  {us / total:>6.1%}" for name, us in told.parts),
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
