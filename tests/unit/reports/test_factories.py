"""The factory of the other tests makes consistent values."""

from pytest_ascend_tune.model.verdict import GateStatus
from tests.factories import every_status, gate_result


def test_every_status_once_with_its_own_problem() -> None:
    results = every_status()
    assert [result.status for result in results] == list(GateStatus)
    assert len({result.tuning.problem.id for result in results}) == len(results)


def test_numbers_agree_with_the_status() -> None:
    worse = gate_result(GateStatus.REGRESSED)
    assert worse.confirmation is not None
    assert worse.baseline is not None
    assert worse.confirmation.tflops < 0.95 * worse.baseline.measurement.tflops
    assert gate_result(GateStatus.NOTHING_VALID).confirmation is None
    assert gate_result(GateStatus.NO_BASELINE).baseline is None


def test_the_same_seed_makes_the_same_result() -> None:
    assert gate_result(seed=5) == gate_result(seed=5)
    assert gate_result(seed=5) != gate_result(seed=6)
