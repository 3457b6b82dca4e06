"""What is ours on disk: folders that we made and marked, files that bear our name, links that lead elsewhere.

Three rules, kept here for all that is written. Cleaned is only what lies in a folder with our marker *and* has a name
of ours; nothing is deleted, or its mode changed, in anybody else's folder. A file is replaced only where it says that
it is ours. A link below the directory that the user named is followed only inside of it, into a folder with our marker
or into an empty one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError

MARKER = ".ascend-tune-folder"
SIGNATURE = "Signature: 2d06c0c4e1f86c7e9d9a41f2b5a07c13"  # as CACHEDIR.TAG has one: the name alone could be anybody's
MARKER_TEXT = f"""\
{SIGNATURE}
# pytest-ascend-tune made this folder, or found nothing in it but files of its own: it cleans up here.
# Without this file nothing in this folder is ever deleted.
"""
GIT_IGNORE = ".gitignore"
ROOT_GIT_IGNORE = """\
# Made by pytest-ascend-tune: only the baselines are meant to be committed.
/*
!/.gitignore
!/baselines/
*.tmp
"""
PAGE_SIGN = re.compile(rb'<meta name="generator" content="pytest-ascend-tune ')
RESULTS_SIGN = re.compile(rb'\A\{\s*"schema": \d+,\s*"generator": "pytest-ascend-tune ')
SUMMARY_SIGN = re.compile(rb"\A## .{0,8} ascend-tune: ")
PICTURE_SIGN = re.compile(rb"pytest-ascend-tune")
EXPORT_SIGN = re.compile(rb'\A\{\s*"schema": \d+,\s*"configs": \[|\A// .*Made by `ascend-tune export`')
COMPILED_SIGN = re.compile(rb'\A\{\s*"schema": \d+,\s*"compiled": \[')
_ENDS_BYTES = 4096  # of both ends of a file: where it says so


def make_root(root: Path) -> None:
    """Make the directory of everything written; where it is new, with a .gitignore that leaves only baselines to git.

    Raises RecordError. A directory that is there already is left as it is: hiding what is in it is not ours to do.
    """
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        root.mkdir()
    except FileExistsError as cause:
        if root.is_dir():
            return
        raise RecordError(f"{root}: is no folder; name another one with {switch('dir')}") from cause
    except OSError as cause:
        raise RecordError(
            f"{root}: cannot be made ({cause.strerror or cause}); make it writable or name another directory"
            f" with {switch('dir')}"
        ) from cause
    atomic.write_text(root / GIT_IGNORE, ROOT_GIT_IGNORE)


def claim(folder: Path, are_ours: Callable[[Sequence[str]], bool], *, mode: int = 0o777) -> bool:
    """Make a folder of ours in the directory of everything written; whether what has our names in it is ours.

    False for a folder that holds anything of somebody else's: use it as a guest does. One of an earlier version, or an
    empty one, is marked. `are_ours`: whether a folder of an earlier version would hold all of these names, and they
    cannot be anybody else's. Raises RecordError for links that lead out, and OSError.
    """
    check_links(folder.parent, folder)
    make_root(folder.parent)
    try:
        folder.mkdir(mode=mode)
        furnish(folder)
    except FileExistsError:
        if is_marked(folder):
            return True
        names = [name for name in os.listdir(folder) if name not in (MARKER, GIT_IGNORE)]
        if names and not are_ours(names):
            return False
    mark(folder)
    return is_marked(folder)


def furnish(folder: Path) -> None:
    """Mark a folder that we just made and let git leave it alone."""
    write_new(folder / GIT_IGNORE, "*\n")
    mark(folder)


def mark(folder: Path) -> None:
    """Put our marker into a folder that we made. One that stands there is left as it is."""
    write_new(folder / MARKER, MARKER_TEXT)


def is_marked(folder: Path) -> bool:
    """Whether a folder has our marker: a file of its own, no link, with our signature."""
    return (_ends(folder / MARKER, os.O_NOFOLLOW) or b"").startswith(SIGNATURE.encode())


def check_links(root: Path, path: Path, *, error: type[RecordError] = RecordError) -> None:
    """Raise `error` when a link below `root`, on the way to `path` in it, leads where we may not write."""
    inside, here = Path(os.path.realpath(root)), root
    for part in path.relative_to(root).parts:
        here = here / part
        if not here.is_symlink():
            continue
        target = Path(os.path.realpath(here))
        if not (target.is_relative_to(inside) or is_marked(target) or _is_empty(target)):
            raise error(
                f"{here}: a symbolic link leads out of {root}, to {target}, which is neither an empty folder nor one"
                f" that pytest-ascend-tune made (it has no {MARKER}); nothing is written there. Delete the link,"
                f" let it lead to an empty folder, or name another directory with {switch('dir')}"
            )


def check_replaceable(path: Path, sign: re.Pattern[bytes]) -> None:
    """Raise RecordError when `path` is something that we did not write. `sign`: how its kind of file says we did."""
    if path.is_dir():
        raise RecordError(f"{path} is a folder; name a file to write to")
    if path.is_file() and not sign.search(_ends(path) or b""):
        raise RecordError(
            f"{path}: exists and was not written by pytest-ascend-tune; it is left as it is. Name another file, or move"
            " it away"
        )


def replace_text(path: Path, text: str, sign: re.Pattern[bytes]) -> Path:
    """As :func:`replace_bytes`, in UTF-8; what UTF-8 cannot hold (lone surrogates) is escaped."""
    return replace_bytes(path, text.encode("utf-8", "backslashreplace"), sign)


def replace_bytes(path: Path, data: bytes, sign: re.Pattern[bytes]) -> Path:
    """Write `data` to a path that the user named: through a link, and never over a file that is not ours.

    Raises RecordError. `data` bears `sign` itself: the next run has to know it again.
    """
    if not sign.search(_both_ends(data)):
        raise ValueError(f"what is written to {path} does not bear its sign {sign.pattern!r}")
    check_replaceable(path, sign)
    atomic.write_bytes(Path(os.path.realpath(path)), data)
    return path


def write_new(path: Path, text: str) -> bool:
    """Write a file, and its folder, where there is none; False, and nothing changed, where there is one, or a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def _is_empty(folder: Path) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:
        return False


def _ends(path: Path, flags: int = 0) -> bytes | None:
    """The first and the last bytes of a file, None where there is none that can be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | flags)
        with open(descriptor, "rb") as file:
            return _both_ends(file.read())
    except OSError:
        return None


def _both_ends(data: bytes) -> bytes:
    return data[:_ENDS_BYTES] + data[max(_ENDS_BYTES, len(data) - _ENDS_BYTES) :]
