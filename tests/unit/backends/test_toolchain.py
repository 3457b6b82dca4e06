"""Finding, naming and running a compiler; most compilers here are small scripts."""

from __future__ import annotations

import os
import shutil
import time
import traceback
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.toolchain import LOG_TAIL_CHARS, compile_to, find_compiler, tail
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, BuildTimeoutError

GXX = shutil.which("g++")
needs_gxx = pytest.mark.skipif(GXX is None, reason="needs g++")


def script(path: Path, text: str) -> Path:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def environment(**changes: str) -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if name != "CXX"}, **changes}


def test_no_compiler_at_all_says_how_to_get_one(tmp_path):
    with pytest.raises(BackendUnavailableError, match=r"(?s)no C\+\+ compiler found.*apt-get install g\+\+.*CXX"):
        find_compiler({"PATH": str(tmp_path)})


@pytest.mark.parametrize("chosen", ["/nowhere/g++", "no-such-compiler -O1"])
def test_a_cxx_that_is_not_there(chosen):
    with pytest.raises(BackendUnavailableError, match="is not an executable file"):
        find_compiler(environment(CXX=chosen))


def test_a_cxx_with_an_open_quote():
    with pytest.raises(BackendUnavailableError, match="cannot be split"):
        find_compiler(environment(CXX="g++ 'x"))


def test_a_cxx_that_fails_shows_its_message(tmp_path):
    broken = script(tmp_path / "broken", "echo no licence >&2; exit 3\n")
    with pytest.raises(BackendUnavailableError, match=r"(?s)does not work: no licence.*Install"):
        find_compiler(environment(CXX=str(broken)))


SECRET = "S3cr3tHunter"


@pytest.mark.parametrize(
    "chosen",
    [
        f"TOKEN={SECRET} g++",
        f"no-such-compiler -DTOKEN={SECRET}",
        f"g++ '-DTOKEN={SECRET}",
        f"BROKEN -DTOKEN={SECRET}",
        f"BROKEN -D{SECRET} --password {SECRET}",
        f"TALKING {SECRET}",
        f"TALKING -fplugin-arg-x={SECRET} -Wp,-DTOKEN={SECRET}",
    ],
)
def test_words_of_cxx_that_may_be_secret_are_in_no_message(tmp_path, chosen):
    """Whether the compiler cannot be found, repeats what it was given, or names it as its version."""
    broken = script(tmp_path / "broken", 'echo "bad options: $@"; echo "bad options: $@" >&2; exit 3\n')
    talking = script(tmp_path / "talking", 'echo "compiler of $@"\n')
    command = chosen.replace("BROKEN", str(broken)).replace("TALKING", str(talking))
    try:
        said = find_compiler(environment(CXX=command)).version
    except BackendUnavailableError as error:
        said = "".join(traceback.format_exception(error))
    assert said
    assert SECRET not in said
    word = f"-DTOKEN={SECRET}"
    with pytest.raises(BuildError, match=r"bad options: \*\*\* -O3") as caught:
        compile_to((str(broken), word, "-O3"), tmp_path / "out", timeout_s=60, hidden=(word,))
    assert SECRET not in str(caught.value)
    slow = script(tmp_path / "slow", "sleep 60\n")
    with pytest.raises(BuildTimeoutError, match="was stopped") as late:
        compile_to((str(slow), f"-D{SECRET}"), tmp_path / "out", timeout_s=0.1, hidden=(f"-D{SECRET}",))
    assert SECRET not in str(late.value)


@needs_gxx
def test_cxx_may_be_a_path_with_spaces_or_a_command_with_arguments(tmp_path):
    folder = tmp_path / "my tools"
    folder.mkdir()
    wrapper = script(folder / "g++", f'exec {GXX} "$@"\n')
    assert find_compiler(environment(CXX=str(wrapper))).command == (str(wrapper),)
    assert find_compiler(environment(CXX=f"{GXX} -pipe")).command == (GXX, "-pipe")


@needs_gxx
def test_a_relative_cxx_works_from_every_folder(tmp_path, monkeypatch):
    script(tmp_path / "mine", f'exec {GXX} "$@"\n')
    monkeypatch.chdir(tmp_path)
    assert find_compiler(environment(CXX="./mine")).command == (str(tmp_path / "mine"),)


@needs_gxx
def test_the_same_compiler_has_the_same_identity():
    one, other = find_compiler(environment()), find_compiler(environment())
    assert one == other
    assert one.version
    assert one.native_flags[0].endswith("=native")


@needs_gxx
def test_whatever_changes_the_code_changes_the_identity(tmp_path):
    optimising_less = script(tmp_path / "cxx1", f'exec {GXX} "$@" -O1\n')
    behind_another = script(tmp_path / "cxx2", f'exec {optimising_less} "$@"\n')
    plain = find_compiler(environment())
    identities = [
        plain.identity,
        *(find_compiler(environment(CXX=text)).identity for text in (str(optimising_less), f"{GXX} -O1")),
    ]
    assert len(set(identities)) == len(identities)
    before = find_compiler(environment(CXX=str(behind_another))).identity
    script(optimising_less, f'exec {GXX} "$@" -O2\n')  # the outer script and the version stay as they are
    assert find_compiler(environment(CXX=str(behind_another))).identity != before


