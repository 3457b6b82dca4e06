"""Does the rule hold on other cuts of the same sessions? Halves, other orders, other seeds, fewer rounds.

Recorded sessions took part in choosing the rule, so their rates may flatter it. Cuts of them show how much hangs on one
lucky arrangement; only sessions that were taken later (`--sessions`, `--samples`) are free of the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.gate.rules import Session, gate_rates

Rates = dict[str, list[bool]]
ORDERS = 3  # random orders of the sessions, each with its own bootstrap seed


def cuts(sessions: Sequence[Session]) -> Iterator[tuple[str, Rates]]:
    """(name, answers of the gate) for every cut."""
    middle, rounds = len(sessions) // 2, len(sessions[0]["A"])
    yield "first half of the sessions", gate_rates(sessions[:middle])
    yield "second half", gate_rates(sessions[middle:])
    yield "every other session", gate_rates(sessions[::2])
    yield "the other ones", gate_rates(sessions[1::2])
    yield "first half of the rounds", gate_rates(_each(sessions, lambda arm: arm[: rounds // 2]))
    yield "second half of the rounds", gate_rates(_each(sessions, lambda arm: arm[rounds // 2 :]))
    yield "rounds backwards", gate_rates(_each(sessions, lambda arm: arm[::-1]))
    generator = np.random.default_rng(0)
    together: Rates = {}
    for seed in range(1, ORDERS + 1):
        order = generator.permutation(len(sessions))
        for change, answers in gate_rates([sessions[index] for index in order], seed).items():
            together.setdefault(change, []).extend(answers)
    yield f"{ORDERS} orders of the sessions (what a second take meets) and seeds of the bootstrap", together


def _each(sessions: Sequence[Session], cut: Callable[[np.ndarray], np.ndarray]) -> list[Session]:
    return [{name: cut(arm) for name, arm in session.items()} for session in sessions]
