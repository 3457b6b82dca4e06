"""A search space: parameters, constraints with their reasons, and the legal configurations of a problem, encoded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.kernels.candidates import (
    Candidates,
    combine,
    enumerate_part,
    holds_for,
    level_numbers,
    partition,
)
from pytest_ascend_tune.kernels.constraints import Condition
from pytest_ascend_tune.kernels.parameters import Parameter
from pytest_ascend_tune.model.errors import SpaceError, TemplateError
from pytest_ascend_tune.model.problem import MAX_WHOLE, Config, GemmProblem, Layout

PROBLEM_FACTS = (
    "m", "n", "k", "element_bytes", "bytes", "result_bytes", "accumulator_bytes", "a_transposed", "b_transposed",
    "dtype", "layout",
)  # fmt: skip
_NEAREST_OF = 250_000  # candidates looked at for a stand-in of the default
_ACCUMULATOR_BYTES = 4  # float32, or int32 for int8, in every kernel of this package


@dataclass(frozen=True)
class Constraint:
    """A condition that every legal configuration fulfils, and why."""

    condition: Condition
    because: str


@dataclass(frozen=True)
class Merge:
    """Where the condition holds, the parameters in ``values`` change nothing in the kernel: one stands for all."""

    condition: Condition
    values: tuple[tuple[str, int | str], ...]
    because: str = ""


def problem_facts(problem: GemmProblem | None) -> dict[str, int | str]:
    """What constraints and merge rules may know about a problem."""
    if problem is None:
        return {}
    element_bytes = problem.dtype.element_bytes
    return {
        "m": problem.m,
        "n": problem.n,
        "k": problem.k,
        "element_bytes": element_bytes,
        "bytes": element_bytes,
        "result_bytes": problem.dtype.result_bytes,
        "accumulator_bytes": _ACCUMULATOR_BYTES,
        "a_transposed": int(problem.layout in (Layout.TN, Layout.TT)),
        "b_transposed": int(problem.layout in (Layout.NT, Layout.TT)),
        "dtype": problem.dtype.value,
        "layout": problem.layout.value,
    }


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """What may be tried (protocols.Space). Made by ``kernels.template`` or :meth:`from_configs`; immutable.

    ``facts``: hardware facts by name, given with :meth:`bind`. ``recorded``: when set, exactly these level numbers.
    """

    parameters: tuple[Parameter, ...]
    constraints: tuple[Constraint, ...] = ()
    merges: tuple[Merge, ...] = ()
    default: Config | None = None
    facts: Mapping[str, int] = field(default_factory=dict)
    recorded: NDArray[np.int64] | None = None

    @classmethod
    def from_configs(cls, configs: Iterable[Mapping[str, Any]]) -> SearchSpace:
        """A space of exactly these configurations: dicts with the same names, values numbers or texts.

        Numbers are ordered by value, texts are unordered. A configuration given twice counts once. Raises SpaceError.
        """
        rows = [dict(config) for config in configs]
        if not rows or not rows[0]:
            raise SpaceError("from_configs() got no configuration; a non-empty list of non-empty dicts is needed")
        names = tuple(rows[0])
        for number, row in enumerate(rows):
            if set(row) != set(names):
                raise SpaceError(
                    f"configuration {number} has the names {sorted(row)}; configuration 0 has {sorted(names)}"
                )
        columns = {name: [_plain(row[name], name, number) for number, row in enumerate(rows)] for name in names}
        parameters = []
        for name, values in columns.items():
            if len({isinstance(value, str) for value in values}) > 1:
                raise SpaceError(f"{name!r} is a number in some configurations and a text in others; use one kind")
            parameters.append(Parameter(name, tuple(sorted(set(values)))))
        levels = np.array(
            [[parameter.positions[value] for value in columns[parameter.name]] for parameter in parameters]
        ).T
        _, first = np.unique(levels, axis=0, return_index=True)
        return cls(tuple(parameters), recorded=levels[np.sort(first)])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Parameter names in the declared order."""
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Parameter name of each encoded column: an unordered text parameter has one column a value."""
        return tuple(column for parameter in self.parameters for column in parameter.columns)

    @property
    def raw_size(self) -> int:
        """Combinations before any constraint."""
        return math.prod(len(parameter.levels) for parameter in self.parameters)

    def bind(self, facts: Mapping[str, int], problem: GemmProblem | None = None) -> SearchSpace:
        """The same space on a device with these hardware facts; with a problem, the default becomes one legal for it.

        Raises TemplateError when a rule names something unknown.
        """
        known = {*self.names, *PROBLEM_FACTS, *facts}
        if shadowed := sorted({*self.names, *PROBLEM_FACTS} & set(facts)):
            raise TemplateError(f"parameter {', '.join(shadowed)} has the name of a fact of this device; rename it")
        for condition in self.conditions:
            if unknown := sorted(condition.names - known):
                raise TemplateError(
                    f"{condition.where} = {condition.text!r} names {', '.join(unknown)}; known are the parameters "
                    f"{', '.join(self.names)}, of the problem {', '.join(PROBLEM_FACTS)}, "
                    f"of this device {', '.join(sorted(facts)) or 'none'}"
                )
        bound = replace(self, facts=dict(facts))
        return replace(bound, default=bound.default_for(problem)) if problem and self.default else bound

    def candidates(self, problem: GemmProblem | None, *, limit: int = 1_000_000, seed: int = 0) -> Candidates:
        """All legal configurations, or an even sample of `limit`; always holds the default when that is legal.

        Raises SpaceError when nothing is legal, with how much each constraint excludes.
        """
        if limit < 1:
            raise SpaceError(f"limit={limit}; at least 1 is needed")
        facts = self._facts(problem)
        if self.recorded is not None:
            parts: list[tuple[Sequence[Parameter], NDArray[np.int64]]] = [(self.parameters, self.recorded)]
        else:
            parts = self._parts(facts)
        rows, total = combine(self.parameters, parts, limit=limit, seed=seed)
        if not total:
            raise SpaceError(f"no configuration is legal{_for(problem)}:\n" + "\n".join(self.exclusions(problem)))
        if self.default and total > len(rows) and self.why_illegal(self.default, problem) is None:
            rows = self._holding(rows, self.default, facts)
        return Candidates(self.parameters, rows, total, lambda config: self._stand_in(config, facts))

    def why_illegal(self, config: Mapping[str, int | str], problem: GemmProblem | None) -> str | None:
        """What is wrong with a configuration: names, values off their levels, or the first violated constraint."""
        if set(config) != set(self.names):
            return f"it has the parameters {', '.join(sorted(config))}; needed are {', '.join(sorted(self.names))}"
        for parameter in self.parameters:
            if config[parameter.name] not in parameter.positions:
                return f"{parameter.name}={config[parameter.name]!r} is not one of {parameter.describe()}"
        if self.recorded is not None:
            held = (self.recorded == level_numbers(self.parameters, config)).all(axis=1).any()
            return None if held else f"it is not one of the {len(self.recorded)} given configurations"
        environment = {**self._facts(problem), **config}
        for constraint in self.constraints:
            condition = constraint.condition
            if not condition.holds(environment):
                values = ", ".join(f"{name}={environment[name]}" for name in sorted(condition.names))
                return f"'{condition.text}' does not hold with {values}: {constraint.because}"
        return None

    def default_for(self, problem: GemmProblem | None) -> Config:
        """The declared default; where it is not legal (or none is declared), the legal configuration closest to it.

        Close means few doublings or halvings: a tile of half the size is as far as one of twice the size.
        """
        if self.default and self.why_illegal(self.default, problem) is None:
            return self.default
        candidates = self.candidates(problem, limit=_NEAREST_OF)
        if self.default is None:
            return candidates.config(int(np.argmin(((candidates.encoded - 0.5) ** 2).sum(axis=1))))
        return candidates.nearest(self.default)

    def encode(self, config: Mapping[str, int | str]) -> NDArray[np.float64]:
        """One configuration as a point in [0, 1]^d; values between two levels are interpolated."""
        return np.concatenate([parameter.code(config[parameter.name]) for parameter in self.parameters])

    def exclusions(self, problem: GemmProblem | None) -> list[str]:
        """One line a constraint: what share of all combinations it excludes by itself, and why it is there."""
        facts = {**problem_facts(problem), **self.facts}
        lines = []
        for constraint in self.constraints:
            condition = constraint.condition
            if needed := sorted(condition.names - {*self.names, *facts}):
                lines.append(f"  '{condition.text}' depends on {', '.join(needed)}: {constraint.because}")
                continue
            own = [parameter for parameter in self.parameters if parameter.name in condition.names]
            rows = enumerate_part(own, (), (), facts)
            excluded = self.raw_size * int((~holds_for(condition, own, rows, facts)).sum()) // len(rows)
            lines.append(f"  '{condition.text}' excludes {excluded:,} of {self.raw_size:,}: {constraint.because}")
        return lines

    @property
    def conditions(self) -> list[Condition]:
        """Conditions of all constraints and merge rules."""
        return [rule.condition for rule in self.constraints] + [rule.condition for rule in self.merges]

    @property
    def depends_on_problem(self) -> bool:
        """Whether what is legal is not the same for every problem."""
        return any(condition.names & set(PROBLEM_FACTS) for condition in self.conditions)

    def _facts(self, problem: GemmProblem | None) -> dict[str, Any]:
        facts = {**problem_facts(problem), **self.facts}
        for condition in self.conditions:
            if missing := sorted(condition.names - {*self.names, *facts}):
                needed = "a problem" if set(missing) & set(PROBLEM_FACTS) else "bind() with this device's facts"
                raise SpaceError(f"{condition.where} = {condition.text!r} needs {', '.join(missing)}: give {needed}")
        return facts

    def _parts(self, facts: Mapping[str, Any]) -> list[tuple[Sequence[Parameter], NDArray[np.int64]]]:
        own = set(self.names)
        joined = [rule.condition.names & own for rule in self.constraints]
        joined += [rule.condition.names & own | {name for name, _ in rule.values} for rule in self.merges]
        whole = [rule.condition for rule in self.constraints if not rule.condition.names & own]
        if not all(bool(condition.holds(facts)) for condition in whole):
            return [(self.parameters, np.zeros((0, len(self.parameters)), dtype=np.int64))]
        parts: list[tuple[Sequence[Parameter], NDArray[np.int64]]] = []
        for members in partition(self.parameters, joined):
            names = {parameter.name for parameter in members}
            conditions = [rule.condition for rule in self.constraints if rule.condition.names & names]
            merges = [
                (rule.condition, dict(rule.values)) for rule in self.merges if names & {name for name, _ in rule.values}
            ]
            parts.append((members, enumerate_part(members, conditions, merges, facts)))
        return parts

    def _stand_in(self, config: Mapping[str, int | str], facts: Mapping[str, Any]) -> Mapping[str, int | str]:
        """What a configuration is merged into by all rules together; itself when that would not be legal."""
        if set(config) != set(self.names):
            return config
        values = dict(config)
        for merge in self.merges:
            if merge.condition.holds({**facts, **values}):
                values.update(merge.values)
        legal = all(rule.condition.holds({**facts, **values}) for rule in self.constraints)
        return values if legal else config

    def _holding(self, rows: NDArray[np.int64], config: Config, facts: Mapping[str, Any]) -> NDArray[np.int64]:
        wanted = level_numbers(self.parameters, self._stand_in(config, facts))
        if wanted is None or (rows == wanted).all(axis=1).any():
            return rows
        return np.vstack([wanted, rows[1:]])


def _plain(value: Any, name: str, number: int) -> Any:
    """A number or text out of `value` (numpy scalars and bools become plain numbers)."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, int) and abs(value) > MAX_WHOLE:
        raise SpaceError(f"configuration {number}: {name} is too large; whole numbers may have 63 bits")
    if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return int(value) if isinstance(value, bool) else value
    raise SpaceError(
        f"configuration {number}: {name}={value!r} is a {type(value).__name__}; a number or a text is needed"
    )


def _for(problem: GemmProblem | None) -> str:
    return f" for {problem.id}" if problem else ""