@needs_gxx
def test_a_compiler_without_march_native_is_asked_for_mcpu_or_nothing(tmp_path):
    old = script(tmp_path / "old", f'case "$*" in *=native*) echo unknown flag >&2; exit 1;; esac; exec {GXX} "$@"\n')
    assert find_compiler(environment(CXX=str(old))).native_flags == ()


def test_a_good_run_returns_its_log(tmp_path):
    tool = script(tmp_path / "tool", 'echo "a warning"; echo done > "$1"\n')
    log = compile_to([str(tool), "out"], tmp_path / "out", timeout_s=30, cwd=tmp_path)
    assert log == "a warning\n"
    assert (tmp_path / "out").read_text() == "done\n"


def test_arguments_do_not_pass_a_shell(tmp_path):
    tool = script(tmp_path / "tool", 'printf "%s" "$1" > out\n')
    compile_to([str(tool), "$(touch hacked); `x` *"], tmp_path / "out", timeout_s=30, cwd=tmp_path)
    assert (tmp_path / "out").read_text() == "$(touch hacked); `x` *"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("echo error: no such tile >&2; exit 1", r"(?s)exit code 1: error: no such tile"),
        ("exit 0", "reported success but did not write out"),
        ("kill -9 $$", r"SIGKILL.*out of memory"),
    ],
)
def test_failures_say_what_happened(tmp_path, text, message):
    tool = script(tmp_path / "tool", text + "\n")
    with pytest.raises(BuildError, match=message):
        compile_to([str(tool)], tmp_path / "out", timeout_s=30)


def test_a_tool_that_cannot_be_started(tmp_path):
    with pytest.raises(BuildError, match=r"cannot start the compiler .*: No such file"):
        compile_to([str(tmp_path / "gone")], tmp_path / "out", timeout_s=30)


def test_a_hanging_compiler_is_killed_with_its_children(tmp_path):
    tool = script(tmp_path / "tool", "sleep 600 & echo $! > child; wait\n")
    started = time.monotonic()
    with pytest.raises(BuildTimeoutError, match=r"within 0\.5 s and was stopped: tool") as caught:
        compile_to([str(tool)], tmp_path / "out", timeout_s=0.5, cwd=tmp_path)
    assert str(tmp_path) not in str(caught.value)
    assert time.monotonic() - started < 30
    child = Path("/proc") / (tmp_path / "child").read_text().strip() / "stat"
    deadline = time.monotonic() + 5
    while child.exists() and child.read_text().split()[2] != "Z" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not child.exists() or child.read_text().split()[2] == "Z"


def gone(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("end", ["echo > out", "exit 1", "kill -9 $$", "kill -9 $PPID; sleep 60"])
@pytest.mark.parametrize("start", ["sleep 600 &", "setsid sleep 600 &", "(setsid sleep 600 & echo $! > pid)"])
def test_nothing_that_a_compiler_leaves_behind_lives_on(tmp_path, start, end):
    tool = script(tmp_path / "tool", f"{start}\n[ -e pid ] || echo $! > pid\n{end}\n")
    with suppress(BuildError):
        compile_to([str(tool)], tmp_path / "out", timeout_s=30, cwd=tmp_path)
    assert gone((tmp_path / "pid").read_text().strip())


@pytest.mark.parametrize("mebibytes", [1, 300])
def test_of_a_compiler_that_prints_without_end_head_and_tail_are_kept(tmp_path, mebibytes):
    text = f"echo first; head -c {mebibytes << 20} /dev/zero | tr '\\0' x; echo; echo last >&2; exit 1"
    tool = script(tmp_path / "tool", text)
    with pytest.raises(BuildError, match=r"(?s)exit code 1.*\[\.\.\.\].*last$") as caught:
        compile_to([str(tool)], tmp_path / "out", timeout_s=60)
    assert len(str(caught.value)) < 2 * LOG_TAIL_CHARS
    good = script(tmp_path / "good", text.replace("exit 1", "echo > out"))
    log = compile_to([str(good)], tmp_path / "out", timeout_s=60, cwd=tmp_path)
    assert log.startswith("first\nxxx")
    assert log.endswith("xxx\nlast\n")
    assert f"\n[... {(mebibytes << 20) + 12 - (1 << 19)} bytes ...]\n" in log
    assert len(log) < (1 << 19) + 100


def test_a_banner_and_names_that_are_not_utf_8(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    tool = script(
        folder / os.fsdecode(b"\xffcc"),
        f'case "$*" in *--version*) printf "caf\\351 1.0\\n"; exit;; esac\nexec {GXX} "$@"\n',
    )
    compiler = find_compiler(environment(CXX=str(tool)))
    assert compiler.version == "caf\ufffd 1.0"
    bad = script(folder / os.fsdecode(b"\xfebad"), 'printf "error: \\377\\n"; exit 1\n')
    for limit_s in (30, 0):
        with pytest.raises((BuildError, BuildTimeoutError)) as caught:
            compile_to([str(bad), os.fsdecode(b"\xe9")], folder / "out", timeout_s=limit_s, cwd=folder)
        str(caught.value).encode()
    with pytest.raises(BackendUnavailableError) as unavailable:
        find_compiler(environment(CXX=str(bad)))
    str(unavailable.value).encode()


def test_a_long_log_is_cut_at_a_line():
    text = "".join(f"line {number}\n" for number in range(1000))
    end = tail(text)
    assert len(end) <= LOG_TAIL_CHARS + 10
    assert end.startswith("[...]\nline ")
    assert end.endswith("line 999")
    assert tail(" short \n") == "short"
