"""The registry names every picture file once; each picture has its own name and draws what its series says."""

from importlib import import_module
from pathlib import Path

from pytest_ascend_tune.reports.figures import registry
from pytest_ascend_tune.reports.figures.picture import Picture, Source
from tests.factories import gate_result

FOLDER = Path(registry.__file__).parent


def test_every_file_that_holds_a_picture_is_registered() -> None:
    modules = [
        import_module(f"pytest_ascend_tune.reports.figures.{path.stem}")
        for path in sorted(FOLDER.glob("*.py"))
        if path.stem != "__init__"
    ]
    files = {module.__name__: module.PICTURE for module in modules if hasattr(module, "PICTURE")}
    assert all(isinstance(picture, Picture) for picture in files.values())
    missing = [name for name, picture in files.items() if picture not in registry.PICTURES]
    assert not missing, f"not in registry.py: {missing}"
    assert len(registry.PICTURES) == len(files)


def test_names_are_those_of_the_files_and_different() -> None:
    names = [picture.name for picture in registry.PICTURES]
    assert len(set(names)) == len(names)
    assert all((FOLDER / f"{name}.py").is_file() for name in names)


def test_the_door_lists_all_modules() -> None:
    door = (FOLDER / "__init__.py").read_text("utf-8")
    assert not [path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__" and path.stem not in door]


def test_a_picture_that_does_not_apply_is_left_out() -> None:
    assert {picture.name for picture in registry.PICTURES if picture.of(gate_result(), Source()) is None} >= {
        "predicted",
        "trend",
    }
