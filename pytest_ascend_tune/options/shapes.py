"""Lists of problems: a shapes file (csv or json) or a marker's ``shapes=[...]``; every bad row names its place.

Columns (keys): m, n, k and, if wanted, dtype, layout, min_efficiency, threshold. A byte order mark and CRLF line ends,
as spreadsheets write them, are read; other encodings than UTF-8 are refused.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_ascend_tune.files.jsontext import parse_document
from pytest_ascend_tune.model.errors import InvalidInputError, RecordError, SettingsError, ShapesFileError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem
from pytest_ascend_tune.options.settings import check_arguments

REQUIRED = ("m", "n", "k")
COLUMNS = (*REQUIRED, "dtype", "layout", "min_efficiency", "threshold")
MAX_DIGITS = 18  # of a 64-bit number; Python refuses thousands of them
_FORM = f"allowed columns: {', '.join(COLUMNS)}; m, n and k are needed"


@dataclass(frozen=True)
class Shape:
    """One row: its problem and the marker arguments that it sets, with the place for messages."""

    problem: GemmProblem
    arguments: tuple[tuple[str, Any], ...]
    place: str

    @property
    def line(self) -> int:
        """Line of the row in its csv file, counted from 0 as pytest does; 0 where rows have no lines."""
        _, found, number = self.place.rpartition(", line ")
        return int(number) - 1 if found else 0


def shape_of(row: Mapping[str, Any], place: str, default_dtype: Dtype, default_layout: str = "nn") -> Shape:
    """One row of values. Raises ShapesFileError with its place."""
    try:
        values = check_arguments({name: value for name, value in row.items() if value is not None}, COLUMNS)
        missing = [name for name in REQUIRED if name not in values]
        if missing:
            raise SettingsError(f"{', '.join(missing)} missing; {_FORM}")
        sizes = {name: values.pop(name) for name in REQUIRED}
        dtype = values.pop("dtype", default_dtype)
        problem = GemmProblem(**sizes, dtype=dtype, layout=values.pop("layout", default_layout))
    except InvalidInputError as error:
        raise ShapesFileError(f"{place}: {error}") from None
    return Shape(problem, tuple(values.items()), place)


def shapes_of(rows: Sequence[Any], place: str, default_dtype: Dtype) -> tuple[Shape, ...]:
    """A marker's ``shapes``: (m, n, k) tuples or mappings. Raises ShapesFileError."""
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise ShapesFileError(
            f"{place}: shapes={rows!r} is not allowed; a list of (m, n, k) or {{'m': ..}} that is not empty, or "
            "the path of a shapes file is needed"
        )
    return _unique(
        [
            shape_of(_row(row, f"{place}: shapes[{index}]"), f"{place}: shapes[{index}]", default_dtype)
            for index, row in enumerate(rows)
        ]
    )


def read_shapes(path: Path, default_dtype: Dtype, default_layout: str = "nn") -> tuple[Shape, ...]:
    """All rows of a shapes file, at least one. Raises ShapesFileError naming file and line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ShapesFileError(f"shapes file {path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ShapesFileError(f"shapes file {path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    if not text.strip():
        raise ShapesFileError(f"shapes file {path}: empty; {_FORM}")
    if path.suffix.lower() not in (".csv", ".json"):
        raise ShapesFileError(f"shapes file {path}: unknown kind {path.suffix!r}; allowed: .csv, .json")
    rows = _json_rows(path, text) if path.suffix.lower() == ".json" else _csv_rows(path, text)
    if not rows:
        raise ShapesFileError(f"shapes file {path}: no row; {_FORM}")
    return _unique([shape_of(row, place, default_dtype, default_layout) for place, row in rows])


def _row(row: Any, place: str) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, Sequence) and not isinstance(row, str) and len(row) == len(REQUIRED):
        return dict(zip(REQUIRED, row, strict=True))
    raise ShapesFileError(
        f"{place}: {repr(row)[:100]} is not allowed; (m, n, k) or a mapping with {', '.join(COLUMNS)} is needed"
    )


def _csv_rows(path: Path, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip().lower() for name in next(reader)]
    except csv.Error as error:
        raise ShapesFileError(f"shapes file {path}, line 1: {error}") from None
    unknown = [name for name in header if name not in COLUMNS]
    missing = [name for name in REQUIRED if name not in header]
    if unknown or missing or len(set(header)) != len(header):
        raise ShapesFileError(
            f"shapes file {path}, line 1: columns {', '.join(header)[:300]!r}; {_FORM}, each once, in the first line"
        )
    rows: list[tuple[str, Mapping[str, Any]]] = []
    try:
        for cells in reader:
            place = f"shapes file {path}, line {reader.line_num}"
            values = [cell.strip() for cell in cells]
            if not any(values):
                continue
            if len(values) != len(header):
                raise ShapesFileError(f"{place}: {len(values)} cells where the first line has {len(header)} columns")
            row: dict[str, Any] = {name: value or None for name, value in zip(header, values, strict=True)}
            for name in REQUIRED:
                if row[name] is None:
                    raise ShapesFileError(f"{place}: {name} is empty; a whole number >= 1 is needed")
                digits = row[name].lstrip("+-")
                whole = digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS
                row[name] = int(row[name]) if whole else row[name]
            rows.append((place, row))
    except csv.Error as error:
        raise ShapesFileError(f"shapes file {path}, line {reader.line_num}: {error}") from None
    return rows


def _json_rows(path: Path, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    try:
        rows = parse_document(path, text.encode()).data
    except RecordError as error:
        raise ShapesFileError(f"shapes file {error}") from None
    if not isinstance(rows, list):
        raise ShapesFileError(f"shapes file {path}: a JSON list of shapes is needed, found {type(rows).__name__}")
    places = [f"shapes file {path}, row {number}" for number in range(1, len(rows) + 1)]
    return [(place, _row(row, place)) for place, row in zip(places, rows, strict=True)]


def _unique(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    first: dict[GemmProblem, Shape] = {}
    for shape in shapes:
        if shape.problem in first:
            raise ShapesFileError(
                f"{shape.place}: {shape.problem.id} stands there twice (first: {first[shape.problem].place})"
            )
        first[shape.problem] = shape
    return tuple(shapes)
