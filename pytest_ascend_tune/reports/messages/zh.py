"""Chinese (simplified): English template -> translation with the same placeholders."""

from __future__ import annotations

CATALOGUE: dict[str, str] = {}
