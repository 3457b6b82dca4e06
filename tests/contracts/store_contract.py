"""What every Store must do. Inherit `StoreContract` in a test class and give it the fixture `store`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.protocols import Store
from pytest_ascend_tune.model.search import Template, source_hash
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey
from tests import factories

FILES = (("include/a.hpp", "// 头文件\n"), ("space.toml", 'title = "tiny"\n'), ("tiny.cpp", "int x;\r\n"))
SOURCES = Template(
    name="tiny",
    title="tiny",
    source="tiny.cpp",
    files=FILES,
    source_hash=source_hash(dict(FILES)),
    abi=1,
    backends=("cpu",),
    dtypes=(Dtype.FLOAT32,),
    layouts=(Layout.NN,),
)


def baseline(problem_id: str = "512x512x512-float32-nn", tflops: float = 1.0, *, noise_share: float = 0.01) -> Baseline:
    """A baseline of SOURCES whose interval is `noise_share` wide to both sides."""
    made = factories.baseline(factories.tuning(problem_id, count=2), tflops)
    time_us = GemmProblem.from_id(problem_id).tflops(1.0) / tflops
    interval_us = (time_us * (1 - noise_share), time_us * (1 + noise_share))
    measured = replace(made.measurement, time_us=time_us, interval_us=interval_us, reference_us=None, reference_id="")
    return replace(
        made,
        key=BaselineKey("main", "cpu-x", "tiny", problem_id),
        source_hash=SOURCES.source_hash,
        measurement=measured,
    )


class StoreContract:
    """Fixture to provide: `store`, empty."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    def test_it_holds_nothing_at_first(self, store):
        assert store.load(baseline().key) is None
        assert store.load_sources(SOURCES.source_hash) is None

    def test_what_was_saved_is_loaded(self, store):
        saved = baseline()
        store.save(saved, SOURCES)
        loaded = store.load(saved.key)
        assert (loaded.key, loaded.config, loaded.source_hash) == (saved.key, saved.config, saved.source_hash)
        assert loaded.measurement.time_us == pytest.approx(saved.measurement.time_us, rel=1e-4)
        assert dict(loaded.recorded_with.versions) == dict(saved.recorded_with.versions)

    def test_problems_sets_devices_and_templates_are_kept_apart(self, store):
        saved = baseline()
        store.save(saved, SOURCES)
        for part, name in (
            ("problem_id", "512x512x513-float32-nn"),
            ("name", "next"),
            ("device", "b"),
            ("template", "t"),
        ):
            assert store.load(replace(saved.key, **{part: name})) is None

    def test_sources_come_back_text_for_text(self, store):
        store.save(baseline(), SOURCES)
        folder = store.load_sources(SOURCES.source_hash)
        found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert found == {name: text.encode() for name, text in SOURCES.files}

    def test_a_better_baseline_replaces_the_old_one(self, store):
        store.save(baseline(tflops=1.0), SOURCES)
        store.save(baseline(tflops=1.3), SOURCES)
        assert store.load(baseline().key).measurement.tflops == pytest.approx(1.3, rel=1e-4)

    def test_a_lower_one_needs_accept_regression(self, store):
        store.save(baseline(tflops=1.0), SOURCES)
        with pytest.raises(BaselineError, match="--ascend-tune-accept-regression"):
            store.save(baseline(tflops=0.9), SOURCES)
        assert store.load(baseline().key).measurement.tflops == pytest.approx(1.0, rel=1e-4)
        store.save(baseline(tflops=0.9), SOURCES, accept_regression=True)
        assert store.load(baseline().key).measurement.tflops == pytest.approx(0.9, rel=1e-4)

    def test_a_simulated_result_does_not_replace_a_measured_one(self, store):
        store.save(baseline(), SOURCES)
        with pytest.raises(BaselineError, match="simulated"):
            store.save(replace(baseline(tflops=2.0), simulated=True), SOURCES, accept_regression=True)

    def test_sources_must_be_those_of_the_baseline(self, store):
        with pytest.raises(BaselineError, match="sources"):
            store.save(baseline(), replace(SOURCES, source_hash="cd" * 32))
        assert store.load(baseline().key) is None
