"""Parameter kinds: what values a tunable parameter has, and how a value becomes a number between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.model.errors import TemplateError

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")  # a text value becomes part of a compiler option
_FORMS = {
    "pow2": "pow2 = [first, last], powers of two",
    "step": "step = [first, last, step]",
    "int": "int = [first, last]",
    "choice": "choice = [value, ...], all numbers or all words",
}
MAX_LEVELS = 4096


@dataclass(frozen=True)
class Parameter:
    """One tunable parameter: its levels, numbers in ascending order or unordered texts."""

    name: str
    levels: tuple[int | str, ...]

    @cached_property
    def ordered(self) -> bool:
        """Numbers have an order; texts have none and are encoded one column each."""
        return not isinstance(self.levels[0], str)

    @cached_property
    def values(self) -> NDArray[Any]:
        """Levels as a numpy column: int64, float64 or text."""
        return np.array(self.levels)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The parameter's name, once per encoded column."""
        return (self.name,) * (1 if self.ordered else len(self.levels))

    @cached_property
    def codes(self) -> NDArray[np.float64]:
        """(levels, columns): code of every level. Ordered: equal steps from 0 to 1; unordered: one-hot."""
        if self.ordered:
            return np.linspace(0.0, 1.0, len(self.levels))[:, None] if len(self.levels) > 1 else np.zeros((1, 1))
        return np.eye(len(self.levels))

    @cached_property
    def positions(self) -> dict[int | str, int]:
        """Level index of each value."""
        return {level: index for index, level in enumerate(self.levels)}

    def code(self, value: int | str) -> NDArray[np.float64]:
        """Code of a value; one between two levels is interpolated, an unknown text is all zero."""
        if value in self.positions:
            codes: NDArray[np.float64] = self.codes[self.positions[value]]
            return codes
        if self.ordered and not isinstance(value, str):
            return np.array([np.interp(float(value), self.values.astype(float), self.codes[:, 0])])
        return np.zeros(len(self.columns))

    def distance(self, value: int | str) -> NDArray[np.float64]:
        """Squared distance of each level from `value`: in doublings where all are positive, 1 for another text."""
        if not self.ordered:
            return np.array([float(level != value) for level in self.levels])
        wanted, levels = float(value), self.values.astype(float)
        if levels[0] > 0 and wanted > 0:
            wanted, levels = np.log2(wanted), np.log2(levels)
        return np.asarray((levels - wanted) ** 2)

    def describe(self) -> str:
        """Levels for people."""
        return ", ".join(map(str, self.levels))


def parse_parameter(name: str, declared: object, where: str) -> Parameter:
    """Read ``{pow2 = [32, 512]}`` and the like. `where`: file and key, for errors. Raises TemplateError."""
    if not _NAME.fullmatch(name):
        raise TemplateError(f"{where}: {name!r} is no usable name; lower-case letters, digits and _ are allowed")
    if not isinstance(declared, dict) or len(declared) != 1 or next(iter(declared)) not in _FORMS:
        raise TemplateError(
            f"{where} = {repr(declared)[:200]}; one of these is needed: {{ {' }, { '.join(_FORMS.values())} }}"
        )
    kind, values = next(iter(declared.items()))
    levels = _levels(kind, values)
    if isinstance(levels, str):
        raise TemplateError(
            f"{where} = {{ {kind} = {repr(values)[:200]} }}: {levels}; the form is {{ {_FORMS[kind]} }}"
        )
    return Parameter(name, tuple(levels))


def _levels(kind: str, values: object) -> Sequence[int | str] | str:
    """The levels, or what is wrong."""
    if not isinstance(values, list) or not values:
        return "a list is needed"
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    if kind == "choice":
        words = all(isinstance(value, str) and _WORD.fullmatch(value) for value in values)
        if not whole and not words:
            return "the values must be all whole numbers or all words of letters, digits and _ . + -"
        if len(set(values)) < len(values):
            return "a value occurs twice"
        return values if words else sorted(values)
    if not whole or len(values) != (3 if kind == "step" else 2):
        return f"{3 if kind == 'step' else 2} whole numbers are needed"
    first, last = values[:2]
    if first > last:
        return f"{first} is above {last}"
    if kind == "pow2":
        if first < 1 or first & (first - 1) or last & (last - 1):
            return "both must be powers of two"
        return [1 << power for power in range(first.bit_length() - 1, last.bit_length())]
    step = values[2] if kind == "step" else 1
    if step < 1 or (last - first) % step:
        return f"{last} cannot be reached from {first} in steps of {step}"
    if (last - first) // step >= MAX_LEVELS:
        return f"more than {MAX_LEVELS} values"
    return range(first, last + 1, step)
