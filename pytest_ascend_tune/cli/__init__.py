"""Door of the command line: ``ascend-tune COMMAND``; exit 0 ok, 1 gate failed, 2 bad input.

- ``base``: what a command is, shared arguments; ``commands``: all of them
- ``tune``: tune and ab
- ``setup``: init and doctor, ``doctor``: its checks; ``baselines``: baseline and calibrate, ``calibrating``
- ``evidence``: plot, report and compare, ``comparing``; ``spaces``: space, explain and export
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from pytest_ascend_tune import __version__
from pytest_ascend_tune.cli.base import tell
from pytest_ascend_tune.cli.commands import COMMANDS
from pytest_ascend_tune.model.door import command_line
from pytest_ascend_tune.model.errors import AscendTuneError
from pytest_ascend_tune.model.printable import printable


class Parser(argparse.ArgumentParser):
    """Its refusals repeat what was typed."""

    def error(self, message: str) -> NoReturn:
        """As argparse's own, shown only."""
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = Parser(
        prog="ascend-tune",
        description="Tune GEMM kernels by Bayesian optimisation, confirm, gate, report; in tests: pytest --ascend-tune",
    )
    top.add_argument("--version", action="version", version=f"ascend-tune {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.help, description=command.help)
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; errors that a user can mend are one message on stderr."""
    options = parser().parse_args(arguments)
    try:
        with command_line(vars(options)):
            code: int = options.run(options)
    except AscendTuneError as error:
        tell(f"ascend-tune: {error}", to_errors=True)
        return 2
    except BrokenPipeError:
        return 0
    except OSError as error:
        tell(f"ascend-tune: {error.filename or 'output'}: {error.strerror or error}", to_errors=True)
        return 2
    except KeyboardInterrupt:
        tell("ascend-tune: interrupted; what was measured is kept", to_errors=True)
        return 130
    return code
