"""Values of model/ for property tests: anything that the types allow, not only what a search would give."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing

from hypothesis import strategies as st

from pytest_ascend_tune.model.measurement import Measurement
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.search import Trial
from pytest_ascend_tune.model.text import Text

names = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
positive = st.floats(min_value=1e-3, max_value=1e9, allow_nan=False)
shares = st.floats(min_value=-1.0, max_value=1.0, allow_nan=False)
moments = st.just("2026-11-30T08:31:00Z")
problems = st.builds(
    GemmProblem, *(st.integers(1, 1 << 20) for _ in range(3)), st.sampled_from(Dtype), st.sampled_from(Layout)
)
configs = st.dictionaries(names, st.one_of(st.integers(-(1 << 60), 1 << 60), words), min_size=1, max_size=9).map(Config)
samples = st.lists(positive, min_size=1, max_size=5).map(tuple)
scalars = st.one_of(words, st.integers(-(1 << 60), 1 << 60), shares, st.booleans(), st.none())


@st.composite
def texts(draw: st.DrawFn, depth: int = 1) -> Text:
    """Sentences whose placeholders all have values; a value may be a sentence again."""
    inner = scalars if depth == 0 else st.one_of(scalars, texts(depth=depth - 1))
    values = draw(st.dictionaries(names, inner, max_size=3))
    spots = [f"{{{name}}}" if draw(st.booleans()) else f"{{{name}!s}}" for name in values]
    return Text.of(" and ".join(["so", *spots]), **values)


_BY_NAME = {
    "tflops": positive,
    "peak_tflops": positive,
    "time_us": positive,
    "reference_us": st.none() | positive,
    "nominal_reference_us": st.none() | positive,
    "interval_us": st.tuples(positive, positive),
}


def value(kind: type) -> st.SearchStrategy:
    """Any instance of a dataclass of model/."""
    special = {GemmProblem: problems, Config: configs, Text: texts()}
    if kind in special:
        return special[kind]
    hints = typing.get_type_hints(kind)
    parts = {}
    for field in dataclasses.fields(kind):
        if field.name in _BY_NAME and not (kind is Measurement and field.name == "reference_us"):
            named = _BY_NAME[field.name]
            parts[field.name] = samples if hints[field.name] == tuple[float, ...] else named
        else:
            parts[field.name] = _of_hint(hints[field.name])
    return st.builds(kind, **parts)


def _of_hint(hint: typing.Any) -> st.SearchStrategy:
    simple = {str: words, int: st.integers(0, 1 << 40), float: shares, bool: st.booleans(), type(None): st.none()}
    if hint in simple:
        return simple[hint]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return st.one_of([_of_hint(part) for part in typing.get_args(hint)])
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)
        if inner[-1] is not Ellipsis:
            return st.tuples(*map(_of_hint, inner))
        if typing.get_origin(inner[0]) is tuple:
            pairs = typing.get_args(inner[0])
            return st.dictionaries(words, _of_hint(pairs[1]), max_size=3).map(lambda found: tuple(found.items()))
        if inner[0] is float:
            return samples
        return st.lists(_of_hint(inner[0]), max_size=3).map(tuple)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return st.sampled_from(hint)
    return value(hint)


def in_order(trials: list[Trial]) -> tuple[Trial, ...]:
    """The trials numbered as in a search."""
    return tuple(dataclasses.replace(trial, index=index) for index, trial in enumerate(trials, 1))
