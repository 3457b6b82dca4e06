"""Where a template's files are read from: a folder on disk, or anything else that offers the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Protocol

from pytest_ascend_tune.model.errors import TemplateError


class Sources(Protocol):
    """A template's files by their names relative to its folder."""

    def called(self, name: str) -> str:
        """How messages name a file."""

    def __contains__(self, name: object) -> bool:
        """Whether there is a file of this name."""

    def read(self, name: str) -> bytes:
        """Its content. Raises InvalidInputError."""

    def find(self, pattern: str) -> Sequence[str]:
        """Names of all files that a glob matches: ``**`` is any folders, ``*`` stays in one."""


@dataclass(frozen=True)
class Folder:
    """The files of a folder on disk."""

    path: Path

    def called(self, name: str) -> str:
        """Its path."""
        return str(self.path / name)

    def __contains__(self, name: object) -> bool:
        return exists((self.path / str(name)).is_file)

    def read(self, name: str) -> bytes:
        """Raises TemplateError, also for a link that leads out of the folder."""
        path = self.path / name
        _check_inside(path, self.path)
        try:
            return path.read_bytes()
        except OSError as error:
            raise TemplateError(f"{path} cannot be read: {error.strerror}") from error

    def find(self, pattern: str) -> Sequence[str]:
        """Files only, links to files included."""
        try:
            found = [path for path in self.path.glob(pattern) if path.is_file()]
        except (OSError, ValueError, NotImplementedError) as error:  # what can be no name, no glob
            raise TemplateError(f"{self.path}: {pattern[:100]!r} is no usable glob: {error}") from error
        return [path.relative_to(self.path).as_posix() for path in found]


def text_of(sources: Sources, name: str) -> str:
    """Text of a file, line ends as ``\\n``: a checkout with other line ends is the same template."""
    try:
        return sources.read(name).decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise TemplateError(f"{sources.called(name)} is not UTF-8 text: {error}") from error


def is_inside(name: str) -> bool:
    """Whether a name or a glob is relative and leads out of no folder."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\\" not in name


def exists(look: Callable[[], bool]) -> bool:
    """Answer of a path's ``is_file`` or ``is_dir``; what cannot be a name (too long, a zero byte) is not there."""
    try:
        return look()
    except (OSError, ValueError):
        return False


def builtin_root() -> Path:
    """Folder of the templates that come with this package."""
    return Path(str(resources.files("pytest_ascend_tune.kernel_templates")))


def _check_inside(path: Path, folder: Path) -> None:
    """Raise TemplateError for a link that leads out of the folder: sources are copied into baselines and reports.

    Templates of this package are exempt: installers may make its files links.
    """
    target, home = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    if not target.is_relative_to(home) and home.parent != Path(os.path.realpath(builtin_root())):
        raise TemplateError(
            f"{path}: a symbolic link leads out of the template's folder, to {target}; put the file itself there"
        )
