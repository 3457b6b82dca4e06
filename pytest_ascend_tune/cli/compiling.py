"""``ascend-tune compile``: does a kernel in Triton compile, for every shape and chip, and what changed since."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune.cli.base import Command, add_problem, problem_of, tell
from pytest_ascend_tune.cli.spaces import parse_config
from pytest_ascend_tune.model.errors import ProblemError, RecordError, SpaceError, TemplateError
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem

if TYPE_CHECKING:
    from pytest_ascend_tune.backends.hivm.compiled import Compiled


def _arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    parser.add_argument("--template", default="triton_gemm", help="built-in name or folder, language triton")
    parser.add_argument("--shapes", metavar="FILE", help="csv or json of problems, as --ascend-tune-shapes takes it")
    parser.add_argument("--devices", default="910B3", help="chips, as 910B1,910B3,910B4 (default 910B3)")
    parser.add_argument("--config", metavar="NAME=VALUE,...", help="configuration (default: the template's default)")
    parser.add_argument("--triton-python", metavar="PATH", help="Python that has triton-ascend and ascendnpu-ir")
    parser.add_argument("--json", metavar="FILE", help="write the table, to compare with later")
    parser.add_argument("--against", metavar="FILE", help="list what changed since that table was written")


def _compile(options: Namespace) -> int:
    from pytest_ascend_tune.backends.hivm import compiled  # start-up: xdsl
    from pytest_ascend_tune.kernels.template import load_template  # start-up: numpy

    template, space = load_template(options.template)
    if template.language != "triton":
        raise TemplateError(f'template {template.name} is in {template.language}; compile takes language = "triton"')
    config = parse_config(options.config) if options.config else space.default
    if config is None:
        raise SpaceError(f"template {template.name} has no [default]; give --config")
    before = _stored(Path(options.against)) if options.against else None
    rows: list[Compiled] = []
    version = ""
    for device in options.devices.split(","):
        kernels = compiled.kernels_of(device.strip(), options.triton_python)
        try:
            version = kernels.tools().version
            for problem in _problems(options):
                row = compiled.compile_one(kernels, template, problem, _fit(config, space.names), kernels.device)
                tell(line(row))
                rows.append(row)
        finally:
            kernels.close()
    failed = sum(bool(row.failed) for row in rows)
    tell(f"{len(rows) - failed} of {len(rows)} compile ({version}); times are simulated, not measured")
    if options.json:
        from pytest_ascend_tune.files.workspace import COMPILED_SIGN, replace_text  # start-up: the command only

        text = json.dumps(compiled.as_json(rows, version, template, config), indent=2) + "\n"
        tell(replace_text(Path(options.json), text, COMPILED_SIGN))
    if before is not None:
        told = compiled.changes(before, rows)
        for change in told:
            tell(change)
        tell(f"{len(told)} changes against {options.against}")
    return int(failed > 0)


def line(row: Compiled) -> str:
    """A row of the table."""
    if row.failed:
        return f"FAILED {row.device:10} {row.problem}: {row.failed}"
    memory = f"L1 {row.l1_bytes:>7,} L0C {row.l0c_bytes:>7,} UB {row.ub_bytes:>7,} bytes"
    time = "no time" if row.time_us is None else f"{row.time_us:.1f} us simulated"
    return f"ok     {row.device:10} {row.problem}: {memory}, {time}{''.join(f'; {note}' for note in row.notes)}"


def _problems(options: Namespace) -> list[GemmProblem]:
    from pytest_ascend_tune.options.shapes import read_shapes  # start-up: the command only

    found = [shape.problem for shape in read_shapes(Path(options.shapes), Dtype.FLOAT16)] if options.shapes else []
    named = problem_of(options, Dtype.FLOAT16)
    if named is not None:
        found.append(named)
    if not found:
        raise ProblemError("no problem: give --shapes, or --m, --n and --k, or --matrix-size")
    return found


def _fit(config: Config, names: tuple[str, ...]) -> Config:
    if set(config) != set(names):
        raise SpaceError(f"the configuration needs exactly {', '.join(names)}; got {', '.join(config)}")
    return config


def _stored(path: Path) -> tuple[Compiled, ...]:
    from pytest_ascend_tune.backends.hivm.compiled import from_json  # start-up: xdsl

    try:
        return from_json(json.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RecordError(f"{path} is no JSON: {error}") from error


COMPILE = Command(
    "compile",
    "compile a template in Triton for shapes and chips with the vendor's compiler, without a board",
    _arguments,
    _compile,
)
