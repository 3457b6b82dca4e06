"""Both pictures of a search as PNG files of fixed names in the run's folder."""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pytest_ascend_tune.files.workspace import PICTURE_SIGN, check_replaceable, replace_bytes
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures import convergence, distribution
from pytest_ascend_tune.reports.figures.canvas import chinese_font
from pytest_ascend_tune.reports.figures.picture import Source

CONVERGENCE_PNG = "bo_convergence_curve.png"
DISTRIBUTION_PNG = "bo_performance_distribution.png"
PNG_DPI = 220


def picture_language(language: str) -> str:
    """The language of PNG pictures: Chinese only where a font has the characters (never squares)."""
    return language if language == "en" or chinese_font() else "en"


def png(figure: Figure) -> bytes:
    """The figure as PNG, the same bytes for the same picture."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(buffer, format="png", dpi=PNG_DPI, metadata={"Software": "pytest-ascend-tune"})
    return buffer.getvalue()


def picture(figure: Figure, suffix: str) -> bytes:
    """The figure in the form that a file's suffix names. Raises SettingsError for others than png, svg and pdf."""
    kind = suffix.lower().removeprefix(".") or "png"
    if kind == "png":
        return png(figure)
    if kind not in ("svg", "pdf"):
        raise SettingsError(f"{suffix!r}: pictures are drawn as png, svg or pdf; name the file so")
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, metadata={"Creator": "pytest-ascend-tune"})
    return buffer.getvalue()


def write_run_pictures(result: GateResult, folder: Path, *, language: str = "en") -> tuple[Path, Path]:
    """Draw both PNGs of one result from its trials and write them into `folder`, each whole or not at all.

    Raises RecordError, with nothing written, when a file of one of these names is not ours.
    """
    source, paths = Source(picture_language(language)), (folder / CONVERGENCE_PNG, folder / DISTRIBUTION_PNG)
    for path in paths:
        check_replaceable(path, PICTURE_SIGN)
    figures = (
        convergence.convergence_figure(convergence.series_of(result, source)),
        distribution.distribution_figure(distribution.series_of(result, source)),
    )
    for path, figure in zip(paths, figures, strict=True):
        replace_bytes(path, png(figure), PICTURE_SIGN)
    return paths
