"""Values of model/ as JSON and back, driven by the fields' own types: one rule per kind of type, none per class.

Forms: a dataclass is an object with its fields as keys; an enum its value; a Config an object name -> value; a
GemmProblem its id; pairs (name, value) an object; a Text ``{template, values, text}`` with ``text`` in English for
readers that do not translate; other tuples lists. Reading is strict: a wrong type, an unknown key, a number that is not
finite, a time or rate that is not positive is refused with the path of keys to it.

By hand, because libraries were tried and were longer or weaker here. msgspec 0.23 takes no union of two dataclasses (a
trial's outcome) and lets unknown keys of dataclasses pass. With cattrs 26.2 the same forms took 166 lines, more than
here: its own checks have to be replaced (it makes 1 of "1" and of true), its tree of errors put back into one path.
"""

from __future__ import annotations

import dataclasses
import numbers
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar

from pytest_ascend_tune.files.jsontext import Document, Keys
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.records.format import leaves
from pytest_ascend_tune.records.format.leaves import FormError

T = TypeVar("T")
SMALLEST, LARGEST = 1e-12, 1e18  # times (microseconds) and rates (TFLOPS): beyond, their quotients are no floats
_FIELDS: dict[Any, tuple[tuple[dataclasses.Field[Any], Any], ...]] = {}  # resolved type hints of each dataclass met


def to_json(value: Any, *, skip_defaults: bool = False) -> Any:
    """JSON form of a dataclass of model/ (or of records). Raises RecordError for a number that is not finite.

    `skip_defaults` leaves out fields that have their default value; reading puts them back.
    """
    return _encode(type(value), value, skip_defaults)


def from_json(kind: type[T], data: Any, keys: Keys = ()) -> T:
    """Inverse of :func:`to_json`. Raises FormError; `keys` is where `data` stands in its document."""
    value: T = _decode(kind, data, keys)
    return value


def read_value(kind: type[T], document: Document, data: Any, keys: Keys = ()) -> T:
    """:func:`from_json` on a part of a document; raises the document's own error, with file and line."""
    try:
        return from_json(kind, data, keys)
    except FormError as error:
        document.refuse(str(error), error.keys)


def read_fields(document: Document, wanted: Mapping[str, Any], keys: Keys = ()) -> dict[str, Any]:
    """The named members of the object at `keys`, each read as its type; other members are left alone."""
    data = document.data
    for key in keys:
        data = data[key]
    try:
        members = leaves.read_object(data, keys)
        missing = [name for name in wanted if name not in members]
        if missing:
            raise FormError(f"key {missing[0]!r} is missing", keys)
        return {name: _decode(kind, members[name], (*keys, name)) for name, kind in wanted.items()}
    except FormError as error:
        document.refuse(str(error), error.keys)


def read_record(kind: type[T], document: Document, newest: int) -> T:
    """A document that is one value beside its schema number."""
    check_schema(document, newest)
    return read_value(kind, document, {name: member for name, member in document.data.items() if name != "schema"})


def types_of(kind: Any, *names: str) -> dict[str, Any]:
    """Types of these fields of a dataclass, for :func:`read_fields`: what a field holds is said in model/ alone."""
    hints = {field.name: hint for field, hint in _fields(kind)}
    return {name: hints[name] for name in names}


def check_schema(document: Document, newest: int) -> None:
    """Refuse a document whose schema number this version does not read."""
    found = document.data.get("schema") if isinstance(document.data, dict) else None
    if isinstance(found, bool) or not isinstance(found, int):
        document.refuse(f'no schema number; an object with "schema": {newest} is needed')
    if found > newest:
        document.refuse(
            f"schema {found} is from a newer version; this one reads up to {newest}: upgrade pytest-ascend-tune",
            ("schema",),
        )
    if found < 1:
        document.refuse(f"schema {found} does not exist; allowed: 1 to {newest}", ("schema",))


