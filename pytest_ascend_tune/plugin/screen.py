"""The terminal as the session sees it: progress goes past pytest's capturing."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import pytest

from pytest_ascend_tune.session.screen import Screen


class PastCapture:
    """Writes text where a terminal reporter writes; without one, or with -q, nobody wants it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._at_line_start = True

    def __call__(self, text: str) -> None:
        """Write `text` as it is."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or self._config.option.verbose < 0:
            return
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            if self._at_line_start:
                reporter.ensure_newline()
            reporter.write(text, flush=True)
        self._at_line_start = text.endswith("\n")


def screen_of(config: pytest.Config) -> Screen:
    """The screen of a pytest run."""
    real = sys.__stdout__
    return Screen(
        write=PastCapture(config),
        is_terminal=real is not None and real.isatty(),
        encoding=getattr(real, "encoding", None) or "ascii",
    )
