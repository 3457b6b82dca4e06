from __future__ import annotations

import errno
import os
import stat

import pytest

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.errors import BaselineError, RecordError
from tests.unit.records.disk import room_for


def test_text_is_written_as_it_is_and_no_other_file_stays(tmp_path):
    path = tmp_path / "new" / "x.json"
    for text in ("first\r\n", "第二\n"):
        assert atomic.write_text(path, text) == path
        assert path.read_bytes() == text.encode()
    assert os.listdir(path.parent) == ["x.json"]


def test_names_of_any_length_and_characters_that_no_file_holds_are_written(tmp_path):
    path = tmp_path / ("x" * 250 + ".json")
    assert atomic.write_text(path, "t\udc80").read_text() == "t\\udc80"


def test_data_is_on_disk_before_its_name_and_its_name_before_the_return(tmp_path, monkeypatch):
    """What a power cut between any two of these steps leaves is the old file or the new one."""
    steps = []

    def sync(descriptor):
        steps.append("sync folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "sync file")

    rename = os.replace
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", lambda *names: (steps.append("rename"), rename(*names)))
    atomic.write_text(tmp_path / "x.json", "text")
    assert steps == ["sync file", "rename", "sync folder"]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, broken):
    path = atomic.write_text(tmp_path / "x.json", "old")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, broken, full)
    with pytest.raises(BaselineError, match=r"x\.json: cannot be written \(No space left on device\)"):
        atomic.write_text(path, "new", error=BaselineError)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.json"]


def test_a_disk_that_fills_up_half_way_leaves_the_old_file(tmp_path):
    path = atomic.write_text(tmp_path / "x.json", "old")
    with room_for(5000), pytest.raises(RecordError, match="cannot be written"):
        atomic.write_text(path, "new" * 5000)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.json"]


def test_a_file_that_stands_where_a_folder_is_needed_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be written"):
        atomic.write_text(tmp_path / "file" / "x.json", "")
    with pytest.raises(RecordError, match=r"not writable.*--ascend-tune-dir"):
        atomic.check_writable(tmp_path / "file" / "deeper")


def test_check_writable_leaves_nothing_behind(tmp_path):
    atomic.check_writable(tmp_path / "a")
    assert os.listdir(tmp_path / "a") == []


def test_leftovers_of_killed_writers_are_removed_and_nothing_else(tmp_path):
    foreign = [".draft.tmp", ".x.json.1-.tmp", "x.json", "y.tmp"]
    for name in (".x.json.1-0123abcd.tmp", *foreign):
        (tmp_path / name).touch()
    (tmp_path / ".z.1-0123abcd.tmp").symlink_to("x.json")
    atomic.remove_leftovers(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted([*foreign, ".z.1-0123abcd.tmp"])
