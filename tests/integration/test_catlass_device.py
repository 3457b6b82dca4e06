"""The device binding itself, device.hpp, compiled and run on a small AscendC of our own (tests/fakes/ascendc).

Every argument is checked against the published ranges, every access against the end of its memory, every two accesses
from different pipes for a flag between them. CATLASS is a stand-in in the fast lane, its own headers in the slow one.
"""

from __future__ import annotations

import importlib.metadata
import shutil
from pathlib import Path

import numpy as np
import pytest

from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout
from tests.integration.catlass_device import OLD_ARCH_MACROS, DeviceLibrary
from tests.integration.catlass_host import ORDER, Case, config_of

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

PLAIN = config_of(64, 64, 64, 32, 0, 0, 0, 1, 0)
UNIT = config_of(64, 64, 64, 32, 1, 1, 1, 2, 1)
# What CATLASS takes for float16, and the nearest that fits: they fill L0A, L0B, L0C or L1 to the last byte.
FULL = {
    Dtype.FLOAT16: config_of(128, 256, 256, 64, 1, 0, 0, 3, 0),
    Dtype.INT8: config_of(256, 128, 256, 128, 0, 1, 1, 3, 1),
    Dtype.FLOAT32: config_of(128, 256, 128, 32, 0, 1, 0, 2, 0),
}
RAGGED = [(64, 64, 64), (70, 50, 90), (130, 200, 131), (1, 1, 1), (33, 77, 5), (16, 100, 73)]
EACH = [
    Case(PLAIN if dtype is Dtype.INT8 or layout in (Layout.NT, Layout.TN) else UNIT, dtype, layout)
    for dtype in Dtype
    for layout in Layout
]
CASES = [*EACH, *(Case(config, dtype) for dtype, config in FULL.items())]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return DeviceLibrary.build(tmp_path_factory.mktemp("device"), CASES)


@pytest.mark.parametrize("number", range(len(EACH)), ids=[str(case) for case in EACH])
def test_each_dtype_and_layout_at_ragged_shapes(library, number):
    for shape in RAGGED:
        library.check(number, shape)


@pytest.mark.parametrize("dtype", FULL, ids=str)
def test_tiles_that_fill_the_memories_to_the_last_byte(library, dtype):
    number = CASES.index(Case(FULL[dtype], dtype))
    library.check(number, (FULL[dtype]["tile_m"] + 9, FULL[dtype]["tile_n"] + 5, 300), cores=2)


@pytest.mark.parametrize("cores", [1, 4, 24])
def test_any_number_of_cores(library, cores):
    library.check(EACH.index(Case(UNIT, Dtype.FLOAT16, Layout.NN)), (200, 150, 70), cores=cores)


@pytest.mark.parametrize("layout", [Layout.NN, Layout.TT])
def test_rows_that_no_stride_field_holds(library, layout):
    """Rows of 65,536 elements and more are loaded one by one: the field of the stride has 16 bits."""
    number = next(number for number, case in enumerate(EACH) if (case.dtype, case.layout) == (Dtype.FLOAT16, layout))
    for length in (65535, 65536, 65537):
        shape = (3, length, 20) if layout is Layout.NN else (length, 3, 20)
        library.check(number, shape, cores=24)


def test_hfloat32_is_rounded_and_float32_is_not(library):
    wide, narrow = (
        library.check(EACH.index(Case(UNIT, dtype, Layout.NN)), (64, 64, 64)).c
        for dtype in (Dtype.FLOAT32, Dtype.HFLOAT32)
    )
    assert not np.array_equal(wide, narrow)


@pytest.mark.parametrize("layout", [Layout.TN, Layout.TT])
@pytest.mark.slow
def test_a_transposed_float_operand_with_the_compilers_of_cann_8_2_and_8_3(tmp_path, layout):
    """CATLASS 1.5 sets kDirectionAlign only where the compiler defines __NPU_ARCH__: device.hpp does it for those."""
    cases = [Case(PLAIN, Dtype.FLOAT32, layout)]
    old = DeviceLibrary.build(tmp_path / "old", cases, macros=OLD_ARCH_MACROS)
    for k in range(1, 34):
        old.check(0, (40, 40, k))
    without = {"#define __NPU_ARCH__ 2201": ""}
    broken = DeviceLibrary.build(tmp_path / "broken", cases, macros=OLD_ARCH_MACROS, edits=without)
    wrong = {k for k in range(1, 34) if fails(broken, 0, (40, 40, k))}
    assert wrong == {k for k in range(1, 34) if 1 <= k % 16 <= 8}


