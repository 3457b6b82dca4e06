"""Which executor a request gets, and which requests are refused."""

from pathlib import Path

import pytest

from pytest_ascend_tune.execute import executors, local
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.protocols import BackendOptions, BackendRecipe
from tests.fakes.backend import FakeBackend, with_devices


def named(name, **keywords):
    backend = FakeBackend(**keywords)
    backend.name = name
    most = {"ascend": None, "simulator": 8}
    return with_devices(backend, most[name]) if name in most else backend


def connect(backend, devices, name="local"):
    return executors.connect(
        name, backend, BackendRecipe(backend.name, BackendOptions(Path("c"), devices=devices)), devices
    )


@pytest.mark.parametrize("devices", [None, (3,)])
def test_one_device_works_in_the_calling_thread(devices):
    assert isinstance(connect(named("ascend"), devices), SingleDevice)
    assert isinstance(executors.connect("local", FakeBackend(), None, None), SingleDevice)


def test_each_of_several_devices_has_a_backend_of_its_own(monkeypatch):
    made = {}

    def create(name, options):
        made[options.devices] = named(name)
        return made[options.devices]

    monkeypatch.setattr(local.backends, "create", create)
    first = named("ascend")
    executor = connect(first, (4, 5, 7))
    assert executor.devices == 3
    assert set(made) == {(5,), (7,)}
    executor.close()
    assert all(backend.closed for backend in (first, *made.values()))


@pytest.mark.parametrize(
    ("other", "error", "message"),
    [
        ({"device": "fake-2"}, SettingsError, "device 0 is fake-1, device 1 is fake-2; devices of one kind"),
        ({"unavailable": "it is gone"}, BackendUnavailableError, "device 1 cannot be used: it is gone"),
    ],
)
def test_a_device_that_does_not_fit_is_found_before_anything_is_measured(monkeypatch, other, error, message):
    unavailable = other.pop("unavailable", None)
    second = named("ascend", **other)
    second.unavailable = unavailable
    monkeypatch.setattr(local.backends, "create", lambda name, options: second)
    with pytest.raises(error, match=message):
        connect(named("ascend"), (0, 1))
    assert second.closed


@pytest.mark.parametrize(
    ("backend", "devices", "name", "message"),
    [
        (
            "cpu",
            (0, 1),
            "local",
            "devices=0,1: the backend 'cpu' has no numbered devices.* that have: ascend, simulator",
        ),
        ("cpu", (0,), "ray", "no numbered devices"),
        ("simulator", (0, 8), "local", "no device 8; allowed: 0 to 7"),
        ("ascend", None, "slurm", "'slurm' is unknown; allowed: local, ray, ray://ADDRESS"),
        ("ascend", None, "local://here", "'local' has no address"),
    ],
)
def test_requests_that_make_no_sense_are_refused(backend, devices, name, message):
    with pytest.raises(SettingsError, match=message):
        connect(named(backend), devices, name)


@pytest.mark.parametrize(("name", "devices"), [("local", (0, 1)), ("ray", None)])
def test_a_given_backend_object_is_one_device(name, devices):
    with pytest.raises(SettingsError, match="is one device in one process"):
        executors.connect(name, with_devices(FakeBackend()), None, devices)
