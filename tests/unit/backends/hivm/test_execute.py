"""Recorded schedules of our own kernels, executed: results bit for bit, ragged tiles, epilogues, subsets of blocks."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune.backends.hivm.execute import execute
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.program import CannotExecuteError, ScheduleError
from tests.hivm.cases import CASES, error, program, recorded


@pytest.mark.parametrize("name", CASES)
def test_a_compiled_schedule_gives_the_exact_result(name: str) -> None:
    case = CASES[name]
    operands, right = case.operands()
    told = execute(program(name), operands, case.cores)
    # GELU needs exp, which differs in the last place from one libm to the next.
    assert error(operands[-1], right, case.result) <= (1 if "gelu" in name else 0)
    assert told.notes == ()
    assert told.written[len(operands) - 1].all()


def test_blocks_that_are_left_out_write_nothing() -> None:
    case = CASES["nn_float16"]
    operands, right = case.operands()
    told = execute(program("nn_float16"), operands, case.cores, blocks=[1])
    written = told.written[2]
    assert 0 < written.sum() < written.size
    assert (operands[2][written] == right[written]).all()
    assert (operands[2][~written] == 99).all()


def test_a_wrong_operand_gives_a_wrong_result() -> None:
    """The executed bytes are those of the operands: one changed element of A changes its row of C and no other."""
    case = CASES["nn_float16"]
    operands, right = case.operands()
    operands[0][3, 5] += 1
    execute(program("nn_float16"), operands, case.cores)
    assert np.flatnonzero((operands[2] != right).any(axis=1)).tolist() == [3]


def test_a_bound_beyond_the_buffer_is_an_address_out_of_memory() -> None:
    case = CASES["nn_float16"]
    operands, _ = case.operands()
    operands[1] = operands[1][:60].copy()
    with pytest.raises(ScheduleError, match=r"address out of memory: bytes \d+\.\.\d+ of argument 1, which has 8640"):
        execute(program("nn_float16"), operands, case.cores)


@pytest.mark.parametrize(
    ("known", "unknown"), [("@nd2nz_half", "@nd2nz_sideways_half"), ("@mma_tile_half_to_float", "@mma_on_a_whim")]
)
def test_an_unknown_function_is_said_by_name(known: str, unknown: str) -> None:
    case = CASES["nn_float16"]
    operands, _ = case.operands()
    text = recorded("nn_float16").replace(f"{known}}}", f"{unknown}}}")
    with pytest.raises(CannotExecuteError, match=f"cannot be executed: {unknown[1:]}"):
        execute(read_program(text), operands, case.cores)


def test_an_unknown_operation_is_said_by_name() -> None:
    text = recorded("nn_float16").replace('"hivm.hir.set_mask_norm"()', '"hivm.hir.do_a_dance"()', 1)
    with pytest.raises(CannotExecuteError, match=r"cannot be executed: hivm\.hir\.do_a_dance"):
        read_program(text)


def test_operands_that_do_not_fit_are_said() -> None:
    operands, _ = CASES["nn_float16"].operands()
    with pytest.raises(ScheduleError, match="is a buffer; got"):
        execute(program("nn_float16"), operands[:2], 2)
