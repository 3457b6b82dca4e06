"""Relative paths: from the working directory on the command line, from rootdir in ini files, markers and calls."""

import pytest

from tests.plugin.conftest import SIMPLE


@pytest.fixture
def deep(project, monkeypatch):
    """The project, with its test two folders below rootdir and pytest started from there, options given by the test."""
    project.write("sub/deep/test_x.py", SIMPLE)
    project.write("pytest.ini", "[pytest]\n")
    monkeypatch.chdir(project.path / "sub/deep")
    return project


def run(project, *options):
    return project.pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--ascend-tune", "--ascend-tune-max-iter=2", *options
    )


def test_on_the_command_line_from_the_working_directory(deep):
    result = run(deep, "--ascend-tune-template=../../tiny", "--ascend-tune-report=here.html", "--ascend-tune-json=j")
    result.assert_outcomes(passed=1)
    assert {"here.html", "j"} < {path.name for path in (deep.path / "sub/deep").iterdir()}
    assert run(deep, "--ascend-tune-template=tiny").ret == pytest.ExitCode.USAGE_ERROR


def test_in_an_ini_file_from_rootdir(deep):
    deep.write("pytest.ini", "[pytest]\nascend_tune_template = tiny\nascend_tune_report = page.html\n")
    run(deep).assert_outcomes(passed=1)
    assert (deep.path / "page.html").exists()


@pytest.mark.parametrize(
    "text",
    [
        SIMPLE.replace("k=64", "k=64, template='tiny'"),
        SIMPLE.replace("k=64", "k=64, template=pathlib.Path('tiny')").replace("import", "import pathlib\nimport", 1),
        SIMPLE.replace("ascend_tune()", "ascend_tune(template='tiny')"),
    ],
    ids=["marker", "path object", "call"],
)
def test_in_a_marker_or_a_call_from_rootdir(deep, text):
    deep.write("pytest.ini", "[pytest]\nascend_tune_template = tiny\n")
    deep.write("sub/deep/test_x.py", text)
    run(deep).assert_outcomes(passed=1)


def test_a_marker_may_name_a_shapes_file_and_its_rows_take_the_markers_template(deep):
    deep.write("other/shapes.csv", "m,n,k\n64,64,64\n96,64,64\n")
    deep.write("pytest.ini", "[pytest]\nascend_tune_template = nosuch\n")
    marker = "shapes='other/shapes.csv', template='tiny', layout='nt'"
    deep.write("sub/deep/test_x.py", SIMPLE.replace("m=64, n=64, k=64", marker))
    run(deep, "-v").assert_outcomes(passed=2)
    assert {path.name for path in deep.runs()} == {"64x64x64-float32-nt", "96x64x64-float32-nt"}
    assert {path.parent.name for path in deep.runs()} == {"tiny"}


def test_rows_of_shapes_files_take_the_template_of_the_ini_file(deep):
    deep.write("sub/deep/shapes.csv", "m,n,k\n64,64,64\n")
    deep.write("pytest.ini", "[pytest]\nascend_tune_template = tiny\n")
    (deep.path / "sub/deep/test_x.py").unlink()
    result = run(deep, "--ascend-tune-shapes=shapes.csv")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*64x64x64-float32-nn*tiny*"])


def test_a_call_beats_the_command_line_and_keeps_its_own_base(deep):
    deep.write("sub/deep/test_x.py", SIMPLE.replace("ascend_tune()", "ascend_tune(template='tiny')"))
    run(deep, "--ascend-tune-template=../../tiny").assert_outcomes(passed=1)
