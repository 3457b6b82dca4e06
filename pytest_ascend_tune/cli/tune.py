"""``ascend-tune tune``: the same session as in pytest, for one problem or a shapes file."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from pytest_ascend_tune.cli.base import Command, add_problem, own_names, problem_of, tell
from pytest_ascend_tune.model.errors import AscendTuneError, ProblemError
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import NotMeasured
from pytest_ascend_tune.options.settings import Request, resolve
from pytest_ascend_tune.options.table import OPTIONS, Option

SEED = "42"  # the seed's own default, so that its command lines give one known search
_SPELLINGS = {"max_iter": ("--max_iter",), "dir": ("--output",)}


def _offered() -> list[Option]:
    return [option for option in OPTIONS if option.name != "enabled"]


def _arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    group = parser.add_argument_group("options (as in pytest, without the prefix --ascend-tune)")
    for option in _offered():
        names = (f"--{option.name.replace('_', '-')}", *_SPELLINGS.get(option.name, ()))
        if option.flag:
            group.add_argument(*names, dest=option.name, action="store_true", help=option.help)
        else:
            action = "append" if option.repeatable else "store"
            text = option.help.replace("%", "%%")
            group.add_argument(*names, dest=option.name, action=action, metavar=option.metavar, help=text)


def _run(options: Namespace) -> int:
    from pytest_ascend_tune.options.shapes import read_shapes
    from pytest_ascend_tune.session.run import TuneSession

    given = {option.name: getattr(options, option.name) for option in _offered()}
    settings = resolve({**given, "seed": given["seed"] or SEED}, {})

    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    session = TuneSession(
        settings,
        Path.cwd(),
        write=write,
        is_terminal=sys.stderr.isatty(),
        encoding=sys.stdout.encoding or "ascii",
    )
    try:
        session.open()
        dtype = session.backend.default_dtype
        requests = [
            Request(shape.problem, settings.for_test(dict(shape.arguments)))
            for name in settings.shapes
            for shape in read_shapes(Path(name), dtype)
        ]
        problem = problem_of(options, dtype)
        if problem is not None:
            requests.insert(0, Request(problem, settings))
        if not requests:
            raise ProblemError("no problem: give --m, --n and --k, or --matrix-size, or --shapes FILE")
        for request in requests:
            reason = session.cannot(request.problem)
            if reason:
                raise ProblemError(reason)
        session.check(requests)
        interrupted = False
        try:
            for request in requests:
                session.gate(request)
        except KeyboardInterrupt:
            interrupted = True
            raise
        except AscendTuneError as error:
            refused = requests[len(session.results)]
            session.missed.append(NotMeasured("", refused.problem.id, Text.of("{reason}", reason=str(error))))
            raise
        finally:
            left = requests[len(session.results) + len(session.missed) :]
            ended = Text.of("the run ended before it")
            session.missed += [NotMeasured("", request.problem.id, ended, skipped=True) for request in left]
            if session.results or session.missed:
                session.publish(interrupted=interrupted)
                for line in session.summary(shutil.get_terminal_size().columns):
                    tell(own_names(line, options))
        return int(any(result.verdict.fails for result in session.results))
    finally:
        session.close()


TUNE = Command("tune", "tune, confirm and gate a GEMM problem; writes run folder, report and history", _arguments, _run)
