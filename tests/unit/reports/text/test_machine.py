"""results.json and JUnit properties."""

import json
from collections.abc import Callable
from datetime import datetime, timezone
from importlib import resources
from typing import Any

import jsonschema
import pytest

from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.reports.text.machine import junit_properties, result_json, results_json
from tests.factories import every_status, gate_result

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
SCHEMA: dict[str, Any] = json.loads(
    (resources.files("pytest_ascend_tune.reports") / "schema/results-1.schema.json").read_text("utf-8")
)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("count", [0, 1, 50])
def test_documents_obey_the_schema(count: int) -> None:
    document = results_json(every_status(count=count) if count else (), now=NOW, environment={"git": "abc"})
    jsonschema.validate(json.loads(json.dumps(document)), SCHEMA)
    assert document["created_at"] == "2026-11-30T09:00:00Z"


def test_the_schema_refuses_what_is_wrong() -> None:
    document = results_json([gate_result()], now=NOW)
    document["results"][0]["status"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


def test_every_member_is_in_the_schema() -> None:
    assert set(result_json(gate_result())) == set(SCHEMA["$defs"]["result"]["properties"])
    assert set(results_json([], now=NOW)) == set(SCHEMA["properties"])


def test_a_result_stays_small() -> None:
    assert len(json.dumps(result_json(gate_result(GateStatus.REGRESSED, count=500)), indent=1)) <= 20_000


def test_numbers_are_those_of_the_result() -> None:
    result = gate_result(GateStatus.REGRESSED)
    facts = result_json(result)
    assert facts["tflops"] == pytest.approx(result.tflops, rel=1e-5)
    assert facts["change"] == pytest.approx(-0.073)
    assert facts["change_interval"] == pytest.approx([-0.078, -0.069])
    assert facts["trials"] == 50
    assert facts["failed_trials"] == sum(trial.failure is not None for trial in result.tuning.trials)


def test_worst_comes_first() -> None:
    document = results_json(every_status()[::-1], now=NOW)
    assert [facts["status"] for facts in document["results"]][:3] == ["nothing_valid", "regressed", "below_efficiency"]
    assert document["failed"] is True


def test_junit_properties_are_text_and_leave_out_the_unknown() -> None:
    properties = dict(junit_properties(gate_result(GateStatus.REGRESSED)))
    assert properties["ascend_tune_status"] == "regressed"
    assert properties["ascend_tune_cause"] == "code"
    assert properties["ascend_tune_change"] == "-0.073"
    assert properties["ascend_tune_simulated"] == "false"
    nothing = dict(junit_properties(gate_result(GateStatus.NOTHING_VALID)))
    assert "ascend_tune_tflops" not in nothing
    assert all(isinstance(value, str) for value in nothing.values())


def test_the_form_of_a_document(golden: Callable[[str, str], None]) -> None:
    document = results_json([gate_result(GateStatus.REGRESSED, count=4)], now=NOW, environment={"git commit": "abc"})
    document["generator"] = "pytest-ascend-tune"
    golden("reports/results.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
