"""Faults put into compiled schedules: how many are found, judged by an interpreter of its own.

``python -m benchmarks.triton faults [NAME ...]``: all faults of every kind (tests/hivm/faults.py) in the recorded
schedules (tests/data/hivm). A fault counts when the judge (tests/hivm/judge.py) sees another byte or a broken order;
the others must raise no alarm. Slow: the judge enumerates what may happen before what.
"""

from __future__ import annotations

import sys
from collections import Counter

from pytest_ascend_tune.backends.hivm.execute import execute
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.model.errors import TrialError
from tests.hivm.cases import CASES, error, recorded
from tests.hivm.faults import faults
from tests.hivm.judge import judge


def main() -> None:
    """Print what disagrees, then a table of kinds."""
    table: Counter[tuple[str, bool, bool]] = Counter()
    for name in sys.argv[1:] or CASES:
        case, text = CASES[name], recorded(name)
        operands, right = case.operands()
        untouched = judge(text, operands, case.cores)
        assert not untouched.differs(untouched), f"the judge itself refuses {name}"
        allowed = 1 if case.epilogue else 0
        for fault in faults(text):
            must = judge(fault.text, operands, case.cores).differs(untouched)
            mine = [operand.copy() for operand in operands]
            try:
                told = execute(read_program(fault.text), mine, case.cores)
                found = bool(told.notes) or error(mine[-1], right, case.result) > allowed
            except TrialError:
                found = True
            table[fault.kind, must, found] += 1
            if must != found:
                print(f"{name}, line {fault.line}, {fault.kind}: {'missed' if must else 'alarm'}", flush=True)
        print(name, "done", flush=True)
    print(f"{'fault':18} {'found':>6} {'missed':>7} {'changes nothing':>16} {'alarms on these':>16}")
    for kind in sorted({kind for kind, _, _ in table}):
        counts = table[kind, True, True], table[kind, True, False], table[kind, False, False], table[kind, False, True]
        print(f"{kind:18} {counts[0]:6d} {counts[1]:7d} {counts[2] + counts[3]:16d} {counts[3]:16d}")
