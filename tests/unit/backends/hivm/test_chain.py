"""The compiler chain: found or said why not, its refusals in its own words, ended in time; and with the real wheels."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.hivm import chain as chain_module
from pytest_ascend_tune.backends.hivm.chain import Chain, KernelSource, Tools, find_tools, option_flags
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, BuildTimeoutError

OVERFLOW = "cc overflow, requires 2097152 bits while 1048576 bits available!"
NOTE = "Cc overflow detected; automatically set enable-code-motion to false and retrying"


def program(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\nimport sys, time\nout = sys.argv[sys.argv.index('-o') + 1]\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    """Stand-ins for the vendor's: each writes what the next one reads; the compiler ends with 1, as without CANN."""
    front_end = tmp_path / "chain.py"
    monkeypatch.setattr(chain_module, "__file__", str(front_end))
    (tmp_path / "frontend.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'ttir': line.strip()}), flush=True)\n"
    )
    copy = "open(out, 'w').write(open(sys.argv[1]).read())"
    compile_ = (
        "import pathlib\nfolder = pathlib.Path([a for a in sys.argv if a.startswith('--save-temps=')][0][13:])\n"
        "folder.mkdir()\n(folder / 'module.hivm.opt.mlir').write_text(' '.join(sys.argv[2:]))\n"
        f"print('[NOTE] {NOTE}')\nprint('error: External hivmc run fails')\nsys.exit(1)"
    )
    show = "open(out, 'w').write(open(sys.argv[3]).read())"
    return Tools(
        sys.executable,
        program(tmp_path / "adapter", copy),
        program(tmp_path / "compile", compile_),
        program(tmp_path / "opt", show),
        "fakes 1",
    )


def source(tmp_path: Path) -> KernelSource:
    file = tmp_path / "kernel.py"
    file.write_text("")
    return KernelSource(file, "gemm", {"a_ptr": "*fp16"}, {"M": 1})


def test_success_is_the_module_and_notes_are_kept(tools: Tools, tmp_path: Path) -> None:
    with Chain(tools) as chain:
        made = chain.compile(source(tmp_path), target="Ascend910B4", options={"multibuffer": False, "unit_flag": True})
    assert "--target=Ascend910B4" in made.module
    assert "--enable-auto-multi-buffer=false" in made.module
    assert "--enable-hivm-unit-flag-sync=true" in made.module
    assert made.notes == (NOTE,)


def test_a_refusal_is_in_the_compilers_own_words_without_paths(tools: Tools, tmp_path: Path) -> None:
    body = f"print(sys.argv[1] + ':3:1: error: {OVERFLOW}')\nprint('error: Failed to run BiShengHIR pipeline')\n"
    program(tools.compiler, body + "sys.exit(1)")
    with Chain(tools) as chain, pytest.raises(BuildError) as refused:
        chain.compile(source(tmp_path), target="Ascend910B3")
    assert str(refused.value) == OVERFLOW


