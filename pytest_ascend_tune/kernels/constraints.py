"""Conditions of a search space: parsed once, checked against an allow-list, evaluated over numpy columns. Never `eval`.

A condition is Python syntax restricted to: numbers, texts, names, ``+ - * / // %``, comparisons (chains too), ``and``,
``or``, ``not``, and the functions ``min max abs cdiv`` (division rounded up). Both sides of ``and`` and ``or`` are
always evaluated, so a division by zero is no error but gives 0 (``//``, ``%``, ``cdiv``): a guard can stand beside it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from pytest_ascend_tune.model.errors import TemplateError

_MAX_LENGTH = 2000  # characters; a condition of ours is below 100. Keeps the walk below Python's recursion limit.


def _cdiv(left: Any, right: Any) -> Any:
    return -(-left // right)


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: lambda left, right: left % right,
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
    "cdiv": _cdiv,
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
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problem = error.msg if isinstance(error, SyntaxError) else error
            raise TemplateError(f"{where} = {text!r} cannot be read: {problem}") from error
        if not _is_condition(tree):
            raise TemplateError(f"{where} = {text!r} is a value; a comparison is needed, as '{text.strip()} == 0'")
        return cls(text.strip(), where, frozenset(_check(tree, text, where)), tree)

    def holds(self, columns: Mapping[str, Any]) -> Any:
        """Truth of the condition for every row: columns are numpy arrays (equally long) or single values."""
        with np.errstate(all="ignore"):
            return self._value(self.tree, columns)

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
                return np.logical_not(self._number(operand, columns))
            case ast.BoolOp(op=op, values=values):
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return reduce(join, [self._number(value, columns) for value in values])
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [left, *comparators]
                pairs = zip(sides, ops, sides[1:], strict=False)
                return reduce(np.logical_and, [self._compare(a, op, b, columns) for a, op, b in pairs])
            case ast.Call(func=ast.Name(id=name), args=args):
                return _FUNCTIONS[name](*[self._number(arg, columns) for arg in args])
        raise AssertionError(f"{ast.dump(node)} passed the allow-list")  # pragma: no cover

    def _number(self, node: ast.expr, columns: Mapping[str, Any]) -> Any:
        value = self._value(node, columns)
        if _is_text(value):
            raise TemplateError(
                f"{self.where} = {self.text!r}: {ast.unparse(node)!r} is a text; texts only know == and !="
            )
        return value

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


def _is_condition(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare | ast.BoolOp)


def _check(node: ast.AST, text: str, where: str) -> Iterator[str]:
    """Yield the names below `node`; raise TemplateError for anything that is not on the allow-list."""
    below: list[ast.expr]
    match node:
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
