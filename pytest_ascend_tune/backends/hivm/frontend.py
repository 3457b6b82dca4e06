"""Runs in the Python that has triton-ascend, alone: Triton source in, ttir out. Knows nothing of this package.

Reads one JSON request a line from stdin, answers with one JSON line on what was stdout when it started; whatever a
kernel's module prints goes to stderr. A request: file, kernel, signature (argument -> type), constants, target.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any


class _Driver:
    """Stands where a board's driver would: ``@triton.autotune`` asks for one when a module is imported."""

    def get_current_target(self) -> Any:
        from triton.backends.compiler import GPUTarget  # start-up: runs in Triton's own Python

        return GPUTarget("npu", "Ascend910B3", 0)

    def get_benchmarker(self) -> Any:
        return lambda *_arguments, **_options: [0.0]

    def get_current_device(self) -> int:
        return 0


_modules: dict[str, Any] = {}


def _kernel(path: str, name: str) -> Any:
    import triton  # start-up: runs in Triton's own Python

    key = f"{path} {hashlib.sha256(Path(path).read_bytes()).hexdigest()}"
    if key not in _modules:
        triton.runtime.driver.set_active(_Driver())
        spec = importlib.util.spec_from_file_location(f"ascend_tune_kernel_{len(_modules)}", path)
        if spec is None or spec.loader is None:
            raise LookupError(f"{Path(path).name} is no Python source")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        _modules[key] = module
    found = getattr(_modules[key], name, None)
    while found is not None and not isinstance(found, triton.runtime.jit.JITFunction):
        found = getattr(found, "fn", None)  # autotune and heuristics wrap the kernel
    if found is None:
        raise LookupError(f"{Path(path).name} has no @triton.jit kernel {name!r}")
    return found


def _ttir(request: dict[str, Any]) -> str:
    from triton._C.libtriton import ir  # start-up: runs in Triton's own Python
    from triton.backends.ascend.compiler import (  # start-up: runs in Triton's own Python
        AscendBackend,
        NPUOptions,
        make_ttir,
    )
    from triton.backends.compiler import GPUTarget  # start-up: runs in Triton's own Python
    from triton.compiler.compiler import ASTSource  # start-up: runs in Triton's own Python

    kernel = _kernel(request["file"], request["kernel"])
    given = {**request["signature"], **request["constants"]}
    if missing := [name for name in kernel.arg_names if name not in given]:
        raise LookupError(f"arguments of {request['kernel']} without a type or a value: {', '.join(missing)}")
    if unknown := [name for name in given if name not in kernel.arg_names]:
        raise LookupError(f"{request['kernel']} has no arguments {', '.join(unknown)}")
    backend = AscendBackend(GPUTarget("npu", request["target"], 0))
    source = ASTSource(kernel, request["signature"], request["constants"])
    options = NPUOptions()
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(options, backend.get_codegen_implementation(), backend.get_module_map(), context)
    return str(make_ttir(module, {"hash": "x"}, options))


def _answer(line: str) -> dict[str, str]:
    try:
        return {"ttir": _ttir(json.loads(line))}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a kernel's module may raise SystemExit
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        return {"error": f"{type(error).__name__}: {error}", "place": place}


def main() -> None:
    """Answer until stdin ends."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        for line in sys.stdin:
            answers.write(json.dumps(_answer(line)) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
