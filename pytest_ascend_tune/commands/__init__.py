"""The commands of ``ascend-tune``, one file each. Come here to add one: a Command and a line in COMMANDS.

Modules here import nothing heavy at the top: ``ascend-tune --help`` answers at once.
"""

from pytest_ascend_tune.commands import baselines, evidence, setup, spaces, tune
from pytest_ascend_tune.commands.base import Command

COMMANDS: tuple[Command, ...] = (
    tune.TUNE,
    evidence.PLOT,
    evidence.REPORT,
    evidence.COMPARE,
    baselines.CALIBRATE,
    baselines.BASELINE,
    spaces.SPACE,
    spaces.EXPLAIN,
    spaces.EXPORT,
    setup.INIT,
    setup.DOCTOR,
)
