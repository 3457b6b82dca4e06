"""Files are data, never code; child processes get argument lists; names cannot lead out of their folder."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import pytest_ascend_tune
from pytest_ascend_tune.model.errors import InvalidInputError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem
from pytest_ascend_tune.model.verdict import BaselineKey
from pytest_ascend_tune.options.settings import MARKER_ARGUMENTS, check_arguments, resolve
from pytest_ascend_tune.options.shapes import read_shapes, shapes_of
from pytest_ascend_tune.options.table import OPTIONS
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.runs.folders import problem_folder

PACKAGE = Path(pytest_ascend_tune.__file__).parent
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# What turns data into code, or a text into a command line.
CODE_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "code", "codeop"}
CODE_CALLS = {"eval", "exec", "compile", "__import__"}
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "pty.spawn"}
# Modules are imported by a computed name only from constant tables of this package, never by a name from a file.
COMPUTED_IMPORTS = {"__init__.py", "backends/__init__.py", "execute/executors.py"}


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def findings(name: str, text: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(text)):
        place = f"{name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            found += [f"{place}: import {part}" for part in module if part.partition(".")[0] in CODE_MODULES]
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in CODE_CALLS or called in SHELLS:
            found.append(f"{place}: {called}")
        if any(word.arg == "shell" for word in node.keywords):
            found.append(f"{place}: {called}(shell=)")
        if called.startswith("subprocess.") and node.args and isinstance(node.args[0], (ast.Constant, ast.JoinedStr)):
            found.append(f"{place}: {called} of a text")
        computed = called.endswith("import_module") and not isinstance(node.args[0], ast.Constant)
        if computed and name not in COMPUTED_IMPORTS:
            found.append(f"{place}: {called} of a computed name")
        if called.endswith("Environment") and not any(word.arg == "autoescape" for word in node.keywords):
            found.append(f"{place}: a jinja2 environment without autoescape")
    return found


def test_nothing_in_the_package_makes_code_of_data_or_calls_a_shell():
    assert len(sources()) > 50
    found = {line for path in sources() for line in findings(str(path.relative_to(PACKAGE)), path.read_text("utf-8"))}
    assert {re.sub(r":\d+", "", line) for line in found} == MADE_OF_OUR_OWN


# A compiled schedule becomes Python of fixed forms; of the schedule come numbers and quoted words (docs/security.md).
MADE_OF_OUR_OWN = {"backends/hivm/codegen.py: exec", "backends/hivm/codegen.py: compile"}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from yaml import load",
        "eval(text)",
        "exec(text)",
        "os.system('ls')",
        "subprocess.run(command, shell=True)",
        "subprocess.run('ls -l')",
        "subprocess.Popen(f'{tool} x')",
        "importlib.import_module(name)",
        "jinja2.Environment()",
    ],
)
def test_the_scan_sees(line):
    assert findings("x.py", line)


# Where text leaves for a terminal: pytest's own reporter and progress lines in activity.py, `tell` for every command.
PRINTERS = {"cli/base.py", "cli/tune.py"}  # tune.py: progress lines with their own control sequences


def printers(text: str) -> list[str]:
    calls = [ast.unparse(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [called for called in calls if called in ("print", "sys.stdout.write", "sys.stderr.write", "warnings.warn")]


def test_commands_print_through_the_function_that_cleans():
    found = {str(path.relative_to(PACKAGE)) for path in sources() if printers(path.read_text("utf-8"))}
    assert found == PRINTERS
    assert printers("print(x)") == ["print"]


# What pytest is told in words that may come from files.
TELLERS = {"pytest.UsageError", "pytest.skip", "pytest.fail", "report.sections.append"}


def test_pytest_is_told_only_what_was_cleaned():
    bare = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in TELLERS and node.args:
                told = ast.unparse(node.args[0])
                if "printable(" not in told and not isinstance(node.args[0], (ast.Constant, ast.Name)):
                    bare.append(f"{path.name}:{node.lineno}: {told}")
    assert bare == []


TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["64", "-1", "1e400", "nan", "inf", "2.5%", "%", "9" * 5000, "0-9999", "\x00", "\ud800", "../x"]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@QUICK
@given(st.dictionaries(st.sampled_from([option.name for option in OPTIONS]), TEXTS, max_size=4), st.booleans())
@example({"max_iter": "9" * 5000}, False)
@example({"seed": "9" * 5000}, True)
@example({"devices": "0-9999"}, True)
@example({"threshold": "٣%"}, True)
def test_options_take_any_text(values, from_ini):
    lists = {option.name for option in OPTIONS if option.repeatable}
    given_values = values if from_ini else {name: [text] if name in lists else text for name, text in values.items()}
    with contextlib.suppress(InvalidInputError):
        resolve({}, given_values) if from_ini else resolve(given_values, {})


@QUICK
@given(st.dictionaries(st.sampled_from([*MARKER_ARGUMENTS, "tile"]), VALUES, max_size=4))
@example({"max_iter": 10**5000})
def test_markers_take_any_value(arguments):
    with contextlib.suppress(InvalidInputError):
        check_arguments(arguments)


@QUICK
@given(VALUES)
@example([{"m": 10**5000, "n": 1, "k": 1}])
@example([{"m": 1, "n": 1, "k": 1, "dtype": []}])
def test_shapes_of_markers_take_any_value(rows):
    with contextlib.suppress(InvalidInputError):
        shapes_of(rows, "here", Dtype.FLOAT32)


CELLS = st.lists(TEXTS, min_size=3, max_size=7).map(",".join)
CSV = st.lists(CELLS, max_size=4).map(lambda lines: "\n".join(["m,n,k,dtype,layout,min_efficiency,threshold", *lines]))


@QUICK
@given(
    st.one_of(
        st.tuples(st.just(".csv"), CSV.map(lambda text: text.encode("utf-8", "surrogatepass"))),
        st.tuples(st.sampled_from([".csv", ".json", ".txt"]), st.binary(max_size=200)),
        st.tuples(st.just(".json"), VALUES.map(lambda value: json.dumps(value).encode())),
    )
)
@example((".json", b"[" * 100_000))
@example((".json", b'[{"m": ' + b"9" * 5000 + b', "n": 1, "k": 1}]'))
@example((".csv", b"m,n,k\n" + b"9" * 5000 + b",1,1\n"))
@example((".csv", b'm,n,k\n"' + b"x" * 200_000 + b'",1,1\n'))
@example((".csv", b"\n1,2,3\n"))
@example((".csv", b"m,n,k\r1,2,3\r"))
@example((".json", b'[{"m": 1, "n": 1, "k": 1, "dtype": ["float32"]}]'))
def test_shapes_files_hold_any_bytes(tmp_path, file):
    suffix, data = file
    path = tmp_path / f"shapes{suffix}"
    path.write_bytes(data)
    with contextlib.suppress(InvalidInputError):
        read_shapes(path, Dtype.FLOAT32)


@pytest.mark.parametrize("name", ["..", "../x", "/etc", "a/b", "", ".", "a\x00b", "a\nb", "x" * 300])
def test_names_cannot_leave_the_directory(tmp_path, name):
    problem = GemmProblem(1, 1, 1, "float32")
    store = BaselineStore(tmp_path)
    for key in (
        BaselineKey(name, "cpu", "t", problem.id),
        BaselineKey("main", name, "t", problem.id),
        BaselineKey("main", "cpu", name, problem.id),
        BaselineKey("main", "cpu", "t", name),
    ):
        with pytest.raises(InvalidInputError):
            store.path(key)
    with pytest.raises(InvalidInputError):
        store.load_sources(name)
    with pytest.raises(InvalidInputError):
        problem_folder(tmp_path, name, problem)


def test_every_test_that_the_page_on_security_names_exists():
    tests = Path(__file__).parents[1]
    page = (tests.parent / "docs/security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+|Test\w+)`", page))
    defined = "".join(path.read_text(encoding="utf-8") for path in tests.rglob("test_*.py"))
    assert len(named) > 10
    assert [name for name in sorted(named) if not re.search(rf"^ *(def|class) {name}\b", defined, re.MULTILINE)] == []


def run_tool(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


# What bandit says and docs/security.md explains: everywhere, and in one file.
EXPLAINED = {"B101", "B311", "B404", "B603"}
EXPLAINED_IN = {
    ("reports/page/html.py", "B704"),
    ("backends/supervisor.py", "B606"),
    ("files/git.py", "B607"),  # the git of PATH, as the user has it
    ("execute/locks.py", "B108"),
    ("backends/hivm/codegen.py", "B102"),
}


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("bandit") is None, reason="bandit is not installed")
def test_bandit_finds_nothing_but_what_is_explained():
    done = run_tool(sys.executable, "-m", "bandit", "-q", "-r", str(PACKAGE), "-f", "json")
    entries = json.loads(done.stdout)["results"]
    found = {(Path(entry["filename"]).relative_to(PACKAGE).as_posix(), entry["test_id"]) for entry in entries}
    assert {pair for pair in found if pair[1] not in EXPLAINED} <= EXPLAINED_IN


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pip_audit") is None, reason="pip-audit is not installed")
def test_pip_audit_knows_no_hole_in_what_we_need():
    done = run_tool(sys.executable, "-m", "pip_audit", "--progress-spinner=off", "--skip-editable", "-f", "json")
    audited = [entry for entry in _json(done.stdout).get("dependencies", []) if "vulns" in entry]
    if not audited:
        pytest.skip(f"pip-audit has no answer (offline?): {done.stderr.strip()[-200:]}")
    assert [entry for entry in audited if entry["vulns"]] == []


def _json(text: str) -> dict[str, list[dict[str, object]]]:
    try:
        return json.loads(text)
    except ValueError:
        return {}
