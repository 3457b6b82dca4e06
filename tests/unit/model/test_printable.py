"""What is printed is only shown: no escape, no workflow command, no bidirectional control comes through."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.printable import printable

COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
PIECES = st.sampled_from(["\n", "\r", "\r\n", "\u2028", "\x85", "::error::x", "##[error]", "##vso[x]", " ", "\t", ":"])
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=8).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example("because\n::error file=x::gone\x1b[2K")
@example("\u202e\u2066\u200b\ufeff\x7f\x9b31m\udcff\U000e0041")
@example("\n \t ::stop-commands::x")
def test_nothing_that_a_reader_of_lines_would_obey_comes_through(text):
    shown = printable(text)
    assert not [
        char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\n\t"
    ]
    assert not any(COMMAND.search(line) for line in shown.split("\n"))
    assert not COMMAND.search(shown)
    assert printable(shown) == shown
    shown.encode("utf-8")


@settings(max_examples=200, deadline=None)
@given(st.recursive(TEXTS.filter(lambda text: ":/" not in text), lambda inner: st.lists(inner, max_size=3)))
def test_json_stays_the_same_json(value):
    assert json.loads(printable(json.dumps(value, ensure_ascii=False))) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "✔ 512x512 97 % – 中文，全角\u3000空格",
        "a::b f.cpp:1:2: error: x",
        "two\nlines\tand a tab",
        "x = a[1] ## b",
    ],
)
def test_plain_text_stays(text):
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\u001b[31mred"),
        ("::error::x", r"\u003a:error::x"),
        ("a ##[error]b", r"a ##\u005berror]b"),
        ("one\r\ntwo\rthree", "one\ntwo\\u000dthree"),
        ("\U000e0041", r"\udb40\udc41"),
        ("see postgresql://me:pw@host/db", "see postgresql://***@host/db"),
    ],
)
def test_what_is_dangerous_is_shown_as_json_writes_it(text, shown):
    assert printable(text) == shown
