"""Affine maps as Python text, and xdsl's parser taught the one kind of map that it refuses (semi-affine products)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def parser_of(text: str) -> Any:
    """An xdsl parser of generic MLIR that leaves unknown operations unregistered."""
    from xdsl.context import Context  # start-up: xdsl
    from xdsl.dialects.builtin import Builtin  # start-up: xdsl
    from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr  # start-up: xdsl
    from xdsl.parser import Parser  # start-up: xdsl
    from xdsl.parser.affine_parser import AffineParser  # start-up: xdsl

    kinds = {
        "+": AffineBinaryOpKind.Add,
        "*": AffineBinaryOpKind.Mul,
        "mod": AffineBinaryOpKind.Mod,
        "floordiv": AffineBinaryOpKind.FloorDiv,
        "ceildiv": AffineBinaryOpKind.CeilDiv,
    }

    class Maps(AffineParser):
        """Builds each expression as it is written, without xdsl's folding (which refuses products of symbols)."""

        def _create_binop_expr(self, lhs: Any, rhs: Any, binop: Any) -> Any:
            if binop.text == "-":
                return AffineBinaryOpExpr(
                    AffineBinaryOpKind.Add,
                    lhs,
                    AffineBinaryOpExpr(AffineBinaryOpKind.Mul, rhs, AffineExpr.constant(-1)),
                )
            return AffineBinaryOpExpr(kinds[binop.text], lhs, rhs)

    class Modules(Parser):
        def parse_affine_map(self) -> Any:
            return Maps(self._parser_state).parse_affine_map()

    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    return Modules(context, text)


_OPERATORS = {"Add": "+", "Mul": "*", "Mod": "%", "FloorDiv": "//"}


def affine_text(affine_map: Any, operands: Sequence[str]) -> list[str]:
    """Each result of the map as an expression over the registers `operands` (dimensions first, then symbols)."""
    return [_text(result, operands, affine_map.num_dims) for result in affine_map.results]


def _text(expression: Any, operands: Sequence[str], dimensions: int) -> str:
    kind = type(expression).__name__
    if kind == "AffineConstantExpr":
        return str(expression.value)
    if kind == "AffineDimExpr":
        return str(operands[expression.position])
    if kind == "AffineSymExpr":
        return str(operands[dimensions + expression.position])
    one = _text(expression.lhs, operands, dimensions)
    other = _text(expression.rhs, operands, dimensions)
    operation = expression.kind.name
    if operation == "CeilDiv":
        return f"cdiv({one}, {other})"
    return f"({one} {_OPERATORS[operation]} {other})"
