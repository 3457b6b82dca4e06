"""The desk: one table of options makes the command line, the ini twins and the docs; precedence is decided only here.

Thresholds and floors: marker > command line > ini > default (a team's limit for one shape beats a blanket one).
Everything else: call argument > command line > marker > ini > default.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_ascend_tune.errors import SettingsError

if TYPE_CHECKING:  # every pytest loads this module, whether it tunes or not
    from pathlib import Path

    from pytest_ascend_tune.model import GemmProblem, Policy

MARKER = "ascend_tune"
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


def parse_choice(*allowed: str) -> Callable[[object], str]:
    """Parser of one of the `allowed` words."""

    def parse(value: object) -> str:
        if value not in allowed:
            raise SettingsError(f"{value!r} is not allowed; allowed: {', '.join(allowed)}")
        return str(value)

    return parse


def parse_name(value: object) -> str:
    """A name that is safe as one part of a path: letters, digits, ``-_.``, not starting with a dot."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}", value):
        raise SettingsError(
            f"{value!r} is no name; allowed: up to 100 letters, digits, '-', '_' and '.', not starting with '.'"
        )
    return value


def parse_text(value: object) -> str:
    """Any text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise SettingsError(f"{value!r} is not allowed; a text that is not empty is needed")
    return value.strip()


def parse_place(value: object) -> str:
    """A name or a path, as text or as a path object."""
    return parse_text(os.fspath(value) if isinstance(value, os.PathLike) else value)


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


def parse_executor(value: object) -> str:
    """``local`` or ``ray[://ADDRESS]``."""
    if not isinstance(value, str) or not re.fullmatch(r"local|ray(://\S+)?", value):
        raise SettingsError(f"{value!r} is not allowed; allowed: local, ray, ray://ADDRESS")
    return value


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


@dataclass(frozen=True)
class Option:
    """One row of the table.

    ``flag``: a switch without value; ``repeatable``: may be given several times (ini: one a line); ``number``: in
    Python a number, never its text.
    """

    name: str
    default: Any
    parse: Callable[[object], Any]
    help: str
    metavar: str | None = None
    flag: bool = False
    repeatable: bool = False
    marker_first: bool = False
    number: bool = False

    @property
    def switch(self) -> str:
        """Command-line spelling."""
        return "--ascend-tune" if self.name == "enabled" else f"--ascend-tune-{self.name.replace('_', '-')}"

    @property
    def ini(self) -> str:
        """Ini spelling."""
        return "ascend_tune" if self.name == "enabled" else f"ascend_tune_{self.name}"

    def take(self, value: object) -> Any:
        """As :meth:`read`, of a value that Python code gives: a number is no text there. Raises SettingsError."""
        if self.number and isinstance(value, str):
            raise SettingsError(f"{value!r} is a text; a number is needed")
        return self.read(value)

    def read(self, value: object) -> Any:
        """The parsed value. Raises SettingsError."""
        try:
            return self.parse(value)
        except SettingsError:
            raise
        except ValueError:  # Python's own limit of digits; such a number cannot be shown either
            raise SettingsError("a number of thousands of digits is not allowed") from None


OPTIONS: tuple[Option, ...] = (
    Option(
        "enabled", False, parse_flag, "tune and gate; without it tests that ask for ascend_tune are skipped", flag=True
    ),
    Option(
        "backend",
        "auto",
        parse_text,
        "auto, ascend, cpu, simulator or simulator:910B2; auto = ascend where an NPU works, else cpu",
        "NAME",
    ),
    Option(
        "template",
        None,
        parse_place,
        "kernel template: a built-in name or a folder (default: the backend's)",
        "NAME_OR_DIR",
    ),
    Option(
        "max_iter",
        50,
        parse_whole(0),
        "trials of one search; 0 = gate the baseline's configuration without searching",
        "N",
        number=True,
    ),
    Option(
        "patience",
        None,
        parse_whole(1),
        "stop a search after N trials without growth (default: stop by evidence)",
        "N",
        number=True,
    ),
    Option("time_budget", None, parse_seconds, "stop a search in good order after SECONDS", "SECONDS", number=True),
    Option("seed", None, parse_whole(0), "seed of searches (default: from problem and node id)", "N", number=True),
    Option(
        "shapes",
        (),
        parse_text,
        "csv or json of m,n,k[,dtype,layout,min_efficiency,threshold]: one test item a row",
        "FILE",
        repeatable=True,
    ),
    Option(
        "threshold",
        0.025,
        parse_percent,
        "allowed drop of TFLOPS against the baseline (default 2.5%)",
        "PCT",
        marker_first=True,
    ),
    Option("min_efficiency", None, parse_percent, "floor: share of the device's peak", "PCT", marker_first=True),
    Option(
        "min_vs_reference",
        None,
        parse_ratio,
        "floor: speed relative to the vendor's matmul",
        "RATIO",
        marker_first=True,
        number=True,
    ),
    Option("baseline", "main", parse_name, "which named set of baselines", "NAME"),
    Option("update_baseline", False, parse_flag, "record this run's confirmed results as baselines", flag=True),
    Option(
        "accept_regression",
        False,
        parse_flag,
        "with --ascend-tune-update-baseline: also record results lower than the stored ones",
        flag=True,
    ),
    Option(
        "missing",
        "warn",
        parse_choice("seed", "warn", "fail"),
        "no comparable baseline: record it, say so, or fail",
        "seed|warn|fail",
    ),
    Option("inconclusive", "warn", parse_choice("warn", "fail"), "what an inconclusive gate does", "warn|fail"),
    Option(
        "platform", "fail", parse_choice("warn", "fail"), "what a regression caused by the platform does", "warn|fail"
    ),
    Option(
        "unconverged",
        "note",
        parse_choice("note", "fail"),
        "what a search that ended without evidence does",
        "note|fail",
    ),
    Option(
        "l2", None, parse_choice("cold", "hot"), "cache state between samples (default: cold on ascend)", "cold|hot"
    ),
    Option("dir", ".ascend-tune", parse_text, "root of everything written, relative to rootdir", "DIR"),
    Option("report", None, parse_text, "HTML report (default DIR/report/index.html)", "FILE"),
    Option("json", None, parse_text, "machine-readable results (default DIR/report/results.json)", "FILE"),
    Option("history", None, parse_text, "SQLAlchemy URL of the history (default sqlite:///DIR/history.sqlite)", "URL"),
    Option("resume", False, parse_flag, "go on from the journal of an interrupted or exhausted run", flag=True),
    Option("devices", None, parse_devices, "NPUs to tune on at once, as 0,1 or 0-7 (default: one)", "0,1,..."),
    Option("lang", "auto", parse_choice("en", "zh", "auto"), "language of what people read", "en|zh|auto"),
    Option("executor", "local", parse_executor, "where trials run: local, ray or ray://ADDRESS", "NAME"),
)
_BY_NAME = {option.name: option for option in OPTIONS}
# Options that the command to do a run again names itself, or that say where and how a run is shown.
_NOT_REPEATED = frozenset(
    (
        "enabled",
        "backend",
        "max_iter",
        "seed",
        "update_baseline",
        "accept_regression",
        "resume",
        "report",
        "json",
        "lang",
    )
)


def _spelled(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


MARKER_ARGUMENTS = (
    "m",
    "n",
    "k",
    "dtype",
    "layout",
    "shapes",
    "template",
    "max_iter",
    "min_efficiency",
    "min_vs_reference",
    "threshold",
    "seed",
)
CALL_ARGUMENTS = tuple(name for name in MARKER_ARGUMENTS if name != "shapes")


@dataclass(frozen=True)
class Settings:
    """All options with their values; one field an option.

    ``from_command_line`` names those whose values the command line gave.
    """

    enabled: bool = False
    backend: str = "auto"
    template: str | None = None
    max_iter: int = 50
    patience: int | None = None
    time_budget: float | None = None
    seed: int | None = None
    shapes: tuple[str, ...] = ()
    threshold: float = 0.025
    min_efficiency: float | None = None
    min_vs_reference: float | None = None
    baseline: str = "main"
    update_baseline: bool = False
    accept_regression: bool = False
    missing: str = "warn"
    inconclusive: str = "warn"
    platform: str = "fail"
    unconverged: str = "note"
    l2: str | None = None
    dir: str = ".ascend-tune"
    report: str | None = None
    json: str | None = None
    history: str | None = None
    resume: bool = False
    devices: tuple[int, ...] | None = None
    lang: str = "auto"
    executor: str = "local"
    from_command_line: frozenset[str] = field(default=frozenset())

    def __post_init__(self) -> None:
        if self.accept_regression and not self.update_baseline:
            raise SettingsError(
                "--ascend-tune-accept-regression does nothing without --ascend-tune-update-baseline; give both"
            )

    def for_test(self, arguments: Mapping[str, Any]) -> Settings:
        """Settings of one marked test: its marker's arguments laid over these by the rule of precedence."""
        wins = {
            name: value
            for name, value in arguments.items()
            if name in _BY_NAME and (_BY_NAME[name].marker_first or name not in self.from_command_line)
        }
        return self.for_call(wins)

    def for_call(self, arguments: Mapping[str, Any]) -> Settings:
        """Settings of one call: arguments of the call itself beat everything."""
        changes = {name: value for name, value in arguments.items() if name in _BY_NAME and value is not None}
        return dataclasses.replace(self, **changes, from_command_line=self.from_command_line - changes.keys())

    def base(self, option: str, *, here: Path, root: Path) -> Path:
        """What an option's relative path is relative to: the working directory where the command line gave it, rootdir
        where an ini file, a marker or a call did."""
        return here if option in self.from_command_line else root

    def options(self) -> tuple[str, ...]:
        """What the command line gave that shapes a result, as pytest options; budget, seed and backend apart."""
        wanted = [_BY_NAME[name] for name in sorted(self.from_command_line - _NOT_REPEATED)]
        return tuple(
            f"{option.switch}={value}"
            for option in wanted
            for value in (getattr(self, option.name) if option.repeatable else (_spelled(getattr(self, option.name)),))
        )

    @property
    def policy(self) -> Policy:
        """What the gate needs to know."""
        from pytest_ascend_tune.model import Policy

        names = (item.name for item in dataclasses.fields(Policy))
        return Policy(**{name: getattr(self, name) for name in names if name in _BY_NAME})


def resolve(command_line: Mapping[str, Any], ini: Mapping[str, str]) -> Settings:
    """Settings from the command line (raw values; None, False or [] = not given) and the ini file (name -> text).

    Raises SettingsError naming the option or ini key, what was found and what is allowed.
    """
    values: dict[str, Any] = {}
    given = set()
    for option in OPTIONS:
        raw, place = command_line.get(option.name), option.switch
        if raw in (None, False, []):
            raw, place = ini.get(option.name), f"{option.ini} (ini)"
            if option.repeatable and raw is not None:
                raw = [line for line in raw.splitlines() if line.strip()]
        else:
            given.add(option.name)
        if raw in (None, []):
            continue
        try:
            values[option.name] = tuple(map(option.read, raw)) if option.repeatable else option.read(raw)
        except SettingsError as error:
            raise SettingsError(f"{place}: {error}") from None
    return Settings(**values, from_command_line=frozenset(given))


def check_arguments(arguments: Mapping[str, Any], allowed: Sequence[str] = MARKER_ARGUMENTS) -> dict[str, Any]:
    """Marker or call arguments, parsed; m, n, k, dtype, layout and shapes are left to GemmProblem.

    Raises SettingsError.
    """
    unknown = [name for name in arguments if name not in allowed]
    if unknown:
        raise SettingsError(
            f"unknown argument{'s' * (len(unknown) > 1)} {', '.join(unknown)}; allowed: {', '.join(allowed)}"
        )
    parsed = {}
    for name, value in arguments.items():
        try:
            parsed[name] = (
                _BY_NAME[name].take(value) if name in _BY_NAME and name != "shapes" and value is not None else value
            )
        except SettingsError as error:
            raise SettingsError(f"{name}: {error}") from None
    return parsed


def options_table() -> str:
    """The options as a Markdown table, for README and docs."""
    lines = ["| option | ini | default | meaning |", "|---|---|---|---|"]
    for option in OPTIONS:
        spelling = option.switch + (f"={option.metavar}" if option.metavar else "")
        default = "off" if option.flag else "2.5%" if option.name == "threshold" else option.default or "-"
        if option.default == 0 and not option.flag:
            default = "0"
        lines.append(f"| `{spelling.replace('|', chr(92) + '|')}` | `{option.ini}` | {default} | {option.help} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Request:
    """One problem to tune and gate, with the settings that hold for it and the test that asked."""

    problem: GemmProblem
    settings: Settings
    nodeid: str = ""

    @property
    def seed(self) -> int:
        """The seed given, else one from problem and node id: the same whatever the order of tests."""
        if self.settings.seed is not None:
            return self.settings.seed
        return zlib.crc32(f"{self.problem.id} {self.nodeid}".encode())
