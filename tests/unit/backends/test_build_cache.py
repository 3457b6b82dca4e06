"""The cache of built kernels: content addresses, damage, eviction, concurrency, privacy."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import threading
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.build_cache import BuildCache, sha256_of
from pytest_ascend_tune.files.workspace import GIT_IGNORE, MARKER, is_marked, mark
from pytest_ascend_tune.model.errors import BuildError, InvalidInputError


class Builder:
    """Counts its builds; each writes `content`."""

    def __init__(self, content: bytes = b"code", delay_s: float = 0.0) -> None:
        self.content, self.delay_s, self.builds = content, delay_s, 0

    def __call__(self, workdir: Path, output: Path) -> None:
        assert workdir.is_dir()
        self.builds += 1
        time.sleep(self.delay_s)
        output.write_bytes(self.content)


@pytest.fixture
def cache(tmp_path):
    return BuildCache(tmp_path / "deep" / "cache", limit_bytes=1 << 20)


def files(cache: BuildCache) -> list[Path]:
    return sorted(path for path in cache._folder.iterdir() if path.name not in (MARKER, GIT_IGNORE))


def test_the_second_time_it_is_found(cache):
    builder = Builder()
    first = cache.get_or_build("k", builder)
    assert cache.get_or_build("k", builder) == first
    assert builder.builds == 1
    assert first.path.read_bytes() == b"code"
    assert first.sha256 == sha256_of(first.path)
    assert files(cache) == [first.path], "no work folder stays behind"


def test_one_key_is_not_the_beginning_of_another(cache):
    assert cache.get_or_build("k-2", Builder(b"long")).path != cache.get_or_build("k", Builder(b"short")).path
    assert cache.get_or_build("k", Builder(b"other")).path.read_bytes() == b"short"


@pytest.mark.parametrize("damage", [b"", b"code and more", b"c0de"])
def test_a_damaged_file_is_built_again(cache, damage):
    builder = Builder()
    path = cache.get_or_build("k", builder).path
    path.write_bytes(damage)
    assert cache.get_or_build("k", builder).path.read_bytes() == b"code"
    assert builder.builds == 2


def test_a_failed_build_leaves_nothing(cache):
    def fail(workdir, output):
        output.write_bytes(b"half")
        raise BuildError("no")

    with pytest.raises(BuildError):
        cache.get_or_build("k", fail)
    assert files(cache) == []


def test_the_folder_is_the_users_alone(cache):
    cache.get_or_build("k", Builder())
    assert cache._folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_refused_and_its_mode_left_alone(cache, mode):
    cache.get_or_build("k", Builder())
    cache._folder.chmod(mode)
    with pytest.raises(InvalidInputError, match=r"can be written by other users.*chmod go-w"):
        cache.get_or_build("k", Builder())
    assert cache._folder.stat().st_mode & 0o777 == mode


def test_in_a_folder_of_somebody_elses_builds_stand_in_one_of_our_own(tmp_path):
    folder = tmp_path / "cache"
    (folder / "thesis").mkdir(parents=True)
    (folder / "thesis/chapter-1.tex").write_text("years")
    (folder / "build-firmware").mkdir()
    sha256 = "ab" * 32
    (folder / f"model-{sha256}.so").write_bytes(b"x" * 1000)
    for path in (folder / "thesis", folder / "build-firmware", folder / f"model-{sha256}.so"):
        os.utime(path, (1, 1))
    folder.chmod(0o755)
    before = sorted((path, path.stat().st_mode, path.stat().st_mtime) for path in folder.rglob("*"))
    cache = BuildCache(folder, limit_bytes=5)
    builder = Builder()
    found = [cache.get_or_build(key, builder).path for key in ("a", "b", "b")]
    assert [path.parent for path in found] == [folder / "pytest-ascend-tune"] * 3
    assert builder.builds == 2
    assert not found[0].exists(), "what is ours stays bounded"
    own = folder / "pytest-ascend-tune"
    after = sorted((path, path.stat().st_mode, path.stat().st_mtime) for path in folder.rglob("*"))
    assert [entry for entry in after if entry[0] != own and own not in entry[0].parents] == before
    assert folder.stat().st_mode & 0o777 == 0o755
    assert is_marked(own)
    assert not is_marked(folder)


def test_the_cache_of_an_earlier_version_is_adopted(tmp_path):
    folder, content = tmp_path / "cache", b"built by 0.1"
    folder.mkdir(mode=0o700)
    old = folder / f"{'ab' * 32}-{hashlib.sha256(content).hexdigest()}.so"
    old.write_bytes(content)
    (folder / "build-x7_k2pq9").mkdir()
    cache, builder = BuildCache(folder, limit_bytes=1 << 20), Builder()
    assert cache.get_or_build("ab" * 32, builder).path == old
    assert builder.builds == 0
    assert is_marked(folder)


@pytest.mark.parametrize("name", ["build-firmware", "notes.txt", f"thesis-{'ab' * 32}.pdf"])
def test_a_name_that_may_be_anybodys_adopts_nothing(tmp_path, name):
    (tmp_path / "cache" / name).mkdir(parents=True)
    BuildCache(tmp_path / "cache", limit_bytes=1).get_or_build("k", Builder())
    assert not is_marked(tmp_path / "cache")
    assert (tmp_path / "cache" / name).is_dir()


def test_nothing_is_deleted_through_a_link(cache, tmp_path):
    home = tmp_path / "home"
    (home / "build-abcdefgh").mkdir(parents=True)
    mark(home / "build-abcdefgh")
    (home / "letter").write_text("dear")
    cache.get_or_build("k", Builder())
    sha256 = "cd" * 32
    (cache._folder / "build-12345678").symlink_to(home / "build-abcdefgh")
    (cache._folder / f"k2-{sha256}.so").symlink_to(home / "letter")
    os.utime(home / "build-abcdefgh", (1, 1))
    cache._limit_bytes = 1
    cache.get_or_build("k2", Builder(b"other"))
    assert (home / "build-abcdefgh").is_dir()
    assert (home / "letter").read_text() == "dear"
    assert (cache._folder / f"k2-{sha256}.so").is_symlink(), "and links are nobody's builds"


def test_a_link_to_a_home_folder_is_refused(tmp_path):
    home, root = tmp_path / "home", tmp_path / "repo/.ascend-tune"
    (home / "old").mkdir(parents=True)
    root.mkdir(parents=True)
    (root / "cache").symlink_to(home)
    with pytest.raises(InvalidInputError, match=r"cache: a symbolic link leads out of .*home.*Delete the link"):
        BuildCache(root / "cache", limit_bytes=1).get_or_build("k", Builder())
    assert os.listdir(home) == ["old"]


def test_a_folder_of_another_user_is_refused(cache, monkeypatch):
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    with pytest.raises(InvalidInputError, match=f"belongs to another user .uid {uid}.*--ascend-tune-dir"):
        cache.get_or_build("k", Builder())


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "cache").write_text("mine")
    with pytest.raises(InvalidInputError, match="cannot be used"):
        BuildCache(tmp_path / "cache", limit_bytes=1).get_or_build("k", Builder())
    assert (tmp_path / "cache").read_text() == "mine"


def test_the_least_recently_used_go_first(tmp_path):
    cache = BuildCache(tmp_path, limit_bytes=300)
    for age, key in ((3000, "old"), (2000, "older-but-used"), (1000, "new")):
        path = cache.get_or_build(key, Builder(key.encode().ljust(100))).path
        os.utime(path, (time.time() - age, time.time() - age))
    cache.get_or_build("older-but-used", Builder())
    newest = cache.get_or_build("newest", Builder(b"x" * 100)).path
    kept = {path.name.rpartition("-")[0] for path in files(cache)}
    assert kept == {"older-but-used", "new", "newest"}
    assert sum(path.stat().st_size for path in files(cache)) <= 300
    cache.get_or_build("huge", Builder(b"y" * 1000))
    assert not newest.exists()
    assert [path.name.partition("-")[0] for path in files(cache)] == ["huge"], "what was just built stays"


def test_work_folders_of_dead_processes_are_swept(cache):
    cache.get_or_build("k", Builder())
    abandoned, fresh, foreign = (cache._folder / f"build-{name}" for name in ("deadbeef", "aliveone", "firmware"))
    for folder in (abandoned, fresh, foreign):
        folder.mkdir()
    for folder in (abandoned, fresh):
        mark(folder)
    for folder in (abandoned, foreign):
        os.utime(folder, (1, 1))
    cache.get_or_build("other", Builder(b"other"))
    assert not abandoned.exists()
    assert fresh.exists()
    assert foreign.exists(), "a name is not enough"


def test_two_threads_build_a_key_once_and_other_keys_beside_it(cache):
    builder = Builder(delay_s=0.2)
    results = []
    threads = [threading.Thread(target=lambda: results.append(cache.get_or_build("k", builder))) for _ in range(4)]
    for thread in threads:
        thread.start()
    other = cache.get_or_build("quick", Builder(b"quick"))
    for thread in threads:
        thread.join()
    assert builder.builds == 1
    assert len(set(results)) == 1
    assert other.path.exists()


def _hammer(folder: str) -> int:
    cache = BuildCache(Path(folder), limit_bytes=50_000)
    for number in range(60):
        key = f"key{number % 7}"
        file = cache.get_or_build(key, Builder(key.encode() * 2000))
        try:
            content = file.path.read_bytes()
        except FileNotFoundError:
            continue  # evicted by the other process
        assert content == key.encode() * 2000
    return 1


def test_two_processes_never_see_half_a_file(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert sum(pool.map(_hammer, [str(tmp_path)] * 2)) == 2
    assert not list(tmp_path.glob("build-*"))
