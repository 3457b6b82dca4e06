"""The picture of the house and its table say what the imports say today."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def house():
    pytest.importorskip("grimp")
    spec = importlib.util.spec_from_file_location("house", ROOT / "docs/house.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["house"]


def test_the_rooms_on_the_page_are_the_rooms_of_the_code(house):
    folders = {path.parent.name for path in (ROOT / house.PACKAGE).glob("*/__init__.py")}
    assert {room.name for room in house.rooms()} == folders
    table = house.PAGE.read_text("utf-8").partition(house.BEGIN)[2].partition(house.END)[0]
    for room in house.rooms():
        assert f"| {room.floor} | `{room.name}/` | {room.sentence} |" in table, "run `python docs/house.py`"


def test_no_way_leads_up_and_none_goes_round(house):
    floors = {room.name: room.floor for room in house.rooms()}
    ways = house.ways()
    assert ways, "no import was found: the graph is empty"
    assert [way for way in ways if floors[way[0]] <= floors[way[1]]] == []


def test_only_doors_stand_at_the_top(house):
    assert {path.name for path in (ROOT / house.PACKAGE).glob("*.py")} == {"__init__.py", "__main__.py"}
