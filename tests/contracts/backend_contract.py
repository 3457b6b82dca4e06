"""What every Backend must do. Inherit `BackendContract` in a test class and give it the fixtures below."""

from __future__ import annotations

import re
import threading

import pytest

from pytest_ascend_tune.model.measurement import Health
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Backend
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Fingerprint

TIMEOUT_S = 60.0


class BackendContract:
    """Fixtures to provide: `backend`, `template`, `problem`, `configs` (two different legal configurations).

    When `backend` outlives a test, also `closable`: one that a test may close.
    """

    @pytest.fixture
    def backend(self):
        raise NotImplementedError

    @pytest.fixture
    def closable(self, backend):
        return backend

    @pytest.fixture
    def template(self) -> Template:
        raise NotImplementedError

    @pytest.fixture
    def problem(self, backend: Backend) -> GemmProblem:
        return GemmProblem(48, 40, 56, backend.default_dtype)

    @pytest.fixture
    def configs(self) -> tuple[Config, Config]:
        raise NotImplementedError

    def test_its_name_and_device_can_stand_in_a_path(self, backend):
        assert re.fullmatch(r"[a-z0-9_]+", backend.name)
        assert re.fullmatch(r"[A-Za-z0-9_-]+", backend.device)
        assert isinstance(backend.simulated, bool)

    def test_it_can_do_its_default_dtype_and_names_a_template(self, backend):
        assert backend.default_dtype in backend.dtypes
        assert backend.default_template

    def test_it_is_available_here(self, backend):
        assert backend.unavailable_because() is None

    def test_facts_are_positive_whole_numbers(self, backend):
        facts = backend.facts()
        assert facts
        assert all(type(value) is int and value > 0 and name.isidentifier() for name, value in facts.items())
        assert backend.memory_bytes() > 1 << 20

    def test_the_fingerprint_is_stable_and_says_what_was_measured(self, backend):
        first = backend.fingerprint()
        assert isinstance(first, Fingerprint)
        assert first == backend.fingerprint()
        assert first.device == backend.device
        assert "protocol" in dict(first.identity)
        assert all(isinstance(part, str) and part for pair in first.identity + first.versions for part in pair)

    def test_equal_sources_and_configuration_are_the_same_build(self, backend, template, problem, configs):
        one, again = (backend.build(template, problem, configs[0]) for _ in range(2))
        assert one.build_id == again.build_id
        assert one.config == configs[0]

    def test_another_configuration_is_another_build(self, backend, template, problem, configs):
        ids = {backend.build(template, problem, config).build_id for config in configs}
        assert len(ids) == 2

    def test_other_sources_are_another_build(self, backend, template, problem, configs):
        import hashlib
        from dataclasses import replace

        files = tuple(
            (name, text + "\n// changed\n" if name == template.source else text) for name, text in template.files
        )
        changed = replace(template, files=files, source_hash=hashlib.sha256(repr(files).encode()).hexdigest())
        ids = {backend.build(version, problem, configs[0]).build_id for version in (template, changed)}
        assert len(ids) == 2

    def test_a_right_kernel_passes_both_checks(self, backend, template, problem, configs):
        artifact = backend.build(template, problem, configs[0])
        backend.verify(artifact, problem, timeout_s=TIMEOUT_S)
        backend.verify(artifact, problem, timeout_s=TIMEOUT_S, thorough=True)

    def test_several_kernels_and_the_reference_interleave(self, backend, template, problem, configs):
        artifacts = [backend.build(template, problem, config) for config in configs]
        reference = backend.reference(problem)
        if reference is not None:
            assert reference.config is None
            assert reference.build_id == backend.reference(problem).build_id != ""
            artifacts.append(reference)
        for _ in range(3):
            for artifact in artifacts:
                sample = backend.sample(artifact, problem, timeout_s=TIMEOUT_S)
                assert sample.us > 0
                assert sample.wall_us > 0

    def test_two_problems_side_by_side(self, backend, template, problem, configs):
        artifact = backend.build(template, problem, configs[0])
        other = GemmProblem(problem.n, problem.k, problem.m, problem.dtype)
        for one in (problem, other, problem):
            backend.verify(artifact, one, timeout_s=TIMEOUT_S)
            assert backend.sample(artifact, one, timeout_s=TIMEOUT_S).us > 0

    def test_building_ahead_in_another_thread(self, backend, template, problem, configs):
        artifact = backend.build(template, problem, configs[0])
        built = []
        thread = threading.Thread(target=lambda: built.append(backend.build(template, problem, configs[1])))
        thread.start()
        while thread.is_alive():
            backend.sample(artifact, problem, timeout_s=TIMEOUT_S)
        thread.join()
        assert built[0].config == configs[1]
        backend.verify(built[0], problem, timeout_s=TIMEOUT_S)

    def test_peak_is_above_zero(self, backend, problem):
        assert backend.peak_tflops(problem) > 0

    def test_health_has_notes_exactly_when_busy(self, backend):
        health = backend.health()
        assert isinstance(health, Health)
        assert bool(health.notes) is health.busy
        assert all(str(note) for note in health.notes)

    def test_close_twice(self, closable, template, problem, configs):
        artifact = closable.build(template, problem, configs[0])
        closable.sample(artifact, problem, timeout_s=TIMEOUT_S)
        closable.close()
        closable.close()
