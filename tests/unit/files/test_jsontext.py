from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.files import jsontext
from pytest_ascend_tune.model.errors import BaselineError, RecordError

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 60), 1 << 60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(json_values, st.booleans())
def test_dump_is_json_of_the_same_value(value, sort_keys):
    assert json.loads(jsontext.dump(value, sort_keys=sort_keys)) == value


def test_dump_makes_lines_that_a_reviewer_can_read():
    text = jsontext.dump({"b": [1, 2], "a": {"y": 1, "x": [{"q": 1, "p": [2]}, {}]}, "c": []}, sort_keys=True)
    assert text.splitlines() == [
        "{",
        '  "a": {',
        '    "x": [',
        '      {"p": [2], "q": 1},',
        "      {}",
        "    ],",
        '    "y": 1',
        "  },",
        '  "b": [1, 2],',
        '  "c": []',
        "}",
    ]
    assert text.endswith("}\n")


def test_order_of_keys_does_not_matter_when_sorted():
    assert jsontext.dump({"a": 1, "b": {"c": 2, "d": 3}}, sort_keys=True) == jsontext.dump(
        {"b": {"d": 3, "c": 2}, "a": 1}, sort_keys=True
    )


@pytest.mark.parametrize(
    ("value", "digits", "expected"), [(123456.789, 3, 123000.0), (1.23456e-7, 3, 1.23e-7), (7, 1, 7)]
)
def test_rounded_keeps_significant_digits_and_whole_numbers(value, digits, expected):
    assert jsontext.rounded({"x": [value]}, digits) == {"x": [expected]}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", r"x\.json:1: empty; restore it"),
        (b" \n\n", "empty"),
        (b'{\n "a": 1,\n', r"x\.json:\d: .*ends too early"),
        (b'{"a": 1}\n}', r"x\.json:2: no valid JSON"),
        (b'{\n"a": 1\n"b": 2}', r"x\.json:3: no valid JSON"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b'{\n"a":\n\xff}', r"x\.json:3: not UTF-8"),
        (b"[" * 100_000, "nested too deeply|no valid JSON"),
        (b"9" * 5000, "no valid JSON"),
        (b'{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> topic\n}', r"x\.json:2: git conflict marker '<<<<<<<'"),
        (b'{\n"a": 2\n>>>>>>> topic\n}', r"x\.json:3: git conflict marker"),
    ],
)
def test_damage_is_refused_with_file_line_and_advice(tmp_path, raw, message):
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    with pytest.raises(BaselineError, match=message) as caught:
        jsontext.read_document(path, error=BaselineError, advice="restore it")
    assert str(path) in str(caught.value)
    assert "restore it" in str(caught.value) or "resolve" in str(caught.value)
    assert path.read_bytes() == raw


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b'\xef\xbb\xbf{\r\n"a": 1\r\n}\r\n')
    assert jsontext.read_document(path).data == {"a": 1}


def test_a_missing_file_is_a_record_error(tmp_path):
    with pytest.raises(RecordError, match=r"no\.json: cannot be read"):
        jsontext.read_document(tmp_path / "no.json")


def test_refuse_names_the_line_of_the_key():
    text = '{\n "a": {\n  "x": 1\n },\n "b": {\n  "x": 2\n }\n}'
    document = jsontext.Document(Path("f.json"), text, json.loads(text), advice="mend it")
    with pytest.raises(RecordError, match=r"^f\.json:6: b\.x: too small; mend it$"):
        document.refuse("too small", ("b", "x"))
    assert jsontext.spell(("trials", 3, "time_ms")) == "trials[3].time_ms"


@pytest.mark.parametrize("digits", ["9223372036854775808", "-9223372036854775808", "1" * 40, "1" * 6000])
def test_whole_numbers_have_63_bits(digits):
    with pytest.raises(RecordError, match="too large; whole numbers may have 63 bits"):
        jsontext.parse_document(Path("a.json"), b'{"a": %s}' % digits.encode())


def test_the_largest_whole_number_is_read():
    assert jsontext.parse_document(Path("a.json"), b"[9223372036854775807, -9223372036854775807]").data[0] == 2**63 - 1


def test_many_keys_and_a_duplicate_are_looked_at_once():
    """Names compare themselves here: a second look at all of them for each would be 10 billion comparisons."""
    compared = 0

    class Name(str):
        __slots__ = ()

        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    pairs = [(Name(f"key{number}"), 1) for number in range(60_000)]
    with pytest.raises(ValueError, match="key 'key59999' stands twice"):
        jsontext._unique_keys([*pairs, (Name("key59999"), 2)])
    assert compared < 200_000


@pytest.mark.parametrize("dump", [jsontext.dump, jsontext.dump_line])
def test_a_file_name_that_is_no_utf_8_is_written_so_that_it_can_be_read(dump):
    written = dump({"caf\udce9": ["a\udcff/b", "中\\ud800"]}).encode()
    read = jsontext.parse_document(Path("a.json"), written).data
    assert read == {"caf\\udce9": ["a\\udcff/b", "中\\ud800"]}
