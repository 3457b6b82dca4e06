"""The vendor's compiler without CANN: Triton source -> ttir -> linalg -> optimised HIVM, in generic form.

The front end runs in a Python that has triton-ascend (a child that stays, because importing Triton takes longer than
compiling a kernel), the others are programs of the wheels. The last step of the vendor's own chain, machine code, is
in CANN only; ``bishengir-compile`` ends with an error there, so success is the module that it leaves before.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_ascend_tune.backends.supervised import Supervised, run
from pytest_ascend_tune.backends.toolchain import signal_name, tail
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, BuildTimeoutError

INSTALL_HINT = (
    'pip install "pytest-ascend-tune[triton]" into a Python 3.10 or 3.11 '
    "(triton-ascend has no wheel for newer ones) and name that Python with --ascend-tune-triton-python=PATH"
)
# Options of triton-ascend that this package passes on, and the compiler's names of them. Source: compiler.py of
# triton-ascend 3.2.0 (linalg_to_bin_enable_npu_compile_A2_A3).
OPTIONS = {
    "multibuffer": "--enable-auto-multi-buffer",
    "enable_auto_bind_sub_block": "--enable-auto-bind-sub-block",
    "enable_hivm_auto_cv_balance": "--enable-hivm-auto-cv-balance",
    "sync_solver": "--enable-hivm-graph-sync-solver",
    "unit_flag": "--enable-hivm-unit-flag-sync",
    "inject_barrier_all": "--enable-hivm-inject-barrier-all-sync",
    "inject_block_all": "--enable-hivm-inject-block-all-sync",
    "limit_auto_multi_buffer_only_for_local_buffer": "--limit-auto-multi-buffer-only-for-local-buffer",
    "limit_auto_multi_buffer_of_local_buffer": "--limit-auto-multi-buffer-of-local-buffer",
    "set_workspace_multibuffer": "--set-workspace-multibuffer",
    "tile_mix_vector_loop": "--tile-mix-vector-loop",
    "tile_mix_cube_loop": "--tile-mix-cube-loop",
    "disable_auto_inject_block_sync": "--disable-auto-inject-block-sync",
}
_DEFAULTS: Mapping[str, Any] = {"multibuffer": True, "enable_auto_bind_sub_block": True}
# The passes of triton-ascend's own ttir_to_linalg (3.2.0) for a 910B.
_ADAPTER = (
    "--discrete-mask-access-conversion=compile-on-910-95=False force-simt-template=False",
    "--triton-to-annotation",
    "--triton-to-unstructure=compile-on-910-95=False force-simt-template=False",
    "--triton-to-hivm",
    "--triton-to-hfusion",
    "--triton-to-llvm",
    "--bubble-up-operation",
    "--triton-to-linalg=global-kernel=false named-ops=True enable-nd2nz-on-vector=False enable-select-analysis=False "
    "compile-on-910-95=False",
)
_COMPILE = ("--enable-hfusion-compile=true", "--enable-hivm-compile=true", "--enable-triton-kernel-compile=true")
_MODULE = "module.hivm.opt.mlir"
# What a run without CANN always says at its end.
_EXPECTED = re.compile(r"hivmc|Failed to run BiSheng|HIVM to LLVM", re.IGNORECASE)
_PROBE = """
import importlib.metadata as m, importlib.util as u, json, sys
def where(name):
    found = u.find_spec(name)
    return list(found.submodule_search_locations)[0] if found else None
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return None
print(json.dumps({"triton": where("triton"), "npuir": where("ascendnpuir"), "python": sys.version.split()[0],
  "versions": {n: version(n) for n in ("triton-ascend", "ascendnpu-ir")}}))
