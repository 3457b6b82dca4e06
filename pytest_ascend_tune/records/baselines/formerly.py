"""Baselines of simulated chips that earlier versions knew by another name or with other facts.

An Atlas A3 die was ``910_93xx`` before each of its kinds had a row in the table of chips. What was recorded under that
name is read for every 910_93 die, with the facts it was recorded with: it compares where the chip's facts are still
those, and is not comparable, with the fact that changed as the reason, where they are not.
"""

from __future__ import annotations

from dataclasses import replace

from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey, Fingerprint

_PREFIX = "simulated-"


def former_key(key: BaselineKey) -> BaselineKey:
    """Where an earlier version kept the baseline of `key`; `key` itself for most devices, and all that are real."""
    return replace(key, device=_former_device(key.device))


def same_device(device: str, recorded: str) -> bool:
    """Whether records of `recorded` are read for `device`."""
    return recorded in (device, _former_device(device))


def as_named_now(baseline: Baseline, key: BaselineKey) -> Baseline:
    """The baseline as a fingerprint of today would describe where it comes from; found for `key`."""
    if not key.device.startswith(_PREFIX):
        return baseline
    recorded = baseline.recorded_with
    identity = {name: key.device if name == "device" else value for name, value in recorded.identity}
    chip = hardware.former_summary(key.device.removeprefix(_PREFIX))
    if identity.get("protocol") == "simulated" and chip is not None:
        identity.setdefault("chip", chip)
    device = key.device if recorded.device == _former_device(key.device) else recorded.device
    return replace(
        baseline, key=key, recorded_with=Fingerprint(device, tuple(sorted(identity.items())), recorded.versions)
    )


def _former_device(device: str) -> str:
    if not device.startswith(_PREFIX):
        return device
    return _PREFIX + hardware.former_name(device.removeprefix(_PREFIX))
