"""``ascend-tune explain --template``: busy shares, stalls, memory map of a compiled schedule, and its Gantt picture."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune import cli
from pytest_ascend_tune.backends.hivm import compiled
from pytest_ascend_tune.backends.hivm import kernels as kernels_module
from pytest_ascend_tune.backends.hivm.chain import Tools
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import BuildError
from tests.hivm.cases import recorded
from tests.hivm.fake_chain import FakeChain

ASKED = ["explain", "--m", "40", "--n", "72", "--k", "80", "--template", "triton_gemm", "--device", "910B3"]


@pytest.fixture(autouse=True)
def chain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    FakeChain.asked = []
    monkeypatch.setattr(FakeChain, "text", recorded("nn_float16"))
    monkeypatch.setattr(kernels_module, "Chain", FakeChain)
    monkeypatch.setattr(kernels_module, "find_tools", lambda _python: Tools("", Path(), Path(), Path(), "fake 1"))
    monkeypatch.setattr(compiled, "spec", lambda name: replace(hardware.spec(name), cube_cores=2))
    monkeypatch.chdir(tmp_path)


def test_the_page_says_pipes_stalls_and_planned_memory(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(ASKED) == 0
    said = capsys.readouterr().out
    assert said.startswith("Simulated, not measured: 40x72x80-float16-nn on 910B3")
    assert "note of the compiler: changed by itself" in said
    assert re.search(r"cube\.MTE2 +\d+\.\d%", said)
    assert re.search(r"us  cube\.MTE1 waits for MTE2 \(EVENT_ID\d\)", said)
    assert re.findall(r"^  (L1|L0C) +(\d+)\.\.(\d+) +2x2x16x16 (f16|f32)$", said, re.MULTILINE) == [
        ("L0C", "0", "4095", "f32"),
        ("L1", "0", "2047", "f16"),
        ("L1", "2048", "4095", "f16"),
        ("L1", "4096", "6143", "f16"),
        ("L1", "6144", "8191", "f16"),
    ]


def test_the_picture_has_a_bar_for_each_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*ASKED, "--picture", "pipes.svg"]) == 0
    drawn = Path("pipes.svg").read_text()
    assert drawn.count('id="bar"') > 20
    assert "pipes.svg" in capsys.readouterr().out


def test_a_refusal_is_exit_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise BuildError("cc overflow")

    monkeypatch.setattr(FakeChain, "compile", refuse)
    assert cli.main(ASKED) == 1
    assert "cc overflow" in capsys.readouterr().err


def test_other_templates_are_explained_without(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*ASKED[:7], "--template", "catlass_gemm"]) == 2
    assert "without --template" in capsys.readouterr().err
