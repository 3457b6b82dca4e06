"""Reads the generic form of a compiled module and lowers it once to a :class:`~.program.Program`.

Parsing is xdsl's (extra ``[triton]``, imported here only): every operation of a dialect that it does not know stays
unregistered, so that nothing depends on its idea of ``arith`` or ``memref``. The one thing it refuses that the compiler
writes is the product of two symbols in an affine map; the parser below takes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Any

from pytest_ascend_tune.backends.hivm.affine import affine_text, parser_of
from pytest_ascend_tune.backends.hivm.program import (
    Argument,
    Barrier,
    BlockFlag,
    Bytes,
    Call,
    CannotExecuteError,
    Collapsed,
    Element,
    Expanded,
    Flag,
    For,
    Function,
    If,
    Instruction,
    Pick,
    Pointer,
    Program,
    Reshaped,
    Scalar,
    ScheduleError,
    Target,
    While,
)

_DYNAMIC = -(2**63)
_SPACES = {"cbuf": "L1", "cc": "L0C", "ub": "UB", "gm": "GM"}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_BINARY = {"addi": "+", "subi": "-", "muli": "*", "andi": "&", "ori": "|", "xori": "^", "shli": "<<", "shrsi": ">>"}
_FLOATS = {"addf": "+", "subf": "-", "mulf": "*", "divf": "/"}
_CALLED = {"divsi": "div", "remsi": "rem", "divui": "div", "remui": "rem", "ceildivsi": "cdiv", "ceildivui": "cdiv"}
_CALLED |= {"minsi": "min", "maxsi": "max", "minui": "min", "maxui": "max"}
_SAME = {"index_cast", "extsi", "extui", "index_castui", "sitofp", "bitcast"}
_IGNORED = {"set_mask_norm", "set_ffts_base_addr", "set_ctrl", "debug", "annotation.mark"}


def read_program(text: str) -> Program:
    """The program of a module in generic form. Raises CannotExecuteError for what is not known, ScheduleError for text
    that is no module of a compiled kernel."""
    module = parse(text)
    functions = [_Lowering(op).function() for op in module.ops if "hacc.entry" in op.attributes]
    if not functions:
        raise ScheduleError("the compiled module has no kernel (no function with hacc.entry)")
    return Program(tuple(functions), _target(module), _workspace_bytes(module))


def parse(text: str) -> Any:
    """The module as xdsl holds it."""
    return parser_of(text).parse_module()


def _name(op: Any) -> str:
    return str(op.op_name.data if op.name == "builtin.unregistered" else op.name)


def _attributes(op: Any) -> dict[str, Any]:
    return {**op.attributes, **op.properties}


def _word(attribute: Any, pattern: str) -> str:
    found = re.search(pattern, str(attribute))
    if found is None:
        raise CannotExecuteError(f"attribute {attribute}")
    return found.group(1)


def _target(module: Any) -> Target:
    facts = {key: int(value) for key, value in re.findall(r'"(\w+)", (\d+) : i32', str(module.attributes))}
    try:
        return Target(
            facts["CUBE_CORE_COUNT"],
            facts["VECTOR_CORE_COUNT"],
            *(facts[f"{memory}_SIZE"] // 8 for memory in ("UB", "L1", "L0A", "L0B", "L0C")),
        )
    except KeyError as error:
        raise ScheduleError(f"the compiled module does not say the {error} of its target") from None


def _workspace_bytes(module: Any) -> int:
    for op in module.ops:
        name = _attributes(op).get("sym_name")
        if name is not None and name.data.endswith("_infer_workspace_shape_function"):
            return int(next(iter(op.regions[0].block.ops)).properties["value"].value.data)
    return 0


class _Lowering:
    """One function of the module."""

    def __init__(self, op: Any) -> None:
        self._op = op
        self._names: dict[Any, str] = {}
        self._fresh = count()
        self._owned: set[str] = set()  # registers of whole buffers: a reinterpretation counts from their first byte
        self._loops = 0
        self.core = _word(_attributes(op)["hivm.func_core_type"], r"<(\w+)>")

    def function(self) -> Function:
        """The typed form."""
        block = self._op.regions[0].block
        attributes = _attributes(self._op)
        roles = [_role(str(entry)) for entry in attributes["arg_attrs"].data]
        arguments = []
        for value, role in zip(block.args, roles, strict=True):
            buffer = str(value.type).startswith("memref")
            register = self._register(value)
            if buffer:
                self._owned.add(register)
            element = str(value.type.element_type if buffer else value.type)
            arguments.append(Argument(register, role or ("buffer" if buffer else "number"), element))
        body, _ = self._block(block)
        return Function(attributes["sym_name"].data, self.core, tuple(arguments), body)

    def _register(self, value: Any) -> str:
        if value not in self._names:
            self._names[value] = f"v{next(self._fresh)}"
        return self._names[value]

    def _of(self, values: Sequence[Any]) -> list[str]:
        return [self._names[value] for value in values]

    def _block(self, block: Any) -> tuple[tuple[Instruction, ...], tuple[str, ...]]:
        """Instructions of a block, and what its terminator hands on."""
        made: list[Instruction] = []
        handed: tuple[str, ...] = ()
        for op in block.ops:
            name = _name(op)
            if name in ("scf.yield", "func.return", "scf.condition"):
                handed = tuple(self._of(op.operands))
            else:
                made.extend(self._instruction(op, name))
        return tuple(made), handed

    def _region(self, region: Any) -> tuple[tuple[Instruction, ...], tuple[str, ...]]:
        return self._block(region.block) if len(region.blocks) else ((), ())

    def _instruction(self, op: Any, name: str) -> list[Instruction]:
        dialect, _, short = name.rpartition(".")
        if short in _IGNORED or name in _IGNORED:
            return []
        lower = {
            "arith": self._arithmetic,
            "math": self._arithmetic,
            "affine": self._affine,
            "memref": self._memref,
            "scf": self._control,
            "hivm.hir": self._hivm,
            "func": self._call,
        }.get(dialect)
        made = None if lower is None else lower(op, short)
        if made is None:
            raise CannotExecuteError(name)
        return made

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _arithmetic(self, op: Any, short: str) -> list[Instruction] | None:
        out = self._register(op.results[0])
        o = self._of(op.operands)
        kind = str(op.results[0].type)
        if short == "constant":
            text = _constant(op)
            return None if text is None else [Scalar(out, text)]
        if short in _SAME:
            # index -> i1 keeps the lowest bit; the compiler selects buffers with it.
            return [Scalar(out, f"({o[0]} & 1)")] if kind == "i1" else self._same(op)
        if short == "trunci":
            if kind not in ("i1", "i32"):
                return None
            return [Scalar(out, f"({o[0]} & 1)" if kind == "i1" else f"wrap32({o[0]})")]
        if short in _BINARY:
            text = f"({o[0]} {_BINARY[short]} {o[1]})"
            return [
                Scalar(out, f"wrap32{text}" if kind == "i32" and short in ("addi", "subi", "muli", "shli") else text)
            ]
        if short in _FLOATS:
            return [Scalar(out, f"({o[0]} {_FLOATS[short]} {o[1]})")]
        if short in _CALLED:
            return [Scalar(out, f"{_CALLED[short]}({o[0]}, {o[1]})")]
        if short == "cmpi":
            return [Scalar(out, f"({o[0]} {_COMPARISONS[op.properties['predicate'].value.data]} {o[1]})")]
        if short == "select":
            if all(value in self._owned for value in o[1:]):
                self._owned.add(out)
            return [Pick(out, *o)]
        return None

    def _same(self, op: Any) -> list[Instruction]:
        """The result is the operand under another type."""
        self._names[op.results[0]] = self._names[op.operands[0]]
        return []

    def _affine(self, op: Any, short: str) -> list[Instruction] | None:
        if short not in ("apply", "min", "max"):
            return None
        texts = affine_text(_attributes(op)["map"].data, self._of(op.operands))
        out = self._register(op.results[0])
        return [Scalar(out, texts[0] if len(texts) == 1 else f"{short}({', '.join(texts)})")]

    # --- views -------------------------------------------------------------------------------------------------------

    def _memref(self, op: Any, short: str) -> list[Instruction] | None:
        if short == "store":
            value, base, *indices = self._of(op.operands)
            return [Element(base, tuple(indices), value=value)]
        if not op.operands:
            return None
        base, *rest = self._of(op.operands)
        out = self._register(op.results[0])
        if short == "load":
            return [Element(base, tuple(rest), out=out)]
        if short == "cast":
            return self._same(op)
        element = str(op.results[0].type.element_type)
        if short == "collapse_shape":
            groups = _attributes(op)["reassociation"].data
            return [Collapsed(out, base, tuple(tuple(i.value.data for i in group.data) for group in groups))]
        if short == "expand_shape":
            groups = _attributes(op)["reassociation"].data
            sizes = _filled(_attributes(op)["static_output_shape"].get_values(), rest)
            return [Expanded(out, base, tuple(tuple(i.value.data for i in group.data) for group in groups), sizes)]
        if short == "view":
            self._owned.add(out)
            sizes = _filled(op.results[0].type.get_shape(), rest[1:], dynamic=-1)
            return [Bytes(out, base, rest[0], sizes, element)]
        if short in ("reinterpret_cast", "subview"):
            whole = short == "reinterpret_cast"
            if whole and base not in self._owned:
                raise CannotExecuteError("memref.reinterpret_cast of a part of a buffer")
            attributes = _attributes(op)
            offsets, sizes, strides = (
                _filled(attributes[f"static_{what}"].get_values(), rest) for what in ("offsets", "sizes", "strides")
            )
            dropped = () if whole else _dropped(sizes, op.results[0].type.get_shape())
            return [Reshaped(out, base, whole, offsets, sizes, strides, element, dropped)]
        return None

    # --- control -----------------------------------------------------------------------------------------------------

    def _control(self, op: Any, short: str) -> list[Instruction] | None:
        o = self._of(op.operands)
        if short == "for":
            block = op.regions[0].block
            index, *inside = [self._register(argument) for argument in block.args]
            number, self._loops = self._loops, self._loops + 1
            body, yields = self._block(block)
            results = tuple(self._register(result) for result in op.results)
            carried = tuple(zip(inside, o[3:], strict=True))
            return [For(number, index, o[0], o[1], o[2], carried, body, yields, results)]
        if short == "if":
            then, then_yields = self._region(op.regions[0])
            otherwise, otherwise_yields = self._region(op.regions[1])
            results = tuple(self._register(result) for result in op.results)
            return [If(o[0], then, otherwise, then_yields, otherwise_yields, results)]
        if short == "while":
            first, second = op.regions[0].block, op.regions[1].block
            inside = [self._register(argument) for argument in first.args]
            before, (condition, *handed) = self._block(first)
            received = tuple(self._register(argument) for argument in second.args)
            after, yields = self._block(second)
            results = tuple(self._register(result) for result in op.results)
            carried = tuple(zip(inside, o, strict=True))
            return [While(carried, before, condition, tuple(handed), received, after, yields, results)]
        return None

    # --- machine -----------------------------------------------------------------------------------------------------

    def _hivm(self, op: Any, short: str) -> list[Instruction] | None:
        attributes = _attributes(op)
        if short in ("set_flag", "wait_flag"):
            source, target = (_word(attributes[f"{side}_pipe"], r"PIPE_(\w+)") for side in ("set", "wait"))
            event = self._names[op.operands[0]] if op.operands else _word(attributes["static_event_id"], r"ID(\d+)")
            return [Flag(short == "wait_flag", source, target, event)]
        if short == "pipe_barrier":
            return [Barrier(_word(attributes["pipe"], r"PIPE_(\w+)"))]
        if short in ("sync_block_set", "sync_block_wait"):
            waits = short == "sync_block_wait"
            pipe = _word(attributes["pipe" if waits else "tpipe"], r"PIPE_(\w+)")
            static = attributes.get("static_flag_id")
            flag = str(static.value.data) if static is not None else self._names[op.operands[0]]
            return [BlockFlag(waits, pipe, flag)]
        if short == "pointer_cast":
            out = self._register(op.results[0])
            kind = op.results[0].type
            sizes = kind.get_shape()
            if any(size < 0 for size in sizes):
                raise CannotExecuteError("hivm.hir.pointer_cast of dynamic size")
            self._owned.add(out)
            space = _SPACES[_word(kind.memory_space, r"address_space<(\w+)>")]
            return [Pointer(out, space, self._names[op.operands[0]], tuple(sizes), str(kind.element_type))]
        if short in ("get_block_idx", "get_sub_block_idx"):
            return [Scalar(self._register(op.results[0]), "block" if short == "get_block_idx" else "sub_block")]
        return None

    def _call(self, op: Any, short: str) -> list[Instruction] | None:
        if short != "call" or op.results:
            return None
        return [Call(_attributes(op)["callee"].root_reference.data, tuple(self._of(op.operands)))]


def _role(attributes: str) -> str | None:
    found = re.search(r"hacc\.arg_type<(\w+)>", attributes)
    if found is None:
        return None
    names = {"ffts_base_address": "ffts", "sync_block_lock": "lock", "workspace": "workspace"}
    if found.group(1) not in names:
        raise CannotExecuteError(f"an argument of type {found.group(1)}")
    return names[found.group(1)]


def _constant(op: Any) -> str | None:
    value = op.properties["value"]
    number = getattr(value, "value", None)
    if number is None:
        return None
    data = number.data
    if str(op.results[0].type) == "i1":
        return str(int(bool(data)))
    if isinstance(data, float) and (data != data or data in (float("inf"), float("-inf"))):
        return f"float('{data}')"
    return repr(data)


def _filled(static: Sequence[int], rest: list[str], dynamic: int = _DYNAMIC) -> tuple[str, ...]:
    """Static numbers as texts; dynamic ones are taken off `rest`, in order."""
    return tuple(rest.pop(0) if number == dynamic else str(number) for number in static)


def _dropped(sizes: Sequence[str], shape: Sequence[int]) -> tuple[int, ...]:
    """Which dimensions of a subview its type leaves out: static ones of size 1, as many as the rank is smaller."""
    missing = len(sizes) - len(shape)
    ones = [i for i, size in enumerate(sizes) if size == "1"]
    kept = sum(1 for size in shape if size == 1)
    if missing and len(ones) - kept != missing:
        raise CannotExecuteError("memref.subview that drops dimensions of unknown size")
    return tuple(ones[:missing])
