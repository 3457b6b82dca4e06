"""The desk: one table of options makes the command line, the ini twins and the docs; precedence is decided only here.

Thresholds and floors: marker > command line > ini > default (a team's limit for one shape beats a blanket one).
Everything else: call argument > command line > marker > ini > default.
"""

from __future__ import annotations

import dataclasses
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import SettingsError

if TYPE_CHECKING:  # every pytest loads this module, whether it tunes or not
    from pathlib import Path

    from pytest_ascend_tune.model.problem import Config, GemmProblem
    from pytest_ascend_tune.model.secreturl import SecretUrl
    from pytest_ascend_tune.model.verdict import Policy

from pytest_ascend_tune.options.parse import parse_config
from pytest_ascend_tune.options.table import _BY_NAME, _NOT_REPEATED, OPTIONS, _spelled

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
    "config",
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
    against: str | None = None
    missing: str | None = None
    inconclusive: str = "warn"
    platform: str = "fail"
    unconverged: str = "note"
    l2: str | None = None
    dir: str = ".ascend-tune"
    report: str | None = None
    json: str | None = None
    history: SecretUrl | None = None
    keep_runs: int = 50
    resume: bool = False
    devices: tuple[int, ...] | None = None
    lock_dir: str | None = None
    lang: str = "auto"
    wait: float = 20.0
    executor: str | SecretUrl = "local"
    triton_python: str | None = None
    old_cxx: str | None = None
    old_cann: str | None = None
    from_command_line: frozenset[str] = field(default=frozenset())

    def __post_init__(self) -> None:
        if self.accept_regression and not self.update_baseline:
            raise SettingsError(
                f"{switch('accept_regression')} does nothing without {switch('update_baseline')}; give both"
            )
        for name in ("update_baseline", "old_cxx", "old_cann"):
            if self.against is not None and getattr(self, name):
                raise SettingsError(
                    f"{switch('against')}={self.against} and {switch(name)} exclude each other: no stored baseline has "
                    "a part in a comparison with a revision"
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

    def given(self, values: Mapping[str, Any]) -> Settings:
        """As if the command line had given these values too: with them it asks for one problem of many again."""
        return dataclasses.replace(self, **values, from_command_line=self.from_command_line | values.keys())

    def base(self, option: str, *, here: Path, root: Path) -> Path:
        """What an option's relative path is relative to: the working directory where the command line gave it, rootdir
        where an ini file, a marker or a call did."""
        return here if option in self.from_command_line else root

    def options(self) -> tuple[str, ...]:
        """What the command line gave that shapes a result, as pytest options; budget, seed and backend apart.

        To be shown: passwords of URLs are masked.
        """
        wanted = [_BY_NAME[name] for name in sorted(self.from_command_line - _NOT_REPEATED)]
        return tuple(
            f"{option.switch}={value}"
            for option in wanted
            for value in (getattr(self, option.name) if option.repeatable else (_spelled(getattr(self, option.name)),))
        )

    @property
    def policy(self) -> Policy:
        """What the gate needs to know."""
        from pytest_ascend_tune.model.verdict import Policy  # start-up: unused runs

        names = [item.name for item in dataclasses.fields(Policy) if item.name in _BY_NAME]
        given = {name: getattr(self, name) for name in names}
        if self.missing is None:
            del given["missing"]
        return Policy(**given)


def resolve(command_line: Mapping[str, Any], ini: Mapping[str, str]) -> Settings:
    """Settings from the command line (raw values; None, False or [] = not given) and the ini file (name -> text).

    Raises SettingsError naming the option or ini key, what was found and what is allowed.
    """
    values: dict[str, Any] = {}
    given = set()
    for option in OPTIONS:
        raw, place = command_line.get(option.name), switch(option.name)
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
    """Marker or call arguments, parsed; m, n, k, dtype, layout and shapes are left to GemmProblem, and of a
    configuration its space says whether it has that.

    Raises SettingsError.
    """
    unknown = [name for name in arguments if name not in allowed]
    if unknown:
        shown = ", ".join(unknown[:5]) + f" and {len(unknown) - 5} more" * (len(unknown) > 5)
        raise SettingsError(f"unknown argument{'s' * (len(unknown) > 1)} {shown}; allowed: {', '.join(allowed)}")
    parsed = {}
    for name, value in arguments.items():
        try:
            if name == "config" and value is not None:
                parsed[name] = parse_config(value)
            elif name in _BY_NAME and name != "shapes" and value is not None:
                parsed[name] = _BY_NAME[name].take(value)
            else:
                parsed[name] = value
        except SettingsError as error:
            raise SettingsError(f"{name}: {error}") from None
    return parsed


@dataclass(frozen=True)
class Request:
    """One problem to tune and gate, with the settings that hold for it and the test that asked.

    ``config``: gate exactly this configuration, or with ``default`` the template's, without a search.
    """

    problem: GemmProblem
    settings: Settings
    nodeid: str = ""
    config: Config | str | None = None

    @property
    def variant(self) -> str:
        """Of the key of its baseline."""
        if self.config is None or isinstance(self.config, str):
            return self.config or ""
        return f"fixed-{hashlib.sha256(str(self.config).encode()).hexdigest()[:8]}"

    @property
    def id(self) -> str:
        """What is asked for, as paths and messages name it."""
        return f"{self.problem.id}-{self.variant}" if self.config is not None else self.problem.id

    @property
    def seed(self) -> int:
        """The seed given, else one from problem and node id: the same whatever the order of tests."""
        if self.settings.seed is not None:
            return self.settings.seed
        return zlib.crc32(f"{self.problem.id} {self.nodeid}".encode())
