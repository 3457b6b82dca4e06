"""Names of backends and what ``auto`` means."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_ascend_tune import backends
from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.protocols import BackendOptions


@pytest.fixture
def options(tmp_path):
    return BackendOptions(tmp_path / "cache")


@pytest.mark.parametrize("name", ["gpu", "", "CPU", "cpu:0", "ascend:910B1", "simulator:", "auto:cpu", "cpu "])
def test_an_unknown_name_lists_what_is_allowed(options, name):
    with pytest.raises(SettingsError, match=rf"backend '{name}' is unknown; allowed: auto, ascend, cpu, simulator"):
        backends.create(name, options=options)


def test_creating_the_cpu_backend_starts_and_writes_nothing(options):
    backend = backends.create("cpu", options=options)
    assert isinstance(backend, CpuBackend)
    assert backend._worker.children() == ()
    assert not options.cache_dir.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [({"threads": 0}, "threads=0"), ({"threads": 65}, "1 to 64"), ({"l2": "warm"}, "allowed: cold, hot")],
)
def test_options_that_the_cpu_cannot_have(tmp_path, change, message):
    with pytest.raises(SettingsError, match=message):
        backends.create("cpu", options=BackendOptions(tmp_path, **change))


def test_only_device_nodes_of_npus_count(tmp_path):
    for name in ("davinci_manager", "davinci10", "davinci2", "null"):
        (tmp_path / name).touch()
    assert [path.name for path in backends.npu_device_nodes(tmp_path)] == ["davinci10", "davinci2"]


def test_auto_is_the_cpu_where_no_npu_is(monkeypatch, options):
    monkeypatch.setattr(backends, "npu_device_nodes", lambda: [])
    assert backends.create("auto", options=options).name == "cpu"


@pytest.mark.parametrize("reason", [None, "CANN is not installed"])
def test_auto_with_an_npu_is_ascend_or_an_error_but_never_the_cpu(monkeypatch, options, tmp_path, reason):
    closed = []
    ascend = SimpleNamespace(name="ascend", unavailable_because=lambda: reason, close=lambda: closed.append(True))
    monkeypatch.setattr(backends, "npu_device_nodes", lambda: [tmp_path / "davinci0"])
    monkeypatch.setitem(backends._HOMES, "ascend", ("cpu.backend", "CpuBackend", lambda make, options, device: ascend))
    if reason is None:
        assert backends.create("auto", options=options) is ascend
    else:
        with pytest.raises(BackendUnavailableError, match=r"davinci0.*CANN is not installed"):
            backends.create("auto", options=options)
        assert closed
