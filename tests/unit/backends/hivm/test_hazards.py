"""Races and flags: in the issue's words on hand-made orders, and on schedules with a fault put into them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune.backends.hivm.execute import Memory, execute
from pytest_ascend_tune.backends.hivm.hazards import MOST_BLOCK_FLAGS, Order
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.program import ScheduleError
from pytest_ascend_tune.backends.hivm.views import View
from tests.hivm.cases import CASES, error, recorded
from tests.hivm.faults import sample
from tests.hivm.judge import judge

# The judge is slow: a few faults of every kind here, all of three kernels in the slow lane.
_JUDGED = [("nt_float32_single", 7), ("gelu_bfloat16", 4)]
_JUDGED += [
    pytest.param(name, 1000, marks=pytest.mark.slow) for name in ("nn_float16", "tt_bfloat16_shifted", "tn_int8")
]

L1 = Memory("L1", "L1", np.zeros(1 << 19, np.uint8))


def part(first: int, count: int) -> View:
    return L1, first, (count,), (1,), "i8"


def test_an_overwrite_that_no_flag_orders_is_a_race_in_plain_words() -> None:
    order = Order()
    order.instruction(0, "MTE2", writes=[part(49152, 16384)])
    order.flag_set(0, "MTE2", "MTE1", 0)
    order.flag_wait(0, "MTE2", "MTE1", 0)
    order.instruction(0, "MTE1", reads=[part(49152, 16384)])
    with pytest.raises(
        ScheduleError, match=r"^L1 bytes 49152\.\.65535 are overwritten by MTE2 while MTE1 may still read them$"
    ):
        order.instruction(0, "MTE2", writes=[part(49152, 16384)])


def test_the_flag_back_orders_it() -> None:
    order = Order()
    for _ in range(3):
        order.instruction(0, "MTE2", writes=[part(0, 64)])
        order.flag_set(0, "MTE2", "MTE1", 0)
        order.flag_wait(0, "MTE2", "MTE1", 0)
        order.instruction(0, "MTE1", reads=[part(0, 64)])
        order.flag_set(0, "MTE1", "MTE2", 1)
        order.flag_wait(0, "MTE1", "MTE2", 1)
    assert order.left_over() == []


@pytest.mark.parametrize(("first", "races"), [(63, True), (64, False)])
def test_regions_are_exact_to_the_byte(first: int, races: bool) -> None:
    order = Order()
    order.instruction(0, "MTE2", writes=[part(0, 64)])
    if races:
        with pytest.raises(ScheduleError, match=r"bytes 63\.\.63 are overwritten"):
            order.instruction(0, "V", writes=[part(first, 64)])
    else:
        order.instruction(0, "V", writes=[part(first, 64)])


def test_two_instructions_of_one_pipe_overlap_until_a_barrier() -> None:
    order = Order()
    order.instruction(0, "V", writes=[part(0, 64)])
    with pytest.raises(ScheduleError, match="are read by V while V may still write them"):
        order.instruction(0, "V", reads=[part(0, 64)])
    order = Order()
    order.instruction(0, "V", writes=[part(0, 64)])
    order.barrier(0, "V")
    order.instruction(0, "V", reads=[part(0, 64)])


def test_a_flag_hands_on_what_its_pipe_knew() -> None:
    """MTE2 -> V -> MTE3: the store is ordered after the load without a flag of its own."""
    order = Order()
    order.instruction(0, "MTE2", writes=[part(0, 64)])
    for source, target in (("MTE2", "V"), ("V", "MTE3")):
        order.flag_set(0, source, target, 0)
        order.flag_wait(0, source, target, 0)
    order.instruction(0, "MTE3", reads=[part(0, 64)])


def test_flags_have_rules() -> None:
    order = Order()
    with pytest.raises(ScheduleError, match="MTE1 waits for flag MTE2 -> MTE1 EVENT_ID3, which nothing sets"):
        order.flag_wait(0, "MTE2", "MTE1", 3)
    order.flag_set(0, "MTE2", "MTE1", 3)
    with pytest.raises(ScheduleError, match="flag MTE2 -> MTE1 EVENT_ID3 is set twice"):
        order.flag_set(0, "MTE2", "MTE1", 3)
    assert order.left_over() == ["flag MTE2 -> MTE1 EVENT_ID3 is left set at the end"]


def test_bytes_that_nothing_wrote_may_not_be_read() -> None:
    with pytest.raises(ScheduleError, match=r"L1 bytes 0\.\.63 are read by MTE1, and nothing has written them"):
        Order().instruction(0, "MTE1", reads=[part(0, 64)])


def test_cross_core_flags_order_and_count() -> None:
    order = Order(3)
    gm = Memory("GM", "the workspace", np.zeros(64, np.uint8))
    view = (gm, 0, (64,), (1,), "i8")
    order.instruction(0, "FIX", writes=[view])
    with pytest.raises(
        ScheduleError, match=r"the workspace bytes 0\.\.63 are read by MTE2 while FIX may still write them"
    ):
        order.instruction(1, "MTE2", reads=[view])
    assert not order.block_wait(1, "S", 4, [0])
    order.block_set(0, "FIX", 4, [1, 2])
    assert order.block_wait(1, "S", 4, [0])
    order.instruction(1, "MTE2", reads=[view])
    for _ in range(MOST_BLOCK_FLAGS - 1):
        order.block_set(0, "FIX", 4, [2])
    with pytest.raises(ScheduleError, match="cross-core flag 4 is set 16 times"):
        order.block_set(0, "FIX", 4, [2])


@pytest.mark.parametrize(("name", "count"), _JUDGED)
def test_faults_are_found_exactly_where_the_judge_sees_a_change(name: str, count: int) -> None:
    """The product against an interpreter of its own: the same faults, and no alarm on what changes nothing."""
    case, text = CASES[name], recorded(name)
    operands, right = case.operands()
    untouched = judge(text, operands, case.cores)
    assert not untouched.differs(untouched)
    changed = 0
    for fault in sample(text, count, seed=3):
        must = judge(fault.text, operands, case.cores).differs(untouched)
        assert found(fault.text, operands, right, case.cores, case.result) == must, (fault.kind, fault.line)
        changed += must
    assert changed > count // 2


def found(text: str, operands: list[np.ndarray], right: np.ndarray, cores: int, dtype: str) -> bool:
    mine = [operand.copy() for operand in operands]
    try:
        told = execute(read_program(text), mine, cores)
    except ScheduleError:
        return True
    return bool(told.notes) or error(mine[-1], right, dtype) > 1


def test_removing_any_wait_of_the_cube_loop_is_a_race_or_a_flag_set_twice() -> None:
    case, text = CASES["nn_float16"], recorded("nn_float16")
    lines = text.splitlines()
    operands, _ = case.operands()
    waits = [i for i, line in enumerate(lines) if '"hivm.hir.wait_flag"(%' in line]
    assert waits
    for at in waits:
        with pytest.raises(ScheduleError, match=r"set twice|may still"):
            execute(read_program("\n".join(lines[:at] + lines[at + 1 :])), operands, case.cores)
