"""The Ascend tool chain: finds CANN, its compiler and CATLASS, their versions, and writes the command line.

Two forms of command line exist. CATLASS up to 1.5 is built as language CCE (``-xcce --cce-aicore-arch=dav-c220-cube``,
CANN >= 8.2), CATLASS from 1.6 on as language ASC (``-x asc --npu-arch=dav-2201``, CANN >= 8.5). Sources:
hicann/catlass:examples/CMakeLists.txt and cmake/modules/CMakeASCENDInformation.cmake at tags v1.2.2 ... v1.6.0,
tests/optest/kernels/jit/jit_compiler.cpp, tile-ai/tilelang-ascend:tilelang/jit/adapter/libgen.py.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_ascend_tune.model.errors import BackendUnavailableError

# How a kernel says that it runs on cube cores (kernel_templates/catlass_gemm/gemm.cpp): a word of the language that
# CATLASS's own JIT uses, the macro that examples of CANN 8.5.0 use, or nothing where the command line says it.
SPELLINGS = {
    "word": ("-DKERNEL_TYPE=__cube__",),
    "macro": ("-DKERNEL_TYPE=", "-DKERNEL_TASK=KERNEL_TYPE_AIC_ONLY"),
    "option": ("-DKERNEL_TYPE=",),
}
DEFAULT_HOMES = ("/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest")  # CANN >= 8.5; before
MIN_CANN = (8, 2)
MIN_CANN_FOR_ASC = (8, 5)
_COMPILER_FOLDERS = ("compiler/ccec_compiler/bin", "compiler/bin", "tools/bisheng_compiler/bin", "bin")
_COMPILER_NAMES = ("bisheng", "ccec")
# What CATLASS links a kernel with (examples/CMakeLists.txt, "AscendC necessary libraries"), each only where it exists:
# releases differ, and 9.0 renamed the log library.
_LIBRARIES = (
    "ascendc_runtime",
    "runtime",
    "profapi",
    "mmpa",
    "ascend_dump",
    "c_sec",
    "error_manager",
    "ascendcl",
    "ascendalog",
    "unified_dlog",
)
_INCLUDE_FOLDERS = (
    "include",
    "include/experiment/runtime",
    "include/experiment/msprof",
    "pkg_inc",
    "pkg_inc/runtime",
    "pkg_inc/profiling",
)
_CCE_INCLUDE_FOLDERS = (
    "compiler/tikcpp",
    "compiler/tikcpp/tikcfw",
    "compiler/tikcpp/tikcfw/impl",
    "compiler/tikcpp/tikcfw/interface",
)


@dataclass(frozen=True)
class Cann:
    """A CANN installation. ``version``: (8, 5, 0); ``label``: as installed, ``8.5.0`` or ``8.2.RC1``."""

    home: Path
    label: str
    version: tuple[int, ...]
    compiler: Path
    compiler_banner: str


@dataclass(frozen=True)
class Catlass:
    """A CATLASS checkout. ``language``: ``cce`` (up to 1.5) or ``asc``; ``content``: hash over its headers."""

    home: Path
    label: str
    language: str
    content: str

    @property
    def include(self) -> Path:
        """Folder for ``-I``."""
        return self.home / "include"


@dataclass(frozen=True)
class AscendToolchain:
    """CANN and CATLASS that fit together. ``identity``: changes whenever a build could.

    ``spelling``: how a kernel says that it runs on cube cores, one of :data:`SPELLINGS`.
    """

    cann: Cann
    catlass: Catlass
    spelling: str = ""

    def spellings(self) -> tuple[AscendToolchain, ...]:
        """This tool chain with each spelling that its compiler may know, the likeliest first: a trial tells which."""
        names = ("word", "macro") if self.catlass.language == "asc" else ("option",)
        return tuple(replace(self, spelling=name) for name in names)

    @property
    def identity(self) -> str:
        """Hash of compiler, versions and CATLASS's headers."""
        parts = (self.cann.label, self.cann.compiler_banner, self.catlass.language, self.catlass.content)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def command(self, source: Path, output: Path, macros: Sequence[str], kernel_name: str) -> list[str]:
        """Command line that builds `source` (-D `macros`, kernel symbol `kernel_name`) into the library `output`."""
        home = self.cann.home
        includes = [self.catlass.include, *(home / folder for folder in _INCLUDE_FOLDERS)]
        if self.catlass.language == "asc":
            language = ["-x", "asc", "--npu-arch=dav-2201"]
            kernel_type = SPELLINGS[self.spelling or "word"]
            options = ["-cce-aicore-record-overflow=true", "-cce-aicore-dcci-insert-for-scalar=false"]
        else:
            language = ["-xcce", "--cce-aicore-arch=dav-c220-cube"]
            kernel_type = SPELLINGS["option"]
            options = [
                "-cce-aicore-stack-size=0x8000",
                "-cce-aicore-function-stack-size=0x8000",
                "-cce-aicore-record-overflow=true",
                "-cce-aicore-addr-transform",
                "-cce-aicore-dcci-insert-for-scalar=false",
            ]
            includes += [home / folder for folder in _CCE_INCLUDE_FOLDERS]
        folders = [folder for folder in (home / "lib64", home / f"{machine()}-linux" / "devlib") if folder.is_dir()]
        return [
            str(self.cann.compiler),
            *language,
            "-std=c++17",
            "-O2",
            "-shared",
            "-fPIC",
            *(word for option in options for word in ("-mllvm", option)),
            "-Wno-macro-redefined",
            "-Wno-ignored-attributes",
            "-Wno-unused-value",
            "-DCATLASS_ARCH=2201",
            *kernel_type,
            f"-DKERNEL_NAME={kernel_name}",
            *macros,
            *(f"-I{folder}" for folder in includes if folder.is_dir()),
            str(source),
            "-o",
            str(output),
            *(f"-L{folder}" for folder in folders),
            *(f"-l{name}" for name in _LIBRARIES if any(list(folder.glob(f"lib{name}.*")) for folder in folders)),
            "-lstdc++",
            "-ldl",
        ]


