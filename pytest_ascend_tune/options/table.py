"""The one table of options: it makes the command line, the ini twins and the docs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.options.parse import (
    parse_choice,
    parse_devices,
    parse_executor,
    parse_flag,
    parse_minutes,
    parse_name,
    parse_percent,
    parse_place,
    parse_ratio,
    parse_revision,
    parse_seconds,
    parse_text,
    parse_url,
    parse_whole,
    secret_url,
)

MARKER = "ascend_tune"
KEEP_RUNS = 50  # 0.2 MB a problem each


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
        except SettingsError as error:
            if isinstance(value, str) and "://" in value:  # a URL for another option: it may hold a password
                shown = str(error).replace(repr(value), repr(secret_url(value)))
                raise SettingsError(shown) from None
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
        parse_place,
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
        "against",
        None,
        parse_revision,
        "compare with the kernel of this git revision, built today, instead of a stored baseline",
        "REV",
    ),
    Option(
        "missing",
        None,
        parse_choice("seed", "warn", "fail"),
        "no comparable baseline: record it, say so, or fail (default warn; in CI fail where no problem has one)",
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
    Option("dir", ".ascend-tune", parse_place, "root of everything written, relative to rootdir", "DIR"),
    Option("report", None, parse_place, "HTML report (default DIR/report/index.html)", "FILE"),
    Option("json", None, parse_place, "machine-readable results (default DIR/report/results.json)", "FILE"),
    Option("history", None, parse_url, "SQLAlchemy URL of the history (default sqlite:///DIR/history.sqlite)", "URL"),
    Option(
        "keep_runs",
        KEEP_RUNS,
        parse_whole(0),
        "runs to keep in DIR/runs; older ones are deleted at the end of a run (0 = keep all)",
        "N",
        number=True,
    ),
    Option("resume", False, parse_flag, "go on from the journal of an interrupted or exhausted run", flag=True),
    Option("devices", None, parse_devices, "NPUs to tune on at once, as 0,1 or 0-7 (default: one)", "0,1,..."),
    Option(
        "wait",
        20.0,
        parse_minutes,
        "minutes that a run waits in all for devices that other runs hold; then: not measured, exit 1",
        "MIN",
        number=True,
    ),
    Option(
        "lock_dir",
        None,
        parse_place,
        "folder in which sessions take turns on a device; share it between containers (default: "
        "/tmp/pytest-ascend-tune)",
        "DIR",
    ),
    Option("lang", "auto", parse_choice("en", "zh", "auto"), "language of what people read", "en|zh|auto"),
    Option("executor", "local", parse_executor, "where trials run: local, ray or ray://ADDRESS", "NAME"),
    Option(
        "triton_python",
        None,
        parse_place,
        "Python with triton-ascend and ascendnpu-ir, for templates in Triton (default: the running one)",
        "PATH",
    ),
    Option(
        "old_cxx",
        None,
        parse_place,
        "cpu: the compiler that the baseline was recorded with; the gate builds with both and compares them",
        "PROGRAM",
    ),
    Option(
        "old_cann",
        None,
        parse_place,
        "ascend: folder of the CANN that the baseline was recorded with; the gate builds with both and compares them",
        "DIR",
    ),
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
        "keep_runs",
        "lock_dir",
        "lang",
        "wait",
    )
)


def _spelled(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def options_table() -> str:
    """The options as a Markdown table, for README and docs."""
    lines = ["| option | ini | default | meaning |", "|---|---|---|---|"]
    for option in OPTIONS:
        spelling = option.switch + (f"={option.metavar}" if option.metavar else "")
        default = "off" if option.flag else "2.5%" if option.name == "threshold" else option.default or "-"
        if isinstance(option.default, float) and default == option.default:
            default = f"{option.default:g}"
        if option.default == 0 and not option.flag:
            default = "0"
        lines.append(f"| `{spelling.replace('|', chr(92) + '|')}` | `{option.ini}` | {default} | {option.help} |")
    return "\n".join(lines)
