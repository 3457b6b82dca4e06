"""README and docs: every code block runs, generated tables are current, links lead somewhere, the site builds.

Rules for running a page (markers: documents.py). Its blocks run in order in one fresh folder with a git repository.
Python blocks are run, or written to the file that is named. Shell blocks run command by command. pytest commands that
name no backend run on the simulator, and with four trials where they name no number.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_ascend_tune.options.table import OPTIONS
from tests.integration.documents import GENERATED, NOT_CODE, PAGES, ROOT, Block, blocks, section

BUDGET = "-p no:cacheprovider --ascend-tune-backend=simulator --ascend-tune-max-iter=4"
NOT_RUN = {  # (page, first command or line): why; whoever adds a marker adds it here
    ("README.md", "bash ci/demo.sh"): "makes an environment from the network; CI runs ci/test.sh itself",
    ("README.zh-CN.md", "bash ci/demo.sh"): "makes an environment from the network; CI runs ci/test.sh itself",
    ("README.md", "pip install ."): "installing is tested in test_packaging.py",
    ("README.zh-CN.md", "pip install ."): "installing is tested in test_packaging.py",
    ("docs/howto.md", "pytest --ascend-tune --ascend-tune-backend=ascend --ascend-tune-devices=0-7 -n 8"): "needs NPUs",
    ("docs/howto.md", "ray start --head"): "needs a cluster",
    (
        "docs/howto.md",
        "pytest --ascend-tune --ascend-tune-max-iter=0 --ascend-tune-old-cxx=/opt/gcc-12/bin/g++",
    ): "needs an older compiler",
    (
        "docs/howto.md",
        "pytest --ascend-tune --ascend-tune-max-iter=0 --ascend-tune-against=origin/main",
    ): "needs a repository; tests/plugin/test_against.py has one",
}


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def run_page(page: Path, folder: Path, chosen: Sequence[Block]) -> None:
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": BUDGET,
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("PYTEST_CURRENT_TEST", None)
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    (folder / ".git/info/exclude").write_text("")

    def run(command: Sequence[str], block: Block) -> None:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
        place = f"{name_of(page)}:{block.line}: {command[-1]}"
        assert done.returncode in block.exit_codes, f"{place}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"

    for block in chosen:
        kind, value = block.marker
        if kind == "not run" or (block.language in NOT_CODE and kind != "file"):
            continue
        if kind == "file":
            (folder / value).parent.mkdir(parents=True, exist_ok=True)
            (folder / value).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            run([sys.executable, "-c", block.text], block)
        else:
            for command in block.commands:
                run(["bash", "-c", command], block)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_runs_or_says_why_not(page):
    for block in blocks(page):
        place = f"{name_of(page)}:{block.line}"
        assert block.language in (*NOT_CODE, "bash", "python") or block.marker[0] in ("file", "not run"), place
        assert block.marker[0] in ("", "file", "not run", "exit"), place


def test_blocks_that_do_not_run_are_listed():
    found = {
        (name_of(page), block.commands[0]) for page in PAGES for block in blocks(page) if block.marker[0] == "not run"
    }
    assert found == set(NOT_RUN)


def test_the_build_of_ones_own_that_is_shown_is_the_examples():
    (shown,) = (block.text for block in blocks(ROOT / "docs/howto.md") if block.language == "toml")
    example = (ROOT / "examples/own_build/space.toml").read_text(encoding="utf-8").splitlines()
    assert set(shown.splitlines()) <= set(example)


@pytest.mark.parametrize(("page", "name"), GENERATED, ids=lambda value: value)
def test_generated_sections_are_current(page, name, pytestconfig):
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    found = section(text, name)
    wanted = GENERATED[page, name]() + "\n"
    if pytestconfig.getoption("--update-golden"):
        path.write_text(text[: found.start(2)] + wanted + text[found.end(2) :], encoding="utf-8")
        return
    assert found[2] == wanted, "pytest --update-golden writes it"


def test_the_chinese_table_has_every_option_and_default():
    text = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(--ascend-tune[^`=]*)[^`]*` \| `([^`]+)` \| ([^|]*) \|", text, re.MULTILINE)
    english = (ROOT / "README.md").read_text(encoding="utf-8")
    wanted = re.findall(r"^\| `(--ascend-tune[^`=]*)[^`]*` \| `([^`]+)` \| ([^|]*) \|", english, re.MULTILINE)
    assert len(wanted) == len(OPTIONS)
    assert rows == wanted


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"https?:", target):
            assert (page.parent / target).exists(), f"{name_of(page)}: {target}"


def test_the_index_names_every_page():
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8").split()
    pages = {page.stem for page in PAGES if page.parent.name == "docs"} - {"index"}
    assert {page for page in pages if not page.startswith("explanation-")} <= set(index)


def test_quick_cut(tmp_path):
    """The fast lane's share: the python block of the simulator's page."""
    page = ROOT / "docs/explanation-simulator.md"
    run_page(page, tmp_path, [block for block in blocks(page) if block.language == "python"])


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_runs(page, tmp_path):
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    run_page(page, tmp_path, blocks(page))


@pytest.mark.slow
def test_the_site_builds_without_warnings(tmp_path):
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        str(ROOT / "docs"),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tutorial.html").is_file()
