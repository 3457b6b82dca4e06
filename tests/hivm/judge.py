"""A slow interpreter of compiled schedules that enumerates what happens before what, for small schedules.

It shares nothing with the product but xdsl's parse: it walks the parsed operations (no lowering), a view is the array
of the byte addresses of all its elements, and order is a graph: each instruction has a start and an end, each flag and
barrier is a node, and ``before`` of a node is the set of all nodes that happen before it, as a bit set. Every pair of
accesses to a common byte of which one writes must be ordered, end before start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.module import parse

_DYNAMIC = -(2**63)
_BITS = {"f16": 16, "bf16": 16, "f32": 32, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i1": 1}
_DTYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
_PIPES = ("S", "MTE2", "MTE1", "M", "FIX", "V", "MTE3")


class Refused(Exception):  # noqa: N818 - what the judge says, not a fault of the judge
    """The schedule does not run to its end."""


@dataclass
class Judgement:
    """``problem``: why it did not end; ``races``: pairs of names; ``left``: flags at the end; ``results``: bytes."""

    problem: str = ""
    races: set[tuple[str, str, str]] = field(default_factory=set)
    left: int = 0
    results: list[bytes] = field(default_factory=list)

    def differs(self, other: Judgement) -> bool:
        """Whether any order or byte is another."""
        return bool(self.problem or self.races or self.left or self.results != other.results)


@dataclass
class _Buffer:
    name: str
    data: np.ndarray
    on_chip: bool
    accesses: list[tuple[int, int, int, bool, str]] = field(default_factory=list)  # start, end, bytes, writes, pipe
    written: int = 0


@dataclass
class _View:
    buffer: _Buffer
    at: np.ndarray  # address of each element: in bytes, or in bits for i1
    kind: str


def judge(text: str, operands: list[Any], grid: int) -> Judgement:
    """Run a module in generic form on copies of the operands."""
    told = Judgement()
    data = [operand.copy() if isinstance(operand, np.ndarray) else operand for operand in operands]
    try:
        _Kernel(parse(text), data, grid).run(told)
    except Refused as refused:
        told.problem = str(refused)
    told.results = [operand.tobytes() for operand in data if isinstance(operand, np.ndarray)]
    return told


class _Kernel:
    def __init__(self, module: Any, data: list[Any], grid: int) -> None:
        self.functions = [op for op in module.ops if "hacc.entry" in op.attributes]
        sizes = dict(re.findall(r'"(\w+)_SIZE", (\d+)', str(module.attributes)))
        self.sizes = {"cbuf": int(sizes["L1"]) // 8, "cc": int(sizes["L0C"]) // 8, "ub": int(sizes["UB"]) // 8}
        self.grid = grid
        self.workspace_bytes = 0
        for op in module.ops:
            if str(op.properties["sym_name"].data).endswith("workspace_shape_function"):
                self.workspace_bytes = int(next(iter(op.regions[0].block.ops)).properties["value"].value.data)
        self.data = [
            _Buffer(f"gm{i}", item.reshape(-1).view(np.uint8), False) if isinstance(item, np.ndarray) else item
            for i, item in enumerate(data)
        ]
        self.workspace = _Buffer("workspace", np.full(self.workspace_bytes * grid, 255, np.uint8), False)
        self.before: list[int] = []
        self.block_flags: dict[tuple[int, int, int], list[int]] = {}

    def node(self, after: Any) -> int:
        seen = 0
        for one in after:
            seen |= self.before[one] | (1 << one)
        self.before.append(seen)
        return len(self.before) - 1

    def run(self, told: Judgement) -> None:
        for block in range(self.grid):
            cores = []
            for function in self.functions:
                vector = "AIV" in str({**function.attributes, **function.properties}["hivm.func_core_type"])
                for sub_block in range(2 if vector else 1):
                    cores.append(_Core(self, function, block, sub_block, len(cores)))
            steps = [core.steps() for core in cores]
            open_ = list(range(len(steps)))
            idle = 0
            while open_ and idle <= len(open_):
                for number in list(open_):
                    moved = next(steps[number], "end")
                    if moved == "end":
                        open_.remove(number)
                    idle = idle + 1 if moved == "waits" else 0
            if open_:
                raise Refused("deadlock between cores")
            told.left += sum(len(core.flags) for core in cores) + sum(map(len, self.block_flags.values()))
            self.block_flags.clear()
            for core in cores:
                for buffer in core.memories.values():
                    _races(buffer, self.before, told)
        for buffer in (*self.data, self.workspace):
            if isinstance(buffer, _Buffer) and any(access[3] for access in buffer.accesses):
                _races(buffer, self.before, told)


def _races(buffer: _Buffer, before: list[int], told: Judgement) -> None:
    for i, (mine, end, touched, writes, pipe) in enumerate(buffer.accesses):
        for start, _, other, also_writes, by in buffer.accesses[i + 1 :]:
            if (writes or also_writes) and mine != start and touched & other and not before[start] >> end & 1:
                told.races.add((buffer.name, pipe, by))


class _Core:
    def __init__(self, kernel: _Kernel, function: Any, block: int, sub_block: int, number: int) -> None:
        self.kernel, self.function, self.block, self.sub_block, self.number = kernel, function, block, sub_block, number
        self.memories = {
            name: _Buffer(f"{name} of core {number} of block {block}", np.full(size, 255, np.uint8), True)
            for name, size in kernel.sizes.items()
        }
        first = kernel.node(())
        self.chain = dict.fromkeys(_PIPES, first)  # the last thing each pipe started
        self.ended: dict[str, list[int]] = {pipe: [] for pipe in _PIPES}
        self.flags: dict[tuple[str, str, int], int] = {}

    # --- order -------------------------------------------------------------------------------------------------------

    def instruction(self, pipe: str, reads: list[_View], writes: list[_View]) -> None:
        after = [self.chain[pipe]]
        if pipe == "M":  # the cube adds up in order
            after += self.ended["M"][-1:]
        start = self.kernel.node(after)
        end = self.kernel.node((start,))
        self.chain[pipe] = start
        self.ended[pipe].append(end)
        for views, write in ((reads, False), (writes, True)):
            for view in views:
                touched = self.bits(view)
                if view.buffer.on_chip and touched and not write and not touched & view.buffer.written:
                    raise Refused(f"{view.buffer.name} is read, and nothing has written it")
                view.buffer.accesses.append((start, end, touched, write, pipe))
                if write:
                    view.buffer.written |= touched

    def bits(self, view: _View) -> int:
        """The bytes that a view touches, as a bit set. Refuses what lies outside of its memory."""
        if not view.at.size:
            return 0
        width = max(_BITS[view.kind] // 8, 1)
        first = view.at.ravel() // 8 if view.kind == "i1" else view.at.ravel()
        every = (first[:, None] + np.arange(width)).ravel()
        if every.min() < 0 or every.max() >= view.buffer.data.size:
            raise Refused(f"an address outside of {view.buffer.name}")
        marks = np.zeros(view.buffer.data.size, np.uint8)
        marks[every] = 1
        return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")

    def set_flag(self, source: str, target: str, event: int) -> None:
        if (source, target, event) in self.flags:
            raise Refused("a flag is set twice")
        self.flags[source, target, event] = self.kernel.node([self.chain[source], *self.ended[source]])

    def wait_flag(self, source: str, target: str, event: int) -> None:
        if (source, target, event) not in self.flags:
            raise Refused(f"a wait for {source} -> {target} {event} that nothing ends")
        self.join(target, [self.flags.pop((source, target, event))])

    def join(self, pipe: str, after: list[int]) -> None:
        for each in _PIPES if pipe == "S" else (pipe,):
            self.chain[each] = self.kernel.node([self.chain[each], *after])

    def barrier(self, pipe: str) -> None:
        if pipe == "ALL":
            node = self.kernel.node([*self.chain.values(), *(end for ends in self.ended.values() for end in ends)])
            self.chain = dict.fromkeys(_PIPES, node)
        else:
            self.chain[pipe] = self.kernel.node([self.chain[pipe], *self.ended[pipe]])

    def partners(self) -> tuple[int, ...]:
        if len(self.kernel.functions) == 1:
            return ()
        return (1, 2) if self.number == 0 else (0,)

    # --- the program -------------------------------------------------------------------------------------------------

    def steps(self) -> Any:
        """Yields ``waits`` while another core has to go on, ``moved`` after each cross-core flag."""
        block = self.function.regions[0].block
        attributes = {**self.function.attributes, **self.function.properties}
        given = iter([*self.kernel.data, self.kernel.grid, 1, 1])
        env: dict[Any, Any] = {}
        for argument, role in zip(block.args, attributes["arg_attrs"].data, strict=True):
            if "ffts" in str(role):
                env[argument] = 0
            elif "workspace" in str(role):
                env[argument] = _whole(self.kernel.workspace, "i8")
            elif "sync_block_lock" in str(role):
                env[argument] = None
            else:
                value = next(given)
                kind = str(argument.type.element_type) if isinstance(value, _Buffer) else ""
                env[argument] = _whole(value, kind) if isinstance(value, _Buffer) else value
        yield from self.body(block, env)

    def body(self, block: Any, env: dict[Any, Any]) -> Any:
        for op in block.ops:
            name = op.op_name.data if op.name == "builtin.unregistered" else op.name
            values = [env[operand] for operand in op.operands]
            if name in ("scf.yield", "func.return", "scf.condition"):
                return values
            if name == "scf.for":
                low, high, step, *carried = values
                inner = op.regions[0].block
                for index in range(low, high, step):
                    env.update(zip(inner.args, [index, *carried], strict=True))
                    carried = yield from self.body(inner, env)
                env.update(zip(op.results, carried, strict=True))
            elif name == "scf.if":
                region = op.regions[0 if values[0] else 1]
                given = (yield from self.body(region.block, env)) if len(region.blocks) else []
                env.update(zip(op.results, given, strict=True))
            elif name == "hivm.hir.sync_block_set":
                self.block_set(op, values)
                yield "moved"
            elif name == "hivm.hir.sync_block_wait":
                while not self.block_wait(op, values):
                    yield "waits"
                yield "moved"
            else:
                env.update(zip(op.results, self.plain(op, name, values), strict=True))
        return []

    def flag_of(self, op: Any, values: list[Any]) -> tuple[str, int]:
        known = {**op.attributes, **op.properties}
        flag = known["static_flag_id"].value.data if "static_flag_id" in known else values[0]
        return re.search(r"PIPE_(\w+)", str(known["tpipe"])).group(1), int(flag)

    def block_set(self, op: Any, values: list[Any]) -> None:
        pipe, flag = self.flag_of(op, values)
        for partner in self.partners():
            pending = self.kernel.block_flags.setdefault((self.number, partner, flag), [])
            if len(pending) == 15:
                raise Refused("a cross-core flag is set too often")
            pending.append(self.kernel.node([self.chain[pipe], *self.ended[pipe]]))

    def block_wait(self, op: Any, values: list[Any]) -> bool:
        _, flag = self.flag_of(op, values)
        pipe = re.search(r"PIPE_(\w+)", str({**op.attributes, **op.properties}["pipe"])).group(1)
        queues = [self.kernel.block_flags.get((partner, self.number, flag), []) for partner in self.partners()]
        if not all(queues):
            return False
        self.join(pipe, [queue.pop(0) for queue in queues])
        return True

    def plain(self, op: Any, name: str, v: list[Any]) -> list[Any]:
        known = {**op.attributes, **op.properties}
        short = name.rpartition(".")[2]
        if short == "call":
            self.library(known["callee"].root_reference.data, v)
            return []
        if name.startswith("memref."):
            return [_memref(op, short, known, v)]
        if name.startswith("affine."):
            given = _affine(known["map"].data, v)
            return [given[0] if short == "apply" else min(given) if short == "min" else max(given)]
        if short == "constant":
            value = known["value"].value.data
            return [value & 1 if str(op.results[0].type) == "i1" else value]  # true is -1 to the parser
        if short in ("set_flag", "wait_flag"):
            pipes = [re.search(r"PIPE_(\w+)", str(known[side])).group(1) for side in ("set_pipe", "wait_pipe")]
            event = v[0] if v else int(re.search(r"ID(\d+)", str(known["static_event_id"])).group(1))
            (self.set_flag if short == "set_flag" else self.wait_flag)(*pipes, int(event))
            return []
        if short == "pipe_barrier":
            self.barrier(re.search(r"PIPE_(\w+)", str(known["pipe"])).group(1))
            return []
        if short == "pointer_cast":
            kind = op.results[0].type
            space = re.search(r"address_space<(\w+)>", str(kind.memory_space)).group(1)
            bits = _BITS[str(kind.element_type)]
            count = int(np.prod(kind.get_shape()))
            at = v[0] * (8 if bits == 1 else 1) + np.arange(count) * max(bits // 8, 1)
            return [_View(self.memories[space], at.reshape(kind.get_shape()), str(kind.element_type))]
        if short in ("get_block_idx", "get_sub_block_idx"):
            return [self.block if short == "get_block_idx" else self.sub_block]
        if short in ("set_mask_norm", "set_ffts_base_addr"):
            return []
        return [_arithmetic(op, short, known, v)]

    # --- library -----------------------------------------------------------------------------------------------------

    def library(self, name: str, v: list[Any]) -> None:
        if name.startswith("nd2nz"):
            self.nd2nz(v[0], v[1])
        elif name.startswith("mma_tile"):
            self.mma(name, v)
        elif name.startswith("fixpipe"):
            rows, columns = v[1].at.shape
            part = _fractals(v[0], rows, columns)
            self.instruction("FIX", [part], [v[1]])
            if v[1].at.size:
                _put(v[1], _matrix(part)[:rows, :columns])
        elif name.startswith(("set_l1_2d", "broadcast_scalar")):
            self.instruction("MTE2" if name.startswith("set") else "V", [], [v[1]])
            _put(v[1], np.full(v[1].at.shape, v[0]))
        elif name.startswith(("load_gm", "store_ub")):
            self.instruction("MTE2" if name.startswith("load") else "MTE3", [v[0]], [v[1]])
            if v[1].at.size:
                _put(v[1], _get(v[0]))
        else:
            self.vector(name, v)

    def nd2nz(self, source: _View, target: _View) -> None:
        self.instruction("MTE2", [source], [target])
        data = _get(source)
        across, along, height, width = target.at.shape
        whole = np.zeros((along * height, across * width), data.dtype)
        whole[: data.shape[0], : data.shape[1]] = data
        for i in range(across):
            for j in range(along):
                part = whole[j * height : (j + 1) * height, i * width : (i + 1) * width]
                _put(_View(target.buffer, target.at[i, j], target.kind), part)

    def mma(self, name: str, v: list[Any]) -> None:
        bias = v.pop(6) if "_with_float_bias" in name else None
        (a, b, first, m, k, n, c), events = v[:7], v[7:11]
        of_a, of_b = ((k, m) if "_ta" in name else (m, k)), ((n, k) if "_tb" in name else (k, n))
        a, b, c = _fractals(a, *of_a), _fractals(b, *of_b), _fractals(c, m, n)
        for event in events[:2]:
            if event >= 0:
                self.wait_flag("MTE2", "MTE1", event)
        self.instruction("MTE1", [a, b] if bias is None else [a, b, bias], [])
        for event in events[2:]:
            if event >= 0:
                self.set_flag("MTE1", "MTE2", event)
        self.join("M", [self.kernel.node([self.chain["MTE1"], *self.ended["MTE1"]])])
        self.instruction("M", [] if first else [c], [c])
        if min(m, k, n) < 0:
            raise Refused("an mma of negative size")
        if 0 in (m, n) or (k == 0 and not first):
            return
        left, right = _matrix(a).astype(np.float64), _matrix(b).astype(np.float64)
        left = (left.T if "_ta" in name else left)[:m, :k]
        right = (right.T if "_tb" in name else right)[:k, :n]
        old = np.zeros_like(_matrix(c)) if first else _matrix(c)
        with np.errstate(all="ignore"):
            old[:m, :n] = old[:m, :n] + left @ right
            if first and bias is not None:
                old[:m, :n] += _get(bias).ravel()[:n]
        across, along, height, width = c.at.shape
        for i in range(across):
            for j in range(along):
                part = old[j * height : (j + 1) * height, i * width : (i + 1) * width]
                _put(_View(c.buffer, c.at[i, j], c.kind), part)

    def vector(self, name: str, v: list[Any]) -> None:
        sources = {"vcast": 1, "vnot": 1, "vexp": 1, "vabs": 1, "vsqrt": 1}.get(name.split("_")[0], 2)
        if name.startswith("vsel"):
            sources = 3
        target = v[sources]
        self.instruction("V", [x for x in v[:sources] if isinstance(x, _View)], [target])
        if not target.at.size:
            return
        for source in v[:sources]:
            if isinstance(source, _View) and self.bits(source) & self.bits(target):
                same = source.at.ravel()[0] == target.at.ravel()[0]
                if not same or _BITS[target.kind] > _BITS[source.kind]:
                    raise Refused("a vector instruction overwrites what it has yet to read")
        given = [_get(x) if isinstance(x, _View) else np.float32(x) for x in v[:sources]]
        word = name.split("_")[0].lstrip("v")
        with np.errstate(all="ignore"):
            if word == "sel":
                made = np.where(given[0].astype(bool), given[1], given[2])
            elif word == "cast":
                made = given[0]
            elif word == "cmp":
                made = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "gt": np.greater}[name.split("_")[1]](*given)
            elif word == "not":
                made = 1 - given[0]
            elif word == "exp":
                made = np.exp(given[0])
            else:
                table = {"add": np.add, "mul": np.multiply, "sub": np.subtract, "div": np.divide, "max": np.maximum}
                if word not in table and word.rstrip("s") not in table:
                    raise Refused(f"unknown {name}")
                made = table[word if word in table else word.rstrip("s")](*given)
        _put(target, made)


def _whole(buffer: _Buffer, kind: str) -> _View:
    size = _BITS[kind] // 8
    return _View(buffer, np.arange(buffer.data.size // size, dtype=np.int64) * size, kind)


def _get(view: _View) -> np.ndarray:
    if view.kind == "i1":
        return view.buffer.data[view.at // 8] >> (view.at % 8) & 1
    size = _BITS[view.kind] // 8
    raw = view.buffer.data[view.at[..., None] + np.arange(size)]
    if view.kind == "bf16":
        return (raw.reshape(-1).view(np.uint16).reshape(view.at.shape).astype(np.uint32) << 16).view(np.float32)
    return raw.reshape(-1).view(_DTYPES[view.kind]).reshape(view.at.shape)


def _put(view: _View, values: np.ndarray) -> None:
    values = np.broadcast_to(values, view.at.shape)
    if view.kind == "i1":
        for at, bit in zip(view.at.ravel(), values.ravel(), strict=True):
            view.buffer.data[at // 8] = view.buffer.data[at // 8] & ~(1 << at % 8) & 255 | int(bit) << at % 8
        return
    with np.errstate(all="ignore"):
        if view.kind == "bf16":
            bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
            typed = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
        else:
            typed = np.ascontiguousarray(values).astype(_DTYPES[view.kind])
    raw = np.ascontiguousarray(typed).reshape(-1).view(np.uint8)
    view.buffer.data[(view.at[..., None] + np.arange(_BITS[view.kind] // 8)).reshape(-1)] = raw


def _fractals(view: _View, rows: int, columns: int) -> _View:
    _, _, height, width = view.at.shape
    return _View(view.buffer, view.at[: -(-columns // width), : -(-rows // height)], view.kind)


def _matrix(view: _View) -> np.ndarray:
    parts = _get(view)
    return np.concatenate([np.concatenate(list(strip), axis=0) for strip in parts], axis=1)


def _memref(op: Any, short: str, known: dict[str, Any], v: list[Any]) -> Any:
    base = v[0]
    if short == "cast":
        return base
    if short == "collapse_shape":
        shape = [int(np.prod([base.at.shape[i.value.data] for i in g.data])) for g in known["reassociation"].data]
        return _View(base.buffer, base.at.reshape(shape), base.kind)
    kind = str(op.results[0].type.element_type)
    if short == "view":
        shape = list(op.results[0].type.get_shape())
        at = base.at.ravel()[0] + v[1] + np.arange(int(np.prod(shape))) * (_BITS[kind] // 8)
        return _View(base.buffer, at.reshape(shape), kind)
    rest = iter(v[1:])
    offsets, sizes, strides = (
        [next(rest) if x == _DYNAMIC else x for x in known[f"static_{what}"].get_values()]
        for what in ("offsets", "sizes", "strides")
    )
    if short == "reinterpret_cast":
        at = np.full((), offsets[0], np.int64)
        for size, stride in zip(sizes, strides, strict=True):
            at = at[..., None] + np.arange(size) * stride
        return _View(base.buffer, at * (_BITS[kind] // 8), kind)
    if short == "subview":
        if any(size < 0 for size in sizes):
            raise Refused("a view of negative size")
        at = base.at
        for axis, (offset, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
            chosen = offset + np.arange(size) * stride
            if size and (chosen.min() < 0 or chosen.max() >= base.at.shape[axis]):
                raise Refused("a view outside of its base")
            at = np.take(at, chosen, axis=axis)
        drop = len(sizes) - len(op.results[0].type.get_shape())
        if drop:
            ones = tuple(i for i, size in enumerate(sizes) if size == 1)[:drop]
            at = at.reshape([size for i, size in enumerate(at.shape) if i not in ones])
        return _View(base.buffer, at, kind)
    raise Refused(f"unknown memref.{short}")


def _affine(affine_map: Any, values: list[int]) -> list[int]:
    def value(expression: Any) -> int:
        kind = type(expression).__name__
        if kind == "AffineConstantExpr":
            return int(expression.value)
        if kind == "AffineDimExpr":
            return values[expression.position]
        if kind == "AffineSymExpr":
            return values[affine_map.num_dims + expression.position]
        one, other = value(expression.lhs), value(expression.rhs)
        name = expression.kind.name
        if name in ("Add", "Mul"):
            return one + other if name == "Add" else one * other
        if other <= 0:
            raise Refused("a division by zero")
        return {"Mod": one % other, "FloorDiv": one // other, "CeilDiv": -(-one // other)}[name]

    return [value(result) for result in affine_map.results]


def _arithmetic(op: Any, short: str, known: dict[str, Any], v: list[Any]) -> Any:
    kind = str(op.results[0].type)
    if short in ("divsi", "remsi") and not v[1]:
        raise Refused("a division by zero")
    if short == "select":
        return v[1] if v[0] else v[2]
    if short == "cmpi":
        predicate = known["predicate"].value.data
        return [v[0] == v[1], v[0] != v[1], v[0] < v[1], v[0] <= v[1], v[0] > v[1], v[0] >= v[1]][predicate]
    if short in ("index_cast", "trunci", "extsi", "extui"):
        return v[0] & 1 if kind == "i1" else v[0]
    table = {
        "addi": lambda a, b: a + b,
        "subi": lambda a, b: a - b,
        "muli": lambda a, b: a * b,
        "divsi": lambda a, b: int(a / b) if abs(a) < 2**50 else a // b,
        "remsi": lambda a, b: int(np.fmod(a, b)),
        "minsi": min,
        "maxsi": max,
        "andi": lambda a, b: a & b,
        "ori": lambda a, b: a | b,
        "xori": lambda a, b: a ^ b,
    }
    if short not in table:
        raise Refused(f"unknown {short}")
    return table[short](*v)
