"""One rule and one message for every name that becomes part of a path, wherever it comes in."""

import pytest

from pytest_ascend_tune import cli
from pytest_ascend_tune.kernels.template import from_source
from pytest_ascend_tune.model.errors import InvalidInputError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.options.settings import resolve
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.runs.folders import problem_folder

RULE = "cannot name a file: allowed are 1 to 100 letters, digits, '.', '_', '-', the first one a letter or digit"
PROBLEM = GemmProblem(1, 1, 1, "float32")


@pytest.mark.parametrize("name", ["", "..", ".x", "_x", "-x", "a/b", "a b", "\u00e4", "x" * 101])
def test_a_bad_name_is_refused_in_the_same_words(name, tmp_path, capsys):
    places = [
        lambda: resolve({}, {"baseline": name}) if name else resolve({"baseline": name}, {}),
        lambda: BaselineStore(tmp_path).list(name) if name else BaselineStore(tmp_path).load_sources(name),
        lambda: problem_folder(tmp_path, name, PROBLEM),
        lambda: from_source(tmp_path, name=name),
    ]
    for place in places:
        with pytest.raises(InvalidInputError) as error:
            place()
        assert f"{name!r} {RULE}" in str(error.value)
    if name:
        assert cli.main(["baseline", "list", "--dir", str(tmp_path), f"--name={name}"]) == 2
        assert f"{name!r} {RULE}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["main", "a.b-c_d", "0", "x" * 100])
def test_a_good_name_is_taken(name, tmp_path):
    assert resolve({"baseline": name}, {}).baseline == name
    assert BaselineStore(tmp_path).list(name) == ()
    assert problem_folder(tmp_path, name, PROBLEM) == tmp_path / name / PROBLEM.id
