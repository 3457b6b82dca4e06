"""How the rooms read: doors name their modules, and an import inside a function says what start-up it saves."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import pytest_ascend_tune

PACKAGE = Path(pytest_ascend_tune.__file__).parent
ROOMS = ("execute", "gate", "kernels", "tuning")


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_lists_the_modules_of_its_room(room):
    door = import_module(f"pytest_ascend_tune.{room}").__doc__
    modules = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}
    assert set(re.findall(r"^``(\w+)`` ", door, re.MULTILINE)) == modules


def test_an_import_inside_a_function_says_what_start_up_it_saves():
    silent = []
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text("utf-8")
        lines = source.splitlines()
        for function in ast.walk(ast.parse(source)):
            if isinstance(function, ast.FunctionDef):
                imports = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
                silent += [
                    f"{path.relative_to(PACKAGE)}:{node.lineno}"
                    for node in imports
                    if "# start-up: " not in lines[node.lineno - 1]
                ]
    assert silent == []


def test_every_benchmark_starts_the_same_way_and_is_listed():
    folder = PACKAGE.parent / "benchmarks"
    if not folder.is_dir():
        pytest.skip("an installed package has no benchmarks")
    names = sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")
    assert [name for name in names if not (folder / name / "__main__.py").is_file()] == []
    assert (
        sorted(re.findall(r"^\| \[(\w+)\]\(\1/README\.md\)", (folder / "README.md").read_text("utf-8"), re.M)) == names
    )
    for name in names:
        page = (folder / name / "README.md").read_text("utf-8")
        assert page.startswith("# ")
        assert f"python -m benchmarks.{name}" in page
