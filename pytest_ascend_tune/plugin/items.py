"""Shapes files as pytest's items: one a row, which tunes and gates the row's problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_ascend_tune.model.errors import InvalidInputError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.options.shapes import Shape, read_shapes
from pytest_ascend_tune.options.table import MARKER

if TYPE_CHECKING:
    from typing_extensions import Self


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

    def request(self, settings: Settings) -> Request:
        """What the row asks for; asked for again, its file alone is needed."""
        file = settings.shapes[shapes_paths(self.config, settings).index(self.path)]
        own = settings.for_test(dict(self.shape.arguments)).given({"shapes": (file,)})
        return Request(self.shape.problem, own, self.nodeid)

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
