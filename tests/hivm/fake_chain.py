"""Stands where the vendor's compiler would: answers with a recorded module."""

from __future__ import annotations

from pytest_ascend_tune.backends.hivm.chain import CompiledKernel, KernelSource, Tools
from tests.hivm.cases import recorded


class FakeChain:
    """Answers with a recording, made for a grid of two programs."""

    text = recorded("nn_float16")
    asked: list[tuple[KernelSource, str, dict[str, object]]]

    def __init__(self, _tools: Tools) -> None:
        self.closed = False

    def compile(
        self, source: KernelSource, *, target: str, options: dict[str, object], timeout_s: float
    ) -> CompiledKernel:
        assert source.file.read_text().startswith('"""C = A B on the cube cores')
        FakeChain.asked.append((source, target, options))
        return CompiledKernel(FakeChain.text, ("changed by itself",), {})

    def close(self) -> None:
        self.closed = True
