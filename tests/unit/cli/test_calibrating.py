"""Calibration over occasions: what is kept, when it is enough, and when the gate uses it."""

from datetime import datetime, timedelta, timezone

import pytest

from pytest_ascend_tune.cli.calibrating import calibrate_device
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.options.settings import Request, resolve
from pytest_ascend_tune.records.baselines.calibrations import calibration_path, load_calibration
from pytest_ascend_tune.session.judge import policy_of
from pytest_ascend_tune.session.run import TuneSession

PROBLEM = GemmProblem(256, 256, 256, "float16")
NOON = datetime(2026, 12, 1, 12, tzinfo=timezone.utc)


def threshold_of(session, problem=PROBLEM):
    """Of comparisons with stored numbers, as the gate of a problem uses it."""
    return policy_of(session._context, session.jobs.of(Request(problem, session.settings))).platform_threshold


@pytest.fixture
def calibrated(tmp_path):
    """Calibrate so many minutes after noon; (lines, what is kept, threshold of stored numbers that the gate uses)."""

    def run(minutes: float, problem: GemmProblem = PROBLEM):
        now = NOON + timedelta(minutes=minutes)
        session = TuneSession(resolve({"backend": "simulator"}, {}), tmp_path, now=lambda: now)
        session.open()
        try:
            lines = list(calibrate_device(session, problem, 5, lambda line: None))
            return (
                lines,
                load_calibration(session.places.folder, session.backend.device),
                threshold_of(session, problem),
            )
        finally:
            session.close()

    return run


def test_two_occasions_ten_minutes_apart_are_enough(calibrated):
    lines, kept, used = calibrated(0)
    assert "Not enough: calibrated 1 of at least 2 times, over 0 of at least 10 minutes" in lines[0]
    assert (kept.enough, kept.runs, used) == (False, 5, 0.10)
    lines, kept, used = calibrated(9)
    assert "calibrated 2 of at least 2 times, over 9 of at least 10 minutes" in lines[0]
    assert (kept.enough, used) == (False, 0.10)
    assert not any("--ascend-tune-threshold" in line for line in lines)
    lines, kept, used = calibrated(10)
    assert "Not enough" not in lines[0]
    assert (kept.enough, kept.runs, len(kept.occasions)) == (True, 15, 3)
    assert used == kept.platform_threshold == 0.05
    assert "--ascend-tune-threshold=2.5 %" in lines[-1].replace("%", " %").replace("  ", " ")


def test_another_kernel_starts_anew_and_says_so(calibrated):
    calibrated(0)
    lines, kept, used = calibrated(20, GemmProblem(512, 512, 512, "float16"))
    assert (kept.enough, kept.runs, used) == (False, 5, 0.10)
    assert any("of another kernel, shape or compiler: it is replaced" in line for line in lines)


def test_a_file_of_an_earlier_version_is_read_and_is_not_enough(calibrated, tmp_path):
    path = calibration_path(tmp_path / ".ascend-tune", "simulated-910B1")
    path.parent.mkdir(parents=True)
    path.write_text(
        '{"schema": 1, "device": "simulated-910B1", "runs": 5, "noise_floor": 0.01, "between_runs": 0.02, '
        '"threshold": 0.025, "platform_threshold": 0.058, "recorded_at": "2026-11-20T09:30:00Z"}\n'
    )
    session = TuneSession(resolve({"backend": "simulator"}, {}), tmp_path)
    session.open()
    assert threshold_of(session) == 0.10
    session.close()
    _, kept, _ = calibrated(60)
    assert len(kept.occasions) == 1
