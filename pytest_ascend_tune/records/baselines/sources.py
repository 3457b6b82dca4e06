"""Kernel sources kept beside a result: exactly the files that were built, text for text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.search import source_hash


def write_sources(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Put (relative name, text) files into `folder`. Raises BaselineError for a name that is no plain path in it."""
    for name, text in files:
        relative = PurePosixPath(name)
        plain = (
            name.isprintable() and "\\" not in name and relative.parts and not name.endswith(atomic.TEMPORARY_SUFFIX)
        )
        if not plain or relative.is_absolute() or ".." in relative.parts:
            raise BaselineError(f"source file {name!r} cannot be kept: its name leaves the folder or is no plain path")
        target = folder / relative
        if not Path(os.path.realpath(target)).is_relative_to(os.path.realpath(folder)):
            raise BaselineError(f"{target}: a symbolic link leads out of {folder}; nothing is written there")
        if target.parent.is_dir():
            atomic.remove_leftovers(target.parent)
        if not (target.is_file() and target.read_bytes() == text.encode()):
            atomic.write_text(target, text, error=BaselineError)


def read_sources(folder: Path) -> tuple[tuple[str, str], ...]:
    """The files of `folder` as (relative name, text), sorted. Raises BaselineError when there is none to read.

    A link is refused: what it leads to was never among the sources, and would be copied into a baseline.
    """
    try:
        links = [found for found in (folder, *sorted(folder.rglob("*"))) if found.is_symlink()]
        if links:
            raise BaselineError(
                f"{links[0]}: a symbolic link among the kept sources; put back the file, or measure again"
            )
        paths = sorted(found for found in folder.rglob("*") if found.is_file())
        files = tuple((path.relative_to(folder).as_posix(), path.read_bytes().decode()) for path in paths)
    except (OSError, UnicodeDecodeError) as cause:
        raise BaselineError(f"{folder}: the kept sources cannot be read ({cause})") from cause
    if not files:
        raise BaselineError(f"{folder}: the kept sources are gone; measure again")
    return files


def are_kept(folder: Path, wanted_hash: str) -> bool:
    """Whether `folder` holds exactly the files that `wanted_hash` was made of. Raises BaselineError as reading does."""
    return is_hash_of(wanted_hash, read_sources(folder))


def is_hash_of(wanted_hash: str, files: Iterable[tuple[str, str]]) -> bool:
    """Whether these are the (relative name, text) files that `wanted_hash` was made of."""
    return source_hash(dict(files)) == wanted_hash
