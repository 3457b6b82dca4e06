"""The kernel of catlass_gemm, run on emulated memories, pipes and flags: right, balanced, and every parameter alive."""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import numpy as np
import pytest

from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout
from tests.integration.catlass_host import (
    FLAGS,
    FOLDER,
    LOAD_A,
    LOAD_B,
    MULTIPLY,
    ORDER,
    STORE,
    Case,
    HostLibrary,
    config_of,
)

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

BASE = config_of(64, 128, 128, 32, 0, 0, 0, 1, 0)
CORNERS = (  # what exactly fills a buffer, and the smallest tiles
    Case(config_of(128, 128, 512, 128, 1, 1, 1, 2, 0), Dtype.FLOAT16, Layout.NN),  # L1, L0A and L0B full
    Case(config_of(128, 256, 256, 64, 0, 1, 1, 3, 1), Dtype.BFLOAT16, Layout.TN),  # L0B and L0C full
    Case(config_of(256, 128, 64, 32, 1, 0, 1, 4, 0), Dtype.FLOAT32, Layout.NT),  # L0A and L0C full
    Case(config_of(128, 256, 512, 128, 0, 1, 1, 2, 1), Dtype.INT8, Layout.TT),  # L0B and L0C full
    Case(config_of(64, 64, 64, 16, 1, 1, 0, 1, 1), Dtype.HFLOAT32, Layout.TT),
    Case(config_of(16, 16, 64, 16, 1, 1, 1, 2, 0), Dtype.FLOAT16, Layout.TN),  # fine grid
    Case(config_of(144, 224, 128, 64, 1, 0, 1, 3, 0), Dtype.FLOAT16, Layout.NT),
    Case(config_of(96, 80, 80, 48, 1, 1, 1, 2, 1), Dtype.FLOAT16, Layout.NN),  # l1_k % l0_k != 0 works, too
)
ALONE = {  # one step away from BASE in one parameter
    "tile_m": 128,
    "tile_n": 64,
    "l1_k": 256,
    "l0_k": 64,
    "enable_unit": 1,
    "enable_shuffle_k": 1,
    "enable_abba": 1,
    "swizzle_offset": 2,
    "swizzle_direction": 1,
}
MUTANTS = {  # a fault put into class Gemm: (text, what it becomes)
    "MTE1 does not wait for the load of A": ("cube.template wait<Flag::A_READY>(slot);", ""),
    "MTE2 does not wait until B was read": (
        "cube.template wait<Flag::B_FREE>(slot);\n        cube.load_b",
        "cube.load_b",
    ),
    "the cube does not wait for L0": ("cube.template wait<Flag::L0_READY>(stage);", ""),
    "L0 is refilled too early": ("cube.template wait<Flag::L0_FREE>(stage);", ""),
    "the store does not wait for the cube": ("cube.template wait<Flag::C_READY>(0);", ""),
    "a flag is left set": (
        "cube.template wait<Flag::B_FREE>(slot);\n            cube.template wait<Flag::L0_FREE>",
        "cube.template wait<Flag::L0_FREE>",
    ),
    "the slot is given back too early": (
        "if (last) {\n            cube.template set<Flag::A_FREE>",
        "if (first) {\n            cube.template set<Flag::A_FREE>",
    ),
    "the accumulator is never cleared": ("step == 0 && part == 0", "false"),
    "the last tile along k is too long": ("cut(shape.k - start, Tiling::l1_k)}", "Tiling::l1_k}"),
    "slots are not swapped": ("                slot ^= 1u;", ""),
}
UNIT_MUTANTS = {  # with the unit flag there are no C_READY and C_FREE: the handshake alone orders cube and FixPipe
    "the unit flag is never passed on": ("complete ? Unit::PASS : Unit::HOLD", "Unit::HOLD"),
    "the unit flag is passed on too early": ("complete ? Unit::PASS : Unit::HOLD", "Unit::PASS"),
}


