"""Does load make the gate cry wolf? Gates of an unchanged project, seeded under random load and gated under another.

python -m benchmarks.gate load [--gates 250] [--output load.jsonl] [--resume] [--summary] [--seed 1]

Each gate is a project of its own on the real cpu backend: its baseline is seeded by the product's session (no search,
the template's default configuration) beside 0 to 20 hogs of CPU, memory and cache, then gated in a new session beside
another random set of them. Of ten gates one is at 1024^3, the others at 256^3 and 512^3. Half of the unchanged projects
have a new comment in their kernel, so that two builds of the same code are compared. Every fifth is no unchanged
project: its compiler is replaced by a wrapper that adds -O1 before it is gated, once by stored numbers alone and once
with the old compiler given (--ascend-tune-old-cxx).

Nearly every baseline that was seeded so is provisional. Therefore each confirmation is judged twice more: as if the
baseline were not provisional, and as if besides a version had changed, so that stored numbers could make a red.

One JSON line is appended per gate as soon as it is done; `--resume` goes on after the last of them, `--summary` only
counts. What gate number n is depends on the seed and n alone. The hogs are children of this process: they are killed
after each gate and end by themselves when it is gone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from pytest_ascend_tune import GemmProblem
from pytest_ascend_tune.gate.verdict import judge
from pytest_ascend_tune.model.verdict import GateResult, GateStatus
from pytest_ascend_tune.options.settings import Request, resolve
from pytest_ascend_tune.session.run import TuneSession

MOST_HOGS = 20
SIZES = (1024, 256, 512, 256, 512, 512, 256, 512, 256, 512)  # by the last digit of the gate's number
PLATFORM_EVERY = 5  # of each five gates the last one has another compiler
TEMPLATE = Path(str(resources.files("pytest_ascend_tune.kernel_templates"))) / "cpu_gemm"
SUSPECTED = {
    "red_if_firm": "as if the baseline were not provisional",
    "red_if_firm_and_upgraded": "so, and as if a version had changed",
}
SETTLE_S = 0.5  # until hogs have begun
CONFIDENCE = 0.95

# Each works in pieces of some milliseconds, and ends when its parent is gone.
HOGS = {
    "cpu": "work = lambda: sum(i * i for i in range(20000))",
    "memory": "import numpy; a = numpy.ones(8 << 20); b = a.copy(); work = lambda: numpy.copyto(b, a)",
    "cache": "import numpy; a = numpy.ones(96 << 10); work = lambda: [a.__imul__(1.0) for _ in range(50)]",
}
LOOP = "import os; parent = os.getppid()\n{kind}\nwhile os.getppid() == parent: work()"


@dataclass(frozen=True)
class Case:
    """What one gate is: kind (``unchanged``, ``touched`` or ``platform``), size, hogs of each sort at which time."""

    number: int
    kind: str
    size: int
    seeded_beside: dict[str, int]
    gated_beside: dict[str, int]


def case(number: int, seed: int) -> Case:
    """Gate `number` (from 0) of the benchmark with this seed."""
    chance = random.Random(f"{seed} {number}")
    kind = "platform" if number % PLATFORM_EVERY == PLATFORM_EVERY - 1 else chance.choice(("unchanged", "touched"))
    return Case(number, kind, SIZES[number % len(SIZES)], some_hogs(chance), some_hogs(chance))


def some_hogs(chance: random.Random) -> dict[str, int]:
    """0 to MOST_HOGS of them, each of a random sort."""
    chosen = chance.choices(list(HOGS), k=chance.randint(0, MOST_HOGS))
    return {kind: chosen.count(kind) for kind in HOGS}


@contextmanager
def hogs(wanted: dict[str, int]) -> Iterator[None]:
    """So many busy children of each sort; all of them are killed at the end."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    children: list[subprocess.Popen[bytes]] = []
    try:
        for kind, count in wanted.items():
            command = [sys.executable, "-c", LOOP.format(kind=HOGS[kind])]
            children += [subprocess.Popen(command, env=environment) for _ in range(count)]
        time.sleep(SETTLE_S)
        yield
    finally:
        for child in children:
            child.kill()
        for child in children:
            child.wait()


def gate(project: Path, problem: GemmProblem, **options: str) -> GateResult:
    """One gate in a session of its own, as a pull request has it."""
    settings = resolve({"backend": "cpu", "max_iter": "0", "template": "kernel", **options}, {})
    session = TuneSession(settings, project)
    try:
        session.open()
        request = Request(problem, session.settings)
        session.check([request])
        return session.gate(request)
    finally:
        session.close()


def told(result: GateResult) -> dict[str, Any]:
    """What is kept of a result."""
    return {
        "status": result.status.value,
        "cause": result.verdict.cause.value if result.verdict.cause else None,
        "fails": result.verdict.fails,
        "drop": result.verdict.drop,
        "reason": str(result.verdict.reason),
        "notes": [str(note) for note in result.verdict.notes],
        "seconds": round(result.confirmation.seconds, 2) if result.confirmation else None,
    }


def suspected(result: GateResult) -> dict[str, bool]:
    """Whether it would be red if its baseline were not provisional, and if besides a version had changed."""
    assert result.baseline is not None
    assert result.fingerprint is not None
    firm = replace(result.baseline, provisional=False)
    upgraded = replace(result.fingerprint, versions=(*result.fingerprint.versions, ("made_up", "2")))
    return {
        "red_if_firm": judge(result.tuning, firm, result.fingerprint, result.policy).fails,
        "red_if_firm_and_upgraded": judge(result.tuning, firm, upgraded, result.policy).fails,
    }