"""


@dataclass(frozen=True)
class Tools:
    """The programs of one environment. ``version``: changes whenever what they make could."""

    python: str
    adapter: Path
    compiler: Path
    printer: Path
    version: str


@dataclass(frozen=True)
class KernelSource:
    """A ``@triton.jit`` kernel and its arguments: ``signature`` name -> Triton type (``*fp16``, ``i32``), in order."""

    file: Path
    kernel: str
    signature: Mapping[str, str]
    constants: Mapping[str, int | float | bool | str]


@dataclass(frozen=True)
class CompiledKernel:
    """``module``: the optimised HIVM in generic form. ``notes``: what the compiler did other than it was asked to."""

    module: str
    notes: tuple[str, ...]
    seconds: Mapping[str, float] = field(compare=False)


def find_tools(python: str | None = None, *, timeout_s: float = 60.0) -> Tools:
    """The compiler in the environment of `python` (default: this one). Raises BackendUnavailableError."""
    program = python or sys.executable
    try:
        done = subprocess.run(
            [program, "-I", "-c", _PROBE], capture_output=True, text=True, timeout=timeout_s, check=True
        )
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        raise BackendUnavailableError(
            f"the Python for Triton, {program!r}, does not run: {tail(str(detail))}"
        ) from error
    lacking = [name for name, version in found["versions"].items() if version is None]
    if lacking:
        raise BackendUnavailableError(
            f"not installed for Python {found['python']}: {', '.join(lacking)}. {INSTALL_HINT}"
        )
    binaries = Path(found["npuir"]) / "bin"
    tools = Tools(
        program,
        Path(found["triton"]) / "backends" / "ascend" / "triton-adapter-opt",
        binaries / "bishengir-compile",
        binaries / "bishengir-opt",
        ", ".join(f"{name} {version}" for name, version in sorted(found["versions"].items())),
    )
    for path in (tools.adapter, tools.compiler, tools.printer):
        if not path.is_file():
            raise BackendUnavailableError(
                f"{tools.version}: {path.name} is not in the installed packages; {INSTALL_HINT}"
            )
    return tools


class Chain:
    """Compiles kernels, one at a time. A time-out ends whatever runs, with all that it started; ``close`` does, too."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self._child: _Child | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="ascend-tune-triton-")
        self._adapter: Path | None = None

    def compile(
        self,
        source: KernelSource,
        *,
        target: str,
        options: Mapping[str, Any] | None = None,
        timeout_s: float = 120.0,
    ) -> CompiledKernel:
        """`target`: the chip's name as the compiler knows it, ``Ascend910B3``.

        Raises BuildError in the compiler's own words, BuildTimeoutError after `timeout_s` for all steps together.
        """
        flags = option_flags(options or {})
        end = time.monotonic() + timeout_s
        seconds: dict[str, float] = {}
        with tempfile.TemporaryDirectory(dir=self._folder.name) as folder:
            work = Path(folder)
            ttir, adapted, module = work / "k.ttir.mlir", work / "k.ttadapter.mlir", work / "out" / _MODULE
            begin = time.monotonic()
            ttir.write_text(self._front_end(source, target, end), encoding="utf-8")
            seconds["front end"] = time.monotonic() - begin
            begin = time.monotonic()
            code, log = _run([self._runnable_adapter(), str(ttir), *_ADAPTER, "-o", str(adapted)], end)
            if code or not adapted.is_file():
                raise BuildError(f"triton-adapter-opt: {_refusal(log, code, work)}")
            seconds["adapter"] = time.monotonic() - begin
            begin = time.monotonic()
            command = [str(self.tools.compiler), str(adapted), f"--target={target}", *flags, *_COMPILE]
            code, log = _run([*command, f"--save-temps={module.parent}", "-o", str(work / "kernel")], end)
            if not module.is_file():
                raise BuildError(_refusal(log, code, work))
            seconds["compiler"] = time.monotonic() - begin
            notes = tuple(line.partition("[NOTE]")[2].strip() for line in log.splitlines() if "[NOTE]" in line)
            begin = time.monotonic()
            generic = work / "generic.mlir"
            printing = [str(self.tools.printer), "--mlir-print-op-generic", "--mlir-print-local-scope", str(module)]
            code, log = _run([*printing, "-o", str(generic)], end)
            if code or not generic.is_file():
                raise BuildError(f"bishengir-opt: {_refusal(log, code, work)}")
            seconds["printing"] = time.monotonic() - begin
            return CompiledKernel(generic.read_text(encoding="utf-8"), notes, seconds)

    def close(self) -> None:
        """End the child and remove what was written."""
        self._end_child()
        self._folder.cleanup()

    def _end_child(self) -> int | None:
        child, self._child = self._child, None
        return child.end() if child is not None else None

    def __enter__(self) -> Chain:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _front_end(self, source: KernelSource, target: str, end: float) -> str:
        request = {
            "file": str(source.file.resolve()),
            "kernel": source.kernel,
            "signature": dict(source.signature),
            "constants": dict(source.constants),
            "target": target,
        }
        if self._child is None:
            program = [self.tools.python, str(Path(__file__).with_name("frontend.py"))]
            self._child = _Child(program, Path(self._folder.name))
        try:
            answer = json.loads(self._child.ask(json.dumps(request).encode() + b"\n", end))
        except TimeoutError:
            self._end_child()
            raise BuildTimeoutError(f"the Triton front end did not end in time with {source.file.name}") from None
        except (OSError, ValueError, EOFError) as error:
            code = self._end_child()
            how = signal_name(-code) if code is not None and code < 0 else f"exit code {code}"
            raise BuildError(f"the Triton front end was ended by {how} while it read {source.file.name}") from error
        except BaseException:  # Ctrl-C
            self._end_child()
            raise
        if "error" in answer:
            place = f" ({answer['place']})" if answer.get("place") else ""
            raise BuildError(f"{source.file.name}: {tail(answer['error'])}{place}")
        return str(answer["ttir"])

    def _runnable_adapter(self) -> str:
        """The wheel may lack the run bit of this one: then a copy of our own has it."""
        if self._adapter is None:
            self._adapter = self.tools.adapter
            if not os.access(self._adapter, os.X_OK):
                self._adapter = Path(self._folder.name) / self.tools.adapter.name
                shutil.copyfile(self.tools.adapter, self._adapter)
                self._adapter.chmod(0o700)
        return str(self._adapter)


