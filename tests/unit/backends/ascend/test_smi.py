"""Reading what npu-smi prints, in each layout that public logs show."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend import smi
from pytest_ascend_tune.backends.ascend.smi import SmiProcess, SmiTable, parse
from tests.unit.backends.ascend.smi_layouts import LAYOUTS, dies, processes

READ = {  # use in percent by the host's number of the device; processes with the device they are on
    "910B1, nobody": (dict.fromkeys(range(8), 0), []),
    "910B1": ({0: 37, 1: 0}, [(0, 12345, "python3", None), (1, 99, "train", None)]),
    "910B2C, without names": ({0: 0, 1: 6}, [(1, 99976, "", None)]),
    "910B3, with numbers in containers": (
        {0: 0, 1: 42},
        [(0, 485946, "pytest", None), (1, 485947, "python3.1", 113)],
    ),
    "910B4, on one board": ({0: 0}, []),
    "A3": ({0: 0, 1: 1, 2: 0, 3: 100}, [(1, 555, "python", None), (3, 556, "vllm", None)]),
    "A3, with numbers in containers": ({0: 12, 1: 0}, [(0, 632268, "python3.1", None)]),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_public_layout(name):
    table = parse(LAYOUTS[name])
    use, running = READ[name]
    assert {number: table.use_percent(number) for number in table.numbers} == use
    assert [(table.number_of(one), one.pid, one.name, one.container_pid) for one in table.processes] == running


def test_the_tenth_device_of_an_a3_is_the_second_half_of_its_sixth_npu():
    use = [0] * 16
    use[10] = 97
    table = parse(dies("Ascend910", use, per_npu=2, phy=True) + processes([(5, 0, 7, "python", "")]))
    assert [number for number in table.numbers if table.use_percent(number)] == [10]
    assert table.processes_on(10) == (SmiProcess(5, 0, 7, "python"),)
    assert table.processes_on(5) == ()


def test_several_dies_without_the_column_of_their_numbers_have_none():
    assert parse(dies("Ascend910", [5, 6], per_npu=2)).numbers == ()


def test_a_container_that_sees_one_die_of_a_package_twice():
    """Ascend's own documentation shows both dies with Phy-ID 0 when one is mounted."""
    text = dies("Ascend910", [3, 9], per_npu=2, phy=True).replace("| 1     1 ", "| 1     0 ")
    assert parse(text).numbers == (0,)
    assert parse(text).use_percent(0) == 9


@pytest.mark.parametrize("use", ["NA", "-"])
def test_use_that_is_not_shown(use):
    text = dies("910B1", [77]).replace("| 77  ", f"| {use:<3} ")
    assert parse(text).devices[0].use_percent is None
    assert parse(text).use_percent(0) == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage\n| a | b |",
        "| 0 |\n|||\n| | | |",
        "No running processes found in NPU 0",
        "dcmi module initialize failed. ret is -8005",
        "| 0 0000:C1:00.0 | 0000:C1:00.0 | |",
    ],
)
def test_other_text_is_an_empty_table(text):
    assert parse(text) == SmiTable()


def test_no_program_and_one_that_fails(tmp_path):
    assert smi.ask({"PATH": str(tmp_path)}) is None
    program = tmp_path / "npu-smi"
    program.write_text("#!/bin/sh\necho 'dcmi module initialize failed. ret is -8005'\nexit 1\n")
    program.chmod(0o755)
    assert smi.ask({"PATH": str(tmp_path)}) is None
