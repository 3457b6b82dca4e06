"""Text in a terminal's columns: how wide it is, cut and padded, and a table that fits whatever width there is."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "  "

Layout = tuple[tuple[int, ...], ...]  # the lines of a row, each the numbers of the cells on it


def columns(text: str) -> int:
    """Columns that a text takes on a terminal: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def pad(text: str, width: int) -> str:
    """Fill with blanks up to `width` columns."""
    return text + " " * max(0, width - columns(text))


def shorten(text: str, width: int) -> str:
    """Cut to `width` columns."""
    while columns(text) > width:
        text = text[:-1]
    return text


def table(rows: Sequence[Sequence[str]], layouts: Sequence[Layout], width: int) -> list[str]:
    """Aligned rows in the first of `layouts` that fits `width`; where none does, the last one, cut.

    Lines after a row's first are set in under its second cell.
    """
    indent = max(columns(row[0]) for row in rows) + len(GAP)
    for layout in layouts:
        lines = _laid_out(rows, layout, indent)
        if max(map(columns, lines)) <= width:
            break
    return [shorten(line, width) for line in lines]


def _laid_out(rows: Sequence[Sequence[str]], layout: Layout, indent: int) -> list[str]:
    widths = [max(columns(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        (" " * (indent if number else 0) + GAP.join(pad(row[place], widths[place]) for place in line)).rstrip()
        for row in rows
        for number, line in enumerate(layout)
    ]
