from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.measurement import Failure, Measurement, Sample
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.search import Convergence, Trial
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Baseline, Fingerprint, GateResult, Policy, Verdict
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.records.format.codec import from_json, to_json
from pytest_ascend_tune.records.format.leaves import FormError
from tests import factories
from tests.unit.records import strategies

RELAXED = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
TRIAL = Trial(1, Config({"tile_m": 64}), Measurement((1.5, 2.0)))


def through_text(value):
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.mark.parametrize("skip_defaults", [False, True])
@pytest.mark.parametrize(
    "kind", [Trial, Confirmation, Convergence, Baseline, Verdict, Fingerprint, Policy, Text, GemmProblem]
)
@RELAXED
@given(data=st.data())
def test_what_is_written_is_read_back_equal(kind, skip_defaults, data):
    value = data.draw(strategies.value(kind))
    assert from_json(kind, through_text(to_json(value, skip_defaults=skip_defaults))) == value


def test_a_whole_gate_result_survives():
    for result in factories.every_status():
        assert from_json(GateResult, through_text(to_json(result, skip_defaults=True))) == result


def test_forms_are_the_ones_that_readers_rely_on():
    assert to_json(TRIAL, skip_defaults=True) == {
        "index": 1,
        "config": {"tile_m": 64},
        "outcome": {"samples_us": [1.5, 2.0]},
    }
    failed = replace(TRIAL, outcome=Failure(FailureKind.BUILD_TIMEOUT, "60 s"))
    assert to_json(failed)["outcome"] == {"kind": "build_timeout", "message": "60 s"}
    assert to_json(Fingerprint("910B1", (("soc", "910B1"),)))["identity"] == {"soc": "910B1"}
    assert to_json(GemmProblem.from_id("1x2x3-int8-nt")) == "1x2x3-int8-nt"
    assert to_json(Text.of("{drop:.1%} slower than {name}", drop=0.05, name=Text.of("main"))) == {
        "template": "{drop:.1%} slower than {name}",
        "values": {"drop": 0.05, "name": {"template": "main", "values": {}, "text": "main"}},
        "text": "5.0 % slower than main",
    }


def test_numpy_numbers_become_plain_ones():
    measured = Measurement((np.float64(2.5), np.float32(0.5)), noisy=np.bool_(True))  # type: ignore[arg-type]
    text = Text.of("{count:d} {share:.1%}", count=np.int64(3), share=np.float64(0.5))
    assert through_text(to_json(measured))["samples_us"] == [2.5, 0.5]
    assert to_json(measured)["noisy"] is True
    assert str(from_json(Text, through_text(to_json(text)))) == "3 50.0 %"


def test_what_is_no_json_inside_a_sentence_is_kept_as_its_words():
    text = Text.of("{config} for {problem}", config=Config({"a": 1}), problem=GemmProblem.from_id("1x1x1-int8-nn"))
    assert str(from_json(Text, through_text(to_json(text)))).startswith("a=1 for ")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), np.float64("nan")])
def test_numbers_that_are_not_finite_are_not_written(number):
    for value in (
        Measurement((number,)),
        Sample(1.0, number),
        Text.of("{x}", x=number),
        Measurement((1.0,), (number,)),
    ):
        with pytest.raises(RecordError, match="finite"):
            to_json(value)


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("index",), 1.5, "whole number"),
        (("index",), True, "whole number"),
        (("index",), "1", "whole number"),
        (("config",), [], "object"),
        (("config", "tile_m"), 1.5, "whole number or a string"),
        (("config", "tile_m"), True, "whole number or a string"),
        (("config", "tile_m"), None, "whole number or a string"),
        (("outcome",), {}, "neither Measurement nor Failure"),
        (("outcome", "samples_us"), 3.0, "list"),
        (("outcome", "samples_us"), [0.0], "above 0"),
        (("outcome", "samples_us"), [-1.0], "above 0"),
        (("outcome", "samples_us"), ["1"], "number"),
        (("outcome", "samples_us"), [True], "number"),
        (("outcome", "samples_us"), [10**400], "finite"),
        (("outcome", "reference_us"), [0], "above 0"),
        (("outcome", "noisy"), 1, "true or false"),
        (("origin",), "luck", "allowed: default, baseline"),
        (("build_s",), None, "number"),
        (("colour",), "red", "unknown key"),
    ],
)
def test_a_wrong_value_is_refused_with_the_keys_that_lead_to_it(keys, value, message):
    data = through_text(to_json(TRIAL))
    target = data
    for key in keys[:-1]:
        target = target[key]
    target[keys[-1]] = value
    with pytest.raises(FormError, match=message) as caught:
        from_json(Trial, data)
    assert caught.value.keys[: len(keys)] == keys


def test_a_missing_key_is_named():
    with pytest.raises(FormError, match="'config' is missing"):
        from_json(Trial, {"index": 1, "outcome": {"samples_us": [1.0]}})


@pytest.mark.parametrize("text", ["", "1x1", "0x1x1-int8-nn", "01x1x1-int8-nn", "1x1x1-int7-nn", "1x1x1-int8-NN", 7])
def test_a_problem_id_has_one_spelling(text):
    with pytest.raises(FormError):
        from_json(GemmProblem, text)


@pytest.mark.parametrize(
    "template",
    [
        "{x.__class__}",
        "{x[0]}",
        "{x:>999999999}",
        "{x:{x}}",
        "{y}",
        "{}",
        "{0}",
        "{x",
        "{x:.1%}",
        "{x:%Y}",
    ],
)
def test_a_sentence_from_a_file_can_only_be_filled_in(template):
    with pytest.raises(FormError, match="cannot be put together"):
        from_json(Text, {"template": template, "values": {"x": "a"}})


def test_half_a_surrogate_is_no_text():
    with pytest.raises(FormError, match="surrogate"):
        from_json(Failure, {"kind": "crash", "message": "\ud800"})
