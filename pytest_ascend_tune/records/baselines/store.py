"""The baselines of a project: one small JSON file per problem, made to be committed and reviewed, and their sources.

``DIR/baselines/<name>/<device>/<template>/<problem-id>.json`` and ``DIR/baselines/<name>/sources/<hash>/``. The name of
a set stands only in the path, so that a set can be copied as a folder.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path

from pytest_ascend_tune.files import atomic, locks, workspace
from pytest_ascend_tune.model.errors import BaselineError, ProblemError
from pytest_ascend_tune.model.names import check_name
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey
from pytest_ascend_tune.records.baselines.candidates import read_candidate
from pytest_ascend_tune.records.baselines.file import Entry, next_entry, read_entry, write_entry
from pytest_ascend_tune.records.baselines.formerly import as_named_now, former_key, same_device
from pytest_ascend_tune.records.baselines.sources import are_kept, is_hash_of, write_sources

SOURCES = "sources"
SOURCE_HASH = re.compile(r"[0-9a-f]{64}")  # names the folders of kept sources
VARIANT = re.compile(r"-(default|fixed-[0-9a-f]{8})$")  # of a key, where it has one
LOCK_FILE = ".baselines.lock"  # beside baselines/, not in it: it is nobody's evidence
README = """\
# Baselines of pytest-ascend-tune

What later runs are compared with: commit this folder and review its changes. `SET/DEVICE/TEMPLATE/PROBLEM.json` is one
baseline. `SET/sources/HASH/` holds the exact kernel sources of baselines, named by hash: **change nothing there**.
Keep formatters, licence hooks and repository-wide replacements away (exclude `baselines/`): a changed source is refused
before it is built.

- A merge conflict in a `.json` file: take one side whole (`git checkout --ours` or `--theirs`), run again with
  `--ascend-tune-update-baseline`.
