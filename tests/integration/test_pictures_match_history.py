"""The pictures of a run's folder hold exactly the trials of its history.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from matplotlib.lines import Line2D

from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.records.runs.results import read_run, write_run
from pytest_ascend_tune.reports.figures import convergence, distribution
from pytest_ascend_tune.reports.figures.picture import Source
from tests.factories import gate_result


@pytest.mark.parametrize("status", [GateStatus.REGRESSED, GateStatus.NOTHING_VALID, GateStatus.NO_BASELINE])
def test_points_are_those_of_the_file(tmp_path: Path, status: GateStatus) -> None:
    result = gate_result(status)
    write_run(tmp_path, result)
    trials = json.loads((tmp_path / "history.json").read_text("utf-8"))["trials"]
    valid = [(trial["index"], trial["tflops"]) for trial in trials if trial["success"]]
    failed = [trial["index"] for trial in trials if not trial["success"]]

    for drawn in (result, read_run(tmp_path)):
        figure = convergence.convergence_figure(convergence.series_of(drawn, Source()))
        lines = {line.get_gid(): line for line in figure.findobj(Line2D) if isinstance(line, Line2D)}
        assert list(lines["dots"].get_xdata()) == [index for index, _ in valid]  # type: ignore[arg-type]
        assert list(lines["dots"].get_ydata()) == pytest.approx([rate for _, rate in valid], rel=1e-5)  # type: ignore[arg-type]
        assert list(lines["failed"].get_xdata()) == failed  # type: ignore[arg-type]
        values = list(distribution.series_of(drawn, Source()).values)
        assert values == pytest.approx([rate for _, rate in valid], rel=1e-5)
        if valid:
            assert max(lines["stair"].get_ydata()) == pytest.approx(max(rate for _, rate in valid), rel=1e-5)  # type: ignore[arg-type]
