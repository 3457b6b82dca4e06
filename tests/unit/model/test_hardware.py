"""Chip facts: peaks, names, platform files."""

import re

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
        ("910_9362", Dtype.FLOAT16, 245.76),
        ("910_9372", Dtype.FLOAT16, 294.91),
        ("910_9392", Dtype.FLOAT16, 363.72),
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
        ("Ascend910_9362", "910_9362"),
        ("910_93XX", "910_9382"),
        ("Ascend910C", "910_9382"),
    ],
)
def test_names_are_taken_in_any_usual_form(given: str, name: str) -> None:
    assert hardware.spec(given).name == name


@pytest.mark.parametrize("given", ["910A", "", "910", "Ascend950", "910_9399"])
def test_unknown_device_names_the_known_ones(given: str) -> None:
    with pytest.raises(SettingsError, match=r"910B1, 910B2, .*910_9392.*910_93XX, .*910C: 910_9382"):
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
        (INI.replace("cube_freq=1850", "cube_freq="), r"no \[AICoreSpec\] cube_freq"),
        (INI.replace("Ascend910B1", "X").replace("ddr_rate=32", "ddr_rate=fast"), "ddr_rate='fast' is no whole number"),
    ],
)
def test_damaged_platform_file_is_told(text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        hardware.from_platform_ini(text)


# The shapes of CANN's twelve files for NPU arch 2201, written anew with their facts: cores, MHz, L2 in bytes, and how
# the memory is given (in bytes; Ascend910B2C.ini has the key without a value).
TWELVE = {
    "Ascend910B1": (24, 1850, 201326592, "68719476736"),
    "Ascend910B2": (24, 1800, 201326592, "68719476736"),
    "Ascend910B2C": (24, 1800, 201326592, ""),
    "Ascend910B3": (20, 1800, 201326592, "68719476736"),
    "Ascend910B4": (20, 1500, 100663296, "34359738368"),
    "Ascend910B4-1": (20, 1500, 176160768, "68719476736"),
    "Ascend910_9362": (20, 1500, 176160768, "68719476736"),
    "Ascend910_9372": (20, 1800, 201326592, "68719476736"),
    "Ascend910_9381": (24, 1800, 201326592, "68719476736"),
    "Ascend910_9382": (24, 1800, 201326592, "68719476736"),
    "Ascend910_9391": (24, 1850, 201326592, "68719476736"),
    "Ascend910_9392": (24, 1850, 201326592, "68719476736"),
}


def platform_text(soc: str) -> str:
    cores, mhz, l2_bytes, memory = TWELVE[soc]
    return f"""\
[version]
SoC_version={soc}
Short_SoC_version=Ascend910{"_93" if "_93" in soc else "B"}
AIC_version=AIC-C-220
CCEC_AIC_version=dav-c220-cube
NpuArch=2201
[SoCInfo]
ai_core_cnt={cores}
cube_core_cnt={cores}
vector_core_cnt={2 * cores}
ai_cpu_cnt=6
memory_type=
memory_size={memory}
l2_type=0
l2_size={l2_bytes}
l2PageNum=64
core_type_list=CubeCore,VectorCore
cube_vector_combine=split
[AICoreSpec]
cube_freq={mhz}
cube_m_size=16
cube_n_size=16
cube_k_size=16
l0_a_size=65536
l0_b_size=65536
l0_c_size=131072
l1_size=524288
fb0_size=2048
bt_size=1024
ub_size=196608
[AICoreMemoryRates]
ddr_rate=32
ddr_read_rate=32
l2_rate=110
[VectorCoreSpec]
[CPUCache]
AICPUSyncBySW=0
"""


@pytest.mark.parametrize("soc", TWELVE)
def test_each_of_canns_files_is_read_and_equals_the_table(soc: str) -> None:
    found = hardware.from_platform_ini(platform_text(soc))
    assert found == hardware.spec(soc)
    assert found.hbm_bytes == int(TWELVE[soc][3] or 64 << 30)


def test_the_table_holds_these_twelve() -> None:
    assert {f"Ascend{name}" for name in hardware.KNOWN} == set(TWELVE)


@pytest.mark.parametrize(
    "key",
    ["vector_core_cnt", "memory_size", "l2_size", "l0_a_size", "l0_b_size", "l0_c_size", "l1_size", "ub_size"],
)
@pytest.mark.parametrize("value", ["=", "=   ", ""])
def test_an_empty_value_is_an_absent_one_for_every_key(key: str, value: str) -> None:
    text = re.sub(rf"^{key}=.*$", f"{key}{value}", platform_text("Ascend910B4"), flags=re.M)
    assert text != platform_text("Ascend910B4")
    assert hardware.from_platform_ini(text) == hardware.spec("910B4")


def test_an_empty_count_of_cube_cores_is_read_from_the_other_key() -> None:
    text = platform_text("Ascend910B3").replace("cube_core_cnt=20", "cube_core_cnt=")
    assert hardware.from_platform_ini(text).cube_cores == 20
    with pytest.raises(SettingsError, match=r"has no \[SoCInfo\] cube_core_cnt"):
        hardware.from_platform_ini(text.replace("ai_core_cnt=20", "ai_core_cnt="))


def test_records_of_earlier_versions_name_the_facts_they_had() -> None:
    assert hardware.former_name("910_9381") == "910_93xx"
    assert hardware.former_name("910B2") == "910B2"
    now = {name: hardware.summary(hardware.spec(name)) for name in hardware.KNOWN}
    changed = {name for name in hardware.KNOWN if hardware.former_summary(name) != now[name]}
    assert changed == {"910B4-1", "910_9362", "910_9372", "910_9391", "910_9392"}
    assert hardware.former_summary("910B9") is None
