"""Facts about Ascend chips, each number once with its source beside it. One spec is one die, as one device shows it.

On a runner the platform file of the tool chain (:func:`from_platform_ini`) and the driver win over this table;
:func:`differences` says where they disagree.
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.text import Text

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

# Multiply-adds of one cube instruction step per clock, m x n x k, NPU arch 2201.
# Source: asc-devkit docs, "Cube instruction theoretical performance", table 1.
CUBE_MACS_PER_CLOCK = {
    Dtype.FLOAT16: 16 * 16 * 16,
    Dtype.BFLOAT16: 16 * 16 * 16,
    Dtype.INT8: 16 * 16 * 32,
    Dtype.HFLOAT32: 16 * 16 * 8,
    Dtype.FLOAT32: 16 * 16 * 4,
}


@dataclass(frozen=True)
class HardwareSpec:
    """One die. Buffer sizes are per core, L2 and HBM per die; the HBM bandwidth is the nominal one."""

    name: str  # as spec() and --ascend-tune-backend=simulator:NAME take it, "910B1"
    cube_cores: int
    vector_cores: int
    clock_mhz: int
    l2_bytes: int
    hbm_bytes: int
    hbm_gbyte_per_s: float
    source: str = field(compare=False)
    # On-chip buffers, the same for every chip of NPU arch 2201. Source: CATLASS include/catlass/arch/arch.hpp (AtlasA2)
    # and asc-devkit docs, "NPU architecture version 2201".
    l1_bytes: int = 512 * KIB
    l0a_bytes: int = 64 * KIB
    l0b_bytes: int = 64 * KIB
    l0c_bytes: int = 128 * KIB
    ub_bytes: int = 192 * KIB

    def peak_tflops(self, dtype: Dtype) -> float:
        """Highest rate of the cube units (TOPS for int8): cores x clock x 2 x multiply-adds per clock."""
        return self.cube_cores * self.clock_mhz * 2 * CUBE_MACS_PER_CLOCK[dtype] / 1e6

    def facts(self) -> Mapping[str, int]:
        """What a template's constraints may name."""
        return {
            "l1_bytes": self.l1_bytes,
            "l0a_bytes": self.l0a_bytes,
            "l0b_bytes": self.l0b_bytes,
            "l0c_bytes": self.l0c_bytes,
            "l2_bytes": self.l2_bytes,
            "ub_bytes": self.ub_bytes,
            "cores": self.cube_cores,
        }


# Sources: "ini" = data/platform_config/<SoC>.ini of the CANN tool kit (cube_core_cnt, cube_freq, l2_size), quoted by
# several public projects; "compiler" = the chip that bishengir-compile of ascendnpu-ir 1.2.0 writes into a module for
# each of these names (its core count agrees with the ini); "product" = product descriptions of the boards. HBM
# bandwidth: 1.6 TB/s nominal for 64 GB boards, half of it for the 32 GB board (neither stands in an ini, that of the
# 910B4 is not published; sustained rates are lower, see the simulator). 910_93..: one of the two dies of an Atlas A3.
_TABLE = {
    spec.name: spec
    for spec in (
        HardwareSpec("910B1", 24, 48, 1850, 192 * MIB, 64 * GIB, 1600.0, "Ascend910B1.ini, compiler; HBM: product"),
        HardwareSpec("910B2", 24, 48, 1800, 192 * MIB, 64 * GIB, 1600.0, "Ascend910B2.ini, compiler; HBM: product"),
        HardwareSpec(  # its memory_size is empty: the device tells
            "910B2C", 24, 48, 1800, 192 * MIB, 64 * GIB, 1600.0, "Ascend910B2C.ini, compiler; HBM: product"
        ),
        HardwareSpec("910B3", 20, 40, 1800, 192 * MIB, 64 * GIB, 1600.0, "Ascend910B3.ini, compiler; HBM: product"),
        HardwareSpec(
            "910B4",
            20,
            40,
            1500,
            96 * MIB,
            32 * GIB,
            800.0,
            "Ascend910B4.ini, compiler; HBM: product",
        ),
        HardwareSpec("910B4-1", 20, 40, 1500, 168 * MIB, 64 * GIB, 1600.0, "Ascend910B4-1.ini, compiler; HBM: product"),
        *(
            HardwareSpec(
                f"910_{number}",
                cores,
                2 * cores,
                mhz,
                l2_mib * MIB,
                64 * GIB,
                1600.0,
                f"Ascend910_{number}.ini, compiler; HBM: product",
            )
            for number, cores, mhz, l2_mib in (
                (9362, 20, 1500, 168),
                (9372, 20, 1800, 192),
                (9381, 24, 1800, 192),
                (9382, 24, 1800, 192),
                (9391, 24, 1850, 192),
                (9392, 24, 1850, 192),
            )
        ),
    )
}
KNOWN = tuple(_TABLE)
# Names that stand for a chip without being its own: what the Atlas A3 was called before each of its dies had a row.
_ALIASES = {"910_93XX": "910_9382", "910_93": "910_9382", "910C": "910_9382"}

# What earlier versions of this package took a chip for: (name in their records, cores, MHz, MiB of L2).
_FORMERLY = {f"910_{number}": ("910_93xx", 24, 1800, 192) for number in (9362, 9372, 9381, 9382, 9391, 9392)} | {
    "910B4-1": ("910B4-1", 20, 1500, 96)
}


