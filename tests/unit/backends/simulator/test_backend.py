"""The simulated backend keeps the contract, refuses what a compiler would refuse, and can be noisy, slow and fail."""

from __future__ import annotations

import hashlib
import time

import pytest

from pytest_ascend_tune.backends.simulator import predict
from pytest_ascend_tune.backends.simulator.backend import SimulatorBackend
from pytest_ascend_tune.model.errors import (
    BuildError,
    KernelCrashError,
    ProblemError,
    SettingsError,
    SpaceError,
    TrialError,
)
from pytest_ascend_tune.model.problem import Config, GemmProblem, Layout
from pytest_ascend_tune.model.search import Template
from tests.contracts.backend_contract import BackendContract

PROBLEM = GemmProblem(1024, 1024, 1024, "float16")
CONFIG = Config(
    {
        "tile_m": 128,
        "tile_n": 256,
        "l1_k": 256,
        "l0_k": 64,
        "enable_unit": 1,
        "enable_shuffle_k": 1,
        "enable_abba": 0,
        "swizzle_offset": 3,
        "swizzle_direction": 0,
    }
)


def some_template(text: str = "kernel") -> Template:
    files = (("gemm.cpp", text),)
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    return Template(
        "catlass_gemm", "CATLASS", "gemm.cpp", files, digest, 1, ("simulator",), SimulatorBackend.dtypes, tuple(Layout)
    )


def with_values(**values: int) -> Config:
    return Config({**CONFIG, **values})


class TestContract(BackendContract):
    @pytest.fixture
    def backend(self):
        return SimulatorBackend(noise=0.02)

    @pytest.fixture
    def template(self):
        return some_template()

    @pytest.fixture
    def configs(self):
        return CONFIG, with_values(tile_n=128)


def sample_us(backend: SimulatorBackend, config: Config = CONFIG, problem: GemmProblem = PROBLEM) -> float:
    return backend.sample(backend.build(some_template(), problem, config), problem, timeout_s=1).us


def test_a_sample_is_the_prediction():
    assert sample_us(SimulatorBackend("910B2")) == predict(PROBLEM, CONFIG, "910B2").time_us


def test_device_and_peak_come_from_the_chip():
    backend = SimulatorBackend("Ascend910b4-1")
    assert backend.device == "simulated-910B4-1"
    assert backend.simulated
    assert backend.peak_tflops(PROBLEM) == pytest.approx(245.76)
    assert backend.facts()["cores"] == 20


def test_unknown_device_is_refused():
    with pytest.raises(SettingsError, match=r"910B9.*known: 910B1"):
        SimulatorBackend("910B9")


@pytest.mark.parametrize("arguments", [{"noise": -0.1}, {"failures": 1.5}, {"time_scale": -1}])
def test_nonsense_arguments_are_refused(arguments):
    with pytest.raises(SettingsError, match="out of range"):
        SimulatorBackend(**arguments)


def test_what_does_not_fit_fails_to_build():
    with pytest.raises(BuildError, match="L1"):
        SimulatorBackend().build(some_template(), PROBLEM, with_values(tile_m=256, tile_n=128, l1_k=512))


def test_a_foreign_space_and_a_gemv_stop_the_run():
    with pytest.raises(SpaceError, match="missing: tile_m"):
        SimulatorBackend().build(some_template(), PROBLEM, Config({"block": 3}))
    with pytest.raises(ProblemError, match="outside the simulator's domain"):
        SimulatorBackend().build(some_template(), GemmProblem(1, 4096, 4096, "float16"), CONFIG)


def test_the_source_changes_the_build_and_not_the_time():
    backend = SimulatorBackend()
    one, other = (
        backend.build(some_template(text), PROBLEM, CONFIG) for text in ("kernel", "// slowdown: 2.0\nkernel")
    )
    assert one.build_id != other.build_id
    assert backend.sample(one, PROBLEM, timeout_s=1).us == backend.sample(other, PROBLEM, timeout_s=1).us


def test_noise_is_seeded_and_only_adds():
    def samples(seed: int) -> list[float]:
        backend = SimulatorBackend(noise=0.05, seed=seed)
        return [sample_us(backend) for _ in range(20)]

    assert samples(1) == samples(1) != samples(2)
    assert min(samples(1)) >= predict(PROBLEM, CONFIG).time_us
    assert len(set(samples(1))) == 20


def test_a_share_of_failures_is_seeded_and_consistent():
    configs = [
        with_values(tile_m=m, tile_n=n, l0_k=k) for m in (16, 32, 64, 128) for n in (64, 128) for k in (16, 32, 64)
    ]

    def outcomes(seed: int) -> list[str]:
        backend, found = SimulatorBackend(failures=0.5, seed=seed), []
        for config in configs:
            try:
                artifact = backend.build(some_template(), PROBLEM, config)
                backend.verify(artifact, PROBLEM, timeout_s=1)
                backend.sample(artifact, PROBLEM, timeout_s=1)
                found.append("fine")
            except TrialError as error:
                found.append(type(error).__name__)
        return found

    assert outcomes(3) == outcomes(3)
    assert 4 <= outcomes(3).count("fine") <= 20
    assert len(set(outcomes(3))) > 2
    assert set(outcomes(3)) != {"fine"}


def test_failures_may_be_a_function():
    def crash_above(problem: GemmProblem, config: Config) -> TrialError | None:
        return KernelCrashError("507035") if config["tile_m"] == 128 else None

    backend = SimulatorBackend(failures=crash_above)
    artifact = backend.build(some_template(), PROBLEM, CONFIG)
    with pytest.raises(KernelCrashError, match="507035"):
        backend.verify(artifact, PROBLEM, timeout_s=1)
    assert sample_us(backend, with_values(tile_m=64)) > 0


def test_real_time_takes_time_and_a_kept_build_does_not():
    backend = SimulatorBackend(real_time=True, time_scale=0.01)
    spent = []
    for _ in range(2):
        start = time.perf_counter()
        backend.build(some_template(), PROBLEM, CONFIG)
        spent.append(time.perf_counter() - start)
    assert spent[0] > 5 * spent[1]


def test_the_reference_is_a_good_configuration():
    backend = SimulatorBackend()
    problem = GemmProblem(4096, 4096, 4096, "float16")
    reference = backend.sample(backend.reference(problem), problem, timeout_s=1).us
    assert reference <= predict(problem, CONFIG).time_us
    assert problem.tflops(reference) < backend.peak_tflops(problem)


@pytest.mark.parametrize("dtype", SimulatorBackend.dtypes)
def test_every_dtype_has_a_reference_below_the_peak(dtype):
    backend, problem = SimulatorBackend(), GemmProblem(2048, 2048, 2048, dtype)
    time_us = backend.sample(backend.reference(problem), problem, timeout_s=1).us
    assert 0 < problem.tflops(time_us) < backend.peak_tflops(problem)


def test_numbers_of_another_chip_or_a_board_are_not_comparable():
    identities = [SimulatorBackend(device).fingerprint().identity for device in ("910B1", "910B2")]
    assert identities[0] != identities[1]
    assert dict(identities[0])["protocol"] == "simulated"
