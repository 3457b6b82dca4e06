import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import Policy
from pytest_ascend_tune.options.parse import parse_percent
from pytest_ascend_tune.options.settings import Request, Settings, check_arguments, resolve
from pytest_ascend_tune.options.table import OPTIONS, options_table


@pytest.mark.parametrize(
    ("text", "share"), [("2.5%", 0.025), ("5%", 0.05), ("0.05", 0.05), (0.05, 0.05), (" 99.9% ", 0.999)]
)
def test_percentages(text, share):
    assert parse_percent(text) == pytest.approx(share)


@pytest.mark.parametrize(
    "value",
    [
        5,
        0,
        1,
        -1,
        100,
        "5",
        "abc",
        "-1%",
        "200%",
        "100%",
        "0%",
        "0",
        "1.0",
        "nan",
        "inf",
        "%",
        "",
        None,
        True,
        float("nan"),
    ],
)
def test_what_is_no_percentage_says_what_is(value):
    with pytest.raises(SettingsError, match=r"2\.5%"):
        parse_percent(value)


@given(st.floats(0.001, 99.9))
def test_percent_and_fraction_are_the_same(percent):
    assert parse_percent(f"{percent!r}%") == pytest.approx(parse_percent(percent / 100))


def test_every_option_has_a_field_and_the_same_default():
    fields = {field.name: field.default for field in dataclasses.fields(Settings) if field.name != "from_command_line"}
    assert fields == {option.name: option.default for option in OPTIONS}


@pytest.mark.parametrize(
    ("command_line", "ini", "marker", "value"),
    [
        ({}, {}, {}, 0.025),
        ({}, {"threshold": "3%"}, {}, 0.03),
        ({"threshold": "4%"}, {"threshold": "3%"}, {}, 0.04),
        ({"threshold": "4%"}, {"threshold": "3%"}, {"threshold": 0.05}, 0.05),
    ],
)
def test_thresholds_marker_beats_command_line_beats_ini(command_line, ini, marker, value):
    assert resolve(command_line, ini).for_test(marker).threshold == pytest.approx(value)


@pytest.mark.parametrize(
    ("command_line", "ini", "marker", "value"),
    [
        ({}, {"max_iter": "7"}, {}, 7),
        ({}, {"max_iter": "7"}, {"max_iter": 8}, 8),
        ({"max_iter": "9"}, {"max_iter": "7"}, {"max_iter": 8}, 9),
    ],
)
def test_budgets_command_line_beats_marker_beats_ini(command_line, ini, marker, value):
    settings = resolve(command_line, ini).for_test(marker)
    assert settings.max_iter == value
    assert settings.for_call({"max_iter": 3}).max_iter == 3


def test_the_place_of_a_bad_value_is_named():
    with pytest.raises(SettingsError, match=r"^--ascend-tune-max-iter: 'x'.*whole number >= 0"):
        resolve({"max_iter": "x"}, {})
    with pytest.raises(SettingsError, match=r"^ascend_tune_threshold \(ini\): '5'"):
        resolve({}, {"threshold": "5"})


def test_accepting_a_regression_needs_an_update():
    with pytest.raises(SettingsError, match="update-baseline"):
        resolve({"accept_regression": True}, {})


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a b", "x" * 101])
def test_a_baseline_name_cannot_leave_its_folder(name):
    with pytest.raises(SettingsError):
        resolve({"baseline": name}, {}) if name else check_arguments({"baseline": name})


@pytest.mark.parametrize(
    ("text", "devices"), [("0", (0,)), ("0,2", (0, 2)), ("0-3", (0, 1, 2, 3)), ("0-1,4", (0, 1, 4))]
)
def test_devices(text, devices):
    assert resolve({"devices": text}, {}).devices == devices


@pytest.mark.parametrize("text", ["", "a", "3-1", "0,0", "-1", "0,,1"])
def test_bad_devices(text):
    with pytest.raises(SettingsError):
        resolve({}, {"devices": text})


def test_shapes_may_repeat():
    assert resolve({"shapes": ["a.csv", "b.csv"]}, {}).shapes == ("a.csv", "b.csv")
    assert resolve({}, {"shapes": "a.csv\nb.csv\n"}).shapes == ("a.csv", "b.csv")


def test_unknown_arguments_name_the_allowed_ones():
    with pytest.raises(SettingsError, match=r"unknown argument tilem; allowed: m, n, k"):
        check_arguments({"m": 1, "tilem": 2})


def test_policy_takes_what_the_gate_needs():
    assert resolve({"missing": "seed", "threshold": "4%"}, {}).policy == Policy(threshold=0.04, missing="seed")


def test_the_seed_depends_on_problem_and_node_id_only():
    problem = GemmProblem(1, 2, 3, "float32")
    request = Request(problem, Settings(), "t.py::a")
    assert request.seed == Request(problem, Settings(), "t.py::a").seed != Request(problem, Settings(), "t.py::b").seed
    assert Request(problem, Settings(seed=5), "t.py::a").seed == 5


def test_the_table_names_every_option_once():
    table = options_table()
    for option in OPTIONS:
        assert table.count(f"`{option.ini}`") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("devices", "０-７"),
        ("devices", "٣"),
        ("max_iter", "５０"),
        ("seed", "４２"),
        ("threshold", "２.5%"),
        ("threshold", "0.0_5"),
        ("min_vs_reference", "０.9"),
        ("time_budget", "１0"),
        ("time_budget", "1_0"),
    ],
)
def test_numbers_are_written_in_plain_digits(name, value):
    with pytest.raises(SettingsError, match=name.replace("_", "[_-]")):
        resolve({name: value}, {})
