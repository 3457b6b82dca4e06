"""``ascend-tune plot``, ``report``, ``compare``: from files of earlier runs to pictures, pages and an answer."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune.cli.base import Command, tell
from pytest_ascend_tune.cli.comparing import compare_runs
from pytest_ascend_tune.model.errors import RecordError, SettingsError
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, GateStatus, Verdict
from pytest_ascend_tune.options.parse import parse_percent
from pytest_ascend_tune.records.runs.folders import BEST_CONFIG, result_folders
from pytest_ascend_tune.records.runs.results import read_history, read_missed, read_run
from pytest_ascend_tune.reports.messages import pick_language
from pytest_ascend_tune.session.clock import utc_now

if TYPE_CHECKING:
    from pytest_ascend_tune.records.history.store import History

COARSE_THRESHOLD = "10%"  # numbers of two days wander by several per cent; the gate's platform step uses the same


def _plot_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", help="a problem's run folder, its history.json, or the seed's result folder or history list"
    )
    parser.add_argument("--output", default="image", help="folder for the two PNGs (default image)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")


def _plot(options: Namespace) -> int:
    from pytest_ascend_tune.reports.figures.png import write_run_pictures  # start-up: matplotlib

    result = _judged(Path(options.path)) or _unjudged(read_history(Path(options.path)))
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    for path in write_run_pictures(result, folder, language=options.lang):
        tell(path)
    return 0


def _judged(path: Path) -> GateResult | None:
    folder = path if path.is_dir() else path.parent
    return read_run(folder) if (folder / BEST_CONFIG).is_file() and (folder / "history.json").is_file() else None


def _unjudged(tuning: object) -> GateResult:
    assert isinstance(tuning, TuningResult)
    verdict = Verdict(
        GateStatus.INCONCLUSIVE, Text.of("read from a file: nothing was confirmed or judged"), fails=False
    )
    return GateResult(tuning, verdict)


PLOT = Command(
    "plot", "draw the convergence curve and the performance distribution of a recorded search", _plot_arguments, _plot
)


def _report_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run folder (DIR/runs/<run>), or one problem's folder in it"
    )
    parser.add_argument("--output", default="report", help="folder for index.html and results.json (default report)")
    parser.add_argument("--lang", choices=("en", "zh", "auto"), default="auto")


def _report(options: Namespace) -> int:
    from pytest_ascend_tune.session.publish import Publication, publish_all  # start-up: matplotlib and sqlalchemy

    results = [result for name in options.runs for result in read_results(Path(name))]
    missed = [one for name in options.runs for one in read_missed(Path(name))]
    folder = Path(options.output)
    files = (folder / "index.html", folder / "results.json", folder / "summary.md")
    history = _history_beside(Path(options.runs[0]))
    language = pick_language(options.lang, os.environ)
    for path in publish_all(Publication(results, missed, utc_now(), language, history), *files):
        tell(path)
    return 0


def _history_beside(run: Path) -> History | None:
    """The history of the directory that a run's folder stands in, None where there is none."""
    from pytest_ascend_tune.records.history.store import History  # start-up: sqlalchemy

    for folder in run.resolve().parents:
        if (folder / "history.sqlite").is_file():
            return History(f"sqlite:///{folder / 'history.sqlite'}")
    return None


def read_results(path: Path) -> list[GateResult]:
    """All judged results at or below a folder; none is an error unless it says why. Raises RecordError."""
    results = [read_run(folder) for folder in result_folders(path)]
    if not results and not read_missed(path):
        raise RecordError(
            f"{path}: no finished result in it; a run folder as .ascend-tune/runs/20261130-083100 is needed"
        )
    return results


REPORT = Command("report", "build the HTML report and results.json again from run folders", _report_arguments, _report)


def _compare_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="run folder to compare with (the older one)")
    parser.add_argument("b", metavar="B", help="run folder to judge")
    parser.add_argument(
        "--threshold", default=COARSE_THRESHOLD, help=f"drop that counts as slower (default {COARSE_THRESHOLD}%)"
    )
    parser.add_argument("--fail", action="store_true", help="exit with 1 when a problem is slower or missing in B")


def _compare(options: Namespace) -> int:
    try:
        threshold = parse_percent(options.threshold)
    except SettingsError as error:
        raise SettingsError(f"--threshold: {error}") from None
    rows = compare_runs(read_results(Path(options.a)), read_results(Path(options.b)), threshold)
    tell(
        "stored numbers of two runs, relative to the reference kernel where both have the same one; "
        f"allowed drop {threshold:.1%}"
    )
    for row in rows:
        tell(row.line)
    return int(options.fail and any(row.bad for row in rows))


COMPARE = Command(
    "compare",
    "compare the confirmed results of two runs (coarse: two days are not one minute)",
    _compare_arguments,
    _compare,
)
