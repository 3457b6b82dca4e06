"""Bad input: exit 4 before anything is measured, the place named, nothing written."""

import json
import sqlite3
from contextlib import closing

import pytest

from pytest_ascend_tune.records.history.store import History
from tests.plugin.conftest import SIMPLE


def refused(project, result, *patterns):
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str() + result.stdout.str()
    for pattern in patterns:
        assert pattern in text, text
    assert not project.runs()


@pytest.mark.parametrize(
    ("marker", "patterns"),
    [
        ("m=64, n=64, k=0", ["test_bad_input.py::test_x", "k=0", ">= 1"]),
        ("m=-1, n=64, k=64", ["m=-1"]),
        ("m=64.0, n=64, k=64", ["m=64.0", "float"]),
        ("m='64', n=64, k=64", ["m='64'", "str"]),
        ("m=True, n=64, k=64", ["m=True"]),
        ("m=64, n=64", ["k missing"]),
        ("m=64, n=64, k=64, tile=3", ["unknown argument tile", "allowed: m, n, k"]),
        ("m=64, n=64, k=64, dtype='double'", ["dtype='double'", "float16"]),
        ("m=64, n=64, k=64, layout='zz'", ["layout='zz'", "nn, nt, tn, tt"]),
        ("m=64, n=64, k=64, threshold=5", ["threshold: 5", "2.5%"]),
        ("m=64, n=64, k=64, threshold='abc'", ["threshold: 'abc'"]),
        ("m=64, n=64, k=64, min_efficiency='-1%'", ["min_efficiency: '-1%'"]),
        ("m=64, n=64, k=64, min_efficiency='200%'", ["min_efficiency: '200%'"]),
        ("m=64, n=64, k=64, max_iter=-1", ["max_iter: -1"]),
        ("m=64, n=64, k=64, max_iter='3'", ["max_iter: '3' is a text", "number"]),
        ("m=64, n=64, k=64, max_iter=2.5", ["max_iter: 2.5"]),
        ("m=64, n=64, k=64, seed='7'", ["seed: '7' is a text"]),
        ("m=64, n=64, k=64, min_vs_reference='0.9'", ["min_vs_reference: '0.9' is a text"]),
        ("m=64, n=64, k=64, template=5", ["template: 5"]),
        ("m=64, n=64, k=64, dtype=7", ["dtype=7", "float16"]),
        ("m=64, n=64, k=64, layout=''", ["layout=''", "nn, nt, tn, tt"]),
        ("m=64, n=64, k=None", ["k missing"]),
        ("shapes=7", ["shapes=7"]),
        ("m=64, n=64, k=64, shapes=[(1, 2, 3)]", ["exclude each other"]),
        ("shapes=[]", ["shapes=[]"]),
        ("shapes=[(64, 64)]", ["shapes[0]"]),
        ("shapes=[(64, 64, 64), (64, 64, 64)]", ["twice"]),
        ("64, 64, 64", ["keywords only"]),
        ("m=10**6, n=10**6, k=10**6", ["test_bad_input.py::test_x", "GiB", "memory"]),
    ],
)
def test_marker_arguments(project, marker, patterns):
    project.pytester.makepyfile(
        test_bad_input=f"import pytest\n@pytest.mark.ascend_tune({marker})\ndef test_x(ascend_tune):\n    pass\n"
    )
    refused(project, project.run(), *patterns)


@pytest.mark.parametrize(
    ("option", "patterns"),
    [
        ("--ascend-tune-threshold=5", ["--ascend-tune-threshold", "'5'", "2.5%"]),
        ("--ascend-tune-threshold=abc", ["'abc'"]),
        ("--ascend-tune-threshold=-1%", ["'-1%'"]),
        ("--ascend-tune-threshold=200%", ["'200%'"]),
        ("--ascend-tune-max-iter=many", ["--ascend-tune-max-iter", "'many'"]),
        ("--ascend-tune-backend=cuda", ["cuda", "ascend", "cpu", "simulator"]),
        ("--ascend-tune-template=nothing", ["template 'nothing'", "cpu_gemm"]),
        ("--ascend-tune-missing=maybe", ["seed, warn, fail"]),
        ("--ascend-tune-shapes=none.csv", ["none.csv", "cannot be read"]),
        ("--ascend-tune-accept-regression", ["--ascend-tune-update-baseline"]),
        ("--ascend-tune-baseline=../main", ["../main"]),
    ],
)
def test_options(project, option, patterns):
    project.pytester.makepyfile(SIMPLE)
    refused(project, project.run(option), *patterns)


