"""``ascend-tune clean``: deletes old runs, which a run does by itself at its end."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace

from pytest_ascend_tune.cli.base import Command, existing, tell, whole
from pytest_ascend_tune.options.table import KEEP_RUNS


def _count(text: str) -> int:
    number = whole(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed; a whole number >= 0 is needed")
    return number


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dir", default=".ascend-tune", help="where runs stand (default .ascend-tune)")
    parser.add_argument(
        "--keep", type=_count, default=KEEP_RUNS, metavar="N", help=f"newest runs to keep (default {KEEP_RUNS})"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be deleted, delete nothing")


def _run(options: Namespace) -> int:
    from pytest_ascend_tune.records.runs.prune import prune_runs  # start-up: the command only

    pruned = prune_runs(existing(options.dir), options.keep, dry_run=options.dry_run)
    for run in pruned.deleted:
        tell(f"{'would delete' if options.dry_run else 'deleted'}  {run}")
    for run, reason in pruned.kept:
        tell(f"kept     {run}: {reason}")
    if not (pruned.deleted or pruned.kept):
        tell(f"nothing to delete: {options.dir} holds no more than {options.keep} runs")
    return 0


CLEAN = Command(
    "clean", "delete old runs; keeps what can be resumed or accepted, and other people's files", _arguments, _run
)
