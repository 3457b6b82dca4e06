"""Ctrl-C where it would tear something that belongs together: held back until that is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """What runs inside is not interrupted; a Ctrl-C that came meanwhile takes effect after it.

    Only the main thread hears Ctrl-C: in others, and where Ctrl-C is ignored, this does nothing.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(came[0], None)
