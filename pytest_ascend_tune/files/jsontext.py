"""JSON as text: strict reading that knows file and line, and writing that makes small, stable diffs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.problem import MAX_WHOLE

CONFLICT_MARK = re.compile(r"^(<{7}|={7}|>{7}|\|{7})(?:\s|$)")
_HALF = re.compile("[\ud800-\udfff]")
Keys = tuple[str | int, ...]


@dataclass(frozen=True)
class Document:
    """Parsed JSON and where it stands, so that every complaint names file and line and says what to do."""

    path: Path
    text: str
    data: Any
    first_line: int = 1
    error: type[RecordError] = RecordError
    advice: str = ""

    def refuse(self, problem: str, keys: Keys = ()) -> NoReturn:
        """Raise the document's error about the value at `keys`."""
        line = self._line_of(keys)
        where = f"{self.path}:{line}" if line else str(self.path)
        spot = f"{spell(keys)}: " if keys else ""
        raise self.error(f"{where}: {spot}{problem}" + (f"; {self.advice}" if self.advice else ""))

    def _line_of(self, keys: Keys) -> int | None:
        """Line of the deepest named key; found by text, hence only a good guess where names repeat."""
        if "\n" not in self.text.rstrip("\n"):
            return self.first_line
        position = 0
        found = False
        for key in keys:
            match = re.compile(re.escape(json.dumps(key)) + r"\s*:").search(self.text, position)
            if isinstance(key, str) and match:
                position, found = match.start(), True
        return self.first_line + self.text.count("\n", 0, position) if found else None


def spell(keys: Keys) -> str:
    """``("trials", 3, "time_ms")`` as ``trials[3].time_ms``; no key of a file reaches a terminal unescaped."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{key if key.isprintable() else repr(key)}" for key in keys)
    return "".join(parts).lstrip(".")


def read_document(path: Path, *, error: type[RecordError] = RecordError, advice: str = "") -> Document:
    """The JSON file `path`. Raises `error` for anything but one well-formed, finite, unambiguous JSON value."""
    try:
        raw = path.read_bytes()
    except OSError as cause:
        raise error(f"{path}: cannot be read ({cause.strerror or cause})") from cause
    return parse_document(path, raw, error=error, advice=advice)


def parse_document(
    path: Path, raw: bytes, *, first_line: int = 1, error: type[RecordError] = RecordError, advice: str = ""
) -> Document:
    """The JSON value in `raw`, which stands in `path` from `first_line` on."""
    blank = Document(path, "", None, first_line, error, advice)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = first_line + raw.count(b"\n", 0, cause.start)
        raise error(f"{path}:{line}: not UTF-8 text; {advice}".rstrip("; ")) from cause
    if not text.strip():
        blank.refuse("empty")
    for number, line_text in enumerate(text.splitlines(), first_line):
        if CONFLICT_MARK.match(line_text):
            raise error(
                f"{path}:{number}: git conflict marker {line_text[:7]!r}; resolve the merge conflict, then run again"
            )
    try:
        data = json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole, object_pairs_hook=_unique_keys
        )
    except json.JSONDecodeError as cause:
        line = first_line + cause.lineno - 1
        truncated = " (the file ends too early)" if cause.pos >= len(text.rstrip()) else ""
        raise error(f"{path}:{line}: no valid JSON: {cause.msg}{truncated}; {advice}".rstrip("; ")) from cause
    except (ValueError, RecursionError) as cause:
        what = "nested too deeply" if isinstance(cause, RecursionError) else str(cause)
        raise error(f"{path}: no valid JSON: {what}; {advice}".rstrip("; ")) from cause
    return Document(path, text, data, first_line, error, advice)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that can be used; numbers must be finite")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is too large; numbers must be finite")
    return value


def _whole(digits: str) -> int:
    value = int(digits) if len(digits) <= 20 else MAX_WHOLE + 1  # more are too many, and slow to read
    if abs(value) > MAX_WHOLE:
        raise ValueError(f"{digits[:20]} is too large; whole numbers may have 63 bits")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"key {twice[:100]!r} stands twice in one object")
    return members


def dump(value: Any, *, sort_keys: bool = False) -> str:
    """JSON text made for review: one key of an object, one object of a list, or one list of plain values a line."""
    return _as_text(_indented(value, "", sort_keys) + "\n")


def dump_line(value: Any) -> str:
    """JSON text on one line, without line end."""
    return _as_text(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _as_text(text: str) -> str:
    r"""JSON text without halves of surrogate pairs (of file names that are no UTF-8), which no reader of ours takes:
    they are spelt out, backslash and all."""
    return text if text.isascii() else _HALF.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text)


def _indented(value: Any, indent: str, sort_keys: bool) -> str:
    deeper = indent + "  "
    if isinstance(value, Mapping) and value:
        members = sorted(value.items()) if sort_keys else value.items()
        lines = [f"{dump_line(str(key))}: {_indented(member, deeper, sort_keys)}" for key, member in members]
        return "{\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}}}"
    if _is_list(value) and any(_is_list(item) or isinstance(item, Mapping) for item in value):
        lines = [json.dumps(item, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys) for item in value]
        return "[\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}]"
    return dump_line(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def rounded(value: Any, digits: int) -> Any:
    """A JSON value with every float cut to so many significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, Mapping):
        return {key: rounded(member, digits) for key, member in value.items()}
    return [rounded(item, digits) for item in value] if _is_list(value) else value
