"""Where trials run. Come here to add a way: implement protocols.Executor, or only multi_device.Device, and add one line
to ``_MODULES``.
"""

from __future__ import annotations

from importlib import import_module

from pytest_ascend_tune import backends
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.protocols import Backend, BackendRecipe, Executor, Numbered
from pytest_ascend_tune.model.secreturl import SecretUrl

# name -> module with a function `connect(url, backend, recipe) -> Executor`; loaded when it is chosen.
_MODULES = {"local": "local", "ray": "ray"}


def connect(
    name: str | SecretUrl, backend: Backend, recipe: BackendRecipe | None, devices: tuple[int, ...] | None
) -> Executor:
    """The executor called `name`: ``local``, ``ray`` or the URL ``ray://ADDRESS``, for searches with `backend`.

    `recipe`: how `backend` was made, None for an object that somebody else made, which is one device. `devices`: what
    the user asked for. Raises SettingsError, and BackendUnavailableError for a device that cannot be used.
    """
    _check(backend, devices)
    given = name.reveal() if isinstance(name, SecretUrl) else name
    kind, _, address = given.partition("://")
    url = SecretUrl(given) if address else None
    if kind not in _MODULES:
        raise SettingsError(
            f"executor {SecretUrl(given) if address else kind!r} is unknown; allowed: local, ray, ray://ADDRESS"
        )
    if recipe is None and (kind != "local" or len(devices or ()) > 1):
        raise SettingsError(
            f"the backend {backend.name!r} that a hook or a caller gave is one device in one process; leave "
            f"{switch('devices')} and {switch('executor')} out"
        )
    executor: Executor = import_module(f"{__package__}.{_MODULES[kind]}").connect(url, backend, recipe)
    return executor


def _check(backend: Backend, devices: tuple[int, ...] | None) -> None:
    shown = f"{switch('devices')}={','.join(map(str, devices or ()))}"
    if not devices:
        return
    if not isinstance(backend, Numbered):
        raise SettingsError(
            f"{shown}: the backend {backend.name!r} has no numbered devices; leave the option out (backends that have: "
            f"{', '.join(backends.numbered())})"
        )
    if backend.max_devices is not None and max(devices) >= backend.max_devices:
        raise SettingsError(
            f"{shown}: the backend {backend.name!r} has no device {max(devices)}; allowed: 0 to "
            f"{backend.max_devices - 1}"
        )
