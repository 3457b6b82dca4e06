"""Builds a kernel with its own build system: its commands, in a copy of its sources, one configuration at a time."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.backends.toolchain import Compiler, check_written, run_to_end
from pytest_ascend_tune.model.errors import BuildError, TrialError
from pytest_ascend_tune.model.search import BuildRecipe

KERNEL_FOLDER = "kernel"  # the copy of the sources, in the folder of the build
BUILD_FOLDER = "build"  # {builddir}, in the copy of the sources
MOST_AT_ONCE = 2  # builds of one process: each may run compilers of its own beside a measurement
# What make, ninja and cmake start at once, unless the user says otherwise: the kernel is measured beside it.
_ONE_JOB = {"CMAKE_BUILD_PARALLEL_LEVEL": "1", "MAKEFLAGS": "-j1"}
# The user's own of these change what comes out.
_TELLING = ("CC", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "CPATH", "LIBRARY_PATH")
_slots = threading.BoundedSemaphore(MOST_AT_ONCE)


@dataclass(frozen=True)
class OwnBuild:
    """A recipe for one configuration. ``values``: of the placeholders; ``timeout_s``: of all commands together.

    The commands find `compiler` in CXX.
    """

    recipe: BuildRecipe
    files: Mapping[str, str]
    values: Mapping[str, str]
    compiler: Compiler
    timeout_s: float

    @property
    def identity(self) -> tuple[str, ...]:
        """All that makes the library beside sources and compiler: what is run, and what the user's environment adds."""
        commands, environment = self._filled("{builddir}")
        given = [f"{name}={text}" for name, text in sorted(os.environ.items()) if _tells(name)]
        told = hashlib.sha256("\0".join(given).encode("utf-8", "surrogateescape")).hexdigest()
        lines = tuple(word for command in commands for word in (*command, "\n"))
        return ("own build", *lines, *environment, *environment.values(), self.recipe.library, told)

    @property
    def sources(self) -> dict[str, str]:
        """Name and text of the files that :meth:`run` finds in its folder."""
        return {f"{KERNEL_FOLDER}/{name}": text for name, text in self.files.items()}

    def run(self, key: str, folder: Path, output: Path) -> None:
        """Build in `folder`, this configuration's own with `sources` in it, and leave the library as `output`.

        Raises BuildError and BuildTimeoutError as for a compiler, and BuildError for a library that is not there.
        """
        place = folder / KERNEL_FOLDER
        builddir = place / BUILD_FOLDER
        builddir.mkdir(exist_ok=True)
        try:
            self._build(place, builddir, output)
        except TrialError as error:  # messages are stored with the trial: no paths of this machine
            raise type(error)(str(error).replace(f"{place}/", "").replace(str(place), ".")) from None

    def _build(self, place: Path, builddir: Path, output: Path) -> None:
        commands, own = self._filled(str(builddir))
        environment = {**_ONE_JOB, **os.environ, "CXX": shlex.join(self.compiler.command), **own}
        log = ""
        with _slots:
            ends = time.monotonic() + self.timeout_s
            for command in commands:
                left_s = max(0.001, ends - time.monotonic())
                log += run_to_end(
                    command,
                    timeout_s=left_s,
                    cwd=place,
                    env=environment,
                    hidden=self.compiler.command[1:],
                    called="the build command",
                )
        library = place / self.recipe.library
        check_written(library, self.recipe.library, "the build", log)
        if not library.resolve().is_relative_to(place.resolve()):
            raise BuildError(f"the build left a link at {self.recipe.library} that leads out of its folder")
        shutil.copyfile(library, output)

    def _filled(self, builddir: str) -> tuple[list[tuple[str, ...]], dict[str, str]]:
        """Commands and environment with the values in their places."""
        values = {**self.values, "builddir": builddir}
        commands = [tuple(word.format_map(values) for word in command) for command in self.recipe.commands]
        return commands, {name: text.format_map(values) for name, text in self.recipe.environment}


def _tells(name: str) -> bool:
    return name in _TELLING or name.startswith("CMAKE_")
