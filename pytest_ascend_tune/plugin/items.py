"""From pytest's items to requests: markers, shapes files and call arguments are read and checked here, before
measuring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_ascend_tune.model.errors import InvalidInputError, SettingsError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Dtype, GemmProblem
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.options.settings import CALL_ARGUMENTS, Request, Settings, check_arguments
from pytest_ascend_tune.options.shapes import Shape, read_shapes, shapes_of
from pytest_ascend_tune.options.table import MARKER

if TYPE_CHECKING:
    from typing_extensions import Self

SIZES = ("m", "n", "k")


class ShapesFile(pytest.File):
    """A file given with --ascend-tune-shapes: one item a row."""

    default_dtype: Dtype

    @classmethod
    def create(cls, parent: pytest.Collector, path: Path, default_dtype: Dtype) -> Self:
        """Build a collector for `path`."""
        collector: Self = cls.from_parent(parent, path=path)
        collector.default_dtype = default_dtype
        return collector

    def collect(self) -> Iterator[ShapeItem]:
        """Yield an item a row, named by its problem id. Raises UsageError for a bad file."""
        try:
            shapes = read_shapes(self.path, self.default_dtype)
        except InvalidInputError as error:
            raise pytest.UsageError(printable(str(error))) from None
        for shape in shapes:
            yield ShapeItem.create(self, shape)


class ShapeItem(pytest.Item):
    """One row of a shapes file; running it tunes and gates the row's problem."""

    shape: Shape
    run_request: Callable[[ShapeItem], GateResult]

    @classmethod
    def create(cls, parent: ShapesFile, shape: Shape) -> Self:
        """Build the item of one row."""
        item: Self = cls.from_parent(parent, name=shape.problem.id)
        item.shape = shape
        item.add_marker(MARKER)
        return item

    def runtest(self) -> None:
        """Tune and gate; the caller that activates the plugin sets `run_request`."""
        self.run_request(self)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Place of the row, for pytest's listings; a skip needs a line, and a row of JSON has none of its own."""
        return self.path, self.shape.line, self.name


def shapes_paths(config: pytest.Config, settings: Settings) -> tuple[Path, ...]:
    """Where the shapes files are."""
    base = settings.base("shapes", here=config.invocation_params.dir, root=config.rootpath)
    return tuple((base / name).resolve() for name in settings.shapes)


def collect_shapes(
    session: pytest.Session, items: Sequence[pytest.Item], settings: Settings, default_dtype: Dtype
) -> list[ShapeItem]:
    """Items of the shapes files that no command-line argument collected already."""
    collected = {item.path for item in items if isinstance(item, ShapeItem)}
    found: list[ShapeItem] = []
    for path in shapes_paths(session.config, settings):
        if path not in collected:
            found.extend(ShapesFile.create(session, path, default_dtype).collect())
    return found


def marker_arguments(item: pytest.Item) -> dict[str, Any] | None:
    """Checked arguments of the item's marker, None when it has none. Raises SettingsError."""
    marker = item.get_closest_marker(MARKER)
    if marker is None or isinstance(item, ShapeItem):
        return None
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
    return arguments


def marker_shapes(arguments: Mapping[str, Any], place: str, default_dtype: Dtype) -> tuple[Shape, ...]:
    """The marker's shapes, each with the marker's dtype and layout where it names none. Raises ShapesFileError."""
    defaults = {name: arguments[name] for name in ("dtype", "layout") if arguments.get(name) is not None}
    rows = arguments["shapes"]
    if isinstance(rows, Sequence) and not isinstance(rows, str):
        rows = [
            {**defaults, **(row if isinstance(row, Mapping) else dict(zip(SIZES, row, strict=False)))}
            if isinstance(row, Mapping) or (isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 3)
            else row
            for row in rows
        ]
    return shapes_of(rows, place, default_dtype)


def request_of(
    arguments: Mapping[str, Any],
    call: Mapping[str, Any],
    settings: Settings,
    nodeid: str,
    default_dtype: Dtype,
) -> Request:
    """The request of a marked test (`arguments`) and its call (`call`, which overrides). Raises InvalidInputError."""
    checked = check_arguments(call, CALL_ARGUMENTS)
    merged = {**arguments, **{name: value for name, value in checked.items() if value is not None}}
    missing = [name for name in SIZES if name not in merged]
    if missing:
        raise SettingsError(
            f"{', '.join(missing)} missing: give m, n and k in the marker (ascend_tune(m=.., n=.., k=..)) or the call"
        )
    problem = GemmProblem(
        merged["m"],
        merged["n"],
        merged["k"],
        default_dtype if merged.get("dtype") is None else merged["dtype"],
        "nn" if merged.get("layout") is None else merged["layout"],  # type: ignore[arg-type]  # GemmProblem turns words into enums
    )
    return Request(problem, settings.for_test(arguments).for_call(checked), nodeid)


def requests_of(item: pytest.Item, settings: Settings, default_dtype: Dtype) -> Request | None:
    """What an item is known to ask for before it runs; None when its shape comes with the call.

    Raises InvalidInputError.
    """
    if isinstance(item, ShapeItem):
        return Request(item.shape.problem, settings.for_test(dict(item.shape.arguments)), item.nodeid)
    arguments = marker_arguments(item)
    if arguments is None:
        return None
    if MARKER not in getattr(item, "fixturenames", ()):
        raise SettingsError(f"marked with {MARKER} but does not request the fixture; add {MARKER} to its arguments")
    arguments = item_arguments(item, arguments)
    return request_of(arguments, {}, settings, item.nodeid, default_dtype) if "m" in arguments else None


def item_arguments(item: pytest.Item, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Marker arguments of one item: with ``shapes``, those of the row that pytest's parametrisation gave it."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    shape = parameters.get(MARKER)
    rest = {name: value for name, value in arguments.items() if name != "shapes"}
    if isinstance(shape, InvalidInputError):
        raise shape
    if not isinstance(shape, Shape):
        return rest
    problem = shape.problem
    row = {"m": problem.m, "n": problem.n, "k": problem.k, "dtype": problem.dtype, "layout": problem.layout}
    return {**rest, **dict(shape.arguments), **row}


def known_requests(items: Iterable[pytest.Item], settings: Settings, default_dtype: Dtype) -> dict[str, Request]:
    """Requests by node id. Raises UsageError with every bad item; the same problem and template twice is one."""
    requests: dict[str, Request] = {}
    seen: dict[tuple[GemmProblem, str | None], str] = {}
    faults = []
    for item in items:
        try:
            request = requests_of(item, settings, default_dtype)
        except InvalidInputError as error:
            faults.append(f"{item.nodeid}: {error}")
            continue
        if request is None:
            continue
        key = (request.problem, request.settings.template)
        if key in seen:
            faults.append(
                f"{item.nodeid}: {request.problem.id} is tuned by {seen[key]} already; each problem once a run"
            )
        seen.setdefault(key, item.nodeid)
        requests[item.nodeid] = request
    if faults:
        raise pytest.UsageError(printable("ascend-tune: " + "\n".join(faults)))
    return requests
