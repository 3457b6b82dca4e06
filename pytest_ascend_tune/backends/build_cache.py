"""Built kernels on disk: addressed by what they are made of, verified, bounded, safe under concurrent processes.

One file per build, ``KEY-SHA256.so``: the content's own hash is in the name, so that a damaged or replaced file is
noticed, and one atomic rename publishes both. Two processes that build the same key at the same time both succeed.
What lies in the folder is loaded and run: it is made for its user alone (0700), and one that others can write to is
refused. Cleaned up is only what is ours (``workspace``): where ``cache/`` holds files of somebody else's, builds stand
in a folder of our own in it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.files import workspace
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import InvalidInputError

GUEST = "pytest-ascend-tune"  # the folder of our own in a cache folder that is somebody else's
_ABANDONED_S = 24 * 3600.0
_WORK_PREFIX = "build-"
_WORK = re.compile(r"build-[a-z0-9_]{8}")  # the form of tempfile.mkdtemp
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BUILT = re.compile(r"[\w-]+-[0-9a-f]{64}\.so")
_HASHED = re.compile(r"[0-9a-f]{64}-[0-9a-f]{64}\.so")  # what backends make: nobody else has such names


def are_ours(names: Sequence[str]) -> bool:
    """Whether an earlier version made these; a work folder alone, as ``build-firmware``, may be anybody's."""
    return any(map(_HASHED.fullmatch, names)) and all(
        _HASHED.fullmatch(name) or _WORK.fullmatch(name) for name in names
    )


@dataclass(frozen=True)
class CachedFile:
    """A built file and the sha256 of its content."""

    path: Path
    sha256: str


class BuildCache:
    """``get_or_build`` may be called from several threads; equal keys are built once per process."""

    def __init__(self, folder: Path, *, limit_bytes: int) -> None:
        self._place = self._folder = folder
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
            folder = self._place
            if not workspace.claim(folder, are_ours, mode=0o700):
                _check_private(folder)
                folder = folder / GUEST
                if not workspace.claim(folder, are_ours, mode=0o700):
                    raise InvalidInputError(
                        f"the kernel cache {folder} holds files that pytest-ascend-tune did not make; move them away or"
                        " choose another {switch('dir')}"
                    )
            _check_private(folder)
            self._folder = folder
        except OSError as error:
            raise InvalidInputError(
                f"the kernel cache {self._place} cannot be used: {error.strerror}. Choose another {switch('dir')}"
            ) from error

    def _find(self, key: str, suffix: str) -> CachedFile | None:
        for path in sorted(self._folder.glob(f"{key}-*{suffix}")):
            expected = path.name[len(key) + 1 : -len(suffix)]
            if not _SHA256.fullmatch(expected) or path.is_symlink():
                continue
            try:
                if sha256_of(path) == expected:
                    os.utime(path)  # recently used
                    return CachedFile(path, expected)
                path.unlink()
            except FileNotFoundError:  # evicted by another process just now
                continue
        return None

    def _build(self, key: str, build: Callable[[Path, Path], None], suffix: str) -> CachedFile:
        workdir = Path(tempfile.mkdtemp(prefix=_WORK_PREFIX, dir=self._folder))
        try:
            workspace.mark(workdir)
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
        """Delete the least recently used builds above the limit, and work folders that a killed process left behind."""
        files, total = [], 0
        for entry in os.scandir(self._folder):
            with suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                if _WORK.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                    abandoned = keep.stat().st_mtime - status.st_mtime > _ABANDONED_S
                    if abandoned and workspace.is_marked(Path(entry.path)):
                        shutil.rmtree(entry.path, ignore_errors=True)
                elif _BUILT.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    total += status.st_size
                    files.append((status.st_mtime_ns, status.st_size, entry.path))
        for _, size, name in sorted(files):
            if total <= self._limit_bytes:
                break
            if name != str(keep):
                with suppress(FileNotFoundError):
                    os.unlink(name)
                total -= size


def _check_private(folder: Path) -> None:
    """Raise InvalidInputError when somebody else could put a file here, which would then run as this user."""
    status = folder.stat()
    if status.st_uid != os.geteuid():
        raise InvalidInputError(
            f"the kernel cache {folder} belongs to another user (uid {status.st_uid}); kernels in it would run as you. "
            f"Delete it or choose another {switch('dir')}"
        )
    if status.st_mode & 0o022:
        raise InvalidInputError(
            f"the kernel cache {folder} can be written by other users; kernels in it would run as you. Take that away "
            f"(chmod go-w {folder}) or choose another {switch('dir')}"
        )


def sha256_of(path: Path) -> str:
    """Hash of a file's content."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def why_not_loaded(text: str) -> str:
    """What the loader's message means where people do not see it: "failed to map segment" is a mount without exec."""
    if "failed to map segment" in text:
        return " (the file system of the kernel cache is mounted noexec: choose another folder with --ascend-tune-dir)"
    return ""
