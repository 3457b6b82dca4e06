"""``ascend-tune space``, ``explain``, ``export``: what may be tried, what the model says of it, what came out best."""

from __future__ import annotations

import json
import re
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from pytest_ascend_tune import backends
from pytest_ascend_tune.cli.base import Command, add_problem, existing, needed_problem, problem_of, tell
from pytest_ascend_tune.files.workspace import EXPORT_SIGN, PICTURE_SIGN, replace_bytes, replace_text
from pytest_ascend_tune.model.errors import SpaceError, TemplateError, TrialError
from pytest_ascend_tune.model.problem import Config, Dtype
from pytest_ascend_tune.model.protocols import Backend, BackendOptions
from pytest_ascend_tune.records.baselines.export import export_header, export_json


def parse_config(text: str) -> Config:
    """``tile_m=128,tile_n=256,...`` as a Config. Raises SpaceError."""
    values: dict[str, int | str] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals or not name or not value or name in values:
            raise SpaceError(f"configuration {text!r}: {part.strip()!r} is not NAME=VALUE, or a name stands twice")
        values[name] = int(value) if re.fullmatch(r"-?[0-9]{1,100}", value) else value
    return Config(values)


def _backend(name: str) -> Backend:
    return backends.create(name, options=BackendOptions(Path(tempfile.gettempdir())))


def _space_arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    parser.add_argument(
        "--backend", default="auto", help="whose hardware facts the constraints see, as simulator:910B2"
    )
    parser.add_argument("--template", help="built-in name or folder (default: the backend's)")
    parser.add_argument(
        "--config",
        metavar="NAME=VALUE,...",
        help="say whether this configuration is legal (exit 0), and why not (exit 1)",
    )
    parser.add_argument("--list", action="store_true", help="print every legal configuration, one JSON object a line")


def _space(options: Namespace) -> int:
    from pytest_ascend_tune.kernels.template import load_template  # start-up: numpy

    backend = _backend(options.backend)
    try:
        problem = problem_of(options, backend.default_dtype)
        template, space = load_template(options.template or backend.default_template)
        space = space.bind(backend.facts())
    finally:
        backend.close()
    if options.config:
        config = parse_config(options.config)
        reason = space.why_illegal(config, problem)
        tell(f"illegal: {reason}" if reason else f"legal: {config}")
        return int(reason is not None)
    if options.list:
        candidates = space.candidates(problem)
        for row in range(len(candidates)):
            tell(json.dumps(dict(candidates.config(row))))
        return 0
    tell(f"{template.name}: {template.title}")
    tell(f"facts of {backend.device}: " + ", ".join(f"{name} = {value:,}" for name, value in backend.facts().items()))
    for parameter in space.parameters:
        tell(f"  {parameter.name}: {parameter.describe()}")
    tell("constraints:")
    for line in space.exclusions(problem):
        tell(line)
    tell(f"default: {space.default}")
    if problem is None and space.depends_on_problem:
        tell(f"all combinations: {space.raw_size:,}; give --m, --n and --k, or --matrix-size, to see which are legal")
    else:
        legal = space.candidates(problem).total
        tell(f"legal for {problem.id if problem else 'any problem'}: {legal:,} of {space.raw_size:,}")
    return 0


SPACE = Command(
    "space", "show a template's search space: parameters, constraints, how many are legal", _space_arguments, _space
)


def _explain_arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    parser.add_argument(
        "config", nargs="?", metavar="NAME=VALUE,...", help="configuration (default: the best predicted)"
    )
    parser.add_argument("--picture", metavar="FILE", help="also draw it (png, svg or pdf)")
    parser.add_argument("--device", default="910B1", help="910B1, 910B2, ... (default 910B1)")
    parser.add_argument("--template", help="a template in Triton: compile it and explain its schedule")
    parser.add_argument("--triton-python", metavar="PATH", help="Python that has triton-ascend and ascendnpu-ir")


