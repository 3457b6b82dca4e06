"""From a test's marker, parametrised row and call to a request: read and checked here, before measuring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_ascend_tune.model.errors import InvalidInputError, SettingsError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.options.settings import CALL_ARGUMENTS, Request, Settings, check_arguments
from pytest_ascend_tune.options.shapes import Shape, read_shapes, shapes_of
from pytest_ascend_tune.options.table import MARKER
from pytest_ascend_tune.plugin.items import ShapeItem

if TYPE_CHECKING:
    from typing_extensions import Self

SIZES = ("m", "n", "k")
SHAPE = (*SIZES, "dtype", "layout")
SAID = (*SHAPE, "config")


@dataclass(frozen=True)
class Asked:
    """What one test asks for, so far as it is known: the members of its problem, and its own settings.

    None: not said yet. The words of dtype and layout are GemmProblem's to check.
    """

    settings: Settings = field(repr=False)
    nodeid: str
    m: int | None = None
    n: int | None = None
    k: int | None = None
    dtype: Any = None
    layout: Any = "nn"
    config: Config | str | None = None

    @classmethod
    def by(cls, item: pytest.Item, settings: Settings) -> Self:
        """What an item's marker and row say; what is asked for again is not asked of shapes files too.

        Raises InvalidInputError.
        """
        arguments = _item_arguments(item)
        own = settings.for_test(arguments).given({"shapes": ()})
        return cls(own, item.nodeid, **{name: arguments[name] for name in SAID if name in arguments})

    def called(self, arguments: Mapping[str, Any]) -> Self:
        """What the call says besides, which overrides. Raises SettingsError."""
        checked = check_arguments(arguments, CALL_ARGUMENTS)
        said = {name: checked[name] for name in SAID if checked.get(name) is not None}
        return replace(self, settings=self.settings.for_call(checked), **said)

    @property
    def has_shape(self) -> bool:
        """Whether the problem is known before the call."""
        return None not in (self.m, self.n, self.k)

    def request(self, default_dtype: Dtype) -> Request:
        """The request. Raises InvalidInputError for what makes no problem."""
        missing = [name for name in SIZES if getattr(self, name) is None]
        if self.m is None or self.n is None or self.k is None:
            raise SettingsError(
                f"{', '.join(missing)} missing: give m, n and k in the marker ({MARKER}(m=.., n=.., k=..)) or the call"
            )
        dtype = default_dtype if self.dtype is None else self.dtype
        problem = GemmProblem(self.m, self.n, self.k, dtype, self.layout)
        return Request(problem, self.settings, self.nodeid, self.config)


def _item_arguments(item: pytest.Item) -> dict[str, Any]:
    """Checked arguments of an item's marker, with those of the row that pytest's parametrisation gave it."""
    marker = item.get_closest_marker(MARKER)
    arguments = {} if marker is None else _marker_arguments(marker)
    shape = getattr(getattr(item, "callspec", None), "params", {}).get(MARKER)
    if isinstance(shape, InvalidInputError):
        raise shape
    if isinstance(shape, Shape):
        arguments |= dict(shape.arguments) | {name: getattr(shape.problem, name) for name in SHAPE}
    return arguments


def _marker_arguments(marker: pytest.Mark) -> dict[str, Any]:
    if marker.args:
        raise SettingsError(f"the marker takes keywords only (m=.., n=.., k=..), found {marker.args!r}")
    arguments = {name: value for name, value in check_arguments(marker.kwargs).items() if value is not None}
    given = [name for name in SIZES if name in arguments]
    if "shapes" in arguments and given:
        raise SettingsError(f"shapes and {', '.join(given)} exclude each other; give one of them")
    if given and len(given) < len(SIZES):
        raise SettingsError(
            f"{', '.join(name for name in SIZES if name not in given)} missing; give m, n and k, or none"
        )
    arguments.pop("shapes", None)  # pytest made an item of each
    return arguments


def marker_shapes(arguments: Mapping[str, Any], place: str, default_dtype: Dtype, root: Path) -> tuple[Shape, ...]:
    """The marker's shapes, each with the marker's dtype and layout where it names none. Raises ShapesFileError.

    A path instead of a list is a shapes file, relative to `root`.
    """
    defaults = {name: arguments[name] for name in ("dtype", "layout") if arguments.get(name) is not None}
    rows = arguments["shapes"]
    if isinstance(rows, str | PathLike) and rows:
        path = root / Path(rows).expanduser()
        return read_shapes(path, defaults.get("dtype", default_dtype), defaults.get("layout", "nn"))
    if isinstance(rows, Sequence) and not isinstance(rows, str):
        rows = [
            {**defaults, **(row if isinstance(row, Mapping) else dict(zip(SIZES, row, strict=False)))}
            if isinstance(row, Mapping) or (isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 3)
            else row
            for row in rows
        ]
    return shapes_of(rows, place, default_dtype)


def _known_request(item: pytest.Item, settings: Settings, default_dtype: Dtype) -> Request | None:
    """What an item is known to ask for before it runs; None when its shape comes with the call, or it asks nothing."""
    if isinstance(item, ShapeItem):
        return item.request(settings)
    if item.get_closest_marker(MARKER) is None:
        return None
    asked = Asked.by(item, settings)
    if MARKER not in getattr(item, "fixturenames", ()):
        raise SettingsError(f"marked with {MARKER} but does not request the fixture; add {MARKER} to its arguments")
    return asked.request(default_dtype) if asked.has_shape else None


def known_requests(items: Iterable[pytest.Item], settings: Settings, default_dtype: Dtype) -> dict[str, Request]:
    """Requests by node id. Raises UsageError with every bad item."""
    found: dict[str, Request] = {}
    faults = []
    for item in items:
        try:
            request = _known_request(item, settings, default_dtype)
        except InvalidInputError as error:
            faults.append(f"{item.nodeid}: {error}")
            continue
        if request is not None:
            found[item.nodeid] = request
    if faults:
        raise pytest.UsageError(printable("ascend-tune: " + "\n".join(faults)))
    return found
