"""How numbers are rounded and written, in one place and without locale: the same value in page, terminal and JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

MISSING = "–"


@dataclass(frozen=True)
class Number:
    """A number for people: ``value`` (6 significant digits; what JSON holds) and ``text`` (what is printed)."""

    value: float | None
    text: str

    def __str__(self) -> str:
        return self.text


NOTHING = Number(None, MISSING)


def significant(value: float | None, digits: int = 6) -> float | None:
    """`value` rounded to significant digits; None for None and for what is no finite number."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{digits}g}")


def number(value: float | None) -> Number:
    """Four significant digits: 231.4, 0.02314, 1234; for rates and times."""
    rounded = significant(value)
    if rounded is None:
        return NOTHING
    text = f"{rounded:.0f}" if abs(rounded) >= 1000 else f"{rounded:#.4g}".rstrip(".")
    return Number(rounded, "0" if rounded == 0 else text)


def percent(share: float | None, *, signed: bool = False) -> Number:
    """A share as percent with one decimal place, two below 1 %: ``65.4 %``, signed ``-7.3 %``. Value: the share."""
    rounded = significant(share)
    if rounded is None:
        return NOTHING
    places = 1 if abs(rounded) >= 0.01 or rounded == 0 else 2
    text = f"{100 * rounded:{'+' if signed else ''}.{places}f} %"
    return Number(rounded, text)


def interval(low: float | None, high: float | None) -> tuple[Number, Number]:
    """Both ends rounded as `number` does, the lower one first."""
    if low is None or high is None:
        return NOTHING, NOTHING
    return number(min(low, high)), number(max(low, high))


def seconds(value: float) -> str:
    """A duration for people: ``0.4 s``, ``4 s``, ``2 min 05 s``, ``1 h 02 min``."""
    if 0.0 < value < 0.95:
        return f"{max(0.1, value):.1f} s"
    whole = round(max(0.0, value))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def date(iso: str) -> str:
    """The day of an ISO 8601 time stamp: 2026-11-20."""
    return iso[:10]
