"""Builds realistic values of the package's words for tests: searches with failures, confirmations, baselines, verdicts.

gate_result(GateStatus.REGRESSED)              one result of that status, everything consistent with it
gate_result(problem_id="64x1x4096-float32-tn", trials=500, simulated=True)
every_status()                                 one result of each status, on different problems
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from pytest_ascend_tune.model.confirmation import Arm, ArmRole, CompareStatus, Comparison, Confirmation
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.search import (
    Convergence,
    ConvergenceState,
    Effect,
    Origin,
    Signal,
    SignalName,
    Trial,
    TuningResult,
)
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import (
    Baseline,
    BaselineKey,
    Cause,
    Fingerprint,
    GateResult,
    GateStatus,
    NotMeasured,
    Policy,
    StoredMeasurement,
    Verdict,
)
from pytest_ascend_tune.model.word import FailureKind

PARAMETERS: dict[str, tuple[int, ...]] = {
    "tile_m": (64, 128, 256),
    "tile_n": (64, 128, 256),
    "l1_k": (64, 128, 256, 512),
    "l0_k": (16, 32, 64, 128),
    "enable_unit": (0, 1),
    "enable_shuffle_k": (0, 1),
    "enable_abba": (0, 1),
    "swizzle_offset": (1, 2, 3, 4),
    "swizzle_direction": (0, 1),
}
STATUSES = tuple(GateStatus)
FAILING = (GateStatus.NOTHING_VALID, GateStatus.REGRESSED, GateStatus.BELOW_EFFICIENCY)
PROBLEM_IDS = (
    "127x255x511-float16-nn",
    "4096x4096x4096-float16-nn",
    "2048x2048x2048-bfloat16-nt",
    "8192x64x1024-float16-nn",
    "64x64x64-int8-tn",
    "1024x1024x1024-float32-nn",
    "16x12288x4096-float16-tt",
    "1024x8192x512-hfloat32-nn",
)


def config(generator: random.Random) -> Config:
    """Some configuration of the nine parameters."""
    return Config({name: generator.choice(values) for name, values in PARAMETERS.items()})


def trials(
    problem: GemmProblem, count: int = 50, *, best_tflops: float = 230.0, failed_share: float = 0.2, seed: int = 1
) -> tuple[Trial, ...]:
    """A search as it looks: default first, a space-filling start, then a model that does better and better.

    The best of the measured ones reaches `best_tflops`.
    """
    generator = random.Random(seed)
    initial = max(1, count * 2 // 5)
    made: list[Trial] = []
    for index in range(1, count + 1):
        origin = Origin.DEFAULT if index == 1 else Origin.SPACE_FILLING if index <= initial else Origin.MODEL
        outcome: Measurement | Failure
        if index > 1 and generator.random() < failed_share:
            kind = generator.choice(list(FailureKind))
            outcome = Failure(kind, f'{kind}: something in <trial {index}> went "wrong" & was logged, 编译失败')
        else:
            progress = max(0.0, min(1.0, (index - initial) / (0.6 * count + 1)))
            share = generator.betavariate(2 + 6 * progress, 4 - 2.5 * progress)
            time_us = problem.flops / (best_tflops * (0.1 + 0.9 * share)) / 1e6
            outcome = Measurement(tuple(time_us * (1 + 0.02 * generator.random()) for _ in range(12)))
        gain = None if origin is not Origin.MODEL else 0.2 * 0.9**index
        made.append(Trial(index, config(generator), outcome, origin, gain, build_s=0.5))
    return _scaled(made, problem.flops / best_tflops / 1e6)


def _scaled(made: list[Trial], best_us: float) -> tuple[Trial, ...]:
    """The same trials with all times scaled so that the fastest takes `best_us`."""
    fastest = min((trial.time_us for trial in made if trial.time_us is not None), default=best_us)
    return tuple(
        replace(trial, outcome=Measurement(tuple(us * best_us / fastest for us in trial.outcome.samples_us)))
        if isinstance(trial.outcome, Measurement)
        else trial
        for trial in made
    )


def convergence(state: ConvergenceState = ConvergenceState.CONVERGED) -> Convergence:
    """A judgement with the five signals of the checklist."""
    holds = state is ConvergenceState.CONVERGED
    return Convergence(
        state,
        Text.of("the search ended as {state}", state=state),
        (
            Signal(SignalName.STAIRCASE_FLAT, 14.0, holds, Text.of("{count} trials since the last growth", count=14)),
            Signal(
                SignalName.GAPS_LENGTHEN,
                2.5,
                True,
                Text.of("the last gap is {ratio:.1f} times the median gap", ratio=2.5),
                5.6,
            ),
            Signal(
                SignalName.LATE_DOTS_BELOW, 0.9, True, Text.of("{share:.0%} of the last trials are below", share=0.9)
            ),
            Signal(SignalName.DISTRIBUTION, 0.06, True, Text.of("{share:.0%} are within 5 % of the best", share=0.06)),
            Signal(SignalName.EXPECTED_GAIN, None, False, Text.of("the model has no opinion yet")),
        ),
        remaining_gain=0.004 if holds else None,
    )


def fingerprint(device: str = "910B1", **versions: str) -> Fingerprint:
    """Identity and versions of a made-up machine."""
    known = {"cann": "8.2.RC1", "driver": "25.0.3", "python": "3.11.9", "compiler": "bisheng 15.0.5"} | versions
    return Fingerprint(device, (("soc", device), ("cores", "24"), ("l2", "cold")), tuple(known.items()))


def arm(role: ArmRole, time_us: float, *, rounds: int = 120, seed: int = 2, settings: Config | None = None) -> Arm:
    """Samples with noise that only adds time."""
    generator = random.Random(seed)
    samples = tuple(time_us * (1 + generator.expovariate(60)) for _ in range(rounds))
    return Arm(role, settings, f"{role}-{seed:04x}", samples, samples)


def confirmation(
    problem: GemmProblem,
    winner: Config,
    time_us: float,
    *,
    baseline: tuple[Config, float] | None = None,
    peak_tflops: float = 353.9,
    identical_build: bool = False,
) -> Confirmation:
    """A confirmation of `winner`; `baseline` is the configuration and time of the baseline's own build."""
    best = arm(ArmRole.FINALIST, time_us, settings=winner)
    old = comparison = None
    if baseline is not None and not identical_build:
        old = arm(ArmRole.BASELINE, baseline[1], seed=3, settings=baseline[0])
        ratio = old.time_us / best.time_us
        status = (
            CompareStatus.SLOWER if ratio < 0.975 else CompareStatus.FASTER if ratio > 1.025 else CompareStatus.SAME
        )
        comparison = Comparison(status, ratio, (ratio * 0.995, ratio * 1.005), ratio, rounds=len(old.samples_us))
    return Confirmation(
        problem,
        best,
        (best.time_us * 0.995, best.time_us * 1.005),
        peak_tflops,
        race=(best,),
        baseline=old,
        reference=arm(ArmRole.REFERENCE, time_us * 0.98, rounds=30, seed=4),
        comparison=comparison,
        identical_build=identical_build,
        seconds=3.2,
    )