def run(one: Case, cxx: str) -> dict[str, Any]:
    """Seed and gate; the line that is kept."""
    problem = GemmProblem(one.size, one.size, one.size, "float32")
    started_s, line = time.monotonic(), asdict(one)
    with tempfile.TemporaryDirectory(prefix="gate-under-load-") as folder:
        project = Path(folder)
        kernel = project / "kernel"
        shutil.copytree(TEMPLATE, kernel, ignore=shutil.ignore_patterns("__*"))
        with hogs(one.seeded_beside):
            seeded = gate(project, problem, missing="seed")
        line["seeded"] = told(seeded)
        (path,) = project.glob(".ascend-tune/baselines/main/*/*/*.json")
        line["provisional"] = json.loads(path.read_text(encoding="utf-8")).get("provisional", False)
        with hogs(one.gated_beside):
            if one.kind != "platform":
                if one.kind == "touched":
                    with next(iter(kernel.glob("*.cpp"))).open("a", encoding="utf-8") as source:
                        source.write("// nothing but a comment\n")
                result = gate(project, problem)
                line["gated"] = told(result) | suspected(result)
            else:
                with worse_compiler(project, cxx):
                    line["gated"] = told(gate(project, problem))
                    line["gated_with_old_cxx"] = told(gate(project, problem, old_cxx=cxx))
    return {**line, "load_average": os.getloadavg()[0], "seconds": round(time.monotonic() - started_s, 1)}


@contextmanager
def worse_compiler(project: Path, cxx: str) -> Iterator[None]:
    """CXX is a wrapper that adds -O1."""
    wrapper, before = project / "worse-cxx", os.environ.get("CXX")
    wrapper.write_text(f'#!/bin/sh\nexec {cxx} "$@" -O1\n', encoding="utf-8")
    wrapper.chmod(0o755)
    os.environ["CXX"] = str(wrapper)
    try:
        yield
    finally:
        if before is None:
            del os.environ["CXX"]
        else:
            os.environ["CXX"] = before


def done(output: Path) -> list[dict[str, Any]]:
    """The lines so far; a last one that was cut off is left out."""
    lines = []
    for text in output.read_text(encoding="utf-8").splitlines() if output.exists() else ():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            break
    return lines


def bounds(found: int, of: int) -> tuple[float, float]:
    """One-sided 95 % bounds of a share (Clopper-Pearson): (lower, upper)."""
    from scipy.stats import beta

    lower = float(beta.ppf(1 - CONFIDENCE, found, of - found + 1)) if found else 0.0
    upper = float(beta.ppf(CONFIDENCE, found + 1, of - found)) if found < of else 1.0
    return lower, upper


def summary(lines: Sequence[dict[str, Any]]) -> list[str]:
    """The table, in Markdown."""
    unchanged = [line for line in lines if line["kind"] != "platform"]
    platform = [line for line in lines if line["kind"] == "platform"]
    firm = [line for line in platform if not line["provisional"]]
    sizes = sorted({line["size"] for line in unchanged})
    rows = [("unchanged", [line["gated"] for line in unchanged])]
    rows += [("unchanged but for a comment", [line["gated"] for line in unchanged if line["kind"] == "touched"])]
    rows += [(f"unchanged, {size}^3", [line["gated"] for line in unchanged if line["size"] == size]) for size in sizes]
    for kind in (True, False):
        words = "provisional" if kind else "firm"
        rows.append(
            (f"unchanged, {words} baseline", [line["gated"] for line in unchanged if line["provisional"] is kind])
        )
    rows += [
        ("-O1, stored numbers alone, any baseline", [line["gated"] for line in platform]),
        ("-O1, stored numbers alone, firm baseline", [line["gated"] for line in firm]),
        ("-O1, with the old compiler given", [line["gated_with_old_cxx"] for line in platform]),
    ]
    table = ["| project | gates | red | share of red, 95 % bounds | inconclusive |", "|---|---|---|---|---|"]
    for name, gates in rows:
        if gates:
            red = sum(one["fails"] for one in gates)
            lower, upper = bounds(red, len(gates))
            doubtful = sum(one["status"] == GateStatus.INCONCLUSIVE.value for one in gates)
            share = f"{red / len(gates):.1%} (lower {lower:.1%}, upper {upper:.1%})"
            table.append(f"| {name} | {len(gates)} | {red} | {share} | {doubtful} |")
    for key, words in SUSPECTED.items():
        red = sum(line["gated"][key] for line in unchanged)
        share = f"upper bound {bounds(red, len(unchanged))[1]:.1%}" if unchanged else ""
        table.append(f"| unchanged, judged {words} | {len(unchanged)} | {red} | {share} | - |")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gates", type=int, default=250, help="four fifths of them of an unchanged project")
    parser.add_argument("--output", type=Path, default=Path("load.jsonl"))
    parser.add_argument("--resume", action="store_true", help="go on after the last gate of the output")
    parser.add_argument("--summary", action="store_true", help="only count what the output holds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines = done(options.output)
    if lines and not (options.resume or options.summary):
        sys.exit(f"{options.output} holds {len(lines)} gates already: go on with --resume, or name another file")
    cxx = shutil.which("g++")
    if cxx is None:
        sys.exit("g++ is needed")
    if not options.summary:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        options.output.write_text(text, encoding="utf-8")  # without a line that was cut off
        for number in range(len(lines), options.gates):
            line = run(case(number, options.seed), cxx)
            lines.append(line)
            with options.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            beside = f"{sum(line['seeded_beside'].values())} and {sum(line['gated_beside'].values())} hogs"
            said = "RED" if line["gated"]["fails"] else line["gated"]["status"]
            print(f"{number + 1}/{options.gates} {line['kind']} {line['size']}^3, {beside}: {said}", flush=True)
    print("\n".join(summary(lines)))
