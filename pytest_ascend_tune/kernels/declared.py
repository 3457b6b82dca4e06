"""Reads the keys of a space.toml and refuses what does not belong there; errors name file and key."""

from __future__ import annotations

from typing import Any, TypeVar

from pytest_ascend_tune.model.errors import TemplateError
from pytest_ascend_tune.model.word import Word

_W = TypeVar("_W", bound=Word)
_KIND = {str: "a text", int: "a whole number", list: "a list", dict: "a table"}


class Declared:
    """One space.toml, parsed. ``path``: how messages name it."""

    def __init__(self, path: str, declared: dict[str, Any]) -> None:
        self.path, self.declared = path, declared

    def tables(self, key: str, allowed: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
        """Each ``[[key]]`` with how messages name it."""
        found = []
        for number, table in enumerate(self.get(self.declared, key, list, "", []), start=1):
            where = f"[[{key}]] number {number}"
            if not isinstance(table, dict):
                raise self.bad(where, table, "a table")
            self.known(table, allowed, where)
            found.append((where, table))
        return found

    def known(self, table: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
        """Raises TemplateError for a key that is not allowed."""
        for key in table:
            if key not in allowed:
                place = f" in {where if where.startswith('[') else f'[{where}]'}" if where else ""
                raise TemplateError(f"{self.path}: unknown key {key!r}{place}; allowed: {', '.join(allowed)}")

    def get(self, table: dict[str, Any], key: str, kind: type[Any], where: str, default: Any = None) -> Any:
        """A value of `kind`; without `default` it has to be there."""
        if key not in table and default is not None:
            return default
        if key not in table:
            raise TemplateError(f"{self.path}: {where + ' ' if where else ''}{key} is missing; {_KIND[kind]} is needed")
        value = table[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise self.bad(f"{where} {key}".strip(), value, _KIND[kind])
        return value

    def words(self, table: dict[str, Any], key: str, default: list[str] | None = None) -> list[str]:
        """A list of different texts."""
        words: list[str] = self.get(table, key, list, "", default)
        if not all(isinstance(word, str) for word in words) or len(set(words)) < len(words):
            raise self.bad(key, words, "a list of different texts")
        return words

    def members(self, key: str, kind: type[_W], default: list[str] | None = None) -> tuple[_W, ...]:
        """At least one of the words of `kind`."""
        allowed = tuple(member.value for member in kind)
        words = self.words(self.declared, key, default)
        for word in words:
            if word not in allowed:
                raise self.bad(key, word, f"some of {', '.join(allowed)}")
        if not words:
            raise self.bad(key, words, f"at least one of {', '.join(allowed)}")
        return tuple(kind(word) for word in words)

    def bad(self, key: str, found: object, allowed: str) -> TemplateError:
        """What was found, where, and what is needed."""
        return TemplateError(f"{self.path}: {key} = {repr(found)[:200]}; {allowed} is needed")
