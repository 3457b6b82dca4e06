"""What a terminal shows: progress while it runs, one row per problem at the end, and the message of a failed gate.

Pure text: lines are returned or handed to a `write` function; the plugin decides where they go.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence

from pytest_ascend_tune.gate import bestknown
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Convergence, Trial, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Cause, GateResult, GateStatus, NotMeasured
from pytest_ascend_tune.reports import rounding, sentences
from pytest_ascend_tune.reports.labels import CAUSE_WORDS
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import MISSING, number, percent
from pytest_ascend_tune.reports.statuses import STATUSES, missed_outcome, outcome
from pytest_ascend_tune.reports.text.columns import columns, pad, shorten, table
from pytest_ascend_tune.reports.text.commands import accept_command

SPARKS = "▁▂▃▄▅▆▇█"
ASCII_SPARKS = "_.-=+*#@"
LOG_SHARES = (0.10, 0.25, 0.50, 0.75)  # a log gets a line when this share of the trials is done, ...
LOG_SECONDS = 30.0  # ... and when nothing was said for this long
SPARK_LENGTH = 12
LEFT_OUT_FIRST = ("failed", "left", "problem", "best")  # of a live line where the terminal is narrow
MOST_NAMED = 5  # problems that share a reason for not being measured
MARK, PROBLEM, TEMPLATE, RATE, PEAK, CHANGE, VERDICT, INTERVAL, SEARCH = range(9)
TITLES = (
    "",
    Text.of("problem"),
    Text.of("template"),
    Text.of("rate"),
    Text.of("of peak"),
    Text.of("change"),
    Text.of("verdict"),
    Text.of("interval"),
    Text.of("search"),
)
# What a row shows, widest first: what says least goes first, and where that is not enough a row takes two lines.
LAYOUTS = (
    ((MARK, PROBLEM, TEMPLATE, RATE, PEAK, CHANGE, VERDICT, INTERVAL, SEARCH),),
    ((MARK, PROBLEM, TEMPLATE, RATE, PEAK, CHANGE, VERDICT, INTERVAL),),
    ((MARK, PROBLEM, TEMPLATE, RATE, PEAK, CHANGE, VERDICT),),
    ((MARK, PROBLEM, TEMPLATE, RATE, CHANGE, VERDICT),),
    ((MARK, PROBLEM, TEMPLATE), (VERDICT, CHANGE, RATE, PEAK)),
    ((MARK, PROBLEM, TEMPLATE), (VERDICT, CHANGE, RATE)),
    ((MARK, PROBLEM), (VERDICT, CHANGE, TEMPLATE)),
    ((MARK, PROBLEM), (VERDICT, CHANGE)),
    ((MARK, PROBLEM), (VERDICT,)),
)


def summary_lines(
    results: Sequence[GateResult],
    missed: Sequence[NotMeasured] = (),
    *,
    width: int = 80,
    encoding: str = "utf-8",
    language: str = "en",
    report: str = "",
    complete: bool = True,
) -> list[str]:
    """The run's verdict, a row per problem (worst first, as much as `width` allows), what is missing, the report.

    `complete` is False when the run was interrupted.
    """
    ordered, ascii_only = sentences.worst_first(results), needs_ascii(encoding)
    rows = [_row(result, ascii_only=ascii_only, language=language) for result in ordered]
    lines = [translate(sentences.headline(ordered, missed), language)]
    if not complete:
        lines.append(translate(sentences.INCOMPLETE, language))
    for revision in dict.fromkeys(map(sentences.commits, filter(None, (result.revision for result in ordered)))):
        lines.append(translate(revision, language))
    if rows:
        titles = tuple(translate(title, language) for title in TITLES)
        lines += table([titles, *rows], LAYOUTS, width)
    for group in sentences.by_reason(missed):
        shown = missed_outcome(group[0])
        lines.append(f"{shown.ascii_mark if ascii_only else shown.mark} {translate(_missed(group), language)}")
    for result in ordered:
        if result.verdict.fails and not result.nodeid:  # a test has said it itself
            lines += failure_message(result, language=language).splitlines()
        for note in result.verdict.notes:
            if note.template in (bestknown.BELOW.template, bestknown.REACHED.template):
                lines.append(f"{result.problem_id}: {translate(note, language)}")
        if result.baseline_written:
            lines.append(
                say(
                    "baseline of {id} recorded: {path}",
                    language,
                    id=result.problem_id,
                    path=result.baseline_written,
                )
            )
    if report:
        lines.append(say("report: {path}", language, path=report))
    return [encodable(line, encoding) for line in lines]


def failure_message(result: GateResult, *, language: str = "en", report: str = "") -> str:
    """What a person needs who sees a red test, in six lines at most: what, how much against what, why, what to do.

    The first line is what pytest's own FAILED line shows as much of as fits: its number stands first.
    """
    verdict = result.verdict
    rows: list[tuple[Text, str]] = []
    if verdict.cause is not None:
        cause = translate(CAUSE_WORDS[verdict.cause], language)
        because = f": {translate(verdict.because, language)}" if verdict.because else ""
        rows.append((Text.of("cause"), cause + because))
    if result.revision is not None:
        rows.append((Text.of("compared with"), translate(sentences.compared_with(result.revision), language)))
    if result.changed_files:
        files = say("{files} (since {date})", language, files=", ".join(result.changed_files), date=_recorded(result))
        rows.append((Text.of("changed"), files))
    if result.config is not None:
        rows.append((Text.of("configuration"), str(result.config)))
    if report:
        rows.append((Text.of("see more"), report))
    if result.status is GateStatus.REGRESSED and result.nodeid and result.revision is None:
        rows.append((Text.of("accept it"), accept_command(result)))
    names = [translate(name, language) for name, _ in rows]
    column = max(map(columns, names), default=0)
    lines = [f"  {pad(name, column)}  {value}" for name, (_, value) in zip(names, rows, strict=True)]
    return "\n".join([_failed(result, language), *lines])


def _failed(result: GateResult, language: str) -> str:
    """The loss as a percentage and the two numbers that give it; of other failures the verdict's sentence."""
    verdict, baseline = result.verdict, result.baseline
    simulated = say(" (simulated)", language) if result.tuning.simulated else ""
    rate = result.baseline_today_tflops if verdict.cause is Cause.PLATFORM else None
    rate = rate or result.tflops
    impossible = verdict.drop is not None and verdict.drop >= 1  # of an edited file
    if result.status is not GateStatus.REGRESSED or impossible or None in (verdict.drop, rate, baseline):
        return f"{translate(verdict.reason, language)} [{result.problem_id}]"
    assert verdict.drop is not None
    assert rate is not None
    low, high = verdict.drop_interval or (verdict.drop, verdict.drop)
    template = (
        "{drop} slower than the baseline of {date}: {now} against {then} {unit} ({low} to {high}, {allowed} allowed)"
    )
    said = Text.of(
        template,
        drop=percent(verdict.drop),
        date=_recorded(result),
        now=number(rate),
        then=number(rate / (1 - verdict.drop)),
        unit=result.tuning.problem.dtype.rate_unit,
        low=percent(low),
        high=percent(high),
        allowed=percent(verdict.allowed_drop),
    )
    return f"{translate(said, language)}{simulated} [{result.problem_id}]"


