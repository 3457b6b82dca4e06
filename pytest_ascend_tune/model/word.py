"""Enums that the errors need: apart from the values, so that a pytest that tunes nothing need not load that."""

from __future__ import annotations

from enum import Enum


class Word(str, Enum):
    """An enum whose members print, compare and serialise as their value."""

    def __str__(self) -> str:
        return str(self.value)


class FailureKind(Word):
    """Why a trial has no time."""

    BUILD_ERROR = "build_error"
    BUILD_TIMEOUT = "build_timeout"
    CRASH = "crash"
    TIMEOUT = "timeout"
    WRONG_RESULT = "wrong_result"
    OUT_OF_MEMORY = "out_of_memory"
