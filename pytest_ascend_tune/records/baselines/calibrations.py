"""How noisy a device is, as ``calibrate`` found: one small file per device, beside the baselines it helps to judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.files import atomic, jsontext
from pytest_ascend_tune.records.baselines.store import check_device
from pytest_ascend_tune.records.format.codec import read_record, to_json

SCHEMA = 1
ADVICE = "run `ascend-tune calibrate` again, or delete the file"


KEPT_OCCASIONS = 50  # older ones are forgotten


@dataclass(frozen=True)
class Occasion:
    """One time that the command was given: when (ISO 8601, UTC), and what each run without a change said.

    ``drops``: shares, side by side; ``speeds``: relative to the reference where there is one.
    """

    started_at: str
    ended_at: str
    drops: tuple[float, ...]
    speeds: tuple[float, ...]
    inconclusive: int = 0


@dataclass(frozen=True)
class StoredCalibration:
    """Noise (shares) and suggested thresholds of one device. ``recorded_at``: ISO 8601, UTC.

    ``enough``: whether the thresholds may be used; they rest on all ``occasions``, which are of one ``kernel``. Files
    of earlier versions have no occasions, and are not enough.
    """

    device: str
    runs: int
    noise_floor: float
    between_runs: float
    threshold: float
    platform_threshold: float
    recorded_at: str
    enough: bool = False
    kernel: str = ""
    occasions: tuple[Occasion, ...] = ()


def calibration_path(root: Path, device: str) -> Path:
    """Where the calibration of a device stands below the root of everything written."""
    return root / "baselines" / f"{check_device(device)}.calibration.json"


def save_calibration(root: Path, calibration: StoredCalibration) -> Path:
    """Write, replacing an earlier one."""
    text = jsontext.dump({"schema": SCHEMA, **to_json(calibration)}, sort_keys=True)
    return atomic.write_text(calibration_path(root, calibration.device), text)


def load_calibration(root: Path, device: str) -> StoredCalibration | None:
    """The calibration of a device, None when there is none. Raises RecordError for a damaged file."""
    path = calibration_path(root, device)
    if not path.exists():
        return None
    document = jsontext.read_document(path, advice=ADVICE)
    return read_record(StoredCalibration, document, SCHEMA)
