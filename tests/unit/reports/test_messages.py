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
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Cause, GateStatus
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.reports import words
from pytest_ascend_tune.reports.messages import pick_language, say, translate, zh

PACKAGE = Path(pytest_ascend_tune.__file__).parent


@cache
def python_templates() -> dict[str, str]:
    """Sentences in the code, with the file that has them.

    First arguments of ``Text.of`` and ``say``, what is assigned to a variable ``template``, and what is handed to a
    function of the same module whose parameter is called ``template``.
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
    for kinds, labels in (
        (GateStatus, words.STATUS_WORDS),
        (ConvergenceState, words.STATE_WORDS),
        (Cause, words.CAUSE_WORDS),
        (Origin, words.ORIGIN_WORDS),
        (FailureKind, words.FAILURE_WORDS),
    ):
        assert set(labels) == set(kinds)  # type: ignore[call-overload]


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