def spec(name: str) -> HardwareSpec:
    """The chip of a name: ``910B1`` or ``Ascend910B1``, in any case. ``910_93xx`` and ``910C`` stand for the 910_9382.

    Raises SettingsError for a chip that the table does not know.
    """
    key = str(name).strip().upper().removeprefix("ASCEND").strip().replace("B4_1", "B4-1")
    key = _ALIASES.get(key, key)
    for known, found in _TABLE.items():
        if known.upper() == key:
            return found
    raise SettingsError(f"device {name!r} is unknown; known: {', '.join(KNOWN)} ({', '.join(_ALIASES)}: 910_9382)")


def summary(chip: HardwareSpec) -> str:
    """What decides whether two simulated chips give the same numbers: ``24 cores, 1800 MHz, 192 MiB of L2``."""
    return _summary(chip.cube_cores, chip.clock_mhz, chip.l2_bytes // MIB)


def former_name(name: str) -> str:
    """The name under which earlier versions kept records of the chip `name`; the same for most chips."""
    return _FORMERLY[name][0] if name in _FORMERLY else name


def former_summary(name: str) -> str | None:
    """:func:`summary` of what earlier versions took the chip `name` for; None for a chip that the table lacks."""
    if name in _FORMERLY:
        return _summary(*_FORMERLY[name][1:])
    return summary(_TABLE[name]) if name in _TABLE else None


def _summary(cores: int, mhz: int, l2_mib: int) -> str:
    return f"{cores} cores, {mhz} MHz, {l2_mib} MiB of L2"


# Field of HardwareSpec -> (section, key) of the platform file.
_INI_KEYS = {
    "cube_cores": ("SoCInfo", "cube_core_cnt"),
    "vector_cores": ("SoCInfo", "vector_core_cnt"),
    "clock_mhz": ("AICoreSpec", "cube_freq"),
    "l2_bytes": ("SoCInfo", "l2_size"),
    "hbm_bytes": ("SoCInfo", "memory_size"),
    "l1_bytes": ("AICoreSpec", "l1_size"),
    "l0a_bytes": ("AICoreSpec", "l0_a_size"),
    "l0b_bytes": ("AICoreSpec", "l0_b_size"),
    "l0c_bytes": ("AICoreSpec", "l0_c_size"),
    "ub_bytes": ("AICoreSpec", "ub_size"),
}
_NEEDED = ("cube_cores", "clock_mhz")


def from_platform_ini(text: str, name: str = "") -> HardwareSpec:
    """Spec of a platform file (``data/platform_config/<SoC>.ini``).

    `name` is the SoC's name when the file's ``SoC_version`` shall not decide. What the file lacks, or gives as an empty
    value (CANN's Ascend910B2C.ini: ``memory_size=``), comes from the table (from the 910B1 for a chip that it does not
    know); the core count and the clock must be in the file.
    Raises SettingsError for a file that is no platform file.
    """
    parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise SettingsError(f"this platform file cannot be read: {error}") from error
    name = name or _value(parser, "version", "SoC_version") or ""
    found: dict[str, int] = {}
    for fact, (section, key) in _INI_KEYS.items():
        value = _value(parser, section, key)
        if fact == "cube_cores" and value is None:
            value = _value(parser, section, "ai_core_cnt")
        if value is None:
            if fact in _NEEDED:
                raise SettingsError(
                    f"the platform file of {name or 'this chip'} has no [{section}] {key}; is it a CANN platform file?"
                )
            continue
        try:
            found[fact] = int(value, 0)
        except ValueError:
            raise SettingsError(
                f"platform file of {name or 'this chip'}: [{section}] {key}={value!r} is no whole number"
            ) from None
        if found[fact] < 1:
            raise SettingsError(
                f"platform file of {name or 'this chip'}: [{section}] {key}={value} is out of range; >= 1 is needed"
            )
    try:
        base = spec(name)
    except SettingsError:
        base = replace(
            _TABLE["910B1"], name=name.removeprefix("Ascend") or "unknown", hbm_gbyte_per_s=_ddr_rate(parser, found)
        )
    return replace(base, source="platform file of the tool kit", **found)  # type: ignore[arg-type]


def _value(parser: configparser.ConfigParser, section: str, key: str) -> str | None:
    """The text of a key, None where it is missing or empty: CANN's files have keys without a value."""
    return (parser.get(section, key, fallback=None) or "").strip() or None


def _ddr_rate(parser: configparser.ConfigParser, found: Mapping[str, int]) -> float:
    """HBM rate that a platform file implies: ddr_rate (bytes per clock and core) x cores x clock."""
    text = _value(parser, "AICoreMemoryRates", "ddr_rate") or "32"
    if not text.isdigit():
        raise SettingsError(f"this platform file's [AICoreMemoryRates] ddr_rate={text!r} is no whole number")
    return int(text) * found["cube_cores"] * found["clock_mhz"] / 1e3


def differences(expected: HardwareSpec, found: HardwareSpec) -> tuple[Text, ...]:
    """Where a chip that was found differs from what was expected of it (source and name aside), a sentence for each."""
    return tuple(
        Text.of("{fact} is {found} on this device, {expected} in the table", fact=f.name, found=theirs, expected=ours)
        for f in fields(HardwareSpec)
        if f.name not in ("name", "source")
        and (ours := getattr(expected, f.name)) != (theirs := getattr(found, f.name))
    )