def option_flags(options: Mapping[str, Any]) -> list[str]:
    """Triton-ascend's options as the compiler's flags. Raises BuildError for one that is not known."""
    flags = []
    for name, value in {**_DEFAULTS, **options}.items():
        if name not in OPTIONS:
            raise BuildError(f"compile option {name!r} is unknown; known: {', '.join(sorted(OPTIONS))}")
        if value is not None:
            flags.append(f"{OPTIONS[name]}={str(value).lower() if isinstance(value, bool) else value}")
    return flags


class _Child:
    """A process that answers a line with a line; it ends with all that it started, also when this process is killed."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        theirs, self._to = os.pipe()
        self._from, answers = os.pipe()
        try:
            self._process = Supervised(
                command, stdin=theirs, stdout=answers, cwd=folder, env=os.environ | {"TRITON_CACHE_DIR": str(folder)}
            )
        except BaseException:
            os.close(self._to)
            os.close(self._from)
            raise
        finally:
            os.close(theirs)
            os.close(answers)

    def ask(self, request: bytes, end: float) -> bytes:
        """One line back. Raises TimeoutError, OSError or EOFError when the child is gone."""
        os.write(self._to, request)
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(self._from, 1 << 20)
            if not part:
                with suppress(subprocess.TimeoutExpired):  # it has closed its end, and is about to be gone
                    self._process.wait(5.0)
                raise EOFError
            line += part
        return line

    def end(self) -> int | None:
        """Kill it; how it ended."""
        os.close(self._to)
        os.close(self._from)
        return self._process.end()


def _run(command: Sequence[str], end: float) -> tuple[int, str]:
    """Exit code and log. Raises BuildTimeoutError at `end`; everything that it started is ended, too."""
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as log:
        try:
            process = run(command, timeout_s=max(0.0, end - time.monotonic()), stdout=log, keep=("both",))
        except subprocess.TimeoutExpired:
            raise BuildTimeoutError(f"{name} did not end in time and was stopped") from None
        if process.errno is not None:
            raise BuildError(f"cannot start {name}: {os.strerror(process.errno)}")
        log.seek(0)
        return process.end() or 0, log.read().decode(errors="replace")


def _refusal(log: str, code: int, work: Path) -> str:
    """What the compiler says is wrong, in its words and without paths of this machine."""
    if code < 0:
        return f"ended by {signal_name(-code)}\n{tail(log)}"
    lines = [line.replace(f"{work}/", "").strip() for line in log.splitlines()]
    errors = [line for line in lines if "error" in line.lower() and not _EXPECTED.search(line)]
    if not errors:
        return tail("\n".join(lines)) or f"exit code {code}, no message"
    words = list(dict.fromkeys(line.partition("error:")[2].strip() or line for line in errors))
    return "\n".join(words[:5])
