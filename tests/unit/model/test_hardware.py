"""Chip facts: peaks, names, platform files."""

import pytest

from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import Dtype

INI = """
[version]
SoC_version=Ascend910B1
[SoCInfo]
ai_core_cnt=24
cube_core_cnt=24
vector_core_cnt=48
memory_size=68719476736
l2_size=201326592
[AICoreSpec]
cube_freq=1850
l0_a_size=65536
l0_b_size=65536
l0_c_size=131072
l1_size=524288
ub_size=196608
[AICoreMemoryRates]
ddr_rate=32
ddr_rate=32
"""


@pytest.mark.parametrize(
    ("name", "dtype", "peak"),
    [
        ("910B1", Dtype.FLOAT16, 363.72),
        ("910B2", Dtype.BFLOAT16, 353.89),
        ("910B2C", Dtype.INT8, 707.79),
        ("910B3", Dtype.FLOAT16, 294.91),
        ("910B4", Dtype.FLOAT16, 245.76),
        ("910B1", Dtype.FLOAT32, 90.93),
        ("910B1", Dtype.HFLOAT32, 181.86),
        ("910_93xx", Dtype.FLOAT16, 353.89),
    ],
)
def test_peak_is_cores_times_clock_times_cube(name: str, dtype: Dtype, peak: float) -> None:
    assert hardware.spec(name).peak_tflops(dtype) == pytest.approx(peak, abs=0.01)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Ascend910B1", "910B1"),
        ("ascend910b4-1", "910B4-1"),
        (" 910b2c ", "910B2C"),
        ("Ascend910_9382", "910_93xx"),
        ("910_93XX", "910_93xx"),
    ],
)
def test_names_are_taken_in_any_usual_form(given: str, name: str) -> None:
    assert hardware.spec(given).name == name


@pytest.mark.parametrize("given", ["910A", "", "910", "Ascend950"])
def test_unknown_device_names_the_known_ones(given: str) -> None:
    with pytest.raises(SettingsError, match=r"910B1, 910B2, .*910_93xx"):
        hardware.spec(given)


def test_facts_are_what_constraints_name() -> None:
    facts = hardware.spec("910B1").facts()
    assert facts["l1_bytes"] == 524288
    assert facts["l0a_bytes"] == facts["l0b_bytes"] == 65536
    assert facts["l0c_bytes"] == 131072
    assert facts["ub_bytes"] == 196608
    assert facts["cores"] == 24
    assert facts["l2_bytes"] == 192 << 20


def test_platform_file_of_a_known_chip_equals_the_table() -> None:
    found = hardware.from_platform_ini(INI)
    assert found == hardware.spec("910B1")
    assert hardware.differences(hardware.spec("910B1"), found) == ()


def test_platform_file_wins_and_the_difference_is_told() -> None:
    found = hardware.from_platform_ini(INI.replace("cube_core_cnt=24", "cube_core_cnt=25"))
    assert found.peak_tflops(Dtype.FLOAT16) == pytest.approx(378.88)
    (told,) = hardware.differences(hardware.spec("910B1"), found)
    assert str(told) == "cube_cores is 25 on this device, 24 in the table"


def test_platform_file_of_an_unknown_chip_uses_its_own_numbers() -> None:
    found = hardware.from_platform_ini(
        INI.replace("Ascend910B1", "Ascend910B9").replace("cube_freq=1850", "cube_freq=1000")
    )
    assert found.name == "910B9"
    assert found.clock_mhz == 1000
    assert found.hbm_gbyte_per_s == pytest.approx(32 * 24 * 1.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no ini at all", "cannot be read"),
        ("[SoCInfo]\ncube_core_cnt=24\n", r"\[AICoreSpec\] cube_freq"),
        (INI.replace("cube_freq=1850", "cube_freq=fast"), "'fast' is no whole number"),
        (INI.replace("cube_freq=1850", "cube_freq=0"), "out of range"),
    ],
)
def test_damaged_platform_file_is_told(text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        hardware.from_platform_ini(text)
