"""Facts of the device and its neighbours."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend import chip
from pytest_ascend_tune.backends.ascend.chip import SmiProcess, SmiTable, neighbours, parse_smi, physical_number

TABLE = """\
+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.0                   Version: 24.1.0                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B2               | OK            | 94.5        48                0    / 0             |
| 0                         | 0000:C1:00.0  | 37          0    / 0          3411 / 65536         |
+===========================+===============+====================================================+
| 7     910B2               | OK            | 90.1        45                0    / 0             |
| 0                         | 0000:42:00.0  | 0           0    / 0          3400 / 65536         |
+===========================+===============+====================================================+
+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| 0       0                 | 12345         | python3                  | 1234                    |
| 7       0                 | 99            | train                    | 60000                   |
+===========================+===============+====================================================+
"""


def test_the_table_of_npu_smi():
    assert parse_smi(TABLE) == SmiTable({0: 37, 7: 0}, (SmiProcess(0, 12345, "python3"), SmiProcess(7, 99, "train")))


def test_a_table_of_two_dies_a_package():
    text = TABLE.replace("| 0     910B2  ", "| 0     Ascend910").replace(
        "| 0                         |", "| 0     1                   |"
    )
    assert parse_smi(text).use_percent == {0: 37, 7: 0}


@pytest.mark.parametrize("text", ["", "garbage\n| a | b |", "No running processes found in NPU 0"])
def test_other_text_is_an_empty_table(text):
    assert parse_smi(text) == SmiTable({}, ())


def test_visible_devices_are_renumbered():
    assert physical_number(1, {"ASCEND_RT_VISIBLE_DEVICES": "4,6"}) == 6
    assert physical_number(1, {}) == 1
    assert physical_number(3, {"ASCEND_RT_VISIBLE_DEVICES": "4,6"}) == 3


def test_in_a_container_one_python_process_is_taken_for_ours():
    table = SmiTable({}, (SmiProcess(0, 900, "python3"), SmiProcess(0, 901, "python3")))
    assert len(neighbours(table, 0, own_pid=17)) == 1
    assert len(neighbours(table, 0, own_pid=900)) == 1
    assert len(neighbours(table, 0, own_pid=None)) == 2
    assert neighbours(table, 1, own_pid=17) == ()


def test_the_driver_tells_its_version_or_is_unknown(tmp_path):
    file = tmp_path / "version.info"
    assert chip.driver_version(file) == "unknown"
    file.write_text("Version=24.1.0\nascendhal_version=7.35.23\n")
    assert chip.driver_version(file) == "24.1.0"


def test_a_lock_is_held_once_and_freed(tmp_path):
    first, second = chip.DeviceLock(3, tmp_path), chip.DeviceLock(3, tmp_path)
    assert first.take()
    assert first.take()
    assert not second.take()
    first.release()
    first.release()
    assert second.take()
    second.release()


def test_a_lock_in_a_folder_that_is_not_ours_is_no_hindrance(tmp_path):
    assert chip.DeviceLock(0, tmp_path / "missing").take()
