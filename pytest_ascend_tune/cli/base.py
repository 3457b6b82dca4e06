"""What a command is, and the arguments that several of them share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import ProblemError, RecordError
from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.problem import Dtype, GemmProblem, Layout

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


@dataclass(frozen=True)
class Command:
    """Name, one line of help, its arguments, and what it does; ``run`` returns the exit code."""

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def whole(text: str) -> int:
    """A size on the command line; which sizes make a problem is GemmProblem's to say."""
    if not re.fullmatch(r"[+-]?[0-9]{1,100}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def tell(text: object = "", *, end: str = "\n", to_errors: bool = False) -> None:
    """Print what terminals and CI logs only show; every command prints by this."""
    print(printable(str(text)), end=end, file=sys.stderr if to_errors else sys.stdout)


def add_problem(parser: ArgumentParser) -> None:
    """--m --n --k or --matrix-size, --dtype, --layout."""
    group = parser.add_argument_group("problem: C[m, n] = A[m, k] B[k, n]")
    for name in ("m", "n", "k"):
        group.add_argument(f"--{name}", type=whole, metavar=name.upper())
    group.add_argument("--matrix-size", "--matrix_size", type=whole, metavar="S", help="m = n = k = S")
    group.add_argument("--dtype", choices=[dtype.value for dtype in Dtype], help="default: the backend's")
    group.add_argument(
        "--layout",
        choices=[layout.value for layout in Layout],
        default="nn",
        help="of A and B: n = row-major, t = transposed",
    )


def problem_of(options: Namespace, default_dtype: Dtype) -> GemmProblem | None:
    """The problem that the options name, None when they name none. Raises ProblemError for half of one."""
    sizes = [options.m, options.n, options.k]
    if options.matrix_size is not None:
        if any(size is not None for size in sizes):
            raise ProblemError("--matrix-size and --m, --n, --k exclude each other; give one of them")
        sizes = [options.matrix_size] * 3
    if all(size is None for size in sizes):
        return None
    if None in sizes:
        raise ProblemError("give --m, --n and --k together, or --matrix-size")
    m, n, k = sizes
    return GemmProblem(m, n, k, Dtype(options.dtype) if options.dtype else default_dtype, Layout(options.layout))


def existing(folder: str) -> Path:
    """A folder to read from. Raises RecordError: a mistyped one must not look like one that holds nothing."""
    if not Path(folder).is_dir():
        raise RecordError(f"{folder}: there is no such folder; name the one that {switch('dir')} named when tuning")
    return Path(folder)


def needed_problem(options: Namespace, default_dtype: Dtype) -> GemmProblem:
    """As :func:`problem_of`; naming none is an error."""
    problem = problem_of(options, default_dtype)
    if problem is None:
        raise ProblemError("no problem: give --m, --n and --k, or --matrix-size")
    return problem
