"""A plugin is a guest: installed and unused it prints nothing, imports nothing heavy and touches nothing."""

import subprocess
import sys

import pytest

from tests.plugin.conftest import SIMPLE

HEAVY = ("numpy", "scipy", "sklearn", "skopt", "matplotlib", "jinja2", "torch", "sqlalchemy")


def test_the_plugin_module_imports_nothing_heavy():
    modules = "pytest_ascend_tune.plugin, pytest_ascend_tune.cli"
    code = f"import sys, {modules}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_unused_only_the_door_is_loaded(tmp_path):
    (tmp_path / "test_empty.py").write_text("def test_empty(): pass\n")
    code = "import sys, pytest; pytest.main(['-q', '--co']); print(*[n for n in sys.modules if 'ascend_tune' in n])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    loaded = {name.partition(".")[2] for name in done.stdout.splitlines()[-1].split()}
    assert loaded - {""} == {
        "model",
        "model.door",
        "model.errors",
        "model.names",
        "model.word",
        "options",
        "options.parse",
        "options.settings",
        "options.table",
        "plugin",
        "plugin.hookspec",
    }


def test_unused_on_an_empty_file(pytester):
    pytester.makepyfile(
        f"""
        import sys

        def test_nothing():
            assert not [name for name in {HEAVY!r} if name in sys.modules]
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:html", "-W", "error")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*ascend*tune:*")
    assert not (pytester.path / ".ascend-tune").exists()


def test_marked_tests_are_skipped_with_the_reason_and_nothing_is_written(project):
    project.pytester.makepyfile(SIMPLE)
    result = project.run("-rs", on=False)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*give --ascend-tune to tune and gate*"])
    assert not (project.path / ".ascend-tune").exists()


@pytest.mark.parametrize(
    "options", [["--collect-only"], ["--collect-only", "--ascend-tune", "--ascend-tune-template=tiny"]]
)
def test_collecting_writes_nothing_and_opens_no_device(project, options):
    project.pytester.makepyfile(SIMPLE)
    result = project.run(*options, on=False)
    assert result.ret == 0
    assert not (project.path / ".ascend-tune").exists()


def test_strict_markers_and_strict_config(project):
    project.pytester.makepyfile(SIMPLE)
    project.pytester.makeini("[pytest]\nascend_tune_max_iter = 3\n")
    result = project.run("--strict-markers", "--strict-config", on=False)
    result.assert_outcomes(skipped=1)


def test_help_names_every_option(pytester):
    from pytest_ascend_tune.options.table import OPTIONS

    text = pytester.runpytest_inprocess("--help").stdout.str()
    for option in OPTIONS:
        assert option.switch in text
        assert option.ini in text


def test_rows_of_a_shapes_file_are_skipped_too(project):
    project.write("shapes.csv", "m,n,k\n64,64,64\n")
    project.pytester.makepyfile("def test_ok(): pass")
    result = project.run("-rs", "--ascend-tune-shapes=shapes.csv", on=False)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*shapes.csv*tuning is off*"])
