"""Conditions of a search space: parsed once, checked against an allow-list, evaluated over numpy columns. Never `eval`.

A condition is Python syntax restricted to: numbers, texts, names, ``+ - * / // %``, comparisons (chains too), ``and``,
``or``, ``not``, and the functions ``min max abs cdiv`` (division rounded up). Both sides of ``and`` and ``or`` are
always evaluated, so a division by zero is no error but gives 0 (``//``, ``%``, ``cdiv``): a guard can stand beside it.
Whole numbers are exact, however large they become; a comparison counts as 1 or 0.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from pytest_ascend_tune.model.errors import TemplateError
from pytest_ascend_tune.model.problem import MAX_WHOLE

_MAX_LENGTH = 2000  # characters; a condition of ours is below 100
_MAX_DEPTH = 70  # of operators within operators: keeps every walk far below Python's recursion limit


def _exact(operation: Callable[[Any, Any], Any], bound: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """`operation` on 64-bit columns; on Python's own numbers where its result might not fit into 64 bits."""

    def apply(left: Any, right: Any) -> Any:
        if left.dtype.kind == right.dtype.kind == "i" and bound(_largest(left), _largest(right)) > MAX_WHOLE:
            left, right = left.astype(object), right.astype(object)
        return operation(left, right)

    return apply


def _largest(column: Any) -> int:
    return int(np.max(np.abs(column), initial=0))


def _zero_safe(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`operation`, and 0 where the divisor is 0."""

    def apply(left: Any, right: Any) -> Any:
        none = np.equal(right, 0)
        return np.where(none, 0, operation(left, np.where(none, 1, right)))

    return apply


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: _exact(np.add, lambda left, right: left + right),
    ast.Sub: _exact(np.subtract, lambda left, right: left + right),
    ast.Mult: _exact(np.multiply, lambda left, right: left * right),
    ast.Div: lambda left, right: left.astype(float) / right.astype(float),
    ast.FloorDiv: _zero_safe(np.floor_divide),
    ast.Mod: _zero_safe(np.mod),
}
_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: lambda left, right: left < right,
    ast.LtE: lambda left, right: left <= right,
    ast.Gt: lambda left, right: left > right,
    ast.GtE: lambda left, right: left >= right,
}
_EQUALITY: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "abs": np.abs,
    "cdiv": _zero_safe(lambda left, right: -np.floor_divide(-left, right)),
}
_ARITY = {"abs": 1, "cdiv": 2}
FUNCTION_NAMES = frozenset(_FUNCTIONS)


@dataclass(frozen=True)
class Condition:
    """A parsed condition. ``names`` are all names it reads: parameters and facts alike."""

    text: str
    where: str  # file and key, for errors
    names: frozenset[str]
    tree: ast.expr

    @classmethod
    def parse(cls, text: object, where: str) -> Condition:
        """Check `text` against the allow-list. Raises TemplateError naming `where`."""
        if not isinstance(text, str) or not text.strip():
            raise TemplateError(f"{where} is {text!r}; a condition in text form is needed, as 'l1_k % l0_k == 0'")
        if len(text) > _MAX_LENGTH:
            raise TemplateError(f"{where} is {len(text)} characters long; at most {_MAX_LENGTH} are allowed")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what the allow-list refuses in our own words
                tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problem = error.msg if isinstance(error, SyntaxError) else error
            raise TemplateError(f"{where} = {text!r} cannot be read: {problem}") from error
        if _is_deep(tree):
            raise TemplateError(f"{where} is nested too deeply, or too long a chain; split it into several conditions")
        if not _is_condition(tree):
            raise TemplateError(f"{where} = {text!r} is a value; a comparison is needed, as '{text.strip()} == 0'")
        return cls(text.strip(), where, frozenset(_check(tree, text, where)), tree)

    def holds(self, columns: Mapping[str, Any]) -> Any:
        """Truth of the condition for every row: columns are numpy arrays (equally long) or single values."""
        try:
            with np.errstate(all="ignore"):
                return self._value(self.tree, columns)
        except OverflowError as error:  # of a whole number that no float can be
            raise TemplateError(f"{self.where} = {self.text!r}: the numbers become too large ({error})") from error

    def _value(self, node: ast.expr, columns: Mapping[str, Any]) -> Any:
        match node:
            case ast.Constant(value=value):
                return _as_numpy(value)
            case ast.Name(id=name):
                return _as_numpy(columns[name])
            case ast.BinOp(left=left, op=op, right=right):
                return _ARITHMETIC[type(op)](self._number(left, columns), self._number(right, columns))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand, columns)
            case ast.UnaryOp(operand=operand):
                return np.equal(self._number(operand, columns), 0)
            case ast.BoolOp(op=op, values=values):
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return reduce(join, [np.not_equal(self._number(value, columns), 0) for value in values])
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [left, *comparators]
                pairs = zip(sides, ops, sides[1:], strict=False)
                return reduce(np.logical_and, [self._compare(a, op, b, columns) for a, op, b in pairs])
            case ast.Call(func=ast.Name(id=name), args=args):
                return _FUNCTIONS[name](*[self._number(arg, columns) for arg in args])
        raise AssertionError(f"{ast.dump(node)} passed the allow-list")  # pragma: no cover

    def _number(self, node: ast.expr, columns: Mapping[str, Any]) -> Any:
        """A column, of one row for a single value: int64, float64, or Python's own where 64 bits are too few."""
        value = self._value(node, columns)
        if _is_text(value):
            raise TemplateError(
                f"{self.where} = {self.text!r}: {ast.unparse(node)!r} is a text; texts only know == and !="
            )
        column = np.atleast_1d(np.asarray(value, dtype=object if isinstance(value, int) else None))
        return column.astype(np.int64) if column.dtype.kind == "b" or isinstance(value, bool) else column

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, columns: Mapping[str, Any]) -> Any:
        if type(op) in _ORDER:
            return _ORDER[type(op)](self._number(left, columns), self._number(right, columns))
        first, second = self._value(left, columns), self._value(right, columns)
        if _is_text(first) != _is_text(second):
            raise TemplateError(f"{self.where} = {self.text!r} compares a text with a number in {ast.unparse(right)!r}")
        return _EQUALITY[type(op)](first, second)