# Of the picture of a compiled schedule: enough for the first tiles of most.
_PICTURED_CLOCKS = 20_000.0


def _explain_schedule(options: Namespace) -> int:
    """Of a template in Triton: the compiled schedule on the timelines of its pipes."""
    from pytest_ascend_tune.backends.hivm import explain  # start-up: xdsl
    from pytest_ascend_tune.backends.hivm.compiled import kernels_of  # start-up: xdsl
    from pytest_ascend_tune.kernels.template import load_template  # start-up: numpy

    problem = needed_problem(options, Dtype.FLOAT16)
    template, space = load_template(options.template)
    if template.language != "triton":
        raise TemplateError(f"template {template.name} is in {template.language}; without --template it is explained")
    config = parse_config(options.config) if options.config else space.default
    if config is None or set(config) != set(space.names):
        raise SpaceError(f"the configuration needs exactly {', '.join(space.names)}")
    kernels = kernels_of(options.device, options.triton_python)
    try:
        artifact = kernels.build(template, problem, config, timeout_s=300.0)
        told = kernels.simulated(artifact, problem, record_clocks=_PICTURED_CLOCKS if options.picture else 0.0)
    except TrialError as error:
        tell(f"ascend-tune: {error}", to_errors=True)
        return 1
    finally:
        kernels.close()
    for line in explain.lines(artifact, told, problem, kernels.device):
        tell(line)
    if options.picture:
        from pytest_ascend_tune.reports.figures.gantt import gantt_figure  # start-up: matplotlib
        from pytest_ascend_tune.reports.figures.png import picture  # start-up: matplotlib

        target = Path(options.picture)
        figure = gantt_figure(told.spans, f"{problem.id} on {kernels.device}", "SIMULATED")
        tell(replace_bytes(target, picture(figure, target.suffix), PICTURE_SIGN))
    return 0


def _explain(options: Namespace) -> int:
    if options.template:
        return _explain_schedule(options)
    from pytest_ascend_tune.backends.simulator import explanation as simexplain  # start-up: numpy

    problem = needed_problem(options, Dtype.FLOAT16)
    config: Mapping[str, int | str] | None = parse_config(options.config) if options.config else None
    for line in simexplain.lines(problem, config, options.device):
        tell(line)
    if options.picture:
        from pytest_ascend_tune.reports.figures.png import picture  # start-up: matplotlib
        from pytest_ascend_tune.reports.figures.predicted import (  # start-up: matplotlib
            predicted_figure,
            predicted_series,
        )
        from pytest_ascend_tune.session.publish import predicted_time  # start-up: matplotlib and sqlalchemy

        target = Path(options.picture)
        series = predicted_series(predicted_time(problem, config, options.device), "en")
        tell(replace_bytes(target, picture(predicted_figure(series), target.suffix), PICTURE_SIGN))
    return 0


EXPLAIN = Command(
    "explain",
    "say where the simulated time of a configuration goes (a model, no measurement)",
    _explain_arguments,
    _explain,
)


def _export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dir", default=".ascend-tune", help="where baselines stand (default .ascend-tune)")
    parser.add_argument("--baseline", default="main", help="which named set (default main)")
    parser.add_argument("--json", metavar="FILE", help="write JSON ('-' for standard output)")
    parser.add_argument(
        "--header", metavar="FILE", help="write a C++ header with a lookup table ('-' for standard output)"
    )


def _export(options: Namespace) -> int:
    folder = existing(options.dir)
    wanted = [(options.json, export_json), (options.header, export_header)]
    if not any(target for target, _ in wanted):
        wanted = [("-", export_json)]
    for target, export in wanted:
        if target == "-":
            tell(export(folder, options.baseline), end="")
        elif target:
            tell(replace_text(Path(target), export(folder, options.baseline), EXPORT_SIGN))
    return 0


EXPORT = Command(
    "export", "write the best configurations of all baselines for a dispatcher", _export_arguments, _export
)
