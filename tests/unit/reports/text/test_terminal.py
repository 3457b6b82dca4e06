"""Progress, summary and failure message."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ascend_tune.model.search import ConvergenceState
from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.reports.text import terminal
from tests.factories import every_status, gate_result, tuning

Golden = Callable[[str, str], None]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summary(golden: Golden, language: str) -> None:
    lines = terminal.summary_lines(every_status(), width=160, language=language, report="report/index.html")
    golden(f"reports/summary_{language}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("status", [GateStatus.REGRESSED, GateStatus.NOTHING_VALID, GateStatus.BELOW_EFFICIENCY])
def test_failure_message(golden: Golden, status: GateStatus) -> None:
    message = terminal.failure_message(gate_result(status), report=".ascend-tune/report/index.html")
    golden(f"reports/failure_{status}.txt", message + "\n")


def test_the_message_of_a_regression_has_what_a_person_needs() -> None:
    result = replace(gate_result(GateStatus.REGRESSED), changed_files=("kernel.cpp", "space.toml"))
    message = terminal.failure_message(result, report="the/report.html")
    assert len(message.splitlines()) == 6
    for wanted in (
        "7.3 % slower than the baseline of 2026-11-20: 227.9 against 245.8 TFLOPS (6.9 % to 7.8 %, 2.5 % allowed)",
        "[4096x4096x4096-float16-nn]",
        "kernel.cpp, space.toml (since 2026-11-20)",
        "the kernel's code",
        "tile_m=256",
        "the/report.html",
        "--ascend-tune-accept-regression 'tests/test_gemm.py::test_gemm[4096x4096x4096-float16-nn]'",
    ):
        assert wanted in message


@pytest.mark.parametrize("status", list(GateStatus))
def test_a_failure_is_six_lines_at_most_and_its_first_has_the_numbers(status: GateStatus) -> None:
    result = replace(gate_result(status), changed_files=("kernel.cpp",))
    lines = terminal.failure_message(result, report="the/report.html").splitlines()
    assert len(lines) <= 6
    if status is GateStatus.REGRESSED:
        drop, now, then = re.match(r"([\d.]+) % slower .*: ([\d.]+) against ([\d.]+) TFLOPS", lines[0]).groups()
        assert 100 * (1 - float(now) / float(then)) == pytest.approx(float(drop), abs=0.06)
        assert lines[0].startswith("7.3 %"), "what pytest's own FAILED line shows first"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_table_fits(width: int, language: str) -> None:
    results = [*every_status(), gate_result(GateStatus.REGRESSED, "96x96x96-float16-nn", backend="simulator")]
    lines = terminal.summary_lines(results, width=width, language=language)
    rows = [line for line in lines[1:] if "made-up sentence" not in line]
    assert max(map(terminal.columns, rows)) <= width
    label = {"en": "regressed", "zh": "性能回退"}[language]
    for result in results:
        assert sum(result.tuning.problem.id in row for row in rows) == 1
    assert sum(label in row for row in rows) == 2
    assert any("-7.3 %" in row for row in rows)


def test_what_says_least_goes_first_when_the_terminal_is_narrow() -> None:
    shown = {}
    for width in (160, 100, 80, 60, 40):
        text = "\n".join(terminal.summary_lines(every_status(), width=width))
        words = {"search": "converged", "interval": "[226.8, 229.0]", "peak": "64.4 %", "rate": "227.9 TFLOPS"}
        shown[width] = [name for name, word in words.items() if word in text]
    assert shown == {
        160: ["search", "interval", "peak", "rate"],
        100: ["peak", "rate"],
        80: ["peak", "rate"],
        60: ["peak", "rate"],
        40: [],
    }


def test_ascii_only_is_ascii() -> None:
    lines = terminal.summary_lines(every_status(), width=200, encoding="ascii", language="zh", report="报告.html")
    assert all(line.isascii() for line in lines)
    assert lines[3].startswith("X")


def test_no_result_is_said() -> None:
    assert terminal.summary_lines([]) == ["No problem was tuned."]


def test_a_recorded_baseline_is_said() -> None:
    from dataclasses import replace

    result = replace(gate_result(GateStatus.NO_BASELINE), baseline_written="baselines/main/x.json")
    assert any("baselines/main/x.json" in line for line in terminal.summary_lines([result]))


def test_simulated_is_said() -> None:
    result = gate_result(GateStatus.REGRESSED, backend="simulator")
    assert "(simulated)" in terminal.failure_message(result)
    assert any("(simulated)" in line for line in terminal.summary_lines([result]))


@given(st.text(max_size=40), st.integers(0, 30))
def test_padding_and_cutting_count_columns(text: str, width: int) -> None:
    assert terminal.columns(terminal.shorten(text, width)) <= width
    assert terminal.columns(terminal.pad(text, width)) == max(width, terminal.columns(text))


def test_chinese_takes_two_columns() -> None:
    assert terminal.columns("已收敛 ok") == 9


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(*, is_terminal: bool, step_s: float = 1.0, count: int = 50, max_trials: int | None = 50) -> list[str]:
    clock, written = Clock(), list[str]()
    search = tuning(count=count)
    progress = terminal.ProgressLine(search.problem, max_trials, written.append, is_terminal, clock=clock, width=80)
    for trial in search.trials:
        clock.now += step_s
        progress.trial(trial)
    progress.done(search)
    return written


def test_a_terminal_has_one_live_line() -> None:
    written = run(is_terminal=True)
    live = written[:50]
    assert len(written) == 52
    assert all(text.startswith("\r\x1b[2K") and "\n" not in text for text in live)
    assert all(terminal.columns(text.removeprefix("\r\x1b[2K")) < 80 for text in live)
    assert "10/50" in live[9]
    assert "40 s left" in live[9], live[9]
    assert written[-2] == "\r\x1b[2K"
    assert written[-1].endswith("\n")
    assert "converged, 50 s" in written[-1]


def test_a_log_has_few_plain_lines() -> None:
    written = run(is_terminal=False)
    assert [text.split()[1] for text in written] == ["5/50", "13/50", "25/50", "38/50", "50/50"]
    assert all(text.endswith("\n") and "\x1b" not in text and "\r" not in text for text in written)


def test_a_slow_log_says_something_every_half_minute() -> None:
    written = run(is_terminal=False, step_s=20.0, count=10, max_trials=None)
    assert len(written) == 6
    assert written[0].split()[1] == "2"


def test_best_so_far_and_failures_are_counted() -> None:
    search = tuning()
    assert search.best is not None
    assert search.best.time_us is not None
    last = run(is_terminal=False)[-1]
    assert f"best {search.problem.tflops(search.best.time_us):.1f} TFLOPS" in last
    assert f"{sum(trial.failure is not None for trial in search.trials)} failed" in last


def test_ascii_spark_line() -> None:
    written = list[str]()
    search = tuning(count=5)
    progress = terminal.ProgressLine(search.problem, 5, written.append, True, clock=Clock(), width=80, encoding="ascii")
    for trial in search.trials:
        progress.trial(trial)
    assert all(text.isascii() for text in written)


def test_a_resumed_search_counts_what_was_done_before_and_times_the_rest() -> None:
    search, written, clock = tuning(count=20), list[str](), Clock()
    progress = terminal.ProgressLine(search.problem, 20, written.append, True, clock=clock, width=80)
    progress.told(search.trials[:10])
    clock.now += 3
    progress.trial(search.trials[10])
    assert " 11/20 " in written[-1]
    assert "27 s left" in written[-1]


@pytest.mark.parametrize(
    ("encoding", "ascii_only", "language"),
    [
        ("utf-8", False, "zh"),
        ("gb18030", False, "zh"),
        ("gbk", True, "zh"),
        ("ascii", True, "en"),
        ("latin-1", True, "en"),
    ],
)
def test_what_streams_can_show(encoding: str, ascii_only: bool, language: str) -> None:
    assert terminal.needs_ascii(encoding) is ascii_only
    assert terminal.readable("zh", encoding) == language
    assert terminal.readable("en", encoding) == "en"


def test_chinese_without_the_marks_is_still_chinese() -> None:
    lines = terminal.summary_lines(every_status(), width=200, encoding="gbk", language="zh")
    assert "性能回退" in lines[3]
    assert lines[3].startswith("X")
    assert "\\x" not in "".join(lines)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_narrow_live_line_leaves_out_whole_fields(language: str) -> None:
    def fields(width: int) -> list[str]:
        search, written = tuning(count=10), []
        progress = terminal.ProgressLine(search.problem, 50, written.append, True, language, clock=Clock(), width=width)
        for trial in search.trials:
            progress.trial(trial)
        line = written[-1].removeprefix("\r\x1b[2K")
        assert terminal.columns(line) < width
        return re.split(r", |  | [▁▂▃▄▅▆▇█]+ |(?<=nn) ", line)

    every = fields(200)
    assert len(every) == 5
    counts = []
    for width in range(len(every[1]) + 1, 100):
        assert set(fields(width)) <= set(every), width
        assert every[1] in fields(width)
        counts.append(len(fields(width)))
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (1, 5)


def test_the_last_line_counts_what_the_search_counts() -> None:
    """Ctrl-C between a trial and its line: page, results.json and terminal say the same number."""
    search, written = tuning(count=10), []
    progress = terminal.ProgressLine(search.problem, 50, written.append, False, clock=Clock(), width=80)
    for trial in search.trials[:-1]:
        progress.trial(trial)
    progress.done(search)
    assert " 10/50 " in written[-1]


def test_no_search_is_no_budget_used_up() -> None:
    result = gate_result()
    ended = replace(result.tuning.convergence, state=ConvergenceState.BUDGET_EXHAUSTED)
    result = replace(result, tuning=replace(result.tuning, trials=(), convergence=ended))
    assert "  not searched" in "\n".join(terminal.summary_lines([result], width=200))
    assert "used up" not in terminal.failure_message(result)
