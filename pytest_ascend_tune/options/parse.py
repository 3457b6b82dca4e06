"""Parsers of option values: text in, value out, or a SettingsError that says what is allowed."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.names import check_name

if TYPE_CHECKING:  # every pytest loads this module, whether it tunes or not
    from pytest_ascend_tune.model.problem import Config
    from pytest_ascend_tune.model.secreturl import SecretUrl  # start-up: unused runs


PERCENT_FORMS = "a number with % (2.5%) or a fraction strictly between 0 and 1 (0.025)"


def parse_percent(value: object) -> float:
    """Share from ``"2.5%"``, ``"0.025"`` or ``0.025``.

    Raises SettingsError for all else (5, 0, negative, 100 % and more).
    """
    text = str(value).strip()
    try:
        if isinstance(value, (bool, int)) or not isinstance(value, (str, float)):
            raise ValueError
        share = _number(text[:-1]) / 100 if text.endswith("%") else _number(text)
        if not text.endswith("%") and re.fullmatch(r"[+-]?\d+", text):
            raise ValueError
    except ValueError:
        raise SettingsError(f"{value!r} is no percentage; allowed: {PERCENT_FORMS}") from None
    if not 0 < share < 1:
        raise SettingsError(
            f"{value!r} is out of range: more than 0 % and less than 100 % is needed; allowed: {PERCENT_FORMS}"
        )
    return share


def _number(text: str) -> float:
    """As float(), for the digits 0-9 alone: no other script's, no underscores. Raises ValueError."""
    if not text.isascii() or "_" in text:
        raise ValueError
    return float(text)


def parse_ratio(value: object) -> float:
    """A finite number above 0: 0.9 = 90 % of the reference's speed."""
    try:
        ratio = _number(str(value)) if not isinstance(value, bool) else math.nan
    except ValueError:
        ratio = math.nan
    if not (math.isfinite(ratio) and ratio > 0):
        raise SettingsError(f"{value!r} is no ratio; allowed: a number above 0, for example 0.9")
    return ratio


def parse_whole(lowest: int) -> Callable[[object], int]:
    """Parser of whole numbers not below `lowest`."""

    def parse(value: object) -> int:
        text = str(value).strip()
        if isinstance(value, (bool, float)) or not re.fullmatch(r"[+-]?[0-9]+", text) or int(text) < lowest:
            raise SettingsError(f"{value!r} is not allowed; a whole number >= {lowest} is needed")
        if int(text) >= 2**63:  # what is written with it could not be read again
            raise SettingsError(f"{text[:20]} is too large; whole numbers may have 63 bits")
        return int(text)

    return parse


def parse_seconds(value: object) -> float:
    """A finite number of seconds above 0."""
    try:
        seconds = _number(str(value)) if not isinstance(value, bool) else math.nan
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise SettingsError(f"{value!r} is not allowed; a number of seconds above 0 is needed")
    return seconds


def parse_minutes(value: object) -> float:
    """A finite number of minutes, 0 or more."""
    try:
        minutes = _number(str(value)) if not isinstance(value, bool) else math.nan
    except ValueError:
        minutes = math.nan
    if not (math.isfinite(minutes) and minutes >= 0):
        raise SettingsError(f"{value!r} is not allowed; a number of minutes, 0 or more, is needed")
    return minutes


def parse_choice(*allowed: str) -> Callable[[object], str]:
    """Parser of one of the `allowed` words."""

    def parse(value: object) -> str:
        if value not in allowed:
            raise SettingsError(f"{value!r} is not allowed; allowed: {', '.join(allowed)}")
        return str(value)

    return parse


def parse_name(value: object) -> str:
    """The name of a set of baselines."""
    return check_name("baseline set", value)


def parse_text(value: object) -> str:
    """Any text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise SettingsError(f"{value!r} is not allowed; a text that is not empty is needed")
    return value.strip()


def parse_place(value: object) -> str:
    """A name or a path, as text or as a path object; no URL, whose password would become the name of a folder."""
    text = parse_text(os.fspath(value) if isinstance(value, os.PathLike) else value)
    if "://" in text:
        raise SettingsError(f"{secret_url(text)!r} is a URL; a path is needed")
    return text


def secret_url(text: str) -> SecretUrl:
    """A text that is masked when it is shown; its module is loaded for who needs it."""
    from pytest_ascend_tune.model.secreturl import SecretUrl  # start-up: unused runs

    return SecretUrl(text)


def parse_revision(value: object) -> str:
    """A revision as git names one: one word, no option and no range."""
    text = parse_text(value)
    if text.startswith("-") or ".." in text or not text.isprintable() or " " in text:
        raise SettingsError(
            f"{value!r} names no revision; allowed: a branch, tag or commit, as origin/main, v1.2 or HEAD~1"
        )
    return text


def parse_url(value: object) -> SecretUrl:
    """A URL that may hold a password: its form is checked by who connects with it."""
    return secret_url(parse_text(value))


def parse_devices(value: object) -> tuple[int, ...]:
    """Device numbers from ``0,1`` or ``0-7`` or a mix."""
    devices: list[int] = []
    for part in str(value).split(","):
        match = re.fullmatch(r"\s*([0-9]{1,4})(?:-([0-9]{1,4}))?\s*", part)
        if not match:
            raise SettingsError(f"{value!r} is no device list; allowed: numbers and ranges as 0,1 or 0-7")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise SettingsError(f"{value!r} is no device list: the range {part.strip()} runs backwards")
        devices.extend(range(first, last + 1))
    if len(set(devices)) != len(devices):
        raise SettingsError(f"{value!r} names a device twice")
    return tuple(devices)


def parse_executor(value: object) -> str | SecretUrl:
    """``local`` or ``ray[://ADDRESS]``; an address may hold a password."""
    text = parse_text(value)
    if text in ("local", "ray"):
        return text
    if not re.fullmatch(r"ray://\S+", text):
        raise SettingsError(f"{secret_url(text)!r} is not allowed; allowed: local, ray, ray://ADDRESS")
    return secret_url(text)


def parse_config(value: object) -> Config | str:
    """``default``, or a mapping of parameter names to whole numbers or texts."""
    from pytest_ascend_tune.model.problem import Config  # start-up: a path only

    if value == "default":
        return "default"
    if not isinstance(value, Mapping) or not value:
        raise SettingsError(
            f"{value!r} is not allowed; allowed: 'default', or a configuration as {{'tile_m': 64, ...}}"
        )
    for name, level in value.items():
        if not isinstance(name, str) or isinstance(level, bool) or not isinstance(level, int | str):
            raise SettingsError(f"{name!r}: {level!r} is not allowed; a parameter's value is a whole number or a text")
    return Config(value)


def parse_flag(value: object) -> bool:
    """A switch, as ini files write it."""
    words = {
        "true": True,
        "1": True,
        "yes": True,
        "on": True,
        "false": False,
        "0": False,
        "no": False,
        "off": False,
        "": False,
    }
    word = str(value).strip().lower()
    if word not in words:
        raise SettingsError(f"{value!r} is not allowed; allowed: true, false")
    return words[word]
