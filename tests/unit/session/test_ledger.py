"""What was asked for and not told of is missed, once, for both doors."""

from dataclasses import replace

import pytest

from pytest_ascend_tune.session.ledger import Ledger
from tests.factories import gate_result

RESULT = gate_result(nodeid="")
DONE = RESULT.tuning.problem.id
OTHER = "64x64x64-float32-nn"


@pytest.mark.parametrize(
    ("nodeids", "left"),
    [
        (("", ""), [OTHER]),  # the command line: the problem says which is which
        (("t.py::test_a", "t.py::test_a"), []),  # a test of two calls had its turn
        (("t.py::test_a", "t.py::test_b"), [OTHER]),
    ],
)
def test_what_the_run_ended_before(nodeids, left):
    ledger = Ledger()
    ledger.add(replace(RESULT, nodeid=nodeids[0]))
    ledger.end(zip(nodeids, (DONE, OTHER), strict=True))
    assert [one.problem_id for one in ledger.missed] == left
    assert all(str(one.reason) == "the run ended before it" and one.skipped for one in ledger.missed)
    ledger.end(zip(nodeids, (DONE, OTHER), strict=True))
    assert len(ledger.missed) == len(left), "told once"


def test_a_test_that_is_run_again_says_what_it_was_before():
    ledger = Ledger()
    first = ledger.add(replace(RESULT, nodeid="t.py::test_a"))
    ledger.forget("t.py::test_a")
    assert not ledger
    again = ledger.add(replace(RESULT, nodeid="t.py::test_a"))
    assert again.verdict.notes[: len(first.verdict.notes)] == first.verdict.notes
    assert str(again.verdict.notes[-1]).startswith("the test was run again; before, it ended with: ")
