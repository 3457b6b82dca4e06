"""Runs in the Python that has triton-ascend, alone: Triton source in, ttir out. Knows nothing of this package.

Reads one JSON request a line from stdin, answers with one JSON line on what was stdout when it started; whatever a
kernel's module prints goes to stderr. A request: file, kernel, signature (argument -> type), constants, target.
"""

import hashlib
import importlib.util
import json
import os
import sys
import traceback


class _Driver:
    """Stands where a board's driver would: ``@triton.autotune`` asks for one when a module is imported."""

    def get_current_target(self):
        from triton.backends.compiler import GPUTarget

        return GPUTarget("npu", "Ascend910B3", 0)

    def get_benchmarker(self):
        return lambda *_arguments, **_options: [0.0]

    def get_current_device(self):
        return 0


_modules = {}


def _kernel(path, name):
    import triton

    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    if (path, digest) not in _modules:
        triton.runtime.driver.set_active(_Driver())
        spec = importlib.util.spec_from_file_location("ascend_tune_kernel_" + digest[:16], path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        _modules[path, digest] = module
    found = getattr(_modules[path, digest], name, None)
    while found is not None and not isinstance(found, triton.runtime.jit.JITFunction):
        found = getattr(found, "fn", None)  # autotune and heuristics wrap the kernel
    if found is None:
        raise LookupError("%s has no @triton.jit kernel %r" % (os.path.basename(path), name))
    return found


def _ttir(request):
    from triton._C.libtriton import ir
    from triton.backends.ascend.compiler import AscendBackend, NPUOptions, make_ttir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource

    kernel = _kernel(request["file"], request["kernel"])
    backend = AscendBackend(GPUTarget("npu", request["target"], 0))
    missing = [name for name in kernel.arg_names if name not in request["signature"] and name not in request["constants"]]
    if missing:
        raise LookupError("arguments without a type or a value: " + ", ".join(missing))
    source = ASTSource(kernel, request["signature"], request["constants"])
    options = NPUOptions()
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(options, backend.get_codegen_implementation(), backend.get_module_map(), context)
    return str(make_ttir(module, {"hash": "x"}, options))


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            answer = {"ttir": _ttir(json.loads(line))}
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            told = traceback.extract_tb(error.__traceback__)
            place = told[-1] if told else None
            answer = {
                "error": "%s: %s" % (type(error).__name__, error),
                "place": "%s:%s" % (os.path.basename(place.filename), place.lineno) if place else "",
            }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
