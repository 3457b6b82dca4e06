"""A status stands once, in statuses.py; every list of them elsewhere is checked against that table."""

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.reports.statuses import BAD, STATUSES

ROOT = Path(__file__).parents[3]
NAMES = [str(status) for status in GateStatus]
FAILING = {str(status) for status, look in STATUSES.items() if look.fails}


def test_the_table_has_every_status_in_the_order_of_precedence() -> None:
    assert list(STATUSES) == list(GateStatus), "a status of model/verdict.py has no line in reports/statuses.py"


def test_what_fails_by_default_looks_bad_and_nothing_else_does() -> None:
    assert {str(status) for status, look in STATUSES.items() if look.tone == BAD} == FAILING


def test_the_schema_lists_them() -> None:
    schema = json.loads((resources.files("pytest_ascend_tune.reports.schema") / "results-1.schema.json").read_text())
    found = [place["status"]["enum"] for place in _objects(schema) if "enum" in place.get("status", {})]
    assert NAMES in found, "reports/schema/results-1.schema.json"


def test_the_reference_lists_them_with_what_fails() -> None:
    section = (ROOT / "docs/reference.md").read_text("utf-8").partition("\n## Statuses\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", section, flags=re.MULTILINE)
    assert [name for name, _ in rows] == NAMES, "docs/reference.md"
    assert {name for name, fails in rows if fails.startswith("yes")} == FAILING


@pytest.mark.parametrize(
    ("page", "begin", "fail"),
    [("README.md", "Statuses: ", "those that fail the test"), ("README.zh-CN.md", "状态：", "使测试失败的有")],
)
def test_the_readme_lists_them_with_what_fails(page: str, begin: str, fail: str) -> None:
    paragraph = (ROOT / page).read_text("utf-8").partition(f"\n{begin}")[2].partition("\n\n")[0]
    others, _, failing = paragraph.partition(fail)
    assert set(re.findall(r"`(\w+)`", others)) == set(NAMES) - FAILING, page
    assert set(re.findall(r"`(\w+)`", failing)) == FAILING, page


def _objects(node: object) -> list[dict[str, dict[str, object]]]:
    if isinstance(node, list):
        return [found for child in node for found in _objects(child)]
    if not isinstance(node, dict):
        return []
    return [node.get("properties", {}), *(found for child in node.values() for found in _objects(child))]
