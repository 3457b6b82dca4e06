"""Legal configurations as rows of level numbers: enumerated in independent parts, sampled evenly, encoded for a model.

Parameters that no constraint or merge rule joins are independent: the legal set is the product of small parts. So the
flags of a kernel cost nothing, counting is exact for any size, and an even sample is a draw of row numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.kernels.constraints import Condition
from pytest_ascend_tune.kernels.parameters import Parameter
from pytest_ascend_tune.model.errors import SpaceError
from pytest_ascend_tune.model.problem import Config

_MAX_PART_ROWS = 20_000_000  # rows of one part while it is built; 160 MB per parameter
_MAX_KEY = 2**62  # row keys are int64

StandIn = Callable[[Mapping[str, "int | str"]], Mapping[str, "int | str"]]  # what a configuration is merged into


class Candidates:
    """Legal configurations of one problem (protocols.Candidates), held as level numbers, one column a parameter."""

    def __init__(self, parameters: Sequence[Parameter], rows: NDArray[np.int64], total: int, stand_in: StandIn) -> None:
        self.total = total
        self.columns = tuple(column for parameter in parameters for column in parameter.columns)
        self._parameters = tuple(parameters)
        self._rows = np.ascontiguousarray(rows)
        self._stand_in = stand_in

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Config]:
        return (self.config(row) for row in range(len(self)))

    @cached_property
    def encoded(self) -> NDArray[np.float64]:
        """(n, len(columns)) matrix in [0, 1]."""
        return np.hstack([parameter.codes[self._rows[:, j]] for j, parameter in enumerate(self._parameters)])

    def config(self, row: int) -> Config:
        """The configuration of a row."""
        pairs = zip(self._parameters, self._rows[row].tolist(), strict=True)
        return Config({parameter.name: parameter.levels[level] for parameter, level in pairs})

    def row(self, config: Config) -> int | None:
        """Row of a configuration or of the one it is merged with; None when it is not held."""
        levels = level_numbers(self._parameters, self._stand_in(config))
        return None if levels is None else self._row_of.get(levels.tobytes())

    def nearest(self, config: Mapping[str, int | str]) -> Config:
        """The held configuration with the fewest doublings, halvings and other changes from `config`."""
        away = np.zeros(len(self))
        for j, parameter in enumerate(self._parameters):
            away += parameter.distance(config[parameter.name])[self._rows[:, j]]
        return self.config(int(np.argmin(away)))

    @cached_property
    def _row_of(self) -> dict[bytes, int]:
        return {row.tobytes(): number for number, row in enumerate(self._rows)}


def level_numbers(parameters: Sequence[Parameter], config: Mapping[str, int | str]) -> NDArray[np.int64] | None:
    """Level number of each parameter, None when a value is on no level."""
    found = [parameter.positions.get(config.get(parameter.name, "")) for parameter in parameters]
    return None if None in found or len(config) != len(parameters) else np.array(found, dtype=np.int64)


def holds_for(
    condition: Condition, parameters: Sequence[Parameter], rows: NDArray[np.int64], facts: Mapping[str, Any]
) -> NDArray[np.bool_]:
    """Truth of a condition for each of the rows of level numbers of these parameters."""
    columns = {
        parameter.name: parameter.values[rows[:, j]]
        for j, parameter in enumerate(parameters)
        if parameter.name in condition.names
    }
    return np.broadcast_to(np.asarray(condition.holds({**facts, **columns}), dtype=bool), len(rows))


def partition(parameters: Sequence[Parameter], joined: Sequence[frozenset[str]]) -> list[list[Parameter]]:
    """Split parameters into parts such that each set of `joined` names lies in one part."""
    parts = [{parameter.name} for parameter in parameters]
    for names in joined:
        touched = [part for part in parts if part & names]
        if len(touched) > 1:
            parts = [part for part in parts if not part & names] + [set().union(*touched)]
    return [[parameter for parameter in parameters if parameter.name in part] for part in parts]


def enumerate_part(
    parameters: Sequence[Parameter],
    conditions: Sequence[Condition],
    merges: Sequence[tuple[Condition, Mapping[str, int | str]]],
    facts: Mapping[str, Any],
) -> NDArray[np.int64]:
    """Level numbers of the legal rows of one part. A condition is applied as soon as its last parameter has joined."""
    rows = np.zeros((1, 0), dtype=np.int64)
    waiting = list(conditions)
    names = {parameter.name for parameter in parameters}
    for count, parameter in enumerate(parameters, start=1):
        size = len(parameter.levels)
        if len(rows) * size > _MAX_PART_ROWS:
            raise SpaceError(
                f"{', '.join(sorted(names))} span more than {_MAX_PART_ROWS:,} combinations under one set of "
                "constraints; give them fewer values, or constraints that join fewer of them"
            )
        rows = np.column_stack([np.repeat(rows, size, axis=0), np.tile(np.arange(size), len(rows))])
        known = {joined.name for joined in parameters[:count]}
        for condition in [condition for condition in waiting if condition.names & names <= known]:
            waiting.remove(condition)
            rows = rows[holds_for(condition, parameters[:count], rows, facts)]
    return _merged(parameters, conditions, merges, facts, rows) if merges and len(rows) else rows


def _merged(
    parameters: Sequence[Parameter],
    conditions: Sequence[Condition],
    merges: Sequence[tuple[Condition, Mapping[str, int | str]]],
    facts: Mapping[str, Any],
    originals: NDArray[np.int64],
) -> NDArray[np.int64]:
    """One row for all that merge; a row whose stand-in would be illegal stays as it is."""
    index = {parameter.name: j for j, parameter in enumerate(parameters)}
    rows = originals.copy()
    for condition, values in merges:
        applies = holds_for(condition, parameters, rows, facts)
        for name, value in values.items():
            rows[applies, index[name]] = parameters[index[name]].positions[value]
    for condition in conditions:
        illegal = ~holds_for(condition, parameters, rows, facts)
        rows[illegal] = originals[illegal]
    sizes = [len(parameter.levels) for parameter in parameters]
    if math.prod(sizes) > _MAX_KEY:
        return np.unique(rows, axis=0)
    keys = np.unique(np.ravel_multi_index(tuple(rows.T), tuple(sizes)))
    return np.column_stack(np.unravel_index(keys, sizes))


def combine(
    parameters: Sequence[Parameter],
    parts: Sequence[tuple[Sequence[Parameter], NDArray[np.int64]]],
    *,
    limit: int,
    seed: int,
) -> tuple[NDArray[np.int64], int]:
    """Rows of the product of all parts, and how many there are: all of them, or an even sample of `limit`."""
    total = math.prod(len(rows) for _, rows in parts)
    if total <= limit:
        chosen = np.arange(total)
    else:
        chosen = np.sort(np.random.default_rng(seed).choice(min(total, _MAX_KEY), size=limit, replace=False))
    index = {parameter.name: j for j, parameter in enumerate(parameters)}
    result = np.empty((len(chosen), len(parameters)), dtype=np.int64)
    for members, rows in parts:
        chosen, place = np.divmod(chosen, len(rows))
        result[:, [index[member.name] for member in members]] = rows[place]
    return result, total
