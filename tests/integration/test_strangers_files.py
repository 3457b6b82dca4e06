"""Every command, in a folder full of other people's files: all bytes, modes, times and links are as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_ascend_tune import cli
from pytest_ascend_tune.cli.commands import COMMANDS
from pytest_ascend_tune.files import workspace
from tests.fakes.kernels import needs_compiler

SMALL = ["--backend", "simulator", "--matrix-size", "256", "--max-iter", "2"]
PROBLEM = "256x256x256-float16-nn"
SHA256 = "ab" * 32
OLD = 1_000_000_000
TEST = """
import pytest

@pytest.mark.ascend_tune(m=256, n=256, k=256)
def test_gemm(ascend_tune):
    ascend_tune()
"""
THEIRS = {
    ".gitignore": "build/\n",
    ".gitattributes": "* text=auto\n",
    "test_gemm.py": TEST,
    "cache/thesis/chapter-1.tex": "years of work",
    "cache/build-firmware/image.bin": "firmware",
    f"cache/model-{SHA256}.so": "a model",
    "runs/tensorboard/events.1": "events",
    "runs/20261130-083100.txt": "notes",
    "report/thesis.pdf": "%PDF",
    "baselines/README.md": "ours, too",
    "baselines/.draft.tmp": "draft",
    f"baselines/main/sources/{'cd' * 16}/kernel.cpp": "not named by a hash of 64 digits",
    "baselines/main/sources/old/kernel.cpp": "old",
    "sources/a.cpp": "int a;",
    "image/photo.png": "a photo",
    "empty.py": "",
    "tests/perf/shapes.csv": "m,n,k\n64,64,64\n",
    "ci/build.sh": "#!/bin/sh\n",
    "notes.tmp": "notes",
    ".notes.tmp": "notes",
}  # fmt: skip


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def state(folder: Path) -> dict[str, tuple[object, ...]]:
    """Type, mode, time and content of everything below; of folders their mode alone, for we may add to them."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        name, status = path.relative_to(folder).as_posix(), path.lstat()
        if path.is_symlink():
            found[name] = ("link", os.readlink(path), status.st_mtime_ns)
        elif path.is_dir():
            found[name] = ("folder", status.st_mode)
        else:
            found[name] = ("file", status.st_mode, status.st_mtime_ns, path.read_bytes())
    return found


@pytest.fixture(params=[""], ids=["here"])
def strangers(tmp_path, monkeypatch, request):
    """A project and, beside it, a home folder that links in the project lead to. Everything is old."""
    project, home = tmp_path / "project", tmp_path / "home"
    write(project, THEIRS)
    write(home, {"letter.txt": "dear", "build-abcdefgh/mine": "x", f"{SHA256}-{SHA256}.so": "x", ".ssh/id": "key"})
    for place in (
        "home",
        "cache/home",
        "runs/20200101-000000",
        "report/home",
        "baselines/home",
        "cache/build-12345678",
    ):
        (project / place).symlink_to(home)
    (project / f"cache/{SHA256}-{SHA256}.so").symlink_to(home / "letter.txt")
    for folder in (project / "cache", project / "report"):
        folder.chmod(0o755)
    for path in [*tmp_path.rglob("*")]:
        if not path.is_symlink():
            os.utime(path, (OLD, OLD))
    monkeypatch.chdir(project)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    if request.param:
        monkeypatch.setenv("CI", request.param)
    else:
        monkeypatch.delenv("CI", raising=False)
    before = {name: state(tmp_path / name) for name in ("project", "home")}

    def unharmed() -> None:
        assert state(home) == before["home"], "nothing is added there"
        after = state(project)
        assert {name: after.get(name) for name in before["project"]} == before["project"]

    return unharmed


