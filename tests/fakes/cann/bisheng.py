"""Test double of CANN's compiler driver: checks the options and builds the host binding with g++.

Faults, files in $FAKE_CANN_DIR: `compile` holds error, hang or crash, and optionally a macro that limits it to some
configurations (``error TILE_M=64``); `miscompile` makes kernels whose results are wrong; `probe` fails the trial
compilation.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
TEMPLATE = HERE.parents[2] / "kernel_templates" / "catlass_gemm"
STATE = Path(os.environ.get("FAKE_CANN_DIR", os.devnull))
HOME = Path(os.environ.get("ASCEND_HOME_PATH", os.devnull))
LANGUAGES = (["-x", "asc", "--npu-arch=dav-2201"], ["-xcce", "--cce-aicore-arch=dav-c220-cube"])


def main(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print("fake bisheng 1.0 (a test double)")
        return 0
    if not any(arguments[: len(language)] == language for language in LANGUAGES):
        print(f"error: unknown language or architecture: {arguments[:3]}", file=sys.stderr)
        return 1
    source = next(word for word in arguments if word.endswith(".cpp"))
    output = arguments[arguments.index("-o") + 1]
    macros = [word for word in arguments if word.startswith("-D")]
    if source == "probe.cpp":
        if (STATE / "probe").exists():
            print("fatal error: 'kernel_operator.h' file not found", file=sys.stderr)
            return 1
        return subprocess.run(["g++", "-shared", "-x", "c++", os.devnull, "-o", output], check=False).returncode
    fail(macros)
    for name in ("host.hpp", "host_entry.hpp"):  # beside the sources that were given, so that those are included
        shutil.copy(TEMPLATE / name, ".")
    if (STATE / "miscompile").exists():
        loop = Path("gemm.hpp")
        loop.write_text(loop.read_text().replace("step == 0 && part == 0", "step == 0"))
    return subprocess.run(
        [
            *("g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-DASCEND_TUNE_HOST", *macros),
            *("-I.", f"-I{HOME / 'include'}", source, str(HERE / "launch.cpp"), "-o", output),
            *(f"-L{HOME / 'lib64'}", "-lascendcl"),
        ],
        check=False,
    ).returncode


def fail(macros: list[str]) -> None:
    fault = STATE / "compile"
    if not fault.exists():
        return
    kind, *only = fault.read_text().split()
    if only and f"-D{only[0]}" not in macros:
        return
    if kind == "hang":
        time.sleep(3600)
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    print("gemm.cpp:1:1: error: this configuration is refused (injected by a test)", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
