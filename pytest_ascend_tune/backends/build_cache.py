"""Built kernels on disk: addressed by what they are made of, verified, bounded, safe under concurrent processes.

One file per build, ``KEY-SHA256.so``: the content's own hash is in the name, so that a damaged or replaced file is
noticed, and one atomic rename publishes both. Two processes that build the same key at the same time both succeed.
The folder is the user's alone (0700), because what lies in it is loaded and run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.model.errors import InvalidInputError

_ABANDONED_S = 24 * 3600.0


@dataclass(frozen=True)
class CachedFile:
    """A built file and the sha256 of its content."""

    path: Path
    sha256: str


class BuildCache:
    """``get_or_build`` may be called from several threads; equal keys are built once per process."""

    def __init__(self, folder: Path, *, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    def get_or_build(self, key: str, build: Callable[[Path, Path], None], *, suffix: str = ".so") -> CachedFile:
        """The file of `key`. On a miss, `build(workdir, output)` must write `output`; its errors pass through."""
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            self._prepare_folder()
            return self._find(key, suffix) or self._build(key, build, suffix)

    def _prepare_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            status = self._folder.stat()
            if status.st_uid != os.geteuid():
                raise InvalidInputError(
                    f"the kernel cache {self._folder} belongs to another user (uid {status.st_uid}); "
                    "kernels in it would run as you. Delete it or choose another --ascend-tune-dir"
                )
            if status.st_mode & 0o077:
                self._folder.chmod(0o700)
        except OSError as error:
            raise InvalidInputError(
                f"the kernel cache {self._folder} cannot be used: {error.strerror}. Choose another --ascend-tune-dir"
            ) from error

    def _find(self, key: str, suffix: str) -> CachedFile | None:
        for path in sorted(self._folder.glob(f"{key}-*{suffix}")):
            expected = path.name[len(key) + 1 : -len(suffix)]
            try:
                if sha256_of(path) == expected:
                    os.utime(path)  # recently used
                    return CachedFile(path, expected)
                path.unlink()
            except FileNotFoundError:  # evicted by another process just now
                continue
        return None

    def _build(self, key: str, build: Callable[[Path, Path], None], suffix: str) -> CachedFile:
        workdir = Path(tempfile.mkdtemp(prefix="build-", dir=self._folder))
        try:
            output = workdir / f"kernel{suffix}"
            build(workdir, output)
            digest = sha256_of(output)
            path = self._folder / f"{key}-{digest}{suffix}"
            os.replace(output, path)
        finally:
            shutil.rmtree(workdir, ignore_errors=True)
        self._evict(keep=path)
        return CachedFile(path, digest)

    def _evict(self, keep: Path) -> None:
        """Delete the least recently used files above the limit, and work folders that a killed process left behind."""
        files, total = [], 0
        for entry in os.scandir(self._folder):
            with suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    if keep.stat().st_mtime - status.st_mtime > _ABANDONED_S:
                        shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    total += status.st_size
                    files.append((status.st_mtime_ns, status.st_size, entry.path))
        for _, size, name in sorted(files):
            if total <= self._limit_bytes:
                break
            if name != str(keep):
                with suppress(FileNotFoundError):
                    os.unlink(name)
                total -= size


def sha256_of(path: Path) -> str:
    """Hash of a file's content."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def why_not_loaded(text: str) -> str:
    """What the loader's message means where people do not see it: "failed to map segment" is a mount without exec."""
    if "failed to map segment" in text:
        return " (the file system of the kernel cache is mounted noexec: choose another folder with --ascend-tune-dir)"
    return ""