def run_pytest(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gemm.py", "--ascend-tune"]
    command += ["--ascend-tune-backend=simulator", "--ascend-tune-max-iter=2", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(
    "strangers", ["", pytest.param("true", marks=pytest.mark.slow)], ids=["here", "CI"], indirect=True
)
def test_every_command_leaves_other_peoples_files_alone(strangers, capsys):
    done: set[str] = set()

    def command(*arguments: str) -> None:
        capsys.readouterr()
        code = cli.main(list(arguments))
        assert code == 0, capsys.readouterr()
        done.add(arguments[0])
        strangers()

    command("init", ".")
    command("doctor", "--backend", "simulator", "--dir", ".")
    command("tune", *SMALL, "--output", ".", "--seed", "1")
    command("tune", *SMALL, "--output", ".", "--seed", "2", "--update")
    runs = sorted(path for path in Path("runs").iterdir() if list(path.glob("*/*/best_config.json")))
    runs = [str(run) for run in runs if not run.is_symlink()]
    assert len(runs) == 2
    (folder,) = Path(runs[0]).glob("*/*")
    command("plot", str(folder), "--output", "image")
    command("report", runs[0], "--output", "report")
    command("compare", *runs)
    command("calibrate", "--backend", "simulator", "--matrix-size", "256", "--rounds", "8", "--dir", ".")
    command("baseline", "list", "--dir", ".")
    command("baseline", "show", PROBLEM, "--dir", ".")
    command("baseline", "accept", runs[0], "--dir", ".", "--accept-regression")
    command("export", "--dir", ".", "--json", "best.json", "--header", "best.hpp")
    command("export", "--dir", ".", "--json", "best.json", "--header", "best.hpp")
    command("space", "--backend", "simulator")
    command("explain", "--matrix-size", "256", "--picture", "explained.png")
    command("explain", "--matrix-size", "256", "--picture", "explained.png")
    command("baseline", "prune", PROBLEM, "--dir", ".")
    command("clean", "--dir", ".", "--keep", "0")
    # compile needs the vendor's compiler: tests/unit/cli; ab is tune: it writes the same
    assert done == {command.name for command in COMMANDS} - {"compile", "ab"}
    ran = run_pytest("--ascend-tune-dir=.")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    strangers()


@needs_compiler
def test_kernels_are_built_beside_other_peoples_files(strangers, capsys):
    tune = ["tune", "--backend", "cpu", "--matrix-size", "64", "--max-iter", "1", "--output", "."]
    assert cli.main(tune) == 0, capsys.readouterr()
    strangers()
    assert workspace.is_marked(Path("cache/pytest-ascend-tune"))


@pytest.mark.parametrize(
    ("option", "path"),
    [("json", "test_gemm.py"), ("json", "empty.py"), ("report", "report/thesis.pdf"), ("history", "notes.tmp")],
)
def test_an_output_that_is_somebody_elses_file_is_refused_before_measuring(strangers, option, path, capsys):
    value = f"sqlite:///{path}" if option == "history" else path
    assert cli.main(["tune", *SMALL, f"--{option}", value]) == 2
    said = capsys.readouterr().err
    assert path in said
    assert "left as it is" in said
    assert not list(Path(".ascend-tune").glob("runs/*/*")), "nothing was measured"
    strangers()


def test_pytest_refuses_an_output_that_is_a_test_file(strangers):
    ran = run_pytest("--ascend-tune-json=test_gemm.py")
    assert ran.returncode == 4, ran.stdout + ran.stderr
    assert "test_gemm.py: exists and was not written by pytest-ascend-tune" in ran.stdout + ran.stderr
    strangers()


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "--matrix-size", "256", "--picture", "image/photo.png"],
        ["export", "--dir", ".ascend-tune", "--header", "sources/a.cpp"],
        ["export", "--dir", ".ascend-tune", "--json", "test_gemm.py"],
    ],
    ids=lambda arguments: arguments[-2],
)
def test_a_command_writes_over_nobodys_file(strangers, arguments, capsys):
    assert cli.main(["tune", *SMALL, "--missing", "seed"]) == 0, capsys.readouterr()
    assert cli.main(arguments) == 2
    assert "was not written by pytest-ascend-tune" in capsys.readouterr().err
    strangers()


def test_a_report_of_somebody_else_is_refused_before_measuring(strangers, capsys):
    Path("report/index.html").write_text("<title>my thesis</title>")
    assert cli.main(["tune", *SMALL, "--output", "."]) == 2
    assert "report/index.html: exists and was not written" in capsys.readouterr().err
    assert Path("report/index.html").read_text() == "<title>my thesis</title>"
    strangers()


