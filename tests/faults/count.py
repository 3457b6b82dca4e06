"""How many faults of each kind were injected; the totals stand at the end of the output."""

from __future__ import annotations

from collections import Counter

INJECTED: Counter[str] = Counter()