def test_a_compiler_that_dies_says_how(tools: Tools, tmp_path: Path) -> None:
    program(tools.compiler, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")
    with Chain(tools) as chain, pytest.raises(BuildError, match="ended by SIGSEGV"):
        chain.compile(source(tmp_path), target="Ascend910B3")


def test_a_compiler_that_hangs_is_ended_with_its_children(tools: Tools, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    program(
        tools.compiler,
        "import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(1000)",
    )
    with Chain(tools) as chain, pytest.raises(BuildTimeoutError, match="compile did not end in time"):
        chain.compile(source(tmp_path), target="Ascend910B3", timeout_s=3.0)
    for _ in range(100):
        if not alive(int(pid.read_text())):
            return
        time.sleep(0.05)
    raise AssertionError("what the compiler started still runs")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_front_end_that_hangs_or_dies_is_replaced(tools: Tools, tmp_path: Path) -> None:
    front_end = tmp_path / "frontend.py"
    working = front_end.read_text()
    with Chain(tools) as chain:
        front_end.write_text("import time\ntime.sleep(1000)\n")
        with pytest.raises(BuildTimeoutError, match=r"front end did not end in time with kernel\.py"):
            chain.compile(source(tmp_path), target="Ascend910B3", timeout_s=1.0)
        front_end.write_text("import os\nos._exit(7)\n")
        with pytest.raises(BuildError, match="front end was ended by exit code 7"):
            chain.compile(source(tmp_path), target="Ascend910B3")
        front_end.write_text(working)
        assert chain.compile(source(tmp_path), target="Ascend910B3").module


def test_an_adapter_without_its_run_bit_is_copied_not_changed(tools: Tools, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        os.chmod(tools.adapter, 0o600)  # root may run what anyone may
    tools.adapter.chmod(0o600)
    with Chain(tools) as chain:
        assert chain.compile(source(tmp_path), target="Ascend910B3").module
    assert stat.S_IMODE(tools.adapter.stat().st_mode) == 0o600


def test_an_unknown_option_is_said_with_the_known_ones() -> None:
    with pytest.raises(BuildError, match=r"compile option 'turbo' is unknown; known: .*multibuffer"):
        option_flags({"turbo": True})


def test_a_python_without_the_packages_is_said(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailableError, match=r"not installed for Python .*pip install .*\[triton\]"):
        find_tools(sys.executable)
    with pytest.raises(BackendUnavailableError, match="does not run"):
        find_tools(str(tmp_path / "nothing"))


# --- with the real compiler ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Tools:
    """ASCEND_TUNE_TRITON_PYTHON names a Python that has triton-ascend and ascendnpu-ir."""
    try:
        return find_tools(os.environ.get("ASCEND_TUNE_TRITON_PYTHON"))
    except BackendUnavailableError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_the_recordings_are_what_the_compiler_emits(real: Tools) -> None:
    from tests.hivm.cases import CASES, recorded

    if real.version != "ascendnpu-ir 1.2.0, triton-ascend 3.2.0":
        pytest.skip(f"recorded with other versions than {real.version}")
    with Chain(real) as chain:
        for name, case in CASES.items():
            assert case.compile(chain) == recorded(name), name


@pytest.mark.slow
def test_the_real_compiler_refuses_in_its_own_words(real: Tools) -> None:
    from dataclasses import replace

    from tests.hivm.cases import CASES

    with Chain(real) as chain, pytest.raises(BuildError, match=r"^cc overflow, requires \d+ bits while 1048576 bits"):
        replace(CASES["nn_float16"], m=512, n=512, tile=(256, 256, 64)).compile(chain)
    bad = KernelSource(CASES["nn_float16"].source().file, "no_such_kernel", {}, {})
    with (
        Chain(real) as chain,
        pytest.raises(BuildError, match=r"kernel\.py has no @triton\.jit kernel 'no_such_kernel'"),
    ):
        chain.compile(bad, target="Ascend910B3")


@pytest.mark.slow
def test_hardware_facts_are_the_compilers(real: Tools) -> None:
    """Cores and buffers of every chip that it knows under a name of ours."""
    pytest.importorskip("xdsl")
    from pytest_ascend_tune.backends.hivm.module import read_program
    from pytest_ascend_tune.model.hardware import spec
    from tests.hivm.cases import CASES

    case = CASES["nn_float16_even"]
    with Chain(real) as chain:
        for name in ("910B1", "910B2", "910B2C", "910B3", "910B4", "910B4-1", "910_9382", "910_9392"):
            target = read_program(chain.compile(case.source(), target=f"Ascend{name}").module).target
            ours = spec(name)
            assert (target.cube_cores, target.vector_cores) == (ours.cube_cores, ours.vector_cores), name
            assert (target.l1_bytes, target.l0a_bytes, target.l0b_bytes, target.l0c_bytes, target.ub_bytes) == (
                ours.l1_bytes,
                ours.l0a_bytes,
                ours.l0b_bytes,
                ours.l0c_bytes,
                ours.ub_bytes,
            ), name
