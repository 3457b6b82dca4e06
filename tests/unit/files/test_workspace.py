"""What is ours on disk: marked folders, signs in files, links."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from pytest_ascend_tune.files import workspace
from pytest_ascend_tune.model.errors import RecordError

SIGN = re.compile(rb"\Amade by us")


def nobodys(names):
    return False


def test_a_new_folder_is_marked_and_left_to_nobodys_git(tmp_path):
    folder = tmp_path / "root/runs"
    assert workspace.claim(folder, nobodys)
    assert workspace.is_marked(folder)
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (tmp_path / "root/.gitignore").read_text() == workspace.ROOT_GIT_IGNORE
    assert workspace.claim(folder, nobodys), "and is known again"


def test_a_root_that_is_there_gets_no_gitignore(tmp_path):
    (tmp_path / "thesis").mkdir()
    assert workspace.claim(tmp_path / "runs", nobodys)
    assert sorted(os.listdir(tmp_path)) == ["runs", "thesis"]


def test_an_empty_folder_is_marked_without_a_gitignore(tmp_path):
    (tmp_path / "runs").mkdir(mode=0o755)
    assert workspace.claim(tmp_path / "runs", nobodys, mode=0o700)
    assert os.listdir(tmp_path / "runs") == [workspace.MARKER]
    assert (tmp_path / "runs").stat().st_mode & 0o777 == 0o755


def test_a_folder_of_somebody_else_is_never_marked(tmp_path):
    (tmp_path / "runs/tensorboard").mkdir(parents=True)
    assert not workspace.claim(tmp_path / "runs", nobodys)
    assert os.listdir(tmp_path / "runs") == ["tensorboard"]


def test_a_folder_of_an_earlier_version_is_adopted(tmp_path):
    (tmp_path / "runs/20261130-083100").mkdir(parents=True)
    assert workspace.claim(tmp_path / "runs", lambda names: names == ["20261130-083100"])
    assert workspace.is_marked(tmp_path / "runs")


@pytest.mark.parametrize("text", ["", "Signature: 8a477f597d28d172789f06886806bc55\n"])
def test_the_name_of_the_marker_alone_is_no_marker(tmp_path, text):
    (tmp_path / workspace.MARKER).write_text(text)
    assert not workspace.is_marked(tmp_path)


def test_a_linked_marker_is_no_marker(tmp_path):
    workspace.claim(tmp_path / "a", nobodys)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / workspace.MARKER).symlink_to(tmp_path / "a" / workspace.MARKER)
    assert not workspace.is_marked(tmp_path / "b")


class Links:
    """Which links below a root are followed."""

    @staticmethod
    def check(root: Path, target: Path) -> None:
        root.mkdir(exist_ok=True)
        (root / "cache").symlink_to(target)
        workspace.check_links(root, root / "cache/deeper/file")


class TestLinks(Links):
    def test_into_a_marked_folder(self, tmp_path):
        workspace.claim(tmp_path / "scratch/cache", nobodys)
        (tmp_path / "scratch/cache/more").touch()
        self.check(tmp_path / "root", tmp_path / "scratch/cache")

    def test_into_an_empty_folder(self, tmp_path):
        (tmp_path / "scratch").mkdir()
        self.check(tmp_path / "root", tmp_path / "scratch")

    def test_inside_the_root(self, tmp_path):
        (tmp_path / "root/other").mkdir(parents=True)
        (tmp_path / "root/other/mine").touch()
        self.check(tmp_path / "root", Path("other"))

    @pytest.mark.parametrize("target", ["home", "home/letter", "nowhere", "root/cache"])
    def test_anywhere_else_is_refused(self, tmp_path, target):
        (tmp_path / "home").mkdir()
        (tmp_path / "home/letter").touch()
        if target == "root/cache":  # a loop
            target = "loop"
            (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(RecordError) as refused:
            self.check(tmp_path / "root", tmp_path / target)
        said = str(refused.value)
        assert str(tmp_path / "root/cache") in said
        assert str(tmp_path / target) in said
        assert "Delete the link" in said

    def test_a_root_that_is_a_link_is_where_the_user_wants_it(self, tmp_path):
        (tmp_path / "elsewhere/full").mkdir(parents=True)
        (tmp_path / "root").symlink_to(tmp_path / "elsewhere")
        workspace.check_links(tmp_path / "root", tmp_path / "root/cache")


def test_what_is_ours_is_replaced(tmp_path):
    for text in ("made by us, once", "made by us, again"):
        workspace.replace_text(tmp_path / "deep/page", text, SIGN)
        assert (tmp_path / "deep/page").read_text() == text


@pytest.mark.parametrize("mine", ["def test_a(): ...", "", " made by us"])
def test_what_is_not_ours_is_refused(tmp_path, mine):
    path = tmp_path / "test_a.py"
    path.write_text(mine)
    with pytest.raises(RecordError, match=r"test_a.py: exists and was not written by pytest-ascend-tune"):
        workspace.replace_text(path, "made by us", SIGN)
    assert path.read_text() == mine


def test_a_link_that_the_user_named_stays_one(tmp_path):
    (tmp_path / "link").symlink_to("shared")
    for text in ("made by us, once", "made by us, again"):
        workspace.replace_text(tmp_path / "link", text, SIGN)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "shared").read_text() == "made by us, again"
    (tmp_path / "shared").write_text("mine")
    with pytest.raises(RecordError, match="exists and was not written"):
        workspace.replace_text(tmp_path / "link", "made by us", SIGN)


def test_nothing_is_written_that_would_not_be_known_again(tmp_path):
    with pytest.raises(ValueError, match="does not bear its sign"):
        workspace.replace_text(tmp_path / "page", json.dumps({}), SIGN)
    assert os.listdir(tmp_path) == []


def test_a_new_file_is_not_written_through_a_dangling_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    assert not workspace.write_new(tmp_path / "link", "text")
    assert not (tmp_path / "outside").exists()
