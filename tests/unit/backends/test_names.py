"""Nobody outside of backends/ asks what a backend is called: what it can do it says itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest_ascend_tune
from pytest_ascend_tune import backends

PACKAGE = Path(pytest_ascend_tune.__file__).parent


def comparisons(path: Path) -> list[str]:
    """Lines that compare something with the name of a backend."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Compare):
            words = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
            if words & set(backends._HOMES):
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    return found


def test_no_room_asks_for_the_name_of_a_backend():
    rooms = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "backends" not in path.parents]
    assert len(rooms) > 50
    assert [line for path in rooms for line in comparisons(path)] == []


def test_the_look_finds_such_a_line(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    (tmp_path / "one.py").write_text('if name in ("auto", "cpu"):\n    pass\nx = a.name == "ascend"\n')
    assert comparisons(tmp_path / "one.py") == ["one.py:1", "one.py:3"]


def test_the_door_lists_every_module():
    words = set(re.findall(r"\w+", backends.__doc__ or ""))
    modules = {path.stem for path in (PACKAGE / "backends").rglob("*.py")} - {"__init__"}
    assert modules - words == set()
