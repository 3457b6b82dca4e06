import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.kernels.constraints import Condition
from pytest_ascend_tune.kernels.parameters import Parameter
from pytest_ascend_tune.kernels.space import Constraint, Merge, SearchSpace
from pytest_ascend_tune.model.errors import SpaceError, TemplateError
from pytest_ascend_tune.model.problem import Config, GemmProblem

PROBLEM = GemmProblem(64, 64, 64, "float32")


def constraint(text, because="it must"):
    return Constraint(Condition.parse(text, "space.toml: require"), because)


def merge(text, **values):
    return Merge(Condition.parse(text, "space.toml: when"), tuple(values.items()))


def space_of(*constraints, merges=(), default=None, **levels):
    parameters = tuple(Parameter(name, tuple(values)) for name, values in levels.items())
    return SearchSpace(parameters, tuple(map(constraint, constraints)), tuple(merges), default)


def configs(space, problem=PROBLEM, **options):
    return [dict(config) for config in space.candidates(problem, **options)]


rules = st.sampled_from(
    [
        "a % b == 0",
        "a * c <= 12",
        "d == 1 or c > 2",
        "a + d < 6",
        "b != 3",
        "k % c == 0",
        "a * element_bytes <= l1_bytes",
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(rules, max_size=4, unique=True), st.integers(8, 40))
def test_candidates_are_exactly_the_legal_combinations(texts, l1_bytes):
    levels = {"a": [1, 2, 4, 6], "b": [1, 2, 3], "c": [2, 3, 5], "d": [0, 1]}
    space = space_of(*texts, **levels).bind({"l1_bytes": l1_bytes})
    facts = {"k": 64, "element_bytes": 4, "l1_bytes": l1_bytes}
    combinations = [dict(zip(levels, values, strict=True)) for values in itertools.product(*levels.values())]
    expected = [config for config in combinations if all(eval(text, {}, {**facts, **config}) for text in texts)]
    if not expected:
        with pytest.raises(SpaceError, match="no configuration is legal"):
            space.candidates(PROBLEM)
        return
    found = space.candidates(PROBLEM)
    assert found.total == len(found) == len(expected)
    assert {Config(config) for config in expected} == set(found)
    for row, config in enumerate(found):
        assert space.why_illegal(config, PROBLEM) is None
        assert found.row(config) == row
        assert found.encoded[row].tolist() == space.encode(config).tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 200), st.integers(0, 3))
def test_samples_are_legal_different_and_reproducible(limit, seed):
    space = space_of("a <= b", a=range(10), b=range(10), c=range(3))
    sample = configs(space, limit=limit, seed=seed)
    assert sample == configs(space, limit=limit, seed=seed)
    assert len({Config(config) for config in sample}) == len(sample) == min(limit, 165)
    assert all(config["a"] <= config["b"] for config in sample)
    assert space.candidates(PROBLEM, limit=limit, seed=seed).total == 165


def test_samples_are_even():
    space = space_of("a <= b", a=range(10), b=range(10), c=range(3))
    counts = np.zeros(3)
    for seed in range(200):
        for config in space.candidates(PROBLEM, limit=15, seed=seed):
            counts[config["c"]] += 1
    assert counts.sum() == 3000
    assert np.abs(counts - 1000).max() < 120  # 4.6 standard deviations


def test_a_sample_holds_the_default():
    default = Config({"a": 3, "b": 7})
    space = space_of(a=range(50), b=range(50), default=default)
    for seed in range(5):
        sample = space.candidates(PROBLEM, limit=3, seed=seed)
        assert len(sample) == 3
        assert sample.row(default) is not None


def test_huge_spaces_are_counted_and_sampled_without_enumerating():
    space = space_of("a == b", **{name: range(1000) for name in "abcdefg"})
    sample = space.candidates(PROBLEM, limit=100, seed=1)
    assert sample.total == 1000**6
    assert len(set(sample)) == 100
    assert sample.encoded.shape == (100, 7)


def test_parts_joined_by_a_constraint_have_a_limit():
    space = space_of("a + b + c + d != 1", **{name: range(500) for name in "abcd"})
    with pytest.raises(SpaceError, match="span more than"):
        space.candidates(PROBLEM)


def test_nothing_legal_says_which_constraint_excludes_how_many():
    space = space_of("a > 8", "a < 4", a=range(1, 11), b=[0, 1])
    with pytest.raises(
        SpaceError, match=r"64x64x64-float32-nn:\n.*'a > 8' excludes 16 of 20: it must\n.*excludes 14 of 20"
    ):
        space.candidates(PROBLEM)


def test_constraints_on_the_problem_alone():
    space = space_of("m % 2 == 0", a=[1, 2])
    assert len(space.candidates(PROBLEM)) == 2
    with pytest.raises(SpaceError, match="'m % 2 == 0' excludes 2 of 2"):
        space.candidates(GemmProblem(3, 1, 1, "float32"))


def test_layout_and_dtype_are_facts():
    space = space_of("a_transposed == 1 or a == 1", "b_transposed == 0", "dtype == 'int8' or a < 3", a=[1, 2, 3])
    assert configs(space, GemmProblem(1, 1, 1, "int8", "tn")) == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert configs(space, GemmProblem(1, 1, 1, "float16", "nn")) == [{"a": 1}]
    with pytest.raises(SpaceError):
        space.candidates(GemmProblem(1, 1, 1, "float16", "nt"))