def test_ini_values_name_the_key(project):
    project.pytester.makepyfile(SIMPLE)
    project.pytester.makeini("[pytest]\nascend_tune_threshold = 5\n")
    refused(project, project.run(), "ascend_tune_threshold (ini)", "'5'")


def test_a_marked_test_without_the_fixture(project):
    project.pytester.makepyfile("import pytest\n@pytest.mark.ascend_tune(m=1, n=1, k=1)\ndef test_x():\n    pass\n")
    refused(project, project.run(), "does not request the fixture")


def test_the_same_problem_twice(project):
    project.pytester.makepyfile(SIMPLE + SIMPLE.replace("test_gemm", "test_again").replace("import pytest", ""))
    refused(project, project.run(), "test_again", "tuned by", "test_gemm")


def test_all_faults_are_told_at_once(project):
    project.pytester.makepyfile(
        SIMPLE.replace("k=64", "k=0") + SIMPLE.replace("test_gemm", "test_again").replace("m=64", "m=-3")
    )
    refused(project, project.run(), "k=0", "m=-3")


@pytest.mark.parametrize("rows", ["", "m,n\n1,2\n", "m,n,k\n64,,64\n", "m,n,k\n64,64,64\n64,64,64\n", "m,n,k\n0,1,1\n"])
def test_shapes_files(project, rows):
    project.write("shapes.csv", rows)
    refused(project, project.run("--ascend-tune-shapes=shapes.csv"), "shapes.csv")


def test_a_template_without_space_toml(project):
    (project.path / "bare").mkdir()
    project.pytester.makepyfile(SIMPLE)
    refused(project, project.run("--ascend-tune-template=bare"), "bare", "space.toml")


def test_a_constraint_that_leaves_nothing(project):
    text = (project.path / "tiny/space.toml").read_text().replace("<= 1024", "<= 1")
    project.write("tiny/space.toml", text.replace("[default]\ntile_m = 4\ntile_n = 4", ""))
    project.pytester.makepyfile(SIMPLE)
    refused(project, project.run(), "tile_m * tile_n <= 1", "the tile must fit")


@pytest.mark.parametrize(
    ("damage", "patterns"),
    [
        (lambda text: text[: len(text) // 2], [".json"]),
        (lambda text: "", [".json"]),
        (lambda text: text.replace('"schema": 1', '"schema": 99'), ["schema", "99"]),
        (lambda text: "<<<<<<< HEAD\n" + text, [".json"]),
        (lambda text: text.replace('"rounds": ', '"rounds": "x'), [".json"]),
    ],
)
def test_a_damaged_baseline_is_found_before_measuring_and_kept(project, damage, patterns):
    project.pytester.makepyfile(SIMPLE)
    assert project.run("--ascend-tune-missing=seed").ret == 0
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    damaged = damage(path.read_text())
    path.write_text(damaged)
    before = project.runs()
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str() + result.stdout.str()
    assert path.name in text
    for pattern in patterns:
        assert pattern in text
    assert path.read_text() == damaged
    assert project.runs() == before


def test_a_damaged_baseline_that_nobody_asked_for_is_told_and_skipped(project):
    """Near shapes are where a search starts: a damaged one in the middle fails nobody's test."""
    project.pytester.makepyfile(SIMPLE)
    assert project.run("--ascend-tune-missing=seed", budget=2).ret == 0
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    other = path.with_name("64x64x128-float32-nn.json")
    other.write_text(path.read_text()[:100])
    result = project.run(budget=2)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"a baseline that no test of this run asks for cannot be read: *{other.name}*"])
    assert other.read_text() == path.read_text()[:100]