def _recorded(result: GateResult) -> str:
    return rounding.date(result.baseline.recorded_at) if result.baseline else MISSING


class ProgressLine:
    """Progress of one tuning: a live line on a terminal, a plain line now and then in a log."""

    def __init__(
        self,
        problem: GemmProblem,
        max_trials: int | None,
        write: Callable[[str], None],
        is_terminal: bool,
        language: str = "en",
        *,
        clock: Callable[[], float] = time.monotonic,
        width: int | None = None,
        encoding: str = "utf-8",
    ) -> None:
        """`write` gets text as it is to be printed, line ends included.

        `max_trials` None: no fixed budget. `width` None: the terminal's.
        """
        self._problem, self._max_trials, self._write = problem, max_trials, write
        self._is_terminal, self._language, self._clock = is_terminal, language, clock
        self._width, self._encoding = width or shutil.get_terminal_size().columns, encoding
        self._sparks = ASCII_SPARKS if needs_ascii(encoding) else SPARKS
        self._rates: list[float | None] = []
        self._told = 0
        self._started = self._said = clock()
        self._shares = [share for share in LOG_SHARES if max_trials and share * max_trials >= 1]

    def told(self, trials: Sequence[Trial]) -> None:
        """Trials of the part of this search that an earlier run did: counted, not timed."""
        self._rates += map(self._rate, trials)
        self._told = len(self._rates)

    def trial(self, trial: Trial, convergence: Convergence | None = None) -> None:
        """One more trial is done."""
        self._rates.append(self._rate(trial))
        if self._is_terminal:
            self._live(self._line())
        elif self._is_due():
            self._write(f"{encodable(self._line(), self._encoding)}\n")

    def done(self, tuning: TuningResult) -> None:
        """The search is over: one line stays."""
        self._rates = [self._rate(trial) for trial in tuning.trials]  # Ctrl-C may have come before one was shown
        state = translate(sentences.state(tuning), self._language)
        took = rounding.seconds(self._clock() - self._started)
        line = f"{self._line(left=False)}, {state}, {took}"
        self.clear()
        self._write(f"{encodable(line, self._encoding)}\n")

    def clear(self) -> None:
        """Take the live line away, so that other output starts on a clean line."""
        if self._is_terminal:
            self._write("\r\x1b[2K")

    def _rate(self, trial: Trial) -> float | None:
        return None if trial.time_us is None else self._problem.tflops(trial.time_us)

    def _line(self, *, left: bool = True) -> str:
        """The progress in words; on a live line, as much as fits."""
        done, failed = len(self._rates), sum(rate is None for rate in self._rates)
        best = max((rate for rate in self._rates if rate is not None), default=None)
        fields = {
            "problem": self._problem.id,
            "count": f"{done}/{self._max_trials}" if self._max_trials else str(done),
            "best": say("best {rate}", self._language, rate=f"{number(best)} {self._problem.dtype.rate_unit}"),
            "failed": say("{failed} failed", self._language, failed=failed),
        }
        if left and self._max_trials and done > self._told:
            seconds = (self._clock() - self._started) / (done - self._told) * max(0, self._max_trials - done)
            fields["left"] = say("{time} left", self._language, time=rounding.seconds(seconds))
        live = self._is_terminal and left
        for name in LEFT_OUT_FIRST:
            if live and columns(_laid_out(fields)) >= self._width:
                fields.pop(name, None)
        room = self._width - 1 - columns(_laid_out(fields)) if live else SPARK_LENGTH
        return _laid_out(fields, f" {self._sparkline(min(SPARK_LENGTH, room))} " if room > 1 else "  ")

    def _sparkline(self, length: int) -> str:
        """The last best-so-far values between the first best and the best now."""
        best, stairs = 0.0, []
        for rate in self._rates:
            best = max(best, rate or 0.0)
            stairs.append(best)
        top, sparks = max(stairs, default=0.0), self._sparks
        if top == 0.0:
            return sparks[0] * min(length, len(stairs))
        picked = (
            [stairs[round(place * (len(stairs) - 1) / (length - 1))] for place in range(length)]
            if len(stairs) > length
            else stairs
        )
        return "".join(sparks[round(value / top * (len(sparks) - 1))] for value in picked)

    def _is_due(self) -> bool:
        now, done = self._clock(), len(self._rates)
        reached = [share for share in self._shares if done >= share * (self._max_trials or 0)]
        self._shares = [share for share in self._shares if share not in reached]
        if not reached and now - self._said < LOG_SECONDS:
            return False
        self._said = now
        return True

    def _live(self, line: str) -> None:
        self._write(f"\r\x1b[2K{shorten(encodable(line, self._encoding), self._width - 1)}")


