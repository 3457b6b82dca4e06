"""The commands of ``ascend-tune``, one file each. Come here to add one: a Command and a line in COMMANDS.

Modules here import nothing heavy at the top: ``ascend-tune --help`` answers at once.
"""

from pytest_ascend_tune.cli.base import Command
from pytest_ascend_tune.cli.baselines import BASELINE, CALIBRATE
from pytest_ascend_tune.cli.clean import CLEAN
from pytest_ascend_tune.cli.compiling import COMPILE
from pytest_ascend_tune.cli.evidence import COMPARE, PLOT, REPORT
from pytest_ascend_tune.cli.setup import DOCTOR, INIT
from pytest_ascend_tune.cli.spaces import EXPLAIN, EXPORT, SPACE
from pytest_ascend_tune.cli.tune import AB, TUNE

COMMANDS: tuple[Command, ...] = (
    TUNE,
    AB,
    PLOT,
    REPORT,
    COMPARE,
    CALIBRATE,
    BASELINE,
    SPACE,
    EXPLAIN,
    EXPORT,
    CLEAN,
    COMPILE,
    INIT,
    DOCTOR,
)
