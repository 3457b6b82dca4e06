"""Test double of CANN's compiler driver: refuses what the real one would, and builds the device code itself with g++.

The device code finds AscendC (tests/fakes/ascendc) and CATLASS (tests/fakes/catlass) only where the command line's -I
point; a launch `kernel<<<...>>>(...)` is rewritten to a call that runs it on emulated cores.

Faults, files in $FAKE_CANN_DIR: `compile` holds error, hang or crash, and optionally a macro that limits it to some
configurations (``error TILE_M=64``); `miscompile` makes kernels whose results are wrong; `probe` fails the trial
compilation; `no_cube`: the word __cube__ is unknown.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

STATE = Path(os.environ.get("FAKE_CANN_DIR", os.devnull))
# hicann/catlass:examples/CMakeLists.txt and its cmake modules at tags v1.2.2 to v1.6.0: how each language is built.
LANGUAGES = {
    ("-x", "asc", "--npu-arch=dav-2201"): "asc",
    ("-xcce", "--cce-aicore-arch=dav-c220-cube"): "cce",
}
REQUIRED = ("-std=c++17", "-shared", "-fPIC")
KNOWN = {*REQUIRED, "-O0", "-O2", "-O3", "-g", "--cce-enable-sanitizer", "-lstdc++", "-ldl"}
KNOWN_PREFIXES = ("-D", "-I", "-L", "-l", "-W")
BACKEND_OPTIONS = {
    "-cce-aicore-stack-size=0x8000",
    "-cce-aicore-function-stack-size=0x8000",
    "-cce-aicore-record-overflow=true",
    "-cce-aicore-addr-transform",
    "-cce-aicore-dcci-insert-for-scalar=false",
}
# What the compilers define for device code: those of CANN >= 8.5 both, the older ones the second alone.
ARCH = {"asc": ["-D__NPU_ARCH__=2201", "-D__CCE_AICORE__=220"], "cce": ["-D__CCE_AICORE__=220"]}
BYTES = {"FLOAT16": (2, 2), "BFLOAT16": (2, 2), "FLOAT32": (4, 4), "HFLOAT32": (4, 4), "INT8": (1, 4)}
LAUNCH = re.compile(r"(\w+)<<<(.*?)>>>\(")


class RefusedError(Exception):
    """What the driver prints."""


def main(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print("fake bisheng 1.0 (a test double)")
        return 0
    try:
        language, sources, output, passed = parse(arguments)
    except RefusedError as refusal:
        print(f"bisheng: error: {refusal}", file=sys.stderr)
        return 1
    (source,) = sources
    macros = [word for word in arguments if word.startswith("-D")]
    if source == "probe.cpp" and (STATE / "probe").exists():
        print("fatal error: 'kernel_operator.h' file not found", file=sys.stderr)
        return 1
    if source != "probe.cpp":
        fail(macros)
        if (STATE / "miscompile").exists():
            loop = Path("gemm.hpp")
            loop.write_text(loop.read_text().replace("step == 0 && part == 0", "step == 0"))
    rewritten = Path(f"launched_{source}")
    rewritten.write_text(LAUNCH.sub(r"fake_ascendc::launch(FAKE_NAME(\1), \1, \2, ", Path(source).read_text()))
    dtype = next((word.partition("=")[2] for word in macros if word.startswith("-DGEMM_DTYPE=")), "")
    sizes = [f"-DFAKE_{name}_BYTES={size}" for name, size in zip(("IN", "OUT"), BYTES.get(dtype, ()), strict=False)]
    if (STATE / "no_cube").exists():
        sizes.append("-DFAKE_NO_CUBE_WORD")
    command = ["g++", "-O1", "-w", "-fno-gnu-unique", "-fvisibility=hidden", *ARCH[language], *sizes]
    linked = [word for word in passed if word.startswith(("-L", "-l"))]
    compiled = [word for word in passed if word not in linked]
    return subprocess.run(
        [*command, "-include", "launch.hpp", *compiled, str(rewritten), "-o", output, *linked], check=False
    ).returncode


def parse(arguments: list[str]) -> tuple[str, list[str], str, list[str]]:
    """Language, sources, output, and what g++ is to be told. Raises RefusedError."""
    language = next((name for words, name in LANGUAGES.items() if tuple(arguments[: len(words)]) == words), None)
    if language is None:
        raise RefusedError(f"language and architecture are not given, or unknown: {' '.join(arguments[:3])}")
    words = arguments[3 if language == "asc" else 2 :]
    sources, passed, output, libraries, folders = [], [], "", [], []
    while words:
        word = words.pop(0)
        if word in ("-o", "-mllvm") and not words:
            raise RefusedError(f"argument to '{word}' is missing")
        if word == "-o":
            output = words.pop(0)
        elif word == "-mllvm":
            if (option := words.pop(0)) not in BACKEND_OPTIONS:
                raise RefusedError(f"unknown command line argument '{option}' of the back end")
        elif word.endswith(".cpp"):
            sources.append(word)
        elif word in KNOWN or word.startswith(KNOWN_PREFIXES):
            passed.append(word)
            folders += [Path(word[2:])] if word.startswith("-L") else []
            libraries += [word[2:]] if word.startswith("-l") else []
        else:
            raise RefusedError(f"unknown argument: '{word}'")
    if missing := [word for word in REQUIRED if word not in arguments]:
        raise RefusedError(f"a library for loading needs {' '.join(missing)}")
    if len(sources) != 1 or not Path(sources[0]).is_file():
        raise RefusedError(f"one source file is needed, found {sources}")
    if not output:
        raise RefusedError("no -o: a.out is written, which nobody loads")
    for name in libraries:
        if name not in ("stdc++", "dl") and not any(list(folder.glob(f"lib{name}.*")) for folder in folders):
            raise RefusedError(f"cannot find -l{name}")
    return language, sources, output, passed


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
