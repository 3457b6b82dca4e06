"""A clock that advances with what is sampled, and short ways to a confirmation on the fake backend."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.model.measurement import Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.search import Template
from tests.fakes.backend import FakeArtifact, FakeBackend

PROBLEM = GemmProblem(256, 256, 256, "float32")
OLD, NEW, THIRD = (Config({"tile_m": size}) for size in (16, 32, 64))
QUICK = ConfirmPlan(rounds=120, max_rounds=240)


def template(text: str = "int gemm();\n", *, slowdown: float = 1.0) -> Template:
    """A fake template; `slowdown` makes its kernels take that many times as long."""
    files = (("fake.cpp", f"// slowdown: {slowdown}\n{text}"),)
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    return Template("fake_gemm", "Fake", "fake.cpp", files, digest, 1, ("fake",), (Dtype.FLOAT32,), (Layout.NN,))


class ScriptedBackend(FakeBackend):
    """FakeBackend with given times per configuration, hooks before each sample, and restarts that are counted."""

    def __init__(self, times_us: dict[Config, float], *, noise: float = 0.02, seed: int = 0, **more: object) -> None:
        values: dict[str, object] = {"noise": noise, "seed": seed, "reference_us": 90.0, "peak": 1.0, **more}
        super().__init__(lambda problem, config: times_us[config], **values)  # type: ignore[arg-type]
        self.before_sample: Callable[[FakeArtifact], None] = lambda artifact: None
        self.samples: list[FakeArtifact] = []
        self.slow_now: dict[str, float] = {}  # build id -> factor that a test may change at any time
        self.restarts = 0
        self.peak_readings = 0
        self.now_s = 0.0
        self.call_s = 0.001

    def build_all(self, *configs: Config, slowdown: float = 1.0, text: str = "int gemm();\n") -> list[FakeArtifact]:
        return [self.build(template(text, slowdown=slowdown), PROBLEM, config) for config in configs]

    def sample(self, artifact: FakeArtifact, problem: GemmProblem, *, timeout_s: float) -> Sample:
        self.before_sample(artifact)
        self.samples.append(artifact)
        self.now_s += self.call_s
        taken = super().sample(artifact, problem, timeout_s=timeout_s)
        factor = self.slow_now.get(artifact.build_id, 1.0)
        return Sample(taken.us * factor, taken.wall_us * factor)

    def restart(self) -> None:
        self.restarts += 1

    def peak_tflops(self, problem: GemmProblem) -> float:
        self.peak_readings += 1
        return super().peak_tflops(problem)

    def clock(self) -> float:
        return self.now_s