def tuning(
    problem_id: str = PROBLEM_IDS[1],
    *,
    count: int = 50,
    best_tflops: float = 230.0,
    failed_share: float = 0.2,
    seed: int = 1,
    backend: str = "ascend",
    device: str = "910B1",
    state: ConvergenceState = ConvergenceState.CONVERGED,
) -> TuningResult:
    """A search without its confirmation. ``failed_share=1`` fails every trial."""
    problem = GemmProblem.from_id(problem_id)
    tried = trials(problem, count, best_tflops=best_tflops, failed_share=failed_share, seed=seed)
    if failed_share >= 1:
        broken = Failure(FailureKind.BUILD_ERROR, "error: static assertion failed: tile does not fit L0C")
        tried = tuple(replace(trial, outcome=broken) for trial in tried)
        state = ConvergenceState.NOTHING_VALID
    return TuningResult(
        problem,
        "catlass_gemm",
        backend,
        device,
        backend == "simulator",
        tried,
        convergence(state),
        effects=tuple(Effect(name, 1 / (position + 2)) for position, name in enumerate(PARAMETERS)),
        legal_configs=8128,
        seed=seed,
        seconds=61.5,
    )


def baseline(result: TuningResult, tflops: float, *, settings: Config | None = None) -> Baseline:
    """A stored baseline of `result`'s problem that reached `tflops`."""
    time_us = result.problem.flops / tflops / 1e6
    interval_us = (time_us * 0.995, time_us * 1.005)
    measured = StoredMeasurement(
        time_us, interval_us, tflops, tflops / 353.9, 250, 0.005, time_us * 0.98, "torch_npu 2.5.1"
    )
    return Baseline(
        BaselineKey("main", result.device, result.template, result.problem.id),
        settings or _first_config(result),
        "0f" * 32,
        1,
        "baseline-build",
        measured,
        fingerprint(result.device, cann="8.1.RC1"),
        "2026-11-20T09:30:00Z",
        simulated=result.simulated,
    )


