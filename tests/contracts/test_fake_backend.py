"""The fake keeps the backends' contract, and does what the tests of other rooms rely on."""

from __future__ import annotations

import hashlib

import pytest

from pytest_ascend_tune.model.errors import BuildError, KernelCrashError, WrongResultError
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.search import Template
from tests.contracts.backend_contract import BackendContract
from tests.fakes.backend import FakeBackend

PROBLEM = GemmProblem(512, 512, 512, "float32")
CONFIG = Config({"tile_m": 32, "tile_n": 64})


def fake_template(text: str = "int gemm();\n") -> Template:
    files = (("fake.cpp", text),)
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    return Template("fake_gemm", "Fake", "fake.cpp", files, digest, 1, ("fake",), (Dtype.FLOAT32,), (Layout.NN,))


def time_of(backend: FakeBackend, template: Template, config: Config = CONFIG) -> float:
    return backend.sample(backend.build(template, PROBLEM, config), PROBLEM, timeout_s=1).us


class TestFakeBackend(BackendContract):
    @pytest.fixture
    def backend(self):
        return FakeBackend(noise=0.05)

    @pytest.fixture
    def template(self):
        return fake_template()

    @pytest.fixture
    def configs(self):
        return CONFIG, Config({"tile_m": 64, "tile_n": 64})


def test_a_template_slows_itself_by_a_line_of_its_text():
    backend = FakeBackend(lambda problem, config: 100.0)
    assert time_of(backend, fake_template()) == 100
    assert time_of(backend, fake_template("// slowdown: 1.2\nint gemm();\n")) == pytest.approx(120)


def test_a_tool_chain_slows_what_it_builds_and_changes_its_identity():
    backend = FakeBackend(lambda problem, config: 100.0)
    before = backend.build(fake_template(), PROBLEM, CONFIG)
    backend.toolchain, backend.toolchain_slowdown = "fake-cc 2.0", 1.5
    after = backend.build(fake_template(), PROBLEM, CONFIG)
    assert before.build_id != after.build_id
    assert backend.sample(before, PROBLEM, timeout_s=1).us == 100
    assert backend.sample(after, PROBLEM, timeout_s=1).us == 150
    assert dict(backend.fingerprint().versions)["compiler"] == "fake-cc 2.0"


def test_noise_comes_from_the_seed_and_not_from_the_order_of_sampling():
    def samples(seed: int, *, disturbed: bool) -> list[float]:
        backend = FakeBackend(noise=0.1, seed=seed)
        kernel, other = (backend.build(fake_template(), PROBLEM, Config({"tile_m": size})) for size in (16, 32))
        times = []
        for _ in range(5):
            times.append(backend.sample(kernel, PROBLEM, timeout_s=1).us)
            if disturbed:
                backend.sample(other, PROBLEM, timeout_s=1)
        return times

    assert samples(1, disturbed=False) == samples(1, disturbed=True)
    assert samples(1, disturbed=False) != samples(2, disturbed=False)
    assert len(set(samples(1, disturbed=False))) == 5


@pytest.mark.parametrize(
    ("error", "raised_by"),
    [(BuildError, {"build"}), (WrongResultError, {"verify"}), (KernelCrashError, {"verify", "sample"})],
)
def test_failures_are_raised_where_a_real_backend_raises_them(error, raised_by):
    backend = FakeBackend(failures=lambda problem, config: error("injected"))
    artifact = FakeBackend().build(fake_template(), PROBLEM, CONFIG)
    calls = {
        "build": lambda: backend.build(fake_template(), PROBLEM, CONFIG),
        "verify": lambda: backend.verify(artifact, PROBLEM, timeout_s=1),
        "sample": lambda: backend.sample(artifact, PROBLEM, timeout_s=1),
    }
    for name, call in calls.items():
        if name in raised_by:
            with pytest.raises(error, match="injected"):
                call()
        else:
            call()
