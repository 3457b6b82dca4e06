"""``ascend-tune tune``: the same session as in pytest, for one problem or a shapes file."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune.cli.base import Command, add_problem, problem_of, tell
from pytest_ascend_tune.model.errors import AscendTuneError, DeviceBusyError, ProblemError
from pytest_ascend_tune.options.settings import Request, resolve
from pytest_ascend_tune.options.shapes import read_shapes
from pytest_ascend_tune.options.table import OPTIONS, Option

if TYPE_CHECKING:
    from pytest_ascend_tune.session.jobs import GateJob
    from pytest_ascend_tune.session.run import TuneSession

SEED = "42"  # the seed's own default, so that its command lines give one known search
_SPELLINGS = {"max_iter": ("--max_iter",), "dir": ("--output",)}


def _offered() -> list[Option]:
    return [option for option in OPTIONS if option.name != "enabled"]


def _arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    _add_options(parser, _offered())


def _ab_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("against", metavar="REV", help=_against().help)
    add_problem(parser)
    _add_options(parser, [option for option in _offered() if option is not _against()])


def _against() -> Option:
    return next(option for option in OPTIONS if option.name == "against")


def _add_options(parser: ArgumentParser, options: Sequence[Option]) -> None:
    group = parser.add_argument_group("options (as in pytest, without the prefix --ascend-tune)")
    for option in options:
        names = (f"--{option.name.replace('_', '-')}", *_SPELLINGS.get(option.name, ()))
        if option.flag:
            group.add_argument(*names, dest=option.name, action="store_true", help=option.help)
        else:
            action = "append" if option.repeatable else "store"
            text = option.help.replace("%", "%%")
            group.add_argument(*names, dest=option.name, action=action, metavar=option.metavar, help=text)


def _run(options: Namespace) -> int:
    from pytest_ascend_tune.session.run import TuneSession  # start-up: numpy and skopt
    from pytest_ascend_tune.session.screen import Screen  # start-up: numpy and skopt

    given = {option.name: getattr(options, option.name) for option in _offered()}
    settings = resolve({**given, "seed": given["seed"] or SEED}, {})
    screen = Screen(_write, sys.stderr.isatty(), sys.stdout.encoding or "ascii")
    session = TuneSession(settings, Path.cwd(), screen=screen)
    try:
        session.open()
        return _gate_all(session, session.check(_requests(session, options)))
    finally:
        session.close()


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _requests(session: TuneSession, options: Namespace) -> list[Request]:
    """What the options ask for, each as it is asked for alone. Raises InvalidInputError."""

    settings, dtype = session.settings, session.backend.default_dtype
    problem = problem_of(options, dtype)
    requests = [] if problem is None else [Request(problem, settings.given({"shapes": ()}))]
    for shape in (shape for name in settings.shapes for shape in read_shapes(Path(name), dtype)):
        row = dict(shape.arguments)
        requests.append(Request(shape.problem, settings.for_test(row).given({**row, "shapes": ()})))
    if not requests:
        raise ProblemError("no problem: give --m, --n and --k, or --matrix-size, or --shapes FILE")
    for request in requests:
        reason = session.cannot(request.problem)
        if reason:
            raise ProblemError(reason)
    return requests


def _gate_all(session: TuneSession, jobs: Sequence[GateJob]) -> int:
    """Gate job after job, then report, whatever ended it; the exit code."""
    interrupted = False
    try:
        for job in jobs:
            try:
                session.gate(job)
            except DeviceBusyError as error:
                session.ledger.refused(job, error)
            except AscendTuneError as error:
                session.ledger.refused(job, error)
                raise
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        session.ledger.end((job.nodeid, job.id) for job in jobs)
        session.reporting.publish(interrupted=interrupted)
        for line in session.reporting.summary(shutil.get_terminal_size().columns):
            tell(line)
        for result in session.ledger.results:
            tell(f"pictures of {result.problem_id}: {session.places.folder / result.run_dir}")
    if session.ledger.missed:
        return 1
    return int(session.compared_nothing or any(result.verdict.fails for result in session.ledger.results))


TUNE = Command("tune", "tune, confirm and gate a GEMM problem; writes run folder, report and history", _arguments, _run)
AB = Command(
    "ab", "as tune, compared with the kernel of a git revision instead of a stored baseline", _ab_arguments, _run
)
