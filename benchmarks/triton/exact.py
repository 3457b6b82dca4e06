"""How many compiled schedules are executed bit for bit right: random shapes, tiles, types, layouts, tails, epilogues.

``python -m benchmarks.triton exact PYTHON [--count 320] [--seed 0]``; PYTHON has triton-ascend and ascendnpu-ir.
Data are small whole numbers, so that every sum is exact. GELU and SiLU need exp: one last place is allowed, and counted
apart. What the compiler refuses is counted by its own words and does not count as a schedule.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator

from pytest_ascend_tune.backends.hivm.chain import Chain, find_tools
from pytest_ascend_tune.backends.hivm.execute import execute
from pytest_ascend_tune.backends.hivm.module import read_program
from pytest_ascend_tune.model.errors import BuildError, TrialError
from tests.hivm.cases import Case, error

EPILOGUES = [(1, 0, "none"), (0, 0, "relu"), (1, 0, "relu"), (0, 0, "half"), (0, 1, "none"), (1, 2, "none")]
EPILOGUES += [(0, 0, "gelu"), (1, 0, "silu")]


def draw(rng: random.Random) -> Case:
    """One random kernel on one random problem."""
    epilogue = rng.choice(EPILOGUES) if rng.random() < 0.5 else None
    dtype = rng.choice(["float16", "float16", "bfloat16", "float32", "int8"])
    step = 32 if dtype == "int8" else 16
    tile = [step * rng.randint(1, 128 // step), step * rng.randint(1, 128 // step), step * rng.randint(1, 256 // step)]
    m, n, k = (size * rng.randint(1, 4) if rng.random() < 0.4 else rng.randint(17, 4 * size + 16) for size in tile)
    return Case(
        m,
        n,
        k,
        (tile[0], tile[1], tile[2]),
        dtype,
        "nn" if epilogue else rng.choice(["nn", "nt", "tn", "tt"]),
        "float16" if epilogue and dtype == "int8" else "",
        cores=rng.randint(1, 20),
        group=rng.randint(1, 4),
        along_n=rng.randint(0, 1),
        shift_k=rng.randint(0, 1),
        epilogue=epilogue,
        options={"multibuffer": rng.random() < 0.7},
    )


def kinds(case: Case) -> Iterator[str]:
    """What a case counts for."""
    yield f"dtype {case.dtype}"
    yield f"layout {case.layout}"
    yield f"epilogue {case.epilogue or 'none'}"
    yield f"multibuffer {case.options['multibuffer']}"
    tails = [name for name, size, tile in zip("mnk", (case.m, case.n, case.k), case.tile, strict=True) if size % tile]
    yield f"tail of {' '.join(tails) or 'nothing'}"


def report(done: int, near: int, wrong: int, refused: Counter[str], exact: Counter[str]) -> None:
    """All counts so far."""
    print(f"{done} compiled and executed, {done - near - wrong} bit for bit right, {near} within one last place (exp),")
    print(f"{wrong} wrong, not executed, or with flags left over;")
    print(f"refused by the compiler: {sum(refused.values())} of {done + sum(refused.values())}")
    for words, count in refused.most_common():
        print(f"  {count:4d}  {words}")
    for kind, count in sorted(exact.items()):
        print(f"  {count:4d}  {kind}", flush=True)


def main() -> None:
    """Print a line for each that is wrong, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python")
    parser.add_argument("--count", type=int, default=320)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    exact, near, wrong = Counter[str](), 0, 0
    refused: Counter[str] = Counter()
    done = 0
    with Chain(find_tools(given.python)) as chain:
        while done < given.count:
            case = draw(rng)
            try:
                module = case.compile(chain)
            except BuildError as refusal:
                refused[re.sub(r"\d+", "N", str(refusal))[:60]] += 1
                continue
            done += 1
            operands, right = case.operands(done)
            try:
                told = execute(read_program(module), operands, case.cores)
                off = error(operands[-1], right, case.result)
                problem = "; ".join(told.notes) or (f"off by {off:.3g}" if off > 1 else "")
            except TrialError as failure:
                off, problem = float("inf"), str(failure)
            wrong += bool(problem)
            near += 0 < off <= 1
            exact.update(kind for kind in kinds(case) if off == 0)
            if problem:
                print(f"{problem}: {case}", flush=True)
            if done % 40 == 0 and done < given.count:
                report(done, near, wrong, refused, exact)
    report(done, near, wrong, refused, exact)
