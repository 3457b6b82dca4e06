"""What backends that compile keep of a build: its identity, its sources on disk, its file in the cache."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.backends.build_cache import BuildCache, CachedFile
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.search import Template


@dataclass(frozen=True)
class BuiltKernel:
    """A built kernel, or (config None) the backend's reference, of which there is no file."""

    build_id: str
    config: Config | None
    template: Template | None = None
    file: CachedFile | None = None
    old_toolchain: bool = False  # built with the tool chain of the baseline (protocols.TwoToolchains)

    def file_now(
        self, build: Callable[[Template, GemmProblem, Config], BuiltKernel], problem: GemmProblem
    ) -> CachedFile | None:
        """Its file, built again when it was evicted from the cache; None for the reference."""
        if self.template is None or self.config is None or (self.file and self.file.path.exists()):
            return self.file
        return build(self.template, problem, self.config).file


class Builder:
    """Compiles into the cache of the options' folder; the key is everything that makes the binary."""

    def __init__(self, options: BackendOptions) -> None:
        self._cache = BuildCache(options.cache_dir, limit_bytes=options.cache_limit_bytes)

    def build(
        self, identity: Iterable[str], sources: Mapping[str, str], compile_in: Callable[[str, Path, Path], None]
    ) -> tuple[str, CachedFile]:
        """Key and file. `identity`: backend, tool chain, command; `sources`: name and text, laid into a new folder.

        On a miss `compile_in(key, folder, output)` is called there; its errors pass through.
        """
        digest = hashlib.sha256()
        for part in (*identity, *(part for item in sorted(sources.items()) for part in item)):
            digest.update(os.fsencode(part) + b"\0")
        key = digest.hexdigest()

        def build(folder: Path, output: Path) -> None:
            write_files(folder, sources)
            compile_in(key, folder, output)

        return key, self._cache.get_or_build(key, build)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Sources as they were, in `folder`; scripts can be run."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            path.chmod(0o700)


def compiled_files(template: Template) -> dict[str, str]:
    """Name and text of a template's files that the compiler reads."""
    return {name: text for name, text in template.files if name != "space.toml"}
