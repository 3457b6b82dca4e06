"""The 910B simulator as a backend: predicted times instead of measured ones. No C++ kernel is compiled, run or checked;
a template in Triton is compiled by the vendor's compiler, and its schedule executed (see backends.hivm).

For trying the plugin, planning and tests without an NPU. It exercises everything around the kernel; a change of the
kernel's source changes nothing here but the identity of the build.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_ascend_tune.backends.simulator.constants import FITTED
from pytest_ascend_tune.backends.simulator.explanation import describes
from pytest_ascend_tune.backends.simulator.legality import why_illegal
from pytest_ascend_tune.backends.simulator.parameters import TABLE
from pytest_ascend_tune.backends.simulator.prediction import check, columns_of, predict, predict_many
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import (
    BuildError,
    BuildTimeoutError,
    KernelCrashError,
    KernelTimeoutError,
    SettingsError,
    TrialError,
    WrongResultError,
)
from pytest_ascend_tune.model.measurement import Health, Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.readiness import Check
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Fingerprint

if TYPE_CHECKING:
    from pytest_ascend_tune.backends.hivm.kernels import (  # start-up: Triton templates only
        TritonArtifact,
        TritonKernels,
    )

FailureFunction = Callable[[GemmProblem, Config], "TrialError | None"]

_AT_BUILD = (BuildError, BuildTimeoutError)

# What real_time sleeps, at time_scale 1. Assumed, for a CATLASS kernel built on a 910B host: no public figure.
BUILD_S = 8.0
VERIFY_S = 0.3
LAUNCHES_S = 1e-3  # a sample is as many launches as take this long: the ascend backend's rule
HOST_US = 15.0  # wall time that a launch takes on the host beside the device's time

# Two published measurements of the same C++ kernel, shape and tile differ by 1.86 and 2.14 (CATLASS's documents).
TRITON_BAND = 2.0

# Tiles that stand in for the vendor's matmul: the shapes that published libraries and hand-written kernels use.
LIBRARY_TILES = (
    (128, 256, 256, 64),
    (256, 128, 256, 64),
    (128, 256, 128, 32),
    (256, 128, 128, 32),
    (128, 128, 256, 64),
    (128, 128, 256, 128),
    (64, 256, 256, 64),
    (256, 64, 256, 64),
    (64, 128, 256, 64),
    (128, 64, 256, 64),
    (64, 64, 256, 64),
    (32, 128, 256, 64),
    (16, 256, 256, 64),
    (16, 128, 256, 64),
)


@dataclass(frozen=True)
class SimulatedArtifact:
    """A kernel that was never built: what identifies it, and its configuration (None for the reference)."""

    build_id: str
    config: Config | None


class SimulatorBackend:
    """Implements protocols.Backend with the analytical model of one chip.

    `noise`: relative size of seeded noise, which only ever adds time. `failures`: the share of configurations (0..1)
    that fail, or a function of problem and configuration that returns the error to raise, or None. `real_time`: take as
    long as a board would, times `time_scale`. Raises SettingsError for an unknown device.
    """

    name = "simulator"
    simulated = True
    default_dtype = Dtype.FLOAT16
    dtypes = tuple(hardware.CUBE_MACS_PER_CLOCK)
    default_template = "catlass_gemm"
    max_devices: int | None = 8  # the NPUs of one server

    def __init__(
        self,
        device: str = "910B1",
        *,
        noise: float = 0.0,
        failures: float | FailureFunction = 0.0,
        real_time: bool = False,
        time_scale: float = 1.0,
        seed: int = 0,
        triton_python: str | None = None,
        build_timeout_s: float = 120.0,
    ) -> None:
        self.chip = hardware.spec(device)
        self._triton_python, self._build_timeout_s = triton_python, build_timeout_s
        self._triton: TritonKernels | None = None
        self._triton_times: dict[tuple[str, Config], float] = {}
        for argument, value, most in (("noise", noise, 10.0), ("time_scale", time_scale, 1e3)):
            if not 0 <= value <= most:
                raise SettingsError(f"{argument}={value} of the simulator is out of range; 0 to {most:g} is allowed")
        if not callable(failures) and not 0 <= failures <= 1:
            raise SettingsError(f"failures={failures} of the simulator is out of range; a share from 0 to 1 is needed")
        self._noise = noise
        self._failures = failures
        self._scale = time_scale if real_time else 0.0
        self._seed = seed
        self._times: dict[tuple[str, str], float] = {}
        self._streams: dict[tuple[str, str], random.Random] = {}
        self._built: set[str] = set()

    @property
    def device(self) -> str:
        """``simulated-910B1``."""
        return f"simulated-{self.chip.name}"

    def unavailable_because(self) -> str | None:
        """None: it runs everywhere."""
        return None

    def facts(self) -> Mapping[str, int]:
        """The chip's buffers and cores."""
        return self.chip.facts()

    def memory_bytes(self) -> int:
        """The simulated board's HBM."""
        return self.chip.hbm_bytes

    def fingerprint(self) -> Fingerprint:
        """Numbers of different constants, or of a board, are never comparable with these."""
        model = hashlib.sha256(repr(sorted(asdict(FITTED).items())).encode()).hexdigest()[:12]
        return Fingerprint(
            self.device,
            identity=(
                ("device", self.device),
                ("chip", hardware.summary(self.chip)),
                ("protocol", "simulated"),
                ("model", model),
            ),
        )

    @property
    def triton(self) -> TritonKernels:
        """What builds, executes and times templates in Triton; loaded when one is used."""
        if self._triton is None:
            from pytest_ascend_tune.backends.hivm.kernels import TritonKernels  # start-up: Triton templates only

            self._triton = TritonKernels(self.chip, self._triton_python)
        return self._triton

    def check_template(self, template: Template) -> None:
        """Raises BackendUnavailableError for a template in Triton where its compiler is not (protocols.Particular)."""
        if template.language == "triton":
            self.triton.tools()

    def build(self, template: Template, problem: GemmProblem, config: Config) -> SimulatedArtifact | TritonArtifact:
        """Refuses what the compiler would refuse; a template in Triton is compiled by the vendor's.

        Raises BuildError; ProblemError outside of the model's domain.
        """
        if template.language == "triton":
            return self.triton.build(template, problem, config, timeout_s=self._build_timeout_s)
        check(problem, self.chip.name)
        if because := why_illegal(columns_of([config]), problem.dtype, self.chip):
            raise BuildError(f"{config}: it must hold that {because} ({self.chip.name}, {problem.dtype}; simulated)")
        build_id = _hash(self.device, template.source_hash, str(config))
        if build_id not in self._built:
            self._sleep(BUILD_S)
        failure = self._failure(problem, config)
        if isinstance(failure, _AT_BUILD):
            raise failure
        self._built.add(build_id)
        return SimulatedArtifact(build_id, config)

    def verify(
        self,
        artifact: SimulatedArtifact | TritonArtifact,
        problem: GemmProblem,
        *,
        timeout_s: float,
        thorough: bool = False,
    ) -> None:
        """A compiled schedule is executed. Else nothing to check, except the failures that were asked for."""
        if not isinstance(artifact, SimulatedArtifact):
            self.triton.verify(artifact, problem)
        self._sleep(min(VERIFY_S, timeout_s))
        failure = self._failure(problem, artifact.config)
        if failure is not None and not isinstance(failure, _AT_BUILD):
            raise failure

    def sample(self, artifact: SimulatedArtifact | TritonArtifact, problem: GemmProblem, *, timeout_s: float) -> Sample:
        """The predicted time, with noise drawn for this kernel and problem alone."""
        failure = self._failure(problem, artifact.config)
        if failure is not None and not isinstance(failure, (*_AT_BUILD, WrongResultError)):
            raise failure
        key = (artifact.build_id, problem.id)
        if key not in self._times:
            if isinstance(artifact, SimulatedArtifact):
                self._times[key] = self._time_us(problem, artifact.config)
            else:
                self._times[key] = self.triton.simulated(artifact, problem).time_us
                if artifact.config is not None:
                    self._triton_times[problem.id, artifact.config] = self._times[key]
        stream = self._streams.setdefault(key, random.Random(f"{self._seed} {artifact.build_id} {problem.id}"))
        time_us = self._times[key] * (1 + self._noise * abs(stream.gauss(0, 1)))
        self._sleep(min(max(LAUNCHES_S, time_us / 1e6), timeout_s))
        return Sample(us=time_us, wall_us=time_us + HOST_US)

    def band_us(self, problem: GemmProblem, config: Config) -> tuple[float, float]:
        """The stated error band of a prediction (protocols.Banded).

        For a template in Triton no published measurement of a compiled schedule was available: its band is as wide as
        two sources of one and the same C++ kernel differ, a factor of ``TRITON_BAND`` either way.
        """
        if not describes(config):
            time_us = self._triton_times.get((problem.id, config), float("nan"))
            return time_us / TRITON_BAND, time_us * TRITON_BAND
        prediction = predict(problem, config, self.device.removeprefix("simulated-"))
        return prediction.low_us, prediction.high_us

    def reference(self, problem: GemmProblem) -> SimulatedArtifact | None:
        """A stand-in for the vendor's matmul: the model's best of the tiles that libraries use."""
        check(problem, self.chip.name)
        return SimulatedArtifact("simulated vendor matmul", None)

    def peak_tflops(self, problem: GemmProblem) -> float:
        """The chip's peak for the dtype."""
        return self.chip.peak_tflops(problem.dtype)

    def health(self) -> Health:
        """Never disturbed."""
        return Health()

    @staticmethod
    def devices_here() -> int:
        """Simulated ones need not be shared out (protocols.Numbered)."""
        return 0

    @staticmethod
    def variant_of(device: str) -> str:
        """Name of the chip (protocols.Variants)."""
        return device.removeprefix("simulated-")

    @staticmethod
    def checks(options: BackendOptions, *, by_name: bool) -> Iterator[Check]:
        """It needs nothing (protocols.Examined)."""
        return iter(())

    def close(self) -> None:
        """Ends the compilers of templates in Triton."""
        if self._triton is not None:
            self._triton.close()
            self._triton = None

    def _time_us(self, problem: GemmProblem, config: Config | None) -> float:
        configs = [dict(config)] if config is not None else library_configs(problem)
        return float(np.nanmin(predict_many(problem, configs, self.chip.name)))

    def _failure(self, problem: GemmProblem, config: Config | None) -> TrialError | None:
        if config is None or not self._failures:
            return None
        if callable(self._failures):
            return self._failures(problem, config)
        chance = random.Random(f"{self._seed} fails {config} {problem.id}")
        if chance.random() >= self._failures:
            return None
        kind = chance.choice((BuildError, KernelCrashError, KernelTimeoutError, WrongResultError))
        return kind(f"simulated failure of {config}")

    def _sleep(self, seconds: float) -> None:
        if self._scale:
            time.sleep(seconds * self._scale)


def library_configs(problem: GemmProblem) -> list[dict[str, int]]:
    """What a vendor library might choose from for a problem."""
    unit = int(problem.dtype is not Dtype.INT8)
    return [
        {
            **{name: parameter.usual for name, parameter in TABLE.items()},
            "tile_m": tile_m,
            "tile_n": tile_n,
            "l1_k": l1_k,
            "l0_k": l0_k,
            "enable_unit": unit,
            "swizzle_direction": int(problem.m <= problem.n),  # CATLASS's rule
        }
        for tile_m, tile_n, l1_k, l0_k in LIBRARY_TILES
    ]


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
