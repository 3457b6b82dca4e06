"""CONTRIBUTING's recipes followed half-way in a copy of the repository: the suite names what is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("pytest_ascend_tune", "tests", "docs", "kernel_templates", "pyproject.toml", "README.md", "README.zh-CN.md")
PICTURE = """from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.reports.figures import distribution
from pytest_ascend_tune.reports.figures.picture import Picture

PICTURE = Picture(
    "dummy", distribution.series_of, distribution.distribution_figure, lambda result, series: Text.of("a dummy picture")
)
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), "utf-8")


def suite(copy: Path, *tests: str) -> str:
    """What pytest says of these tests of the copy."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *(f"tests/unit/reports/{test}" for test in tests),
        ],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert str(copy) in done.stdout or done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def test_a_status_without_its_line_schema_and_docs(copy: Path) -> None:
    package = copy / "pytest_ascend_tune"
    change(package / "model/verdict.py", '    PASSED = "passed"\n', '    PASSED = "passed"\n    DUMMY = "dummy"\n')
    said = suite(copy, "test_statuses.py", "test_messages.py")
    for missing in (
        "reports/statuses.py",
        "results-1.schema.json",
        "docs/reference.md",
        "README.md",
        "README.zh-CN.md",
    ):
        assert missing in said
    look = "    GateStatus.PASSED: StatusLook("
    change(
        package / "reports/statuses.py",
        look,
        f'    GateStatus.DUMMY: StatusLook(Text.of("dummy"), "#", "#", GOOD),\n{look}',
    )
    said = suite(copy, "test_statuses.py", "test_messages.py")
    assert "reports/statuses.py: 'dummy'" in said, "its Chinese label"


def test_a_picture_without_its_line_and_its_chinese_words(copy: Path) -> None:
    figures = copy / "pytest_ascend_tune/reports/figures"
    (figures / "dummy.py").write_text(PICTURE, "utf-8")
    said = suite(copy, "figures/test_registry.py", "test_messages.py")
    assert "not in registry.py: ['pytest_ascend_tune.reports.figures.dummy']" in said
    assert "reports/figures/dummy.py: 'a dummy picture'" in said
    assert "test_the_door_lists_all_modules" in said
    change(figures / "registry.py", "    trend.PICTURE,\n", "    trend.PICTURE,\n    dummy.PICTURE,\n")
    change(figures / "registry.py", "import comparison, convergence, ", "import comparison, convergence, dummy, ")
    change(figures / "__init__.py", "predicted, trend:", "predicted, trend, dummy:")
    zh = copy / "pytest_ascend_tune/reports/messages/zh.py"
    change(zh, "CATALOGUE: dict[str, str] = {\n", 'CATALOGUE: dict[str, str] = {\n    "a dummy picture": "示例图",\n')
    said = suite(copy, "figures/test_registry.py", "test_messages.py")
    assert "failed" not in said, said


def test_nothing_is_missing_in_the_repository_itself(copy: Path) -> None:
    said = suite(copy, "figures/test_registry.py", "test_messages.py", "test_statuses.py")
    assert "failed" not in said, said
