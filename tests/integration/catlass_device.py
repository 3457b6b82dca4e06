"""Builds and runs kernel_templates/catlass_gemm/device.hpp itself for tests, on the AscendC of tests/fakes/ascendc.

CATLASS's tile components come from a folder of headers: the stand-in of tests/fakes/catlass, or CATLASS's own.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pytest_ascend_tune.backends.accuracy import full_check
from pytest_ascend_tune.model.problem import GemmProblem
from tests.integration.catlass_host import FOLDER, Case, as_matrix, as_numbers, empty_result, operands

FAKES = Path(__file__).parents[1] / "fakes"
CATLASS_STAND_IN = FAKES / "catlass" / "include"
# As the compiler of CANN >= 8.5 defines it; the older ones define __CCE_AICORE__ alone.
ARCH_MACROS = ("-D__NPU_ARCH__=2201",)
OLD_ARCH_MACROS = ("-D__CCE_AICORE__=220",)
FLAGS = ("-O1", "-shared", "-fPIC", "-fno-gnu-unique", "-DCATLASS_ARCH=2201", "-w")
COMPILE_TIMEOUT_S = 600


@dataclass(frozen=True)
class DeviceRun:
    """What one product on emulated cores gave. ``cycles``: crude, they only differ where the work differs."""

    fault: str
    cycles: int
    c: np.ndarray = field(repr=False)


class DeviceLibrary:
    """Several cases in one library, chosen by number."""

    def __init__(self, path: Path, cases: Sequence[Case]) -> None:
        self.cases = tuple(cases)
        self._library = ctypes.CDLL(str(path))
        self._library.device_fault.restype = ctypes.c_char_p
        self._library.device_cycles.restype = ctypes.c_uint64

    @classmethod
    def build(
        cls,
        folder: Path,
        cases: Sequence[Case],
        *,
        catlass: Path = CATLASS_STAND_IN,
        edits: Mapping[str, str] | None = None,
        file: str = "device.hpp",
        macros: Sequence[str] = ARCH_MACROS,
        standard: str = "c++17",
    ) -> DeviceLibrary:
        """`edits`: text -> what it becomes, in a copy of `file` of the template. Raises CalledProcessError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("device.hpp", "gemm.hpp", "tile_order.hpp"):
            text = (FOLDER / name).read_text()
            for old, new in (edits or {}).items():
                if name == file:
                    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {name}"
                    text = text.replace(old, new)
            (folder / name).write_text(text)
        source, output = folder / "cases.cpp", folder / "cases.so"
        source.write_text(source_of(cases))
        includes = [f"-I{path}" for path in (folder, FAKES / "ascendc", catlass)]
        command = ["g++", f"-std={standard}", *FLAGS, *macros, *includes, str(source), "-o", str(output)]
        subprocess.run(command, check=True, timeout=COMPILE_TIMEOUT_S, capture_output=True, text=True)
        return cls(output, cases)

    def run(self, number: int, shape: tuple[int, int, int], *, cores: int = 3, seed: int = 0) -> DeviceRun:
        """One product on `cores` emulated cores."""
        case = self.cases[number]
        problem = GemmProblem(*shape, case.dtype, case.layout)
        arrays = (*operands(problem, seed), empty_result(problem))
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
        sizes = [ctypes.c_uint64(array.nbytes) for array in arrays]
        code = self._library.device_run(number, cores, *pointers, *sizes, *shape)
        fault = self._library.device_fault().decode()
        assert bool(code) == bool(fault)
        return DeviceRun(fault, int(self._library.device_cycles()), arrays[2])

    def check(self, number: int, shape: tuple[int, int, int], **how: int) -> DeviceRun:
        """Run, expect no fault, and compare every element with a float64 product."""
        case = self.cases[number]
        run = self.run(number, shape, **how)
        assert run.fault == "", f"{case} at {shape} with {how}: {run.fault}"
        problem = GemmProblem(*shape, case.dtype, case.layout)
        a, b = operands(problem, how.get("seed", 0))
        full_check(as_matrix(a, problem, "a"), as_matrix(b, problem, "b"), as_numbers(run.c, case.dtype), case.dtype)
        return run


def source_of(cases: Sequence[Case]) -> str:
    """One translation unit with a kernel for each case."""
    lines = ['#include "launch.hpp"', '#include "device.hpp"', "namespace ascend_tune {"]
    branches = []
    for number, case in enumerate(cases):
        lines += [
            f"void kernel_{number}(uint8_t* a, uint8_t* b, uint8_t* c, uint32_t m, uint32_t n, uint32_t k)",
            f"{{ compute<{case.arguments}>(a, b, c, m, n, k); }}",
        ]
        branches.append(
            f"case {number}: cycles = run_cores(cores, ranges, ascend_tune::kernel_{number}, a, b, c, m, n, k); break;"
        )
    lines += [
        "}",
        "static std::string fault; static uint64_t cycles;",
        'extern "C" char const* device_fault() { return fault.c_str(); }',
        'extern "C" uint64_t device_cycles() { return cycles; }',
        'extern "C" int device_run(uint32_t number, uint32_t cores, uint8_t* a, uint8_t* b, uint8_t* c,',
        "    uint64_t a_bytes, uint64_t b_bytes, uint64_t c_bytes, uint32_t m, uint32_t n, uint32_t k) {",
        "  using namespace fake_ascendc;",
        '  std::vector<Range> ranges{{"A", a, a_bytes, false, {}}, {"B", b, b_bytes, false, {}},',
        '      {"C", c, c_bytes, true, std::vector<uint8_t>(c_bytes)}};',
        "  fault.clear();",
        "  try { switch (number) {",
        *branches,
        "  } } catch (Fault const& error) { fault = error.what(); }",
        "  return fault.empty() ? 0 : 1;",
        "}",
        "",
    ]
    return "\n".join(lines)
