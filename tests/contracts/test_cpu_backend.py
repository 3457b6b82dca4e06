"""The cpu backend keeps the backends' contract, with a real compiler and a real process."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_ascend_tune.backends.cpu import CpuBackend
from pytest_ascend_tune.model import Config
from pytest_ascend_tune.protocols import BackendOptions, ClockLimits, Restartable
from tests.contracts.backend_contract import TIMEOUT_S, BackendContract
from tests.fakes.kernels import RIGHT, kernel_template, needs_compiler


pytestmark = needs_compiler


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


class TestCpuBackend(BackendContract):
    @pytest.fixture
    def backend(self, cache_dir):
        backend = CpuBackend(BackendOptions(cache_dir))
        yield backend
        backend.close()

    @pytest.fixture
    def template(self):
        return kernel_template(f"(void)TILE_M; {RIGHT}")

    @pytest.fixture
    def configs(self):
        return Config({"tile_m": 16}), Config({"tile_m": 32})

    def test_a_restart_loads_everything_anew(self, backend, template, problem, configs):
        assert isinstance(backend, Restartable)
        artifact = backend.build(template, problem, configs[0])
        backend.sample(artifact, problem, timeout_s=TIMEOUT_S)
        backend.restart()
        assert backend.sample(artifact, problem, timeout_s=TIMEOUT_S).us > 0

    def test_it_knows_what_its_clock_can_tell_apart(self, backend):
        assert isinstance(backend, ClockLimits)
        assert 0 < backend.resolution_us() < 1000