def _fields(kind: Any) -> tuple[tuple[dataclasses.Field[Any], Any], ...]:
    if kind not in _FIELDS:
        hints = typing.get_type_hints(kind)
        _FIELDS[kind] = tuple((field, hints[field.name]) for field in dataclasses.fields(kind))
    return _FIELDS[kind]


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def _default(field: dataclasses.Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default


def _pair_value(hint: Any) -> Any | None:
    """X of ``tuple[tuple[str, X], ...]``, None for other types."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        inner = typing.get_args(arguments[0])
        if typing.get_origin(arguments[0]) is tuple and len(inner) == 2 and inner[0] is str:
            return inner[1]
    return None


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else ()


# --- writing ---------------------------------------------------------------------------------------------------------


def _encode(hint: Any, value: Any, skip: bool) -> Any:
    if hint is bool:
        return bool(value)
    if value is None or isinstance(value, str | bool | numbers.Number):
        return leaves.write_scalar(hint, value)
    if isinstance(value, Text):
        return leaves.write_text(value)
    if isinstance(value, Config):
        return leaves.write_config(value)
    if isinstance(value, GemmProblem):
        return value.id
    if dataclasses.is_dataclass(value):
        return {
            field.name: _encode(inner, getattr(value, field.name), skip)
            for field, inner in _fields(type(value))
            if not (skip and _has_default(field) and getattr(value, field.name) == _default(field))
        }
    inner = _pair_value(hint)
    if inner is not None:
        return {name: _encode(inner, member, skip) for name, member in value}
    arguments = typing.get_args(hint)
    kinds = arguments if arguments and arguments[-1] is not Ellipsis else (arguments[0],) * len(value)
    return [_encode(kind, item, skip) for kind, item in zip(kinds, value, strict=True)]


# --- reading ---------------------------------------------------------------------------------------------------------


def _decode(hint: Any, data: Any, keys: Keys) -> Any:
    if alternatives := _alternatives(hint):
        return _decode_alternative(alternatives, data, keys)
    if reader := _READERS.get(hint):
        return reader(data, keys)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return leaves.read_enum(hint, data, keys)
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(typing.cast(type, hint), data, keys)
    inner = _pair_value(hint)
    if inner is not None:
        return tuple(
            (name, _decode(inner, member, (*keys, name))) for name, member in leaves.read_object(data, keys).items()
        )
    return _decode_tuple(typing.get_args(hint), data, keys)


def _decode_alternative(alternatives: tuple[Any, ...], data: Any, keys: Keys) -> Any:
    if data is None and type(None) in alternatives:
        return None
    kinds = [kind for kind in alternatives if kind is not type(None)]
    if len(kinds) == 1:
        return _decode(kinds[0], data, keys)
    members = leaves.read_object(data, keys)
    for kind in kinds:
        if all(field.name in members for field, _ in _fields(kind) if not _has_default(field)):
            return _decode_dataclass(kind, data, keys)
    raise FormError("neither " + " nor ".join(kind.__name__ for kind in kinds), keys)


def _decode_dataclass(kind: type[Any], data: Any, keys: Keys) -> Any:
    members = leaves.read_object(data, keys)
    fields = _fields(kind)
    if unknown := members.keys() - {field.name for field, _ in fields}:
        name = sorted(unknown)[0]
        raise FormError("unknown key; written by a newer version, or misspelt", (*keys, name))
    values = {}
    for field, hint in fields:
        if field.name in members:
            values[field.name] = _decode(hint, members[field.name], (*keys, field.name))
            _check_positive(field.name, values[field.name], (*keys, field.name))
        elif not _has_default(field):
            raise FormError(f"key {field.name!r} is missing", keys)
    return kind(**values)


def _check_positive(name: str, value: Any, keys: Keys) -> None:
    """Times and rates are above 0. (The wall clock beside a sample may stand still; nothing is divided by it.)"""
    if name == "wall_us" or not (name.endswith("_us") or name.endswith("tflops")):
        return
    if name == "samples_us" and not value:
        raise FormError("a list of at least one sample is needed", keys)
    for number in value if isinstance(value, tuple) else (value,):
        if number is not None and number <= 0:
            raise FormError(f"found {number:g}; a number above 0 is needed", keys)
        if number is not None and not SMALLEST <= number <= LARGEST:
            raise FormError(f"found {number:g}; a number from {SMALLEST:g} to {LARGEST:g} is needed", keys)


def _decode_tuple(arguments: tuple[Any, ...], data: Any, keys: Keys) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise FormError(f"found {leaves.show(data)}; a list is needed", keys)
    if arguments[-1] is not Ellipsis and len(data) != len(arguments):
        raise FormError(f"found {len(data)} values; {len(arguments)} are needed", keys)
    kinds = arguments if arguments[-1] is not Ellipsis else (arguments[0],) * len(data)
    return tuple(
        _decode(kind, item, (*keys, index)) for index, (kind, item) in enumerate(zip(kinds, data, strict=True))
    )


_READERS: dict[Any, Callable[[Any, Keys], Any]] = {
    str: leaves.read_string,
    int: leaves.read_whole,
    float: leaves.read_number,
    bool: leaves.read_truth,
    Config: leaves.read_config,
    GemmProblem: leaves.read_problem,
    Text: leaves.read_text,
    Any: leaves.read_free,
}
