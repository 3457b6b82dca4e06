"""Every error a user can meet. Each says what was found, where, what is allowed and what to do.

Two families matter to callers: :class:`InvalidInputError` (fix the input; nothing was measured) and
:class:`TrialError` (one configuration failed; the search records it and goes on).
"""

from __future__ import annotations

from typing import ClassVar

from pytest_ascend_tune.model.word import FailureKind


class AscendTuneError(Exception):
    """Base of all errors of this package, except the gate's own verdict (:class:`PerformanceRegression`)."""


class InvalidInputError(AscendTuneError, ValueError):
    """Something given by the user cannot be used: pytest exits with 4, the command line with 2."""


class ProblemError(InvalidInputError):
    """m, n, k, dtype or layout of a GEMM problem is not usable."""


class SettingsError(InvalidInputError):
    """An option, ini value, marker argument or call argument is not usable."""


class ShapesFileError(InvalidInputError):
    """A shapes file (csv or json) is missing, empty or has a bad row; the message names file and line."""


class TemplateError(InvalidInputError):
    """A template folder or its space.toml is not usable; the message names file and key."""


class RevisionError(InvalidInputError):
    """A revision to compare with cannot be read: no git, no such commit, or the template is not in it."""


class SpaceError(InvalidInputError):
    """A search space has no legal configuration, or a configuration is not in it."""


class RecordError(InvalidInputError):
    """A stored file (baseline, journal, history, run) is damaged, foreign or from a newer version.

    It is left as it is.
    """


class BaselineError(RecordError):
    """A baseline cannot be read, or may not be written (the message says which rule forbids it)."""


class BackendUnavailableError(AscendTuneError):
    """A backend that was asked for cannot run on this machine; the message says why and how to fix it."""


class DeviceBusyError(AscendTuneError):
    """Another process did not let go of the device for as long as we wait; the message names it."""


class TrialError(AscendTuneError):
    """One configuration failed to build, to run or to give the right result. Becomes a failed trial."""

    kind: ClassVar[FailureKind] = FailureKind.CRASH


class BuildError(TrialError):
    """The compiler refused the configuration; the message holds the end of its log."""

    kind = FailureKind.BUILD_ERROR


class BuildTimeoutError(TrialError):
    """The compiler did not end within its time-out."""

    kind = FailureKind.BUILD_TIMEOUT


class KernelCrashError(TrialError):
    """The kernel killed its process or the device refused it (signal or device code in the message)."""

    kind = FailureKind.CRASH


class KernelTimeoutError(TrialError):
    """The kernel did not end within its time-out; its process was killed."""

    kind = FailureKind.TIMEOUT


class WrongResultError(TrialError):
    """The kernel's result is not the product of its operands (NaN and writes outside of C included)."""

    kind = FailureKind.WRONG_RESULT


class OutOfMemoryError(TrialError):
    """The kernel or its operands did not fit into memory."""

    kind = FailureKind.OUT_OF_MEMORY
