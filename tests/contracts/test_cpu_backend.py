"""The cpu backend keeps the backends' contract, with a real compiler and a real process."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import BackendOptions, Batching, ClockLimits, Restartable
from tests.contracts.backend_contract import TIMEOUT_S, BackendContract
from tests.fakes.kernels import RIGHT, kernel_template, needs_compiler

pytestmark = needs_compiler


@pytest.fixture(scope="module")
def shared_backend(tmp_path_factory):
    backend = CpuBackend(BackendOptions(tmp_path_factory.mktemp("cache")))
    yield backend
    backend.close()


class TestCpuBackend(BackendContract):
    @pytest.fixture
    def backend(self, shared_backend):
        return shared_backend

    @pytest.fixture
    def closable(self, tmp_path):
        return CpuBackend(BackendOptions(tmp_path))

    @pytest.fixture
    def template(self):
        return kernel_template(f"(void)TILE_M; {RIGHT}")

    @pytest.fixture
    def configs(self):
        return Config({"tile_m": 16}), Config({"tile_m": 32})

    def test_several_samples_are_one_request(self, backend, template, problem, configs, monkeypatch):
        assert isinstance(backend, Batching)
        first, second = (backend.build(template, problem, config) for config in configs)
        backend.sample(first, problem, timeout_s=TIMEOUT_S)
        asked, request = [], backend._worker.request
        monkeypatch.setattr(backend._worker, "request", lambda *a, **k: asked.append(a) or request(*a, **k))
        samples = backend.samples([first, backend.reference(problem), first, second], problem, timeout_s=TIMEOUT_S)
        assert len(asked) == 1
        assert len(samples) == 4
        assert all(sample.us > 0 and sample.wall_us > 0 for sample in samples)

    def test_samples_end_early_when_the_last_kernel_is_slow(self, backend, template, problem, configs):
        kernel = backend.build(template, problem, configs[0])
        order = [kernel, backend.reference(problem), kernel, kernel]
        for limit_us, taken in ((0.0, 2), (1e9, 4)):
            samples = backend.samples(order, problem, timeout_s=TIMEOUT_S, verify=True, give_up=(2, limit_us))
            assert len(samples) == taken

    def test_a_restart_loads_everything_anew(self, backend, template, problem, configs):
        assert isinstance(backend, Restartable)
        artifact = backend.build(template, problem, configs[0])
        backend.sample(artifact, problem, timeout_s=TIMEOUT_S)
        backend.restart()
        assert backend.sample(artifact, problem, timeout_s=TIMEOUT_S).us > 0

    def test_it_knows_what_its_clock_can_tell_apart(self, backend):
        assert isinstance(backend, ClockLimits)
        assert 0 < backend.resolution_us() < 1000
