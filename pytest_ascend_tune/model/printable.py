"""The border to terminals and CI logs: the one function through which text passes on its way out.

Names, reasons and compiler logs come from files of a repository; what prints them must not obey them.
"""

from __future__ import annotations

import re

from pytest_ascend_tune.model.secreturl import hide_urls

_KEPT = frozenset("\n\t\u00a0\u3000")  # besides what str.isprintable() calls printable
_LINE_START = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)  # GitHub: ::error::, ::add-mask::
_ANYWHERE = re.compile(r"(##\w*)\[")  # GitHub and Azure: ##[error], ##vso[...; TeamCity: ##teamcity[


def printable(text: str) -> str:
    r"""A text that terminals and CI logs only show.

    Escape sequences, bidirectional controls, invisible characters and lone surrogates become ``\u001b`` as JSON
    writes them (JSON stays JSON); what begins a workflow command loses its first sign; passwords of URLs are masked.
    Line ends stay.
    """
    text = hide_urls(text.replace("\r\n", "\n"))
    bare = text.replace("\n", "")
    if not bare.isprintable():
        text = "".join(char if char.isprintable() or char in _KEPT else _escaped(char) for char in text)
    return _ANYWHERE.sub(r"\1\\u005b", _LINE_START.sub(r"\1\\u003a", text))


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
