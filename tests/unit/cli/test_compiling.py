"""``ascend-tune compile``: a table for shapes and chips, exit 1 for a failure, and what changed since a stored run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune import cli
from pytest_ascend_tune.backends.hivm import compiled
from pytest_ascend_tune.backends.hivm import kernels as kernels_module
from pytest_ascend_tune.backends.hivm.chain import Tools
from pytest_ascend_tune.backends.hivm.compiled import Compiled, changes
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import BuildError
from tests.hivm.cases import recorded
from tests.hivm.fake_chain import FakeChain


@pytest.fixture(autouse=True)
def chain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    FakeChain.asked = []
    monkeypatch.setattr(FakeChain, "text", recorded("nn_float16"))
    monkeypatch.setattr(kernels_module, "Chain", FakeChain)
    monkeypatch.setattr(kernels_module, "find_tools", lambda _python: Tools("", Path(), Path(), Path(), "fake 1"))
    monkeypatch.setattr(compiled, "spec", lambda name: replace(hardware.spec(name), cube_cores=2))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shapes.csv").write_text("m,n,k\n40,72,80\n40,72,96\n")


def test_shapes_times_chips(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compile", "--shapes", "shapes.csv", "--devices", "910B1,910B4"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in said[:4]] == [
        ["ok", "910B1", "40x72x80-float16-nn:"],
        ["ok", "910B1", "40x72x96-float16-nn:"],
        ["ok", "910B4", "40x72x80-float16-nn:"],
        ["ok", "910B4", "40x72x96-float16-nn:"],
    ]
    assert "L1   8,192 L0C   4,096 UB       0 bytes" in said[0]
    assert "us simulated; changed by itself" in said[0]
    assert said[4].startswith("4 of 4 compile (fake 1)")


def test_a_refusal_is_exit_1_and_in_the_compilers_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise BuildError("ub overflow, requires 2 bits while 1 bits available!")

    monkeypatch.setattr(FakeChain, "compile", refuse)
    assert cli.main(["compile", "--m", "40", "--n", "72", "--k", "80"]) == 1
    assert "FAILED 910B3      40x72x80-float16-nn: ub overflow, requires 2 bits" in capsys.readouterr().out


def test_against_a_stored_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shape = ["--m", "40", "--n", "72", "--k", "80"]
    assert cli.main(["compile", *shape, "--json", "before.json"]) == 0
    assert cli.main(["compile", *shape, "--against", "before.json"]) == 0
    assert "0 changes against before.json" in capsys.readouterr().out
    stored = json.loads(Path("before.json").read_text())
    assert stored["compiler"] == "fake 1"
    lines = recorded("nn_float16").splitlines()
    at = next(i for i, line in enumerate(lines) if "pipe_barrier" in line and "MTE2" in line)
    monkeypatch.setattr(FakeChain, "text", "\n".join(lines[:at] + lines[at + 1 :]))
    assert cli.main(["compile", *shape, "--against", "before.json"]) == 0
    said = capsys.readouterr().out
    assert "1 changes against before.json" in said
    assert "flags and barriers" in said


def test_every_kind_of_change_is_told() -> None:
    before = Compiled("910B3", "p", "", 100, 200, 0, 7, 10.0)
    assert changes([before], [before]) == []
    assert changes([before], [replace(before, problem="q")]) == []
    assert changes([before], [replace(before, failed="no")]) == ["p on 910B3: fails now: no"]
    assert changes([replace(before, failed="no")], [before]) == ["p on 910B3: compiles now"]
    assert changes([before], [replace(before, ub_bytes=5)]) == ["p on 910B3: 0 -> 5 bytes of UB"]
    assert changes([before], [replace(before, time_us=11.0)]) == ["p on 910B3: 10.0 -> 11.0 us simulated (+10.0%)"]
    assert changes([before], [replace(before, notes=("n",))]) == ["p on 910B3: notes [] -> ['n']"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no problem: give --shapes"),
        (["--shapes", "nowhere.csv"], "nowhere.csv"),
        (["--matrix-size", "64", "--template", "catlass_gemm"], 'compile takes language = "triton"'),
        (["--matrix-size", "64", "--devices", "910B9"], "'910B9' is unknown"),
        (["--matrix-size", "64", "--config", "tile_m=3"], "needs exactly tile_m, tile_n"),
        (["--matrix-size", "64", "--against", "shapes.csv"], "shapes.csv is no JSON"),
    ],
)
def test_bad_input_is_exit_2(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compile", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_foreign_file_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.json").write_text('{"mine": 1}')
    assert cli.main(["compile", "--m", "40", "--n", "72", "--k", "80", "--json", "mine.json"]) == 2
    assert Path("mine.json").read_text() == '{"mine": 1}'
