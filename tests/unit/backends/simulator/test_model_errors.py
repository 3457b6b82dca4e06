"""The model against published measurements: the errors that the documentation states hold for the constants in use."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from benchmarks.simulator import fit as fitting
from benchmarks.simulator.measurements import find_data, fit_rows
from pytest_ascend_tune.backends.simulator.constants import FITTED
from pytest_ascend_tune.backends.simulator.prediction import BAND

pytestmark = pytest.mark.skipif(
    find_data() is None,
    reason="published measurements not here (set ASCEND_TUNE_SHARED to the folder that holds data/)",
)


@pytest.fixture(scope="module")
def rows():
    return fit_rows()


@pytest.fixture(scope="module")
def ratio(rows):
    return rows.predict() / rows.measured_us


def test_errors_of_rows_with_a_known_tile(ratio):
    error = np.abs(ratio - 1)
    assert np.median(error) <= 0.13
    assert np.percentile(error, 90) <= 0.35


@pytest.mark.parametrize("sweep", ["B3bas", "B4bas"])
def test_tile_sweeps_of_plain_kernels_are_ranked(rows, ratio, sweep):
    chosen = rows.group == sweep
    assert chosen.sum() >= 9
    predicted = (ratio * rows.measured_us)[chosen]
    assert spearmanr(predicted, rows.measured_us[chosen])[0] >= 0.85


@pytest.mark.parametrize(("slow", "fast", "what"), fitting.PAIRS, ids=[pair[2] for pair in fitting.PAIRS])
def test_paired_effects_have_the_measured_sign(rows, ratio, slow, fast, what):
    index = {row["id"]: i for i, row in enumerate(rows.rows)}
    one, two = index[slow], index[fast]
    predicted = ratio * rows.measured_us
    assert (predicted[two] < predicted[one]) == (rows.measured_us[two] < rows.measured_us[one])


@pytest.mark.slow
def test_a_source_left_out_is_still_predicted_and_the_band_is_the_stated_one(rows):
    ratios = []
    for source in set(rows.source):
        constants, padding_us = fitting.fit(rows.where(rows.source != source))
        left = rows.where(rows.source == source)
        ratios.append(left.predict(constants, padding_us) / left.measured_us)
    every = np.concatenate(ratios)
    assert np.median(np.abs(every - 1)) <= 0.18
    assert np.mean((1 / every >= BAND[0]) & (1 / every <= BAND[1])) >= 0.88


@pytest.mark.slow
def test_fitting_again_gives_the_constants_in_use(rows):
    constants, _ = fitting.fit(rows)
    for name in fitting.PRIORS:
        assert getattr(constants, name) == pytest.approx(getattr(FITTED, name), rel=0.02), name