def machine() -> str:
    """The architecture as CANN's folders name it: ``x86_64`` or ``aarch64``."""
    return platform.machine()


def find(environment: Mapping[str, str] | None = None) -> AscendToolchain:
    """The tool chain that the environment names. Raises BackendUnavailableError with what to do."""
    environment = os.environ if environment is None else environment
    cann = find_cann(environment)
    catlass = find_catlass(environment)
    check_pair(cann, catlass)
    return AscendToolchain(cann, catlass)


def find_cann(environment: Mapping[str, str]) -> Cann:
    """CANN at ASCEND_HOME_PATH (ASCEND_TOOLKIT_HOME in old releases)."""
    name = next((name for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME") if environment.get(name)), None)
    if name is None:
        near = next((home for home in DEFAULT_HOMES if Path(home, "set_env.sh").is_file()), None)
        if near:
            raise BackendUnavailableError(f"ASCEND_HOME_PATH is not set; CANN is installed: source {near}/set_env.sh")
        raise BackendUnavailableError(
            "ASCEND_HOME_PATH is not set and CANN is not in its usual places. Install the CANN toolkit and the ops "
            f"package of your chip (CANN >= 8.2), then source {DEFAULT_HOMES[0]}/set_env.sh"
        )
    home = Path(environment[name])
    if not home.is_dir():
        raise BackendUnavailableError(
            f"{name}={home} is not a folder; source the set_env.sh of an installed CANN (>= 8.2)"
        )
    label = _cann_label(home)
    version = version_of(label)
    if version is None:
        raise BackendUnavailableError(
            f"{name}={home}: no CANN version found (looked for {machine()}-linux/ascend_toolkit_install.info and a "
            "folder called cann-VERSION); is it a complete CANN toolkit?"
        )
    if version < MIN_CANN:
        raise BackendUnavailableError(f"CANN {label} in {home} is too old; 8.2 or newer is needed")
    compiler = _find_compiler(home, environment)
    return Cann(home, label, version, compiler, _banner(compiler))


def find_catlass(environment: Mapping[str, str]) -> Catlass:
    """CATLASS at CATLASS_HOME: a checkout, not only its headers, because the checkout tells how it is built."""
    text = environment.get("CATLASS_HOME")
    how = "git clone https://gitcode.com/cann/catlass (a release tag that fits your CANN) and set CATLASS_HOME to it"
    if not text:
        raise BackendUnavailableError(f"CATLASS_HOME is not set: {how}")
    home = Path(text)
    header = home / "include" / "catlass" / "catlass.hpp"
    if not header.is_file():
        raise BackendUnavailableError(f"CATLASS_HOME={home} has no include/catlass/catlass.hpp: {how}")
    listing = home / "CMakeLists.txt"
    languages = re.search(r"LANGUAGES\s+(\w+)", listing.read_text(errors="replace")) if listing.is_file() else None
    language = "cce" if languages and languages[1] == "ASCEND" else "asc"
    return Catlass(home, _catlass_label(home, language), language, _headers_hash(home / "include"))


def check_pair(cann: Cann, catlass: Catlass) -> None:
    """Refuse a CATLASS that needs a newer CANN."""
    if catlass.language == "asc" and cann.version < MIN_CANN_FOR_ASC:
        raise BackendUnavailableError(
            f"CATLASS {catlass.label} needs CANN 8.5 or newer, found {cann.label}: check out tag v1.5.0 of CATLASS "
            f"(git -C {catlass.home} checkout v1.5.0) or install a newer CANN"
        )


def platform_file(cann_home: Path, soc: str) -> Path:
    """Where CANN keeps the facts of a chip."""
    folders = [cann_home / f"{name}-linux" / "data" / "platform_config" for name in (machine(), "arm64")]
    return next((folder for folder in folders if folder.is_dir()), folders[0]) / f"{soc}.ini"


def version_of(label: str) -> tuple[int, ...] | None:
    """(8, 2) of ``8.2.RC1``, (8, 5, 0) of ``8.5.0``, None when there is no number."""
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", label)
    return tuple(int(part) for part in found.groups() if part is not None) if found else None


def _cann_label(home: Path) -> str:
    """Version as installed. The same files as torch_npu reads (Ascend/pytorch:torch_npu/utils/collect_env.py)."""
    for path in sorted(home.glob("*-linux/ascend_*_install.info")):
        found = re.search(r"^\s*version\s*=\s*(\S+)", path.read_text(errors="replace"), re.M | re.I)
        if found:
            return found[1]
    found = re.search(r"/cann-([^/]+)", str(home.resolve()))
    return found[1] if found else ""


def _find_compiler(home: Path, environment: Mapping[str, str]) -> Path:
    folders = [home / folder for folder in (*_COMPILER_FOLDERS, f"{machine()}-linux/ccec_compiler/bin")]
    for name in _COMPILER_NAMES:
        for folder in folders:
            if os.access(folder / name, os.X_OK) and (folder / name).is_file():
                return folder / name
    for name in _COMPILER_NAMES:
        found = shutil.which(name, path=environment.get("PATH"))
        if found:
            return Path(found)
    raise BackendUnavailableError(
        f"no compiler ({' or '.join(_COMPILER_NAMES)}) in {home} or on PATH; the CANN toolkit holds it: is it "
        "complete, and was its set_env.sh sourced?"
    )


def _banner(compiler: Path) -> str:
    try:
        done = subprocess.run([compiler, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise BackendUnavailableError(
            f"the compiler {compiler} does not start: {getattr(error, 'stderr', '') or error}"
        ) from error
    return done.stdout.strip()


def _catlass_label(home: Path, language: str) -> str:
    """The checkout's tag or commit where git tells it, else the range that its build files imply."""
    git = shutil.which("git")
    if git and (home / ".git").exists():
        command = [git, "-C", str(home), "describe", "--tags", "--always", "--dirty"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip()
    return ">= 1.6" if language == "asc" else "<= 1.5"


def _headers_hash(include: Path) -> str:
    """Hash over all headers: a local change to CATLASS is another tool chain."""
    digest = hashlib.sha256()
    for path in sorted(include.rglob("*.h*")):
        if path.is_file():
            digest.update(str(path.relative_to(include)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
