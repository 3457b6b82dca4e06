"""Is a confirmed time what the kernel really takes? Short confirmations against one long measurement, in one run.

python -m benchmarks.gate.confirmed [--size 1024] [--repeats 5] [--long 2000]

Each confirmation is the product's own (`gate.sampling.confirm`, within its usual budget); the long measurement takes
many more samples of the same build between them, in blocks. Prints the ratio of each confirmed time to the long one.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from pytest_ascend_tune import GemmProblem, backends
from pytest_ascend_tune.gate.sampling import ConfirmPlan, confirm
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model import fastest_quarter_mean
from pytest_ascend_tune.protocols import BackendOptions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--long", type=int, default=2000, help="samples of the long measurement")
    options = parser.parse_args()
    problem = GemmProblem(options.size, options.size, options.size, "float32")
    backend = backends.create("cpu", options=BackendOptions(Path(tempfile.gettempdir()) / "ascend-tune-benchmark"))
    template, space = load_template(backend.default_template)
    default = space.bind(backend.facts(), problem).default
    assert default is not None
    artifact = backend.build(template, problem, default)
    reference = backend.reference(problem)
    print(f"load average {os.getloadavg()[0]:.1f}, {problem.id}, {backend.device}")
    confirmed, seconds, long = [], [], []
    for repeat in range(options.repeats):
        confirmation = confirm(backend, problem, [artifact], None, reference, ConfirmPlan(seed=repeat))
        assert confirmation is not None
        confirmed.append(confirmation.winner.time_us)
        seconds.append(confirmation.seconds)
        block = range(options.long // options.repeats)
        long.extend(backend.sample(artifact, problem, timeout_s=60.0).us for _ in block)
    backend.close()
    truth = fastest_quarter_mean(tuple(long))
    for time_us, took in zip(confirmed, seconds, strict=True):
        print(f"confirmed in {took:4.1f} s: {time_us / truth - 1:+.2%} of the long measurement")
    worst = max(abs(time_us / truth - 1) for time_us in confirmed)
    print(f"worst of {len(confirmed)}: {worst:.2%} from a measurement of {len(long)} samples")


if __name__ == "__main__":
    main()
