from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    """No test cuts the power; that files are synced, and when, is tested in test_atomic with a recording fsync."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
