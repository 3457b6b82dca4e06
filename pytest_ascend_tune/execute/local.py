"""The devices of this machine: one in the calling thread, or several, each with a backend of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pytest_ascend_tune import backends
from pytest_ascend_tune.execute.multi_device import LocalDevice, MultiDevice
from pytest_ascend_tune.execute.single_device import SingleDevice
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.protocols import Backend, BackendRecipe, Executor
from pytest_ascend_tune.model.secreturl import SecretUrl


def connect(url: SecretUrl | None, backend: Backend, recipe: BackendRecipe | None) -> Executor:
    """An executor on the recipe's devices; `backend` is the first of them, the others are opened side by side."""
    if url:
        raise SettingsError(f"executor {url!r}: 'local' has no address")
    numbers = (recipe.options.devices or ()) if recipe else ()
    if recipe is None or len(numbers) < 2:
        return SingleDevice(backend)
    others = {
        number: backends.create(recipe.name, options=replace(recipe.options, devices=(number,)))
        for number in numbers[1:]
    }
    try:
        with ThreadPoolExecutor(len(others), thread_name_prefix="open") as threads:
            reasons = list(threads.map(lambda other: other.unavailable_because(), others.values()))
        for (number, other), reason in zip(others.items(), reasons, strict=True):
            if reason:
                raise BackendUnavailableError(f"device {number} cannot be used: {reason}")
            if other.device != backend.device:
                raise SettingsError(
                    f"device {numbers[0]} is {backend.device}, device {number} is {other.device}; devices of one kind "
                    "are needed to search together"
                )
    except BaseException:
        for other in others.values():
            other.close()
        raise
    devices = {numbers[0]: backend, **others}
    return MultiDevice([LocalDevice(str(number), device) for number, device in devices.items()])
