import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.kernels.constraints import Condition
from pytest_ascend_tune.model.errors import TemplateError

NAMES = ("x", "y", "z")


def holds(text, **columns):
    return Condition.parse(text, "space.toml: require").holds(columns)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x % y == 0", [True, False, True]),
        ("x // 2 + y * 3 - 1 >= 14", [False, True, True]),
        ("cdiv(x, y) == 2", [False, True, True]),
        ("2 < x <= 6", [True, True, False]),
        ("x == 4 or y == 5", [True, False, False]),
        ("x > 4 and not x == 8", [False, True, False]),
        ("min(x, y, 5) == 4 and max(x, y) < 8", [True, True, False]),
        ("abs(y - x) <= 2", [True, True, False]),
        ("-x < -4", [False, True, True]),
        ("x / y > 1.4", [False, True, True]),
        ("not x", [False, False, False]),
        ("x % (y - y) == 0", [True, True, True]),  # division by zero gives 0
    ],
)
def test_meaning(text, expected):
    result = holds(text, x=np.array([4, 6, 8]), y=np.array([4, 4, 4]))
    assert np.broadcast_to(result, 3).tolist() == expected


def test_texts_are_compared_for_equality():
    columns = {"mode": np.array(["row", "tree"]), "dtype": "int8"}
    assert holds("mode == 'row' and dtype == 'int8'", **columns).tolist() == [True, False]
    assert holds("mode != 'row'", **columns).tolist() == [False, True]


@pytest.mark.parametrize("text", ["mode < 'row'", "mode == 1", "1 == mode", "mode + 'x' == 'rowx'", "not mode"])
def test_texts_know_nothing_else(text):
    with pytest.raises(TemplateError, match=r"space\.toml: require"):
        holds(text, mode=np.array(["row"]))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('x') == 0",
        "x.real == 1",
        "x[0] == 1",
        "(lambda: x)() == 1",
        "[y for y in x] == 1",
        "x ** 9 == 1",
        "x << 2 == 1",
        "x is 1",
        "x in (1, 2)",
        "open(x) == 1",
        "min() == 1",
        "cdiv(x) == 1",
        "abs(*x) == 1",
        "min(x, key=y) == 1",
        "(x := 1) == 1",
        "f'{x}' == 'a'",
        "b'x' == x",
        "None == x",
        "(x if x else y) == 1",
        "x @ y == 1",
        "~x == 1",
    ],
)
def test_not_on_the_list(text):
    with pytest.raises(TemplateError, match=r"space\.toml: require"):
        Condition.parse(text, "space.toml: require")


@pytest.mark.parametrize(
    "text", ["x % y", "x", "", "  ", "x ==", "1", 5, None, "x\x00 == 1", "(" * 500 + "x" + ")" * 500]
)
def test_no_condition(text):
    with pytest.raises(TemplateError, match=r"space\.toml: require"):
        Condition.parse(text, "space.toml: require")


def test_very_long_conditions_are_refused_not_recursed_into():
    with pytest.raises(TemplateError, match="characters"):
        Condition.parse("+".join(["x"] * 5000) + " == 1", "space.toml: require")


def test_names_are_known_before_evaluation():
    assert Condition.parse("min(x, l1_bytes) % m == 0", "").names == {"x", "l1_bytes", "m"}


numbers = st.integers(-50, 50).map(str)
leaves = st.one_of(st.sampled_from(NAMES), numbers)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=6,
)
comparisons = st.tuples(values, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), values).map(" ".join)
conditions = st.lists(comparisons, min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from([" and ", " or "]).map(lambda join: join.join(parts))
)


@settings(max_examples=50, deadline=None)
@given(conditions, st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1, max_size=5))
def test_columns_agree_with_python(text, rows):
    columns = {name: np.array([row[i] for row in rows]) for i, name in enumerate(NAMES)}
    result = np.broadcast_to(holds(text, **columns), len(rows))
    expected = [eval(text, {"min": min, "max": max}, dict(zip(NAMES, row, strict=True))) for row in rows]
    assert result.tolist() == expected


class TestNumbers:
    """Whole numbers are whole numbers: they neither wrap nor become truth values."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("(m > 0) + (m > 0) == 2", [True, True]),
            ("-(m > 0) == 0 - 1", [True, True]),
            ("(m > 0) - (m > 5) == 1", [True, False]),
            ("m * m * m > 0", [True, True]),
            ("m * m * m % 7 == 0", [False, False]),
            ("m * m - m * m + m == m", [True, True]),
            ("m * m // m == m", [True, True]),
            ("cdiv(m * m, m) == m and m * m / m < m * 2", [True, True]),
            ("m * m and not m * m == 0", [True, True]),
            ("min(m * m, 5) + max(m, 7) > abs(0 - m)", [True, True]),
            ("m * m // (m - m) == 0 and m * m % 0 == 0 and cdiv(m * m, 0) == 0", [True, True]),
        ],
    )
    def test_they_are_exact(self, text, expected):
        assert np.broadcast_to(holds(text, m=np.array([3, 2**62 + 1])), 2).tolist() == expected
        assert [bool(holds(text, m=m)) for m in (3, 2**62 + 1)] == expected

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=3, max_size=3), st.sampled_from("+-*"))
    def test_arithmetic_is_pythons(self, numbers, sign):
        x, y, z = numbers
        wanted = eval(f"x {sign} y {sign} z", {"x": x, "y": y, "z": z})
        columns = {name: np.array([value]) for name, value in zip(NAMES, numbers, strict=True)}
        for text, truth in ((f"x {sign} y {sign} z <= 5", wanted <= 5), (f"x {sign} y {sign} z > x", wanted > x)):
            assert holds(text, **columns).tolist() == [truth]

    def test_what_no_float_can_hold_is_our_own_error(self):
        with pytest.raises(TemplateError, match="too large"):
            holds(" * ".join(["m"] * 60) + " / 2 > 0", m=2**62)


@pytest.mark.parametrize(
    "text",
    [
        "-" * 1900 + "1 == 0",
        "+".join(["m"] * 900) + " > 0",
        "not " * 400 + "m",
        "(" * 300 + "m" + ")" * 300 + " > 0",
        "min(" * 100 + "m" + ", 1)" * 100 + " > 0",
        "m > 9223372036854775808",
        "m > " + "9" * 1900,
        "m > 0x" + "f" * 1900,
        "m > 1e999",
        "m > 1\x00",
        "m is 1",
    ],
    ids=lambda text: text[:12],
)
def test_no_condition_is_too_long_deep_or_large_for_our_own_error(text, recwarn):
    with pytest.raises(TemplateError, match=r"space\.toml: require"):
        Condition.parse(text, "space.toml: require")
    assert not recwarn.list
