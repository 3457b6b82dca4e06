"""The compiler: finds it, tells what it is, runs it in a process group that a time-out ends. For all backends."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.backends.supervised import run
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, BuildTimeoutError
from pytest_ascend_tune.model.secreturl import hide_words

LOG_TAIL_CHARS = 2000
_PLAIN_FLAG = re.compile(r"-[fgmOW][a-z0-9-]*|-(std|m[a-z0-9-]+)=[a-z0-9+.-]*|-pipe|-pthread")
INSTALL_HINT = (
    "Install GCC (Debian, Ubuntu: apt-get install g++; Fedora, openEuler: dnf install gcc-c++) "
    "or set CXX to a C++ compiler"
)

# A probe whose code depends on optimisation level, vector width, floating-point rules and instruction set: its
# assembly tells a compiler behind any number of wrappers from the same compiler with other options.
_PROBE = """
extern "C" float ascend_tune_probe(const float* a, float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) { b[i] = a[i] * b[i] + 1.0f; sum += a[i]; }
  return sum;
}
"""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler. ``identity`` changes whenever its output could: version, wrapper script, options it adds."""

    command: tuple[str, ...]
    version: str
    identity: str
    native_flags: tuple[str, ...]


def find_compiler(environment: Mapping[str, str] | None = None, *, named: str = "CXX") -> Compiler:
    """The compiler in CXX (a path or a command with arguments), else g++, else c++. Raises BackendUnavailableError.

    `named`: what an error calls the one in CXX.
    """
    environment = os.environ if environment is None else environment
    chosen = environment.get("CXX", "").strip()
    if chosen:
        command = _split_command(chosen, named)
        program = shutil.which(command[0], path=environment.get("PATH"))
        if program is None:
            shown = command[0].partition("=")[0]
            raise BackendUnavailableError(f"{named}: {shown!r} is not an executable file. {INSTALL_HINT}.")
        return describe_compiler((os.path.abspath(program), *command[1:]))
    for name in ("g++", "c++"):
        program = shutil.which(name, path=environment.get("PATH"))
        if program is not None:
            return describe_compiler((program,))
    raise BackendUnavailableError(f"no C++ compiler found (looked for CXX, g++, c++). {INSTALL_HINT}.")


def describe_compiler(command: tuple[str, ...]) -> Compiler:
    """Ask `command` for its version and let it compile the probe. Raises BackendUnavailableError when it cannot."""
    try:
        banner = _capture([*command, "--version"])
        for native in (("-march=native",), ("-mcpu=native",), ()):
            try:
                assembly = _capture([*command, "-O3", *native, "-S", "-x", "c++", "-o", "-", "-"], _PROBE)
                break
            except subprocess.CalledProcessError:
                if not native:
                    raise
    except (OSError, subprocess.SubprocessError) as error:
        detail = hide_words(words_to_hide(command[1:]), getattr(error, "stderr", None) or str(error))
        raise BackendUnavailableError(
            f"the C++ compiler {as_utf8(command[0])!r} does not work: {tail(detail)}\n{INSTALL_HINT}."
        ) from None
    digest = hashlib.sha256()
    for part in (banner, *command[1:], *_script_texts(command), assembly):
        digest.update(os.fsencode(part) + b"\0")
    version = hide_words(words_to_hide(command[1:]), banner.partition("\n")[0].strip())
    return Compiler(command, version, digest.hexdigest(), native)


def words_to_hide(words: Sequence[str]) -> set[str]:
    """Of the words that follow the program in CXX: what may be secret, as in ``-DTOKEN=...``; flags may not."""
    doubtful = {word for word in words if not _PLAIN_FLAG.fullmatch(word)}
    values = {word.partition("=")[2] for word in doubtful} | {word[2:] for word in doubtful if word.startswith("-")}
    return doubtful | values


def compile_to(
    command: Sequence[str],
    output: Path,
    *,
    timeout_s: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    hidden: Sequence[str] = (),
) -> str:
    """Run `command`, which must write `output`; returns its log. As :func:`run_to_end`, and raises BuildError when it
    writes nothing."""
    text = run_to_end(command, timeout_s=timeout_s, cwd=cwd, env=env, hidden=hidden)
    check_written(output, output.name, "the compiler", text)
    return text


