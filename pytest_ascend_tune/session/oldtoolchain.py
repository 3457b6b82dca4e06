"""The tool chain of the baseline, where an option says that it is still here."""

from __future__ import annotations

from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.protocols import Backend, TwoToolchains
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.session.places import Places

OPTIONS = ("old_cxx", "old_cann")  # that name one, each for the backend that says so


def use_old_toolchain(backend: Backend, settings: Settings, places: Places) -> bool:
    """Give the backend the old tool chain that the settings name; False when they name none. Raises SettingsError."""
    given = [name for name in OPTIONS if getattr(settings, name) is not None]
    for name in given:
        place = getattr(settings, name)
        if not (isinstance(backend, TwoToolchains) and backend.old_option == name):
            raise SettingsError(f"{switch(name)}={place}: backend {backend.name} has no use for it; leave it out")
        path = places.base(settings, name) / place
        try:
            backend.use_old(str(path) if path.exists() else place)
        except SettingsError as error:
            raise SettingsError(f"{switch(name)}: {error}") from None
    return bool(given)
