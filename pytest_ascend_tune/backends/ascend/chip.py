"""What chip is this? Facts from the platform file, the device and the driver."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_ascend_tune.backends.ascend.cann import platform_file
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.hardware import HardwareSpec, differences, from_platform_ini
from pytest_ascend_tune.model.text import Text

DRIVER_VERSION_FILE = Path("/usr/local/Ascend/driver/version.info")
CLOCK_SHARE = 0.98  # of the rated clock; below it the chip is throttled or still asleep


@dataclass(frozen=True)
class Device:
    """One NPU as the worker process found it, with its own numbers. ``notes``: where the table differs from them.

    ``physical``: the host's numbers of all devices that this process sees, () where AscendCL does not tell.
    """

    index: int
    soc: str
    spec: HardwareSpec
    memory_bytes: int
    rated_mhz: int | None
    versions: tuple[tuple[str, str], ...]
    notes: tuple[Text, ...] = ()
    physical: tuple[int, ...] = ()


def device_of(index: int, answer: Mapping[str, Any], cann_home: Path) -> Device:
    """From the worker's answer to `open`. The platform file wins over the table of chips, the device over both."""
    soc = answer["soc"]
    known: HardwareSpec | None
    try:
        known = hardware.spec(soc)
    except SettingsError:
        known = None
    file = platform_file(cann_home, soc)
    if file.is_file():
        chip = from_platform_ini(file.read_text(errors="replace"), soc)
    elif known is not None:
        chip = known
    else:
        raise BackendUnavailableError(
            f"the chip {soc!r} is unknown and CANN has no platform file for it ({file.name}); is CANN recent enough?"
        )
    chip = replace(chip, **answer["facts"])
    notes = list(differences(known, chip)) if known is not None else []
    if known is None:
        notes.append(Text.of("the chip {soc} is not in the table; its platform file's numbers are used", soc=soc))
    rated = answer["rated_mhz"]
    if rated and rated != chip.clock_mhz:
        notes.append(
            Text.of(
                "the driver rates the clock at {rated} MHz, the table says {listed}", rated=rated, listed=chip.clock_mhz
            )
        )
        chip = replace(chip, clock_mhz=rated)
    versions = [("torch", answer["torch"]), ("torch_npu", answer["torch_npu"]), ("driver", driver_version())]
    physical = tuple(answer["physical"])
    return Device(index, soc, chip, answer["memory_bytes"], rated, tuple(versions), tuple(notes), physical)


def driver_version(path: Path = DRIVER_VERSION_FILE) -> str:
    """Version of the installed driver, "unknown" in a container that does not show it."""
    if path.is_file():
        found = re.search(r"^\s*Version\s*=\s*(\S+)", path.read_text(errors="replace"), re.M | re.I)
        if found:
            return found[1]
    return "unknown"