def _first_config(result: TuningResult) -> Config:
    return result.trials[0].config if result.trials else config(random.Random(0))


@cache  # results are frozen: the same one may serve many tests
def gate_result(
    status: GateStatus = GateStatus.PASSED,
    problem_id: str = PROBLEM_IDS[1],
    *,
    count: int = 50,
    seed: int = 1,
    failed_share: float = 0.2,
    tflops: float = 228.4,
    backend: str = "ascend",
    device: str = "910B1",
    nodeid: str | None = None,
) -> GateResult:
    """A gated problem of the wanted status; numbers, sentence and policy agree with it."""
    if status is GateStatus.NOTHING_VALID:
        failed_share = 1.0
    result = tuning(
        problem_id,
        count=count,
        best_tflops=tflops * 1.03,
        failed_share=failed_share,
        seed=seed,
        backend=backend,
        device=device,
        state=ConvergenceState.BUDGET_EXHAUSTED if status is GateStatus.INCONCLUSIVE else ConvergenceState.CONVERGED,
    )
    changes = {GateStatus.REGRESSED: -0.073, GateStatus.IMPROVED: 0.062, GateStatus.INCONCLUSIVE: -0.03}
    change = changes.get(status, 0.001)
    has_baseline = status not in (GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)
    old = baseline(result, tflops / (1 + change)) if has_baseline else None
    if result.best is not None or not result.trials:  # without trials the baseline's configuration is confirmed
        time_us = result.problem.flops / tflops / 1e6
        against = (old.config, old.measurement.time_us) if old else None
        confirmed = confirmation(
            result.problem, result.best.config if result.best else _first_config(result), time_us, baseline=against
        )
        result = replace(result, confirmed=confirmed)
    policy = Policy(min_efficiency=0.7 if status is GateStatus.BELOW_EFFICIENCY else 0.5)
    return GateResult(
        result,
        verdict(status, change if old and result.confirmed else None),
        policy,
        old,
        fingerprint(device),
        f"tests/test_gemm.py::test_gemm[{problem_id}]" if nodeid is None else nodeid,
        run_dir=f"runs/20261130-083000/catlass_gemm/{problem_id}",
    )


def verdict(status: GateStatus, change: float | None = None) -> Verdict:
    """The judgement that goes with a status. `change`: share by which the candidate is faster."""
    drop = None if change is None else -change
    return Verdict(
        status,
        Text.of("made-up sentence for {status}", status=status),
        fails=status in FAILING,
        cause=Cause.CODE if status is GateStatus.REGRESSED else None,
        drop=drop,
        drop_interval=None if drop is None else (drop - 0.004, drop + 0.005),
        allowed_drop=0.025,
        notes=(Text.of("made-up note"),) if status is GateStatus.INCONCLUSIVE else (),
    )


def every_status(**more: object) -> tuple[GateResult, ...]:
    """One result of every status, each on its own problem."""
    return tuple(
        gate_result(status, problem_id, seed=number, **more)  # type: ignore[arg-type]
        for number, (status, problem_id) in enumerate(zip(STATUSES, PROBLEM_IDS, strict=True), start=1)
    )


def missed() -> tuple[NotMeasured, ...]:
    """A problem that was refused and two that were left out for one reason."""
    lack = Text.of("{reason}", reason="backend cpu has no float16 (it has float32)")
    return (
        NotMeasured("tests/test_gemm.py::test_half[1]", "128x128x128-float16-nn", lack, skipped=True),
        NotMeasured("tests/test_gemm.py::test_half[2]", "256x256x256-float16-nn", lack, skipped=True),
        NotMeasured(
            "tests/test_gemm.py::test_thin", "64x64x1-float32-nn", Text.of("{reason}", reason="k=<1> is too small")
        ),
    )
