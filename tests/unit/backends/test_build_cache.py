"""The cache of built kernels: content addresses, damage, eviction, concurrency, privacy."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.build_cache import BuildCache, sha256_of
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
    return sorted(cache._folder.iterdir())


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
    cache._folder.chmod(0o777)
    cache.get_or_build("k", Builder())
    assert cache._folder.stat().st_mode & 0o777 == 0o700


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
    kept = {path.name.rpartition("-")[0] for path in tmp_path.iterdir()}
    assert kept == {"older-but-used", "new", "newest"}
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 300
    cache.get_or_build("huge", Builder(b"y" * 1000))
    assert not newest.exists()
    assert [path.name.partition("-")[0] for path in tmp_path.iterdir()] == ["huge"], "what was just built stays"


def test_work_folders_of_dead_processes_are_swept(cache):
    cache.get_or_build("k", Builder())
    abandoned, fresh = cache._folder / "build-dead", cache._folder / "build-live"
    for folder in (abandoned, fresh):
        folder.mkdir()
    os.utime(abandoned, (1, 1))
    cache.get_or_build("other", Builder(b"other"))
    assert not abandoned.exists()
    assert fresh.exists()


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
