"""One way to start a benchmark: ``python -m benchmarks.NAME [COMMAND] [options]``, from the checkout.

BLAS has one thread unless the environment says otherwise; libraries read that when they are loaded, so it is set here.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module


def start(package: str, *commands: str) -> None:
    """Run ``main()`` of the module that the first argument names; where there is one module, of that."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    given = sys.argv[1:]
    if len(commands) > 1 and (not given or given[0] not in commands):
        sys.exit(
            f"usage: python -m {package} {'|'.join(commands)} [-h]; see benchmarks/{package.split('.')[1]}/README.md"
        )
    several = len(commands) > 1
    command = given.pop(0) if several else commands[0]
    sys.argv = [f"python -m {package} {command}" if several else f"python -m {package}", *given]
    import_module(f"{package}.{command}").main()