def _as_numpy(value: Any) -> Any:
    return np.int64(value) if isinstance(value, int) else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or getattr(value, "dtype", np.dtype(int)).kind == "U"


def _is_deep(tree: ast.AST) -> bool:
    """Level by level, because what this is to find is too deep to be walked by calls."""
    level = [tree]
    for _ in range(_MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def _is_condition(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare | ast.BoolOp)


def _check(node: ast.AST, text: str, where: str) -> Iterator[str]:
    """Yield the names below `node`; raise TemplateError for anything that is not on the allow-list."""
    below: list[ast.expr]
    match node:
        case ast.Constant(value=int() | float() as value) if not abs(value) <= MAX_WHOLE or not math.isfinite(value):
            raise TemplateError(f"{where} = {text!r}: a number is too large; whole numbers may have 63 bits")
        case ast.Constant(value=bool() | int() | float() | str()):
            below = []
        case ast.Name(id=name):
            yield name
            below = []
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            below = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            below = [operand]
        case ast.BoolOp(values=values):
            below = values
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            type(op) in _ORDER or type(op) in _EQUALITY for op in ops
        ):
            below = [left, *others]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            starred = any(isinstance(arg, ast.Starred) for arg in args)
            if not args or starred or len(args) != _ARITY.get(name, len(args)):
                raise TemplateError(f"{where} = {text!r}: {name}() with {len(args)} arguments")
            below = args
        case _:
            found = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            raise TemplateError(
                f"{where} = {text!r}: {found!r} is not allowed; allowed are numbers, texts, names, + - * / // %, "
                f"comparisons, and, or, not, and the functions {', '.join(sorted(_FUNCTIONS))}"
            )
    for child in below:
        yield from _check(child, text, where)
