"""Best configurations as text for a dispatcher: JSON, or a C++17 header with one lookup table per template."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path

from pytest_ascend_tune.files import jsontext
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.records.baselines.best import BestConfig, best_of_baselines
from pytest_ascend_tune.records.baselines.store import BaselineStore

SCHEMA = 1
DIGITS = 5
HEADER = """\
// Best confirmed configurations, {count} in all. Made by `ascend-tune export`: do not edit.
#pragma once
#include <cstdint>

namespace ascend_tune {{

struct Problem {{
  std::int64_t m, n, k;
  const char* dtype;
  const char* layout;
}};
{tables}
}}  // namespace ascend_tune
"""
TABLE = """
// Device {device}, template {template}{simulated}.
struct {name}_config {{
{members}
}};
struct {name}_entry {{
  Problem problem;
  {name}_config config;
  double tflops;
}};
inline constexpr {name}_entry {name}[] = {{
{rows}
}};
"""


def export_json(root: Path, name: str) -> str:
    """The baselines of a set under `root` as :func:`as_json`. Raises RecordError for none, or a damaged one."""
    return as_json(_rows(root, name))


def export_header(root: Path, name: str) -> str:
    """The baselines of a set under `root` as :func:`as_header`. Raises RecordError for none, or a damaged one."""
    return as_header(_rows(root, name))


def _rows(root: Path, name: str) -> tuple[BestConfig, ...]:
    store = BaselineStore(root)
    rows = best_of_baselines(store, name)
    if not rows:
        sets = ", ".join(sorted({key.name for key in store.list()})) or "none"
        raise RecordError(f"no baselines in set {name!r} of {root}; there are: {sets}")
    return rows


def as_json(rows: Sequence[BestConfig]) -> str:
    """``{"schema": 1, "configs": [...]}``, one problem a line."""
    configs = [
        {
            "device": row.device,
            "template": row.template,
            "problem": row.problem.id,
            "m": row.problem.m,
            "n": row.problem.n,
            "k": row.problem.k,
            "dtype": row.problem.dtype.value,
            "layout": row.problem.layout.value,
            "config": dict(row.config),
            "tflops": jsontext.rounded(row.tflops, DIGITS),
            "simulated": row.simulated,
            "source_hash": row.source_hash,
        }
        for row in rows
    ]
    return jsontext.dump({"schema": SCHEMA, "configs": configs})


def as_header(rows: Sequence[BestConfig]) -> str:
    """A header that needs nothing but C++17. Raises RecordError when a parameter's name is no name in C++."""
    tables = []
    taken: set[str] = set()
    for (device, template, _, simulated), group in itertools.groupby(rows, key=_table_of):
        stem = re.sub(r"\W", "_", f"best_{device}_{template}", flags=re.ASCII)
        name = f"{stem}_{len(taken) + 1}" if stem in taken else stem
        taken.add(name)
        tables.append(_table(name, device, template, simulated, list(group)))
    return HEADER.format(count=len(rows), tables="".join(tables))


def _table_of(row: BestConfig) -> tuple[str, str, tuple[str, ...], bool]:
    return row.device, row.template, tuple(row.config), row.simulated


def _table(name: str, device: str, template: str, simulated: bool, rows: list[BestConfig]) -> str:
    first = rows[0].config
    for parameter in first:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", parameter):
            raise RecordError(
                f"parameter {parameter!r} of template {template} cannot be a name in C++; export JSON instead"
            )
    members = [
        f"  const char* {key};" if any(isinstance(row.config[key], str) for row in rows) else f"  std::int64_t {key};"
        for key in first
    ]
    return TABLE.format(
        name=name,
        device=device,
        template=template,
        simulated=" (simulated: no kernel was run)" if simulated else "",
        members="\n".join(members),
        rows="\n".join(_row(row, [member.startswith("  const char*") for member in members]) for row in rows),
    )


def _row(row: BestConfig, texts: list[bool]) -> str:
    problem = row.problem
    values = [
        json.dumps(str(value)) if text else str(value) for value, text in zip(row.config.values(), texts, strict=True)
    ]
    shape = f'{{{problem.m}, {problem.n}, {problem.k}, "{problem.dtype}", "{problem.layout}"}}'
    return f"    {{{shape}, {{{', '.join(values)}}}, {row.tflops:.{DIGITS}g}}},"
