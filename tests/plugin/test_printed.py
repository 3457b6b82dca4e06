"""Text from files of a repository: no terminal and no CI log is made to obey it, by any command."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from pytest_ascend_tune import cli
from tests.plugin.conftest import SIMPLE

EVIL = "\\n::error file=x.py::forged\\r\\u001b[2K\\u202e ##[error]forged ##vso[task.setvariable]x"
SPACE = f"""
title = "tiny{EVIL}"
source = "tiny.cpp"
backends = ["cpu", "simulator"]
dtypes = ["float32", "float16"]
layouts = ["nn", "nt"]

[default]
tile_m = 4
tile_n = 4

[params]
tile_m = {{pow2 = [4, 64]}}
tile_n = {{pow2 = [4, 64]}}

[[constraint]]
require = "tile_m * tile_n <= 1024"
because = "the tile must fit{EVIL}"
"""
OURS = r"(?!error (file=test_it\.py,line=\d+,)?title=ascend-tune)"
RAW = re.compile(rf"^[^\S\n]*::{OURS}|##\w*\[|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", re.MULTILINE)


def harmless(text: str) -> bool:
    assert not RAW.search(text), ascii(text)
    return True


def test_the_search_for_what_is_raw_finds_it():
    for text in ("a\n ::error::x", "##[error]", "\x1b[2K", "\u202e", "a\rb", "::error file=x::y"):
        assert RAW.search(text)
    harmless("a\n::error file=test_it.py,line=3,title=ascend-tune%3A 1x1::x ::y")


def test_a_constraint_of_the_template(project, monkeypatch, capsys):
    """Illegal sizes are explained with the constraint's own words: in a refusal, by `space`, by `tune`."""
    project.write("tiny/space.toml", SPACE)
    monkeypatch.chdir(project.path)
    config = ["--config", "tile_m=64,tile_n=64"]
    for command in (
        ["space", "--backend", "simulator", "--template", "tiny"],
        ["space", "--backend", "simulator", "--template", "tiny", *config],
        ["tune", "--backend", "simulator", "--template", "tiny", "--matrix-size", "64", "--l2", "x\n::error::y"],
        ["space", "--template", "no\n::error::such\x1b[2K"],
        ["report", "no\n::error::such"],
        ["\x1b[2K\n::error::x"],
    ):
        with suppress(SystemExit):
            cli.main(command)
        said = "".join(capsys.readouterr())
        assert said
        harmless(said)


def test_a_refusal_a_skip_a_failure_and_what_is_written_of_them(project, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "step.md"))
    project.write("tiny/space.toml", re.sub(r"(tile_[mn]) = 4\b", r"\1 = 64", SPACE))  # a default that is not legal
    project.pytester.makepyfile(test_it=SIMPLE)
    result = project.run("-rA")
    said = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "the tile must fit" in said
    harmless(said)

    project.write("tiny/space.toml", SPACE)
    project.write("conftest.py", (project.path / "conftest.py").read_text() + HOSTILE)
    result = project.run("-rA", "--junitxml=junit.xml", "--ascend-tune-min-efficiency=99.9%")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    said = result.stdout.str()
    assert "::error file=test_it.py" in said
    for text in (said, *((project.path / name).read_text("utf-8") for name in ("junit.xml", "step.md"))):
        assert "forged" in text
        harmless(text)
    harmless(result.stderr.str())


HOSTILE = """
import dataclasses
from pytest_ascend_tune.model.text import Text
EVIL = "x\\n::error file=y::forged\\x1b[2K\\u202e##[error]z"

def pytest_ascend_tune_result(item, result):
    notes = (Text.of("{evil}", evil=EVIL),)
    object.__setattr__(result, "verdict", dataclasses.replace(result.verdict, reason=notes[0], notes=notes))
    object.__setattr__(result, "run_dir", EVIL)
"""
