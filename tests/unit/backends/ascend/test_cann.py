"""Finding CANN and CATLASS, and the exact command line for each pair of versions (golden files)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.ascend import cann
from pytest_ascend_tune.backends.ascend.cann import (
    Cann,
    Catlass,
    find,
    find_cann,
    find_catlass,
    platform_file,
    version_of,
)
from pytest_ascend_tune.model.errors import BackendUnavailableError
from tests.fakes.cann import FakeCann

GOLDEN = Path(__file__).parents[3] / "golden" / "ascend_commands"
BEFORE_8_5 = ("include", "include/experiment/runtime", "include/experiment/msprof", "compiler/tikcpp/tikcfw/interface")
SINCE_8_5 = ("include", "include/experiment/runtime", "include/experiment/msprof", "pkg_inc", "pkg_inc/runtime")
PAIRS = {  # CANN, how CATLASS is built, folders, libraries of that release
    "cann-8.2.RC1_catlass-1.4": ("8.2.RC1", "cce", BEFORE_8_5, ("runtime", "ascendcl", "c_sec", "profapi")),
    "cann-8.3.RC1_catlass-1.5": ("8.3.RC1", "cce", BEFORE_8_5, ("runtime", "ascendcl", "c_sec", "profapi")),
    "cann-8.5.0_catlass-1.6": (
        "8.5.0",
        "asc",
        SINCE_8_5,
        ("ascendc_runtime", "runtime", "ascendcl", "c_sec", "profapi", "mmpa", "ascend_dump", "error_manager"),
    ),
    "cann-9.0.0_catlass-2.0": (
        "9.0.0",
        "asc",
        SINCE_8_5,
        (
            "ascendc_runtime",
            "runtime",
            "ascendcl",
            "c_sec",
            "profapi",
            "mmpa",
            "ascend_dump",
            "ascendalog",
            "unified_dlog",
        ),
    ),
}


def tree(root: Path, version: str, language: str, folders: tuple[str, ...], libraries: tuple[str, ...]) -> FakeCann:
    """A machine with these folders and libraries and nothing else."""
    (root / "no-libraries").mkdir(parents=True)
    machine = FakeCann(root, version, language).install(root / "no-libraries")
    shutil.rmtree(machine.home / "include")
    for folder in folders:
        (machine.home / folder).mkdir(parents=True, exist_ok=True)
    for library in libraries:
        (machine.home / "lib64" / f"lib{library}.so").touch()
    return machine


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        (name, spelling)
        for name in PAIRS
        for spelling in (("word", "macro") if PAIRS[name][1] == "asc" else ("option",))
    ],
)
def test_the_command_line_of_each_pair_of_versions(tmp_path, monkeypatch, name, spelling, pytestconfig):
    """Those of CANN >= 8.5 in both spellings of "runs on cube cores"."""
    monkeypatch.setattr(cann, "machine", lambda: "x86_64")
    machine = tree(tmp_path / "ascend", *PAIRS[name])
    (tools,) = [tools for tools in find(machine.environment).spellings() if tools.spelling == spelling]
    command = tools.command(Path("gemm.cpp"), Path("kernel.so"), ("-DTILE_M=128", "-DGEMM_DTYPE=FLOAT16"), "kernel_1")
    text = "\n".join(word.replace(str(machine.root), "ROOT") for word in command) + "\n"
    golden = GOLDEN / f"{name}{'_macro' if spelling == 'macro' else ''}.txt"
    if pytestconfig.getoption("--update-golden", default=False):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text()


def test_catlass_1_6_is_refused_on_cann_8_3(tmp_path):
    machine = tree(tmp_path / "ascend", "8.3.RC1", "asc", (), ())
    with pytest.raises(
        BackendUnavailableError, match=r"needs CANN 8\.5 or newer, found 8\.3\.RC1: check out tag v1\.5\.0"
    ):
        find(machine.environment)


def test_catlass_1_5_works_on_a_newer_cann(tmp_path):
    assert find(tree(tmp_path / "ascend", "9.0.0", "cce", (), ()).environment).catlass.language == "cce"


def test_no_cann_says_where_it_would_be_found(monkeypatch, tmp_path):
    monkeypatch.setattr(cann, "DEFAULT_HOMES", (str(tmp_path),))
    with pytest.raises(BackendUnavailableError, match="CANN is not in its usual places"):
        find_cann({})
    (tmp_path / "set_env.sh").touch()
    with pytest.raises(BackendUnavailableError, match=f"CANN is installed: source {tmp_path}/set_env.sh"):
        find_cann({})


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda home: shutil.rmtree(home), "is not a folder"),
        (lambda home: shutil.rmtree(home / "compiler"), "no compiler"),
        (
            lambda home: (home / "compiler/ccec_compiler/bin/bisheng").write_text("#!/bin/sh\nexit 3\n"),
            "does not start",
        ),
    ],
)
def test_an_incomplete_cann(tmp_path, break_it, words):
    machine = tree(tmp_path / "ascend", "8.5.0", "asc", (), ())
    break_it(machine.home)
    with pytest.raises(BackendUnavailableError, match=words):
        find_cann({**machine.environment, "PATH": ""})


def test_a_cann_without_a_version(tmp_path):
    (tmp_path / "somewhere").mkdir()
    with pytest.raises(BackendUnavailableError, match="no CANN version found"):
        find_cann({"ASCEND_HOME_PATH": str(tmp_path / "somewhere")})


def test_an_old_cann(tmp_path):
    with pytest.raises(BackendUnavailableError, match=r"CANN 8\.0\.0 in .* is too old; 8\.2 or newer"):
        find_cann(tree(tmp_path / "ascend", "8.0.0", "asc", (), ()).environment)


def test_the_folder_tells_the_version_when_no_file_does(tmp_path):
    machine = tree(tmp_path / "ascend", "8.5.1", "asc", (), ())
    for file in machine.home.glob("*-linux/*.info"):
        file.unlink()
    assert find_cann(machine.environment).label == "8.5.1"


def test_the_old_variable_is_understood(tmp_path):
    machine = tree(tmp_path / "ascend", "8.2.RC1", "cce", (), ())
    assert find_cann({"ASCEND_TOOLKIT_HOME": str(machine.home), "PATH": ""}).version == (8, 2)


@pytest.mark.parametrize(
    ("value", "words"), [(None, "CATLASS_HOME is not set: git clone"), ("/nowhere", "has no include")]
)
def test_no_catlass(value, words):
    with pytest.raises(BackendUnavailableError, match=words):
        find_catlass({} if value is None else {"CATLASS_HOME": value})


def test_a_changed_header_of_catlass_is_another_tool_chain(tmp_path):
    machine = tree(tmp_path / "ascend", "8.5.0", "asc", (), ())
    before = find(machine.environment)
    assert find(machine.environment).identity == before.identity
    header = machine.catlass_home / "include" / "catlass" / "catlass.hpp"
    header.write_text(header.read_text() + "// changed\n")
    assert find(machine.environment).identity != before.identity


def test_the_identity_follows_compiler_and_versions(tmp_path):
    tools = cann.AscendToolchain(
        Cann(tmp_path, "8.5.0", (8, 5, 0), tmp_path / "bisheng", "bisheng 1"), Catlass(tmp_path, "v1.6.0", "asc", "abc")
    )
    others = [
        replace(tools, cann=replace(tools.cann, label="8.5.1")),
        replace(tools, cann=replace(tools.cann, compiler_banner="bisheng 2")),
        replace(tools, catlass=replace(tools.catlass, language="cce")),
    ]
    assert len({tools.identity, *(other.identity for other in others)}) == 4


def test_versions():
    assert version_of("8.2.RC1") == (8, 2)
    assert version_of("8.5.0.alpha002") == (8, 5, 0)
    assert version_of("latest") is None
    assert (8, 2) <= version_of("8.5.0") < (9, 0)


def test_the_platform_file_is_where_cann_keeps_it(tmp_path):
    machine = tree(tmp_path / "ascend", "8.5.0", "asc", (), ())
    assert platform_file(machine.home, "Ascend910B2").is_file()
