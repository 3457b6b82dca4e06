"""Measures the gate: false alarms and detection of its rule beside others, and a simulation that bounds its errors.

    python -m benchmarks.gate rates [--sessions 16] [--samples FILE.npz] [--tests 40000] [--output results.md]

Recorded sessions are used when they are at hand, fresh ones are always taken. Threads of BLAS are set to one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.gate import resampled, rules, samples, simulate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=16, help="fresh sessions to take, about 5 s each; 0 = none")
    parser.add_argument("--pause-s", type=float, default=0.0, help="between two fresh sessions")
    parser.add_argument("--save", type=Path, help="keep the fresh sessions (thread CPU time) in this npz file")
    parser.add_argument("--samples", type=Path, help="recorded sessions: npz file (default: those of the project)")
    parser.add_argument(
        "--tests", type=int, default=40_000, help="simulated unchanged tests per kind of noise; 0 = none"
    )
    parser.add_argument("--detections", type=int, default=300, help="simulated slower tests per kind and size")
    parser.add_argument("--output", help="also write the tables to this file")
    arguments = parser.parse_args()
    tables: list[str] = []

    def say(text: str) -> None:
        print(text, flush=True)
        tables.append(text)

    file = arguments.samples or samples.recorded_file()
    if arguments.samples is None and not file.is_file():
        say(f"Recorded sessions: skipped, {file} is not there.\n")
    else:
        sessions = samples.load(file)
        say(rates(f"Recorded, {len(sessions)} sessions of {len(sessions[0]['A'])} rounds", sessions))
        say(table("The gate on other cuts of the recorded sessions", "cut", dict(resampled.cuts(sessions))))
    taken = list(samples.fresh(arguments.sessions, pause_s=arguments.pause_s))
    if arguments.save and taken:
        samples.save(arguments.save, [session["thread CPU"] for session in taken])
    for clock in ("wall", "thread CPU") if taken else ():
        of_clock = [session[clock] for session in taken]
        wander = np.array([np.median(session["A"]) for session in of_clock])
        say(rates(f"Fresh, {len(taken)} sessions, {clock} time (medians of A: {spread(wander)})", of_clock))
    if arguments.tests:
        say(simulation(arguments.tests, arguments.detections))
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write("\n".join(tables))


def rates(title: str, sessions: list[rules.Session]) -> str:
    """Table of false alarms and detection."""
    answers = {"this package: the gate, with its second take": rules.gate_rates(sessions)}
    answers |= {name: rules.paired_rates(rule, sessions) for name, rule in rules.PAIRED.items()}
    answers |= {name: rules.stored_rates(rule, sessions) for name, rule in rules.STORED.items()}
    if len(sessions) > rules.HISTORY:
        answers["stored history of 10, z > 3"] = rules.z_score_rates(sessions)
    answers["this package, against stored numbers (10 %, beside a reference)"] = rules.platform_rates(sessions)
    return table(title, "rule", answers)


def table(title: str, what: str, answers: dict[str, dict[str, list[bool]]]) -> str:
    """A row for each entry: how often it answered "slower"."""
    lines = [f"**{title}**", "", f"| {what} | no change | +5 % work | +10 % work |", "|---|---|---|---|"]
    for name, changes in answers.items():
        cells = (f"{sum(found)}/{len(found)} = {np.mean(found):.1%}" for found in changes.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def simulation(tests: int, slower: int) -> str:
    """Table of simulated error rates."""
    lines = [
        f"**Simulated confirmations in sessions of {simulate.TESTS_OF_A_SESSION} tests**",
        "",
        "| noise | no change: slower | upper bound per test | upper bound per session | -5 % found | -10 % found |",
        "|---|---|---|---|---|---|",
    ]
    for kind in simulate.KINDS:
        alarms = simulate.false_alarms(kind, tests)
        found = [simulate.detections(kind, drop, slower) for drop in (0.05, 0.10)]
        cells = [f"{rate.found}/{rate.tests} = {rate.found / rate.tests:.1%}" for rate in found]
        bounds = f"{alarms.upper:.4%} | {alarms.upper_of_session():.2%}"
        lines.append(f"| {kind} | {alarms.found}/{alarms.tests} | {bounds} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def spread(values: np.ndarray) -> str:
    return f"{values.min() / 1e3:.1f} to {values.max() / 1e3:.1f} ms"
