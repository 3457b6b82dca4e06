import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ascend_tune.model.errors import ProblemError
from pytest_ascend_tune.model.measurement import Measurement, fastest_quarter_mean
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.text import Text

sizes = st.integers(1, 10**6)
problems = st.builds(GemmProblem, sizes, sizes, sizes, st.sampled_from(Dtype), st.sampled_from(Layout))


@given(problems)
def test_problem_id_round_trips(problem):
    assert GemmProblem.from_id(problem.id) == problem


@pytest.mark.parametrize("value", [0, -1, 1.0, "64", True, None])
@pytest.mark.parametrize("name", ["m", "n", "k"])
def test_sizes_that_are_no_sizes_are_refused_by_name(name, value):
    with pytest.raises(ProblemError, match=f"^{name}="):
        GemmProblem(**{**dict.fromkeys("mnk", 8), name: value}, dtype="float32")


def test_unknown_words_name_the_allowed_ones():
    with pytest.raises(ProblemError, match=r"dtype='float64'.*float16, bfloat16"):
        GemmProblem(1, 1, 1, "float64")
    with pytest.raises(ProblemError, match=r"layout='xy'.*nn, nt, tn, tt"):
        GemmProblem(1, 1, 1, "float32", "xy")


@pytest.mark.parametrize(
    "text", ["", "1x2-float32-nn", "1x2x3x4-float32-nn", "ax2x3-float32-nn", "1x2x3-float32", "1x2x3"]
)
def test_texts_that_are_no_id_are_refused(text):
    with pytest.raises(ProblemError):
        GemmProblem.from_id(text)


def test_flops_and_rate():
    problem = GemmProblem(1000, 1000, 1000, "float32")
    assert problem.flops == 2 * 10**9
    assert problem.tflops(1000.0) == pytest.approx(2.0)
    assert GemmProblem(1, 1, 1, "int8").dtype.rate_unit == "TOPS"
    assert GemmProblem(2, 3, 4, "int8").operand_bytes == 2 * 4 + 4 * 3 + 2 * 3 * 4


@given(st.dictionaries(st.text(min_size=1), st.integers(), min_size=1))
def test_config_does_not_depend_on_order(values):
    backwards = dict(reversed(values.items()))
    assert Config(values) == Config(backwards) == values
    assert hash(Config(values)) == hash(Config(backwards))
    assert pickle.loads(pickle.dumps(Config(values))) == Config(values)


@given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=40), st.floats(0.1, 1e6))
def test_the_estimator_lies_between_minimum_and_mean_and_ignores_order(samples, slow):
    value = fastest_quarter_mean(tuple(samples))
    assert min(samples) - 1e-9 <= value <= sum(samples) / len(samples) + 1e-6
    assert fastest_quarter_mean(tuple(reversed(samples))) == pytest.approx(value)


def test_a_slow_spell_seen_by_the_reference_is_taken_out():
    quiet = Measurement((10.0,) * 8, (5.0,) * 4, 5.0)
    slow = Measurement((20.0,) * 8, (10.0,) * 4, 5.0)
    assert quiet.time_us == slow.time_us == 10.0
    assert slow.median_us == 20.0


def test_text_formats_its_values_and_nested_texts():
    inner = Text.of("{drop:.1%} slower", drop=0.051)
    assert str(Text.of("{what} than before", what=inner)) == "5.1 % slower than before"