def _laid_out(fields: Mapping[str, str], between: str = "  ") -> str:
    """Fields of the progress: which problem and how far, `between`, and what was found."""
    head = " ".join(fields[name] for name in ("problem", "count") if name in fields)
    words = ", ".join(fields[name] for name in ("best", "failed", "left") if name in fields)
    return f"{head}{between}{words}" if words else head


def _row(result: GateResult, *, ascii_only: bool, language: str) -> tuple[str, ...]:
    interval = rounding.interval(*result.interval) if result.interval else None
    change = "" if result.verdict.drop is None else percent(-result.verdict.drop, signed=True).text
    simulated = say(" (simulated)", language) if result.tuning.simulated else ""
    return (
        _mark(result, ascii_only=ascii_only),
        result.problem_id,
        result.tuning.template,
        MISSING if result.tflops is None else f"{number(result.tflops)} {result.tuning.problem.dtype.rate_unit}",
        percent(result.efficiency_share).text,
        change or MISSING,
        translate(STATUSES[result.status].label, language) + simulated,
        f"[{interval[0]}, {interval[1]}]" if interval else MISSING,
        translate(sentences.search(result.tuning), language),
    )


def _missed(group: Sequence[NotMeasured]) -> Text:
    """Which problems (or tests, where no problem is known) were not measured, and why."""
    if len(group) == 1 and str(group[0].reason).startswith(group[0].problem_id or group[0].nodeid):
        return Text.of("not measured: {reason}", reason=group[0].reason)
    names: str | Text = ", ".join(one.problem_id or one.nodeid for one in group[:MOST_NAMED])
    if len(group) > MOST_NAMED:
        names = Text.of("{names} and {count} more", names=names, count=len(group) - MOST_NAMED)
    return Text.of("not measured: {names}: {reason}", names=names, reason=group[0].reason)


def _mark(result: GateResult, *, ascii_only: bool) -> str:
    shown = outcome(result.verdict)
    return shown.ascii_mark if ascii_only else shown.mark


def needs_ascii(encoding: str) -> bool:
    """Whether a stream of this encoding cannot show the marks and spark lines."""
    return not _can_show(f"{SPARKS}✔✘▲○≠×–", encoding)


def readable(language: str, encoding: str) -> str:
    """The language to speak on a stream of this encoding: English where it cannot show Chinese."""
    return language if _can_show("中文，：（）", encoding) else "en"


def encodable(text: str, encoding: str) -> str:
    """For streams without Unicode: known signs get a twin, anything else that cannot be shown is escaped."""
    if not needs_ascii(encoding):
        return text
    for sign, twin in (("–", "-"), ("×", "x"), ("µ", "u"), ("≥", ">="), ("≤", "<=")):
        text = text.replace(sign, twin)
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
