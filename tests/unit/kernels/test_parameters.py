import numpy as np
import pytest

from pytest_ascend_tune.kernels.parameters import Parameter, parse_parameter
from pytest_ascend_tune.model.errors import TemplateError


def levels(declared):
    return parse_parameter("tile_m", declared, "space.toml: [params] tile_m").levels


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ({"pow2": [16, 128]}, (16, 32, 64, 128)),
        ({"pow2": [1, 1]}, (1,)),
        ({"step": [16, 48, 16]}, (16, 32, 48)),
        ({"int": [-1, 2]}, (-1, 0, 1, 2)),
        ({"choice": [64, 16, 528]}, (16, 64, 528)),
        ({"choice": ["tree", "row"]}, ("tree", "row")),
    ],
)
def test_kinds(declared, expected):
    assert levels(declared) == expected


@pytest.mark.parametrize(
    "declared",
    [
        5,
        {},
        {"pow2": [16, 100]},
        {"pow2": [0, 16]},
        {"pow2": [32, 16]},
        {"pow2": [16, 32, 64]},
        {"step": [16, 50, 16]},
        {"step": [16, 48, 0]},
        {"step": [16, 48]},
        {"int": [1, 2.5]},
        {"int": [False, True]},
        {"int": [0, 2**62]},
        {"choice": []},
        {"choice": [1, 1]},
        {"choice": [1, "a"]},
        {"choice": ["a b"]},
        {"choice": ["-fplugin=x"]},
        {"choice": 5},
        {"range": [1, 2]},
        {"int": [1, 2], "pow2": [1, 2]},
    ],
)
def test_bad_declarations_name_the_key(declared):
    with pytest.raises(TemplateError, match=r"space\.toml: \[params\] tile_m"):
        levels(declared)


@pytest.mark.parametrize("name", ["Tile", "1x", "a-b", ""])
def test_bad_names(name):
    with pytest.raises(TemplateError, match="no usable name"):
        parse_parameter(name, {"int": [1, 2]}, "space.toml")


def test_numbers_are_encoded_in_order_with_equal_steps():
    parameter = Parameter("x", (16, 32, 528))
    assert parameter.codes.ravel().tolist() == [0.0, 0.5, 1.0]
    assert parameter.columns == ("x",)
    assert parameter.code(32).tolist() == [0.5]
    assert parameter.code(24).tolist() == [0.25]  # between two levels, as in another grid
    assert parameter.code(9999).tolist() == [1.0]
    assert Parameter("x", (7,)).codes.tolist() == [[0.0]]


def test_texts_are_one_hot():
    parameter = Parameter("mode", ("a", "b", "c"))
    assert parameter.columns == ("mode",) * 3
    assert np.array_equal(parameter.codes, np.eye(3))
    assert parameter.code("b").tolist() == [0.0, 1.0, 0.0]
    assert parameter.code("new").tolist() == [0.0, 0.0, 0.0]


def test_distance_counts_doublings():
    assert Parameter("x", (16, 32, 128)).distance(32).tolist() == [1.0, 0.0, 4.0]
    assert Parameter("flag", (0, 1)).distance(1).tolist() == [1.0, 0.0]
    assert Parameter("mode", ("a", "b")).distance("a").tolist() == [0.0, 1.0]
