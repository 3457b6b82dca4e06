"""A test double of an Ascend machine: compiler, AscendCL, driver, npu-smi, the few calls of torch_npu that are used.

The fake compiler builds the device code itself with g++ on a small AscendC (tests/fakes/ascendc), so that
kernels really compute; time is a virtual clock, advanced by what they do. Faults are files that the fakes look for.
"""

from __future__ import annotations

import atexit
import functools
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.ascend import neighbours

HERE = Path(__file__).parent
TEMPLATE = Path(str(resources.files("pytest_ascend_tune.kernel_templates"))) / "catlass_gemm"
MACHINE = f"{platform.machine()}-linux"

_PLATFORM_FILE = """\
[version]
SoC_version={soc}
[SoCInfo]
ai_core_cnt={cores}
cube_core_cnt={cores}
vector_core_cnt={vectors}
memory_size=68719476736
l2_size=201326592
[AICoreSpec]
cube_freq={mhz}
l1_size=524288
l0_a_size=65536
l0_b_size=65536
l0_c_size=131072
ub_size=196608
"""


@dataclass(frozen=True)
class FakeCann:
    """A made-up machine below `root`."""

    root: Path
    cann: str = "8.5.0"
    catlass: str = "asc"  # or "cce": how the checkout says that it is built

    @property
    def home(self) -> Path:
        return self.root / f"cann-{self.cann}"

    @property
    def catlass_home(self) -> Path:
        return self.root / "catlass"

    @property
    def cache(self) -> Path:
        """Where backends of tests keep their builds."""
        return self.root / "cache"

    @property
    def python_path(self) -> Path:
        return HERE / "python"

    @property
    def environment(self) -> dict[str, str]:
        """What set_env.sh and the user would have exported."""
        return {
            "ASCEND_HOME_PATH": str(self.home),
            "CATLASS_HOME": str(self.catlass_home),
            "LD_LIBRARY_PATH": str(self.home / "lib64"),
            "PATH": f"{self.root / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "FAKE_CANN_DIR": str(self.root / "state"),
        }

    def install(self, libraries: Path) -> FakeCann:
        """Write everything. `libraries`: folder made by :func:`build_libraries`."""
        lib64, info = self.home / "lib64", self.home / MACHINE
        tools = self.home / "compiler" / "ccec_compiler" / "bin"
        for folder in (lib64, info, tools, self.home / "include" / "acl", self.root / "bin", self.root / "state"):
            folder.mkdir(parents=True)
        for library in libraries.iterdir():
            shutil.copy(library, lib64)
        shutil.copy(HERE / "acl.h", self.home / "include" / "acl")
        for header in (HERE.parent / "ascendc").iterdir():
            shutil.copy(header, self.home / "include")
        (info / "ascend_toolkit_install.info").write_text(f"package_name=Ascend-cann-toolkit\nversion={self.cann}\n")
        self.chip("Ascend910B2")
        self._script(tools / "bisheng", f'exec "{sys.executable}" "{HERE / "bisheng.py"}" "$@"')
        self._script(self.root / "bin" / "npu-smi", f'exec "{sys.executable}" "{HERE / "npu_smi.py"}" "$@"')
        shutil.copytree(HERE.parent / "catlass", self.catlass_home)
        language = {"asc": "ASC", "cce": "ASCEND"}[self.catlass]
        (self.catlass_home / "CMakeLists.txt").write_text(f"project(Catlass LANGUAGES {language} CXX)\n")
        return self

    def chip(self, soc: str, *, cores: int = 24, mhz: int = 1800, platform_file: bool = True) -> None:
        """Which chip is in the machine."""
        folder = self.home / MACHINE / "data" / "platform_config"
        folder.mkdir(parents=True, exist_ok=True)
        if platform_file:
            text = _PLATFORM_FILE.format(soc=soc, cores=cores, vectors=2 * cores, mhz=mhz)
            (folder / f"{soc}.ini").write_text(text)
        self.set("soc", soc)
        self.set("cores", cores)
        self.set("rated_mhz", mhz)
        self.set("mhz", mhz)

    def set(self, name: str, value: object) -> None:
        """Turn a fault on, or change the machine's state; see the names in the fakes beside this file."""
        (self.root / "state" / name).write_text(f"{value}\n")

    def clear(self, *names: str) -> None:
        """Turn faults off; all of them without names."""
        for path in [self.root / "state" / name for name in names] or list((self.root / "state").iterdir()):
            path.unlink(missing_ok=True)

    def _script(self, path: Path, body: str) -> None:
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)


@functools.cache
def shared_machine() -> FakeCann:
    """One machine for all tests of this process, so that equal kernels are built once; see :func:`as_this_machine`."""
    folder = Path(tempfile.mkdtemp(prefix="fake-cann-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return FakeCann(folder / "machine").install(build_libraries(folder / "libraries"))


@contextmanager
def as_this_machine(machine: FakeCann | None = None) -> Iterator[FakeCann]:
    """Let this process find the (shared) fake machine, in its first state."""
    machine = shared_machine() if machine is None else machine
    machine.clear()
    machine.chip("Ascend910B2")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in machine.environment.items():
            patch.setenv(name, value)
        for name in ("ASCEND_TOOLKIT_HOME", "ASCEND_RT_VISIBLE_DEVICES"):
            patch.delenv(name, raising=False)
        patch.setattr(neighbours, "in_container", lambda: False)  # wherever these tests run
        patch.syspath_prepend(str(machine.python_path))
        yield machine


def build_libraries(folder: Path) -> Path:
    """Compile the stand-ins of libascendcl and libascend_hal once per test session."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mspti.cpp").touch()  # is preloaded, and does nothing
    for name, source in (("ascendcl", HERE), ("ascend_hal", HERE), ("mspti", folder)):
        command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", str(source / f"{name}.cpp")]
        subprocess.run([*command, "-o", str(folder / f"lib{name}.so")], check=True, timeout=120)
    return folder
