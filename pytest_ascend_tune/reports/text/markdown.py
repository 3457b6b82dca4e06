"""Where CI people look: a Markdown summary (GitHub's step summary, GitLab, plain files) and annotations on failures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pytest_ascend_tune.model.printable import printable
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rows import Missed, ProblemView, ReportView
from pytest_ascend_tune.reports.sentences import INCOMPLETE
from pytest_ascend_tune.reports.statuses import BAD, MISSED_LABEL

COLUMNS = (
    Text.of("problem"),
    Text.of("template"),
    Text.of("verdict"),
    Text.of("rate"),
    Text.of("share of the peak"),
    Text.of("baseline"),
    Text.of("change"),
    Text.of("search"),
)


def summary(view: ReportView, *, report: str = "") -> str:
    """Verdict, table (worst first) and a folded part per problem with configuration and command.

    For GitHub and GitLab; where HTML is not rendered it stays readable text.
    """
    language = view.language
    lines = [f"## {view.mark} ascend-tune: {escape(view.headline)}", ""]
    if not view.complete:
        lines += [f"**{escape(translate(INCOMPLETE, language))}**", ""]
    if view.problems:
        lines.append(f"| {' | '.join(translate(column, language) for column in COLUMNS)} |")
        lines.append("| --- | --- | --- | ---: | ---: | ---: | ---: | --- |")
        lines += [_row(problem, language) for problem in view.problems]
        lines.append("")
    if view.missed:
        lines += [f"| {say('not measured', language)} | {say('why', language)} |", "| --- | --- |"]
        lines += [_missed(group) for group in view.missed] + [""]
    for problem in view.problems:
        lines += _details(problem, language)
    if report:
        lines += [say("Full report: {path}", language, path=escape(report)), ""]
    return "\n".join(lines)


def failure_annotations(
    view: ReportView, files: Iterable[str] = (), lines: Mapping[str, int] | None = None
) -> list[str]:
    """GitHub workflow commands, one per problem that failed or has no result; shown beside the code in a pull request.

    The file is the node id's; `files`: the ones that exist in the checkout (others would be shown nowhere).
    `lines`: where each node id's test begins; 1 where that is not known.
    """
    known, commands = set(files), []
    failed = [(problem.problem_id, problem.nodeid, problem.sentence) for problem in view.problems if problem.fails]
    failed += [
        (problem_id, nodeid, f"{translate(MISSED_LABEL, view.language)}: {group.reason}")
        for group in view.missed
        if group.tone == BAD
        for problem_id, nodeid in group.problems
    ]
    for problem_id, nodeid, sentence in failed:
        file = nodeid.partition("::")[0]
        line = (lines or {}).get(nodeid, 1)
        place = f"file={_property(file)},line={line}," if file and (not known or file in known) else ""
        commands.append(f"::error {place}title={_property(f'ascend-tune: {problem_id}')}::{_data(sentence)}")
    return commands


def escape(text: str) -> str:
    """Text as text: nothing in it becomes markup, a table cell's end or a new line."""
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_\[\]|~$@])|^([-+#])", r"\\\1\2", text)
    return re.sub(r"\s*[\r\n]+\s*", " ", text)


def _row(problem: ProblemView, language: str) -> str:
    simulated = say(" (simulated)", language) if problem.simulated else ""
    interval = "" if problem.rate.value is None else f"[{problem.rate_interval[0]}, {problem.rate_interval[1]}]"
    cells = (
        f"{_name(problem)}{simulated}",
        problem.template,
        f"{problem.mark} {problem.label}",
        f"{problem.rate} {problem.unit} {interval}" if interval else problem.rate.text,
        problem.efficiency.text,
        f"{problem.baseline_rate} {problem.baseline_date}".strip(),
        problem.change.text,
        problem.search,
    )
    return f"| {' | '.join(escape(cell) for cell in cells)} |"


def _name(problem: ProblemView) -> str:
    """Shape, dtype and layout; where several runs are shown, which."""
    return " ".join(filter(None, (problem.shape, problem.dtype, problem.layout, problem.variant, problem.run)))


def _missed(group: Missed) -> str:
    problems = ", ".join(f"{problem_id} ({nodeid})" if nodeid else problem_id for problem_id, nodeid in group.problems)
    return f"| {group.mark} {escape(problems)} | {escape(group.reason)} |"


def _details(problem: ProblemView, language: str) -> list[str]:
    lines = [f"<details><summary>{problem.mark} {escape(_name(problem))}</summary>", ""]
    lines += [escape(problem.sentence), ""]
    lines += [f"- {escape(note)}" for note in problem.notes]
    if problem.compared_with:
        links = "".join(f" [{commit}]({page})" for commit, page in problem.commit_pages)
        lines.append(f"- {say('compared with', language)}: {escape(problem.compared_with)}{links}")
    if problem.nodeid:
        lines.append(f"- {say('test', language)}: {escape(problem.nodeid)}")
    if problem.config:
        lines.append(f"- {say('configuration', language)}: {escape(problem.config)}")
    lines += [f"- {say('search', language)}: {escape(problem.convergence_reason)}", ""]
    return [*lines, *_fenced(problem.reproduce), *(_fenced(problem.accept) if problem.accept else ()), "</details>", ""]


def _fenced(command: str) -> list[str]:
    command = printable(command)
    longest = max((len(run) for run in re.findall("`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}sh", command, fence, ""]


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
