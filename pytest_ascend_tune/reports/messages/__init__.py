"""What reports say, in English and Chinese. English templates are the keys; zh.py holds their translations.

Add a sentence: write ``Text.of("...")`` where it arises and its translation in zh.py (a test lists what is missing).
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_ascend_tune.model.text import Text, filled
from pytest_ascend_tune.reports.messages import zh

LANGUAGES = ("en", "zh")
_CATALOGUES: Mapping[str, Mapping[str, str]] = {"en": {}, "zh": zh.CATALOGUE}
_WORDS: Mapping[str, Mapping[str, str]] = {"en": {}, "zh": zh.WORDS}


def translate(text: Text | str, language: str) -> str:
    """The sentence in `language`, English where it has no translation; values that are sentences or words as well."""
    catalogue = _CATALOGUES[language]
    if isinstance(text, str):
        return catalogue.get(text, text)
    values = {name: _value(value, language) for name, value in text.values}
    return filled(catalogue.get(text.template, text.template), values)


def say(template: str, language: str, /, **values: object) -> str:
    """`translate` of a sentence made on the spot."""
    return translate(Text(template, tuple(values.items())), language)


def _value(value: object, language: str) -> object:
    """Values that are sentences, or words like ``regressed``, speak the language too."""
    if isinstance(value, Text):
        return translate(value, language)
    if isinstance(value, str):
        return _WORDS[language].get(str(value), value)
    return value


def pick_language(choice: str, environ: Mapping[str, str]) -> str:
    """``en`` or ``zh`` as chosen; for ``auto`` what the locale variables of `environ` say, in gettext's order."""
    if choice in LANGUAGES:
        return choice
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