def test_kept_sources_that_were_changed_are_refused_before_measuring(project):
    """A formatter went over them: built, they would be compared with as if they were the baseline's."""
    project.pytester.makepyfile(SIMPLE)
    assert project.run("--ascend-tune-missing=seed", budget=2).ret == 0
    (kept,) = (project.path / ".ascend-tune/baselines/main/sources").glob("*/tiny.cpp")
    project.write("tiny/tiny.cpp", "// slowdown: 2.0\n")
    kept.write_text("// Licence\n" + kept.read_text())
    before = project.runs()
    result = project.run(budget=2)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str() + result.stdout.str()
    assert kept.parent.name in text
    assert "git checkout" in text
    assert project.runs() == before


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (('"simulated": false', '"simulated": true'), "simulated was yes and is no"),
        (('"protocol": "1"', '"protocol": "0"'), "protocol was 0 and is 1"),
    ],
)
def test_a_baseline_that_is_not_comparable_is_neither_used_nor_overwritten(project, change, fact):
    project.pytester.makepyfile(SIMPLE)
    assert project.run("--ascend-tune-missing=seed", budget=2).ret == 0
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    changed = path.read_text().replace(*change)
    assert changed != path.read_text()
    path.write_text(changed)
    project.write("tiny/tiny.cpp", "// slowdown: 2.0\n")
    for policy, outcome in (("seed", {"passed": 1}), ("fail", {"failed": 1})):
        project.run(f"--ascend-tune-missing={policy}", budget=2).assert_outcomes(**outcome)
        (found,) = json.loads((project.path / ".ascend-tune/report/results.json").read_text())["results"]
        assert found["status"] == "not_comparable"
        assert fact in found["reason"]
        assert path.read_text() == changed


def _newer_schema(path):
    History(f"sqlite:///{path}").check()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("UPDATE ascend_tune_schema SET version = 99")


def _no_database(path):
    path.write_text("no database" * 100)


def _locked(path):
    History(f"sqlite:///{path}").check()
    LOCKS.append(sqlite3.connect(path, isolation_level=None))
    LOCKS[-1].execute("BEGIN EXCLUSIVE")


LOCKS = []


@pytest.mark.parametrize(
    ("prepare", "words"),
    [
        (_newer_schema, "newer"),
        (_no_database, "not a database"),
        pytest.param(_locked, "locked", marks=pytest.mark.slow),
    ],
)
def test_a_history_that_cannot_be_used_is_found_before_measuring(project, prepare, words):
    path = project.path / "history.sqlite"
    prepare(path)
    before = path.read_bytes()
    project.pytester.makepyfile(SIMPLE)
    try:
        result = project.run("--ascend-tune-history=sqlite:///history.sqlite", budget=2)
    finally:
        while LOCKS:
            LOCKS.pop().close()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str() + result.stdout.str()
    assert project.runs() == []
    assert path.read_bytes() == before


def test_a_history_that_cannot_be_reached_is_found_before_measuring(project):
    pytest.importorskip("psycopg")
    project.pytester.makepyfile(SIMPLE)
    result = project.run("--ascend-tune-history=postgresql+psycopg://nobody:secret@127.0.0.1:1/none", budget=2)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str() + result.stdout.str()
    assert "127.0.0.1" in text
    assert "secret" not in text
    assert project.runs() == []


def test_a_directory_that_cannot_be_written(project):
    project.write("occupied", "a file")
    project.pytester.makepyfile(SIMPLE)
    refused(project, project.run("--ascend-tune-dir=occupied"), "occupied")


def test_bad_call_arguments_fail_that_test_before_its_measuring(project):
    project.pytester.makepyfile(
        """
        def test_x(ascend_tune):
            ascend_tune(m=64, n=64)

        def test_y(ascend_tune):
            ascend_tune(m=64, n=64, k=64, tile=3)

        def test_z(ascend_tune):
            ascend_tune(m=64, n=64, k=64, max_iter="3")

        def test_good(ascend_tune):
            assert ascend_tune(m=64, n=64, k=64).tflops > 0
        """
    )
    result = project.run()
    result.assert_outcomes(failed=3, passed=1)
    result.stdout.fnmatch_lines(["*k missing*", "*unknown argument tile*", "*max_iter: '3' is a text*"])


def test_a_baseline_with_a_configuration_that_its_template_does_not_allow(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed", budget=2)
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    baseline = json.loads(path.read_text())
    baseline["config"] = {"tile_m": 5, "tile_n": 4}
    path.write_text(json.dumps(baseline))
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "tile_m=5" in result.stderr.str()


def test_two_files_for_one_problem(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed", budget=2)
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    path.with_name("64x64x64-float32-nn-copy.json").write_text(path.read_text())
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "64x64x64-float32-nn-copy" in result.stderr.str()


@pytest.mark.parametrize("option", ["--ascend-tune-report=tiny", "--ascend-tune-json=occupied/x.json"])
def test_a_report_that_cannot_be_written_is_found_before_measuring(project, option):
    project.write("occupied", "a file")
    project.pytester.makepyfile(SIMPLE)
    refused(project, project.run(option), option.partition("=")[2].partition("/")[0])