def fails(library: DeviceLibrary, number: int, shape: tuple[int, int, int]) -> bool:
    try:
        library.check(number, shape)
    except (AssertionError, WrongResultError):
        return True
    return False


# --- What the emulation must notice ----------------------------------------------------------------------------------

SET, WAIT = "AscendC::SetFlag<AscendC::HardEvent::", "AscendC::WaitFlag<AscendC::HardEvent::"
ID = ">((int32_t)id);"
MUTANTS = {  # text of device.hpp -> what it becomes
    "A and B swapped": {
        "gm_a.SetGlobalBuffer((__gm__ In*)a)": "gm_a.SetGlobalBuffer((__gm__ In*)b)",
        "gm_b.SetGlobalBuffer((__gm__ In*)b)": "gm_b.SetGlobalBuffer((__gm__ In*)a)",
    },
    "rows and columns of B swapped": {"layout_b(shape.k, shape.n)": "layout_b(shape.n, shape.k)"},
    "slots of B over those of A": {"2 * A_BYTES + slot * B_BYTES": "A_BYTES + slot * B_BYTES"},
    "slots of A half a slot apart": {"GetBufferByByte<In>(slot * A_BYTES)": "GetBufferByByte<In>(slot * A_BYTES / 2)"},
    "stages of A in one place": {"(slot * (Arch::L0A_SIZE / 2))": "(slot * 0)"},
    "stages of B beyond the end": {"(slot * (Arch::L0B_SIZE / 2))": "(slot * Arch::L0B_SIZE)"},
    "wrong event for B is free": {f"{SET}MTE1_MTE2>((int32_t)(id + 2));": f"{SET}MTE1_MTE2{ID}"},
    "event number 8": {
        f"{SET}M_MTE1{ID}": f"{SET}M_MTE1>((int32_t)id + 8);",
        f"{WAIT}M_MTE1{ID}": f"{WAIT}M_MTE1>((int32_t)id + 8);",
    },
    "nobody waits until A is loaded": {f"{SET}MTE2_MTE1{ID}": ";", f"{WAIT}MTE2_MTE1{ID}": ";"},
    "nobody waits until A's slot is free": {f"{SET}MTE1_MTE2{ID}": ";", f"{WAIT}MTE1_MTE2{ID}": ";"},
    "nobody waits until L0 is fed": {f"{SET}MTE1_M{ID}": ";", f"{WAIT}MTE1_M{ID}": ";"},
    "nobody waits until L0 is multiplied": {f"{SET}M_MTE1{ID}": ";", f"{WAIT}M_MTE1{ID}": ";"},
    "nobody waits until C is complete": {f"{SET}M_FIX{ID}": ";", f"{WAIT}M_FIX{ID}": ";"},
    "nobody waits until C is stored": {f"{SET}FIX_M{ID}": ";", f"{WAIT}FIX_M{ID}": ";"},
    "a wait dropped": {f"{WAIT}M_FIX{ID}": ";"},
    "a set dropped": {f"{SET}MTE2_MTE1{ID}": ";"},
    "missing tail of A's rows": {
        "layout_a.GetTileLayout(Catlass::MakeCoord(height, length))": "layout_a.GetTileLayout("
        "Catlass::MakeCoord(Tiling::tile_m, length))"
    },
    "missing tail along k": {"whole_columns(width), length, first": "whole_columns(width), Tiling::l0_k, first"},
    "missing tail of C": {
        "layout_c.GetTileLayout(Catlass::MakeCoord(height, width))": "layout_c.GetTileLayout("
        "Catlass::MakeCoord(height, Tiling::tile_n))"
    },
    "stride of A in L1 by the rows that are there": {
        "auto from = L1LayoutA::template MakeLayout<In>(Tiling::tile_m, Tiling::l1_k);": "auto from = "
        "L1LayoutA::template MakeLayout<In>(height, Tiling::l1_k);"
    },
    "stride of C in L0C by the tile": {
        "MakeLayoutInL0C(Catlass::MakeCoord(whole_rows(height), ": "MakeLayoutInL0C(Catlass::MakeCoord(Tiling::tile_m, "
    },
    "k step of A along m": {"from.GetOffset(Catlass::MatrixCoord{0, k})": "from.GetOffset(Catlass::MatrixCoord{k, 0})"},
    "k step of B forgotten": {"from.GetOffset(Catlass::MatrixCoord{k, 0})": "0"},
    "C never starts from zero": {"length, first, (uint8_t)unit": "length, false, (uint8_t)unit"},
    "C always starts from zero": {"length, first, (uint8_t)unit": "length, true, (uint8_t)unit"},
    "no unit flag for the cube": {"length, first, (uint8_t)unit": "length, first, 0"},
    "unit flag never passed on": {"length, first, (uint8_t)unit": "length, first, (uint8_t)unit & 2"},
    "HF32 mode left to chance": {"AscendC::SetHF32Mode(dtype == Dtype::HFLOAT32);": ";"},
    "HF32 mode left on": {"AscendC::SetHF32Mode(false);": ";"},
    "unit flag without its direction": {"AscendC::SetMMLayoutTransform(Tiling::unit_flag);": ";"},
    "direction left behind": {"AscendC::SetMMLayoutTransform(false);": ";"},
    "stride of B in L1 by the rows that are there": {
        "auto from = L1LayoutB::template MakeLayout<In>(Tiling::l1_k, Tiling::tile_n);": "auto from = "
        "L1LayoutB::template MakeLayout<In>(length, Tiling::tile_n);"
    },
}
WITNESSES = [
    Case(PLAIN, Dtype.FLOAT16, Layout.NN),
    Case(UNIT, Dtype.FLOAT16, Layout.TT),
    Case(UNIT, Dtype.HFLOAT32, Layout.NT),
    Case(PLAIN, Dtype.INT8, Layout.TN),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutation_of_the_binding_dies(tmp_path, name):
    mutant = DeviceLibrary.build(tmp_path, WITNESSES, edits=MUTANTS[name])
    assert any(fails(mutant, number, (130, 200, 131)) for number in range(len(WITNESSES)))


@pytest.mark.slow
def test_the_witnesses_live(tmp_path):
    healthy = DeviceLibrary.build(tmp_path, WITNESSES)
    for number in range(len(WITNESSES)):
        healthy.check(number, (130, 200, 131))


# --- More of the space, and CATLASS's own headers --------------------------------------------------------------------


def corners(dtype: Dtype) -> list[Case]:
    """Legal configurations with each parameter at its smallest and at its largest value, others as they come."""
    template, space = load_template("catlass_gemm")
    candidates = space.bind(hardware.spec("910B1").facts()).candidates(GemmProblem(4096, 4096, 4096, dtype))
    configs = [candidates.config(row) for row in range(len(candidates))]
    random = np.random.default_rng(5)
    chosen = {}
    for name in ORDER:
        for extreme in (min, max):
            value = extreme(config[name] for config in configs)
            fitting = [config for config in configs if config[name] == value]
            chosen[fitting[int(random.integers(len(fitting)))]] = None
    return [Case(dict(config), dtype, template.layouts[number % 4]) for number, config in enumerate(chosen)]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", list(Dtype), ids=str)
def test_the_corners_of_the_space(tmp_path, dtype):
    cases = corners(dtype)
    library = DeviceLibrary.build(tmp_path, cases)
    for number, case in enumerate(cases):
        library.check(number, (case.config["tile_m"] + 5, case.config["tile_n"] + 9, 300), cores=2)


CATLASS_PACKAGE, CATLASS_VERSION = "ascend-catlass-dsl", "2.1.0"


def catlass_headers() -> Path:
    """CATLASS's own headers, out of its Python package. Skips where it is not installed."""
    try:
        version = importlib.metadata.version(CATLASS_PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"CATLASS's headers come with the package {CATLASS_PACKAGE}=={CATLASS_VERSION}, not installed here")
    assert version == CATLASS_VERSION
    files = importlib.metadata.files(CATLASS_PACKAGE) or []
    header = next(file for file in files if str(file).endswith("include/catlass/catlass.hpp"))
    return Path(str(header.locate())).parents[1]


@pytest.mark.slow
def test_the_binding_on_catlass_s_own_headers(tmp_path):
    """The same kernels, the same checks, and the same products to the last bit as on the stand-in."""
    theirs = DeviceLibrary.build(tmp_path / "theirs", EACH, catlass=catlass_headers(), standard="c++20")
    ours = DeviceLibrary.build(tmp_path / "ours", EACH)
    for number in range(len(EACH)):
        for shape in RAGGED:
            assert theirs.check(number, shape).c.tobytes() == ours.check(number, shape).c.tobytes()