def check_written(output: Path, name: str, called: str, log: str) -> None:
    """Raise BuildError for a file that should be there now."""
    if not output.is_file():
        raise BuildError(f"{called} reported success but did not write {name}\n{tail(log)}")


def run_to_end(
    command: Sequence[str],
    *,
    timeout_s: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    hidden: Sequence[str] = (),
    called: str = "the compiler",
) -> str:
    """Run `command`, never through a shell; returns its log. `hidden`: words of the user's environment among those of
    `command`, whose values do not appear in messages. `called`: what messages call it.

    Raises BuildError (log tail in the message) when it fails, BuildTimeoutError after `timeout_s`; what it started and
    left behind is killed in any case. Of a log of more than half a MiB head and tail are kept.
    """
    environment = {**(os.environ if env is None else env), "LC_ALL": "C"}
    secrets = words_to_hide(hidden)
    shown = as_utf8(Path(command[0]).name)  # messages are stored with the trial: no paths of this machine
    with tempfile.TemporaryFile() as log:
        try:
            process = run(command, timeout_s=timeout_s, stdout=log, keep=("both",), cwd=cwd, env=environment)
        except subprocess.TimeoutExpired:
            line = hide_words(secrets, shlex.join([shown, *command[1:]]))
            raise BuildTimeoutError(
                f"{called} did not end within {timeout_s:g} s and was stopped: {as_utf8(line)}"
            ) from None
        if process.errno is not None:
            raise BuildError(f"cannot start {called} {shown}: {os.strerror(process.errno)}")
        returncode = process.end() or 0
        log.seek(0)
        text = hide_words(secrets, log.read().decode(errors="replace"))
    if returncode < 0:
        raise BuildError(f"{called} was ended by {signal_name(-returncode)} (out of memory?)\n{tail(text)}")
    if returncode:
        first = next((line.strip() for line in text.splitlines() if "error" in line.lower()), "no message")
        raise BuildError(f"{called} failed with exit code {returncode}: {first[:200]}\n{tail(text)}")
    return text


def signal_name(number: int) -> str:
    """``SIGSEGV (Segmentation fault)``."""
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"signal {number}"


def tail(text: str) -> str:
    """The end of a log, whole lines."""
    text = text.strip()
    if len(text) <= LOG_TAIL_CHARS:
        return text
    return "[...]\n" + text[-LOG_TAIL_CHARS:].partition("\n")[2]


def _split_command(text: str, named: str) -> list[str]:
    """A path with spaces that exists is one word; everything else is split as a shell would."""
    if Path(text).is_file():
        return [text]
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BackendUnavailableError(f"{named} cannot be split into words: {error}") from error


def _capture(command: Sequence[str], text: str = "") -> str:
    """stdout of a quick call of the compiler."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(text.encode())
        given.seek(0)
        environment = {**os.environ, "LC_ALL": "C"}
        kept = ("stdout", "stderr")
        process = run(command, timeout_s=60, stdout=out, keep=kept, stdin=given, stderr=err, env=environment)
        if process.errno is not None:
            raise OSError(process.errno, os.strerror(process.errno))
        out.seek(0)
        err.seek(0)
        said, complaint = (file.read().decode(errors="replace") for file in (out, err))
    if code := process.end():
        raise subprocess.CalledProcessError(code, list(command), said, complaint)
    return said


def as_utf8(text: str) -> str:
    """A text with words of the command line in it: what is not UTF-8 there is shown, not passed on."""
    return text.encode(errors="backslashreplace").decode()


def _script_texts(command: Sequence[str]) -> list[str]:
    """Contents of the words of `command` that are scripts (wrappers)."""
    texts = []
    for word in command:
        path = Path(word)
        if path.is_file():
            with path.open("rb") as file:
                if file.read(2) == b"#!":
                    file.seek(0)
                    texts.append(file.read().decode(errors="replace"))
    return texts
