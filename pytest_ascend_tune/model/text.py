"""Sentences for people: an English template, which is also the key of its translation, and its values."""

from __future__ import annotations

import gettext
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_ENGLISH = gettext.NullTranslations()  # source sentences are English: its plural rule is gettext's own


@dataclass(frozen=True)
class Text:
    """A sentence for people: an English template (also the key of its translation, as in gettext) and its values.

    ``str(text)`` is English; reports translate the template and format the same values. A value may be a Text.
    """

    template: str
    values: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, template: str, /, **values: Any) -> Text:
        """Build from keyword values: ``Text.of("{drop:.1%} slower", drop=0.05)``."""
        return cls(template, tuple(values.items()))

    @classmethod
    def counted(cls, one: str, many: str, count: int, /, **values: Any) -> Text:
        """`one` for a count of one, else `many`, as gettext's ngettext picks; both are keys of translations.

        ``{count}`` is a value of both: ``Text.counted("{count} trial", "{count} trials", 1)``.
        """
        return cls.of(_ENGLISH.ngettext(one, many, count), count=count, **values)

    def __str__(self) -> str:
        return filled(self.template, dict(self.values))


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        words = super().format_field(value, format_spec)
        return f"{words[:-1]} %" if format_spec.endswith("%") else words


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A sentence's template with its values, as ``str.format`` fills it; shares are written as in tables: 2.5 %."""
    return _Formatter().vformat(template, (), values)


def counted_trials(count: int) -> Text:
    """1 trial, 2 trials."""
    return Text.counted("{count} trial", "{count} trials", count)
