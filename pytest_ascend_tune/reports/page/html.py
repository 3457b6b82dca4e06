"""The page: one self-contained HTML file that needs no script and no network; words and numbers come from view.py."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures import convergence, distribution
from pytest_ascend_tune.reports.figures.picture import ShownPicture
from pytest_ascend_tune.reports.figures.svg import to_svg
from pytest_ascend_tune.reports.messages import translate
from pytest_ascend_tune.reports.page.glossary import GLOSSARY
from pytest_ascend_tune.reports.rows import ProblemView, ReportView
from pytest_ascend_tune.reports.sentences import INCOMPLETE
from pytest_ascend_tune.reports.view import problem_view


def page(view: ReportView) -> str:
    """The whole page."""
    template = _environment().get_template("page.html")

    def t(template: str, /, **values: object) -> str:
        return translate(Text(template, tuple(values.items())), view.language)

    return template.render(
        view=view,
        t=t,
        svg=_svg,
        style=_file("style.css"),
        script=_file("enhance.js"),
        incomplete=translate(INCOMPLETE, view.language),
        glossary=[(translate(term, view.language), translate(meaning, view.language)) for term, meaning in GLOSSARY],
    )


def row_pictures(result: GateResult, language: str) -> tuple[str, str]:
    """Both pictures of a result as SVG for another page (a row of pytest-html); their ids are unique to its node id."""
    key = hashlib.sha256(f"{result.nodeid} {result.problem_id}".encode("utf-8", "backslashreplace")).hexdigest()
    problem = problem_view(result, language, anchor=f"ascend-tune-{key[:12]}")
    shown = {picture.name: _svg(problem, picture, captioned=False) for picture in problem.pictures[:2]}
    return shown[convergence.PICTURE.name], shown[distribution.PICTURE.name]


def _svg(problem: ProblemView, picture: ShownPicture, *, captioned: bool = True) -> Markup:
    """A picture as SVG. `captioned`: its words stand beside it, in an element whose id it names."""
    return Markup(
        to_svg(
            picture.draw(),
            name=f"{problem.anchor}-{picture.name}",
            title=picture.series.title,
            description="" if captioned else picture.words,
            tips=picture.tips,
        )
    )


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
