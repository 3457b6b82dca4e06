"""FakeBackend: a deterministic backend without processes, clock or compiler, for the tests of all other rooms.

Its times come from a cost function over configurations. Noise is drawn per kernel and problem from a seed, so samples
of one kernel do not depend on which other kernels were sampled in between. What a test may turn while it runs are
plain attributes: ``toolchain`` (part of every build's identity), ``toolchain_slowdown`` (sticks to what is built from
now on), ``device_slowdown`` (hits everything sampled from now on, the reference too), ``health_now``, ``unavailable``.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_ascend_tune.model.errors import BuildError, BuildTimeoutError, SettingsError, TrialError, WrongResultError
from pytest_ascend_tune.model.measurement import Health, Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Fingerprint

CostFunction = Callable[[GemmProblem, Config], float]
FailureFunction = Callable[[GemmProblem, Config], "TrialError | None"]

BUILD_FAILURES = (BuildError, BuildTimeoutError)
_SLOWDOWN = re.compile(r"^//\s*slowdown:\s*([0-9.]+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class FakeArtifact:
    """What FakeBackend builds. ``slowdown`` comes from the template's text and from the tool chain at build time."""

    build_id: str
    config: Config | None
    slowdown: float = 1.0


def smooth_cost(peak: float) -> CostFunction:
    """A smooth valley: at best 90 % of `peak` TFLOPS, reached when every number is near 32; words cost nothing."""

    def time_us(problem: GemmProblem, config: Config) -> float:
        numbers = [value for value in config.values() if isinstance(value, int)]
        penalty = sum((math.log2(1 + abs(number)) - 5) ** 2 for number in numbers) / 50
        return problem.flops / (0.9 * peak * 1e6) * (1 + penalty)

    return time_us


class FakeBackend:
    """Implements protocols.Backend.

    `time_us(problem, config)`: time of one call; `failures(problem, config)`: the error that this configuration raises
    (build errors in ``build``, wrong results in ``verify``, everything else in ``verify`` and ``sample``) or None;
    `noise`: relative size of the noise, which only ever adds time; `reference_us`: number, function of the problem, or
    None for a backend without a reference. ``log`` keeps (action, config or None) of every build, verify and sample.
    """

    name = "fake"
    simulated = False
    default_dtype = Dtype.FLOAT32
    dtypes = (Dtype.FLOAT32, Dtype.FLOAT16)
    default_template = "fake_gemm"
    old_option = "old_cxx"

    def __init__(
        self,
        time_us: CostFunction | None = None,
        failures: FailureFunction | None = None,
        *,
        noise: float = 0.0,
        seed: int = 0,
        reference_us: float | Callable[[GemmProblem], float] | None = lambda problem: problem.flops / 0.15e6,
        peak: float = 0.2,
        device: str = "fake-1",
        hardware: Mapping[str, int] | None = None,
    ) -> None:
        self._time_us = time_us or smooth_cost(peak)
        self._failures = failures
        self._noise = noise
        self._seed = seed
        self._reference_us = reference_us
        self._peak = peak
        self._device = device
        self._facts = dict(hardware or {"l1d_bytes": 48 << 10, "l2_bytes": 2 << 20, "l3_bytes": 32 << 20, "threads": 1})
        self._streams: dict[tuple[str, str], random.Random] = {}
        self.toolchain = "fake-cc 1.0"
        self.toolchain_slowdown = 1.0
        self.old_toolchain = ""  # as given by use_old; what it builds is not slowed down
        self.device_slowdown = 1.0
        self.health_now = Health()
        self.unavailable: str | None = None
        self.memory = 1 << 34
        self.closed = 0
        self.log: list[tuple[str, Config | None]] = []

    @property
    def device(self) -> str:
        return self._device

    def unavailable_because(self) -> str | None:
        return self.unavailable

    def facts(self) -> Mapping[str, int]:
        return dict(self._facts)

    def memory_bytes(self) -> int:
        return self.memory

    def fingerprint(self) -> Fingerprint:
        return Fingerprint(
            self._device,
            identity=(("device", self._device), ("clock", "fake"), ("protocol", "1")),
            versions=(("compiler", self.toolchain), ("reference", "fake-blas 1.0")),
        )

    def build(self, template: Template, problem: GemmProblem, config: Config) -> FakeArtifact:
        self.log.append(("build", config))
        failure = self._failure(problem, config)
        if isinstance(failure, BUILD_FAILURES):
            raise failure
        return self._built(template, config, self.toolchain, self.toolchain_slowdown)

    def use_old(self, place: str) -> None:
        if not place.startswith("fake-cc"):
            raise SettingsError(f"{place!r} is no tool chain of FakeBackend; fake-cc 1.0 is one")
        self.old_toolchain = place

    def old_versions(self) -> tuple[tuple[str, str], ...]:
        return (("compiler", self.old_toolchain),)

    def build_old(self, template: Template, problem: GemmProblem, config: Config) -> FakeArtifact:
        self.log.append(("build_old", config))
        return self._built(template, config, self.old_toolchain, 1.0)

    def _built(self, template: Template, config: Config, toolchain: str, slowdown: float) -> FakeArtifact:
        for _, text in template.files:
            for factor in _SLOWDOWN.findall(text):
                slowdown *= float(factor)
        identity = "\n".join([template.source_hash, str(config), toolchain])
        return FakeArtifact(hashlib.sha256(identity.encode()).hexdigest(), config, slowdown)

    def verify(self, artifact: FakeArtifact, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        self.log.append(("verify", artifact.config))
        failure = self._failure(problem, artifact.config)
        if failure is not None and not isinstance(failure, BUILD_FAILURES):
            raise failure

    def sample(self, artifact: FakeArtifact, problem: GemmProblem, *, timeout_s: float) -> Sample:
        self.log.append(("sample", artifact.config))
        if artifact.config is None:
            time_us = self._reference_us(problem) if callable(self._reference_us) else self._reference_us
            assert time_us is not None, "this FakeBackend has no reference"
        else:
            failure = self._failure(problem, artifact.config)
            if failure is not None and not isinstance(failure, (*BUILD_FAILURES, WrongResultError)):
                raise failure
            time_us = self._time_us(problem, artifact.config)
        stream = self._streams.setdefault(
            (artifact.build_id, problem.id), random.Random(f"{self._seed} {artifact.build_id} {problem.id}")
        )
        time_us *= artifact.slowdown * self.device_slowdown * (1 + self._noise * abs(stream.gauss(0, 1)))
        return Sample(us=time_us, wall_us=time_us * 1.01)

    def reference(self, problem: GemmProblem) -> FakeArtifact | None:
        return None if self._reference_us is None else FakeArtifact("fake-blas 1.0", None)

    def peak_tflops(self, problem: GemmProblem) -> float:
        return self._peak

    def health(self) -> Health:
        return self.health_now

    def close(self) -> None:
        self.closed += 1

    def _failure(self, problem: GemmProblem, config: Config | None) -> TrialError | None:
        return self._failures(problem, config) if self._failures and config is not None else None


def with_devices(backend: FakeBackend, most: int | None = None, resource: str | None = "NPU") -> FakeBackend:
    """Its devices have numbers below `most`; a cluster hands them out as `resource` (protocols.Numbered, Clustered)."""
    vars(backend).update(max_devices=most, devices_here=lambda: 0)
    if resource:
        vars(backend).update(cluster_resource=resource)
    return backend
