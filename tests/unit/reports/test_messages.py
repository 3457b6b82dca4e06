"""Every sentence of the package has a translation with the same placeholders; languages are picked as gettext does."""

import ast
import string
from functools import cache
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

import pytest_ascend_tune
from pytest_ascend_tune.model.search import ConvergenceState, Origin
from pytest_ascend_tune.model.text import Text, counted_trials
from pytest_ascend_tune.model.verdict import Cause, GateStatus
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.reports import labels
from pytest_ascend_tune.reports.messages import pick_language, say, translate, zh
from pytest_ascend_tune.reports.statuses import STATUSES

PACKAGE = Path(pytest_ascend_tune.__file__).parent


@cache
def python_templates() -> dict[str, str]:
    """Sentences in the code, with the file that has them.

    First arguments of ``Text.of`` and ``say``, both of ``Text.counted``, what is assigned to a variable ``template``,
    and what is handed to a function of the same module whose parameter is called ``template``.
    """
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        places = {"Text.of": 0, "say": 0}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args]
                if "template" in names and any(ast.unparse(child) == "Text.of" for child in ast.walk(node)):
                    places[node.name] = names.index("template")
        for node in ast.walk(tree):
            wanted: ast.expr | None = None
            if isinstance(node, ast.Call) and len(node.args) > (place := places.get(ast.unparse(node.func), 99)):
                wanted = node.args[place]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "template":
                wanted = node.value
            for choice in (wanted.body, wanted.orelse) if isinstance(wanted, ast.IfExp) else (wanted,):
                if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                    found[choice.value] = str(path.relative_to(PACKAGE))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Text.counted":
                for form in node.args[:2]:
                    found[ast.literal_eval(form)] = str(path.relative_to(PACKAGE))
    return found


def page_templates() -> dict[str, str]:
    """First arguments of t('...') in the page's templates."""
    found = {}
    for path in sorted((PACKAGE / "reports/page/templates").glob("*.html")):
        for call in jinja2.Environment().parse(path.read_text("utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t" and isinstance(call.args[0], nodes.Const):
                found[call.args[0].value] = path.name
    return found


def has_words(template: str) -> bool:
    return any(literal.strip() for literal, *_ in string.Formatter().parse(template))


def fields(template: str) -> list[tuple[str, str]]:
    return sorted((name, spec or "") for _, name, spec, _ in string.Formatter().parse(template) if name is not None)


def test_the_collectors_find_sentences() -> None:
    assert "converged" in python_templates()
    assert "Glossary" in page_templates()


def test_every_sentence_has_a_translation() -> None:
    said = python_templates() | page_templates()
    missing = {text: place for text, place in said.items() if text not in zh.CATALOGUE and has_words(text)}
    assert not missing, "\n".join(f"{place}: {text!r}" for text, place in missing.items())


def test_no_translation_is_left_over() -> None:
    said = python_templates() | page_templates()
    assert not set(zh.CATALOGUE) - set(said)


def test_placeholders_are_the_same() -> None:
    assert {text: fields(text) for text in zh.CATALOGUE} == {text: fields(zh.CATALOGUE[text]) for text in zh.CATALOGUE}


def test_every_word_has_a_label() -> None:
    for kinds, known in (
        (GateStatus, STATUSES),
        (ConvergenceState, labels.STATE_WORDS),
        (Cause, labels.CAUSE_WORDS),
        (Origin, labels.ORIGIN_WORDS),
        (FailureKind, labels.FAILURE_WORDS),
    ):
        assert set(known) == set(kinds)  # type: ignore[call-overload]


def test_values_are_translated_too() -> None:
    inner = Text.of("converged")
    assert translate(Text.of("{state}!", state=inner), "zh") == zh.CATALOGUE["converged"] + "!"
    assert translate(Text.of("{state}!", state=inner), "en") == "converged!"
    assert translate(Text.of("{status}!", status=GateStatus.REGRESSED), "zh") == zh.WORDS["regressed"] + "!"
    assert say("{share:.0%} x", "zh", share=0.5) == "50 % x"


def test_unknown_sentences_stay_english() -> None:
    assert translate(Text.of("never seen {n}", n=1), "zh") == "never seen 1"


@pytest.mark.parametrize(
    ("choice", "environ", "language"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("zh", {}, "zh"),
        ("auto", {}, "en"),
        ("auto", {"LANG": "zh_CN.UTF-8"}, "zh"),
        ("auto", {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ("auto", {"LANGUAGE": "zh:en", "LC_ALL": "C.UTF-8"}, "zh"),
        ("auto", {"LC_MESSAGES": "", "LANG": "zh_TW"}, "zh"),
    ],
)
def test_the_language_is_picked(choice: str, environ: dict[str, str], language: str) -> None:
    assert pick_language(choice, environ) == language


@pytest.mark.parametrize(
    ("count", "english", "chinese"),
    [(0, "0 trials", "0 次试验"), (1, "1 trial", "1 次试验"), (2, "2 trials", "2 次试验")],
)
def test_counts_have_their_plural(count: int, english: str, chinese: str) -> None:
    said = Text.of("interrupted after {trials}: nothing was confirmed or compared", trials=counted_trials(count))
    assert f"after {english}:" in translate(said, "en")
    assert translate(said, "zh").startswith(f"{chinese}后")