@pytest.mark.parametrize("name", ["cache", "runs", "report", "baselines", "history.sqlite", ".baselines.lock"])
def test_a_link_in_the_repository_leads_nobody_into_a_home(strangers, name, capsys):
    Path(".ascend-tune").mkdir()
    target = "../../home" + ("/letter.txt" if name in ("history.sqlite", ".baselines.lock") else "")
    Path(".ascend-tune", name).symlink_to(target)
    assert cli.main(["tune", *SMALL]) == 2
    said = capsys.readouterr().err
    assert f".ascend-tune/{name}: a symbolic link leads out" in said
    assert "Delete the link" in said
    strangers()


def test_init_follows_no_link_out(strangers, tmp_path, capsys):
    (tmp_path / "project/tests/perf/test_gemm_performance.py").symlink_to(tmp_path / "home/new.py")
    (tmp_path / "project/pytest.ini").symlink_to(tmp_path / "home/new.ini")
    assert cli.main(["init", "."]) == 0
    strangers()
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh/ci").symlink_to(tmp_path / "home")
    assert cli.main(["init", str(tmp_path / "fresh")]) == 2
    assert "a symbolic link leads out" in capsys.readouterr().err
    strangers()


# --- workspaces of an earlier version, and fresh clones --------------------------------------------------------------


@pytest.fixture
def used(tmp_path, monkeypatch, capsys):
    """A project that was tuned once, without our markers: as an earlier version left it."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["tune", *SMALL, "--missing", "seed"]) == 0, capsys.readouterr()
    root = Path(".ascend-tune")
    (root / "cache").mkdir()
    for name in ("runs/*", "report"):
        (folder,) = root.glob(name)
        for ours in (workspace.MARKER, workspace.GIT_IGNORE):
            (folder / ours).unlink()
    (root / "cache" / f"{SHA256}-{SHA256}.so").write_text("old")
    return root


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_workspace_of_an_earlier_version_is_adopted(used, ci, monkeypatch, capsys):
    monkeypatch.setenv("CI", ci)
    before = state(used / "runs") | state(used / "baselines")
    assert cli.main(["tune", *SMALL, "--missing", "fail"]) == 0, capsys.readouterr()
    assert [workspace.is_marked(run) for run in sorted((used / "runs").iterdir())] == [False, True]
    assert workspace.is_marked(used / "report")
    after = state(used / "runs") | state(used / "baselines")
    assert {name: after.get(name) for name in before} == before
    assert len(json.loads((used / "report/results.json").read_text())["results"]) == 1


@pytest.mark.parametrize(
    ("ci", "ignored"), [("", True), ("true", True), ("", False)], ids=["here", "CI", "without .gitignore"]
)
def test_a_fresh_clone_with_committed_baselines_is_gated(used, tmp_path, ci, ignored, monkeypatch, capsys):
    monkeypatch.setenv("CI", ci)

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        done = subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    git("init", "-q")
    git("add", ".ascend-tune/baselines", *([".ascend-tune/.gitignore"] if ignored else []))
    git("commit", "-qm", "baselines")
    git("clone", "-q", ".", "clone")
    monkeypatch.chdir(tmp_path / "clone")
    assert cli.main(["tune", *SMALL, "--missing", "fail"]) == 0, capsys.readouterr()
    (result,) = json.loads(Path(".ascend-tune/report/results.json").read_text())["results"]
    assert result["baseline_tflops"] is not None
    left = git("status", "--porcelain", "--untracked-files=all").splitlines()
    names = {line.split()[-1].removeprefix(".ascend-tune/") for line in left}
    assert names == (set() if ignored else {"history.sqlite"})


def test_baselines_shared_through_a_link_are_read_and_written(used, tmp_path, capsys):
    (used / "baselines").rename(tmp_path / "shared")
    (used / "baselines").symlink_to("../shared")
    assert cli.main(["tune", *SMALL, "--missing", "fail", "--update"]) == 0, capsys.readouterr()
    assert (used / "baselines").is_symlink()


def test_an_interrupted_run_is_resumed_through_no_link(used, tmp_path, capsys):
    (run,) = (path for path in (used / "runs").iterdir() if path.is_dir())
    elsewhere = tmp_path / "elsewhere"
    run.rename(elsewhere)
    (used / "runs/20991231-235959").symlink_to(elsewhere)
    before = state(elsewhere)
    assert cli.main(["tune", *SMALL, "--resume"]) == 2
    assert "20991231-235959: a symbolic link leads out" in capsys.readouterr().err
    assert state(elsewhere) == before
