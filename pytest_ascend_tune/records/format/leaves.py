"""Single values as JSON and back: numbers, words, configurations, problem ids and sentences, each strictly checked."""

from __future__ import annotations

import math
import numbers
import re
import string
from collections.abc import Iterator
from enum import Enum
from typing import Any

from pytest_ascend_tune.files.jsontext import Keys
from pytest_ascend_tune.model.errors import ProblemError, RecordError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.text import Text

FORMAT_SPEC = re.compile(r"[<>^]?[+ ]?#?0?\d{0,2}[,_]?(\.\d{1,2})?[deEfFgGns%]?")
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class FormError(ValueError):
    """A JSON value has not the form of the wanted type. `keys` lead to it; callers add file and line."""

    def __init__(self, message: str, keys: Keys) -> None:
        super().__init__(message)
        self.keys = keys


# --- writing ---------------------------------------------------------------------------------------------------------


def write_config(config: Config) -> dict[str, Any]:
    """An object name -> value."""
    return {name: write_scalar(int, member) for name, member in config.items()}


def write_text(text: Text) -> dict[str, Any]:
    """Template and values, for translation, and the English sentence."""
    values = {name: _write_free(member) for name, member in text.values}
    return {"template": text.template, "values": values, "text": str(text)}


def write_scalar(hint: Any, value: Any) -> Any:
    """Plain Python numbers, whatever numpy type they came in."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str | bool) or value is None:
        return value
    if isinstance(value, numbers.Integral) and hint is not float:
        return int(value)
    number = float(value)
    if not math.isfinite(number):
        raise RecordError(f"{number} cannot be stored; numbers must be finite")
    return number


def _write_free(value: Any) -> Any:
    """A value inside a Text: number, string, Text or a list of them; anything else as the words that it prints."""
    if value is None or isinstance(value, str | bool | numbers.Real):
        return write_scalar(None, value)
    if isinstance(value, Text):
        return write_text(value)
    if isinstance(value, tuple | list):
        return [_write_free(item) for item in value]
    return str(value)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_enum(kind: type[Enum], data: Any, keys: Keys) -> Enum:
    """A member by its value; the message lists what is allowed."""
    try:
        return kind(data)
    except ValueError:
        allowed = ", ".join(str(member.value) for member in kind)
        raise FormError(f"found {show(data)}; allowed: {allowed}", keys) from None


def read_object(data: Any, keys: Keys) -> dict[str, Any]:
    """An object whose keys are all text."""
    if not isinstance(data, dict):
        raise FormError(f"found {show(data)}; an object is needed", keys)
    for name in data:
        read_string(name, keys)
    return data


def read_string(data: Any, keys: Keys) -> str:
    """Text that can be written as UTF-8 again."""
    if not isinstance(data, str):
        raise FormError(f"found {show(data)}; a string is needed", keys)
    if any("\ud800" <= letter <= "\udfff" for letter in data):
        raise FormError("a string with half a surrogate pair, which is no text", keys)
    return data


def read_whole(data: Any, keys: Keys) -> int:
    """A whole number."""
    if isinstance(data, bool) or not isinstance(data, int):
        raise FormError(f"found {show(data)}; a whole number is needed", keys)
    return data


def read_number(data: Any, keys: Keys) -> float:
    """A finite number."""
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise FormError(f"found {show(data)}; a number is needed", keys)
    try:
        value = float(data)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise FormError("the number is not finite", keys)
    return value


def read_truth(data: Any, keys: Keys) -> bool:
    """True or false."""
    if not isinstance(data, bool):
        raise FormError(f"found {show(data)}; true or false is needed", keys)
    return data


def read_config(data: Any, keys: Keys) -> Config:
    """Parameter names with whole numbers or strings."""
    for name, value in read_object(data, keys).items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise FormError(f"found {show(value)}; a whole number or a string is needed", (*keys, name))
        if isinstance(value, str):
            read_string(value, (*keys, name))
    return Config(data)


def read_problem(data: Any, keys: Keys) -> GemmProblem:
    """A problem by its id, in its one spelling."""
    text = read_string(data, keys)
    try:
        problem = GemmProblem.from_id(text)
    except (ProblemError, ValueError) as error:
        raise FormError(str(error), keys) from error
    if problem.id != text:
        raise FormError(f"found {text!r}; the form is {problem.id!r}", keys)
    return problem


def read_text(data: Any, keys: Keys) -> Text:
    """A sentence that can be put together from its own values."""
    members = read_object(data, keys)
    template = read_string(members.get("template"), (*keys, "template"))
    values = read_object(members.get("values", {}), (*keys, "values"))
    text = Text(template, tuple((name, read_free(value, (*keys, "values", name))) for name, value in values.items()))
    try:
        if not all(_is_plain(name, spec) and name in values for name, spec in _placeholders(template)):
            raise ValueError("a placeholder is no plain name of a value")
        str(text)
    except (ValueError, TypeError, LookupError) as error:
        raise FormError(f"the sentence cannot be put together ({error})", (*keys, "template")) from error
    return text


def _placeholders(template: str) -> Iterator[tuple[str, str]]:
    for _, name, spec, _ in string.Formatter().parse(template):
        if name is not None:
            yield name, spec or ""


def _is_plain(name: str, spec: str) -> bool:
    """No attribute, no index, no wide padding: a file may fill a sentence, it may not compute."""
    return bool(PLAIN_NAME.fullmatch(name) and FORMAT_SPEC.fullmatch(spec))


def read_free(data: Any, keys: Keys) -> Any:
    """A value inside a Text."""
    if isinstance(data, dict):
        return read_text(data, keys)
    if isinstance(data, list):
        return tuple(read_free(item, (*keys, index)) for index, item in enumerate(data))
    if isinstance(data, str):
        return read_string(data, keys)
    if isinstance(data, float):
        return read_number(data, keys)
    return data


def show(data: Any) -> str:
    """A value for a message, cut to a readable length."""
    shown = repr(data)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
