"""``ascend-tune baseline`` and ``calibrate``: what later runs are compared with, and how noisy this machine is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from pytest_ascend_tune.cli.base import Command, add_problem, existing, needed_problem, tell
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import BaselineError, RecordError
from pytest_ascend_tune.model.verdict import BaselineKey, GateStatus
from pytest_ascend_tune.options.settings import resolve
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.runs import folders
from pytest_ascend_tune.records.runs.results import read_run


def _baseline_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|show|accept|prune", required=True)
    listing = actions.add_parser("list", help="one line a baseline")
    show = actions.add_parser("show", help="everything about the baselines of a problem")
    show.add_argument("problem", metavar="PROBLEM-ID")
    accept = actions.add_parser("accept", help="record the confirmed results of a run")
    accept.add_argument("runs", nargs="+", metavar="RUN", help="run folder, or one problem's folder in it")
    accept.add_argument(
        "--accept-regression", action="store_true", help="also record results that are lower than the stored ones"
    )
    prune = actions.add_parser("prune", help="delete baselines, and sources that no baseline uses any more")
    prune.add_argument(
        "problems", nargs="*", metavar="PROBLEM-ID", help="baselines to delete (none: only unused sources)"
    )
    for action in (listing, show, accept, prune):
        action.add_argument("--dir", default=".ascend-tune", help="where baselines stand (default .ascend-tune)")
        action.add_argument("--name", default="main", help="which named set (default main)")


def _baseline(options: Namespace) -> int:
    return {"list": _list, "show": _show, "accept": _accept, "prune": _prune}[options.action](options)


def _keys(options: Namespace, problem_id: str | None = None) -> list[BaselineKey]:
    keys = BaselineStore(existing(options.dir)).list(options.name)
    found = [key for key in keys if problem_id in (None, key.id)]
    if problem_id is not None and not found:
        known = ", ".join(sorted({key.id for key in keys})) or "none"
        raise BaselineError(f"no baseline of {problem_id} in set {options.name!r} of {options.dir}; there are: {known}")
    return found


def _list(options: Namespace) -> int:
    store = BaselineStore(Path(options.dir))
    keys = _keys(options)
    if not keys:
        tell(f"no baselines in set {options.name!r} of {options.dir}; {switch('missing')}=seed records them")
    for key in keys:
        baseline = store.load(key)
        if baseline is not None:
            rate, share = baseline.measurement.tflops, baseline.measurement.efficiency_share
            marks = ("  simulated" if baseline.simulated else "") + ("  provisional" if baseline.provisional else "")
            place = f"{baseline.recorded_at[:10]}  {key.device}/{key.template}{marks}"
            tell(f"{key.id:40} {rate:10.4g} ({share:.0%} of peak)  {place}")
    return 0


def _show(options: Namespace) -> int:
    store = BaselineStore(Path(options.dir))
    for key in _keys(options, options.problem):
        path = store.path(key)
        store.load(key)
        tell(path)
        tell(path.read_text(encoding="utf-8"), end="")
    return 0


def _accept(options: Namespace) -> int:
    from pytest_ascend_tune.session.record import provisional_note  # start-up: numpy

    store, accepted = BaselineStore(Path(options.dir)), 0
    for name in options.runs:
        for folder in folders.result_folders(Path(name)):
            result = read_run(folder)
            if result.confirmation is None:
                tell(f"left out  {folder.name}: nothing was confirmed")
                continue
            if result.status is GateStatus.REGRESSED and not options.accept_regression:
                raise BaselineError(
                    f"{folder}: {result.verdict.reason}. If the loss is wanted, accept it with --accept-regression"
                )
            path = store.accept(folder, options.name, accept_regression=options.accept_regression)
            tell(f"recorded  {path}")
            if result.confirmation.health.busy:
                tell(f"          {provisional_note()}")
            accepted += 1
    if not accepted:
        raise RecordError(f"{', '.join(options.runs)}: no confirmed result found to accept")
    return 0


def _prune(options: Namespace) -> int:
    store = BaselineStore(existing(options.dir))
    doomed = [key for problem in options.problems for key in _keys(options, problem)]
    for path in store.prune(options.name, doomed):
        tell(f"deleted  {path}")
    return 0


BASELINE = Command("baseline", "list, show, accept or prune stored baselines", _baseline_arguments, _baseline)


def _calibrate_arguments(parser: ArgumentParser) -> None:
    add_problem(parser)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--template")
    parser.add_argument("--rounds", type=int, default=10, metavar="N", help="no-change confirmations (default 10)")
    parser.add_argument("--dir", default=".ascend-tune", help="where the result is kept (default .ascend-tune)")


def _calibrate(options: Namespace) -> int:
    from pytest_ascend_tune.cli.calibrating import calibrate_device  # start-up: numpy and skopt
    from pytest_ascend_tune.session.run import TuneSession  # start-up: numpy and skopt

    settings = resolve({"backend": options.backend, "template": options.template, "dir": options.dir}, {})
    session = TuneSession(settings, Path.cwd())
    try:
        session.open()
        problem = needed_problem(options, session.backend.default_dtype)

        def progress(line: str) -> None:
            tell(line, to_errors=True)

        for line in calibrate_device(session, problem, options.rounds, progress):
            tell(line)
    finally:
        session.close()
    return 0


CALIBRATE = Command(
    "calibrate", "measure this machine's noise and suggest a threshold", _calibrate_arguments, _calibrate
)