def sampled_cases(count: int, seed: int) -> list[Case]:
    """Legal configurations of the default grid, dtypes and layouts in turn."""
    template, space = load_template("catlass_gemm")
    space = space.bind(hardware.spec("910B1").facts())
    random_ = random.Random(seed)
    cases = []
    for number in range(count):
        dtype, layout = template.dtypes[number % 5], template.layouts[number // 5 % 4]
        candidates = space.candidates(GemmProblem(4096, 4096, 4096, dtype, layout))
        cases.append(Case(dict(candidates.config(random_.randrange(len(candidates)))), dtype, layout))
    return cases


CASES = (
    *CORNERS,
    *sampled_cases(12, seed=1),
    Case(BASE),
    *(Case({**BASE, name: value}) for name, value in ALONE.items()),
    *(Case(BASE, edit=edit) for edit in MUTANTS.values()),
    *(Case({**BASE, "enable_unit": 1}, edit=edit) for edit in UNIT_MUTANTS.values()),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> HostLibrary:
    return HostLibrary.build(tmp_path_factory.mktemp("catlass_host"), CASES)


@pytest.mark.parametrize("number", range(len(CORNERS) + 12), ids=[str(case) for case in CASES[: len(CORNERS) + 12]])
def test_every_legal_configuration_computes_the_product(library, number):
    config = CASES[number].config
    ragged = (config["tile_m"] + 17, 2 * config["tile_n"] + 1, 2 * config["l1_k"] + 21)
    library.check(number, ragged, schedule=number)
    library.check(number, (1, 1, 1))
    library.check(number, (33, 40, config["l0_k"] + 3), cores=1, schedule=1)


def test_any_number_of_cores_gives_the_same_result(library):
    """In int8: shuffle_k makes the order of the sum, and so the rounding of floats, depend on the core."""
    results = [library.check(3, (140, 300, 600), cores=cores).c for cores in (1, 2, 7, 24)]
    assert all((result == results[0]).all() for result in results[1:])


def test_every_schedule_gives_the_same_result(library):
    results = [library.check(0, (200, 300, 600), schedule=schedule).c for schedule in range(6)]
    assert all((result == results[0]).all() for result in results[1:])


@pytest.mark.parametrize("name", ALONE)
def test_each_parameter_alone_changes_what_the_core_does(library, name):
    shape, base = (300, 500, 700), CASES.index(Case(BASE))
    changed = CASES.index(Case({**BASE, name: ALONE[name]}))
    traces = [library.check(number, shape).trace for number in (base, changed)]
    assert not np.array_equal(*traces)


def test_switches_change_the_order_and_not_the_work(library):
    shape, base = (300, 500, 700), CASES.index(Case(BASE))
    work = sorted_work(library.run(base, shape).trace)
    for name in ("enable_abba", "enable_shuffle_k"):
        changed = CASES.index(Case({**BASE, name: 1}))
        assert np.array_equal(work, sorted_work(library.run(changed, shape).trace)), name


@pytest.mark.parametrize("name", ["enable_abba", "enable_shuffle_k"])
def test_merged_values_are_really_dead(library, name):
    """space.toml merges shuffle_k where k <= l1_k and ABBA where k <= l0_k: both give the same operations."""
    shape = (300, 500, BASE["l0_k"])
    traces = [library.run(CASES.index(Case({**BASE, name: value})), shape).trace for value in (0, 1)]
    assert np.array_equal(*traces)


@pytest.mark.parametrize(("name", "value"), [("swizzle_offset", 2), ("swizzle_direction", 1)])
@pytest.mark.parametrize("shape", [(BASE["tile_m"], 900, 100), (900, BASE["tile_n"], 100)])
def test_the_order_of_one_row_or_column_of_tiles_is_one(library, name, value, shape):
    traces = [library.run(CASES.index(Case(config)), shape).trace for config in (BASE, {**BASE, name: value})]
    assert np.array_equal(*traces)


@pytest.mark.parametrize("name", ["base", "swizzle_offset", "swizzle_direction"])
def test_tiles_are_walked_in_the_published_order(library, name):
    config = BASE if name == "base" else {**BASE, name: ALONE[name]}
    rows, columns = 5, 4
    shape = (rows * config["tile_m"] - 3, columns * config["tile_n"] - 5, 16)
    trace = library.run(CASES.index(Case(config)), shape, cores=1).trace
    walked = [
        (row // config["tile_m"], column // config["tile_n"]) for row, column in trace[trace[:, 2] == STORE][:, 3:5]
    ]
    assert walked == published_order(rows, columns, config["swizzle_offset"], config["swizzle_direction"])


def test_abba_turns_every_other_load_round(library):
    trace = library.run(CASES.index(Case({**BASE, "enable_abba": 1})), (64, 128, 512), cores=1).trace
    loads = [act for act in trace[:, 2] if act in (LOAD_A, LOAD_B)]
    assert loads == [LOAD_A, LOAD_B, LOAD_B, LOAD_A] * 2


def test_shuffle_k_starts_every_core_elsewhere(library):
    trace = library.run(CASES.index(Case({**BASE, "enable_shuffle_k": 1})), (256, 128, 512), cores=4).trace
    first = {int(core): int(k) for core, k in reversed(trace[trace[:, 2] == LOAD_A][:, [0, 6]].tolist())}
    assert first == {0: 0, 1: 128, 2: 256, 3: 384}


def test_the_unit_flag_replaces_the_events_between_cube_and_store(library):
    c_ready, c_free = 6, 7
    for value, expected in ((0, True), (1, False)):
        trace = library.run(CASES.index(Case({**BASE, "enable_unit": value})), (64, 128, 512), cores=1).trace
        events = trace[(trace[:, 2] >= 6) & np.isin(trace[:, 3], (c_ready, c_free))]
        assert bool(len(events)) is expected
        units = trace[trace[:, 2] == MULTIPLY][:, 8].tolist()
        assert units == ([2] * (len(units) - 1) + [3] if value else [0] * len(units))


@pytest.mark.parametrize("name", [*MUTANTS, *UNIT_MUTANTS])
def test_the_emulation_notices_a_fault_in_the_loop(library, name):
    edit = {**MUTANTS, **UNIT_MUTANTS}[name]
    number = next(number for number, case in enumerate(CASES) if case.edit == edit)

    def run_all_schedules():
        for schedule in range(6):
            library.check(number, (200, 300, 330), schedule=schedule)

    with pytest.raises((AssertionError, WrongResultError)):
        run_all_schedules()


def test_an_illegal_configuration_does_not_compile(tmp_path):
    wrong = {
        "two slots of A and B exceed L1": (128, 256, 512, 64, 0),
        "two stages of A exceed L0A": (256, 64, 128, 128, 0),
        "two stages of B exceed L0B": (64, 256, 128, 128, 0),
        "the tile of C exceeds L0C": (256, 256, 64, 16, 0),
        "l0_k is larger than l1_k": (64, 64, 64, 128, 0),
        "the cube's fractals are 16 wide": (72, 64, 64, 16, 0),
    }
    lines = [f"template struct Fits<Tiling<{m}, {n}, {l1}, {l0}, {unit}, 0, 0, 1, 0>, 2, 524288, 65536, 65536, 131072>;"
             for m, n, l1, l0, unit in wrong.values()]  # fmt: skip
    lines.append("template struct Fits<Tiling<64, 64, 64, 32, 1, 0, 0, 1, 0>, 1, 524288, 65536, 65536, 131072>;")
    source = tmp_path / "wrong.cpp"
    source.write_text('#include "gemm.hpp"\nnamespace ascend_tune {\n' + "\n".join(lines) + "\n}\n")
    done = subprocess.run(["g++", "-std=c++17", "-fsyntax-only", f"-I{FOLDER}", source], capture_output=True, text=True)
    for message in (*wrong, "the unit flag is not allowed for int8"):
        assert done.stderr.count(message) >= 1, message


def test_no_parameter_is_a_macro_when_catlass_is_included():
    """CATLASS has members called ENABLE_SHUFFLE_K and L1_K: a macro of that name would break its headers."""
    text = (FOLDER / "gemm.cpp").read_text()
    before, _, _ = text.partition('#include "device.hpp"')
    names = [parameter.upper() for parameter in load_template("catlass_gemm")[1].names]
    assert [name for name in names if f"#undef {name}\n" not in before] == []
    assert "#include" not in before.partition("#undef")[0].replace("#include <cstdint>", "")


def test_device_and_host_agree_on_flags_and_pipes():
    """device.hpp is not compiled here: its table of flags must be that of host.hpp, and no event may be used twice."""
    branch = re.compile(
        r"flag == Flag::(\w+)\) \{\s*AscendC::(\w+)Flag<AscendC::HardEvent::(\w+)>\(\(int32_t\)(.+?)\);"
    )
    last = re.compile(r"\} else \{\s*AscendC::(\w+)Flag<AscendC::HardEvent::(\w+)>\(\(int32_t\)(.+?)\);")
    device = (FOLDER / "device.hpp").read_text()
    tables: dict[str, dict[str, tuple[str, str]]] = {"Set": {}, "Wait": {}}
    for flag, action, event, number in branch.findall(device):
        tables[action][flag] = (event, number)
    for action, event, number in last.findall(device):
        tables[action]["C_FREE"] = (event, number)
    assert tables["Set"] == tables["Wait"]
    assert len(set(tables["Set"].values())) == len(tables["Set"]) == 8

    pipes = (FOLDER / "host.hpp").read_text().partition("pipes_of")[2]
    host: dict[str, str] = {}
    for names, source, target in re.findall(r"((?:case Flag::\w+:\s*)+)return \{Pipe::(\w+), Pipe::(\w+)\}", pipes):
        host |= dict.fromkeys(re.findall(r"Flag::(\w+)", names), f"{source}_{target}")
    host["C_FREE"] = "FIX_M"
    assert {flag: event for flag, (event, _) in tables["Set"].items()} == host


@pytest.mark.slow
def test_every_tile_of_the_grid_with_random_switches(tmp_path):
    """All 98 tiles of the default grid in float16, and as many in the other dtypes."""
    template, space = load_template("catlass_gemm")
    space = space.bind(hardware.spec("910B1").facts())
    cases = []
    for dtype in template.dtypes:
        candidates = space.candidates(GemmProblem(4096, 4096, 4096, dtype))
        tiles: dict[tuple[int | str, ...], Case] = {}
        for row in np.random.default_rng(3).permutation(len(candidates)):
            config = candidates.config(int(row))
            tile = tuple(config[name] for name in ORDER[:4])
            tiles.setdefault(tile, Case(dict(config), dtype, template.layouts[len(tiles) % 4]))
        cases += tiles.values()
    assert len(cases) > 98
    library = HostLibrary.build(tmp_path, cases)
    for number, case in enumerate(cases):
        config = case.config
        library.check(number, (config["tile_m"] + 5, config["tile_n"] + 9, 300), cores=2, schedule=number)


@pytest.mark.slow
def test_the_file_itself_compiles_from_its_macros_and_from_nothing(tmp_path):
    for macros in ((), ("-DTILE_M=64", "-DTILE_N=64", "-DENABLE_UNIT=0", "-DGEMM_DTYPE=INT8", "-DGEMM_LAYOUT=TT")):
        command = ["g++", *FLAGS, "-DASCEND_TUNE_HOST", *macros, str(FOLDER / "gemm.cpp"), "-o", str(tmp_path / "k.so")]
        subprocess.run(command, check=True, timeout=120)


def sorted_work(trace: np.ndarray) -> np.ndarray:
    """Loads of a trace without their slots, sorted: the same loads in another order are equal."""
    loads = trace[trace[:, 2] <= LOAD_B][:, [0, 2, 4, 5, 6, 7]]
    return loads[np.lexsort(loads.T)]


def published_order(rows: int, columns: int, offset: int, direction: int) -> list[tuple[int, int]]:
    """CATLASS's GemmIdentityBlockSwizzle: groups of `offset` rows (0) or columns (1), odd groups backwards."""
    order = []
    outer, inner = (rows, columns) if direction == 0 else (columns, rows)
    for group in range(0, outer, offset):
        along = range(inner) if group // offset % 2 == 0 else range(inner - 1, -1, -1)
        for position in along:
            for member in range(group, min(group + offset, outer)):
                order.append((member, position) if direction == 0 else (position, member))
    return order
