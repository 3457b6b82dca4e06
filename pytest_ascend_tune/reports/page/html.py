"""The page: one self-contained HTML file that needs no script and no network; words and numbers come from view.py."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures import plots
from pytest_ascend_tune.reports.figures.svg import to_svg
from pytest_ascend_tune.reports.messages import translate
from pytest_ascend_tune.reports.rows import ProblemView, ReportView
from pytest_ascend_tune.reports.sentences import INCOMPLETE
from pytest_ascend_tune.reports.view import problem_view
from pytest_ascend_tune.reports.words import GLOSSARY

MOST_TIPS = 100  # trials; above this points carry no hover text, the trial table has it all


def page(view: ReportView) -> str:
    """The whole page."""
    template = _environment().get_template("page.html")

    def t(template: str, /, **values: object) -> str:
        return translate(Text(template, tuple(values.items())), view.language)

    return template.render(
        view=view,
        t=t,
        pictures=_pictures,
        style=_file("style.css"),
        script=_file("enhance.js"),
        incomplete=translate(INCOMPLETE, view.language),
        glossary=[(translate(term, view.language), translate(meaning, view.language)) for term, meaning in GLOSSARY],
    )


def row_pictures(result: GateResult, language: str) -> tuple[str, str]:
    """Both pictures of a result as SVG for another page (a row of pytest-html); their ids are unique to its node id."""
    key = hashlib.sha256(f"{result.nodeid} {result.problem_id}".encode("utf-8", "backslashreplace")).hexdigest()
    drawn = _pictures(problem_view(result, language, anchor=f"ascend-tune-{key[:12]}"), captioned=False)
    return drawn["convergence"], drawn["distribution"]


def _pictures(problem: ProblemView, *, captioned: bool = True) -> dict[str, Markup]:
    """The SVG pictures of a problem by name; those that do not apply are missing.

    `captioned`: the words of each stand beside it, in an element whose id the picture names.
    """
    tips: dict[str, list[str]] = {}
    if len(problem.convergence.points) <= MOST_TIPS:
        valid = {point.index for point in problem.convergence.valid}
        names = problem.parameter_names
        words = [(row.index, f"{row.index}: {row.rate} ({_config(names, row.values)})") for row in problem.trial_rows]
        tips["dots"] = [tip for index, tip in words if index in valid]
        tips["failed"] = [tip for index, tip in words if index not in valid]
    drawn: dict[str, tuple[Any, Callable[[Any], Figure], str]] = {
        "convergence": (problem.convergence, plots.convergence_figure, problem.read_convergence),
        "distribution": (problem.distribution, plots.distribution_figure, problem.read_distribution),
        "comparison": (problem.comparison, plots.comparison_figure, problem.read_comparison),
        "roofline": (problem.roofline, plots.roofline_figure, problem.read_roofline),
        "predicted": (problem.predicted, plots.predicted_figure, problem.read_predicted),
        "trend": (problem.trend, plots.trend_figure, problem.read_trend),
    }
    return {
        name: Markup(
            to_svg(
                figure(series),
                name=f"{problem.anchor}-{name}",
                title=series.title,
                description="" if captioned else words,
                tips=tips if name == "convergence" else {},
            )
        )
        for name, (series, figure, words) in drawn.items()
        if series is not None
    }


def _config(names: Sequence[str], values: Sequence[str]) -> str:
    return " ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("pytest_ascend_tune.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _file(name: str) -> Markup:
    """A file of templates/, trusted because it is part of the package."""
    return Markup((resources.files("pytest_ascend_tune.reports.page.templates") / name).read_text("utf-8"))
