"""All pictures of a page, in its order."""

from __future__ import annotations

from typing import Any

from pytest_ascend_tune.reports.figures import comparison, convergence, distribution, predicted, roofline, trend
from pytest_ascend_tune.reports.figures.picture import Picture

PICTURES: tuple[Picture[Any], ...] = (
    convergence.PICTURE,
    distribution.PICTURE,
    comparison.PICTURE,
    roofline.PICTURE,
    predicted.PICTURE,
    trend.PICTURE,
)