- No longer needed: `ascend-tune baseline prune`.
"""
GIT_ATTRIBUTES = "# Sources are compared by hash: no line end may change.\n*/sources/** -text\n"


def check_device(device: str) -> str:
    """`device` when it can name a folder of baselines. Raises BaselineError."""
    if device.casefold() == SOURCES:
        raise BaselineError(
            f"device {device!r} is the name of the folder that keeps sources; name the device otherwise"
        )
    return check_name("device", device, BaselineError)


class BaselineStore:
    """Reads and writes baselines under `root` (the directory of --ascend-tune-dir). Implements protocols.Store."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self.folder = self.root / "baselines"

    def path(self, key: BaselineKey) -> Path:
        """Where the baseline of a key stands. Raises BaselineError for names that are no path components."""
        name, template = _set_name(key.name), check_name("template", key.template, BaselineError)
        _named(key.id)
        return self.folder / name / check_device(key.device) / template / f"{key.id}.json"

    def load(self, key: BaselineKey) -> Baseline | None:
        """The stored baseline, None when there is none. Raises BaselineError for a damaged one."""
        entry = self._entry(key)
        return entry.baseline if entry else None

    def save(self, baseline: Baseline, sources: Template, *, accept_regression: bool = False) -> Path:
        """Record with the sources it was built from. Raises BaselineError, nothing changed, when a rule forbids it."""
        return self.save_files(baseline, sources.files, sources.source_hash, accept_regression=accept_regression)

    def save_files(
        self,
        baseline: Baseline,
        files: Iterable[tuple[str, str]],
        source_hash: str,
        *,
        accept_regression: bool = False,
    ) -> Path:
        """:meth:`save` for sources that are known as (relative name, text) only."""
        path = self.path(baseline.key)
        with self._locked():
            entry = next_entry(self._entry(baseline.key), baseline, path, accept_regression=accept_regression)
            self._write(path, entry, tuple(files), source_hash)
        return path

    def accept(self, folder: Path, name: str | None = None, *, accept_regression: bool = False) -> Path:
        """Record what the run in `folder` (of one problem) kept as its candidate, in set `name`, as :meth:`save`."""
        baseline, files = read_candidate(folder)
        if name is not None:
            baseline = replace(baseline, key=replace(baseline.key, name=name))
        return self.save_files(baseline, files, baseline.source_hash, accept_regression=accept_regression)

    def seed(self, baseline: Baseline, sources: Template) -> Path | None:
        """Record a first baseline; None, and nothing changed, when there is one already (another run was quicker)."""
        path = self.path(baseline.key)
        with self._locked():
            if self._entry(baseline.key) is not None:
                return None
            entry = next_entry(None, baseline, path, accept_regression=False)
            self._write(path, entry, sources.files, sources.source_hash)
        return path

    def load_sources(self, source_hash: str) -> Path | None:
        """Folder of the exact sources of a baseline (of whichever set kept them), None when they are gone.

        Raises BaselineError for sources that are not what they were: they would be built, and compared with, as if.
        """
        check_name("source hash", source_hash, BaselineError)
        folders = [folder for folder in sorted(self.folder.glob(f"*/{SOURCES}/{source_hash}")) if folder.is_dir()]
        exact = next((folder for folder in folders if are_kept(folder, source_hash)), None)
        if folders and exact is None:
            raise BaselineError(
                f"{folders[0]}: these kept sources are not the ones that the name of the folder is the hash of: a file"
                " was changed, added or removed (by a formatter, a licence hook, a merge?). Put them back (git checkout"
                f" -- {folders[0]}) and keep such tools away from baselines/; or delete the folder: then only the"
                " baseline's stored numbers are compared"
            )
        return exact

    def list(self, name: str | None = None) -> tuple[BaselineKey, ...]:
        """Keys of all files of a set (or of all sets), readable or not. Raises BaselineError for foreign names."""
        pattern = f"{_set_name(name) if name else '*'}/*/*/*.json"
        return tuple(sorted(self._keys(pattern), key=lambda key: (key.name, key.device, key.template, key.id)))

    def validate_all(self, name: str, device: str | None = None) -> tuple[Baseline, ...]:
        """Read every baseline of a set (of one device): a damaged one is to be found before anything is measured."""
        found = []
        for key in self.list(name):
            baseline = self.load(key) if device is None or same_device(device, key.device) else None
            if baseline:
                found.append(baseline)
        return tuple(found)

    def damaged(self, name: str) -> dict[BaselineKey, str]:
        """What is wrong with each baseline of a set that cannot be read. Raises BaselineError for foreign names."""
        found = {}
        for key in self.list(name):
            try:
                self.load(key)
            except BaselineError as error:
                found[key] = str(error)
        return found

    def orphans(self, collected: Iterable[BaselineKey]) -> tuple[BaselineKey, ...]:
        """Stored keys that no collected test matches, among the sets and devices that collected tests use."""
        wanted = set(collected)
        places = {(key.name, key.device) for key in wanted}
        stored = (key for name in sorted({name for name, _ in places}) for key in self.list(name))
        return tuple(key for key in stored if key not in wanted and (key.name, key.device) in places)

    def prune(self, name: str, remove: Iterable[BaselineKey] = ()) -> tuple[Path, ...]:
        """Delete the given baselines of a set, then the sources that none of the set uses; returns what was deleted.

        Deleted are files that hold a baseline, and folders that the hash of their sources names; nothing through a
        link. Raises BaselineError, before anything is deleted, when a baseline is damaged: what it is, or its sources,
        are not known.
        """
        doomed = {self.path(key) for key in remove if key.name == name}
        if not (self.folder / _set_name(name)).is_dir():
            return ()
        with self._locked():
            found = {self.path(key): self.load(key) for key in self.list(name)}
            used = {baseline.source_hash for path, baseline in found.items() if baseline and path not in doomed}
            sources = self.folder / name / SOURCES
            for place in (sources, *doomed):
                self._check_links(place)
            unused = [folder for folder in sorted(sources.glob("*")) if folder.name not in used and _is_kept(folder)]
            deleted = [path for path in sorted(doomed) if path in found]
            try:
                for path in deleted:
                    path.unlink()
                for folder in unused:
                    shutil.rmtree(folder)
            except OSError as cause:
                raise BaselineError(f"{cause.filename}: cannot be deleted ({cause.strerror})") from cause
        return (*deleted, *unused)

    def check_writable(self) -> None:
        """Raise BaselineError unless baselines can be written here; call before anything is measured."""
        atomic.check_writable(self.root, error=BaselineError)
        self._check_links(self.folder)
        atomic.check_writable(self.folder, error=BaselineError)

    def _entry(self, key: BaselineKey) -> Entry | None:
        """What stands where `key` belongs, or where an earlier version kept it."""
        entry = self._entry_at(key)
        if entry is None and (former := former_key(key)) != key:
            entry = self._entry_at(former)
        return entry and replace(entry, baseline=as_named_now(entry.baseline, key))

    def _entry_at(self, key: BaselineKey) -> Entry | None:
        path = self.path(key)
        try:
            self._check_spelling(path)
            exists = path.exists() or path.is_symlink()
        except OSError as cause:
            raise BaselineError(f"{path}: cannot be read ({cause.strerror or cause})") from cause
        return read_entry(path, key) if exists else None

    def _check_spelling(self, path: Path) -> None:
        """Two names that differ only in case are one file on some machines, and two baselines of one problem here."""
        for part in (path, *path.parents):
            if part == self.folder:
                return
            others = [
                sibling.name
                for sibling in (part.parent.iterdir() if part.parent.is_dir() else ())
                if sibling.name.casefold() == part.name.casefold() and sibling.name != part.name
            ]
            if others:
                raise BaselineError(
                    f"{part.parent / others[0]}: differs only in case from {part.name}, the name needed here;"
                    " delete or rename one of them (a case-blind file system takes them for the same)"
                )

    def _keys(self, pattern: str) -> Iterator[BaselineKey]:
        for path in self.folder.glob(pattern):
            name, device, template, _ = path.relative_to(self.folder).parts
            if device == SOURCES or path.name.startswith("."):
                continue
            try:
                yield BaselineKey(name, device, template, *_named(path.stem))
            except BaselineError as error:
                raise BaselineError(f"{path}: {error}; rename or delete the file") from error

    def _write(self, path: Path, entry: Entry, files: tuple[tuple[str, str], ...], source_hash: str) -> None:
        """Sources first: a baseline never stands without them. The lock is held."""
        if source_hash != entry.baseline.source_hash:
            raise BaselineError(
                f"{path}: built from sources {entry.baseline.source_hash}, but sources {source_hash} were given"
            )
        sources = self.folder / entry.baseline.key.name / SOURCES / check_name("source hash", source_hash)
        for place in (path, sources):
            self._check_links(place)
        if not is_hash_of(source_hash, files):
            raise BaselineError(
                f"{path}: not recorded: the sources given with it are not those that it was built from (their hash is"
                f" not {source_hash}); measure again"
            )
        for name, text in ((".gitattributes", GIT_ATTRIBUTES), ("README.md", README)):
            if not (self.folder / name).exists():
                atomic.write_text(self.folder / name, text, error=BaselineError)
        if path.parent.is_dir():
            atomic.remove_leftovers(path.parent)
        write_sources(sources, files)
        write_entry(path, entry)

    def _check_links(self, path: Path) -> None:
        """Raise BaselineError when a link leads out of the folder of baselines, or that folder is one to foreign files.

        A folder that holds baselines may stand anywhere: several projects share one.
        """
        if self.folder.is_symlink() and next(self._baseline_files(), None) is None:
            workspace.check_links(self.root, self.folder, error=BaselineError)
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.folder)):
            raise BaselineError(f"{path}: a symbolic link leads out of {self.folder}; nothing is written there")

    def _baseline_files(self) -> Iterator[Path]:
        for path in self.folder.glob("*/*/*/*.json"):
            with suppress(BaselineError):
                _named(path.stem)
                yield path

    def _locked(self) -> AbstractContextManager[None]:
        workspace.make_root(self.root)
        return locks.locked(self.root / LOCK_FILE, error=BaselineError)


def _is_kept(folder: Path) -> bool:
    """Whether this is a folder of sources that we kept, and no link to one: its name is the hash of what is in it."""
    if not SOURCE_HASH.fullmatch(folder.name) or not folder.is_dir() or folder.is_symlink():
        return False
    with suppress(BaselineError):
        return are_kept(folder, folder.name)
    return False


def _set_name(name: str) -> str:
    return check_name("baseline set", name, BaselineError)


def _named(text: str) -> tuple[str, str]:
    """Problem id, in its one canonical spelling, and variant that a file is named by. Raises BaselineError."""
    match = VARIANT.search(text)
    return _problem_id(text[: match.start()] if match else text), match[1] if match else ""


def _problem_id(text: str) -> str:
    try:
        canonical = GemmProblem.from_id(text).id
    except (ProblemError, ValueError) as error:
        raise BaselineError(f"not named by a problem id: {error}") from error
    if canonical != text:
        raise BaselineError(f"problem id {text!r} is spelt {canonical!r}")
    return text
