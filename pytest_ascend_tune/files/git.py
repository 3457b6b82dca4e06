"""Reads files of a git revision. Plumbing only: no index, no filters, no network, and nothing written to .git."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath

from pytest_ascend_tune.model.errors import RevisionError

_SHORT = 10  # digits of a hash that people see
_LINK, _SUBMODULE = "120000", "160000"
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_MOST_LINKS = 8  # one leading to the next
# https with or without credentials, or git@host:path; what else there is has no page that could be guessed.
_REMOTE = re.compile(r"(?:https://(?:[^/@]*@)?|(?:ssh://)?[\w.-]+@)([\w.-]+(?::\d+(?=/))?)[/:]([\w.~/-]+?)(?:\.git)?/?")
# A hook runs with its repository's in the environment; a folder's own repository is meant here.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
_READ_ONLY = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


def short(commit: str) -> str:
    """A hash as people see it."""
    return commit[:_SHORT]


@dataclass(frozen=True)
class Repository:
    """The repository of a folder. ``root``: of its work tree; ``prefix``: the folder in it, "" for the root."""

    root: Path
    prefix: str

    @classmethod
    def of(cls, folder: Path) -> Repository:
        """Raises RevisionError without git, outside a repository, and in one that git does not trust."""
        folder = Path(os.path.realpath(folder))
        code, out, error = _git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
        if code == 0:
            root, prefix = out.decode(errors="surrogateescape").splitlines()[:2]
            return cls(Path(root), prefix.rstrip("/"))
        if "dubious ownership" in error:
            raise RevisionError(
                f"git does not trust the repository of {folder}, which belongs to another user; where you do, run: "
                f"git config --global --add safe.directory {folder} (or the repository's root, or '*')"
            )
        if "not a git repository" in error or "must be run in a work tree" in error:
            raise RevisionError(f"{folder} lies in no git work tree, so that it has no revisions")
        raise RevisionError(f"git cannot read the repository of {folder}: {error}")

    def commit(self, revision: str) -> str:
        """The full hash of the commit that `revision` names. Raises RevisionError."""
        code, out, _ = _git(self.root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if code == 0:
            return out.decode().strip()
        if _git(self.root, "rev-parse", "--is-shallow-repository")[1].strip() == b"true":
            raise RevisionError(
                f"revision {revision} is not in {self.root}, which is a shallow clone; fetch the history first: "
                "git fetch --unshallow, or fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 on GitLab"
            )
        raise RevisionError(
            f"there is no revision {revision} in {self.root}; fetch it (git fetch origin), or choose a branch, tag or "
            "commit that git log shows"
        )

    def page(self, commit: str) -> str:
        """Web address of a commit where ``origin`` is on a usual host, without credentials; "" where it is not."""
        code, out, _ = _git(self.root, "config", "--get", "remote.origin.url")
        found = _REMOTE.fullmatch(out.decode(errors="replace").strip()) if code == 0 else None
        return f"https://{found[1]}/{found[2]}/commit/{commit}" if found else ""

    def files(self, commit: str, folder: str) -> RevisionFiles:
        """The files below `folder` (relative to the root) in a commit."""
        return RevisionFiles(self, commit, folder)

    def earlier_name(self, commit: str, file: str) -> str:
        """What `file` of HEAD was called in `commit`, "" when git finds no such renaming."""
        renames = ("diff-tree", "-r", "-z", "--no-ext-diff", "--find-renames", "--diff-filter=R", "--name-status")
        code, out, _ = _git(self.root, *renames, commit, "HEAD")
        words = out.decode(errors="surrogateescape").split("\0") if code == 0 else []
        return next((old for old, new in zip(words[1::3], words[2::3], strict=False) if new == file), "")


@dataclass(frozen=True)
class RevisionFiles:
    """Files of one folder in a commit, by their names relative to it."""

    repository: Repository
    commit: str
    folder: str

    @cached_property
    def _entries(self) -> Mapping[str, tuple[str, str]]:
        """(mode, object) by name."""
        prefix = f"{self.folder}/" if self.folder else ""
        where = (self.commit, "--", prefix) if prefix else (self.commit,)
        code, out, error = _git(self.repository.root, "ls-tree", "-r", "-z", "--full-tree", *where)
        if code:
            raise RevisionError(f"git cannot list {self.folder or 'the root'} in {short(self.commit)}: {error}")
        found = {}
        for line in out.decode(errors="surrogateescape").split("\0"):
            facts, _, name = line.partition("\t")
            if name:
                mode, _, number = facts.split(" ")[:3]
                found[name[len(prefix) :]] = mode, number
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """Of all files, links included."""
        return tuple(name for name, (mode, _) in self._entries.items() if mode != _SUBMODULE)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def called(self, name: str) -> str:
        """How messages name a file."""
        return f"{PurePosixPath(self.folder) / name} in {short(self.commit)}"

    def find(self, pattern: str) -> Sequence[str]:
        """Names that a glob matches, as ``pathlib`` globs: ``**`` is any folders, ``*`` stays in one."""
        return [name for name in self.names if _match(name.split("/"), pattern.split("/"))]

    def read(self, name: str) -> bytes:
        """Content of a file; a link is followed inside the folder. Raises RevisionError."""
        place = name
        for _ in range(_MOST_LINKS):
            mode, number = self._entries.get(place, ("", ""))
            if not number or mode == _SUBMODULE:
                break
            code, content, error = _git(self.repository.root, "cat-file", "blob", number)
            if code:
                raise RevisionError(
                    f"{self.called(name)} cannot be read: {error or 'it is not here'}; a partial clone lacks old "
                    "files: clone without --filter, or run git fetch --refetch"
                )
            if mode != _LINK:
                return self._real(name, content)
            place = os.path.normpath(PurePosixPath(place).parent / os.fsdecode(content))
        raise RevisionError(f"{self.called(name)} is no file in the template's folder there, or a link that leads out")

    def _real(self, name: str, content: bytes) -> bytes:
        if content.startswith(_LFS_POINTER):
            raise RevisionError(
                f"{self.called(name)} is a Git LFS pointer: the repository does not hold its text; keep kernel sources "
                "in git itself (git lfs migrate export)"
            )
        return content


def _match(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a glob matches a relative name, both taken apart at ``/``."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_match(parts[start:], pattern[1:]) for start in range(len(parts)))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _match(parts[1:], pattern[1:])


def _git(folder: Path, *arguments: str) -> tuple[int, bytes, str]:
    """Exit code, stdout, and stderr in one line. Raises RevisionError without git."""
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN} | _READ_ONLY
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        raise RevisionError("git is not installed; install it (apt-get install git, dnf install git)") from None
    except OSError as error:
        raise RevisionError(f"git cannot be started: {error.strerror or error}") from error
    return done.returncode, done.stdout, " ".join(done.stderr.decode(errors="replace").split())[:400]