def test_merged_configurations_appear_once():
    space = space_of(
        "tile >= 16", tile=[8, 16, 64], shuffle=[0, 1], swizzle=[1, 2, 3],
        merges=[merge("k <= tile", shuffle=0), merge("m <= tile", swizzle=1)],
    )  # fmt: skip
    found = space.candidates(PROBLEM)
    assert found.total == 2 * 3 + 1  # tile 16: all; tile 64: one block along k and m
    twin = Config({"tile": 64, "shuffle": 1, "swizzle": 3})
    assert space.why_illegal(twin, PROBLEM) is None
    assert found.config(found.row(twin)) == {"tile": 64, "shuffle": 0, "swizzle": 1}
    assert space.candidates(GemmProblem(999, 64, 999, "float32")).total == 12


def test_nothing_is_merged_into_an_illegal_configuration():
    space = space_of("a + b != 2", a=[0, 1, 2], b=[0, 1], merges=[merge("a > 0", a=1)])
    assert configs(space) == [{"a": 0, "b": 0}, {"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 2, "b": 1}]
    assert space.candidates(PROBLEM).row(Config({"a": 2, "b": 1})) == 3


def test_bind_refuses_unknown_names_and_lists_the_known():
    space = space_of("a * 4 <= l1_byts", a=[1, 2])
    with pytest.raises(TemplateError, match=r"names l1_byts; known are the parameters a, .*element_bytes.*l1_bytes"):
        space.bind({"l1_bytes": 1})
    with pytest.raises(TemplateError, match="rename"):
        space_of(cores=[1, 2]).bind({"cores": 24})


def test_unbound_or_without_problem():
    with pytest.raises(SpaceError, match="bind"):
        space_of("a <= l1_bytes", a=[1, 2]).candidates(PROBLEM)
    with pytest.raises(SpaceError, match="give a problem"):
        space_of("a <= m", a=[1, 2]).candidates(None)
    with pytest.raises(SpaceError, match="limit=0"):
        space_of(a=[1]).candidates(None, limit=0)


def test_why_illegal():
    space = space_of("a % b == 0", a=[2, 4], b=[1, 3])
    assert space.why_illegal(Config({"a": 2, "b": 1}), None) is None
    assert "it must" in space.why_illegal(Config({"a": 2, "b": 3}), None)
    assert "a=2, b=3" in space.why_illegal(Config({"a": 2, "b": 3}), None)
    assert "a=3 is not one of 2, 4" in space.why_illegal(Config({"a": 3, "b": 1}), None)
    assert "needed are a, b" in space.why_illegal(Config({"a": 2}), None)
    assert "needed are a, b" in space.why_illegal(Config({"a": 2, "b": 1, "c": 1}), None)


def test_default_stands_in_for_an_illegal_one():
    default = Config({"tile": 64, "depth": 32, "flag": 1})
    space = space_of("tile * depth <= l1_bytes", "element_bytes > 1 or flag == 0", default=default,
                     tile=[16, 32, 48, 64], depth=[8, 16, 32], flag=[0, 1])  # fmt: skip
    assert space.bind({"l1_bytes": 4096}, PROBLEM).default == default
    assert space.bind({"l1_bytes": 2048}).default == default
    assert space.bind({"l1_bytes": 4096}, GemmProblem(1, 1, 1, "int8")).default == {**default, "flag": 0}
    small = space.bind({"l1_bytes": 1536}, PROBLEM).default
    assert small == {"tile": 48, "depth": 32, "flag": 1}
    assert space_of(a=[1, 2, 3]).default_for(None) == {"a": 2}


class TestFromConfigs:
    ROWS = ({"wg": 64, "mode": "tree"}, {"wg": 16, "mode": "row"}, {"wg": 32, "mode": "tree"})

    def test_exactly_these(self):
        space = SearchSpace.from_configs(self.ROWS)
        assert space.names == ("wg", "mode")
        assert space.columns == ("wg", "mode", "mode")
        assert space.default is None
        found = space.candidates(None, limit=10, seed=0)
        assert [dict(config) for config in found] == list(self.ROWS)
        assert found.encoded.tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.5, 0.0, 1.0]]
        assert found.row(Config({"wg": 64, "mode": "row"})) is None

    def test_membership(self):
        space = SearchSpace.from_configs(self.ROWS)
        assert space.why_illegal(Config(self.ROWS[0]), None) is None
        assert "3 given" in space.why_illegal(Config({"wg": 64, "mode": "row"}), None)

    def test_numpy_values_floats_bools_and_duplicates(self):
        rows = [{"x": np.int64(3), "y": 0.5, "z": True}, {"x": 1, "y": 2, "z": False}, {"x": 3, "y": 0.5, "z": 1}]
        found = list(SearchSpace.from_configs(rows).candidates(None))
        assert found == [{"x": 3, "y": 0.5, "z": 1}, {"x": 1, "y": 2, "z": 0}]
        assert type(found[0]["x"]) is int

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([], "no configuration"),
            ([{}], "no configuration"),
            ([{"a": 1}, {"b": 1}], "configuration 1 has the names"),
            ([{"a": 1}, {"a": "x"}], "'a' is a number in some"),
            ([{"a": None}], "configuration 0: a=None"),
            ([{"a": float("nan")}], "configuration 0: a=nan"),
        ],
    )
    def test_bad(self, rows, message):
        with pytest.raises(SpaceError, match=message):
            SearchSpace.from_configs(rows)
