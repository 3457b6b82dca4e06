"""Simulated times: they follow what a schedule does, and loops that are not run again change nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune.backends.hivm import timeline
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.backends.hivm.program import ScheduleError
from pytest_ascend_tune.backends.hivm.timeline import Simulated, simulate
from pytest_ascend_tune.backends.simulator.constants import FITTED
from pytest_ascend_tune.model.hardware import spec
from tests.hivm.cases import CASES, program, recorded

CHIP = spec("910B3")


def time_of(name: str, text: str | None = None, **options: float) -> Simulated:
    case = CASES[name]
    read = program(name) if text is None else read_program(text)
    return simulate(read, [None] * (3 if case.epilogue is None else 5), case.cores, CHIP, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_a_loop_that_is_not_run_again_takes_what_it_took(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    remembering = time_of(name)
    monkeypatch.setattr(timeline.Remembered, "get", lambda _self, _key: None)
    assert time_of(name) == remembering


@pytest.mark.parametrize("name", CASES)
def test_pipes_are_busy_for_a_share_and_the_launch_is_in_the_time(name: str) -> None:
    told = time_of(name)
    assert told.time_us > FITTED.launch_us
    assert {pipe.partition(".")[2] for pipe in told.busy} >= {"MTE2", "MTE1", "M", "FIX"}
    assert all(0 < share <= 1 for share in told.busy.values())
    assert 0 < told.hbm_bytes <= told.loaded_bytes


def test_an_epilogue_costs_a_second_launch_and_vector_time() -> None:
    plain, mixed = time_of("nn_float16"), time_of("bias_relu_float16")
    assert mixed.time_us - plain.time_us > timeline.MIXED_LAUNCH_US
    assert mixed.busy["vector1.V"] > 0
    assert any("cross-core flag" in name for name, _ in mixed.stalls)


def test_a_slower_clock_takes_longer() -> None:
    slow = simulate(program("nn_float16"), [None] * 3, 2, replace(CHIP, clock_mhz=CHIP.clock_mhz // 2))
    assert slow.time_us - FITTED.launch_us > 1.5 * (time_of("nn_float16").time_us - FITTED.launch_us)


def test_a_longer_k_loop_takes_longer() -> None:
    lines = recorded("nn_float16_even").splitlines()
    _, inner = (number for number, line in enumerate(lines) if '"scf.for"' in line)
    lines[inner] = re.sub(r'("scf.for"\(%\w+), %\w+,', r"\1, %90001,", lines[inner])
    lines.insert(inner, '%90001 = "arith.constant"() <{value = 40 : i32}> : () -> i32')  # it was 4 blocks of K
    longer = time_of("nn_float16_even", "\n".join(lines))
    assert longer.time_us > time_of("nn_float16_even").time_us
    assert longer.loaded_bytes == time_of("nn_float16_even").loaded_bytes  # beyond K the masks leave nothing to load


def test_spans_fill_their_pipes_without_overlap() -> None:
    told = time_of("bias_relu_float16", record_clocks=1e9)
    assert {span.pipe for span in told.spans} == {"MTE2", "MTE1", "M", "FIX", "V", "MTE3"}
    by_pipe: dict[tuple[int, str], float] = {}
    for span in sorted(told.spans, key=lambda span: span.start_clocks):
        assert span.start_clocks >= by_pipe.get((span.core, span.pipe), 0.0)
        by_pipe[span.core, span.pipe] = span.end_clocks


def test_a_wait_that_nothing_ends_is_no_time() -> None:
    text = recorded("nn_float16")
    first = re.search(r'.*"hivm\.hir\.set_flag".*\n', text)
    assert first is not None
    with pytest.raises(ScheduleError, match="which nothing sets"):
        time_of("nn_float16", text.replace(first[0], "", 1))
