"""Where trials run: here on one device (one), on several devices (pool, local), on other machines (ray). Come here to
add a way: implement protocols.Executor, or only pool.Device, and add one line to ``_HOMES``.
"""

from __future__ import annotations

from importlib import import_module

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.protocols import Backend, BackendRecipe, Executor
from pytest_ascend_tune.model.secreturl import SecretUrl

# name -> module with a function `connect(url, backend, recipe) -> Executor`; loaded when it is chosen.
_HOMES = {"local": "local", "ray": "ray"}
SIMULATED_DEVICES = 8  # that --ascend-tune-devices may name: the NPUs of one server


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
    if kind not in _HOMES:
        raise SettingsError(
            f"executor {SecretUrl(given) if address else kind!r} is unknown; allowed: local, ray, ray://ADDRESS"
        )
    if recipe is None and (kind != "local" or len(devices or ()) > 1):
        raise SettingsError(
            f"the backend {backend.name!r} that a hook or a caller gave is one device in one process; leave "
            "--ascend-tune-devices and --ascend-tune-executor out"
        )
    executor: Executor = import_module(f"{__package__}.{_HOMES[kind]}").connect(url, backend, recipe)
    return executor


def _check(backend: Backend, devices: tuple[int, ...] | None) -> None:
    shown = f"--ascend-tune-devices={','.join(map(str, devices or ()))}"
    if devices and backend.name == "cpu":
        raise SettingsError(
            f"{shown}: the backend 'cpu' has no numbered devices; leave the option out (NPUs: backend 'ascend', "
            "simulated devices: 'simulator')"
        )
    if devices and backend.name == "simulator" and max(devices) >= SIMULATED_DEVICES:
        raise SettingsError(
            f"{shown}: the simulator has no device {max(devices)}; allowed: 0 to {SIMULATED_DEVICES - 1}"
        )
