"""The ascend backend keeps the backends' contract, on a made-up machine whose kernels really compute."""

from __future__ import annotations

import shutil

import pytest

from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import Advising, BackendOptions, ClockLimits, Restartable
from tests.contracts.backend_contract import TIMEOUT_S, BackendContract
from tests.fakes.cann import as_this_machine

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

SMALL = {
    "tile_m": 64,
    "tile_n": 64,
    "l1_k": 64,
    "l0_k": 32,
    "enable_unit": 0,
    "enable_shuffle_k": 0,
    "enable_abba": 0,
    "swizzle_offset": 1,
    "swizzle_direction": 0,
}


@pytest.fixture(scope="module")
def shared_backend():
    with as_this_machine() as machine:
        backend = AscendBackend(BackendOptions(machine.cache))
        yield backend
        backend.close()


class TestAscendBackend(BackendContract):
    @pytest.fixture
    def backend(self, shared_backend):
        return shared_backend

    @pytest.fixture
    def closable(self, shared_backend):
        with as_this_machine() as machine:
            yield AscendBackend(BackendOptions(machine.cache))

    @pytest.fixture
    def template(self):
        return load_template("catlass_gemm")[0]

    @pytest.fixture
    def configs(self):
        return Config(SMALL), Config({**SMALL, "enable_abba": 1})

    def test_a_restart_loads_everything_anew(self, backend, template, problem, configs):
        assert isinstance(backend, Restartable)
        artifact = backend.build(template, problem, configs[0])
        backend.sample(artifact, problem, timeout_s=TIMEOUT_S)
        backend.restart()
        assert backend.sample(artifact, problem, timeout_s=TIMEOUT_S).us > 0

    def test_it_knows_what_its_clock_can_tell_apart(self, backend):
        assert isinstance(backend, ClockLimits)
        assert 0 <= backend.resolution_us() < 1000

    def test_it_has_notes_about_the_shape(self, backend, problem, configs):
        assert isinstance(backend, Advising)
        assert "1 tiles on 24 cores" in str(backend.notes(problem, configs[0])[0])
